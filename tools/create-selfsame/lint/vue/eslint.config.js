import selfsame from '@selfsame/eslint-plugin'
import * as typescript from '@typescript-eslint/parser'
import * as vue from 'vue-eslint-parser'

export default [
  { ignores: ['dist'] },
  { files: ['**/*.ts'], languageOptions: { parser: typescript } },
  { files: ['**/*.vue'], languageOptions: { parser: vue, parserOptions: { parser: typescript } } },
  selfsame.configs.recommended,
]

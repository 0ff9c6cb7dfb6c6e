import selfsame from '@selfsame/eslint-plugin'
import * as typescript from '@typescript-eslint/parser'
import * as svelte from 'svelte-eslint-parser'

export default [
  { ignores: ['dist'] },
  { files: ['**/*.ts'], languageOptions: { parser: typescript } },
  { files: ['**/*.svelte'], languageOptions: { parser: svelte, parserOptions: { parser: typescript } } },
  selfsame.configs.recommended,
]

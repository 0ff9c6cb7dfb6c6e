import selfsame from '@selfsame/eslint-plugin'
import * as typescript from '@typescript-eslint/parser'

export default [
  { ignores: ['dist'] },
  { files: ['**/*.{ts,tsx}'], languageOptions: { parser: typescript } },
  selfsame.configs.recommended,
]

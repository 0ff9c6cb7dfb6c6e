import * as typescript from '@typescript-eslint/parser'
import { RuleTester as RuleTester10 } from 'eslint'
import type { Linter, Rule } from 'eslint'
import { RuleTester as RuleTester9 } from 'eslint9'
import * as svelte from 'svelte-eslint-parser'
import { afterAll, describe, it } from 'vitest'
import * as vue from 'vue-eslint-parser'

type Case = RuleTester10.ValidTestCase & { readonly code: string }
interface FailingCase extends Case {
  /** The messages, each whole or as the beginning of one. */
  readonly errors: readonly (string | { readonly messageId: string; readonly line?: number })[]
  /** What the fix makes of it; `undefined` if there is no fix. */
  readonly output?: string
}

const parser = { parser: typescript, ecmaFeatures: { jsx: true } }
/** What parses which files, as an application writes it into `eslint.config.js`. */
export const parsers: Linter.Config[] = [
  { files: ['**/*.{ts,tsx,js,jsx,mjs}'], languageOptions: { parser: typescript, parserOptions: parser } },
  { files: ['**/*.vue'], languageOptions: { parser: vue, parserOptions: parser } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parser: svelte, parserOptions: { parser: typescript } },
  },
]

const languageOf = (filename: string) => {
  const files = parsers.find(({ files: [first] = [] }) =>
    String(first).includes(filename.split('.').at(-1) ?? ''),
  )
  return files?.languageOptions ?? {}
}

interface Cases {
  readonly valid: readonly Case[]
  readonly invalid: readonly FailingCase[]
}
/** The cases of a rule, with the parser that the name of the file asks for. */
export const casesOf = (cases: Cases) => cases

const withParser = (given: Case) => ({ ...given, languageOptions: languageOf(given.filename ?? 'a.tsx') })

/** Runs the cases of a rule with ESLint 10 and 9. */
export function testRule(name: string, rule: Rule.RuleModule, cases: Cases): void {
  // The types of version 9 say less of the same functions.
  const versions = [
    [10, RuleTester10],
    [9, RuleTester9 as typeof RuleTester10],
  ] as const
  for (const [version, RuleTester] of versions) {
    Object.assign(RuleTester, { describe, it, afterAll })
    describe(`ESLint ${version}`, () => {
      new RuleTester().run(name, rule, {
        valid: cases.valid.map(withParser),
        invalid: cases.invalid.map(({ output, errors, ...given }) => ({
          ...withParser(given),
          errors: [...errors],
          output: output ?? null,
        })),
      })
    })
  }
}

import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as parser from '@typescript-eslint/parser'
import { ESLint } from 'eslint'
import type { Linter } from 'eslint'
import hooksPlugin from 'eslint-plugin-react-hooks'
import { runSuite } from '@selfsame/conformance'
import { describe, expect, test } from 'vitest'
import { Screen, driver } from './conformance-driver.js'
import { compile } from './react-compiler.js'

// The config of this project compiles the components of the suite, but not the binding.

const root = join(import.meta.dirname, '../..')

/** The files of React components in a folder, without tests. */
function filesIn(folder: string, pattern = /\.tsx$/): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !/\.test\.|node_modules|\bdist\b/.test(file))
    .map((file) => join(root, folder, file))
    .filter((file) => /from '(react|@selfsame\/react|\.\/src)/.test(readFileSync(file, 'utf8')))
}

const files = [
  ...filesIn('bindings/react', /^[\w-]+\.tsx$/),
  ...filesIn('docs/examples'),
  ...filesIn('demo-apps/react/src'),
  ...filesIn('tools/create-selfsame/react'),
]

const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  allowInlineConfig: false,
  overrideConfig: {
    files: ['**/*.tsx'],
    languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
    // Its types do not know those of ESLint 10.
    plugins: { 'react-hooks': hooksPlugin as unknown as NonNullable<Linter.Config['plugins']>[string] },
    rules: hooksPlugin.configs.flat['recommended-latest'].rules,
  },
})

/** What the compiler could not compile, and what its lint rules find. */
async function problemsOf(file: string, text: string): Promise<readonly unknown[]> {
  const { events } = await compile(file, text)
  const results = await eslint.lintText(text, { filePath: file })
  expect(events.length + results.length, 'looked at').toBeGreaterThan(0)
  return [
    ...events.filter(({ kind }) => kind !== 'CompileSuccess'),
    // Without a rule: comments about the rules of another linter.
    ...results.flatMap(({ messages }) => messages.filter(({ ruleId }) => ruleId !== null)),
  ]
}

const componentOf = (body: string): string => `
  import { useDLE, useLoading, usePrefetch, useSelect } from '@selfsame/react'
  export function Todo({ id, submit }) {
    ${body}
  }`

describe('React Compiler and its lint rules', () => {
  test.each(files.map((file) => relative(root, file)))('have nothing against %s', async (file) => {
    expect(await problemsOf(file, readFileSync(join(root, file), 'utf8'))).toEqual([])
  })

  test.each([
    [
      'refs taken out of the result of usePrefetch',
      `const { onIntent, onView } = usePrefetch(getTodo, { id })
       return <li ref={onView}><a ref={onIntent}>{id}</a></li>`,
    ],
    [
      'members of results in handlers',
      `const save = useLoading(submit), link = usePrefetch(getTodo, { id })
       return <button onClick={save.run} onFocus={link.prefetch}>{save.error?.message}</button>`,
    ],
    [
      'members of a state',
      `const state = useDLE(getTodo, { id })
       return state.loading ? 'Loading' : <button onClick={state.refetch}>{state.data.title}</button>`,
    ],
    [
      'selectors that close over props',
      `return <p>{useSelect(getTodo, (todo) => todo.titles[id], { id })}</p>`,
    ],
  ])('have nothing against %s', async (_, body) => {
    expect(await problemsOf('Todo.tsx', componentOf(body))).toEqual([])
  })

  test('leave a component with any ref={object.member} as it is, which the README says', async () => {
    const body = `const link = usePrefetch(getTodo, { id })\nreturn <a ref={link.onIntent}>{id}</a>`
    const problems = await problemsOf('Todo.tsx', componentOf(body))
    expect(JSON.stringify(problems)).toContain('Cannot access ref value during render')
  })

  test('have compiled the components that tests of this project run', () => {
    expect(String(Screen)).toContain('$[0]')
  })
})

// Compiled, a component shows again what it has shown of an object: these read results that are objects, or new in each render.
runSuite({ ...driver, hasPages: false }, (name) =>
  /^(3\/table|4\.5|all|closures|dle all|hooks|infinite|options|useDLE|B\d)\//.test(name),
)

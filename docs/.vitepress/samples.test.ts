import { expect, test } from 'vitest'
import { readSource, writtenPages } from './pages.js'
import { checkSamples } from './sample-check.js'
import { importsOf, samplesOf, withImports } from './sample-imports.js'
import type { Sample } from './sample-imports.js'

/** Samples that are compiled elsewhere, or nowhere. */
const exceptions: readonly { page: RegExp; code: RegExp; why: string }[] = [
  {
    page: /server-rendering/,
    code: /^(?:\/\/|<!--) (?:app\/(?!selfsame)|data\/|react-router\.config)|useRoute\(|defineNuxtConfig|from '\$app|from 'next\//,
    why: 'An excerpt of an application in conformance/fixtures, which the framework itself compiles.',
  },
  {
    page: /server-rendering\/(?:astro|react)/,
    code: /^(?:\/\/|<!--) src\//,
    why: 'The same, of Astro and TanStack Start.',
  },
  {
    page: /server-rendering/,
    code: /^\/\/ entry-dev\.ts|viteDevServer/,
    why: 'Files of a server for development, which the test of that server compiles and runs.',
  },
  {
    page: /openapi/,
    code: /^export class Article|^\/\*\* What a list shows/,
    why: 'An excerpt of generated files, which are compiled where they are generated.',
  },
  {
    page: /from-data-client/,
    code: /from '@data-client/,
    why: 'npm has no set of versions of that library which installs together.',
  },
  {
    page: /from-(?:rtk-query|pinia-colada|tanstack-db)/,
    code: /from '@(?:reduxjs|pinia\/colada|tanstack\/react-db)/,
    why: 'Only the benchmark installs these libraries.',
  },
  { page: /CONTRIBUTING/, code: /conformance-driver/, why: 'The driver is what the reader is to write.' },
]

const isException = ({ page, code }: Sample) =>
  exceptions.some((exception) => exception.page.test(page) && exception.code.test(code))

// The page about the linter shows its rules at the mistakes that they find.
const pages = ['README.md', ...writtenPages().map(({ source }) => source)]
  .filter((page) => page !== 'docs/linter.md')
  .map((page) => ({ page, text: readSource(page) }))
const samples = pages.flatMap(({ page, text }) => samplesOf(page, text))

/** Each has one mistake, at its end. */
const wrong = {
  page: 'docs/wrong.md',
  text: `
\`\`\`ts
await controller.fetch(todoResource.get, { number: 5 })
\`\`\`

\`\`\`tsx
const todo = useSuspense(todoResource.get, { id: 5 })
export const Title = () => <b>{todo.name}</b>
\`\`\`

\`\`\`vue
<script setup lang="ts">
const todo = useDLE(todoResource.get, { id: 5 })
</script>

<template>{{ todo.data.value?.name }}</template>
\`\`\`

\`\`\`svelte
<script lang="ts">
  const todo = useDLE(todoResource.get, { id: 5 })
</script>

{todo.data?.name}
\`\`\`

\`\`\`ts
unheardOf(controller)
\`\`\`
`,
}

test('each sample compiles as it stands on its page', { timeout: 600_000 }, async () => {
  const { count, errors } = await checkSamples([...pages, wrong], (sample) => !isException(sample))
  const isWrong = (error: string) => error.startsWith(wrong.page)
  expect(errors.filter((error) => !isWrong(error))).toEqual([])
  expect(count).toBeGreaterThan(380)
  // And a mistake is found, in each language.
  const found = errors.filter(isWrong).map((error) => error.replace(/^(\S+) .*?('\w+').*$/, '$1 $2'))
  expect(found.toSorted()).toEqual([
    "docs/wrong.md:11: 'name'",
    "docs/wrong.md:19: 'name'",
    "docs/wrong.md:27: 'unheardOf'",
    "docs/wrong.md:2: 'number'",
    "docs/wrong.md:6: 'name'",
  ])
})

test('each exception is needed', () => {
  const idle = exceptions.filter(
    ({ page, code }) => !samples.some((sample) => page.test(sample.page) && code.test(sample.code)),
  )
  expect(idle).toEqual([])
  expect(samples.filter(isException).length).toBeLessThan(34)
})

test('a sample gets the imports that it does not show, and only those that it uses', () => {
  const page = (code: string) => `\`\`\`${code}\n\`\`\``
  const shown = (code: string) =>
    withImports('docs/any.md', page(code)).replaceAll('```', '').trim().split('\n')
  expect(shown('ts\nconst todo = controller.read(todoResource.get, { id: 5 })')).toEqual([
    'ts',
    "import { todoResource } from './api.js'",
    "import { controller } from './controller.js'",
    '',
    'const todo = controller.read(todoResource.get, { id: 5 })',
  ])
  // A type is imported as one; a name of a property or of a parameter is none.
  expect(shown('ts\nfunction f(Todo: Entity) {\n  return Todo.controller\n}')[1]).toBe(
    "import type { Entity } from '@selfsame/core'",
  )
  // What is already imported, or declared, stays as it is.
  const whole = "ts\nimport { controller } from './mine.js'\n\ncontroller.resetAll()"
  expect(shown(whole)).toEqual(whole.split('\n'))
})

test('a hook without a sign of its framework is shown for each of them', () => {
  const text = withImports('docs/any.md', '```ts\nconst todo = useQuery(Todo, { id: 5 })\n```')
  for (const name of ['React', 'Vue', 'Svelte']) {
    expect(text).toContain(`\`\`\`ts [${name}]\n`)
    expect(text).toContain(`import { useQuery } from '@selfsame/${name.toLowerCase()}'`)
  }
})

test('lines of imports are no longer than 80 columns, and folded where there are more than three', () => {
  const long = pages.flatMap(({ page, text }) =>
    samplesOf(page, text).flatMap((sample, at, all) =>
      importsOf(sample, all.slice(0, at)).filter((line) => line.length > 80),
    ),
  )
  expect(long).toEqual([])
  const text = withImports(
    'docs/any.md',
    '```ts\nconst a = createResource({ path: "/a/:id", schema: Todo, Endpoint: RestEndpoint })\nconst b = new Controller()\nexpect(b.read(a.get, { id })).toBe(vi)\n```',
  )
  expect(text).toMatch(/^```ts imports=5\n/)
})

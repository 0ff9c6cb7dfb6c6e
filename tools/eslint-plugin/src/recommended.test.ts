import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ESLint } from 'eslint'
import { expect, test } from 'vitest'
import plugin from './index.js'
import { parsers } from './testing.js'

// What we show, we lint: the recommended rules find nothing in the samples of the documentation, in the demo applications, in the
// applications and components that tests use, and in the starters; but for the cases that are listed here.

const root = join(import.meta.dirname, '../../..')
const folders = ['docs/examples', 'demo-apps', 'conformance', 'bindings', 'tools/create-selfsame']
const skipped = /^(node_modules|dist|dist-development|build|src-tauri|\..*)$/

/** Samples about something else: they leave out what to do when a mutation fails (docs/error-handling.md). */
const mutations = [
  'conformance/fixtures/next/app/parts.tsx',
  'conformance/fixtures/sveltekit/src/routes-sync/counter/+page.svelte',
  'conformance/fixtures/sveltekit/src/routes/counter/+page.svelte',
  'conformance/fixtures/sveltekit/src/routes/todo/[id]/+page.svelte',
  'conformance/fixtures/astro/src/components/TodoList.tsx',
  'conformance/fixtures/react-router/app/routes/todo.tsx',
  'conformance/fixtures/tanstack-start/src/routes/todo.$id.tsx',
  'docs/examples/TodoDetail.svelte',
  'docs/examples/TodoItem.tsx',
  'docs/examples/guides/DeleteTodo.svelte',
  'docs/examples/guides/DeleteTodo.tsx',
  'docs/examples/legacy/NewTodos.svelte',
  'docs/examples/legacy/NewTodos.tsx',
  'docs/examples/media.test.tsx',
  'docs/examples/migrating/TodoScreen.svelte',
]
const intended = [
  ...mutations.map((file) => `${file}: selfsame/catch-mutation`),
  // Its endpoint parses dates by itself.
  'conformance/src/scenarios/queries.ts: selfsame/field-schema',
  // The mistake that the error "controller-remade" is about.
  'docs/examples/errors.test.tsx: selfsame/suspense-boundary',
]

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.test(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** Code that an application could have: not the packages themselves, nor their tests. */
const isShown = (file: string) =>
  /\.(tsx?|vue|svelte)$/.test(file) &&
  !/^bindings\/\w+\/src\/.*\.tsx?$|\.test-d\.tsx?$/.test(relative(root, file)) &&
  readFileSync(file, 'utf8').includes('@selfsame/')

test('the recommended rules find nothing in what we show', { timeout: 300_000 }, async () => {
  const files = folders.flatMap((folder) => filesBelow(join(root, folder))).filter(isShown)
  expect(files.length).toBeGreaterThan(300)
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    allowInlineConfig: false,
    overrideConfig: [plugin.configs.recommended, ...parsers],
  })
  const found = (await eslint.lintFiles(files)).flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, message }) => `${relative(root, filePath)}: ${ruleId ?? message}`),
  )
  expect([...new Set(found)].sort()).toEqual(intended.sort())
})

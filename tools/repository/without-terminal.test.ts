import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

// The published tools in a script or a pipeline: no terminal, and nothing to read.

const root = join(import.meta.dirname, '../..')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'without-terminal-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Runs the sources of a tool: what its `bin.js` does with the built ones. */
const withMain = (tool: string) => {
  const main = `import { main } from '${join(root, `tools/${tool}/src/cli.ts`)}'
    process.exitCode = await main(process.argv.slice(1))`
  return (...args: readonly string[]) =>
    run(
      '--conditions=selfsame-source',
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      main,
      '--',
      ...args,
    )
}

test('create-selfsame takes the defaults in the place of answers', () => {
  const made = join(folder, 'app')
  expect(run(join(root, 'tools/create-selfsame/create.mjs'), made)).toContain('from the template "react"')
  expect(JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))).toMatchObject({ name: 'app' })
})

test.each(['react', 'vue', 'svelte'])('create-selfsame makes the template %s with a linter', (template) => {
  const made = join(folder, 'app')
  run(join(root, 'tools/create-selfsame/create.mjs'), made, '--template', template, '--lint')
  expect(existsSync(join(made, 'eslint.config.js'))).toBe(true)
})

test('create-selfsame explains itself, and refuses what it does not know', () => {
  const create = join(root, 'tools/create-selfsame/create.mjs')
  expect(run(create, '--help')).toContain('Usage: npm create selfsame@latest <folder>')
  expect(() => run(create, folder, '--template', 'angular')).toThrow('There is no template "angular".')
  expect(() => run(create, folder, '--colour')).toThrow("Unknown option '--colour'")
})

test('openapi writes files of a description, explains itself, and refuses what is incomplete', () => {
  const openapi = withMain('openapi')
  const description = join(root, 'tools/openapi/fixtures/petstore.json')
  const out = join(folder, 'api')
  expect(openapi(description, '--out', out)).toContain('wrote ')
  expect(readdirSync(out).length).toBeGreaterThan(0)
  expect(openapi('--help')).toContain('npx @selfsame/openapi <file or address> --out src/api')
  expect(() => openapi(description)).toThrow('Give one description, and a folder by --out.')
})

test('the codemod moves files, and explains itself', () => {
  const file = join(folder, 'read.ts')
  writeFileSync(file, "import { useSuspense } from '@data-client/react'\nexport const read = useSuspense\n")
  const codemod = withMain('codemod')
  expect(codemod('current', folder)).toContain('changed ')
  expect(readFileSync(file, 'utf8')).toContain('@selfsame/react')
  expect(codemod('--help')).toContain('Moves an application to Selfsame.')
})

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

test('create-selfsame takes the defaults in the place of answers', () => {
  const made = join(folder, 'app')
  expect(run(join(root, 'tools/create-selfsame/create.mjs'), made)).toContain('of the template "react"')
  expect(JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))).toMatchObject({ name: 'app' })
})

test('the codemod moves files, and explains itself', () => {
  const file = join(folder, 'read.ts')
  writeFileSync(file, "import { useSuspense } from '@data-client/react'\nexport const read = useSuspense\n")
  const main = `import { main } from '${join(root, 'tools/codemod/src/cli.ts')}'
    process.exitCode = main(process.argv.slice(1))`
  const codemod = (...args: readonly string[]) =>
    run('--import', 'tsx', '--input-type=module', '--eval', main, '--', ...args)
  expect(codemod('current', folder)).toContain('changed ')
  expect(readFileSync(file, 'utf8')).toContain('@selfsame/react')
  expect(codemod('--help')).toContain('Moves an application to Selfsame.')
})

import { spawn } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'

// The command moves an application of each generation, as users run it. The result compiles, and its own tests pass. The same
// holds for an application of which some code is left unchanged.

const project = fileURLToPath(new URL('../../../', import.meta.url))
const samples = fileURLToPath(new URL('../samples/', import.meta.url))
const bin = fileURLToPath(new URL('../bin.js', import.meta.url))
const moved = fileURLToPath(new URL('../moved/', import.meta.url))

/** Runs a Node program. @returns its output and its exit code */
function run(args: readonly string[]): Promise<{ output: string; status: number | null }> {
  return new Promise((resolve) => {
    // Without these variables a Vitest that runs inside Vitest does not take itself for a worker.
    const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env
    const child = spawn(process.execPath, args, { cwd: project, env })
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.on('close', (status) => resolve({ output, status }))
  })
}

beforeAll(async () => {
  rmSync(moved, { recursive: true, force: true })
  cpSync(samples, moved, { recursive: true })
  const { output } = await run(['node_modules/typescript7/bin/tsc', '--build', 'tools/codemod'])
  expect(output).toBe('')
})

test.each([
  ['4.5', '4.5'],
  ['5.1', '5.1'],
  ['current', 'data-client'],
])('%s: all of the application is moved, and nothing is left', async (transform, folder) => {
  const { output, status } = await run([bin, transform, '--json', '--no-types', `${moved}${folder}`])
  expect({ status, output }).toMatchObject({ status: 0 })
  const { changed, remarks } = JSON.parse(output) as { changed: string[]; remarks: unknown[] }
  expect(remarks).toEqual([])
  expect(changed.length).toBeGreaterThan(3)
})

test('what is not understood of an application stays on the legacy entries, and is listed', async () => {
  const { output, status } = await run([bin, '5.1', '--json', '--no-types', `${moved}partly`])
  expect({ status, output }).toMatchObject({ status: 0 })
  const { remarks } = JSON.parse(output) as { remarks: { path: string; line: number }[] }
  expect(remarks.map(({ path, line }) => `${path.slice(moved.length)}:${line}`)).toEqual([
    'partly/api.ts:13',
    'partly/TodoDetail.tsx:7',
    'partly/TodoList.tsx:8',
  ])
})

test('what came out compiles', async () => {
  const { output } = await run(['node_modules/typescript7/bin/tsc', '-p', moved])
  expect(output).toBe('')
})

test('what came out passes its own tests', async () => {
  const { output, status } = await run(['node_modules/vitest/vitest.mjs', 'run', '--root', moved])
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('4 passed') })
})

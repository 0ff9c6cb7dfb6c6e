import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { main } from './cli.js'

let folder: string
let written: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codemod-'))
  written = ''
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written += String(text)
      return true
    })
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

/** Runs the command. @returns its exit code and its output, with the folder as `.` */
function run(...argv: readonly string[]): { status: number; output: string } {
  const status = main(argv)
  return { status, output: written.replaceAll(/[^\s"]*codemod-\w+/g, '.') }
}

const before = `import { Manager, useSuspense } from '@data-client/react'

export const read = useSuspense
`
const after = `import { useSuspense } from '@selfsame/react'
import { Manager } from '@data-client/react'

export const read = useSuspense
`
const reason =
  'Manager of @data-client/react has no counterpart of that name: a middleware does what a manager did (docs/middleware.md)'

function writeFile(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('writes what it changes, and lists what it does not understand', () => {
  const path = writeFile('read.ts', before)
  expect(run('current', folder)).toEqual({
    status: 0,
    output: `changed ./read.ts\n\nLook at these 1:\n./read.ts:1: ${reason}\n`,
  })
  expect(readFileSync(path, 'utf8')).toBe(after)
})

test('says so when there is nothing to change', () => {
  writeFile('read.ts', 'export {}\n')
  expect(run('current', folder)).toEqual({ status: 0, output: 'Nothing to change.\n' })
})

test('--dry shows the differences and writes nothing', () => {
  const path = writeFile('read.ts', before)
  expect(run('current', '--dry', path).output).toBe(`--- ./read.ts
+++ ./read.ts
@@ -1,3 +1,4 @@
-import { Manager, useSuspense } from '@data-client/react'
+import { useSuspense } from '@selfsame/react'
+import { Manager } from '@data-client/react'
 
 export const read = useSuspense

Look at these 1:
./read.ts:1: ${reason}
`)
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('--json gives both lists', () => {
  writeFile('read.ts', before)
  expect(JSON.parse(run('current', '--json', folder).output)).toEqual({
    changed: ['./read.ts'],
    remarks: [{ path: './read.ts', line: 1, reason }],
  })
})

test('a file that cannot be parsed is listed, and the others are changed', () => {
  writeFile('broken.ts', 'import { from')
  writeFile('read.ts', before)
  const { output } = run('current', folder)
  expect(output).toContain('changed ./read.ts')
  expect(output).toMatch(/\.\/broken\.ts:1: cannot be parsed: /)
})

test.each([['--help'], ['-h'], ['current', '--help']])(
  '%s explains the command, and is no error',
  (...argv) => {
    const { status, output } = run(...argv)
    expect([status, output.startsWith('Moves an application to Selfsame.')]).toEqual([0, true])
  },
)

test.each([
  [[], 1, 'Moves an application to Selfsame.'],
  [['6'], 1, 'There is no transform "6".'],
  [['5.1'], 1, 'Moves an application to Selfsame.'],
  [['5.1', '--fast', 'src'], 1, "Unknown option '--fast'"],
  [['5.1', 'no-such-folder'], 1, 'There is no file no-such-folder.'],
])('%j is explained', (argv, status, begin) => {
  const outcome = run(...argv)
  expect(outcome.status).toBe(status)
  expect(outcome.output.startsWith(begin)).toBe(true)
})

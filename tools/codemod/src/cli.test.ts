import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
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
    output: `changed ./read.ts

Do these 1 by hand:
./read.ts:1: ${reason}

The codemod changed 1 line of 1 file. 1 to do by hand, 0 on a legacy entry, 0 files not looked at.
`,
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

Do these 1 by hand:
./read.ts:1: ${reason}

The codemod would change 1 line of 1 file. 1 to do by hand, 0 on a legacy entry, 0 files not looked at.
`)
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('--json gives the whole report', () => {
  writeFile('read.ts', before)
  expect(JSON.parse(run('current', '--json', folder).output)).toEqual({
    changed: ['./read.ts'],
    remarks: [{ path: './read.ts', line: 1, reason, runs: false }],
    unseen: [],
    dependencies: [],
  })
})

test('a file that cannot be parsed is listed, and the others are changed', () => {
  writeFile('broken.ts', 'import { from')
  writeFile('read.ts', before)
  const { output } = run('current', folder)
  expect(output).toContain('changed ./read.ts')
  expect(output).toMatch(/Not looked at:\n\.\/broken\.ts: cannot be parsed: /)
})

test('code that stays on a legacy entry is listed apart', () => {
  writeFile('todo.ts', `import { Resource } from '@rest-hooks/rest'\nexport class Todo extends Resource {}\n`)
  expect(run('5.1', folder).output).toBe(`changed ./todo.ts

These 1 stay on a legacy entry, and run:
./todo.ts:2: the pk() of Todo is not one of its fields: write the path by hand; the class stays on @selfsame/core/legacy

The codemod changed 1 line of 1 file. 0 to do by hand, 1 on a legacy entry, 0 files not looked at.
`)
})

test('files and packages of the application that the run did not see are listed', () => {
  writeFile('package.json', '{\n  "dependencies": {\n    "@data-client/react": "^0.18.0"\n  }\n}\n')
  const path = writeFile('read.ts', before.replace('Manager, ', ''))
  writeFile('other.ts', before)
  writeFile('guide.mdx', before)
  writeFile('unrelated.ts', 'export {}\n')
  expect(run('current', path).output).toBe(`changed ./read.ts

Not looked at:
./guide.mdx: names @data-client/react, and is of a kind that the codemod does not read
./other.ts: names @data-client/react, and was not among the files

Remove these packages when nothing names them any more:
./package.json:3: @data-client/react

The codemod changed 1 line of 1 file. 0 to do by hand, 0 on a legacy entry, 2 files not looked at.
`)
})

describe('an application with a tsconfig.json', () => {
  const declare = (name: string, text: string) => {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    writeFile(`node_modules/${name}/package.json`, '{ "types": "index.d.ts" }')
    writeFile(`node_modules/${name}/index.d.ts`, text)
  }
  const compiler = fileURLToPath(new URL('../../../node_modules/typescript', import.meta.url))

  beforeEach(() => {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(compiler, join(folder, 'node_modules/typescript'))
    writeFile('package.json', '{}')
    writeFile(
      'tsconfig.json',
      '{ "compilerOptions": { "lib": ["es5"], "types": [], "module": "esnext", "moduleResolution": "bundler", "strict": true } }',
    )
    declare('@data-client/react', 'export declare function useSuspense(): { old: string }')
    writeFile(
      'read.ts',
      `import { useSuspense } from '@data-client/react'\nexport const read: string = useSuspense().old\nexport const known: string = 1\n`,
    )
  })

  test('is type-checked before and after', () => {
    declare('@selfsame/core', '')
    declare('@selfsame/react', 'export declare function useSuspense(): { renewed: string }')
    expect(run('current', join(folder, 'read.ts')).output).toBe(`changed ./read.ts

The codemod changed 1 line of 1 file. 0 to do by hand, 0 on a legacy entry, 0 files not looked at.
Types: 1 error before, 2 after.

New ones:
read.ts(2,43): error TS2339: Property 'old' does not exist on type '{ renewed: string; }'.
`)
  })

  test('is type-checked with the projects that it refers to', () => {
    declare('@selfsame/core', '')
    declare('@selfsame/react', 'export declare function useSuspense(): { renewed: string }')
    const options = readFileSync(join(folder, 'tsconfig.json'), 'utf8').slice(0, -1)
    writeFile('tsconfig.json', '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }')
    writeFile('tsconfig.app.json', `${options}, "include": ["*.ts"] }`)
    expect(run('current', join(folder, 'read.ts')).output).toContain('Types: 1 error before, 2 after.\n')
  })

  test('says so if its compiler would find no entry', () => {
    declare('@selfsame/core', '')
    const text = readFileSync(join(folder, 'tsconfig.json'), 'utf8')
    writeFile('tsconfig.json', text.replace('bundler', 'node10'))
    expect(run('current', join(folder, 'read.ts')).output).toContain(
      'Types are not checked: set "moduleResolution": "bundler" in tsconfig.json, and run the compiler afterwards',
    )
    expect(readFileSync(join(folder, 'read.ts'), 'utf8')).toContain('@selfsame/react')
  })

  test('says so if its compiler fails', () => {
    declare('@selfsame/core', '')
    rmSync(join(folder, 'node_modules/typescript'))
    mkdirSync(join(folder, 'node_modules/typescript/bin'), { recursive: true })
    writeFile('node_modules/typescript/bin/tsc', 'process.exit(134)')
    expect(run('current', join(folder, 'read.ts')).output).toContain(
      'Types are not checked: the compiler failed for ',
    )
    expect(readFileSync(join(folder, 'read.ts'), 'utf8')).toContain('@selfsame/react')
  })

  test.each([
    [
      [],
      'Types are not checked: install @selfsame/core and the binding first, and run the compiler afterwards.\n',
    ],
    [['--no-types'], ''],
  ])('is not type-checked without what it needs, or with %j', (argv, line) => {
    const { output } = run('current', ...argv, join(folder, 'read.ts'))
    expect(output.slice(output.indexOf('not looked at.\n') + 'not looked at.\n'.length)).toBe(line)
    expect(readFileSync(join(folder, 'read.ts'), 'utf8')).toContain('@selfsame/react')
  })
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

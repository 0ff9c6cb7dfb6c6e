import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { parseYaml } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tsc } from '../../repository/typescript.mjs'

// The command as users run it: packed, in an empty folder, by npx.

const run = promisify(execFile)
const own = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'openapi-packed-'))
let tarball: string

beforeAll(async () => {
  // What is built stays there when its source is gone.
  rmSync(join(own, 'dist'), { recursive: true, force: true })
  await run(tsc, ['--build', own])
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: own })
  const [{ filename, files } = { filename: '', files: [] }] = JSON.parse(stdout) as {
    filename: string
    files: { path: string }[]
  }[]
  tarball = join(folder, filename)
  expect(
    files.map(({ path }) => path).filter((path) => /test|fixture|golden|(?<!\.d)\.ts$/.test(path)),
  ).toEqual([])
})

afterAll(() => rmSync(folder, { recursive: true }))

test('runs by npx in an empty folder', async () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  for (const name of ['blog.yaml', 'blog.graphql']) cpSync(join(own, 'golden', name), join(empty, name))
  const npx = (...args: readonly string[]) =>
    run('npx', ['--yes', '--prefer-offline', '--package', tarball, 'selfsame-openapi', ...args], {
      cwd: empty,
    })
  const { stdout } = await npx('blog.yaml', '--out', 'src/api')
  expect(stdout).toContain('wrote src/api/articles.ts')
  expect(readdirSync(join(empty, 'src/api')).sort()).toEqual(readdirSync(join(own, 'golden/blog')).sort())
  await npx('blog.yaml', '--out', 'src/api', '--check')
  await npx('blog.graphql', '--out', 'src/graph', '--quiet')
  expect(readFileSync(join(empty, 'src/graph/entities.ts'), 'utf8')).toContain(
    'class Article extends GQLEntity',
  )
})

/** The packed files in a folder without anything of this project: beside them is what their `package.json` names. */
function install(name: string): string {
  const root = join(folder, name)
  const installed = join(root, 'node_modules/@selfsame/openapi')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xf', tarball, '-C', installed, '--strip-components=1'])
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'peerDependencies', object>
  for (const one of Object.keys({ ...dependencies, ...peerDependencies })) {
    mkdirSync(dirname(join(root, 'node_modules', one)), { recursive: true })
    symlinkSync(join(own, '../../node_modules', one), join(root, 'node_modules', one))
  }
  writeFileSync(join(root, 'package.json'), '{ "private": true, "type": "module" }')
  const blog = parseYaml(readFileSync(join(own, 'golden/blog.yaml'), 'utf8'))
  writeFileSync(join(root, 'blog.json'), JSON.stringify(blog))
  return root
}

const uses = `import { readFileSync } from 'node:fs'
import { defineMocks } from '@selfsame/openapi/mocks'
import { toHandlers } from '@selfsame/openapi/msw'
import { setupServer } from 'msw/node'

const description = JSON.parse(readFileSync('blog.json', 'utf8'))
const mocks = defineMocks(description, { count: 4 })
const server = setupServer(...toHandlers(mocks))
server.listen({ onUnhandledRequest: 'error' })
const send = async (method) => (await fetch('https://blog.example.com/api/users', { method })).json()
const users = await send('GET')
server.close()
const own = await (await mocks.fetch('https://blog.example.com/api/users')).json()
const [{ testKey }] = mocks.options.interceptors
console.log(JSON.stringify([users.length, own.length, testKey('GET https://blog.example.com/api/users')]))
`

test('the mocks, and their handlers for Mock Service Worker, run in plain Node', async () => {
  const root = install('plain')
  writeFileSync(join(root, 'uses.js'), uses)
  const { stdout } = await run('node', ['uses.js'], { cwd: root })
  expect(JSON.parse(stdout)).toEqual([4, 4, true])
})

test.each([
  ['bundler', 'esnext'],
  ['nodenext', 'nodenext'],
])('the mocks have types with moduleResolution %s', async (moduleResolution, module) => {
  const root = install(moduleResolution)
  const samples = `import { defineMocks } from '@selfsame/openapi/mocks'
import type { DescriptionMocks, MockSettings } from '@selfsame/openapi/mocks'
import { toHandlers } from '@selfsame/openapi/msw'
import { setupServer } from 'msw/node'

declare const description: object
const settings: MockSettings = { seed: 5, records: { User: [{ id: 1, name: 'Maja' }] } }
const mocks: DescriptionMocks = defineMocks(description, settings)
export const server = setupServer(...toHandlers(mocks))
export const response: Promise<Response> = mocks.fetch('/users')
// @ts-expect-error: a number, so the types are there
defineMocks(description, { count: '3' })
// @ts-expect-error: mocks
toHandlers(description)
`
  writeFileSync(join(root, 'samples.ts'), samples)
  const { stdout } = await run(
    tsc,
    `--noEmit --strict --target es2022 --types --module ${module} --moduleResolution ${moduleResolution} samples.ts`
      .split(' ')
      .flatMap((argument) => (argument === '--types' ? [argument, ''] : [argument])),
    { cwd: root },
  ).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})

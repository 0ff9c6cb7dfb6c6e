import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
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

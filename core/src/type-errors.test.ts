import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// That wrong code does not compile is shown by `*.test-d.ts`. Here is what the compiler says.

const root = fileURLToPath(new URL('../..', import.meta.url))

const head = `
import { Controller, Entity, Query, schema } from '@selfsame/core'
import { Resource } from '@selfsame/core/legacy'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { useInfinite, useQuery, useSuspense } from '@selfsame/react'
class Todo extends Entity {
  id = 0
  title = ''
}
class Misnamed extends Entity {
  id = 0
  todo: Todo | undefined
  static override schema = { tood: Todo }
}
class Old extends Resource {
  id = 0
}
const { get, getList } = createResource({ path: '/todo/:id', schema: Todo })
const plain = new RestEndpoint({ path: '/plain', schema: [Todo] })
const controller = new Controller()
const all = new Query(new schema.All(Todo))
`

/** Wrong lines, and what the message of the compiler names. */
const wrong: readonly (readonly [code: string, message: RegExp])[] = [
  [`useQuery(get, { id: 5 })`, /'ReadTheEndpointByUseCache'/],
  [`useQuery(getList)`, /'ReadTheEndpointByUseCache'/],
  [`useQuery([Todo], {})`, /'ReadItByAnEndpoint'/],
  [`useQuery(new Query([Todo]), {})`, /'ReadItByAnEndpoint'/],
  [`controller.get({ todos: [Todo] }, {})`, /'ReadItByAnEndpoint'/],
  [`useSuspense(all)`, /'Query<.*' but required in type 'ReadEndpoint'/],
  [`useInfinite(plain, undefined, { next: () => undefined })`, /'TheEndpointHasNoPaginationField</],
  [`createResource({ path: '/a/:id', schema: Misnamed })`, /'StaticSchemaNamesUndeclared<"tood">'/],
  [`new RestEndpoint({ path: '/a', schema: [Misnamed] })`, /'StaticSchemaNamesUndeclared<"tood">'/],
  [`controller.set(Todo, { id: 5 }, { titel: 'x' })`, /'titel' does not exist/],
  [`controller.set(Todo, { id: 5 }, { title: 5 })`, /'number' is not assignable to type 'string'/],
]

test('what the compiler says of wrong code names its cause', () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-type-errors-'))
  try {
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        composite: false,
        incremental: false,
        noEmit: true,
        typeRoots: [join(root, 'node_modules/@types')],
        paths: {
          '@selfsame/core': [join(root, 'core/src/index.ts')],
          '@selfsame/core/legacy': [join(root, 'core/src/legacy.ts')],
          '@selfsame/core/rest': [join(root, 'core/src/rest.ts')],
          '@selfsame/react': [join(root, 'bindings/react/src/index.ts')],
        },
      },
      files: ['wrong.ts'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const lines = wrong.map(([code], index) => `export const _${index} = ${code}`)
    writeFileSync(join(folder, 'wrong.ts'), head + lines.join('\n'))
    const report = reportOf(folder)
    const firstLine = head.split('\n').length
    for (const [index, [code, message]] of wrong.entries()) {
      const told = report
        .split(/^(?=\S)/m)
        .filter((each) => each.startsWith(`wrong.ts(${firstLine + index},`))
      expect([code, told.join('')]).toEqual([code, expect.stringMatching(message)])
    }
    expect(report.match(/^wrong\.ts/gm)).toHaveLength(wrong.length)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function reportOf(folder: string): string {
  try {
    execFileSync('node', [join(root, 'node_modules/typescript7/bin/tsc'), '-p', folder], {
      cwd: folder,
      encoding: 'utf8',
    })
    return ''
  } catch (error) {
    return (error as { readonly stdout: string }).stdout
  }
}

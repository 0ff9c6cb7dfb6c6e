import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

// What a resource and a call of each of its members cost the compiler. Time varies, the number of instantiations does not. A project of
// 200 resources takes TypeScript 7 some 1,500 for each, and one with types written by hand 120.

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'selfsame-types-'))

afterAll(() => rmSync(folder, { recursive: true }))

const resource = (name: string, calls: string) => `
import { Controller, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
class ${name} extends Entity {
  id = 0
  title = ''
  done = false
  of${name} = 0
  static override key = '${name}'
}
const resource = createResource({ path: '/group/:group/${name}/:id', schema: ${name} })
const controller = new Controller()
export async function use(id: number) {
  ${calls}
}`

/** Counts the instantiations of types in a program of so many resources. */
function countOf(resources: number, calls: string): number {
  const names = Array.from({ length: resources }, (_, index) => `Item${index}`)
  for (const name of names) writeFileSync(join(folder, `${name}.ts`), resource(name, calls))
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      composite: false,
      incremental: false,
      noEmit: true,
      paths: {
        '@selfsame/core': [join(root, 'core/src/index.ts')],
        '@selfsame/core/rest': [join(root, 'core/src/rest.ts')],
      },
    },
    files: names.map((name) => `${name}.ts`),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(root, 'node_modules/typescript7/bin/tsc')
  // One thread, because several of them check types that they share once each.
  const args = [compiler, '-p', folder, '--extendedDiagnostics', '--singleThreaded']
  const report = execFileSync('node', args, { encoding: 'utf8' })
  return Number(/Instantiations: +(\d+)/.exec(report)?.[1])
}

test.each([
  ['a resource', '', 82],
  ['a call of get', `return controller.fetch(resource.get, { group: 'a', id })`, 325],
  ['a call of getList', `return controller.fetch(resource.getList, { group: 'a' })`, 490],
  ['a call of create', `return controller.fetch(resource.create, { group: 'a' }, { title: '' })`, 600],
])('%s takes the compiler few instantiations', (_title, calls, budget) => {
  const each = (countOf(30, calls) - countOf(10, calls)) / 20
  expect(each).toBeGreaterThan(10)
  expect(each).toBeLessThan(budget)
})

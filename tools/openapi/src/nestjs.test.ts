import { expect, test } from 'vitest'
import { generateFiles, textOf } from './testing-generate.js'
import { describeByNestjs } from './testing-nestjs.js'

test('what NestJS describes is written as by hand', async () => {
  const { files } = await generateFiles(await describeByNestjs())
  const code = textOf(files, 'cats.ts')
  expect(code).toContain(`export class Cat extends Entity {
  /** What it is called. */
  name = ''
  breed: 'siamese' | 'tabby' | undefined
  id = 0
  owner: Owner | null = null
  bornAt = new Date(0)

  static override key = 'Cat'
  static override schema = { owner: Owner, bornAt: Date }
}`)
  expect([...code.matchAll(/^ {2}(\w+): cats\./gm)].map(([, name]) => name)).toEqual([
    'getList',
    'get',
    'create',
    'delete',
  ])
})

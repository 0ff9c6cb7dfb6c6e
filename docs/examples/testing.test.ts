import { readFileSync } from 'node:fs'
import { TestClock, createMockController } from '@selfsame/core/testing'
import { expect, test } from 'vitest'
import { Todo, todoResource, todoServer } from './todo-mocks.js'

test('a server in memory answers reads and mutations', async () => {
  const controller = createMockController(todoServer)
  await controller.fetch(todoResource.getList)
  const created = await controller.fetch(todoResource.create, {
    title: 'Run them',
  })
  expect(controller.read(todoResource.getList).data).toContain(created)
  expect(await controller.fetch(todoResource.getList)).toHaveLength(2)
  expect(controller.requestsOf(todoResource.create)).toHaveLength(1)
})

test('time passes when the test says so', async () => {
  const clock = new TestClock()
  const controller = createMockController({
    clock,
    fixtures: [
      {
        endpoint: todoResource.get,
        args: [{ id: 5 }],
        response: { id: 5, title: 'Old' },
        isCached: true,
      },
    ],
  })
  expect(controller.get(Todo, { id: 5 })?.title).toBe('Old')
  clock.advance(60_000)
  expect(controller.read(todoResource.get, { id: 5 }).status).toBe('Stale')
})

test('the guide shows this very code', () => {
  const read = (path: string) =>
    readFileSync(new URL(path, import.meta.url), 'utf8')
  const guide = read('../testing.md')
  expect(guide).toContain(read('./todo-mocks.ts').trim())
  expect(guide).toContain(read('./todo-hook.test.tsx').trim())
})

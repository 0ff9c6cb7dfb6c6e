import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity, schema } from '../index.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

declare const gc: () => void

/** Lets what is no longer reachable be collected: finalization needs a task of its own. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 0))
    gc()
  }
}

test('what no reader shows and no result holds is released; what is shown is kept (G6)', async () => {
  let now = 0
  let timers: (() => void)[] = []
  const controller = new Controller({
    keepLength: 1000,
    clock: {
      now: () => now,
      setTimeout: (callback) => timers.push(callback),
      clearTimeout: () => {
        timers = []
      },
    },
  })
  const pass = () => {
    now += 1001
    for (const callback of timers.splice(0)) callback()
  }
  const list = new Endpoint(
    ({ page }: { page: number }) => Promise.resolve([{ id: page, title: `${page}` }, { id: page + 1000 }]),
    { name: 'list', schema: new schema.Collection([Todo]) },
  )
  let end: (() => void) | undefined = controller.subscribe(list, { page: 1 }, () => {})
  const shown = new WeakRef((await controller.fetch(list, { page: 1 }))[0] as Todo)
  const left: WeakRef<Todo>[] = []
  for (let page = 2; page < 100; page++)
    left.push(new WeakRef((await controller.fetch(list, { page }))[0] as Todo))
  for (let round = 0; round < 3; round++) pass()
  await collectGarbage()
  expect(left.filter((reference) => reference.deref() !== undefined)).toEqual([])
  expect(shown.deref()?.title).toBe('1')
  end()
  end = undefined
  for (let round = 0; round < 3; round++) pass()
  await collectGarbage()
  expect(shown.deref()).toBe(undefined)
})

test('a list of a million is stored and read', { timeout: 60_000 }, async () => {
  const size = 1_000_000
  const list = new Endpoint(() => Promise.resolve(Array.from({ length: size }, (_, id) => ({ id }))), {
    name: 'million',
    schema: [Todo],
  })
  const controller = new Controller()
  const todos = await controller.fetch(list)
  expect([todos.length, todos[size - 1]?.id]).toEqual([size, size - 1])
  controller.set(Todo, { id: 5 }, { title: 'changed' })
  expect(controller.read(list).data?.[5]?.title).toBe('changed')
})

import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity } from '../index.js'
import { heldAfter } from '../store/testing-memory.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

declare const gc: (options?: { type: 'minor' }) => void

const getList = new Endpoint(() => Promise.resolve([] as Todo[]), { name: 'getList', schema: [Todo] })

const neverAnswered = new Endpoint(() => new Promise<Todo[]>(() => {}), {
  name: 'neverAnswered',
  schema: [Todo],
})

/** Fills Controllers one by one, as a server does for its requests, and drops them. */
function useControllers(count: number): void {
  for (let made = 0; made < count; made++) {
    const controller = new Controller()
    controller.setResponse(
      getList,
      Array.from({ length: 200 }, (_, id) => ({ id, title: `todo ${id} of ${made}` })),
    )
    controller.read(getList)
    controller.dispose()
  }
}

test('Controllers that are given up are freed with what is young, before all of memory is looked through', () => {
  useControllers(20)
  gc()
  const { heapUsed: before } = process.memoryUsage()
  for (let round = 0; round < 10; round++) {
    useControllers(20)
    gc({ type: 'minor' })
  }
  const { heapUsed: after } = process.memoryUsage()
  // Together they held some 20 MB. The last round may still be in use.
  expect(after - before).toBeLessThan(5_000_000)
})

test.each([
  ['read', (controller: Controller) => controller],
  [
    'beside a request',
    (controller: Controller) => {
      void controller.fetch(neverAnswered).catch(() => {})
      return controller
    },
  ],
])('lists that were shown before a write are freed with what is young: %s', (_name, begin) => {
  const controller = begin(new Controller())
  const todos = Array.from({ length: 2000 }, (_, id) => ({ id, title: `todo ${id}` }))
  controller.setResponse(getList, todos)
  controller.subscribe(getList, () => controller.read(getList))
  controller.read(getList)
  let written = 0
  const write = (count: number) => {
    for (let id = 0; id < count; id++) controller.set(Todo, { id }, { id, title: `${++written}` })
  }
  const held = heldAfter(write)
  controller.dispose()
  // Each of 1,000 lists has 16 kB.
  expect(held).toBeLessThan(5_000_000)
})

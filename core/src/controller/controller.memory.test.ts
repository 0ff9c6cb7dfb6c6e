import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity } from '../index.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

declare const gc: (options?: { type: 'minor' }) => void

const getList = new Endpoint(() => Promise.resolve([] as Todo[]), { name: 'getList', schema: [Todo] })

/** Fills Controllers one after the other, as a server does for its requests, and forgets them. */
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
  // They held some 20 MB; the last round of them may have been in use.
  expect(after - before).toBeLessThan(5_000_000)
})

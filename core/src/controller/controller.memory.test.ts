import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity } from '../index.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

declare const gc: (options?: { type: 'minor' }) => void

const getList = new Endpoint(() => Promise.resolve([] as Todo[]), { name: 'getList', schema: [Todo] })

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

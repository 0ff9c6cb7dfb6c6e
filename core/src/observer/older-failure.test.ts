import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { Observer } from '../bindings.js'
import { optimistic } from '../optimistic/optimistic.js'

class Todo extends Entity {
  id = 0
  title = ''
}

const macrotask = () => new Promise((resolve) => setTimeout(resolve, 0))

test('a reader asks once more when the request fails that it waited for after a newer answer gave way to a deletion', async () => {
  const requests: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = []
  const pending = () =>
    new Promise<unknown>((resolve, reject) => {
      requests.push({ resolve, reject })
    })
  const get = new Endpoint((_params: { id: number }) => pending(), { name: 'get', schema: Todo })
  const remove = new Endpoint((_params: { id: number }) => pending(), {
    name: 'remove',
    schema: new schema.Delete(Todo),
    sideEffect: true,
    getOptimisticResponse: optimistic((_, params: { id: number }) => params),
  })
  const controller = new Controller()
  const observer = new Observer(controller, get, [{ id: 1 }])
  observer.load()
  observer.subscribe(() => void observer.load())
  observer.retain()
  controller.expireAll(get)
  const newer = controller.fetch(get, { id: 1 })
  const removed = controller.fetch(remove, { id: 1 })
  expect(requests).toHaveLength(3)
  const [first, second, third] = requests
  second!.resolve({ id: 1, title: 'a' })
  await newer
  third!.resolve({})
  await removed
  await macrotask()
  expect(requests).toHaveLength(3)
  first!.reject(new Error('older'))
  await macrotask()
  expect(requests).toHaveLength(4)
  expect(controller.read(get, { id: 1 })).toMatchObject({ error: undefined, fetching: true })
  controller.dispose()
})

import { expect, test, vi } from 'vitest'
import { callsOf } from '../controller/calls-of.js'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { Observer } from '../observer/observer.js'
import { createResource } from '../rest/resource.js'
import { Entity } from '../schema/entity.js'
import { optimistic } from './optimistic.js'

class Todo extends Entity {
  id = 0
  title = ''
}

const get = new Endpoint(async ({ id }: { id: number }) => ({ id, title: 'read' }), {
  name: 'getTodo',
  schema: Todo,
})

test('what was not made by optimistic is refused', () => {
  const options = { name: 'save', sideEffect: true, schema: Todo } as const
  expect(
    () => new Endpoint(async () => ({}), { ...options, getOptimisticResponse: (() => ({})) as never }),
  ).toThrow('The option `getOptimisticResponse` of save is a function, which was not made by `optimistic`')
  expect(() => createResource({ path: '/todo/:id', schema: Todo, optimistic: true as never })).toThrow(
    'The option `optimistic` of Todo is a boolean, which was not made by `optimistic`',
  )
})

test('a Controller shows mutations early from the first that brings what it takes', async () => {
  const controller = new Controller()
  const observer = new Observer(controller, get, [{ id: 1 }])
  await observer.load()
  expect(callsOf(controller).store.layers).toBe(undefined)
  const tell = vi.fn()
  const end = observer.subscribe(tell)
  // Defined here, like in a route that is loaded lazily.
  const save = new Endpoint(async ({ id }: { id: number }) => ({ id, title: 'saved' }), {
    name: 'save',
    sideEffect: true,
    schema: Todo,
    getOptimisticResponse: optimistic((_snapshot, { id }) => ({ id, title: 'early' })),
  })
  const saving = controller.fetch(save, { id: 1 })
  expect(observer.getSnapshot()).toMatchObject({ data: { title: 'early' } })
  await saving
  expect(observer.getSnapshot()).toMatchObject({ data: { title: 'saved' } })
  expect(tell).toHaveBeenCalledTimes(2)
  end()
})

test('an expectation that is a function finds its endpoint as this', async () => {
  const save = new Endpoint(async () => ({ id: 1, title: 'saved' }), {
    name: 'save',
    sideEffect: true,
    schema: Todo,
    getOptimisticResponse: optimistic(function (this: unknown) {
      return { id: 1, title: (this as { name: string }).name }
    }),
  })
  const controller = new Controller()
  const saving = controller.fetch(save)
  expect(controller.get(Todo, { id: 1 })?.title).toBe('save')
  await saving
})

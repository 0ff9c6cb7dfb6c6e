import type { CacheableEndpoint } from '../endpoint/endpoint.js'
import { callsOf } from './calls.js'
import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint, Query, schema } from '../index.js'
import { RestEndpoint } from '../rest.js'
import { Entity } from '../schema/entity.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const getTodo = new Endpoint(({ id }: { id: number | string }) => Promise.resolve({ id }), {
  name: 'getTodo',
  schema: Todo,
})

/** Looks a call up as often as it takes to be remembered, and then to be found. */
function lookUp(controller: Controller, endpoint: CacheableEndpoint, args: readonly unknown[]) {
  const calls = callsOf(controller)
  calls.call(endpoint, args)
  calls.call(endpoint, args)
  return calls.call(endpoint, args)
}

describe('the row of a call', () => {
  test('is found again without its key, also by arguments that were made anew', () => {
    const controller = new Controller()
    const key = vi.spyOn(Endpoint.prototype, 'key')
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const first = controller.read(getTodo, { id: 1 }).data
    expect(controller.read(getTodo, { id: 1 }).data).toBe(first)
    // A call that is made once is not remembered.
    expect(key).toHaveBeenCalledTimes(2)
    expect(controller.read(getTodo, { id: 1 }).data).toBe(first)
    expect(controller.read(getTodo, { id: 1 }).data).toBe(first)
    expect(key).toHaveBeenCalledTimes(2)
    key.mockRestore()
  })

  test('is that of what the arguments hold now', () => {
    const controller = new Controller()
    controller.set(Todo, { id: 1 }, { title: 'a' })
    controller.set(Todo, { id: 2 }, { title: 'b' })
    const args = { id: 1 }
    for (const id of [1, 2]) lookUp(controller, getTodo, [{ id }])
    expect(controller.read(getTodo, args).data?.title).toBe('a')
    args.id = 2
    expect(controller.read(getTodo, args).data?.title).toBe('b')
    args.id = 1
    expect(controller.read(getTodo, args).data?.title).toBe('a')
  })

  test.each([
    ['numbers and their texts', [{ id: 1 }], [{ id: '1' }], true],
    ['properties in another order', [{ a: 1, b: 2 }], [{ b: 2, a: 1 }], true],
    ['undefined properties', [{ a: 1, b: undefined }], [{ a: 1 }], true],
    ['values in place of names', [{ a: 'b' }], [{ b: 'a' }], false],
    ['one property and two', [{ a: 1, b: 2 }], [{ a: 1 }], false],
    ['a value and an object of it', ['a'], [{ a: 'a' }], false],
    ['no arguments and an empty object', [], [{}], false],
    ['nested values', [{ a: { b: 1 } }], [{ a: { b: 2 } }], false],
    ['dates', [{ at: new Date(1) }], [{ at: new Date(2) }], false],
    ['further arguments', [{ a: 1 }, 1], [{ a: 1 }, 2], false],
    ['hostile names', [JSON.parse('{"__proto__":1}')], [{}], false],
  ])('%s: %j and %j', (_, a, b, isSame) => {
    const controller = new Controller()
    const list = new Endpoint((..._args: unknown[]) => Promise.resolve([]), { name: 'list', schema: [Todo] })
    for (let time = 0; time < 3; time++) {
      expect(lookUp(controller, list, a) === lookUp(controller, list, b)).toBe(isSame)
      expect(lookUp(controller, list, a).key).toBe(list.key(...a))
      expect(lookUp(controller, list, b).key).toBe(list.key(...b))
    }
  })

  test('follows a key of the endpoint’s own, whatever that looks at', () => {
    const controller = new Controller()
    let language = 'en'
    const own = getTodo.extend({ key: ({ id }: { id: number | string }) => `${language} ${id}` })
    expect(lookUp(controller, own, [{ id: 1 }]).key).toBe('en 1')
    language = 'de'
    expect(lookUp(controller, own, [{ id: 1 }]).key).toBe('de 1')
  })

  test('follows a prefix, and an address of the endpoint’s own', () => {
    const controller = new Controller()
    const base = { url: 'https://a.example' }
    const prefixed = new RestEndpoint({ path: '/todo/:id' })
    Object.defineProperty(prefixed, 'urlPrefix', { get: () => base.url })
    expect(lookUp(controller, prefixed, [{ id: 1 }]).key).toBe('GET https://a.example/todo/1')
    base.url = 'https://b.example'
    expect(lookUp(controller, prefixed, [{ id: 1 }]).key).toBe('GET https://b.example/todo/1')
    class Tenant extends RestEndpoint {
      override url() {
        return base.url
      }
    }
    const tenant = new Tenant({ path: '/todo' })
    expect(lookUp(controller, tenant, []).key).toBe('GET https://b.example')
    base.url = 'https://c.example'
    expect(lookUp(controller, tenant, []).key).toBe('GET https://c.example')
  })

  test('is made anew after it was collected', () => {
    const controller = new Controller()
    controller.set(Todo, { id: 1 }, { title: 'a' })
    const open = new Query(new schema.All(Todo), (todos, { title }: { title: string }) =>
      todos.filter((todo) => todo.title === title),
    )
    const row = lookUp(controller, open, [{ title: 'a' }])
    row.transition({ type: 'collected' })
    callsOf(controller).store.results.delete(row.key)
    const next = lookUp(controller, open, [{ title: 'a' }])
    expect(next).not.toBe(row)
    expect(lookUp(controller, open, [{ title: 'a' }])).toBe(next)
  })
})

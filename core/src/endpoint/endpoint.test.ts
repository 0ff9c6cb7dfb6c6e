import { describe, expect, test, vi } from 'vitest'
import { Entity } from '../schema/entity.js'
import { Endpoint } from './endpoint.js'

class Todo extends Entity {
  id = 0
  static override key = 'Todo'
}

const getTodo = ({ id }: { id: number }) => Promise.resolve({ id })

describe('an endpoint', () => {
  test('is called like its fetch function, without any store', async () => {
    const fetchTodo = vi.fn((id: number, name: string) => Promise.resolve({ id, name }))
    const endpoint = new Endpoint(fetchTodo)
    await expect(endpoint(5, 'x')).resolves.toEqual({ id: 5, name: 'x' })
    expect(fetchTodo).toHaveBeenCalledExactlyOnceWith(5, 'x')
  })

  test('has call, apply and bind, as a function has', async () => {
    const endpoint = new Endpoint((a: number, b: number) => Promise.resolve(a + b))
    const { call, apply } = Function.prototype
    expect([endpoint.call, endpoint.apply]).toEqual([call, apply])
    await expect(Reflect.apply(endpoint, undefined, [1, 2])).resolves.toBe(3)
    const add = endpoint.bind(undefined, 1)
    await expect(add(2)).resolves.toBe(3)
    expect(endpoint).toBeInstanceOf(Function)
  })

  test('is a function and an instance of its class', () => {
    class Custom extends Endpoint<typeof getTodo> {}
    const endpoint = new Custom(getTodo)
    expect(typeof endpoint).toBe('function')
    expect(endpoint).toBeInstanceOf(Custom)
    expect(endpoint).toBeInstanceOf(Endpoint)
  })

  test('has its options as members', () => {
    const options = {
      name: 'todo',
      schema: Todo,
      sideEffect: true,
      dataExpiryLength: 5,
      errorExpiryLength: 6,
      errorPolicy: () => 'soft' as const,
      invalidIfStale: true,
      policy: 'network-first',
    } as const
    const endpoint = new Endpoint(getTodo, options)
    for (const [name, value] of Object.entries(options)) expect(Reflect.get(endpoint, name)).toBe(value)
  })

  test('is called what its fetch function is called, unless an option says otherwise', () => {
    expect(new Endpoint(getTodo).name).toBe('getTodo')
    expect(new Endpoint(getTodo, { name: 'todo' }).name).toBe('todo')
    expect(new Endpoint(getTodo, { name: undefined }).name).toBe('getTodo')
    expect(
      new Endpoint(
        (
          () => () =>
            Promise.resolve(1)
        )(),
      ).name,
    ).toBe('Endpoint')
  })

  test('lets a subclass replace its fetch', async () => {
    class Doubled extends Endpoint<(id: number) => Promise<number>> {
      override readonly fetch = async (id: number) => Promise.resolve(id * 2)
    }
    await expect(new Doubled((id) => Promise.resolve(id))(4)).resolves.toBe(8)
  })

  test('passes on what its fetch function throws', async () => {
    const error = new Error('no')
    await expect(new Endpoint(() => Promise.reject(error))()).rejects.toBe(error)
    const throwing = new Endpoint((): Promise<never> => {
      throw error
    })
    expect(() => throwing()).toThrow(error)
  })
})

describe('key (S20)', () => {
  const endpoint = new Endpoint((..._args: unknown[]) => Promise.resolve(1), { name: 'list' })

  test('is the name and the args', () => {
    expect(endpoint.key({ id: 5 }, 'x')).toBe('list [{"id":"5"},"x"]')
    expect(endpoint.key()).toBe('list []')
  })

  test.each([
    ['a number and its text', [{ id: 1 }], [{ id: '1' }]],
    ['properties in another order', [{ a: 1, b: 2 }], [{ b: 2, a: 1 }]],
    ['nested properties in another order', [{ q: { a: 1, b: 2 } }], [{ q: { b: 2, a: 1 } }]],
    ['undefined properties', [{ a: 1, b: undefined }], [{ a: 1 }]],
    ['a last argument that is undefined', [{ a: 1 }, undefined], [{ a: 1 }]],
    ['only an undefined argument', [undefined], []],
    ['dates of one time', [new Date(5)], [new Date(5)]],
    ['addresses of one text', [new URL('http://a/b')], [new URL('http://a/b')]],
    ['objects with and without prototype', [Object.assign(Object.create(null), { a: 1 })], [{ a: 1 }]],
  ])('is equal for %s', (_, a, b) => {
    expect(endpoint.key(...a)).toBe(endpoint.key(...b))
  })

  test.each([
    ['other values', [{ id: 1 }], [{ id: 2 }]],
    ['other names', [{ a: 1 }], [{ b: 1 }]],
    ['null and its text', [{ a: null }], [{ a: 'null' }]],
    ['null and nothing', [{ a: null }], [{}]],
    ['true and its text', [true], ['true']],
    ['a list and its members', [['a', 'b']], ['a', 'b']],
    ['lists in another order', [['a', 'b']], [['b', 'a']]],
    ['text with quotes', ['a","b'], ['a', 'b']],
    ['an undefined argument before another', [undefined, 1], [1]],
    ['dates', [new Date(5)], [new Date(6)]],
    ['addresses', [new URL('http://a/b')], [new URL('http://a/c')]],
    ['maps', [new Map([['a', 1]])], [new Map([['a', 2]])]],
    ['sets', [new Set(['a'])], [new Set(['b'])]],
  ])('differs for %s', (_, a, b) => {
    expect(endpoint.key(...a)).not.toBe(endpoint.key(...b))
  })

  test('is what an option says', () => {
    const own = new Endpoint(getTodo, { name: 'todo', key: ({ id }) => `todo ${id}` })
    expect(own.key({ id: 5 })).toBe('todo 5')
    expect(own.extend({ schema: Todo }).key({ id: 5 })).toBe('todo 5')
  })
})

describe('a key without a name', () => {
  test('is of one Endpoint alone, whatever its function is called', () => {
    const [a, b] = [new Endpoint(getTodo), new Endpoint(getTodo)]
    expect(a.key({ id: 5 })).toMatch(/^\(unnamed \d+\) getTodo \[\{"id":"5"\}\]$/)
    expect(a.key({ id: 5 })).toBe(a.key({ id: 5 }))
    expect(a.key({ id: 5 })).not.toBe(b.key({ id: 5 }))
    expect(a.testKey(a.key({ id: 6 }))).toBe(true)
    expect(a.testKey(b.key({ id: 6 }))).toBe(false)
    const anonymous = [0, 1].map(
      () =>
        new Endpoint(
          (
            () => () =>
              Promise.resolve(1)
          )(),
        ),
    )
    expect(anonymous[0]?.key()).not.toBe(anonymous[1]?.key())
  })

  test('is kept by extend, as long as it asks for the same', () => {
    const endpoint = new Endpoint(getTodo)
    expect(endpoint.extend({ schema: Todo }).key({ id: 5 })).toBe(endpoint.key({ id: 5 }))
    expect(
      endpoint.extend({ fetch: ({ id }: { id: number }) => Promise.resolve(id) }).key({ id: 5 }),
    ).not.toBe(endpoint.key({ id: 5 }))
    expect(endpoint.extend({ name: 'todo' }).key({ id: 5 })).toBe('todo [{"id":"5"}]')
  })

  test('is not needed where a class names it', () => {
    class Named extends Endpoint<typeof getTodo> {
      override readonly name = 'todo'
    }
    expect(new Named(getTodo).key({ id: 5 })).toBe('todo [{"id":"5"}]')
  })
})

describe('arguments whose content cannot be told', () => {
  const endpoint = new Endpoint((..._args: unknown[]) => Promise.resolve(1), { name: 'list' })

  test.each([
    ['[0]', [new Blob(['a'])], 'an object of the class Blob'],
    ['[1].since[0]', [{}, { since: [new Date(Number.NaN)] }], 'an invalid Date'],
    ['[0].each', [{ each: () => 1 }], 'a function'],
  ])('are refused for a read, naming %s', (place, args, found) => {
    expect(() => endpoint.key(...args)).toThrow(
      expect.objectContaining({
        code: 'argument-invalid',
        message: expect.stringContaining(`list cannot be read with argument ${place}: it contains ${found},`),
      }),
    )
  })

  test('are taken by a mutation', () => {
    const body = new FormData()
    body.append('file', new Blob(['a']))
    expect(endpoint.extend({ sideEffect: true }).key(body)).toContain('list [')
    expect(endpoint.extend({ key: () => 'own' }).key(body)).toBe('own')
  })
})

describe('one name for two functions', () => {
  const one = () => Promise.resolve('one')
  const two = () => Promise.resolve('two')

  test('is reported once, when both are used', () => {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const [a, b] = [new Endpoint(one, { name: 'shared' }), new Endpoint(two, { name: 'shared' })]
    b.key()
    expect(said).not.toHaveBeenCalled()
    a.key()
    a.key()
    expect(said.mock.calls).toEqual([
      [
        '[selfsame] Two Endpoints with different functions have the name "shared", so they read each other\'s data. Set a different `name` for each.',
      ],
    ])
    said.mockRestore()
  })

  test('is not reported where the later one replaces the other, as after a hot reload', () => {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const a = new Endpoint(one, { name: 'reloaded' })
    a.key()
    new Endpoint(two, { name: 'reloaded' }).key()
    const [c, d] = [0, 1].map(() => new Endpoint(() => Promise.resolve(3), { name: 'reloaded' }))
    d?.key()
    c?.key()
    c?.extend({ schema: Todo }).key()
    expect(said).not.toHaveBeenCalled()
    said.mockRestore()
  })
})

describe('extend', () => {
  const endpoint = new Endpoint(getTodo, { name: 'todo', dataExpiryLength: 5 })

  test('keeps what is not named, and leaves the original as it is', async () => {
    const derived = endpoint.extend({ schema: Todo, sideEffect: true })
    expect(derived).not.toBe(endpoint)
    expect([derived.name, derived.schema, derived.sideEffect, derived.dataExpiryLength]).toEqual([
      'todo',
      Todo,
      true,
      5,
    ])
    expect([endpoint.schema, endpoint.sideEffect]).toEqual([undefined, undefined])
    await expect(derived({ id: 3 })).resolves.toEqual({ id: 3 })
  })

  test('replaces the fetch function', async () => {
    const derived = endpoint.extend({ fetch: (id: string) => Promise.resolve(`#${id}`) })
    await expect(derived('a')).resolves.toBe('#a')
    expect(derived.name).toBe('todo')
  })

  test('keeps the class', () => {
    class Custom extends Endpoint<typeof getTodo> {
      extra() {
        return `extra ${this.name}`
      }
    }
    const derived = new Custom(getTodo, { name: 'todo' }).extend({ sideEffect: true })
    expect(derived).toBeInstanceOf(Custom)
    expect((derived as unknown as Custom).extra()).toBe('extra todo')
  })

  test('takes an option away by undefined', () => {
    const derived = endpoint
      .extend({ schema: Todo })
      .extend({ schema: undefined, dataExpiryLength: undefined })
    expect([derived.schema, derived.dataExpiryLength]).toEqual([undefined, undefined])
  })
})

describe('sharesRequestWith', () => {
  test('is true where the fetch function is the same', () => {
    const endpoint = new Endpoint(getTodo)
    expect(endpoint.sharesRequestWith(endpoint.extend({ schema: Todo }))).toBe(true)
    expect(endpoint.sharesRequestWith(endpoint.extend({ fetch: () => getTodo({ id: 1 }) }))).toBe(false)
    expect(endpoint.sharesRequestWith(Object.assign(() => Promise.resolve(), { key: () => '' }))).toBe(false)
  })
})

describe('a definition (F15)', () => {
  test.each(['dataExpiryLength', 'errorExpiryLength'])(
    'refuses a %s that is no length, naming itself',
    (option) => {
      for (const length of [-1, -Infinity, Number.NaN, '5', null]) {
        expect(() => new Endpoint(getTodo, { [option]: length })).toThrow(
          expect.objectContaining({
            code: 'definition-invalid',
            message: `getTodo has ${option} ${length}.\n  Use a number of milliseconds from 0 to Infinity.`,
          }),
        )
      }
      for (const length of [0, 5, Infinity, undefined]) {
        expect(() => new Endpoint(getTodo, { [option]: length })).not.toThrow()
      }
      expect(() => new Endpoint(getTodo).extend({ [option]: -1 })).toThrow('getTodo has')
    },
  )
})

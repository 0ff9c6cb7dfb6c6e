import { describe, expectTypeOf, test } from 'vitest'
import { Entity } from '../schema/entity.js'
import { Endpoint } from './endpoint.js'
import type {
  ArgsOf,
  CacheableEndpoint,
  DataForArgs,
  DataOf,
  EndpointLike,
  NullableArgs,
  PromiseForArgs,
  ReadEndpoint,
} from './endpoint.js'
import { RestEndpoint } from '../rest/rest-endpoint.js'
import { createResource } from '../rest/resource.js'
import { optimistic } from '../optimistic/optimistic.js'

class Todo extends Entity {
  id = 0
  title = ''
}

/** Type-checks a function without running it. */
declare function check(act: () => unknown): void

const plain = new Endpoint(async (id: number, locale?: string) => ({ id, locale }))
const getTodo = new Endpoint(async ({ id }: { id: number }) => ({ id }), { schema: Todo, name: 'todo' })
const save = new Endpoint(async (_id: number, _body: { title: string }) => true, { sideEffect: true })

describe('an endpoint', () => {
  test('is called like its fetch function', () => {
    expectTypeOf(plain).parameters.toEqualTypeOf<[id: number, locale?: string | undefined]>()
    expectTypeOf(plain(5)).resolves.toEqualTypeOf<{ id: number; locale: string | undefined }>()
    expectTypeOf(plain.key).parameters.toEqualTypeOf<[id: number, locale?: string | undefined]>()
    expectTypeOf(plain.key(5)).toEqualTypeOf<string>()
    check(() => [
      // @ts-expect-error an argument is required
      plain(),
      // @ts-expect-error the argument is a number
      plain('5'),
      // @ts-expect-error there is no third argument
      plain(5, 'de', 1),
      // @ts-expect-error the key takes the same arguments
      plain.key('5'),
      // @ts-expect-error only hooks take null
      plain(null),
      // @ts-expect-error a fetch function gives a promise
      new Endpoint((id: number) => id),
    ])
  })

  test('has the types of its options', () => {
    expectTypeOf(getTodo.schema).toEqualTypeOf<typeof Todo>()
    expectTypeOf(getTodo.sideEffect).toEqualTypeOf<undefined>()
    expectTypeOf(plain.schema).toEqualTypeOf<undefined>()
    expectTypeOf(save.sideEffect).toEqualTypeOf<true>()
    expectTypeOf(getTodo.name).toEqualTypeOf<string>()
    check(() => [
      // @ts-expect-error a length is a number
      new Endpoint(plain.fetch, { dataExpiryLength: '5' }),
      // @ts-expect-error a policy is one of three
      new Endpoint(plain.fetch, { policy: 'never' }),
      // @ts-expect-error a number is no schema
      new Endpoint(plain.fetch, { schema: 5 }),
      // @ts-expect-error `key` receives the arguments of the call
      new Endpoint(plain.fetch, { key: ({ id }: { id: number }) => `${id}` }),
      // @ts-expect-error members are read-only
      (getTodo.schema = Todo),
    ])
  })

  test('passes the types of the call to key', () => {
    const own = new Endpoint(async ({ id }: { id: number }) => id, {
      key: ({ id }) => {
        expectTypeOf(id).toEqualTypeOf<number>()
        return `${id}`
      },
    })
    expectTypeOf(own({ id: 5 })).resolves.toEqualTypeOf<number>()
  })
})

describe('extend', () => {
  test('keeps the call, and replaces what it names', () => {
    const derived = plain.extend({ schema: [Todo], sideEffect: true })
    expectTypeOf(derived).parameters.toEqualTypeOf<[id: number, locale?: string | undefined]>()
    expectTypeOf(derived.sideEffect).toEqualTypeOf<true>()
    expectTypeOf<DataOf<typeof derived>>().toEqualTypeOf<Todo[]>()
    const again = derived.extend({ schema: { todo: Todo, next: '' }, dataExpiryLength: 5 })
    expectTypeOf<DataOf<typeof again>>().toEqualTypeOf<{ todo: Todo; next: string }>()
    expectTypeOf(again.sideEffect).toEqualTypeOf<true>()
    const without = again.extend({ schema: undefined })
    expectTypeOf(without.schema).toEqualTypeOf<undefined>()
    check(() => [
      // @ts-expect-error a length is a number
      plain.extend({ errorExpiryLength: 'x' }),
      // @ts-expect-error the call is the same
      derived('5'),
    ])
  })

  test('replaces the fetch function', () => {
    const derived = getTodo.extend({ fetch: async (slug: string) => ({ slug }) })
    expectTypeOf(derived).parameters.toEqualTypeOf<[slug: string]>()
    expectTypeOf<DataOf<typeof derived>>().toEqualTypeOf<Todo>()
    check(() => [
      // @ts-expect-error the arguments are those of the new function
      derived({ id: 5 }),
      // @ts-expect-error a fetch function gives a promise
      getTodo.extend({ fetch: () => 5 }),
    ])
  })
})

describe('ArgsOf', () => {
  test('has the arguments of the call, or of the key', () => {
    expectTypeOf<ArgsOf<typeof getTodo>>().toEqualTypeOf<[{ id: number }]>()
    expectTypeOf<ArgsOf<{ readonly key: (id: number) => string }>>().toEqualTypeOf<[id: number]>()
    expectTypeOf<ArgsOf<5>>().toEqualTypeOf<never>()
  })
})

describe('DataOf', () => {
  test('is the data of the schema, else what the call gives', () => {
    expectTypeOf<DataOf<typeof getTodo>>().toEqualTypeOf<Todo>()
    expectTypeOf<DataOf<typeof plain>>().toEqualTypeOf<{ id: number; locale: string | undefined }>()
    expectTypeOf<DataOf<{ readonly key: () => string }>>().toBeUnknown()
    expectTypeOf<
      DataOf<{ readonly key: () => string; readonly schema: readonly [typeof Todo] }>
    >().toEqualTypeOf<Todo[]>()
  })
})

describe('ReadEndpoint', () => {
  test('is any endpoint that does not say that it has a side effect', () => {
    expectTypeOf(getTodo).toExtend<ReadEndpoint>()
    expectTypeOf(plain).toExtend<ReadEndpoint>()
    expectTypeOf(save).not.toExtend<ReadEndpoint>()
    expectTypeOf(save.extend({ sideEffect: false })).toExtend<ReadEndpoint>()
    expectTypeOf(save).toExtend<EndpointLike>()
    expectTypeOf(save).toExtend<CacheableEndpoint>()
    expectTypeOf<{ readonly key: () => string }>().toExtend<CacheableEndpoint>()
    expectTypeOf<{ readonly key: () => string }>().not.toExtend<EndpointLike>()
  })
})

describe('null args', () => {
  type Takes<Args extends readonly unknown[], Given extends readonly unknown[]> =
    Given extends NullableArgs<Args> ? true : false

  test('are taken in the first place', () => {
    expectTypeOf<Takes<[number], [null]>>().toEqualTypeOf<true>()
    expectTypeOf<Takes<[number], [number]>>().toEqualTypeOf<true>()
    expectTypeOf<Takes<[number], [number | null]>>().toEqualTypeOf<true>()
    expectTypeOf<Takes<[number, string], [null]>>().toEqualTypeOf<true>()
    expectTypeOf<Takes<[number, string], [null, string]>>().toEqualTypeOf<true>()
    expectTypeOf<Takes<[], []>>().toEqualTypeOf<true>()
    expectTypeOf<Takes<[], [null]>>().toEqualTypeOf<true>()
    expectTypeOf<Takes<[number?], []>>().toEqualTypeOf<true>()
    expectTypeOf<Takes<number[], [null]>>().toEqualTypeOf<true>()
  })

  test('are not taken in another place, nor anything else', () => {
    expectTypeOf<Takes<[number, string], [number, null]>>().toEqualTypeOf<false>()
    expectTypeOf<Takes<[number], [undefined]>>().toEqualTypeOf<false>()
    expectTypeOf<Takes<[number], []>>().toEqualTypeOf<false>()
    expectTypeOf<Takes<[number], [string]>>().toEqualTypeOf<false>()
    expectTypeOf<Takes<[], [string]>>().toEqualTypeOf<false>()
    expectTypeOf<Takes<[], [null, null]>>().toEqualTypeOf<false>()
  })

  test('are a condition of a call without arguments: undefined reads it', () => {
    expectTypeOf<Takes<[], [undefined]>>().toEqualTypeOf<true>()
    expectTypeOf<Takes<[], [null | undefined]>>().toEqualTypeOf<true>()
    expectTypeOf<DataForArgs<typeof getTodo, [null | undefined]>>().toEqualTypeOf<Todo | undefined>()
  })

  test('show in the data', () => {
    expectTypeOf<DataForArgs<typeof getTodo, [{ id: number }]>>().toEqualTypeOf<Todo>()
    expectTypeOf<DataForArgs<typeof getTodo, [null]>>().toEqualTypeOf<undefined>()
    expectTypeOf<DataForArgs<typeof getTodo, [{ id: number } | null]>>().toEqualTypeOf<Todo | undefined>()
    expectTypeOf<DataForArgs<typeof getTodo, readonly [{ id: number }] | readonly [null]>>().toEqualTypeOf<
      Todo | undefined
    >()
    expectTypeOf<DataForArgs<typeof getTodo, []>>().toEqualTypeOf<Todo>()
  })

  test('show in the promise, which else is always there', () => {
    expectTypeOf<PromiseForArgs<typeof getTodo, [{ id: number }]>>().toEqualTypeOf<Promise<Todo>>()
    expectTypeOf<PromiseForArgs<typeof getTodo, [null]>>().toEqualTypeOf<undefined>()
    expectTypeOf<PromiseForArgs<typeof getTodo, [{ id: number } | null]>>().toEqualTypeOf<
      Promise<Todo> | undefined
    >()
  })
})

describe('getOptimisticResponse', () => {
  test('receives a snapshot of the cache and the arguments of the call', () => {
    const vote = new Endpoint(async (_params: { id: number }) => ({}), {
      sideEffect: true,
      schema: Todo,
      getOptimisticResponse: optimistic((snapshot, params) => {
        expectTypeOf(params).toEqualTypeOf<{ id: number }>()
        expectTypeOf(snapshot.get(Todo, params)).toEqualTypeOf<Todo | undefined>()
        expectTypeOf(snapshot.read(getTodo, params).data).toEqualTypeOf<Todo | undefined>()
        // @ts-expect-error a snapshot only reads
        snapshot.set(Todo, params, {})
        return { ...params, title: 'x' }
      }),
    })
    expectTypeOf(vote.sideEffect).toEqualTypeOf<true>()
  })

  test('is made by optimistic', () => {
    const options = { sideEffect: true, schema: Todo } as const
    // @ts-expect-error a bare function brings nothing that shows it
    check(() => new Endpoint(async () => ({}), { ...options, getOptimisticResponse: () => ({}) }))
    // @ts-expect-error so does that of a REST endpoint
    check(() => new RestEndpoint({ path: '/todo', schema: Todo, getOptimisticResponse: () => ({}) }))
    // @ts-expect-error it is a value
    check(() => createResource({ path: '/todo/:id', schema: Todo, optimistic: true }))
    check(() => createResource({ path: '/todo/:id', schema: Todo, optimistic }))
  })

  test('of a REST endpoint may name its params', () => {
    check(
      () =>
        new RestEndpoint({
          path: '/todo/:id',
          method: 'POST',
          body: undefined,
          schema: Todo,
          getOptimisticResponse: optimistic((snapshot, { id }) => snapshot.get(Todo, { id })),
        }),
    )
  })
})

import { describe, expectTypeOf, test } from 'vitest'
import { GQLEndpoint } from '../graphql.js'
import { Controller, Endpoint, Entity } from '../index.js'
import type { EndpointLike, EndpointOptions, Middleware } from '../index.js'
import { logger, pauseOffline, refetchOnFocus, refetchOnInterval, retry, throttle } from '../policies.js'
import type { NetworkState, PageState } from '../policies.js'
import { RestEndpoint, createResource } from '../rest.js'

class Todo extends Entity {
  id = 0
}

/** Type-checks its argument without running it. */
declare function check(act: () => unknown): void

const everything = {
  retry: 5,
  refetchOnFocus: true,
  refetchOnReconnect: false,
  refetchOnInterval: true,
  pauseOffline: true,
  throttle: false,
} as const

describe('the switches of an endpoint', () => {
  test('are options of every kind of endpoint, and members of it', () => {
    check(() => {
      const get = new Endpoint((id: number) => Promise.resolve(id), everything)
      expectTypeOf(get.retry).toEqualTypeOf<number | boolean | undefined>()
      expectTypeOf(get.extend({ retry: false }).throttle).toEqualTypeOf<boolean | undefined>()
      expectTypeOf(new RestEndpoint({ path: '/todo', ...everything }).pauseOffline).toEqualTypeOf<
        boolean | undefined
      >()
      const { get: detail } = createResource({ path: '/todo/:id', schema: Todo, ...everything })
      expectTypeOf(detail.extend({ retry: 2 })).parameters.toEqualTypeOf<Parameters<typeof detail>>()
      expectTypeOf(new GQLEndpoint('/graphql', everything).refetchOnFocus).toEqualTypeOf<
        boolean | undefined
      >()
    })
    expectTypeOf<EndpointOptions['retry']>().toEqualTypeOf<boolean | number | undefined>()
    expectTypeOf<EndpointLike['refetchOnInterval']>().toEqualTypeOf<boolean | undefined>()
  })

  test('are numbers and booleans only', () => {
    check(() => [
      // @ts-expect-error a number of attempts, or a boolean
      new Endpoint((id: number) => Promise.resolve(id), { retry: 'often' }),
      // @ts-expect-error a boolean; the interval is `pollFrequency`
      new RestEndpoint({ path: '/todo', refetchOnInterval: 1000 }),
      // @ts-expect-error a boolean
      createResource({ path: '/todo/:id', schema: Todo, refetchOnFocus: 1 }),
    ])
  })
})

describe('the pieces', () => {
  test('are middleware', () => {
    expectTypeOf(retry).returns.toEqualTypeOf<Middleware>()
    check(() => new Controller({ middleware: [retry(), refetchOnFocus({ byDefault: false }), logger()] }))
  })

  test('take options that fit them', () => {
    expectTypeOf<NetworkState['isOnline']>().returns.toEqualTypeOf<boolean>()
    expectTypeOf<PageState['isVisible']>().returns.toEqualTypeOf<boolean>()
    check(() => [
      // @ts-expect-error a limit is required
      throttle(),
      // @ts-expect-error an interval is required
      refetchOnInterval(),
      // @ts-expect-error a page does not tell whether it is online
      pauseOffline({ network: { isVisible: () => true, subscribe: () => () => {} } }),
      // @ts-expect-error the wait is a function of the attempt
      retry({ delayMs: 1000 }),
    ])
  })
})

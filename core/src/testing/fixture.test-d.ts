import type { Controller } from '../controller/controller.js'
import type { ArgsOf } from '../endpoint/endpoint.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { createResource } from '../rest/resource.js'
import { Entity } from '../schema/entity.js'
import { describe, expectTypeOf, test } from 'vitest'
import { createMockController, defineMocks } from './mock-controller.js'
import type { InterceptedArgs } from './fixture.js'
import type { MockController } from './mock-controller.js'
import type { Payload } from '../schema/payload.js'
import type { PayloadOf } from '../endpoint/payload-of.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

class Article extends Entity {
  id = 0
  title = ''
  createdAt = new Date(0)
  author: User | null = null
  static override key = 'Article'
  static override schema = { createdAt: Date, author: User }
}

const articleResource = createResource({ path: '/article/:id', schema: Article })
const getTime = new Endpoint(async ({ zone }: { zone: string }) => ({ seconds: zone.length }), {
  name: 'getTime',
})

describe('the payload of an endpoint', () => {
  test('is what the schema makes its data of, where the function is typed by that data', () => {
    expectTypeOf<PayloadOf<typeof articleResource.get>>().toEqualTypeOf<Payload<typeof Article>>()
    expectTypeOf<PayloadOf<typeof articleResource.get>['title']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<PayloadOf<typeof articleResource.getList>>().toEqualTypeOf<
      readonly (Payload<typeof Article> | string | number | null)[]
    >()
    expectTypeOf<PayloadOf<typeof articleResource.create>>().toEqualTypeOf<Payload<typeof Article> | null>()
  })

  test('is what the function gives, where that is known', () => {
    expectTypeOf<PayloadOf<typeof getTime>>().toEqualTypeOf<{ seconds: number }>()
  })
})

describe('fixtures and interceptors', () => {
  test('are each checked against their endpoint', () => {
    const controller = createMockController({
      fixtures: [
        {
          endpoint: articleResource.get,
          args: [{ id: 5 }],
          response: { id: 5, title: 'x', createdAt: '2026-01-01', author: 3 },
        },
        { endpoint: getTime, args: [{ zone: 'UTC' }], response: { seconds: 1 } },
        { endpoint: articleResource.getList, args: [], error: new Error('Offline') },
        // @ts-expect-error the title is a string
        { endpoint: articleResource.get, args: [{ id: 5 }], response: { id: 5, title: 7 } },
        // @ts-expect-error the path needs an id
        { endpoint: articleResource.get, args: [], response: { id: 5 } },
        // @ts-expect-error the function returns seconds
        { endpoint: getTime, args: [{ zone: 'UTC' }], response: { minutes: 1 } },
        // @ts-expect-error either a response or an error
        { endpoint: getTime, args: [{ zone: 'UTC' }], response: { seconds: 1 }, error: new Error('x') },
      ],
      createState: () => ({ count: 0 }),
      interceptors: [
        {
          endpoint: articleResource.partialUpdate,
          response(params, body) {
            expectTypeOf(params.id).toEqualTypeOf<string | number>()
            expectTypeOf(this.state.count).toEqualTypeOf<number>()
            expectTypeOf(body).toEqualTypeOf<ArgsOf<typeof articleResource.partialUpdate>[1]>()
            return { id: Number(params.id) }
          },
        },
        {
          endpoint: getTime,
          response: ({ zone }) => {
            expectTypeOf(zone).toEqualTypeOf<string>()
            return { seconds: 1 }
          },
        },
        {
          endpoint: articleResource.create,
          // Empty params before the body are not passed on.
          response: (body) => ({ id: 1, title: body.title }),
        },
        {
          endpoint: articleResource.getList.unshift,
          // Called as `unshift(body)` or `unshift(params, body)`: the count tells which.
          response: (...args) => {
            const body = args.length === 2 ? args[1] : args[0]
            expectTypeOf(body).toEqualTypeOf<InterceptedArgs<typeof articleResource.create>[0]>()
            return { id: 1, title: body.title }
          },
        },
        // @ts-expect-error the function returns seconds
        { endpoint: getTime, response: () => ({ minutes: 1 }) },
        { endpoint: articleResource.get, fetchResponse: (url: string) => ({ url }) },
        { testKey: (key: string) => key.startsWith('GET'), response: () => ({}) },
      ],
    })
    expectTypeOf(controller).toExtend<Controller>()
    controller.requestsOf(articleResource.get, { id: 5 })
    controller.requestsOf(articleResource.get)
    // @ts-expect-error the id has a wrong name
    controller.requestsOf(articleResource.get, { uuid: 5 })
    controller.addFixture({ endpoint: getTime, args: [{ zone: 'UTC' }], response: { seconds: 2 } })
    // @ts-expect-error seconds are a number
    controller.addFixture({ endpoint: getTime, args: [{ zone: 'UTC' }], response: { seconds: '2' } })
  })

  test('that were defined before may be given with more options', () => {
    const mocks = defineMocks({
      fixtures: [{ endpoint: getTime, args: [{ zone: 'UTC' }], response: { seconds: 1 } }],
      interceptors: [{ endpoint: articleResource.delete, response: ({ id }) => ({ id }) }],
    })
    expectTypeOf(createMockController({ ...mocks, dataExpiryLength: 5 })).toEqualTypeOf<MockController>()
    // @ts-expect-error the function returns seconds
    defineMocks({ fixtures: [{ endpoint: getTime, args: [{ zone: 'UTC' }], response: {} }] })
  })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { GQLEndpoint } from '../graphql/gql-endpoint.js'
import * as schema from '../lists/namespace.js'
import { Entity } from '../schema/entity.js'
import { createResource } from './resource.js'
import { RestEndpoint } from './rest-endpoint.js'

// Definitions that compile and are wrong: refused where they are made, or made right.

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

let requests: string[] = []
let answer: () => unknown = () => ({ id: 5 })

beforeEach(() => {
  requests = []
  answer = () => ({ id: 5 })
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    requests.push(`${method} ${url}${body === undefined ? '' : ` ${String(body)}`}`)
    return Response.json(answer())
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the method', () => {
  test('is POST with a side effect or a body, unless it is named', async () => {
    await new RestEndpoint({ path: '/a', sideEffect: true })()
    await new RestEndpoint({ path: '/b', body: {} as { title: string } })({ title: 'x' })
    await new RestEndpoint({ path: '/c', body: undefined })()
    await new RestEndpoint({ path: '/d', sideEffect: false, body: {} as { text: string } })({ text: 'x' })
    await new RestEndpoint({ path: '/e' })()
    await new RestEndpoint({ path: '/f', sideEffect: false })()
    await new RestEndpoint({ path: '/g', sideEffect: true, method: 'get' })()
    await new RestEndpoint({ path: '/h', body: {}, method: 'PUT' })({ a: 1 })
    expect(requests).toEqual([
      'POST /a',
      'POST /b {"title":"x"}',
      'POST /c',
      'POST /d {"text":"x"}',
      'GET /e',
      'GET /f',
      'GET /g',
      'PUT /h {"a":1}',
    ])
  })

  test('decides whether the call is a mutation', () => {
    const effects = [
      new RestEndpoint({ path: '/a', body: undefined }),
      new RestEndpoint({ path: '/a', sideEffect: false, body: {} }),
      new RestEndpoint({ path: '/a' }),
    ].map(({ sideEffect, method, name }) => [method, sideEffect, name])
    expect(effects).toEqual([
      ['POST', true, 'POST /a'],
      ['POST', false, 'POST /a'],
      ['GET', undefined, 'GET /a'],
    ])
  })

  test('of GET and HEAD is an error with a body', () => {
    const { getList } = createResource({ path: '/todo/:id', schema: Todo })
    const message = 'has a `body`, and GET sends none'
    expect(() => getList.extend({ body: {} as Partial<Todo> })).toThrow(`Todo.getList ${message}`)
    expect(() => new RestEndpoint({ path: '/a', name: 'a', method: 'get', body: {} })).toThrow(`a ${message}`)
    expect(getList.extend({ method: 'POST', sideEffect: false, body: {} }).method).toBe('POST')
  })

  test('follows what extend() and class fields say', async () => {
    const read = new RestEndpoint({ path: '/todo' })
    await read.extend({ body: undefined })()
    await read.extend({ sideEffect: true })()
    class Command extends RestEndpoint {
      override readonly sideEffect = true as never
    }
    await new Command({ path: '/command' })()
    const { getList } = createResource({ path: '/todo/:id', schema: Todo })
    answer = () => []
    await getList.extend({ body: undefined })()
    expect(requests).toEqual(['POST /todo', 'POST /todo', 'POST /command', 'GET /todo'])
  })
})

describe('refused by name', () => {
  test('a content that no schema can read beside a schema', async () => {
    expect(() => new RestEndpoint({ path: '/todo', schema: Todo, content: 'text' })).toThrow(
      "GET /todo has a schema beside `content: 'text'`, which no schema can read.\n  Remove one of them, or convert it to data in process().",
    )
    expect(() => new RestEndpoint({ path: '/todo', content: 'blob' }).extend({ schema: Todo })).toThrow(
      "beside `content: 'blob'`",
    )
    class Text extends RestEndpoint {
      override readonly content = 'text'
      override readonly schema = Todo as never
    }
    await expect(new Text({ path: '/todo' })()).rejects.toMatchObject({ code: 'definition-invalid' })
    const parsed = new RestEndpoint({
      path: '/todo',
      schema: Todo,
      content: 'text',
      process: (text: string) => JSON.parse(text) as unknown,
    })
    expect(await parsed()).toEqual({ id: 5 })
    expect(await new RestEndpoint({ path: '/todo', schema: Todo, content: 'json' })()).toEqual({ id: 5 })
  })

  test('options in the place of a member, and the name of a member', () => {
    const todos = createResource({ path: '/todo/:id', schema: Todo, name: 'todos' })
    const remedy = (name: string) =>
      `\n  Pass a function: \`extend(({ ${name} }) => ({ ${name}: ${name}.extend({ … }) }))\`.`
    expect(() => todos.extend({ getList: { path: '/other' } })).toThrow(
      `extend() of the resource todos received an object of options as "getList", which is not an endpoint.${remedy('getList')}`,
    )
    expect(() => todos.extend(() => ({ create: { path: '/other' } }))).toThrow('as "create"')
    expect(() => todos.extend('get' as never)).toThrow(
      `extend() of the resource todos received the name "get".${remedy('get')}`,
    )
    expect(() => todos.extend({ settings: { pageSize: 5 } })).not.toThrow()
  })

  test('a regular expression where names are expected', () => {
    const names = /sort|page/ as never
    expect(() => new schema.Collection([Todo], { nonFilterArgumentKeys: names })).toThrow(
      'The option `nonFilterArgumentKeys` of a Collection is the regular expression /sort|page/, which it does not take.\n  Pass a list of names, or a function: `(name) => /sort|page/.test(name)`.',
    )
    expect(() => createResource({ path: '/todo/:id', schema: Todo, nonFilterArgumentKeys: names })).toThrow(
      '`nonFilterArgumentKeys`',
    )
  })

  test.each([
    ['a list with a regular expression', ['page', /sort/], 'contains the regular expression /sort/'],
    ['text', 'page', 'is "page"'],
  ])('%s where names are expected', (_, names, why) => {
    for (const option of [
      'nonFilterArgumentKeys',
      'placeArgumentKeys',
      'orderArgumentKeys',
      'limitArgumentKeys',
    ]) {
      const expected = `The option \`${option}\` of a Collection ${why}, which it does not take.\n  Pass a list of names`
      expect(() => new schema.Collection([Todo], { [option]: names } as never)).toThrow(expected)
      expect(() => createResource({ path: '/todo/:id', schema: Todo, [option]: names } as never)).toThrow(
        expected,
      )
    }
    expect(() => new schema.Collection([Todo], { placeArgumentKeys: ['page'] })).not.toThrow()
  })

  test.each([
    ['/(a|b)/:id', '"(a|b)" is not supported'],
    ['/files/*', '"*" at 7 has no name'],
    ['/files/:', '":" at 7 has no name'],
    ['/files/:/:id', '":" at 7 has no name'],
  ])('the path %s', (path, why) => {
    expect(() => new RestEndpoint({ path })).toThrow(`The path "${path}" is invalid: ${why}.`)
  })

  test.each(['https://host:8080/a/:id', '/a\\:b/\\*', "/Products(':id')"])('not the path %s', (path) => {
    expect(() => new RestEndpoint({ path })).not.toThrow()
  })

  test.each(['https://host?key=1', 'https://host/#/'])('the prefix %s', async (urlPrefix) => {
    expect(() => new RestEndpoint({ path: '/todo', urlPrefix })).toThrow(
      'in its urlPrefix, so its path would not be part of the address.',
    )
    class Prefixed extends RestEndpoint {
      override readonly urlPrefix = urlPrefix
    }
    await expect(new Prefixed({ path: '/todo' })()).rejects.toMatchObject({ code: 'definition-invalid' })
  })

  test('a process that gives nothing to a schema', async () => {
    const nothing = new RestEndpoint({ path: '/todo', schema: Todo, process: () => undefined })
    await expect(new Controller().fetch(nothing)).rejects.toThrow('process() of GET /todo returned undefined')
    expect(await new RestEndpoint({ path: '/todo', process: () => undefined })()).toBe(undefined)
  })
})

describe('a likely misspelling of an option', () => {
  const warnings = (make: () => unknown) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    warned.mockClear()
    make()
    return warned.mock.calls.map(([text]) => text as string)
  }

  test('is a warning with the nearest name, once', () => {
    const make = () => createResource({ path: '/todo/:id', schema: Todo, urlPrefx: '/api' } as never)
    expect(warnings(make)).toEqual([
      '[selfsame] Todo.get has the option "urlPrefx", which nothing reads. Did you mean "urlPrefix"?',
    ])
    expect(warnings(make)).toEqual([])
    expect(warnings(() => new Endpoint(async () => 1, { name: 'a', pollFrequncy: 5 } as never))).toEqual([
      '[selfsame] a has the option "pollFrequncy", which nothing reads. Did you mean "pollFrequency"?',
    ])
    expect(warnings(() => new RestEndpoint({ path: '/a', shcema: Todo } as never))).toEqual([
      '[selfsame] An endpoint of /a has the option "shcema", which nothing reads. Did you mean "schema"?',
    ])
  })

  test.each(['getHeader', 'searchParam', 'fetchRespons', 'paginationFiel', 'metho'])(
    'is a warning where the last letter is missing: %s',
    (option) => {
      expect(warnings(() => new RestEndpoint({ path: '/b', [option]: 1 } as never))).toEqual([
        expect.stringContaining(`An endpoint of /b has the option "${option}", which nothing reads. Did you`),
      ])
    },
  )

  test('is none for a name of its own, of its class, or of a policy', () => {
    class WithUser extends RestEndpoint {
      getHeaders2() {
        return (this as { usr?: string }).usr
      }
      pollFrequenzy = (this as { urlPrefi?: string }).urlPrefi
    }
    expect(
      warnings(() => {
        void new RestEndpoint({ path: '/a', token: 'x', tenant: 1 } as never)
        void new WithUser({ path: '/a', urlPrefi: '/x', pollFrequenzy: 5 } as never)
        void new RestEndpoint({ path: '/a', retry: 3, pauseOffline: true, throttle: false })
      }),
    ).toEqual([])
  })
})

describe('an option of another library', () => {
  test.each([
    ['staleTime', 'Set `dataExpiryLength`.'],
    ['refetchInterval', 'Set `pollFrequency`, and read with useLive() or useSubscription().'],
    ['onSuccess', 'Await controller.fetch(), or write a middleware.'],
    ['enabled', 'Pass `null` instead of the arguments.'],
    ['optimisticUpdate', 'Write `getOptimisticResponse: optimistic(…)`.'],
    ['headers', 'Set `getHeaders`.'],
    ['getFetchInit', 'Set `getRequestInit` or `getHeaders`.'],
  ])('is a warning with what it is here, once: %s', (option, remedy) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    warned.mockClear()
    const { get } = createResource({ path: '/todo/:id', schema: Todo, [option]: 5 } as never)
    get.extend({ [option]: 6 } as never)
    expect(warned.mock.calls).toEqual([
      [`[selfsame] Todo.get has the option "${option}", which nothing reads. ${remedy}`],
    ])
  })

  test('is none where a class reads it', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    warned.mockClear()
    class Selecting extends RestEndpoint {
      override process(value: unknown) {
        return (this as { select?: (given: unknown) => unknown }).select?.(value)
      }
    }
    void new Selecting({ path: '/a', select: () => 1 } as never)
    expect(warned).not.toHaveBeenCalled()
  })

  test('`endpoint` of a resource is an error: its class would not be used', () => {
    expect(() =>
      createResource({ path: '/todo/:id', schema: Todo, endpoint: RestEndpoint } as never),
    ).toThrow('The resource Todo has the option `endpoint`, which nothing reads')
  })

  test('`optimistic` of an endpoint is an error', () => {
    const { update } = createResource({ path: '/todo/:id', schema: Todo })
    const change = new GQLEndpoint('/graphql').mutation('mutation change { change }')
    const send = new Endpoint(async () => ({}), { name: 'send', sideEffect: true })
    for (const { name, extend } of [update, change, send].map((endpoint) => ({
      name: endpoint.name,
      extend: endpoint.extend.bind(endpoint) as (options: object) => unknown,
    })))
      expect(() => extend({ optimistic: true })).toThrow(
        `${name} has the option \`optimistic\`, which is one of createResource()`,
      )
  })
})

describe('a fetch of its own', () => {
  test('may call that of another endpoint with its `this`, which has what the Controller gives', async () => {
    const { get } = createResource({ path: '/todo/:id', schema: Todo })
    const sent: unknown[] = []
    const controller = new Controller({
      fetch: (url, init) => {
        sent.push([url, init?.signal instanceof AbortSignal])
        return Promise.resolve(Response.json({ id: 5 }))
      },
    })
    const own = get.extend({
      async fetch(this: typeof get, params: { id: number }) {
        return { ...((await get.fetch.call(this, params)) as object), title: this.url(params) }
      },
    })
    expect(await controller.fetch(own, { id: 5 })).toEqual(Todo.fromJS({ id: 5, title: '/todo/5' }))
    expect(sent).toEqual([['/todo/5', true]])
    expect(await own({ id: 6 })).toMatchObject({ title: '/todo/6' })
  })
})

describe('works', () => {
  test('a Set is sent like an array, a Map like an object', async () => {
    const { getList } = createResource({ path: '/todo/:id' as const, schema: Todo })
    const search = getList.extend({ schema: undefined })
    await search({ tag: new Set(['a', 'b']), by: new Map([['name', 'x']]) })
    expect(requests).toEqual(['GET /todo?by%5Bname%5D=x&tag=a&tag=b'])
  })

  test('methods that are taken out of the Controller', async () => {
    const { get, create } = createResource({ path: '/todo/:id', schema: Todo })
    const controller = new Controller()
    const { fetch, set, get: read, invalidate, subscribe, batch } = controller
    expect(await fetch(get, { id: 5 })).toEqual(Todo.fromJS({ id: 5 }))
    batch(() => set(Todo, { id: 5 }, { title: 'x' }))
    expect(read(Todo, { id: 5 })?.title).toBe('x')
    subscribe(get, { id: 5 }, () => {})()
    invalidate(get, { id: 5 })
    expect(await fetch(create, { title: 'x' })).toBe(read(Todo, { id: 5 }))
    const names = Object.getOwnPropertyNames(Controller.prototype).filter((name) => name !== 'constructor')
    expect(names.filter((name) => !Object.hasOwn(controller, name))).toEqual([])
  })

  test('a bound endpoint', async () => {
    const get = new RestEndpoint({ path: '/todo/:id', schema: Todo })
    const controller = new Controller()
    const bound = get.bind(undefined)
    expect(await bound({ id: 5 })).toEqual({ id: 5 })
    expect(await controller.fetch(bound, { id: 5 })).toEqual(Todo.fromJS({ id: 5 }))
    expect(await get.bind(undefined, { id: 7 })()).toEqual({ id: 5 })
    const ask = new Endpoint(async (text: string) => text, { name: 'ask' })
    expect(await controller.fetch(ask.bind(null), 'x')).toBe('x')
    expect(requests).toEqual(['GET /todo/5', 'GET /todo/5', 'GET /todo/7'])
  })

  test('a fetch that calls the one before', async () => {
    const { create, get } = createResource({ path: '/todo/:id', schema: Todo })
    const logged: unknown[] = []
    const logging = create.extend({
      async fetch(this: typeof create, ...args: Parameters<typeof create>) {
        logged.push(args)
        return create.fetch.call(this, ...args)
      },
    })
    const moved = get.extend({
      urlPrefix: '/v2',
      fetch(this: typeof get, params: { id: number }) {
        return get.fetch.call(this, params)
      },
    })
    const controller = new Controller()
    expect(await controller.fetch(logging, { title: 'x' })).toEqual(Todo.fromJS({ id: 5 }))
    expect(await controller.fetch(moved, { id: 5 })).toEqual(Todo.fromJS({ id: 5 }))
    expect([logged, requests]).toEqual([[[{ title: 'x' }]], ['POST /todo {"title":"x"}', 'GET /v2/todo/5']])
  })

  test('an endpoint with an address of its own', async () => {
    const { create } = createResource({ path: '/todo/:id', schema: Todo })
    const other = create.extend({ url: () => '/elsewhere' })
    const named = new RestEndpoint({ path: '/todo/:id' }).extend({
      url: ({ id }: { id: string | number }) => `/named/${id}`,
    })
    await new Controller().fetch(other, { title: 'x' })
    await new Controller().fetch(named, { id: 5 })
    expect(requests).toEqual(['POST /elsewhere {"title":"x"}', 'GET /named/5'])
  })
})

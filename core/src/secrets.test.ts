import { afterEach, describe, expect, test, vi } from 'vitest'
import { GQLEndpoint, GQLNetworkError } from './graphql.js'
import { dehydrate, dehydrateChanges, hydrate, serialize, stateScript } from './hydration.js'
import { displayOf } from './errors.js'
import { Controller, Endpoint, Entity } from './index.js'
import { connect, webSocket } from './live.js'
import { logger } from './policies.js'
import { NetworkError, RestEndpoint } from './rest.js'
import { TestClock } from './testing.js'

/** It must not be in a message, in the state of a page, in a log or on the console. */
const secret = 'hush-4711'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const named = { name: 'Todo.get', schema: Todo } as const
const path = '/todo/:id'
const urlPrefix = 'https://api.example.com'

/** Rejects as `fetch` does for an init or an address that it refuses: the platform quotes both. */
const platform = (url: string, init?: RequestInit) => {
  const request = new Request(url, init)
  return Promise.reject(new TypeError(`fetch failed: ${request.url}`))
}

const httpError = (status: number, body: unknown = { token: secret }) =>
  Promise.resolve(Response.json(body, { status, headers: { 'set-cookie': secret, 'x-token': secret } }))

type Step = ConstructorParameters<typeof RestEndpoint>[0]
const rest = (options: Partial<Step>) =>
  new RestEndpoint({ ...named, path, urlPrefix, ...options }) as unknown as RestEndpoint

/** Endpoints whose requests fail, each by a value that contains the secret. */
const failing: Readonly<Record<string, RestEndpoint>> = {
  'a header with a line break': rest({
    getHeaders: () => ({ authorization: `Bearer ${secret}\nx` }),
    fetchResponse: platform,
  }),
  'a header that `new Headers` refuses': rest({
    getHeaders: () => new Headers({ authorization: `Bearer ${secret}\nx` }),
  }),
  'a name of a header that is refused': rest({
    getHeaders: () => ({ [`${secret} x`]: '1' }),
    fetchResponse: platform,
  }),
  'a header that XMLHttpRequest refuses': rest({
    fetchResponse: () =>
      Promise.reject(new DOMException(`'Bearer ${secret}' is not a valid value`, 'SyntaxError')),
  }),
  'credentials in the prefix': rest({
    urlPrefix: `https://user:${secret}@api.example.com`,
    fetchResponse: platform,
  }),
  'a token as the user of the prefix': rest({
    urlPrefix: `https://${secret}@api.example.com/v1`,
    fetchResponse: () => httpError(404),
  }),
  'credentials in the path': rest({
    urlPrefix: '',
    path: `https://${secret}@api.example.com/todo/:id`,
    fetchResponse: () => httpError(500),
  }),
  'credentials of an address that sent HTML': rest({
    urlPrefix: `//user:${secret}@api.example.com`,
    fetchResponse: () =>
      Promise.resolve(new Response('<html>', { headers: { 'content-type': 'text/html' } })),
    parseResponse: undefined,
  }),
  'the body and the headers of a refusal': rest({ fetchResponse: () => httpError(403) }),
  'a response that broke off': rest({
    fetchResponse: () =>
      Promise.resolve(
        new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError(secret)) }), {
          headers: { 'content-type': 'application/json' },
        }),
      ),
  }),
  'a text that fetchResponse throws': rest({
    fetchResponse: () => {
      // eslint-disable-next-line typescript/only-throw-error
      throw `token ${secret}`
    },
  }),
  'an object that fetchResponse throws': rest({
    // eslint-disable-next-line typescript/prefer-promise-reject-errors
    fetchResponse: () => Promise.reject({ headers: { authorization: secret }, message: secret }),
  }),
  'JSON that is not valid': rest({
    fetchResponse: () =>
      Promise.resolve(
        new Response(`{"token": ${secret}`, { headers: { 'content-type': 'application/json' } }),
      ),
  }),
  'a method of the schema': rest({
    schema: class extends Todo {
      override pk(): string {
        throw new Error(`no key in ${secret}`)
      }
    },
    fetchResponse: () => Promise.resolve(Response.json({ id: 1, title: '' })),
  }),
}

/** Endpoints that reject with an error of the application, which stays as it is. */
const ofApplication: Readonly<Record<string, RestEndpoint>> = {
  getRequestInit: rest({
    getRequestInit: () => {
      throw new Error(`not signed in: ${secret}`)
    },
  }),
  fetchResponse: rest({ fetchResponse: () => Promise.reject(new Error(secret)) }),
  parseResponse: rest({
    fetchResponse: () => Promise.resolve(new Response(`token=${secret}`)),
    parseResponse: async (response) => JSON.parse(await response.text()) as unknown,
  }),
  process: rest({
    fetchResponse: () => Promise.resolve(Response.json({ id: 1 })),
    process: () => {
      throw new TypeError(secret)
    },
  }),
  validate: rest({
    fetchResponse: () => Promise.resolve(Response.json({ id: 1 })),
    validate: () => {
      throw new Error(secret)
    },
  }),
}

afterEach(() => {
  vi.restoreAllMocks()
})

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('It did not fail.')
    },
    (error: unknown) => error as Error,
  )

/** All that a log of an error shows but its cause: its own enumerable members, `toJSON`, and its text. */
const shown = (error: Error) => JSON.stringify([{ ...error }, error, String(error), error.message])

describe.each(Object.entries(failing))('%s', (_, endpoint) => {
  test('is in no message and no member of the error; the cause has it', async () => {
    const error = await failureOf(new Controller().fetch(endpoint, { id: 1 }))
    expect(shown(error)).not.toContain(secret)
    const response = (error as NetworkError).response
    if (response === undefined && !/credentials|HTML/.test(_)) expect(error.cause).toBeDefined()
  })

  test('is not in the state that a page gets, at once or in parts', async () => {
    const controller = new Controller()
    const changes = dehydrateChanges(controller)
    await failureOf(controller.fetch(endpoint, { id: 1 }))
    expect(controller.read(endpoint, { id: 1 }).error).toBeDefined()
    for (const state of [dehydrate(controller), changes()!]) {
      expect(state.results).toHaveLength(1)
      expect(stateScript(state)).not.toContain(secret)
      expect(serialize(state)).not.toContain(secret)
      expect(JSON.stringify(state)).not.toContain(secret)
    }
  })

  test('is in no line of the logger, and nothing is on the console', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const lines: string[] = []
    const controller = new Controller({ middleware: [logger({ log: (line) => lines.push(line) })] })
    await failureOf(controller.fetch(endpoint, { id: 1 }))
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join('\n')).not.toContain(secret)
    expect(warned).not.toHaveBeenCalled()
  })
})

describe.each(Object.entries(ofApplication))('an error that %s throws', (_, endpoint) => {
  test('stays itself for who asked, and its text stays out of the page and the log', async () => {
    const lines: string[] = []
    const controller = new Controller({ middleware: [logger({ log: (line) => lines.push(line) })] })
    const error = await failureOf(controller.fetch(endpoint, { id: 1 }))
    expect(error.message).toContain('hush')
    expect(lines.join('\n')).not.toContain('hush')
    const script = stateScript(dehydrate(controller))
    expect(script).not.toContain('hush')
    const page = new Controller()
    hydrate(page, JSON.parse(JSON.stringify(dehydrate(controller))) as ReturnType<typeof dehydrate>)
    expect(page.read(endpoint, { id: 1 }).error).toMatchObject({
      name: error.name,
      message: `The request failed on the server (${error.name}).`,
    })
  })
})

describe('an Endpoint of its own function', () => {
  test.each([
    ['an error', () => Promise.reject(new Error(secret))],
    ['text', () => Promise.reject(secret as never)],
    [
      'a thrown text',
      () => {
        // eslint-disable-next-line typescript/only-throw-error
        throw secret
      },
    ],
    ['an error with a cause', () => Promise.reject(new Error('outer', { cause: new Error(secret) }))],
  ] as const)('%s is not in the state of a page', async (_, fail) => {
    const controller = new Controller()
    const endpoint = new Endpoint(fail as () => Promise<unknown>, { name: 'own' })
    await failureOf(controller.fetch(endpoint))
    expect(dehydrate(controller).results).toHaveLength(1)
    expect(stateScript(dehydrate(controller))).not.toContain(secret)
  })

  test('that setError gives is not in the state of a page', () => {
    const controller = new Controller()
    controller.setError(rest({}), { id: 1 }, new Error(secret))
    expect(stateScript(dehydrate(controller))).not.toContain(secret)
  })
})

describe('GraphQL', () => {
  const gql = new GQLEndpoint(`https://user:${secret}@api.example.com/graphql?key=${secret}`)
  const query = gql.query('query GetTodo { todo { id } }')
  const answered = (body: unknown, status = 200) =>
    query.extend({ fetchResponse: () => Promise.resolve(Response.json(body, { status })) })
  const refused = { errors: [{ message: `for ${secret}`, path: ['todo'], extensions: { code: 'DENIED' } }] }

  test.each([200, 500])('the texts of its errors are not in a message (status %i)', async (status) => {
    const error = await failureOf(answered(refused, status)())
    expect(error).toBeInstanceOf(GQLNetworkError)
    expect(error.message).toContain('1 error from POST https://api.example.com/graphql; DENIED at todo.')
    expect(shown(error)).not.toContain(secret)
    expect((error as GQLNetworkError).errors[0]!.message).toContain(secret)
  })

  test.each([[refused], ['text'], [null]])('%o: neither text nor address is in the state', async (body) => {
    const controller = new Controller()
    const endpoint = answered(body).extend({ url: `https://user:${secret}@api.example.com/graphql` })
    await failureOf(controller.fetch(endpoint))
    expect(dehydrate(controller).results).toHaveLength(1)
    expect(stateScript(dehydrate(controller))).not.toContain(secret)
  })
})

describe('a connection', () => {
  test('the texts of its errors, its address and its messages are not in messages or on the console', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const reported: Error[] = []
    const sockets: { tell: (type: string, event?: object) => void }[] = []
    class Socket {
      readonly #listeners = new Map<string, (event: object) => void>()
      readyState = 0
      constructor() {
        sockets.push({ tell: (type, event = {}) => this.#listeners.get(type)?.(event) })
      }
      addEventListener(type: string, listener: (event: object) => void) {
        this.#listeners.set(type, listener)
      }
      send() {
        throw new Error(secret)
      }
      close() {}
    }
    for (const onError of [undefined, (error: Error) => void reported.push(error)]) {
      const socket = webSocket(`wss://user:${secret}@a.example/live?token=${secret}`, {
        WebSocket: Socket as never,
        onError,
        batchMs: 0,
        isFinal: () => true,
      })
      const stream = socket.stream({
        subscribe: () => ({ token: 1 }),
        select: (message: unknown) => {
          if ((message as { fail?: true }).fail) throw new Error(secret)
          return message
        },
      })
      const endpoint = rest({ stream })
      const controller = new Controller({ clock: new TestClock() })
      connect(controller, endpoint, { id: 1 } as never)
      const { tell } = sockets.at(-1)!
      tell('open')
      tell('message', { data: `{"a": ${secret}` })
      tell('message', { data: '{"fail": true}' })
      tell('close', { code: 4401, reason: `for ${secret}` })
      expect(controller.read(endpoint, { id: 1 } as never).error?.message).toContain('closed with 4401')
      expect(stateScript(dehydrate(controller))).not.toContain(secret)
    }
    expect(reported).toHaveLength(3)
    expect(reported.map(shown).join('')).not.toContain(secret)
    expect(warned.mock.calls.length).toBeGreaterThan(0)
    expect(warned.mock.calls.map(([text]) => String(text)).join('')).not.toContain(secret)
  })
})

describe('a NetworkError', () => {
  const url = `https://user:${secret}@api.example.com/todo/1?token=${secret}#${secret}`
  const error = new NetworkError(`No answer from ${url.split('?')[0]}`, {
    status: 403,
    method: 'PATCH',
    url,
    response: new Response(secret, { headers: { 'x-token': secret } }),
    body: { token: secret },
  })

  test('names method and path; its response and body are there, and are not enumerable', () => {
    expect(error).toMatchObject({ status: 403, method: 'PATCH', path: '/todo/1', body: { token: secret } })
    expect(error.response?.headers.get('x-token')).toBe(secret)
    expect(Object.keys(error)).not.toEqual(expect.arrayContaining(['response']))
    expect(Object.keys(error)).not.toEqual(expect.arrayContaining(['body']))
    expect(shown(error)).not.toContain(secret)
  })

  test('is written by JSON.stringify with its name, status, message, method and path', () => {
    expect(JSON.parse(JSON.stringify({ error }))).toEqual({
      error: {
        name: 'NetworkError',
        status: 403,
        message: 'No answer from https://api.example.com/todo/1',
        method: 'PATCH',
        path: '/todo/1',
      },
    })
  })

  test.each([
    ['/todo/1?a', '/todo/1'],
    ['https://a.example', '/'],
    ['//a.example/x', '/x'],
    ['todo', 'todo'],
  ])('of %s has the path %s', (address, expected) => {
    expect(new NetworkError('', { url: address }).path).toBe(expected)
  })
})

/** Prefixes that are read or refused by the platform, though they are not written as RFC 3986 says. */
const loose: Readonly<Record<string, string>> = {
  'a slash in the password': `https://user:${secret}/x@api.example.com`,
  'a slash and an @ in the password': `https://user:x/y@${secret}@api.example.com`,
  'a space in the password': `https://user:x ${secret}@api.example.com`,
  'a tab in the password': `https://user:${secret}\t@api.example.com`,
  'a line break before it': `\nhttps://user:${secret}@api.example.com`,
  backslashes: `https:\\\\user:${secret}@api.example.com`,
  'backslashes without a scheme': `\\\\user:${secret}@api.example.com`,
  'no slashes': `https:user:${secret}@api.example.com`,
  'three slashes': `https:///user:${secret}@api.example.com`,
}

describe.each(Object.entries(loose))('credentials in an address with %s', (_, loosePrefix) => {
  test.each([404, 200, 'no response'])('are in no message, key or log (%s)', async (status) => {
    const lines: string[] = []
    const controller = new Controller({ middleware: [logger({ log: (line) => lines.push(line) })] })
    const endpoint = rest({
      urlPrefix: loosePrefix,
      fetchResponse: (url: string) => {
        expect(url).toContain(secret)
        return typeof status === 'number'
          ? Promise.resolve(new Response('<html>', { status, headers: { 'content-type': 'text/html' } }))
          : platform(url)
      },
    })
    const error = await failureOf(controller.fetch(endpoint, { id: 1 }))
    if (status !== 200) expect(error.message).toContain('api.example.com/todo/1')
    expect(shown(error)).not.toContain(secret)
    expect(lines.join('\n')).not.toContain(secret)
    expect(stateScript(dehydrate(controller))).not.toContain(secret)
    expect(endpoint.testKey(endpoint.key({ id: 1 }))).toBe(true)
  })
})

test.each([
  ['https://user:hush?x@a.example/todo', 'https://a.example/todo'],
  ['https://user:hush#x@a.example/todo', 'https://a.example/todo'],
  ['https://a.example:8080/@me/todo', 'https://a.example:8080/@me/todo'],
  ['https://a.example/a:b/@me', 'https://a.example/a:b/@me'],
  ['http://[::1]:80/@me', 'http://[::1]:80/@me'],
  ['//a.example:80/@me?a=b@c', '//a.example:80/@me'],
  ['/a:b/@me', '/a:b/@me'],
  ['localhost:3000/@me', 'localhost:3000/@me'],
])('a message shows %s as %s', (address, expected) => {
  expect(displayOf(address)).toBe(expected)
})

describe('the key of a call', () => {
  test('has no credentials, so that the page finds what a server received with them', async () => {
    const onServer = rest({
      urlPrefix: `https://user:${secret}@api.example.com`,
      fetchResponse: () => Promise.resolve(Response.json({ id: 1, title: 'a' })),
    })
    const server = new Controller()
    await server.fetch(onServer, { id: 1 })
    expect(stateScript(dehydrate(server))).not.toContain(secret)
    const page = new Controller()
    hydrate(page, dehydrate(server))
    expect(page.read(rest({}), { id: 1 }).status).toBe('Valid')
    expect(onServer.testKey(onServer.key({ id: 1 }))).toBe(true)
  })

  test.each(['https://tok@a.example', '//u:p@a.example', 'https://u:p@a.example:8080/v1/'])(
    'is recognized with the prefix %s',
    (prefix) => {
      const endpoint = rest({ urlPrefix: prefix })
      expect(endpoint.key({ id: 1 })).not.toContain('@')
      expect(endpoint.testKey(endpoint.key({ id: 1 }))).toBe(true)
      expect(endpoint.testKey('GET https://b.example/todo/1')).toBe(false)
    },
  )

  test('keeps an @ that is no credential', () => {
    const endpoint = rest({ path: '//at@:id' })
    expect(endpoint.key({ id: 1 })).not.toBe(rest({ path: '//other@:id' }).key({ id: 1 }))
  })
})

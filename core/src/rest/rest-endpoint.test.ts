import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Entity } from '../schema/entity.js'
import { NetworkError } from '../errors.js'
import { createResource } from './resource.js'
import { RestEndpoint } from './rest-endpoint.js'
import type { RestArgs, RestOptions } from './rest-types.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}
class TodoSummary extends Entity {
  id = 0
  static override key = 'Todo'
}

interface Sent {
  readonly url: string
  readonly init: RequestInit
}
let sent: Sent[] = []
let answer: (sent: Sent) => Response | Promise<Response> = () => Response.json({})

/** Records requests, and responds with the result of `answer`. */
class TestEndpoint<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
  override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
    sent.push({ url, init })
    return answer({ url, init })
  }
}

beforeEach(() => {
  sent = []
  answer = () => Response.json({})
})

const headersOf = (at: number) => Object.fromEntries(new Headers(sent[at]!.init.headers))
const lines = (...text: string[]) => text.join('\n  ')

describe('a call', () => {
  test('gets the address of its path and search params', async () => {
    const endpoint = new TestEndpoint({
      urlPrefix: 'https://a.example',
      path: '/:group/:id',
      searchParams: {},
    })
    answer = () => Response.json({ id: 5 })
    await expect(endpoint({ group: 'a/b', id: 5, page: 2, tag: undefined } as never)).resolves.toEqual({
      id: 5,
    })
    expect(sent).toEqual([{ url: 'https://a.example/a%2Fb/5?page=2', init: { method: 'GET', headers: {} } }])
  })

  test('that misses a param of its path rejects before any request (E4)', async () => {
    const endpoint = new TestEndpoint({ path: '/todo/:id' })
    await expect(endpoint({ id: '' })).rejects.toMatchObject({ code: 'path-param-missing' })
    expect(sent).toEqual([])
  })

  test('takes its steps in order, each of which an option replaces', async () => {
    const steps: string[] = []
    const endpoint = new RestEndpoint({
      path: '/todo/:id',
      method: 'POST',
      getHeaders: (headers) => (steps.push('getHeaders'), { ...headers, 'X-Token': 't' }),
      fetchResponse: (url, init) => {
        steps.push(`fetchResponse ${url} ${JSON.stringify(init)}`)
        return Promise.resolve(Response.json({ id: 5 }))
      },
      parseResponse: async (response) => {
        steps.push('parseResponse')
        return (await response.json()) as unknown
      },
      process: (value: { id: number }, params: { id: number }, body: unknown) => {
        steps.push(`process ${JSON.stringify([value, params, body])}`)
        return value.id
      },
    })
    await expect(endpoint({ id: 7 }, { title: 'x' })).resolves.toBe(5)
    expect(steps).toEqual([
      'getHeaders',
      'fetchResponse /todo/7 {"method":"POST","headers":{"Content-Type":"application/json","X-Token":"t"},"body":"{\\"title\\":\\"x\\"}"}',
      'parseResponse',
      'process [{"id":5},{"id":7},{"title":"x"}]',
    ])
  })

  test('takes its steps from a subclass, which may call those of the base class', async () => {
    class Custom<const Options extends RestOptions = RestOptions> extends TestEndpoint<Options> {
      override url(...args: RestArgs<Options>) {
        return `${super.url(...args)}#x`
      }
      override async getRequestInit(body?: unknown) {
        return { ...(await super.getRequestInit(body)), credentials: 'same-origin' as const }
      }
      override async getHeaders(headers: Readonly<Record<string, string>>) {
        return { ...headers, 'Access-Token': await Promise.resolve('secret') }
      }
      override async parseResponse(response: Response) {
        return { link: response.headers.get('link'), results: await super.parseResponse(response) }
      }
      override process(value: object) {
        return { ...value, isProcessed: true }
      }
    }
    answer = () => Response.json([1], { headers: { link: '<next>' } })
    const endpoint = new Custom({ path: '/todo', method: 'PUT' })
    await expect(endpoint({ a: 1 })).resolves.toEqual({ link: '<next>', results: [1], isProcessed: true })
    expect(sent[0]!.url).toBe('/todo#x')
    expect(sent[0]!.init.credentials).toBe('same-origin')
    expect(headersOf(0)).toEqual({ 'access-token': 'secret', 'content-type': 'application/json' })
    expect(endpoint.key({})).toBe('PUT /todo#x')
  })

  test('sends a body that fetch understands without a JSON content type (E7)', async () => {
    const endpoint = new TestEndpoint({ path: '/upload', method: 'POST' })
    const form = new FormData()
    await endpoint(form)
    expect(sent[0]!.init.body).toBe(form)
    expect(headersOf(0)).toEqual({})
  })

  test('uses the platform fetch unless told otherwise', async () => {
    const platformFetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json([1]))
    try {
      await expect(new RestEndpoint({ path: '/todo' })()).resolves.toEqual([1])
      expect(platformFetch).toHaveBeenCalledWith('/todo', { method: 'GET', headers: {} })
    } finally {
      platformFetch.mockRestore()
    }
  })
})

describe('the first argument (E2)', () => {
  const bodyOf = () => sent.at(-1)!.init.body

  test('is the params of a POST whose path needs them', async () => {
    const makeManager = new TestEndpoint({ path: '/users/:id/make_manager', method: 'POST' })
    await makeManager({ id: 5 })
    expect(sent[0]).toEqual({ url: '/users/5/make_manager', init: { method: 'POST', headers: {} } })
  })

  test.each(['POST', 'PUT', 'PATCH'])('is the body of a %s whose path needs nothing', async (method) => {
    await new TestEndpoint({ path: '/todo', method })({ title: 'x' })
    expect(sent[0]!.url).toBe('/todo')
    expect(bodyOf()).toBe('{"title":"x"}')
  })

  test('is the body where the path has only optional params', async () => {
    await new TestEndpoint({ path: '/todo/:group?', method: 'POST' })({ group: 'a' })
    expect(sent[0]!.url).toBe('/todo')
    expect(bodyOf()).toBe('{"group":"a"}')
  })

  test('is the params when a body follows it', async () => {
    await new TestEndpoint({ path: '/todo/:group?', method: 'POST', searchParams: { draft: false } })(
      { group: 'a', draft: true },
      { title: 'x' },
    )
    expect(sent[0]!.url).toBe('/todo/a?draft=true')
    expect(bodyOf()).toBe('{"title":"x"}')
  })

  test.each(['GET', 'DELETE', 'HEAD'])('is the params of a %s', async (method) => {
    await new TestEndpoint({ path: '/todo', method })({ page: 2 } as never)
    expect(sent[0]!.url).toBe('/todo?page=2')
    expect(bodyOf()).toBeUndefined()
  })

  test('is the body of a DELETE that declares one', async () => {
    await new TestEndpoint({ path: '/todo', method: 'DELETE', body: {} as { ids: number[] } })({ ids: [1] })
    expect(sent[0]!.url).toBe('/todo')
    expect(bodyOf()).toBe('{"ids":[1]}')
  })

  test('is the params of a POST that declares to have no body', async () => {
    const search = new TestEndpoint({
      path: '/search',
      method: 'POST',
      body: undefined,
      searchParams: { text: '' },
    })
    await search({ text: 'x' })
    expect(sent[0]!.url).toBe('/search?text=x')
    expect(bodyOf()).toBeUndefined()
  })

  const update = new TestEndpoint({
    name: 'Todo.update',
    path: '/todo/:id',
    method: 'PUT',
    body: {} as object,
  })

  test('alone is an error that says the body is missing, where both are needed and it is the params', async () => {
    // @ts-expect-error the body is missing
    await expect(update({ id: 5 })).rejects.toMatchObject({
      code: 'argument-invalid',
      message: lines(
        'Todo.update (/todo/:id) was called with one argument, but takes the params of its path and a body.',
        'Call it as Todo.update(params, body).',
      ),
    })
    expect(sent).toEqual([])
  })

  test('alone is an error that says the params are missing, where both are needed and it is the body', async () => {
    // @ts-expect-error the params are missing
    await expect(update({ title: 'x' })).rejects.toMatchObject({
      code: 'path-param-missing',
      message: lines(
        'Todo.update (/todo/:id) is missing "id"; it was called with the properties title.',
        'Pass every ":name" of the path in the first argument.',
      ),
    })
  })

  test('is followed by a body that may be null or empty', async () => {
    await update({ id: 5 }, {})
    expect(bodyOf()).toBe('{}')
    await update({ id: 5 }, null as never)
    expect(bodyOf()).toBe('null')
  })
})

describe('search params', () => {
  const endpoint = new TestEndpoint({
    path: '/todo',
    searchParams: { page: '', sort: 'date', limit: 10, done: undefined as boolean | undefined },
  })

  test.each([
    [undefined, '/todo?limit=10&sort=date'],
    [{}, '/todo?limit=10&sort=date'],
    [{ page: '2', sort: 'title' }, '/todo?limit=10&page=2&sort=title'],
    [{ page: '' }, '/todo?limit=10&page=&sort=date'],
    [{ sort: undefined }, '/todo?limit=10&sort=date'],
    [{ done: false, limit: 0 }, '/todo?done=false&limit=0&sort=date'],
  ])('with defaults, of which empty ones are not sent: %o gives %s', (params, url) => {
    expect(endpoint.url(params)).toBe(url)
  })

  test('that are null take a default away', () => {
    expect(endpoint.url({ sort: null } as never)).toBe('/todo?limit=10')
  })

  test('are written by searchToString', () => {
    const own = endpoint.extend({ searchToString: (params) => `q=${Object.keys(params).join('|')}` })
    expect(own.url({ page: '2' })).toBe('/todo?q=sort|limit|page')
    expect(own.extend({ searchToString: () => '' }).url({})).toBe('/todo')
  })

  test('follow those that stand in the path', () => {
    const inPath = new TestEndpoint({ path: '/todo\\?kind=:kind', searchParams: { page: '' } })
    expect(inPath.url({ kind: 'a', page: 2 })).toBe('/todo?kind=a&page=2')
  })

  test('may be called `__proto__`, which reaches no prototype (G7)', () => {
    const any = new TestEndpoint({ path: '/todo', searchParams: {} as Record<string, string> })
    expect(any.url(JSON.parse('{ "__proto__": { "a": "1" }, "b": 2 }') as never)).toBe(
      '/todo?__proto__%5Ba%5D=1&b=2',
    )
  })
})

describe('key (E6)', () => {
  test('is method and full address', () => {
    const endpoint = new TestEndpoint({
      urlPrefix: 'https://a.example/',
      path: '/todo/:id',
      searchParams: {} as Record<string, number>,
    })
    expect(endpoint.key({ id: 5, b: 1, a: 2 })).toBe('GET https://a.example/todo/5?a=2&b=1')
  })

  test('is equal for numbers and their text, any order and undefined (S20)', () => {
    const endpoint = new TestEndpoint({ path: '/todo/:id', searchParams: { a: '', b: '' } })
    expect(endpoint.key({ id: '5', b: '1', a: 2 })).toBe(endpoint.key({ a: '2', b: 1, id: 5 }))
    expect(endpoint.key({ id: 5, a: undefined })).toBe(endpoint.key({ id: 5 }))
  })

  test('holds neither headers nor the body', () => {
    const endpoint = new TestEndpoint({
      path: '/todo',
      method: 'POST',
      getHeaders: () => ({ Authorization: 'secret' }),
    })
    expect(endpoint.key({ title: 'x' })).toBe('POST /todo')
  })

  test('of a read by POST includes its body, in a stable order', () => {
    const search = new TestEndpoint({ path: '/:group/search', method: 'POST', sideEffect: false })
    expect(search.key({ group: 'a' }, { text: 'a/b', limit: 5 })).toBe(
      'POST /a/search {"limit":"5","text":"a/b"}',
    )
    expect(search.key({ group: 'a' }, { limit: 5, text: 'a/b' })).toBe(
      search.key({ group: 'a' }, { text: 'a/b', limit: 5 }),
    )
    expect(search.key({ group: 'a' })).toBe('POST /a/search')
    expect(search.testKey(search.key({ group: 'a' }, { text: 'a/b' }))).toBe(true)
    expect(search.extend({ path: '/:group' }).testKey(search.key({ group: 'a' }, { text: 'a' }))).toBe(false)
    const alone = new TestEndpoint({ path: '/search', method: 'POST', sideEffect: false })
    expect(alone.key({ text: 'a' })).toBe('POST /search {"text":"a"}')
    expect(alone.key()).toBe('POST /search')
  })

  test('includes the body where an option says so', () => {
    const search = new TestEndpoint({
      path: '/search',
      method: 'POST',
      sideEffect: false,
      key: (body: { text: string }) => `POST /search ${body.text}`,
    })
    expect(search.key({ text: 'a' })).toBe('POST /search a')
  })

  test('of a call that misses a param is an error', () => {
    const endpoint = new TestEndpoint({ path: '/todo/:id' })
    expect(() => endpoint.key({} as never)).toThrow('is missing "id"')
  })
})

describe('the method', () => {
  test.each([
    [undefined, 'GET', undefined],
    ['GET', 'GET', undefined],
    ['head', 'HEAD', undefined],
    ['post', 'POST', true],
    ['PUT', 'PUT', true],
    ['PATCH', 'PATCH', true],
    ['DELETE', 'DELETE', true],
    ['OPTIONS', 'OPTIONS', true],
  ])('%s becomes %s, with sideEffect %s', (method, upper, sideEffect) => {
    const endpoint = new TestEndpoint({ path: '/todo', method })
    expect(endpoint.method).toBe(upper)
    expect(endpoint.sideEffect).toBe(sideEffect)
  })

  test('of a read becomes that of a mutation by extend, which is then a side effect (E3)', () => {
    const list = new TestEndpoint({ path: '/todo', schema: [Todo] })
    const create = list.extend({ method: 'POST' })
    expect([list.sideEffect, create.sideEffect]).toEqual([undefined, true])
    expect(create.key({})).toBe('POST /todo')
    expect(create.extend({ method: 'GET' }).sideEffect).toBeUndefined()
  })

  test('of a mutation may still be a read (E3)', () => {
    const search = new TestEndpoint({ path: '/todo', method: 'POST', sideEffect: false })
    expect(search.sideEffect).toBe(false)
    expect(search.extend({ schema: [Todo] }).sideEffect).toBe(false)
    expect(search.extend({ sideEffect: true }).sideEffect).toBe(true)
    expect(new TestEndpoint({ path: '/todo', sideEffect: true }).sideEffect).toBe(true)
  })
})

describe('name', () => {
  test('is method and path, or what an option says', () => {
    expect(new TestEndpoint({ path: '/todo/:id' }).name).toBe('GET /todo/:id')
    expect(new TestEndpoint({ path: '/todo', method: 'post' }).name).toBe('POST /todo')
    expect(new TestEndpoint({ path: '/todo', name: 'todos' }).name).toBe('todos')
  })

  test('stays through extend unless path or method change', () => {
    const endpoint = new TestEndpoint({ path: '/todo', name: 'todos' })
    expect(endpoint.extend({ schema: [Todo] }).name).toBe('todos')
    expect(endpoint.extend({ method: 'POST' }).name).toBe('POST /todo')
    expect(endpoint.extend({ path: '/all' }).name).toBe('GET /all')
    expect(endpoint.extend({ path: '/all', name: 'all' }).name).toBe('all')
  })
})

describe('extend', () => {
  test('keeps class and options, and leaves the original as it is', async () => {
    const endpoint = new TestEndpoint({
      urlPrefix: '/api',
      path: '/todo/:id',
      schema: Todo,
      dataExpiryLength: 5,
    })
    const derived = endpoint.extend({ schema: TodoSummary, invalidIfStale: true })
    expect(derived).toBeInstanceOf(TestEndpoint)
    expect(derived.schema).toBe(TodoSummary)
    expect(derived.dataExpiryLength).toBe(5)
    expect(derived.invalidIfStale).toBe(true)
    expect(endpoint.schema).toBe(Todo)
    expect(endpoint.invalidIfStale).toBeUndefined()
    await derived({ id: 1 })
    expect(sent[0]!.url).toBe('/api/todo/1')
  })

  test('parses a new path', () => {
    const endpoint = new TestEndpoint({ path: '/todo/:id' })
    expect(endpoint.extend({ path: '/:group/todo' }).url({ group: 'a' })).toBe('/a/todo')
    expect(() => endpoint.extend({ path: '/{' })).toThrow('"{" at 1 is never closed')
  })

  test('takes a schema away', () => {
    const endpoint = new TestEndpoint({ path: '/todo', schema: [Todo] })
    expect(endpoint.extend({ schema: undefined }).schema).toBeUndefined()
  })
})

describe('what a class declares', () => {
  class ApiEndpoint<const Options extends RestOptions = RestOptions> extends TestEndpoint<Options> {
    override urlPrefix: string | undefined = 'https://api.example'
    override dataExpiryLength: number | undefined = 1000
  }

  test('is used by every endpoint of it (E17)', () => {
    const endpoint = new ApiEndpoint({ path: '/todo' })
    expect(endpoint.url()).toBe('https://api.example/todo')
    expect(endpoint.dataExpiryLength).toBe(1000)
  })

  test('survives extend, and is weaker than an option of extend (E17)', () => {
    const endpoint = new ApiEndpoint({ path: '/todo' })
    expect(endpoint.extend({ path: '/all' }).url()).toBe('https://api.example/all')
    const other = endpoint.extend({ urlPrefix: '//other' })
    expect(other.url()).toBe('//other/todo')
    expect(other.extend({ dataExpiryLength: 5 }).url()).toBe('//other/todo')
    expect(other.extend({ dataExpiryLength: 5 }).dataExpiryLength).toBe(5)
  })

  test('is weaker than an option of a resource (E17)', () => {
    const own = createResource({ path: '/todo/:id', schema: Todo, Endpoint: ApiEndpoint })
    const other = createResource({ path: '/todo/:id', schema: Todo, Endpoint: ApiEndpoint, urlPrefix: '/x' })
    expect(own.get.url({ id: 1 })).toBe('https://api.example/todo/1')
    expect(other.get.url({ id: 1 })).toBe('/x/todo/1')
  })

  test('as its method decides whether it has a side effect', () => {
    class Patch extends TestEndpoint {
      override readonly method = 'PATCH' as never
    }
    expect(new Patch({ path: '/todo' }).sideEffect).toBe(true)
    expect(new Patch({ path: '/todo' }).extend({ method: 'GET' }).method).toBe('GET')
  })
})

describe('an answer', () => {
  const endpoint = new TestEndpoint({ name: 'Todo.get', urlPrefix: 'https://a.example', path: '/todo' })
  const typed = endpoint.extend({ schema: Todo })
  const url = 'https://a.example/todo'
  /** A response with an address, as `fetch` returns it. */
  const withType = (text: string, type: string | undefined) => {
    const response = new Response(text, { headers: type === undefined ? {} : { 'content-type': type } })
    if (type === undefined) response.headers.delete('content-type')
    return Object.defineProperty(response, 'url', { value: url })
  }

  test.each(['application/json', 'application/json; charset=utf-8', 'application/problem+json', 'text/json'])(
    'of type %s is parsed as JSON',
    async (type) => {
      answer = () => withType('{"id":5}', type)
      await expect(endpoint()).resolves.toEqual({ id: 5 })
    },
  )

  test.each([
    ['status 204', () => new Response(null, { status: 204 })],
    ['status 205', () => new Response(null, { status: 205 })],
    ['an empty body', () => new Response('')],
    ['an empty body of JSON', () => withType('', 'application/json')],
    ['an empty body of text', () => withType('', 'text/plain')],
  ])('with %s is null (E8)', async (_, response) => {
    answer = response
    await expect(endpoint()).resolves.toBeNull()
    await expect(typed()).resolves.toBeNull()
    await expect(endpoint.extend({ method: 'DELETE' })()).resolves.toBeNull()
  })

  test('to HEAD is null, whatever its type (E8)', async () => {
    answer = () => withType('', 'text/html')
    await expect(endpoint.extend({ method: 'HEAD' })()).resolves.toBeNull()
  })

  test('of text is the text, where there is no schema', async () => {
    answer = () => withType('hello', 'text/plain')
    await expect(endpoint()).resolves.toBe('hello')
  })

  test('of text without a type is the text, where there is no schema', async () => {
    answer = () => withType('hello', undefined)
    await expect(endpoint()).resolves.toBe('hello')
    await expect(typed()).rejects.toMatchObject({ code: 'body-unexpected' })
  })

  test.each(['image/png', 'application/octet-stream', 'application/pdf', 'video/mp4', 'application/zip'])(
    'of type %s is a Blob, where there is no schema',
    async (type) => {
      const bytes = new Uint8Array([0xff, 0xd8, 0x00])
      answer = () => new Response(bytes, { headers: { 'content-type': type } })
      const blob = await endpoint()
      expect(blob).toBeInstanceOf(Blob)
      expect((blob as Blob).type).toBe(type)
      expect([...new Uint8Array(await (blob as Blob).arrayBuffer())]).toEqual([...bytes])
      answer = () => new Response(new Uint8Array(), { headers: { 'content-type': type } })
      await expect(endpoint()).resolves.toBeNull()
      answer = () => new Response(bytes, { headers: { 'content-type': type } })
      await expect(typed()).rejects.toThrow(`received ${type} instead of JSON`)
    },
  )

  test.each([
    'text/csv',
    'application/xml',
    'image/svg+xml',
    'application/x-ndjson',
    'application/javascript',
    'application/x-www-form-urlencoded',
    'application/x-own; charset=utf-8',
  ])('of type %s is text, where there is no schema', async (type) => {
    answer = () => withType('a=1', type)
    await expect(endpoint()).resolves.toBe('a=1')
  })

  test('that is JSON without a type is parsed', async () => {
    answer = () => withType('{"id":5}', undefined)
    await expect(typed()).resolves.toEqual({ id: 5 })
  })

  const check =
    'Check the address. A page for unknown addresses and a sign-in page send HTML with status 200.'

  test.each([
    [
      'HTML',
      () => endpoint,
      '<!doctype html>',
      'text/html; charset=utf-8',
      'text/html; charset=utf-8 instead of JSON',
    ],
    ['HTML for a schema', () => typed, '<html>', 'text/html', 'text/html instead of JSON'],
    ['XHTML', () => endpoint, '<html/>', 'application/xhtml+xml', 'application/xhtml+xml instead of JSON'],
    ['text for a schema', () => typed, 'hello', 'text/plain', 'text/plain instead of JSON'],
  ])('of %s is an error of status 400 that names address and type (E9)', async (_, at, text, type, found) => {
    answer = () => withType(text, type)
    await expect(at()()).rejects.toMatchObject({
      name: 'SelfsameError',
      code: 'body-unexpected',
      status: 400,
      message: lines(`Todo.get received ${found} from GET ${url}.`, check),
    })
  })

  test('of JSON that breaks off is an error of status 400 that says to look at it', async () => {
    answer = () => withType('{', 'application/json')
    await expect(endpoint()).rejects.toMatchObject({
      code: 'body-unexpected',
      status: 400,
      message: lines(
        `Todo.get received application/json that is not valid JSON from GET ${url}.`,
        'Look at the response: the server sent something else, or only a part of it.',
      ),
    })
  })

  test('that does not know its address is named by the path', async () => {
    answer = () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    await expect(endpoint()).rejects.toThrow('received text/html instead of JSON from GET /todo.')
  })

  test('of nothing that is known, and is not JSON, is an error (E9)', async () => {
    answer = () => withType('<html>', undefined)
    const error = await endpoint().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      message: lines(
        'Todo.get received text without a content type that is not valid JSON from GET https://a.example/todo.',
        check,
      ),
    })
    expect((error as Error).cause).toBeInstanceOf(SyntaxError)
  })
})

describe('a status that is not 2xx', () => {
  const endpoint = new TestEndpoint({ name: 'Todo.create', path: '/todo', method: 'POST' })
  const failure = async () => {
    const error: unknown = await endpoint({ title: '' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NetworkError)
    return error as NetworkError
  }

  test('is a NetworkError with the parsed body, and the response still readable (E11)', async () => {
    answer = () => Response.json({ title: ['is empty'] }, { status: 422, statusText: 'Unprocessable Entity' })
    const error = await failure()
    expect(error.message).toBe('Todo.create failed: 422 Unprocessable Entity from POST /todo.')
    expect(error.status).toBe(422)
    expect(error.body).toEqual({ title: ['is empty'] })
    expect(error.response!.bodyUsed).toBe(false)
    await expect(error.response!.json()).resolves.toEqual({ title: ['is empty'] })
  })

  test.each([
    ['text', () => new Response('no', { status: 500 }), 'no', '500'],
    ['nothing', () => new Response(null, { status: 404 }), undefined, '404'],
    [
      'HTML',
      () => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }),
      '<html>',
      '502 Bad Gateway',
    ],
    [
      'JSON that is not',
      () => new Response('{', { status: 400, headers: { 'content-type': 'application/json' } }),
      '{',
      '400',
    ],
  ])('with a body of %s keeps it as it is', async (_, response, body, status) => {
    answer = response
    const error = await failure()
    expect(error.body).toEqual(body)
    expect(error.message).toBe(`Todo.create failed: ${status} from POST /todo.`)
  })

  test('is not parsed by parseResponse', async () => {
    answer = () => new Response(null, { status: 500 })
    const parseResponse = vi.fn()
    await expect(endpoint.extend({ parseResponse })({})).rejects.toThrow('500')
    expect(parseResponse).not.toHaveBeenCalled()
  })
})

describe('no answer (E10)', () => {
  const endpoint = new TestEndpoint({ name: 'Todo.get', path: '/todo/:id' })
  const failure = (cause: unknown) => {
    answer = () => Promise.reject(cause as Error)
    return endpoint({ id: 5 }).catch((thrown: unknown) => thrown)
  }

  test('is a NetworkError without a status', async () => {
    const cause = new TypeError('Failed to fetch')
    const error = await failure(cause)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ status: undefined, response: undefined, body: undefined, cause })
    expect((error as Error).message).toBe(
      lines(
        'Todo.get failed: no response from GET /todo/5 (TypeError was thrown, see the `cause`).',
        'The server is not reachable, or it does not allow requests from this page (CORS).',
      ),
    )
  })

  test.each(['AbortError', 'TimeoutError'])('because of an %s stays that error', async (name) => {
    const cause = new DOMException('ended', name)
    expect(await failure(cause)).toBe(cause)
  })

  test.each([['text'], [null], [undefined], [{ status: 401 }]])(
    'that is thrown as %o is a proper error with it as cause (E12)',
    async (cause) => {
      const error = await failure(cause)
      expect(error).toBeInstanceOf(NetworkError)
      expect(error).toHaveProperty('cause', cause)
    },
  )

  test('where the body breaks off is a NetworkError too', async () => {
    answer = () =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.error(new TypeError('terminated'))
          },
        }),
        { headers: { 'content-type': 'application/json' } },
      )
    const error = await endpoint({ id: 5 }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ status: undefined, cause: expect.any(TypeError) })
    expect((error as Error).message).toBe(
      lines(
        'Todo.get failed: the response from GET /todo/:id broke off (TypeError was thrown, see the `cause`).',
        'The connection was lost while the body was read, or the body does not match its headers.',
      ),
    )
  })

  test('to a relative address outside of a page is said to be one', async () => {
    const plain = new RestEndpoint({ name: 'Todo.get', path: '/todo/:id' })
    const error = await plain({ id: 5 }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'definition-invalid', cause: expect.any(TypeError) })
    expect((error as Error).message).toBe(
      lines(
        'Todo.get cannot send a request to /todo/5: outside a page, a URL must be absolute.',
        "Set the option `urlPrefix` of the endpoint, for example to 'https://api.example.com'.",
      ),
    )
  })
})

describe('getRequestInit', () => {
  class Custom extends TestEndpoint {
    override getRequestInit(body?: unknown) {
      return { ...super.getRequestInit(body), credentials: 'same-origin' as const }
    }
  }
  const created = { path: '/todo', method: 'POST', body: {}, name: 'Todo.create' } as const

  test('may be synchronous, in a subclass and as an option', async () => {
    answer = () => Response.json({})
    sent.length = 0
    await new Custom(created)({ title: 'x' } as never)
    await new TestEndpoint({
      ...created,
      getRequestInit: (body) => ({ method: 'POST', body: JSON.stringify(body) }),
    })({ title: 'x' })
    await new TestEndpoint({ path: '/todo', getRequestInit: () => ({ credentials: 'include' }) })()
    expect(sent.map(({ init }) => init)).toEqual([
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"title":"x"}',
        credentials: 'same-origin',
      },
      { method: 'POST', body: '{"title":"x"}' },
      { credentials: 'include' },
    ])
  })

  class Async extends Custom {
    override getHeaders() {
      return Promise.resolve({ 'X-Token': 't' })
    }
  }

  test.each<[string, () => object, string]>([
    ['nothing', () => new TestEndpoint({ ...created, getRequestInit: (() => {}) as never }), 'nothing'],
    ['a list', () => new TestEndpoint({ ...created, getRequestInit: (() => []) as never }), 'an array'],
    [
      'headers',
      () => new TestEndpoint({ ...created, getRequestInit: () => new Headers() as never }),
      'an object',
    ],
    ['what is spread of a promise', () => new Async(created) as never, 'an init without the method POST'],
    [
      'no body',
      () => new TestEndpoint({ ...created, getRequestInit: () => ({ method: 'POST' }) }),
      'an init without the body',
    ],
  ])('is refused before anything is sent where it returns %s', async (_, make, found) => {
    sent.length = 0
    await expect((make() as RestEndpoint)({ title: 'x' } as never)).rejects.toMatchObject({
      code: 'definition-invalid',
      message: lines(
        `getRequestInit() of Todo.create returned ${found}. The request was not sent.`,
        'Return { ...super.getRequestInit(body) } with your additions. If getHeaders() is async, write `await` before super.',
      ),
    })
    expect(sent).toEqual([])
  })
})

describe('a step that throws (E12)', () => {
  const cause = new RangeError('no')
  const fail = () => {
    throw cause
  }

  test.each([
    ['url', { url: fail }],
    ['searchToString', { searchToString: fail }],
    ['getHeaders', { getHeaders: fail }],
    ['getRequestInit', { getRequestInit: fail }],
    ['parseResponse', { parseResponse: fail }],
    ['process', { process: fail }],
  ] satisfies [string, Partial<RestOptions>][])('%s rejects the call with its error', async (_, options) => {
    const endpoint = new TestEndpoint({ path: '/todo', ...options })
    await expect(endpoint()).rejects.toBe(cause)
  })

  test('process may be asynchronous', async () => {
    const endpoint = new TestEndpoint({ path: '/todo', process: (value: object) => Promise.resolve([value]) })
    await expect(endpoint()).resolves.toEqual([{}])
  })
})

describe('ownsPayload', () => {
  test('is true unless a step of the user has seen the payload', () => {
    const endpoint = new TestEndpoint({ path: '/todo' })
    expect(endpoint.ownsPayload).toBe(true)
    expect(endpoint.extend({ schema: Todo }).ownsPayload).toBe(true)
    expect(endpoint.extend({ process: (value: unknown) => value }).ownsPayload).toBe(false)
    expect(endpoint.extend({ parseResponse: (response) => response.json() }).ownsPayload).toBe(false)
    class Parsed extends TestEndpoint {
      override parseResponse(response: Response) {
        return super.parseResponse(response)
      }
    }
    expect(new Parsed({ path: '/todo' }).ownsPayload).toBe(false)
  })
})

describe('sharesRequestWith', () => {
  const endpoint = new TestEndpoint({ path: '/todo', schema: [Todo] })

  test('is true for another schema (3, Same address, two schemas)', () => {
    expect(endpoint.sharesRequestWith(endpoint.extend({ schema: [TodoSummary] }))).toBe(true)
    expect(endpoint.sharesRequestWith(new TestEndpoint({ path: '/todo' }))).toBe(true)
  })

  test.each([
    ['process', { process: (value: unknown) => value }],
    ['parseResponse', { parseResponse: (response: Response) => response.json() as Promise<unknown> }],
    ['getRequestInit', { getRequestInit: () => ({}) }],
    ['getHeaders', { getHeaders: () => ({}) }],
    ['fetchResponse', { fetchResponse: () => Promise.resolve(new Response()) }],
  ])('is false for another %s', (_, options) => {
    const other = endpoint.extend(options)
    expect(endpoint.sharesRequestWith(other)).toBe(false)
    expect(other.sharesRequestWith(endpoint)).toBe(false)
    expect(other.sharesRequestWith(other.extend({ schema: undefined }))).toBe(true)
  })

  test('is false for another class, and for what is no REST endpoint', () => {
    expect(endpoint.sharesRequestWith(new RestEndpoint({ path: '/todo' }))).toBe(false)
    expect(endpoint.sharesRequestWith(Object.assign(() => Promise.resolve(), { key: () => '' }))).toBe(false)
  })
})

describe('a definition', () => {
  test.each([['dataExpiryLength'], ['errorExpiryLength']])('refuses a negative %s (F15)', (option) => {
    for (const length of [-1, Number.NaN, '5']) {
      expect(() => new TestEndpoint({ path: '/todo', name: 'todos', [option]: length })).toThrow(
        lines(`todos has ${option} ${length}.`, 'Use a number of milliseconds from 0 to Infinity.'),
      )
    }
    for (const length of [0, Infinity, undefined]) {
      expect(() => new TestEndpoint({ path: '/todo', [option]: length })).not.toThrow()
    }
  })

  test('refuses a path that cannot be read', () => {
    expect(() => new TestEndpoint({ path: '/:id/:id' })).toThrow('":id" occurs twice')
  })

  test('is a function that is an instance of its class', () => {
    const endpoint = new TestEndpoint({ path: '/todo' })
    expect(typeof endpoint).toBe('function')
    expect(endpoint).toBeInstanceOf(TestEndpoint)
    expect(endpoint).toBeInstanceOf(RestEndpoint)
    expect(endpoint.path).toBe('/todo')
  })

  test('sends a request in the first microtask, in which SvelteKit still answers from the page', async () => {
    answer = () => Response.json({ id: 5 })
    void new TestEndpoint({ path: '/todo/:id', schema: Todo })({ id: 5 })
    await Promise.resolve()
    expect(sent).toHaveLength(1)
  })
})

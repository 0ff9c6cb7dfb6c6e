import { expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { ConditionalEndpoint, createResource } from '../rest.js'
import type { RestOptions } from '../rest.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

class CheckedEndpoint<const Options extends RestOptions> extends ConditionalEndpoint<Options> {
  override get ifMatch() {
    return true
  }
}

/** A server whose addresses all have one ETag, and the log of its conditions. */
function setUp(etag: string | null, Endpoint: typeof ConditionalEndpoint = ConditionalEndpoint) {
  const log: string[] = []
  const send: typeof fetch = async (url, init = {}) => {
    const headers = new Headers(init.headers)
    log.push(`${init.method} ${headers.get('if-none-match') ?? headers.get('if-match') ?? 'always'}`)
    const isKnown = headers.has('if-none-match')
    const list = [{ id: 5, title: 'A' }]
    const body = new URL(String(url)).pathname === '/todo' && init.method === 'GET' ? list : list[0]
    return new Response(isKnown ? null : JSON.stringify(body), {
      status: isKnown ? 304 : 200,
      headers: { 'content-type': 'application/json', ...(etag && { etag }) },
    })
  }
  const options = { urlPrefix: 'https://api.test', path: '/todo/:id', schema: Todo, Endpoint } as const
  return { controller: new Controller({ fetch: send }), todos: createResource(options), log }
}

test('a list is read under the condition, and a create is sent without one', async () => {
  const { controller, todos, log } = setUp('"1"', CheckedEndpoint as typeof ConditionalEndpoint)
  const first = await controller.fetch(todos.getList, {})
  await controller.fetch(todos.create, { title: 'B' })
  expect(await controller.fetch(todos.getList, {})).toEqual(first)
  expect(log).toEqual(['GET always', 'POST always', 'GET always'])
  await controller.fetch(todos.getList, {})
  expect(log.at(-1)).toBe('GET "1"')
})

test.each([
  ['a weak ETag', 'W/"1"', CheckedEndpoint, 'PATCH always'],
  ['an ETag', '"1"', CheckedEndpoint, 'PATCH "1"'],
  ['an ETag, without `ifMatch`', '"1"', ConditionalEndpoint, 'PATCH always'],
  ['no ETag', null, CheckedEndpoint, 'PATCH always'],
])('a change after %s', async (_name, etag, Endpoint, sent) => {
  const { controller, todos, log } = setUp(etag, Endpoint as typeof ConditionalEndpoint)
  await controller.fetch(todos.get, { id: 5 })
  await controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'B' })
  expect(log).toEqual(['GET always', sent])
})

test('two Controllers keep nothing of each other', async () => {
  const { controller, todos, log } = setUp('"1"')
  const other = setUp('"1"')
  await controller.fetch(todos.get, { id: 5 })
  await other.controller.fetch(todos.get, { id: 5 })
  expect([...log, ...other.log]).toEqual(['GET always', 'GET always'])
})

test('an endpoint that reads the response in another way asks for all of it', async () => {
  const { controller, todos, log } = setUp('"1"')
  const getTitle = todos.get.extend({ schema: undefined, process: ({ title }: Todo) => title })
  await controller.fetch(todos.get, { id: 5 })
  expect(await controller.fetch(getTitle, { id: 5 })).toBe('A')
  expect(log).toEqual(['GET always', 'GET always'])
})

test('a Controller keeps the addresses that were asked for last', async () => {
  const { controller, todos, log } = setUp('"1"')
  for (let id = 0; id <= 200; id++) await controller.fetch(todos.get, { id }).catch(() => {})
  log.length = 0
  await controller.fetch(todos.get, { id: 1 })
  await controller.fetch(todos.get, { id: 0 }).catch(() => {})
  expect(log).toEqual(['GET "1"', 'GET always'])
})

test('what a reader does with a response does not reach the next one', async () => {
  const { controller, todos } = setUp('"1"')
  const getPlain = todos.get.extend({ schema: undefined })
  const first = (await controller.fetch(getPlain, { id: 5 })) as unknown as { title: string }
  expect(() => (first.title = 'B')).toThrow('read only')
  expect(await controller.fetch(getPlain, { id: 5 })).toEqual({ id: 5, title: 'A' })
})

test('a call without a Controller has no condition', async () => {
  const { log } = setUp('"1"')
  const getTodo = new ConditionalEndpoint({
    urlPrefix: 'https://api.test',
    path: '/todo/:id',
    fetchResponse: async (_url, init) => {
      log.push(`GET ${new Headers(init.headers).get('if-none-match')}`)
      return Response.json({ id: 5 }, { headers: { etag: '"1"' } })
    },
  })
  await getTodo({ id: 5 })
  await getTodo({ id: 5 })
  expect(log).toEqual(['GET null', 'GET null'])
})

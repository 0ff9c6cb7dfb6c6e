import { Controller, Endpoint, Entity, schema } from '@selfsame/core'
import type { FetchContext } from '@selfsame/core'
import {
  ConditionalEndpoint,
  RestEndpoint,
  createResource,
} from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { afterEach, expect, test, vi } from 'vitest'
import { serve } from './testing-network.js'
import { optimistic } from '@selfsame/core/optimistic'

// The samples of docs/rest.md that need no framework.

afterEach(() => vi.unstubAllGlobals())

class Todo extends Entity {
  id = 0
  title = ''
  votes = 0
  static override key = 'Todo'
}

class Article extends Entity {
  id = 0
  title = ''
  static override key = 'Article'
}

class CheckedEndpoint<
  const Options extends RestOptions,
> extends ConditionalEndpoint<Options> {
  override get ifMatch() {
    return true
  }
}

const lines = (requests: ReturnType<typeof serve>) =>
  requests.map(({ line }) => line)

test('a resource has members', async () => {
  const requests = serve({
    'GET /a/todo/5': { id: 5 },
    'GET /a/todo': [],
    'POST /a/todo': { id: 6 },
  })
  const todoResource = createResource({
    urlPrefix: 'https://api.example.com',
    path: '/:group/todo/:id',
    schema: Todo,
    searchParams: { author: undefined as number | undefined, sort: 'date' },
    dataExpiryLength: 30_000,
  })
  void todoResource.get({ group: 'a', id: 5 })
  void todoResource.getList({ group: 'a', author: 2 })
  void todoResource.create({ group: 'a' }, { title: 'x' })
  await vi.waitFor(() => expect(requests).toHaveLength(3))
  expect(lines(requests)).toEqual([
    'GET /a/todo/5',
    'GET /a/todo?author=2&sort=date',
    'POST /a/todo',
  ])
  void todoResource.getList({ group: 'a' })
  await vi.waitFor(() =>
    expect(lines(requests).at(-1)).toBe('GET /a/todo?sort=date'),
  )
})

test('a resource is extended', () => {
  const articles = createResource({
    path: '/article/:id',
    schema: Article,
  }).extend(({ getList }) => ({
    getPopular: getList.extend({ path: '/article/popular' }),
  }))
  expect(articles.getPopular.key()).toBe('GET /article/popular')
})

test('a list has the endpoints that change it', async () => {
  let id = 1
  const requests = serve({
    'POST /todo': () => ({ id: ++id }),
    'PATCH /todo/5': { id: 5 },
    'GET /todo': [{ id: 1 }, { id: 5 }],
  })
  const controller = new Controller()
  const todoResource = createResource({
    urlPrefix: 'https://api.example.com',
    path: '/todo/:id',
    schema: Todo,
  })
  await controller.fetch(todoResource.getList)
  const { getList } = todoResource
  await controller.fetch(getList.push, { title: 'x' })
  await controller.fetch(getList.unshift, { title: 'x' })
  await controller.fetch(getList.move, { id: 5 }, { votes: 2 })
  await controller.fetch(getList.remove, { id: 5 }, { votes: 0 })
  expect(
    controller.read(todoResource.getList).data?.map(({ id: listed }) => listed),
  ).toEqual([3, 1, 2])
  expect(lines(requests)).toEqual([
    'GET /todo',
    'POST /todo',
    'POST /todo',
    'PATCH /todo/5',
    'PATCH /todo/5',
  ])
})

test('pages name what remains of their params', async () => {
  const requests = serve({
    'GET /article?author=2': [{ id: 1 }],
    'GET /article': [{ id: 2 }],
  })
  const controller = new Controller()
  const getList = new RestEndpoint({
    urlPrefix: 'https://api.example.com',
    path: '/article',
    searchParams: {} as { author?: number },
    schema: [Article],
  })
  const getNextPage = getList.paginated(
    ({
      cursor,
      size,
      ...rest
    }: {
      cursor: string
      size: number
      author?: number
    }) => [rest],
  )
  await controller.fetch(getList, { author: 2 })
  await controller.fetch(getNextPage, { author: 2, cursor: '1', size: 1 })
  expect(lines(requests)).toEqual([
    'GET /article?author=2',
    'GET /article?author=2&cursor=1&size=1',
  ])
  expect(
    controller.read(getList, { author: 2 }).data?.map(({ id }) => id),
  ).toEqual([1, 2])
})

test('an expectation is shown early', async () => {
  serve({ 'PATCH /todo/5': () => new Promise(() => {}) })
  const controller = new Controller()
  const todoResource = createResource({
    path: '/todo/:id',
    schema: Todo,
    optimistic,
  })
  controller.set(Todo, { id: 5 }, { title: 'Old' })
  void controller.fetch(todoResource.partialUpdate, { id: 5 }, { title: 'New' })
  expect(controller.get(Todo, { id: 5 })?.title).toBe('New')
})

test('an endpoint expects what it says', async () => {
  serve({ 'POST /todo/5/vote': { id: 5, votes: 8 } })
  const controller = new Controller()
  const vote = new RestEndpoint({
    path: '/todo/:id/vote',
    method: 'POST',
    body: undefined,
    schema: Todo,
    getOptimisticResponse: optimistic((snapshot, { id }: { id: number }) => {
      const todo = snapshot.get(Todo, { id })
      return todo && { id, votes: todo.votes + 1 }
    }),
  })
  controller.set(Todo, { id: 5 }, { votes: 1 })
  const voted = controller.fetch(
    vote.extend({ urlPrefix: 'https://api.example.com' }),
    { id: 5 },
  )
  expect(controller.get(Todo, { id: 5 })?.votes).toBe(2)
  expect((await voted)!.votes).toBe(8)
})

test('a class sends cookies', async () => {
  const inits: RequestInit[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    inits.push(init)
    return Response.json({ id: 5 })
  })
  class AppEndpoint<
    const Options extends RestOptions,
  > extends RestEndpoint<Options> {
    override async getRequestInit(body?: unknown): Promise<RequestInit> {
      return {
        ...(await super.getRequestInit(body)),
        credentials: 'same-origin',
      }
    }
  }
  const todoResource = createResource({
    path: '/todo/:id',
    schema: Todo,
    Endpoint: AppEndpoint,
  })
  await todoResource.get.extend({ urlPrefix: 'https://api.example.com' })({
    id: 5,
  })
  expect(inits[0]?.credentials).toBe('same-origin')
})

test('a read of an endpoint of one’s own is aborted', async () => {
  const signals: (AbortSignal | undefined)[] = []
  const index = {
    search: (text: string, { signal }: { signal: AbortSignal | undefined }) => {
      signals.push(signal)
      return new Promise<string[]>(() => {})
    },
  }
  const search = new Endpoint(
    function (this: FetchContext, { text }: { text: string }) {
      return index.search(text, { signal: this.signal })
    },
    { name: 'search' },
  )
  const controller = new Controller()
  controller.fetch(search, { text: 'a' }).catch(() => {})
  expect(signals[0]?.aborted).toBe(false)
  controller.resetAll()
  expect(signals[0]?.aborted).toBe(true)
})

test('a mutation is aborted by its endpoint’s signal', async () => {
  serve({ 'PUT /file': () => new Promise(() => {}) })
  const uploadFile = new RestEndpoint({
    urlPrefix: 'https://api.example.com',
    path: '/file',
    method: 'PUT',
    body: {} as Blob,
  })
  const controller = new Controller()
  const file = new Blob(['x'])
  const abort = new AbortController()
  const upload = controller.fetch(
    uploadFile.extend({ signal: abort.signal }),
    {},
    file,
  )
  abort.abort()
  await expect(upload).rejects.toMatchObject({ name: 'AbortError' })
})

interface Statistics {
  readonly open: number
}

test('a mutation changes other calls', async () => {
  serve({
    'GET /statistics': { open: 3 },
    'DELETE /todo/5': { id: 5 },
    'GET /todo': [{ id: 5 }],
  })
  const controller = new Controller()
  const todoResource = createResource({
    urlPrefix: 'https://api.example.com',
    path: '/todo/:id',
    schema: Todo,
  })
  const getStatistics = new RestEndpoint({
    urlPrefix: 'https://api.example.com',
    path: '/statistics',
  })
  const archive = todoResource.delete.extend({
    update: () => ({
      [getStatistics.key()]: (statistics: Statistics) => ({
        ...statistics,
        open: statistics.open - 1,
      }),
    }),
  })
  await controller.fetch(getStatistics)
  await controller.fetch(todoResource.getList)
  await controller.fetch(archive, { id: 5 })
  expect(controller.read(getStatistics).data).toEqual({ open: 2 })

  controller.expireAll(todoResource.getList)
  expect(controller.read(todoResource.getList)).toMatchObject({
    status: 'Stale',
    data: [],
  })
  controller.invalidateAll(todoResource.getList)
  expect(controller.read(todoResource.getList).status).toBe('Invalid')
})

test('calls are invalidated and expired together', async () => {
  serve({ 'GET /todo': [{ id: 5 }] })
  const controller = new Controller()
  const todoResource = createResource({
    urlPrefix: 'https://api.example.com',
    path: '/todo/:id',
    schema: Todo,
  })
  await controller.fetch(todoResource.getList)
  controller.invalidateAll(todoResource.getList)
  controller.expireAll(todoResource.getList)
  expect(controller.read(todoResource.getList).status).toBe('Invalid')
})

test('a feed is paged by its token', () => {
  const getFeed = new RestEndpoint({
    path: '/feed',
    schema: { results: new schema.Collection([Article]), nextPage: '' },
    paginationField: 'page',
  })
  expect(getFeed.getPage.key({ page: 'x' })).toContain('page=x')
})

test('a search by POST is a call for each body', async () => {
  const requests = serve({ 'POST /todo/search': [{ id: 5 }] })
  const controller = new Controller()
  const searchTodos = new RestEndpoint({
    urlPrefix: 'https://api.example.com',
    path: '/todo/search',
    method: 'POST',
    sideEffect: false,
    body: {} as { text: string; tags: string[] },
    schema: [Todo],
  })
  const found = await controller.fetchIfStale(searchTodos, {
    text: 'milk',
    tags: ['home'],
  })
  expect(found).toMatchObject([{ id: 5 }])
  await controller.fetchIfStale(searchTodos, { text: 'tea', tags: ['home'] })
  await controller.fetchIfStale(searchTodos, { tags: ['home'], text: 'milk' })
  expect(lines(requests)).toEqual(['POST /todo/search', 'POST /todo/search'])
})

test('a refetch asks only for what has changed', async () => {
  const statuses: number[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const isKnown = new Headers(init.headers).get('if-none-match') === '"1"'
    statuses.push(isKnown ? 304 : 200)
    return isKnown
      ? new Response(null, { status: 304 })
      : Response.json({ id: 5 }, { headers: { etag: '"1"' } })
  })
  const todos = createResource({
    urlPrefix: 'https://api.example.com',
    path: '/todo/:id',
    schema: Todo,
    Endpoint: ConditionalEndpoint,
  })
  const controller = new Controller()
  await controller.fetch(todos.get, { id: 5 })
  const { data } = controller.read(todos.get, { id: 5 })
  await controller.fetch(todos.get, { id: 5 })
  expect(statuses).toEqual([200, 304])
  expect(controller.read(todos.get, { id: 5 }).data).toBe(data)
})

test('a change is sent with the version that it is based on', async () => {
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push(new Headers(init.headers).get('if-match'))
    return Response.json({ id: 5 }, { headers: { etag: '"1"' } })
  })
  const noteResource = createResource({
    urlPrefix: 'https://api.example.com',
    path: '/note/:id',
    schema: Todo,
    Endpoint: CheckedEndpoint,
  })
  const controller = new Controller()
  await controller.fetch(noteResource.get, { id: 5 })
  await controller.fetch(noteResource.update, { id: 5 }, { title: 'x' })
  expect(sent).toEqual([null, '"1"'])
})

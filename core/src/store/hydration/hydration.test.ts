import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from '../../../../conformance/src/clock.js'
import { Controller, Endpoint, Entity, Query, schema } from '../../index.js'
import { Observer, PagesObserver } from '../../bindings.js'
import { callsOf } from '../../controller/calls.js'
import { dehydrate, dehydrateChanges, hydrate } from '../../hydration.js'
import type { ReadEndpoint, Schema } from '../../index.js'
import type { DehydratedState } from '../../hydration.js'
import { RestEndpoint } from '../../rest.js'
import { optimistic } from '../../optimistic/optimistic.js'

class User extends Entity {
  id = 0
  name = ''
  born: Date | undefined
  friends: User[] = []
  static override key = 'User'
  static override schema: Record<string, Schema> = { born: Date }
}
User.schema.friends = [User]
class Link extends Entity {
  id = 0
  url = ''
  static override key = 'Link'
}
class Post extends Entity {
  id = 0
  title = ''
  author: User | undefined
  comments: Comment[] = []
  static override key = 'Post'
  static override schema: Record<string, Schema> = { author: User }
}
class Comment extends Entity {
  id = 0
  body = ''
  static override key = 'Comment'
}
Post.schema.comments = new schema.Collection([Comment])
const feed = new schema.Array({ link: Link, post: Post }, 'type')
const posts = new schema.Collection([Post])

const answered = <const S extends Schema | undefined>(name: string, answerSchema: S, payload: unknown) =>
  new Endpoint((_params: object = {}) => Promise.resolve(payload as never), { name, schema: answerSchema })

const detail = answered('detail', Post, {
  id: 1,
  title: 'a',
  author: { id: 1, name: 'Ann', born: '2000-01-01T00:00:00.000Z', friends: [{ id: 2, friends: [1] }] },
  comments: [{ id: 7, body: 'hi' }],
})
const list = answered('list', posts, [{ id: 1 }, { id: 2, title: 'b', author: 1 }])
const wrapped = answered('wrapped', { results: [Post], next: '' }, { results: [{ id: 2 }], next: 'x' })
const mixed = answered('mixed', feed, [
  { id: 1, type: 'link', url: 'u' },
  { id: 1, type: 'post' },
  { id: 3, type: 'other', $list: 0, key: 'x' },
])
const map = answered('map', new schema.Values(User), { ['__proto__']: { id: 1 }, second: { id: 2 } })
const plain = answered('plain', undefined, {
  $record: ['User', '1'],
  reference: { $record: ['User', '1'] },
  wrapped: { $: { $list: 0 } },
  deep: [{ $list: 0 }, { a: null }],
})
const everything = [detail, list, wrapped, mixed, map, plain] as unknown as (typeof detail)[]

/** The state as the page receives it. */
const sent = (controller: Controller) => JSON.parse(JSON.stringify(dehydrate(controller))) as DehydratedState

async function serve(clock = new ManualClock()) {
  const server = new Controller({ clock })
  for (const endpoint of everything) await server.fetch(endpoint)
  return { server, clock }
}

function hydrated(state: DehydratedState, clock = new ManualClock()): Controller {
  const page = new Controller({ clock })
  hydrate(page, state)
  return page
}

describe('an answer that holds itself', () => {
  interface Folder {
    name: string
    readonly folders: Folder[]
    parent?: Folder
  }
  const getFolder = new Endpoint(
    ({ length }: { length: number }) => {
      const folder: Folder = { name: 'a', folders: [] }
      let deepest = folder
      for (let left = length; left > 0; left--) {
        deepest.folders.push((deepest = { name: 'b', folders: [] }))
      }
      deepest.parent = folder
      return Promise.resolve(folder)
    },
    { name: 'getFolder' },
  )

  const watchWarnings = () => {
    const spy = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => spy.mockRestore())
    return spy
  }

  test.each([0, 1, 1000])('is left out, with a warning, when it does %s levels below', async (length) => {
    const { server } = await serve()
    const warned = watchWarnings()
    const expected = sent(server)
    await server.fetch(getFolder, { length })
    await server.fetch(getFolder, { length })
    expect(sent(server)).toEqual(expected)
    expect(warned.mock.calls.map(String)).toEqual([
      expect.stringContaining(
        `so the page requests it again: dehydrate() cannot write an object that contains itself.`,
      ),
    ])
  })

  test('leaves the lists beside it to other answers', async () => {
    const warned = watchWarnings()
    const payload: Record<string, unknown> = { todos: [{ id: 1, title: 'a' }] }
    payload['self'] = payload
    const both = new Endpoint((_params: object = {}) => Promise.resolve(payload as never), {
      name: 'both',
      schema: { todos: posts },
    })
    const server = new Controller({ clock: new ManualClock() })
    await server.fetch(both)
    await server.fetch(list)
    const page = hydrated(sent(server))
    expect(page.read(list).data).toEqual(server.read(list).data)
    expect(page.read(both).data).toEqual({ todos: page.read(list).data })
    expect(warned).toHaveBeenCalledTimes(1)
  })

  test('data that is shared or deep, and ends, is written down', async () => {
    const shared = { a: 1 }
    let deep: object = { shared, again: [shared, shared] }
    for (let level = 0; level < 1000; level++) deep = { deep, shared }
    const getDeep = answered('getDeep', undefined, deep)
    const server = new Controller({ clock: new ManualClock() })
    await server.fetch(getDeep)
    expect(hydrated(sent(server)).read(getDeep).data).toEqual(deep)
  })
})

describe('hydrate', () => {
  test('gives a page what the server has, whatever the schema, in any order of asking', async () => {
    const { server } = await serve()
    const state = sent(server)
    fc.assert(
      fc.property(fc.shuffledSubarray(everything), (order) => {
        const page = hydrated(state)
        for (const endpoint of order) {
          const { data, status } = page.read(endpoint)
          expect(data).toEqual(server.read(endpoint).data)
          expect(status).toBe('Valid')
        }
      }),
      { numRuns: 50 },
    )
  })

  test('a record is the selfsame through all calls, and through cycles', async () => {
    const page = hydrated(sent((await serve()).server))
    const post = page.read(detail).data!
    expect(page.read(list).data![0]).toBe(post)
    expect(page.read(list).data![1]!.author).toBe(post.author)
    expect(post.author!.friends[0]!.friends[0]).toBe(post.author)
    expect(page.get(User, { id: 1 })).toBe(post.author)
    expect(post.author!.born).toEqual(new Date('2000-01-01'))
  })

  test('makes no request for what is Valid, and a later answer changes no identity', async () => {
    const { server, clock } = await serve()
    const page = hydrated(sent(server), clock)
    const observer = new Observer(page, list, [])
    const reading = observer.readOrFetch()
    expect(reading.state).toBe('success')
    observer.fetchIfDue()
    expect(page.read(list).fetching).toBe(false)
    const before = page.read(list).data
    await page.fetch(list)
    expect(page.read(list).data).toBe(before)
  })

  test('counts ages from when the server received it (B8)', async () => {
    const { server, clock } = await serve()
    const state = sent(server)
    clock.advance(50_000)
    const page = hydrated(state, clock)
    expect(page.read(detail).expiresAt).toBe(server.read(detail).expiresAt)
    expect(page.read(plain).status).toBe('Valid')
    clock.advance(10_000)
    expect([page.read(detail).status, page.read(list).status, page.read(plain).status]).toEqual([
      'Stale',
      'Stale',
      'Stale',
    ])
  })

  test('a server whose clock is ahead makes nothing younger than now', async () => {
    const { server } = await serve(new ManualClock(Date.UTC(2030, 0, 1)))
    const clock = new ManualClock(Date.UTC(2026, 0, 1))
    const page = hydrated(sent(server), clock)
    expect(callsOf(page).store.tables.get('Post')!.nodes.get('1')!.stamp.fetchedAt).toBe(clock.now())
  })

  test('what was made Stale is Stale, also when it is written down again', async () => {
    const { server, clock } = await serve()
    const rename = new Endpoint((_params: object) => Promise.resolve(null), {
      name: 'rename',
      sideEffect: true,
    })
    await server.fetch(rename.extend({ schema: Post }), { id: 2 })
    server.expireAll(map)
    const reread = new Endpoint((_params: object) => Promise.resolve({}), { name: 'reread', schema: Post })
    const page = hydrated(sent(server), clock)
    for (const controller of [
      server,
      page,
      hydrated(sent(page), clock),
      hydrated(sent(hydrated(sent(server)))),
    ]) {
      expect(controller.read(reread, { id: 2 }).status).toBe('Stale')
      expect(controller.read(list).status).toBe('Stale')
      expect(controller.read(map).status).toBe('Stale')
      expect(controller.read(mixed).status).toBe('Valid')
    }
    await page.fetch(map)
    expect(page.read(map).status).toBe('Valid')
  })

  test.each([[[]], [[{ id: 1, type: 'link', url: 'u' }]]])(
    'an object of no known type in a field is the same, beside %j',
    (others) => {
      class Story extends Entity {
        id = 0
        parts: unknown[] = []
        static override schema = { parts: feed }
      }
      const unknown = { type: 'other', text: 'a' }
      const server = new Controller()
      server.set(Story, { id: 1 }, { parts: [unknown, ...others] })
      const page = new Controller()
      page.get(Story, { id: 1 })
      for (const controller of [hydrated(sent(server)), hydrated(sent(hydrated(sent(server))))]) {
        expect(controller.get(Story, { id: 1 })?.parts).toEqual(server.get(Story, { id: 1 })?.parts)
      }
      hydrate(page, sent(server))
      expect(page.get(Story, { id: 1 })?.parts[0]).toEqual(unknown)
    },
  )

  test('all records of a class stay in the order in which they arrived', async () => {
    const { server } = await serve()
    server.get(Link, { id: 3 })
    server.set(Link, { id: 4 }, {})
    server.set(Link, { id: 3 }, {})
    const all = new Query(new schema.All(Link), (links) => links.map(({ id }) => id))
    expect(server.get(all)).toEqual([1, 4, 3])
    expect(hydrated(sent(server)).get(all)).toEqual([1, 4, 3])
  })

  test('a list that was set, or came with a record, answers its call', () => {
    const nested = new schema.Collection([Comment], { nestKey: (post: Post) => ({ post: post.id }) })
    class Entry extends Entity {
      id = 0
      comments: Comment[] = []
      static override schema = { comments: nested }
    }
    const empty = () => Promise.resolve([])
    const getComments = new Endpoint((_params: { post: number }) => empty(), {
      name: 'getComments',
      schema: nested,
    })
    const getPosts = new Endpoint((_params: object) => empty(), {
      name: 'getPosts',
      schema: new schema.Collection([Post]),
    })
    const clock = new ManualClock()
    const server = new Controller({ clock })
    server.set(Entry, { id: 5 }, { comments: [{ id: 7 }] } as object)
    server.set(getPosts.schema, {}, [{ id: 2 }])
    const next = dehydrateChanges(server)
    const inParts = new Controller({ clock })
    const read = (controller: Controller) => [
      controller.read(getComments, { post: 5 }),
      controller.read(getPosts, {}),
    ]
    expect(read(server)).toMatchObject([{ data: [{ id: 7 }] }, { data: [{ id: 2 }] }])
    hydrate(inParts, next()!)
    clock.advance(1000)
    server.set(getPosts.schema, {}, [{ id: 2 }])
    hydrate(inParts, next()!)
    const shown = read(server)
    const page = hydrated(sent(server), clock)
    for (const controller of [page, inParts, hydrated(sent(page), clock)])
      expect(read(controller)).toEqual(shown)
    hydrate(server, sent(server))
    expect(read(server).map(({ data }) => data)).toEqual(shown.map(({ data }) => data))
    expect(read(server)[1]!.expiresAt).toBe(shown[1]!.expiresAt)
  })

  test('what never expires still does not', async () => {
    const forever = detail.extend({ name: 'forever', dataExpiryLength: Infinity })
    const server = new Controller()
    await server.fetch(forever)
    expect(hydrated(sent(server)).read(forever)).toMatchObject({ status: 'Valid', expiresAt: Infinity })
  })

  test('deleted records stay deleted, and invalidated calls unanswered (B8)', async () => {
    const { server } = await serve()
    server.set(new schema.Delete(Post), { id: 2 }, {})
    server.invalidate(detail)
    const page = hydrated(sent(server))
    expect(page.get(Post, { id: 2 })).toBeUndefined()
    expect(page.read(list).data?.map(({ id }) => id)).toEqual([1])
    expect(page.read(detail)).toMatchObject({ data: undefined, status: 'Invalid' })
  })

  test('errors of calls are carried, with their status and for as long as they count', async () => {
    const clock = new ManualClock()
    const server = new Controller({ clock })
    const broken = Object.assign(new Error('not there'), { status: 404, name: 'NetworkError' })
    const failing = new Endpoint(() => Promise.reject(broken), { name: 'failing', schema: Post })
    await server.fetch(failing).catch(() => {})
    const page = hydrated(sent(server), clock)
    const observer = new Observer(page, failing, [])
    expect(observer.readOrFetch()).toMatchObject({
      state: 'error',
      error: { message: 'The request failed on the server (NetworkError).', status: 404 },
    })
    clock.advance(1000)
    expect(new Observer(page, failing, []).readOrFetch().state).toBe('pending')
  })

  test('lists of Collections take what mutations add', async () => {
    const page = hydrated(sent((await serve()).server))
    page.set(posts.push, {}, { id: 3, title: 'c' })
    expect(page.read(list).data!.map(({ id }) => id)).toEqual([1, 2])
    page.set(posts.push, {}, { id: 4, title: 'd' })
    expect(page.read(list).data!.map(({ id }) => id)).toEqual([1, 2, 4])
  })

  test('a list that started over has no pages: the next answer is the list', async () => {
    const answers = [[1, 2], [3], [8, 9], [7, 8]]
    const Numbers = class extends RestEndpoint {
      override fetchResponse() {
        return Promise.resolve(Response.json(answers.shift()))
      }
    }
    const getNumbers = new Numbers({ path: '/number', schema: [Number], paginationField: 'cursor' })
    const server = new Controller({ clock: new ManualClock() })
    await server.fetch(getNumbers)
    await server.fetch(getNumbers.getPage!, { cursor: 1 })
    await server.fetch(getNumbers)
    const page = hydrated(sent(server))
    await page.fetch(getNumbers)
    expect(page.read(getNumbers).data).toEqual([7, 8])
  })

  test('pages that were loaded stay behind the first', async () => {
    const answers: Record<string, unknown> = { 1: [{ id: 1 }], 2: [{ id: 2 }] }
    const getList = new RestEndpoint({
      path: '/post',
      searchParams: {} as { cursor?: number },
      schema: posts,
      paginationField: 'cursor',
      fetchResponse: (url: string) =>
        Promise.resolve(Response.json(answers[new URL(url, 'http://x').searchParams.get('cursor') ?? '1'])),
    })
    const server = new Controller()
    await server.fetch(getList, {})
    await server.fetch(getList.getPage, { cursor: 2 })
    const page = hydrated(sent(server))
    expect(page.read(getList, {}).data?.map(({ id }) => id)).toEqual([1, 2])
    await page.fetch(getList, {})
    expect(page.read(getList, {}).data?.map(({ id }) => id)).toEqual([1, 2])
  })

  test.each(['a Collection', 'a plain list'])('%s that a page created stays Stale', async (kind) => {
    const getList = new RestEndpoint({
      path: '/post',
      searchParams: {} as { cursor?: number },
      schema: kind === 'a Collection' ? posts : [Post],
      paginationField: 'cursor',
      fetchResponse: () => Promise.resolve(Response.json([{ id: 2 }])),
    })
    const server = new Controller()
    await server.fetch(getList.getPage, { cursor: 2 })
    expect(server.read(getList as ReadEndpoint, {}).status).toBe('Stale')
    const page = hydrated(sent(server))
    expect(page.read(getList as ReadEndpoint, {})).toMatchObject({ status: 'Stale', data: [{ id: 2 }] })
    hydrate(server, sent(server))
    expect(server.read(getList as ReadEndpoint, {}).status).toBe('Stale')
  })

  test.each(['a Collection', 'a plain list'])(
    'pages of %s that were loaded need not be asked for again',
    async (kind) => {
      const answers: Record<string, unknown> = { 1: [{ id: 1 }], 2: [{ id: 2 }], 3: [] }
      const getList = new RestEndpoint({
        path: '/post',
        searchParams: {} as { cursor?: number },
        schema: kind === 'a Collection' ? posts : [Post],
        paginationField: 'cursor',
        fetchResponse: (url: string) =>
          Promise.resolve(Response.json(answers[new URL(url, 'http://x').searchParams.get('cursor') ?? '1'])),
      })
      const next = (data: readonly Post[]) => ({ cursor: data.length + 1 })
      const server = new Controller()
      await server.fetch(getList, {})
      await server.fetch(getList.getPage, { cursor: 2 })
      const hasNext = (controller: Controller) =>
        new PagesObserver<readonly Post[]>(controller, getList as ReadEndpoint, {}, { next }).state().hasNext
      expect(hasNext(hydrated(sent(server)))).toBe(true)
      // The end of the list is an empty page, which leaves no other trace.
      await server.fetch(getList.getPage, { cursor: 3 })
      expect(hasNext(server)).toBe(false)
      const page = hydrated(sent(server))
      expect(hasNext(page)).toBe(false)
      expect(page.read(getList as ReadEndpoint, {}).data).toMatchObject([{ id: 1 }, { id: 2 }])
      // A hydrated state is what can be dehydrated once more, before and after it was read.
      expect(hasNext(hydrated(sent(page)))).toBe(false)
      expect(hasNext(hydrated(sent(hydrated(sent(server)))))).toBe(false)
    },
  )

  test('one address read through two schemas is answered for each by its own', async () => {
    const ids = answered('both', [Post], [{ id: 1 }])
    const asCollection = ids.extend({ schema: posts })
    const raw = ids.extend({ schema: undefined })
    const server = new Controller()
    for (const endpoint of [ids, asCollection, raw]) await server.fetch(endpoint as typeof ids)
    const page = hydrated(sent(server))
    expect(page.read(raw).data).toEqual([{ id: 1 }])
    expect(page.read(asCollection).data?.[0]).toBeInstanceOf(Post)
    expect(page.read(ids).data?.[0]).toBeInstanceOf(Post)
    expect(callsOf(page).store.hydration?.waiting).toEqual([])
  })

  test('a reader that waits already is answered, and told once', async () => {
    const { server } = await serve()
    const page = new Controller()
    const slow = detail.extend({ fetch: () => new Promise<never>(() => {}) })
    const heard = vi.fn()
    page.subscribe(slow, heard)
    const observer = new Observer(page, slow, [])
    const reading = observer.readOrFetch()
    heard.mockClear()
    hydrate(page, sent(server))
    if (reading.state !== 'pending') throw new Error('It does not wait.')
    await reading.promise
    expect(observer.readOrFetch()).toMatchObject({ state: 'success', data: { title: 'a' } })
    expect(heard).toHaveBeenCalledTimes(1)
  })

  test('what is newer here stays', async () => {
    const { server, clock } = await serve()
    const state = sent(server)
    clock.advance(1)
    const page = new Controller({ clock })
    page.setResponse(plain, { newer: true })
    page.set(Post, { id: 1 }, { title: 'newer' })
    hydrate(page, state)
    expect(page.read(plain).data).toEqual({ newer: true })
    expect(page.get(Post, { id: 1 })?.title).toBe('newer')
    expect(page.get(Post, { id: 2 })?.title).toBe('b')
  })

  test('the answer to a read that started later replaces it', async () => {
    const page = hydrated(sent((await serve()).server))
    const changed = detail.extend({ fetch: () => Promise.resolve({ id: 1, title: 'changed' } as never) })
    expect((await page.fetch(changed)).title).toBe('changed')
    expect(page.get(Post, { id: 1 })?.title).toBe('changed')
  })

  test('taken twice it changes nothing', async () => {
    const state = sent((await serve()).server)
    const page = hydrated(state)
    const before = everything.map((endpoint) => page.read(endpoint).data)
    hydrate(page, state)
    expect(everything.map((endpoint) => page.read(endpoint).data)).toEqual(before)
  })

  test('what nobody asked for yet is written down again, and forgotten by a reset', async () => {
    const state = sent((await serve()).server)
    const page = hydrated(state)
    expect(
      hydrated(sent(page))
        .read(list)
        .data?.map(({ id }) => id),
    ).toEqual([1, 2])
    page.resetAll()
    expect(page.read(list).data).toBeUndefined()
    expect(dehydrate(page)).toMatchObject({ results: [], lists: [] })
  })

  test('what is only expected is not written down', async () => {
    const { server } = await serve()
    const save = new Endpoint(() => new Promise(() => {}), {
      name: 'save',
      schema: Post,
      sideEffect: true,
      getOptimisticResponse: optimistic(() => ({ id: 1, title: 'early' })),
    })
    void server.fetch(save)
    expect(server.get(Post, { id: 1 })?.title).toBe('early')
    expect(hydrated(sent(server)).get(Post, { id: 1 })?.title).toBe('a')
  })

  test('a class that joins more than the server knew finds its records', async () => {
    class Bare extends Entity {
      id = 0
      owner: unknown
      static override key = 'Owned'
    }
    class Joined extends Entity {
      id = 0
      owner: User | undefined
      static override key = 'Owned'
      static override schema = { owner: User }
    }
    const server = new Controller()
    await server.fetch(answered('owned', Bare, { id: 1, owner: { id: 5, name: 'Eve' } }))
    const page = hydrated(sent(server))
    expect(page.get(Joined, { id: 1 })?.owner).toBeInstanceOf(User)
    expect(page.get(User, { id: 5 })?.name).toBe('Eve')
  })

  test('what nobody asks for is kept for keepLength, with all that it refers to, and then collected', async () => {
    const { server, clock } = await serve()
    const state = sent(server)
    const expected = server.read(detail).data
    clock.advance(1_000_000)
    const page = hydrated(state, clock)
    clock.advance(299_999)
    expect(page.read(detail).data).toEqual(expected)
    clock.advance(600_000)
    expect(callsOf(page).store.hydration?.waiting).toEqual([])
    expect([...callsOf(page).store.tables.values()].map(({ nodes }) => nodes.size)).toEqual([0, 0, 0, 0])
  })

  test.each([undefined, null, 'text', [], {}, { version: 2 }])('refuses %j, and takes nothing', (state) => {
    const page = new Controller()
    expect(() => hydrate(page, state as never)).toThrow('hydrate() received')
    expect(callsOf(page).store.tables.size).toBe(0)
  })

  test.each<[string, (state: Record<string, unknown[]>) => unknown]>([
    ['stamps', (state) => (state.stamps = null as never)],
    ['stamps[0]', (state) => (state.stamps![0] = ['now', null])],
    ['records', (state) => (state.records = {} as never)],
    ['records[0]', (state) => (state.records![0] = ['User', [['1', 99, {}]]])],
    ['records[0]', (state) => (state.records![0] = ['User', [['1', 0, 'fields']]])],
    ['records[0]', (state) => (state.records![0] = ['User', [[1, 0, {}]]])],
    ['lists[0]', (state) => (state.lists![0] = { name: '', args: null, isFilter: true, stamp: 0 })],
    [
      'lists[0]',
      (state) => (state.lists![0] = { name: '', args: {}, isFilter: true, stamp: 0, members: 'all' }),
    ],
    ['lists[0]', (state) => (state.lists![0] = null)],
    ['results[0]', (state) => (state.results![0] = { key: 5, stamp: 0 })],
    ['blanks', (state) => (state.blanks = 'above' as never)],
    ['blanks[0]', (state) => (state.blanks = [5])],
    ['results[0]', (state) => (state.results![0] = { key: 'k', stamp: 0, error: 'failed' })],
    ['results[0]', (state) => (state.results![0] = { key: 'k', stamp: 0, path: 'results' })],
    [
      '$record',
      (state) => (state.results![0] = { key: 'k', stamp: 0, hasResult: true, result: { $record: ['User'] } }),
    ],
    [
      '$list',
      (state) => (state.results![0] = { key: 'k', stamp: 0, hasResult: true, result: { $list: 99 } }),
    ],
    [
      '$list',
      (state) =>
        (state.lists![0] = { name: '', args: {}, isFilter: true, stamp: 0, members: [{ $list: -1 }] }),
    ],
  ])('of another form at %s is refused, and nothing is taken', async (place, tamper) => {
    const state = sent((await serve()).server)
    tamper(state as never)
    const page = new Controller()
    const code = 'argument-invalid'
    expect(() => hydrate(page, state)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(` at ${place} `) }),
    )
    expect(dehydrate(page)).toMatchObject({ records: [], results: [], lists: [] })
    expect(page.get(User, { id: 1 })).toBe(undefined)
  })

  test.each([
    ['a map', { 1: { $record: ['Post', '1'] } }],
    ['of another class', [{ $record: ['Comment', '7'] }]],
    ['of lists', [{ $list: 0 }]],
  ])(
    'a list whose members are %s is not taken, and mutations change the list that is fetched',
    async (_, members) => {
      const state = sent((await serve()).server) as unknown as { lists: { args: object; members: unknown }[] }
      for (const each of state.lists) each.members = members
      const page = hydrated(state as never)
      expect(page.read(list).data).toBe(undefined)
      const create = new Endpoint((_params: object) => Promise.resolve({ id: 9, title: 'new' }), {
        name: 'create',
        sideEffect: true,
        schema: posts.push,
      })
      await page.fetch(create, {})
      await page.fetch(list)
      await page.fetch(create, {})
      expect(page.read(list).data?.map(({ id }) => id)).toEqual([1, 2, 9])
    },
  )

  test('a field that is not of its schema is left out, however early its class is known', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const state = sent((await serve()).server) as unknown as {
      records: [string, [string, number, Record<string, unknown>][]][]
    }
    const fieldsOf = (key: string, pk: string) =>
      state.records.find(([each]) => each === key)![1].find(([each]) => each === pk)![2]
    fieldsOf('Post', '1')['author'] = { $record: ['Comment', '7'] }
    fieldsOf('User', '1')['born'] = 'no date'
    for (const isKnown of [true, false]) {
      const page = new Controller()
      if (isKnown) for (const entity of [Post, User]) page.get(entity, { id: 99 })
      hydrate(page, state as never)
      expect(page.get(Post, { id: 1 })).toMatchObject({ title: 'a', author: undefined })
      expect(page.get(User, { id: 1 })).toMatchObject({ name: 'Ann', born: undefined })
    }
    expect(warned.mock.calls.flat().join()).toContain('author of Post "1"')
    warned.mockRestore()
  })

  test('names such as __proto__ reach no prototype', () => {
    const server = new Controller()
    const odd = answered('odd', undefined, JSON.parse('{"__proto__": {"polluted": true}}'))
    server.setResponse(odd, JSON.parse('{"__proto__": {"polluted": true}}'))
    const page = hydrated(sent(server))
    expect(({} as { polluted?: true }).polluted).toBeUndefined()
    expect(JSON.stringify(page.read(odd).data)).toBe('{"__proto__":{"polluted":true}}')
  })

  test('what is asked for before is newer, also when it is answered afterwards', async () => {
    const state = sent((await serve()).server)
    const page = new Controller()
    const payloads: ((payload: unknown) => void)[] = []
    const changed = list.extend({
      fetch: () => new Promise<never>((resolve) => payloads.push(resolve as (payload: unknown) => void)),
    })
    const fetching = page.fetch(changed)
    hydrate(page, state)
    expect(page.read(changed).data?.map(({ title }) => title)).toEqual(['a', 'b'])
    payloads[0]!([{ id: 2, title: 'new' }])
    await fetching
    expect(page.read(changed).data?.map(({ title }) => title)).toEqual(['new'])
  })

  test('taken again it changes no identity, and answers nothing that was invalidated since', async () => {
    const state = sent((await serve()).server)
    const page = hydrated(state)
    const before = everything.map((endpoint) => page.read(endpoint).data)
    hydrate(page, state)
    everything.forEach((endpoint, index) => expect(page.read(endpoint).data).toBe(before[index]))
    page.invalidate(list)
    hydrate(page, state)
    expect(page.read(list).status).toBe('Invalid')
  })

  test.each(['older first', 'newer first'])('of two states the newer one answers a call: %s', (order) => {
    const clock = new ManualClock()
    const server = new Controller({ clock })
    const states = ['old', 'new'].map((text) => {
      clock.advance(1000)
      server.setResponse(plain, text)
      return sent(server)
    })
    const page = new Controller({ clock })
    for (const state of order === 'older first' ? states : states.reverse()) hydrate(page, state)
    expect(page.read(plain).data).toBe('new')
  })

  test('an update that is under way is made of what was taken', () => {
    const server = new Controller()
    server.setResponse(plain, ['received'])
    const add = new Endpoint(() => new Promise<string>(() => {}), {
      name: 'add',
      sideEffect: true,
      getOptimisticResponse: optimistic(() => 'expected'),
      update: (value: string) => ({ [plain.key()]: (data: string[]) => [...data, value] }),
    })
    for (const isAskedFor of [true, false]) {
      const page = new Controller()
      if (isAskedFor) page.read(plain)
      void page.fetch(add)
      hydrate(page, sent(server))
      expect(page.read(plain).data).toEqual(['received', 'expected'])
    }
  })
})

describe('dehydrateChanges', () => {
  test('gives each part once, and all of it is what dehydrate gives', async () => {
    const server = new Controller({ clock: new ManualClock() })
    const next = dehydrateChanges(server)
    expect(next()).toBeUndefined()
    const page = new Controller({ clock: new ManualClock() })
    const counts: number[][] = []
    for (const endpoint of everything) {
      await server.fetch(endpoint)
      const state = next() as DehydratedState
      hydrate(page, JSON.parse(JSON.stringify(state)) as DehydratedState)
      counts.push([state.results.length, state.records.flatMap(([, records]) => records).length])
      expect(next()).toBeUndefined()
    }
    expect(counts.map(([results]) => results)).toEqual(everything.map(() => 1))
    // The first part holds two users, a post and a comment. Data that arrived again is in the next part too.
    expect(counts[0]).toEqual([1, 4])
    for (const endpoint of everything) {
      expect(page.read(endpoint).data).toEqual(server.read(endpoint).data)
      expect(page.read(endpoint).status).toBe('Valid')
    }
  })

  test('a record that changed, a list that grew, a call that failed and a place that was filled come again', async () => {
    const server = new Controller({ clock: new ManualClock() })
    const next = dehydrateChanges(server)
    const page = new Controller({ clock: new ManualClock() })
    const take = () => hydrate(page, next() as DehydratedState)
    await server.fetch(list)
    callsOf(server).blanks.add('place')
    take()
    expect(callsOf(page).hydratedBlanks).toEqual(new Set(['place']))
    server.set(Post, { id: 1 }, { title: 'new' })
    const changed = next() as DehydratedState
    expect(changed.results).toEqual([])
    expect(changed.records).toHaveLength(1)
    hydrate(page, changed)
    server.setResponse(list, {}, [{ id: 1 }, { id: 2 }, { id: 3, title: 'c' }])
    callsOf(server).blanks.delete('place')
    take()
    expect(callsOf(page).hydratedBlanks).toEqual(new Set())
    server.setError(detail, {}, new Error('No.'))
    take()
    expect(page.read(list).data?.map(({ title }) => title)).toEqual(['new', 'b', 'c'])
    expect(page.read(detail, {}).error?.message).toBe('The request failed on the server (Error).')
    expect(next()).toBeUndefined()
  })
})

test('dehydrateChanges costs what changed, not what is stored', () => {
  const server = new Controller({ clock: new ManualClock() })
  const next = dehydrateChanges(server)
  const many = Array.from({ length: 500 }, (_, id) => ({ id, title: 'a' }))
  server.setResponse(list, {}, many)
  for (const { id } of many) server.setResponse(detail.extend({ name: `detail ${id}` }), {}, { id })
  expect(next()?.results).toHaveLength(501)
  const { tables, results } = callsOf(server).store
  const refuse = () => {
    throw new Error('Goes through all that is stored.')
  }
  for (const all of [tables.get('Post')!.nodes, results] as Map<unknown, unknown>[]) {
    for (const way of ['values', 'keys', 'entries', 'forEach'] as const)
      vi.spyOn(all, way).mockImplementation(refuse)
    Object.defineProperty(all, Symbol.iterator, { value: refuse })
  }
  server.set(Post, { id: 7 }, { title: 'b' })
  server.set(Post, { id: 8 }, { title: 'c' })
  const state = next()
  expect(state?.records.map(([key, records]) => [key, records.map(([pk]) => pk)])).toEqual([
    ['Post', ['7', '8']],
  ])
  expect(state?.results).toEqual([])
  expect(next()).toBeUndefined()
})

describe('state that arrives again', () => {
  const items = [{ id: 1 }, { id: 2, title: 'b' }]
  const payloads: Record<string, unknown> = {}
  const Sent = class extends RestEndpoint {
    override fetchResponse(url: string) {
      return Promise.resolve(Response.json(payloads[url]))
    }
  }
  const asked = { path: '/posts', paginationField: 'cursor' } as const
  const forms: readonly [string, Schema, (members: object[]) => unknown][] = [
    ['an array', [Post], (members) => members],
    ['a Collection', posts, (members) => members],
    ['an object', { results: posts, next: '' }, (members) => ({ results: members, next: 'x' })],
  ]
  const copyOf = (state: unknown) => JSON.parse(JSON.stringify(state)) as DehydratedState

  test.each(forms)('keeps what the page loaded and created meanwhile in %s', async (_, form, wrap) => {
    const getList = new Sent({ ...asked, schema: form })
    const create = new Sent({ path: '/new', method: 'POST', body: undefined, schema: posts.push })
    Object.assign(payloads, {
      '/posts': wrap(items),
      '/posts?cursor=2': wrap([{ id: 3 }]),
      '/new': { id: 9 },
    })
    const server = new Controller({ clock: new ManualClock() })
    await server.fetch(getList)
    const page = hydrated(sent(server))
    expect(page.read(getList).data).toEqual(server.read(getList).data)
    await page.fetch(getList.getPage!, { cursor: 2 })
    await page.fetch(create, {})
    const { data } = page.read(getList)
    expect(JSON.stringify(data)).toContain('"id":3')
    hydrate(page, sent(server))
    expect(page.read(getList).data).toBe(data)
  })

  test.each(forms)('adds a page to %s that is on screen already', async (_, form, wrap) => {
    const getList = new Sent({ ...asked, schema: form })
    Object.assign(payloads, { '/posts': wrap(items), '/posts?cursor=2': wrap([{ id: 3 }]) })
    const server = new Controller({ clock: new ManualClock() })
    const next = dehydrateChanges(server)
    await server.fetch(getList)
    const page = hydrated(copyOf(next()))
    page.subscribe(getList, () => {})
    await server.fetch(getList.getPage!, { cursor: 2 })
    hydrate(page, copyOf(next()))
    expect(page.read(getList).data).toEqual(server.read(getList).data)
  })

  test('newer, but equal, changes no identity and tells no reader', async () => {
    const { server: earlier, clock } = await serve()
    const page = hydrated(sent(earlier), clock)
    const told = vi.fn()
    for (const endpoint of everything) page.subscribe(endpoint, told)
    const before = everything.map((endpoint) => page.read(endpoint).data)
    clock.advance(1000)
    const { server } = await serve(clock)
    hydrate(page, sent(server))
    expect(everything.map((endpoint) => page.read(endpoint).data)).toEqual(before)
    everything.forEach((endpoint, at) => expect(page.read(endpoint).data).toBe(before[at]))
    expect(page.read(list).expiresAt).toBe(server.read(list).expiresAt)
    expect(told).not.toHaveBeenCalled()
  })
})

test('while something is rendered readers on screen are told a moment later', async () => {
  const { server } = await serve()
  const page = new Controller()
  const told = vi.fn()
  page.subscribe(list, told)
  hydrate(page, sent(server), { isRendering: true })
  expect(page.read(list).data?.map(({ id }) => id)).toEqual([1, 2])
  expect(told).not.toHaveBeenCalled()
  await Promise.resolve()
  expect(told).toHaveBeenCalledTimes(1)
})

describe('after a reset a cleared record is none, and not a deleted one', () => {
  /** A Controller that had data, and was reset. */
  const cleared = () => {
    const controller = new Controller()
    controller.setResponse(detail, { id: 1 }, { id: 1, title: 'of the first user', author: { id: 1 } })
    return controller
  }

  test('the state has nothing of it', () => {
    const controller = cleared()
    controller.resetAll()
    const { records, results, lists } = dehydrate(controller)
    expect({ records, results, lists }).toEqual({ records: [], results: [], lists: [] })
  })

  test('the changes have nothing of it', () => {
    const controller = cleared()
    const takeChanges = dehydrateChanges(controller)
    takeChanges()
    controller.resetAll()
    expect(takeChanges()).toBeUndefined()
  })

  test('a record that was deleted since is in both', () => {
    const controller = cleared()
    controller.resetAll()
    const takeChanges = dehydrateChanges(controller)
    controller.setResponse(detail, { id: 1 }, { id: 1, title: 'of the next user' })
    controller.set(new schema.Delete(Post), { id: 1 }, {})
    for (const { records } of [dehydrate(controller), takeChanges() ?? { records: [] }])
      expect(records).toEqual([['Post', [['1', expect.any(Number), null]]]])
  })
})

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../index.js'
import { dehydrate, hydrate } from '../hydration.js'
import { RestEndpoint, createResource } from '../rest.js'
import type { RestOptions } from '../rest.js'
import type { Schema } from '../index.js'
import { optimistic } from '../optimistic/optimistic.js'

class Article extends Entity {
  id = 0
  author = 0
  title = ''
  isOpen = false
  static override key = 'Article'
}

class Summary extends Entity {
  id = 0
  title = ''
  static override key = 'Article'
}

let answers: Record<string, unknown> = {}
let sent: string[] = []

class TestEndpoint<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
  override fetchResponse(url: string, init: RequestInit) {
    const name = `${init.method} ${url}`
    sent.push(name)
    const answer = name in answers ? answers[name] : (JSON.parse(String(init.body)) as unknown)
    return Promise.resolve(Response.json(answer))
  }
}

const { getList, create, partialUpdate } = createResource({
  path: '/article/:id',
  schema: Article,
  Endpoint: TestEndpoint,
})
const ids = (list: readonly { id: number }[] | undefined) => list?.map(({ id }) => id)

let controller = new Controller()
beforeEach(() => {
  controller = new Controller()
  sent = []
  answers = {
    'GET /article': [{ id: 1, author: 1 }],
    'GET /article?author=1': [{ id: 1, author: 1 }],
    'GET /article?author=2': [],
    'GET /article?q=x': [{ id: 1, author: 1 }],
    'GET /article/popular': [{ id: 7, author: 2 }],
    'GET /feed': { results: [{ id: 1 }], others: [{ id: 2 }], next: 'b' },
  }
})

describe('an id that was sent twice (S18b)', () => {
  const twice = [{ id: 1 }, { id: 2 }, { id: 1, title: 'x' }]
  const [first, second] = [{ id: 1, title: 'x' }, { id: 2 }]
  const read = async (of: Schema, response: unknown) => {
    const endpoint = new Endpoint(() => Promise.resolve(response), { name: 'read', schema: of })
    const data = await controller.fetch(endpoint)
    // Received again unchanged, it stays the same object.
    expect(await controller.fetch(endpoint)).toBe(data)
    return data
  }

  test('is one member of a Collection, where it came first', async () => {
    expect(await read(new schema.Collection([Article]), twice)).toMatchObject([first, second])
    const union = new schema.Collection(new schema.Array({ a: Article }, () => 'a'))
    expect(await read({ list: union }, { list: twice })).toMatchObject({ list: [first, second] })
    const Owner = class extends Entity {
      id = 0
      list: Article[] = []
      static override key = 'Owner'
      static override schema = { list: new schema.Collection([Article]) }
    }
    expect(await read(Owner, { id: 1, list: twice })).toMatchObject({ list: [first, second] })
  })

  test('stays twice in an array and in a map', async () => {
    expect(await read([Article], twice)).toMatchObject([first, second, first])
    const map = { a: { id: 1 }, b: { id: 1, title: 'x' } }
    expect(await read(new schema.Values(Article), map)).toMatchObject({ a: first, b: first })
    expect(await read(new schema.Collection(new schema.Values(Article)), map)).toMatchObject({
      a: first,
      b: first,
    })
  })

  test('is one member of a page, and of setResponse', async () => {
    const getPaged = getList.extend({ searchParams: {} as { cursor?: string }, paginationField: 'cursor' })
    answers['GET /article?cursor=b'] = [{ id: 3 }, { id: 3 }, { id: 1 }]
    await controller.fetch(getPaged)
    await controller.fetch(getPaged.getPage, { cursor: 'b' })
    expect(ids(controller.read(getPaged).data)).toEqual([1, 3])
    controller.setResponse(getPaged, [{ id: 4 }, { id: 4 }])
    expect(ids(controller.read(getPaged).data)?.filter((id) => id === 4)).toEqual([4])
  })
})

describe('which list a Collection is', () => {
  test('is decided by the call: an endpoint of another path has lists of its own', async () => {
    const getPopular = getList.extend({ path: '/article/popular' })
    await controller.fetch(getList)
    expect(controller.read(getPopular).status).toBe('Invalid')
    await controller.fetch(getPopular)
    expect(ids(controller.read(getList).data)).toEqual([1])
    expect(ids(controller.read(getPopular).data)).toEqual([7])
    expect(ids(controller.get(getList.schema))).toEqual([1])
    expect(ids(controller.get(getPopular.schema, {}))).toEqual([7])
  })

  test('is the same for an endpoint that is made anew, or differs in other options', async () => {
    const popular = () => getList.extend({ path: '/article/popular' })
    expect(popular().schema).toBe(popular().schema)
    expect(getList.extend({ dataExpiryLength: 5 }).schema).toBe(getList.schema)
    await controller.fetch(popular())
    expect(controller.read(popular()).status).toBe('Valid')
  })

  test('counts page and sort: each call is answered by itself', async () => {
    answers['GET /article?page=2&sort=a'] = [{ id: 3 }]
    await controller.fetch(getList, { page: 2, sort: 'a' })
    expect(controller.read(getList, { page: 2 }).status).toBe('Invalid')
    expect(ids(controller.read(getList, { sort: 'a', page: '2' }).data)).toEqual([3])
  })

  test('counts the place in the answer, with one Collection or several', async () => {
    const list = new schema.Collection([Article])
    const getFeed = new TestEndpoint({ path: '/feed', schema: { results: list, others: list, next: '' } })
    const { results, others } = await controller.fetch(getFeed)
    expect([ids(results), ids(others)]).toEqual([[1], [2]])
    expect(ids(controller.get(getFeed.schema.results))).toEqual([1])
    expect(ids(controller.get(getFeed.schema.others))).toEqual([2])
    const byName = new schema.Values(new schema.Collection([Article]))
    const getGroups = new TestEndpoint({ path: '/groups', schema: byName })
    answers['GET /groups'] = { a: [{ id: 1 }], b: [{ id: 2 }] }
    const groups = await controller.fetch(getGroups)
    expect([ids(groups['a']), ids(groups['b'])]).toEqual([[1], [2]])
  })

  test('is the call with all its arguments, of a function too', async () => {
    const todos = new schema.Collection([Article])
    const byAuthor = new Endpoint(async (author: number) => [{ id: author }], {
      name: 'byAuthor',
      schema: todos,
    })
    await controller.fetch(byAuthor, 1)
    await controller.fetch(byAuthor, 2)
    expect(ids(controller.read(byAuthor, 1).data)).toEqual([1])
    expect(ids(controller.read(byAuthor, 2).data)).toEqual([2])
    const all = new Endpoint(async () => [{ id: 9 }], {
      name: 'all',
      schema: new schema.Collection([Article]),
    })
    await controller.fetch(all)
    expect(ids(controller.get(all.schema, {}))).toEqual([9])
  })

  test('is said by argsKey, for each path', async () => {
    const byAuthor = new schema.Collection([Article], {
      argsKey: ({ author }: { author: number }) => ({ author }),
    })
    const getArticles = new TestEndpoint({
      path: '/article',
      searchParams: {} as { author?: number; page?: number },
      schema: byAuthor,
    })
    await controller.fetch(getArticles, { author: 1 })
    expect(ids(controller.read(getArticles, { author: 1, page: 3 }).data)).toEqual([1])
    const getPopular = getArticles.extend({ path: '/article/popular' })
    expect(controller.read(getPopular, { author: 1 }).status).toBe('Invalid')
  })

  test('in a record is that record and its field', async () => {
    class Author extends Entity {
      id = 0
      articles: readonly Article[] = []
      drafts: readonly Article[] = []
      static override key = 'Author'
    }
    const list = new schema.Collection([Article])
    Author.schema = { articles: list, drafts: list }
    const getAuthors = new TestEndpoint({ path: '/author', schema: [Author] })
    answers['GET /author'] = [
      { id: 1, articles: [{ id: 1 }], drafts: [] },
      { id: 2, articles: [], drafts: [{ id: 2 }] },
    ]
    await controller.fetch(getAuthors)
    await controller.fetch(create, { id: 5, author: 1 })
    const [first, second] = controller.read(getAuthors).data!
    expect([ids(first!.articles), ids(first!.drafts)]).toEqual([[1], []])
    expect([ids(second!.articles), ids(second!.drafts)]).toEqual([[], [2]])
  })

  test('in a record is so too where its class comes later than the record', async () => {
    class Plain extends Entity {
      id = 0
      static override key = 'Shelf'
    }
    class Shelf extends Entity {
      id = 0
      articles: readonly Article[] = []
      static override key = 'Shelf'
      static override schema = { articles: new schema.Collection([Article]) }
    }
    const getPlain = new TestEndpoint({ path: '/shelf', schema: [Plain] })
    answers['GET /shelf'] = [
      { id: 1, articles: [{ id: 1 }] },
      { id: 2, articles: [{ id: 2 }] },
    ]
    await controller.fetch(getPlain)
    expect(ids(controller.get(Shelf, { id: 1 })?.articles)).toEqual([1])
    expect(ids(controller.get(Shelf, { id: 2 })?.articles)).toEqual([2])
  })

  test('survives dehydrate', async () => {
    await controller.fetch(getList)
    await controller.fetch(getList, { author: 1 })
    const other = new Controller()
    hydrate(other, JSON.parse(JSON.stringify(dehydrate(controller))) as never)
    expect(ids(other.read(getList, { author: 1 }).data)).toEqual([1])
    await other.fetch(create, { id: 5, author: 1 })
    expect(ids(other.read(getList, { author: 1 }).data)).toEqual([1, 5])
    expect(ids(other.get(getList.schema, { author: 1 }))).toEqual([1, 5])
  })
})

describe('what joins a list', () => {
  test('joins the lists of every Collection of the same members', async () => {
    const getWrapped = new TestEndpoint({
      path: '/article',
      schema: { results: new schema.Collection([Article]), next: '' },
    })
    const getSummaries = getList.extend({ schema: new schema.Collection([Summary]) })
    await controller.fetch(getList, { author: 1 })
    await controller.fetch(getSummaries, { author: 2 })
    answers['GET /article'] = { results: [], next: '' }
    await controller.fetch(getWrapped)
    await controller.fetch(create, { id: 5, author: 1 })
    await controller.fetch(create, { id: 6, author: 2 })
    expect(ids(controller.read(getList, { author: 1 }).data)).toEqual([1, 5])
    expect(ids(controller.read(getSummaries, { author: 2 }).data)).toEqual([6])
    expect(ids(controller.read(getWrapped).data?.results)).toEqual([5, 6])
    await controller.fetch(partialUpdate, { id: 5 }, { id: 5, author: 2 })
    expect(ids(controller.read(getList, { author: 1 }).data)).toEqual([1])
    expect(ids(controller.read(getSummaries, { author: 2 }).data)).toEqual([6, 5])
  })

  test('joins a list whose path differs by the slash at its end alone, and moves there', async () => {
    const getSlashed = getList.extend({ path: '/article/' })
    answers['GET /article/'] = [{ id: 1, author: 1 }]
    answers['GET /article/?author=2'] = []
    await controller.fetch(getSlashed)
    await controller.fetch(getSlashed, { author: 2 })
    await controller.fetch(create, { id: 5, author: 1 })
    await controller.fetch(create.extend({ path: '/article/' }), { id: 6, author: 1 })
    expect(ids(controller.read(getSlashed).data)).toEqual([1, 5, 6])
    await controller.fetch(partialUpdate, { id: 5 }, { id: 5, author: 2 })
    expect(ids(controller.read(getSlashed, { author: 2 }).data)).toEqual([5])
  })

  test('does not join a list of another path, unless its Collection says so', async () => {
    const getPopular = getList.extend({ path: '/article/popular' })
    const getOpen = new TestEndpoint({
      path: '/article/popular',
      schema: new schema.Collection([Article], { joinsAcrossPaths: true }),
    })
    await controller.fetch(getPopular)
    await controller.fetch(getOpen)
    const popular = controller.read(getPopular).data
    await controller.fetch(create, { id: 5, author: 1 })
    expect(controller.read(getPopular).data).toBe(popular)
    expect(ids(controller.read(getOpen).data)).toEqual([7, 5])
    await controller.fetch(
      getPopular.extend({ method: 'POST', body: {}, schema: getPopular.schema.unshift }),
      {
        id: 6,
      },
    )
    expect(ids(controller.read(getPopular).data)).toEqual([6, 7])
  })

  test('makes a list Stale whose arguments do not say whether it belongs there', async () => {
    await controller.fetch(getList, { q: 'x' })
    await controller.fetch(getList, { author: 1 })
    await controller.fetch(create, { id: 5, author: 1 })
    expect(controller.read(getList, { q: 'x' })).toMatchObject({ status: 'Stale', data: [{ id: 1 }] })
    expect(controller.read(getList, { author: 1 })).toMatchObject({
      status: 'Valid',
      data: [{ id: 1 }, { id: 5 }],
    })
    // A param of the mutation tells that the record belongs to the list.
    await controller.fetch(getList, { q: 'x' })
    await controller.fetch(create.extend({ searchParams: { q: '' } }), { q: 'x' }, { id: 6 })
    expect(controller.read(getList, { q: 'x' })).toMatchObject({
      status: 'Valid',
      data: [{ id: 1 }, { id: 6 }],
    })
  })

  test('makes a list Stale that was asked for before', async () => {
    let answer: (value: unknown) => void = () => {}
    const search = new Endpoint(
      (_params: { q: string }) => new Promise<unknown>((resolve) => (answer = resolve)),
      { name: 'search', schema: new schema.Collection([Article]) },
    )
    const searching = controller.fetch(search, { q: 'x' })
    await controller.fetch(create, { id: 5, author: 1 })
    answer([{ id: 1 }])
    expect(ids(await searching)).toEqual([1])
    expect(controller.read(search, { q: 'x' }).status).toBe('Stale')
    const again = controller.fetch(search, { q: 'x' })
    answer([{ id: 1 }, { id: 5 }])
    await again
    expect(controller.read(search, { q: 'x' }).status).toBe('Valid')
  })

  test('leaves a call Stale that was expired after the mutation, when an answer comes that lacks the record', async () => {
    const sends: ((value: unknown) => void)[] = []
    const search = new Endpoint(
      (_params: { q: string }) => new Promise<unknown>((resolve) => sends.push(resolve)),
      { name: 'search', schema: new schema.Collection([Article]) },
    )
    controller.setResponse(search, { q: 'x' }, [{ id: 1 }])
    const first = controller.fetch(search, { q: 'x' })
    await controller.fetch(create, { id: 5, author: 1 })
    const second = controller.fetch(search, { q: 'x' })
    expect(sends).toHaveLength(2)
    controller.expireAll(search)
    sends[0]?.([{ id: 1 }])
    await first
    sends[1]?.([{ id: 1 }, { id: 5 }])
    expect(ids(await second)).toEqual([1, 5])
    expect(controller.read(search, { q: 'x' }).status).toBe('Stale')
    const third = controller.fetch(search, { q: 'x' })
    expect(sends).toHaveLength(3)
    sends[2]?.([{ id: 1 }, { id: 5 }])
    await third
    expect(controller.read(search, { q: 'x' }).status).toBe('Valid')
  })

  test('makes nothing Stale when the server refuses it', async () => {
    await controller.fetch(getList, { q: 'x' })
    const refused = create.extend({ fetchResponse: async () => Response.json({}, { status: 400 }) })
    await expect(controller.fetch(refused, { id: 5 })).rejects.toMatchObject({ status: 400 })
    expect(controller.read(getList, { q: 'x' }).status).toBe('Valid')
  })

  test('makes a list Stale that it may belong to, when the server made it and its response cannot be stored', async () => {
    await controller.fetch(getList, { q: 'x' })
    const failing = create.extend({
      update: () => {
        throw new Error('boom')
      },
    })
    await expect(controller.fetch(failing, { id: 5 })).rejects.toThrow('boom')
    expect(controller.read(getList, { q: 'x' }).status).toBe('Stale')
  })

  test('counts the default of a field that was not sent, where that says yes', async () => {
    answers['GET /article?isOpen=false'] = []
    answers['GET /article?isOpen=true'] = []
    await controller.fetch(getList, { isOpen: false })
    await controller.fetch(getList, { isOpen: true })
    await controller.fetch(create, { id: 5 })
    expect(ids(controller.read(getList, { isOpen: false }).data)).toEqual([5])
    expect(controller.read(getList, { isOpen: true })).toMatchObject({ status: 'Stale', data: [] })
  })

  test('looks at the lists of its members only', async () => {
    const names = vi.fn()
    const others = new Endpoint(async (_params: { id: number }) => [{ id: 1 }], {
      name: 'others',
      schema: new schema.Collection(
        [
          class Other extends Article {
            static override key = 'Other'
          },
        ],
        {
          nonFilterArgumentKeys: (name) => names(name) as boolean,
        },
      ),
    })
    for (const id of [1, 2, 3]) await controller.fetch(others, { id })
    names.mockClear()
    await controller.fetch(create, { id: 5 })
    expect(names).not.toHaveBeenCalled()
  })

  test('a Query over the list of an endpoint follows it', async () => {
    const count = new Query(getList.schema, (list, _params: { author: number }) => list.length)
    await controller.fetch(getList, { author: 1 })
    expect(controller.get(count, { author: 1 })).toBe(1)
    await controller.fetch(create, { id: 5, author: 1 })
    expect(controller.get(count, { author: 1 })).toBe(2)
  })
})

describe('a record stands once in a list', () => {
  const withUpdate = (place: (list: Article[], created: Article) => unknown) =>
    create.extend({
      update: (created: Article) => ({
        [getList.key({ author: 1 })]: (list: Article[]) => place(list, created),
      }),
    })

  test.each<[string, (list: Article[], created: Article) => unknown, number[]]>([
    ['first', (list, created) => [created, ...list], [5, 1, 2]],
    ['in between', ([first, ...rest], created) => [first, created, ...rest], [1, 5, 2]],
    ['last', (list, created) => [...list, created], [1, 2, 5]],
    ['twice', (list, created) => [created, ...list, created], [5, 1, 2]],
    ['nowhere', (list) => [...list].reverse(), [5, 2, 1]],
  ])('where update puts it: %s', async (_, place, expected) => {
    answers['GET /article?author=1'] = [
      { id: 1, author: 1 },
      { id: 2, author: 1 },
    ]
    await controller.fetch(getList, { author: 1 })
    await controller.fetch(getList)
    await controller.fetch(withUpdate(place), { id: 5, author: 1 })
    expect(ids(controller.read(getList, { author: 1 }).data)).toEqual(expected)
    expect(ids(controller.read(getList).data)).toEqual([1, 5])
  })

  test('also before the answer is there', async () => {
    await controller.fetch(getList, { author: 1 })
    const hopeful = withUpdate((list, created) => [created, ...list]).extend({
      getOptimisticResponse: optimistic((_snapshot, body: object) => body),
    })
    const creating = controller.fetch(hopeful, { id: 5, author: 1 })
    expect(ids(controller.read(getList, { author: 1 }).data)).toEqual([5, 1])
    const shown = controller.read(getList, { author: 1 }).data
    await creating
    expect(controller.read(getList, { author: 1 }).data).toEqual(shown)
  })
})

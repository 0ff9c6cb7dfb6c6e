import { callsOf } from '../controller/calls.js'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Controller, Entity, schema } from '../index.js'
import type { EndpointLike, Schema } from '../index.js'
import { RestEndpoint, createResource } from '../rest.js'
import type { RestOptions } from '../rest.js'

class Todo extends Entity {
  id = 0
  title = ''
  userId = 0
  static override key = 'Todo'
}
class User extends Entity {
  id = 0
  static override key = 'User'
}

interface Waiting {
  readonly url: string
  answer(payload: unknown): void
}

let waiting: Waiting[] = []
let controller = new Controller()

/** Sends requests that wait until the test answers them. */
class TestEndpoint<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
  override fetchResponse(url: string) {
    return new Promise<Response>((resolve) => {
      waiting.push({
        url,
        answer: (payload) => resolve(Response.json(payload)),
      })
    })
  }
}

beforeEach(() => {
  waiting = []
  controller = new Controller()
})

const todo = (id: number, fields: object = {}) => ({ id, title: `Todo ${id}`, userId: 1, ...fields })
const todos = (...ids: number[]) => ids.map((id) => todo(id))

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const tick = () => new Promise((done) => setTimeout(done, 0))

/** Starts a request. The test answers it. */
async function ask(endpoint: EndpointLike, args: readonly unknown[]) {
  const promise = controller.fetch(endpoint, ...args)
  // The test expects a rejection later.
  promise.catch(() => {})
  await tick()
  const request = waiting.pop()
  expect(request, 'a request').toBeDefined()
  return {
    promise,
    answer: async (payload: unknown) => {
      request?.answer(payload)
      await tick()
      return promise
    },
  }
}

/** Starts a request and answers it at once. */
async function load(endpoint: EndpointLike, args: readonly unknown[], payload: unknown): Promise<unknown> {
  const { answer } = await ask(endpoint, args)
  return answer(payload)
}

/** The same list in each form of a schema. */
const forms: readonly {
  form: string
  schema: Schema
  wrap: (ids: number[], next?: string | null) => unknown
  list: (data: unknown) => Todo[]
  next?: (data: unknown) => unknown
}[] = [
  {
    form: 'a Collection',
    schema: new schema.Collection([Todo]),
    wrap: (ids) => todos(...ids),
    list: (data) => data as Todo[],
  },
  { form: 'an array', schema: [Todo], wrap: (ids) => todos(...ids), list: (data) => data as Todo[] },
  {
    form: 'a wrapped Collection',
    schema: { results: new schema.Collection([Todo]), next: '' },
    wrap: (ids, next) => ({ results: todos(...ids), next }),
    list: (data) => (data as { results: Todo[] }).results,
    next: (data) => (data as { next: string }).next,
  },
  {
    form: 'a wrapped array',
    schema: { page: { results: [Todo] }, next: '' },
    wrap: (ids, next) => ({ page: { results: todos(...ids) }, next }),
    list: (data) => (data as { page: { results: Todo[] } }).page.results,
    next: (data) => (data as { next: string }).next,
  },
]

describe.each(forms)('pages of $form (E14)', ({ schema: listSchema, wrap, list, next }) => {
  const getList = new TestEndpoint({
    path: '/:group/todo',
    schema: listSchema,
    searchParams: {} as { author?: number },
    paginationField: 'cursor',
    name: 'Todo.getList',
  })
  const { getPage } = getList
  const group = { group: 'a' }
  const read = (args: object = group) => controller.read(getList as EndpointLike, args)
  const ids = (args?: object) => list(read(args).data).map(({ id }) => id)

  test('are requested with all arguments, and appended to the list of those that remain', async () => {
    await load(getList, [group], wrap([1, 2], 'b'))
    const before = list(read().data)
    const { promise, answer } = await ask(getPage, [{ ...group, cursor: 'b' }])
    expect(waiting).toEqual([])
    const page = await answer(wrap([3, 4], 'c'))
    expect(await promise).toBe(page)
    expect(list(page).map(({ id }) => id)).toEqual([3, 4])
    expect(ids()).toEqual([1, 2, 3, 4])
    list(read().data)
      .slice(0, 2)
      .forEach((member, index) => expect(member).toBe(before[index]))
    expect(list(read().data)[2]).toBe(list(page)[0])
    if (next !== undefined) expect([next(page), next(read().data)]).toEqual(['c', 'c'])
    expect(getList.key({ ...group, cursor: 'b' } as never)).toBe(getPage.key({ ...group, cursor: 'b' }))
  })

  test('are told of once', async () => {
    await load(getList, [group], wrap([1, 2]))
    const listener = vi.fn()
    controller.subscribe(getList as EndpointLike, group, listener)
    await load(getPage, [{ ...group, cursor: 2 }], wrap([3, 4]))
    expect(listener).toHaveBeenCalledTimes(1)
    await load(getPage, [{ ...group, cursor: 2 }], wrap([3, 4]))
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('refresh members that are there, in their places', async () => {
    await load(getList, [group], wrap([1, 2]))
    const [first] = list(read().data)
    controller.set(Todo, { id: 2 }, { title: 'old' })
    await load(getPage, [{ ...group, cursor: 2 }], wrap([2, 3, 3]))
    expect(ids()).toEqual([1, 2, 3])
    expect(list(read().data)[0]).toBe(first)
    expect(list(read().data)[1]!.title).toBe('Todo 2')
  })

  test('that are asked for at the same time all arrive', async () => {
    await load(getList, [group], wrap([1, 2]))
    const second = await ask(getPage, [{ ...group, cursor: 2 }])
    const third = await ask(getPage, [{ ...group, cursor: 4 }])
    await third.answer(wrap([5, 6], 'of the third'))
    await second.answer(wrap([3, 4], 'of the second'))
    expect(ids().sort()).toEqual([1, 2, 3, 4, 5, 6])
    if (next !== undefined) expect(next(read().data)).toBe('of the second')
  })

  test('before the list make it, Stale, and stand behind its first page', async () => {
    const listener = vi.fn()
    controller.subscribe(getList as EndpointLike, group, listener)
    await load(getPage, [{ ...group, cursor: 2 }], wrap([3, 4], 'c'))
    expect(ids()).toEqual([3, 4])
    expect(read().status).toBe('Stale')
    expect(listener).toHaveBeenCalledTimes(1)
    await load(getList, [group], wrap([1, 2], 'b'))
    expect(ids()).toEqual([1, 2, 3, 4])
    expect(read().status).toBe('Valid')
    if (next !== undefined) expect(next(read().data)).toBe('c')
  })

  test('that were asked for with the list arrive after it as well', async () => {
    const first = await ask(getList, [group])
    const second = await ask(getPage, [{ ...group, cursor: 2 }])
    await first.answer(wrap([1, 2]))
    await second.answer(wrap([3]))
    expect(ids()).toEqual([1, 2, 3])
  })

  test('stay when the first page is fetched anew and is what it was', async () => {
    await load(getList, [group], wrap([1, 2], 'b'))
    await load(getPage, [{ ...group, cursor: 'b' }], wrap([3, 4], 'c'))
    const before = read().data
    const listener = vi.fn()
    controller.subscribe(getList as EndpointLike, group, listener)
    for (const _ of [1, 2]) await load(getList, [group], wrap([1, 2], 'b'))
    expect(read().data).toBe(before)
    expect(listener.mock.calls.filter(([{ fetching }]) => fetching === false)).toHaveLength(2)
    await load(getPage, [{ ...group, cursor: 'c' }], wrap([5], ''))
    expect(ids()).toEqual([1, 2, 3, 4, 5])
  })

  test('stay through an invalidation', async () => {
    await load(getList, [group], wrap([1, 2]))
    await load(getPage, [{ ...group, cursor: 2 }], wrap([3]))
    controller.invalidate(getList as EndpointLike, group)
    expect(read().data).toBeUndefined()
    await load(getList, [group], wrap([1, 2]))
    expect(ids()).toEqual([1, 2, 3])
  })

  test('stay behind the last member of the first page that the list had', async () => {
    await load(getList, [group], wrap([1, 2, 3], 'b'))
    await load(getPage, [{ ...group, cursor: 'b' }], wrap([4, 5], 'c'))
    const late = await ask(getPage, [{ ...group, cursor: 'c' }])
    await load(getList, [group], wrap([9, 1, 2], 'x'))
    expect(ids()).toEqual([9, 1, 2, 3, 4, 5])
    if (next !== undefined) expect(next(read().data)).toBe('c')
    await late.answer(wrap([6], 'd'))
    expect(ids()).toEqual([9, 1, 2, 3, 4, 5, 6])
    // The first page has the order of the response, and its members are not repeated after it.
    await load(getList, [group], wrap([5, 2, 9], 'x'))
    expect(ids()).toEqual([5, 2, 9, 1, 3, 4, 6])
    await load(getList, [group], wrap([3, 7, 8], 'x'))
    expect(ids()).toEqual([3, 7, 8, 4, 6])
    if (next !== undefined) expect(next(read().data)).toBe('d')
  })

  test.each([
    ['it has none of the members that the list had', [8, 9]],
    ['it is shorter', [1]],
    ['it is empty', []],
  ])('go when the first page is another because %s: the list starts over', async (_, first) => {
    await load(getList, [group], wrap([1, 2], 'b'))
    await load(getPage, [{ ...group, cursor: 'b' }], wrap([3, 4], 'c'))
    const late = await ask(getPage, [{ ...group, cursor: 'c' }])
    await load(getList, [group], wrap(first, 'd'))
    expect(ids()).toEqual(first)
    if (next !== undefined) expect(next(read().data)).toBe('d')
    // This page belongs to the list before it started over.
    await late.answer(wrap([5]))
    expect(list(await late.promise).map(({ id }) => id)).toEqual([5])
    expect(ids()).toEqual(first)
    await load(getPage, [{ ...group, cursor: 'd' }], wrap([7]))
    expect(ids()).toEqual([...first, 7])
  })

  test('are all asked for again, in turn, where the endpoint says so', async () => {
    const whole = getList.extend({ refetchPages: true }) as unknown as typeof getList
    await load(whole, [group], wrap([1, 2], 'b'))
    await load(getPage, [{ ...group, cursor: 'b' }], wrap([3, 4], 'c'))
    await load(getPage, [{ ...group, cursor: 'c' }], wrap([5, 6], 'd'))
    const shown: unknown[] = []
    controller.subscribe(whole as EndpointLike, group, () => shown.push(ids()))
    const first = await ask(whole, [group])
    void first.answer(wrap([9, 1], 'x'))
    await tick()
    const second = waiting.pop()!
    expect(second.url).toContain('cursor=b')
    second.answer(wrap([1, 3], 'y'))
    await tick()
    const third = waiting.pop()!
    expect(third.url).toContain('cursor=c')
    expect(ids()).toEqual([1, 2, 3, 4, 5, 6])
    third.answer(wrap([4, 7], 'z'))
    await first.promise
    expect(ids()).toEqual([9, 1, 3, 4, 7])
    expect(shown.filter((seen) => !isSame(seen, [1, 2, 3, 4, 5, 6]))).toEqual([[9, 1, 3, 4, 7]])
    if (next !== undefined) expect(next(read().data)).toBe('z')
    expect(waiting).toEqual([])
  })

  test('leave the list as it was when one of them fails to be asked for again', async () => {
    const whole = getList.extend({ refetchPages: true }) as unknown as typeof getList
    await load(whole, [group], wrap([1], 'b'))
    await load(getPage, [{ ...group, cursor: 'b' }], wrap([2], 'c'))
    const first = await ask(whole, [group])
    first.answer(wrap([9], 'x')).catch(() => {})
    await tick()
    waiting.pop()!.answer('no list')
    await expect(first.promise).rejects.toThrow('at the root of its payload, but found text')
    expect(ids()).toEqual([1, 2])
  })

  test('do not continue a list whose first page changed meanwhile', async () => {
    await load(getList, [group], wrap([1, 2]))
    const late = await ask(getPage, [{ ...group, cursor: 2 }])
    await load(getList, [group], wrap([9, 1]))
    await late.answer(wrap([3]))
    expect(ids()).toEqual([9, 1])
  })

  test('do not continue it where it was asked for with the list, nor after a reset', async () => {
    for (const first of [[1], [5]]) {
      const list = await ask(getList, [group])
      const late = await ask(getPage, [{ ...group, cursor: 2 }])
      await list.answer(wrap(first))
      await load(getList, [group], wrap([9, 1]))
      await late.answer(wrap([3]))
      expect(ids()).toEqual([9, 1])
      controller.resetAll()
    }
  })

  test('stay when a record of the first page was deleted, here and there', async () => {
    const remove = new TestEndpoint({ path: '/todo/:id', method: 'DELETE', schema: new schema.Delete(Todo) })
    await load(getList, [group], wrap([1, 2]))
    await load(getPage, [{ ...group, cursor: 2 }], wrap([3]))
    await load(remove, [{ id: 2 }], {})
    expect(ids()).toEqual([1, 3])
    await load(getList, [group], wrap([1]))
    expect(ids()).toEqual([1, 3])
  })

  test('that are on their way continue it after a record of the first page was deleted', async () => {
    const remove = new TestEndpoint({ path: '/todo/:id', method: 'DELETE', schema: new schema.Delete(Todo) })
    await load(getList, [group], wrap([1, 2]))
    const late = await ask(getPage, [{ ...group, cursor: 2 }])
    await load(remove, [{ id: 2 }], {})
    await load(getList, [group], wrap([1]))
    await late.answer(wrap([3]))
    expect(ids()).toEqual([1, 3])
  })

  test('of other arguments belong to other lists', async () => {
    await load(getList, [group], wrap([1]))
    await load(getList, [{ ...group, author: 5 }], wrap([2]))
    await load(getPage, [{ author: 5, cursor: 2, ...group }], wrap([3]))
    expect(ids()).toEqual([1])
    expect(ids({ ...group, author: 5 })).toEqual([2, 3])
  })

  test('that cannot be used leave the list as it was', async () => {
    await load(getList, [group], wrap([1]))
    const before = read().data
    await expect(load(getPage, [{ ...group, cursor: 2 }], wrap([NaN]))).rejects.toThrow('has no primary key')
    expect(read().data).toBe(before)
  })

  test('are forgotten by a reset', async () => {
    await load(getList, [group], wrap([1, 2]))
    await load(getPage, [{ ...group, cursor: 2 }], wrap([3]))
    controller.resetAll()
    await load(getList, [group], wrap([1, 2]))
    expect(ids()).toEqual([1, 2])
  })

  test('cost work for what they bring (C)', async () => {
    await load(getList, [group], wrap(Array.from({ length: 1000 }, (_, id) => id + 1)))
    controller.subscribe(getList as EndpointLike, group, () => {})
    read()
    const { graph } = callsOf(controller).store
    const before = graph.computed
    await load(getPage, [{ ...group, cursor: 1000 }], wrap([1001, 1002]))
    read()
    // Six views: two records, the list and its result, the page's list and its result.
    expect(graph.computed - before).toBeLessThanOrEqual(6)
    expect(ids()).toHaveLength(1002)
    const [first] = list(read().data)
    controller.set(Todo, { id: 1002 }, { title: 'changed' })
    expect(list(read().data)[1001]!.title).toBe('changed')
    expect(list(read().data)[0]).toBe(first)
  })
})

describe('paginated (4.4)', () => {
  test('takes a function from the arguments of a page to those of the list', async () => {
    const getList = new TestEndpoint({
      path: '/todo',
      schema: [Todo],
      searchParams: {} as { userId?: number },
    })
    const getNext = getList.paginated(({ after: _after, ...rest }: { after: number; userId?: number }) =>
      Object.keys(rest).length > 0 ? [rest] : [],
    )
    await load(getList, [], todos(1))
    await load(getNext, [{ after: 1 }], todos(2))
    expect(controller.read(getList).data).toMatchObject([{ id: 1 }, { id: 2 }])
    await load(getNext, [{ after: 1, userId: 5 }], todos(3))
    expect(controller.read(getList, { userId: 5 }).data).toMatchObject([{ id: 3 }])
    expect(getNext.key({ after: 1, userId: 5 })).toBe('GET /todo?after=1&userId=5')
  })

  test('pages lists of several kinds of records, and of plain values', async () => {
    const feed = new TestEndpoint({
      path: '/feed',
      schema: new schema.Array({ todo: Todo, user: User }, 'type'),
      paginationField: 'page',
    })
    await load(feed, [], [{ type: 'todo', id: 1 }])
    await load(
      feed.getPage,
      [{ page: 2 }],
      [
        { type: 'user', id: 1 },
        { type: 'todo', id: 1 },
      ],
    )
    await load(feed, [], [{ type: 'todo', id: 1 }])
    const data = controller.read(feed).data!
    expect(data.map(({ constructor }) => constructor)).toEqual([Todo, User])
    const numbers = new TestEndpoint({ path: '/numbers', schema: [Number], paginationField: 'page' })
    await load(numbers, [], [1, 2])
    await load(numbers.getPage, [{ page: 2 }], [2, 1])
    await load(numbers, [], [1, 2])
    expect(controller.read(numbers).data).toEqual([1, 2, 2, 1])
  })

  test('parses its pages as the list: `this.schema` of parseResponse is that of the list', async () => {
    class Linked<const Options extends RestOptions = RestOptions> extends TestEndpoint<Options> {
      override async parseResponse(response: Response) {
        const results = await super.parseResponse(response)
        const schema: object = this.schema ?? {}
        return 'results' in schema ? { results, link: this.name } : results
      }
    }
    const { getList } = createResource({ path: '/todo/:id', schema: Todo, Endpoint: Linked })
    const linked = getList.extend({ schema: { results: new schema.Collection([Todo]), link: '' } })
    const first = await ask(linked, [])
    first.answer(todos(1))
    await first.promise
    const page = await ask(linked.getPage.extend({ dataExpiryLength: 5 }), [{ cursor: 1 }])
    page.answer(todos(2))
    expect(await page.promise).toMatchObject({ results: [{ id: 2 }], link: 'Todo.getList' })
    expect(controller.read(linked).data).toMatchObject({ results: [{ id: 1 }, { id: 2 }] })
    // The same class reads a plain list.
    const plain = await ask(getList.getPage, [{ cursor: 1 }])
    plain.answer(todos(3))
    expect(await plain.promise).toMatchObject([{ id: 3 }])
  })

  test('is part of one request with a read of the same address', async () => {
    const getList = new TestEndpoint({
      path: '/todo',
      schema: [Todo],
      searchParams: {} as { cursor?: number },
      paginationField: 'cursor',
    })
    const page = await ask(getList.getPage, [{ cursor: 2 }])
    const other = controller.fetch(getList, { cursor: 2 })
    await page.answer(todos(3))
    expect(await other).toMatchObject([{ id: 3 }])
    expect(waiting).toEqual([])
    expect(controller.read(getList).data).toMatchObject([{ id: 3 }])
  })
})

describe('the list in the schema (E15)', () => {
  const lists = { total: 0, users: [User], inner: { todos: [Todo] } } as const
  const answer = (user: number, id: number) => ({ users: [{ id: user }], inner: { todos: todos(id) } })

  test('is the first without an option, and the others follow the last page', async () => {
    const getList = new TestEndpoint({ path: '/all', schema: lists, paginationField: 'cursor' })
    await load(getList, [], answer(1, 1))
    await load(getList.getPage, [{ cursor: 2 }], answer(2, 2))
    expect(controller.read(getList).data).toMatchObject({
      users: [{ id: 1 }, { id: 2 }],
      inner: { todos: [{ id: 2 }] },
    })
  })

  test.each([
    ['the option of paginated', false],
    ['paginatedList', true],
  ])('is the one that %s names', async (_, isMember) => {
    const list = ['inner', 'todos']
    const getList = new TestEndpoint({
      path: '/all',
      schema: lists,
      paginationField: 'cursor',
      paginatedList: isMember ? list : undefined,
    })
    const getPage = isMember
      ? getList.getPage
      : getList.paginated(({ cursor: _cursor }: { cursor: number }) => [], { list })
    await load(getList, [], answer(1, 1))
    await load(getPage, [{ cursor: 2 }], answer(2, 2))
    expect(controller.read(getList).data).toMatchObject({
      users: [{ id: 2 }],
      inner: { todos: [{ id: 1 }, { id: 2 }] },
    })
  })

  test.each<[string, Schema | undefined]>([
    ['no schema', undefined],
    ['a record', Todo],
    ['a wrapped record', { data: Todo }],
    ['a map', new schema.Values(Todo)],
    ['a Collection of a map', new schema.Collection(new schema.Values(Todo))],
  ])('that is missing in %s is an error at definition, naming the endpoint', (_, without) => {
    const endpoint = new TestEndpoint({ path: '/todo', schema: without, name: 'Todo.get' })
    expect(() => endpoint.paginated(() => [])).toThrow(
      'Todo.get cannot be paginated: its schema has no list.',
    )
    if (without === undefined) return
    expect(
      () => new TestEndpoint({ path: '/todo', schema: without, name: 'Todo.get', paginationField: 'cursor' }),
    ).toThrow('Todo.get cannot be paginated: its schema has no list.')
  })

  test('that an option names, but that is none, is an error at definition', () => {
    const endpoint = new TestEndpoint({ path: '/todo', schema: lists, name: 'Todo.getAll' })
    for (const list of ['total', 'constructor', ['inner', 'users']]) {
      expect(() => endpoint.paginated(() => [], { list })).toThrow('Todo.getAll cannot be paginated')
    }
  })

  test('may be another, or none, in an endpoint that is derived', () => {
    const { getList } = createResource({ path: '/todo/:id', schema: Todo })
    expect(getList.extend({ schema: Todo }).getPage).toBeUndefined()
    expect(getList.extend({ schema: { users: [User] } }).getPage).toBeInstanceOf(RestEndpoint)
    expect(getList.extend({ schema: [Todo], paginationField: undefined }).getPage).toBeUndefined()
  })
})

describe('a resource', () => {
  const resource = createResource({
    path: '/:group/todo/:id',
    schema: Todo,
    Endpoint: TestEndpoint,
    searchParams: { sort: 'date', userId: 0 as number | undefined },
  })
  const { getList, create } = resource

  test('has a getPage, which is one endpoint', () => {
    expect(getList.getPage).toBe(getList.getPage)
    expect(getList.getPage).toBeInstanceOf(TestEndpoint)
    expect(resource.get.getPage).toBeUndefined()
    expect(getList.getPage.getPage).toBeUndefined()
  })

  test('names its page by paginationField', async () => {
    const other = createResource({ path: '/todo/:id', schema: Todo, paginationField: 'page' })
    expect(other.getList.getPage.key({ page: 2 })).toBe('GET /todo?page=2')
  })

  test('sends defaults of searchParams with lists and pages only', () => {
    expect(getList.key({ group: 'a' })).toBe('GET /a/todo?sort=date&userId=0')
    expect(getList.getPage.key({ group: 'a', cursor: 2, sort: 'title' })).toBe(
      'GET /a/todo?cursor=2&sort=title&userId=0',
    )
    expect(resource.get.key({ group: 'a', id: 5 })).toBe('GET /a/todo/5')
    expect(create.key({ group: 'a' }, {})).toBe('POST /a/todo')
  })

  test('adds what it creates at the end or the beginning, and pages after it', async () => {
    const createFirst = create.extend({ schema: getList.schema.unshift })
    const args = { group: 'a', userId: 1 }
    const ids = () => controller.read(getList, args).data!.map(({ id }) => id)
    await load(getList, [args], todos(1, 2))
    await load(create, [{ group: 'a' }, { title: 'x' }], todo(9))
    await load(createFirst, [{ group: 'a' }, { title: 'x' }], todo(8))
    expect(ids()).toEqual([8, 1, 2, 9])
    await load(getList.getPage, [{ ...args, cursor: 2 }], todos(3, 9))
    expect(ids()).toEqual([8, 1, 2, 9, 3])
    // The response decides the members up to the end of the first page. The members after it stay.
    await load(getList, [args], todos(1, 2))
    expect(ids()).toEqual([1, 2, 9, 3])
  })

  test('applies to a page what mutations changed since it was asked for', async () => {
    const args = { group: 'a', userId: 1 }
    await load(getList, [args], todos(1))
    await load(getList.getPage, [{ ...args, cursor: 1 }], todos(2, 3))
    const page = await ask(getList.getPage, [{ ...args, cursor: 3 }])
    await load(resource.partialUpdate, [{ group: 'a', id: 2 }, { userId: 7 }], todo(2, { userId: 7 }))
    await page.answer(todos(2, 4))
    expect(controller.read(getList, args).data!.map(({ id }) => id)).toEqual([1, 3, 4])
  })
})

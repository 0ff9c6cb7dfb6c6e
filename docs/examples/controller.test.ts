import { readFileSync } from 'node:fs'
import {
  Controller,
  Endpoint,
  Entity,
  Query,
  SelfsameError,
  schema,
} from '@selfsame/core'
import {
  dehydrate,
  hydrateFromPage,
  stateScript,
} from '@selfsame/core/hydration'
import { connect } from '@selfsame/core/live'
import { RestEndpoint } from '@selfsame/core/rest'
import {
  TestClock,
  createMockController,
  defineMocks,
} from '@selfsame/core/testing'
import { Window } from 'happy-dom'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Todo, showTodos, todoResource, toggle } from './todo-list.js'
import { optimistic } from '@selfsame/core/optimistic'

interface Row {
  readonly id: number
  readonly title: string
  readonly done?: boolean
}

/** A server's todos in memory, each Controller with its own. */
const server = defineMocks({
  createState: () => ({ rows: [{ id: 5, title: 'Write' }] as Row[] }),
  interceptors: [
    {
      endpoint: todoResource.getList,
      response() {
        return this.state.rows
      },
    },
    {
      endpoint: todoResource.get,
      response({ id }) {
        return (
          this.state.rows.find((row) => row.id === Number(id)) ??
          Promise.reject(new Error('Not found'))
        )
      },
    },
    {
      endpoint: todoResource.create,
      response({ title = '' }) {
        const row = { id: 6, title }
        this.state.rows.push(row)
        return row
      },
    },
    {
      endpoint: todoResource.partialUpdate,
      response: ({ id }, body) => ({ ...body, id: Number(id) }),
    },
    { endpoint: todoResource.delete, response: ({ id }) => ({ id }) },
  ],
})

async function openController() {
  const clock = new TestClock()
  const controller = createMockController({ ...server, clock })
  await controller.fetch(todoResource.getList)
  return { clock, controller }
}

/** A function of an endpoint that is answered by hand, in any order. */
function byHand<Params extends object>() {
  const answers: ((value: object) => void)[] = []
  const ask = (_params: Params) =>
    new Promise<object>((resolve) => answers.push(resolve))
  return { ask, answers }
}

const titles = (controller: Controller) =>
  controller.read(todoResource.getList).data?.map(({ title }) => title)

test('a list without a framework is drawn when something in it changes', async () => {
  const controller = createMockController(server)
  const show = vi.fn()
  const end = showTodos(controller, show)
  expect(show).toHaveBeenLastCalledWith(['Loading'])
  await vi.waitFor(() => expect(show).toHaveBeenLastCalledWith(['○ Write']))
  const toggling = toggle(controller, 5)
  expect(show).toHaveBeenLastCalledWith(['✓ Write'])
  await toggling
  controller.set(Todo, { id: 5 }, { title: 'Rewrite' })
  expect(show).toHaveBeenLastCalledWith(['✓ Rewrite'])
  end()
  const { length } = show.mock.calls
  controller.set(Todo, { id: 5 }, { title: 'Read' })
  expect(show).toHaveBeenCalledTimes(length)
})

test('a list that cannot be fetched shows why', async () => {
  const fixtures = [
    { endpoint: todoResource.getList, args: [], error: new Error('Offline') },
  ] as const
  const show = vi.fn()
  showTodos(createMockController({ fixtures }), show)
  await vi.waitFor(() => expect(show).toHaveBeenLastCalledWith(['Offline']))
})

test('create and dispose', async () => {
  const controller = new Controller({
    dataExpiryLength: 30_000,
    maxRecords: 50_000,
  })
  controller.dispose()
  await expect(
    controller.fetch(todoResource.get, { id: 5 }),
  ).rejects.toMatchObject({
    code: 'controller-disposed',
  })
})

describe('fetch and read', () => {
  test('a call is fetched, and read wherever it is shown', async () => {
    const { controller } = await openController()
    const todo = await controller.fetch(todoResource.get, { id: 5 })
    const { data, error, status } = controller.read(todoResource.get, { id: 5 })
    expect([data, error, status]).toEqual([todo, undefined, 'Valid'])
    expect(data).toBe(todo)
    expect(controller.get(Todo, { id: 5 })).toBe(todo)
    expect(controller.read(todoResource.getList).data?.[0]).toBe(todo)
  })

  test('fetchIfStale asks for what is not fresh, and read of what is not there makes no request', async () => {
    const { clock, controller } = await openController()
    await controller.fetchIfStale(todoResource.getList)
    expect(controller.requests).toHaveLength(1)
    clock.advance(60_001)
    await controller.fetchIfStale(todoResource.getList)
    expect(controller.requests).toHaveLength(2)
    expect(controller.read(todoResource.get, { id: 9 })).toMatchObject({
      data: undefined,
      status: 'Invalid',
    })
    expect(controller.requests).toHaveLength(2)
  })

  test('read keeps the value of a Query, and get computes it', async () => {
    const { controller } = await openController()
    const openTodos = new Query(new schema.All(Todo), (todos) =>
      todos.filter(({ done }) => !done),
    )
    const { data } = controller.read(openTodos)
    expect(controller.read(openTodos).data).toBe(data)
    expect(controller.get(openTodos)).toEqual(data)
  })

  test('a listener is told of changes of what it shows, and not at once', async () => {
    const { controller } = await openController()
    const render = vi.fn()
    const end = controller.subscribe(todoResource.get, { id: 5 }, ({ data }) =>
      render(data?.title),
    )
    expect(render).not.toHaveBeenCalled()
    controller.set(Todo, { id: 5 }, { title: 'Write' })
    controller.set(Todo, { id: 6 }, { title: 'Read' })
    expect(render).not.toHaveBeenCalled()
    controller.set(Todo, { id: 5 }, { title: 'Rewrite' })
    expect(render.mock.calls).toEqual([['Rewrite']])
    end()
  })
})

test('what is invalidated is unusable, what is expired is old, and a reset leaves nothing', async () => {
  const { controller } = await openController()
  await controller.fetch(todoResource.get, { id: 5 })
  controller.expireAll(todoResource.getList)
  expect(controller.read(todoResource.getList)).toMatchObject({
    status: 'Stale',
    data: [{ id: 5 }],
  })
  controller.invalidate(todoResource.get, { id: 5 })
  expect(controller.read(todoResource.get, { id: 5 })).toMatchObject({
    status: 'Invalid',
    data: undefined,
  })
  expect(controller.get(Todo, { id: 5 })).toBeDefined()
  controller.invalidateAll(todoResource.getList)
  expect(controller.read(todoResource.getList).status).toBe('Invalid')
  controller.resetAll()
  expect(controller.get(Todo, { id: 5 })).toBeUndefined()
})

describe('writing', () => {
  test('set changes fields, lists and members, and removes', async () => {
    const { controller } = await openController()
    controller.set(Todo, { id: 5 }, { title: 'Rewrite' })
    controller.set(Todo, { id: 5 }, (todo) => ({
      votes: (todo?.votes ?? 0) + 1,
    }))
    expect(controller.get(Todo, { id: 5 })).toMatchObject({
      title: 'Rewrite',
      votes: 1,
    })
    controller.set(
      todoResource.getList.schema.push,
      {},
      { id: 6, title: 'Read' },
    )
    expect(titles(controller)).toEqual(['Rewrite', 'Read'])
    controller.set(todoResource.getList.schema.unshift, {}, [
      { id: 8, title: 'First' },
    ])
    expect(titles(controller)).toEqual(['First', 'Rewrite', 'Read'])
    controller.set(new schema.Delete(Todo), { id: 5 }, {})
    expect(titles(controller)).toEqual(['First', 'Read'])
    controller.set(todoResource.getList.schema, {}, [{ id: 7, title: 'Rest' }])
    expect(titles(controller)).toEqual(['Rest'])
    expect(() =>
      controller.set(todoResource.getList.schema, {}, [{ title: 'x' }]),
    ).toThrow('primary key')
    expect(titles(controller)).toEqual(['Rest'])
  })

  test('setResponse and setError settle a call that nobody asked for', async () => {
    const { controller } = await openController()
    controller.setResponse(
      todoResource.get,
      { id: 5 },
      { id: 5, title: 'Pushed' },
    )
    controller.setError(
      todoResource.get,
      { id: 5 },
      new Error('The connection was lost'),
    )
    const { data, error } = controller.read(todoResource.get, { id: 5 })
    expect([data?.title, error?.message]).toEqual([
      'Pushed',
      'The connection was lost',
    ])
    expect(controller.requestsOf(todoResource.get)).toEqual([])
  })

  test('resolve answers whoever waits', async () => {
    const { ask } = byHand<{ id: number }>()
    const controller = new Controller()
    const rename = new Endpoint(ask, {
      name: 'rename',
      schema: Todo,
      sideEffect: true,
    })
    const renaming = controller.fetch(rename, { id: 5 })
    controller.resolve(rename, {
      args: [{ id: 5 }],
      response: { id: 5, title: 'Confirmed' },
    })
    expect((await renaming)!.title).toBe('Confirmed')
  })

  test('batch tells readers once', async () => {
    const { controller } = await openController()
    const messages = [1, 2, 3].map((votes) => ({ id: 5, votes }))
    const tell = vi.fn()
    controller.subscribe(todoResource.getList, tell)
    controller.batch(() => {
      for (const { id, ...fields } of messages)
        controller.set(Todo, { id }, fields)
    })
    expect(tell).toHaveBeenCalledTimes(1)
  })
})

test('connect asks again and again', async () => {
  const { clock, controller } = await openController()
  const getTodos = todoResource.getList.extend({ pollFrequency: 5000 })
  const end = connect(controller, getTodos)
  for (const expected of [2, 3]) {
    clock.advance(5000)
    await controller.fetch(getTodos) // joins the request that is under way
    expect(controller.requests).toHaveLength(expected)
  }
  end()
  clock.advance(50_000)
  expect(controller.requests).toHaveLength(3)
})

test('time passes when the clock says so', async () => {
  const clock = new TestClock()
  const controller = new Controller({ clock })
  controller.setResponse(todoResource.get, { id: 5 }, { id: 5, title: 'Write' })
  clock.advance(60_001)
  expect(controller.read(todoResource.get, { id: 5 }).status).toBe('Stale')
  const old = todoResource.get.extend({ invalidIfStale: true })
  expect(controller.read(old, { id: 5 })).toMatchObject({
    status: 'Invalid',
    data: undefined,
  })
  const any = todoResource.get.extend({ policy: 'cache-first' })
  expect(controller.read(any, { id: 5 }).status).toBe('Valid')
})

describe('races', () => {
  function openRace() {
    const controller = new Controller()
    const reads = byHand<{ id: number }>()
    const saves = byHand<{ id: number; n: number }>()
    const lists = byHand<object>()
    const get = new Endpoint(reads.ask, { name: 'get', schema: Todo })
    const save = new Endpoint(saves.ask, {
      name: 'save',
      schema: Todo,
      sideEffect: true,
    })
    const getList = new Endpoint(() => lists.ask({}), {
      name: 'getList',
      schema: new schema.Collection([Todo]),
    })
    const title = () => controller.get(Todo, { id: 5 })?.title
    const ids = () => controller.read(getList).data?.map(({ id }) => id)
    return { controller, reads, saves, lists, get, save, getList, title, ids }
  }

  test('identical reads are one request', () => {
    const { controller, reads, get } = openRace()
    expect(controller.fetch(get, { id: 5 })).toBe(
      controller.fetch(get, { id: 5 }),
    )
    expect(reads.answers).toHaveLength(1)
  })

  test('of two reads of a record the one that started later wins', async () => {
    const { controller, reads, lists, get, getList, title } = openRace()
    const older = controller.fetch(get, { id: 5 })
    const newer = controller.fetch(getList)
    lists.answers[0]?.([{ id: 5, title: 'newer' }])
    await newer
    reads.answers[0]?.({ id: 5, title: 'older', votes: 3 })
    await older
    expect([title(), controller.get(Todo, { id: 5 })?.votes]).toEqual([
      'newer',
      3,
    ])
  })

  test('a read loses to a mutation that settled after the read started', async () => {
    const { controller, reads, saves, get, save, title } = openRace()
    const saving = controller.fetch(save, { id: 5, n: 1 })
    const reading = controller.fetch(get, { id: 5 })
    saves.answers[0]?.({ id: 5, title: 'saved' })
    await saving
    reads.answers[0]?.({ id: 5, title: 'read' })
    expect((await reading).title).toBe('saved')
    expect(title()).toBe('saved')
  })

  test('of two mutations the one that started later wins', async () => {
    const { controller, saves, save, title } = openRace()
    const slow = controller.fetch(save, { id: 5, n: 1 })
    const quick = controller.fetch(save, { id: 5, n: 2 })
    saves.answers[1]?.({ id: 5, title: 'second' })
    await quick
    saves.answers[0]?.({ id: 5, title: 'first' })
    await slow
    expect(title()).toBe('second')
  })

  test('a read loses to set and setResponse', async () => {
    const { controller, reads, get, title } = openRace()
    const reading = controller.fetch(get, { id: 5 })
    controller.set(Todo, { id: 5 }, { title: 'set' })
    reads.answers[0]?.({ id: 5, title: 'read' })
    await reading
    expect(title()).toBe('set')
  })

  test('in a list that was asked for before, what was added is in it and what was deleted is not', async () => {
    const { controller, lists, getList, ids } = openRace()
    controller.setResponse(getList, [{ id: 5 }, { id: 6 }])
    const reading = controller.fetch(getList)
    controller.set(getList.schema.push, {}, { id: 7 })
    controller.set(new schema.Delete(Todo), { id: 5 }, {})
    lists.answers[0]?.([{ id: 5 }, { id: 6 }])
    await reading
    expect(ids()).toEqual([6, 7])
  })

  test('an answer that was asked for before invalidate does not count, nor is one fresh that was before expireAll', async () => {
    const { controller, reads, get } = openRace()
    const before = controller.fetch(get, { id: 5 })
    controller.invalidate(get, { id: 5 })
    reads.answers[0]?.({ id: 5 })
    await before
    expect(controller.read(get, { id: 5 }).status).toBe('Invalid')
    const expired = controller.fetch(get, { id: 5 })
    controller.expireAll(get)
    reads.answers[1]?.({ id: 5 })
    await expired
    expect(controller.read(get, { id: 5 }).status).toBe('Stale')
  })

  test('a reset drops what is under way', async () => {
    const { controller, saves, save, title } = openRace()
    const saving = controller.fetch(save, { id: 5, n: 1 })
    controller.resetAll()
    saves.answers[0]?.({ id: 5, title: 'saved' })
    const error: unknown = await saving.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SelfsameError)
    expect(error).toMatchObject({ code: 'hard-reset' })
    expect(title()).toBeUndefined()
  })
})

describe('optimistic updates', () => {
  test('are shown at once, and confirmed in place', async () => {
    const { controller } = await openController()
    const creating = controller.fetch(todoResource.create, { title: 'Read' })
    expect(titles(controller)).toEqual(['Write', 'Read'])
    const expected = controller.read(todoResource.getList).data?.[1]
    controller.set(
      todoResource.getList.schema.push,
      {},
      { id: 9, title: 'Rest' },
    )
    const created = await creating
    expect(created!.id).toBe(6)
    expect(
      controller.read(todoResource.getList).data?.map(({ id }) => id),
    ).toEqual([5, 6, 9])
    expect(controller.get(Todo, { id: expected?.id ?? 0 })).toBe(created)
  })

  test('join what update changes, and are taken back alone', async () => {
    const clock = new TestClock()
    const getCount = new RestEndpoint({
      path: '/todo/count',
      schema: { open: 0 },
    })
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
    const close = todoResource.partialUpdate.extend({
      update: () => ({
        [getCount.key()]: ({ open }: { open: number }) => ({ open: open - 1 }),
      }),
    })
    const controller = createMockController({
      clock,
      fixtures: [
        {
          endpoint: vote,
          args: [{ id: 5 }],
          response: { id: 5, votes: 4 },
          delayMs: 100,
        },
        {
          endpoint: close,
          args: [{ id: 5 }, { done: true }],
          error: new Error('Refused'),
          delayMs: 100,
        },
      ],
    })
    controller.set(Todo, { id: 5 }, { votes: 3 })
    controller.setResponse(getCount, { open: 7 })
    const calls = [
      controller.fetch(vote, { id: 5 }),
      controller.fetch(close, { id: 5 }, { done: true }),
    ]
    expect(controller.get(Todo, { id: 5 })).toMatchObject({
      votes: 4,
      done: true,
    })
    expect(controller.read(getCount).data).toEqual({ open: 6 })
    clock.advance(100)
    await Promise.allSettled(calls)
    expect(controller.get(Todo, { id: 5 })).toMatchObject({
      votes: 4,
      done: false,
    })
    expect(controller.read(getCount).data).toEqual({ open: 7 })
  })
})

test('a page goes on where its server ended', async () => {
  const cookies: (string | null)[] = []
  const respond = (_url: unknown, init?: RequestInit) => {
    cookies.push(new Headers(init?.headers).get('cookie'))
    return Promise.resolve(Response.json([{ id: 5, title: 'Write' }]))
  }
  const withCookies = (init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('cookie', 'user=Ann')
    return { ...init, headers }
  }
  const { document } = new Window()
  vi.stubGlobal('fetch', respond)
  vi.stubGlobal('document', document)
  onTestFinished(() => void vi.unstubAllGlobals())

  const onServer = new Controller({
    fetch: (url, init) => fetch(url, withCookies(init)),
  })
  await onServer.fetch(todoResource.getList)
  const html = stateScript(dehydrate(onServer))
  document.body.innerHTML = html
  const inPage = new Controller()
  hydrateFromPage(inPage)
  expect(inPage.read(todoResource.getList)).toMatchObject({
    status: 'Valid',
    data: [{ title: 'Write' }],
  })
  expect(cookies).toEqual(['user=Ann'])
})

test('what is not used for keepLength is forgotten, what somebody listens to is not', async () => {
  const clock = new TestClock()
  const controller = new Controller({
    clock,
    keepLength: 10_000,
    dataExpiryLength: Infinity,
  })
  controller.setResponse(todoResource.get, { id: 5 }, { id: 5, title: 'Write' })
  controller.setResponse(todoResource.get, { id: 6 }, { id: 6, title: 'Read' })
  const end = controller.subscribe(todoResource.get, { id: 5 }, () => {})
  // A collection is made from time to time, in slices.
  for (let second = 0; second < 60; second++) clock.advance(1000)
  expect(controller.get(Todo, { id: 6 })).toBeUndefined()
  expect(controller.get(Todo, { id: 5 })?.title).toBe('Write')
  end()
})

class Document extends Entity {
  id = 0
  text = ''
  updatedAt = ''
  static override key = 'Document'
  static override version = 'updatedAt'
}

test('the greater version wins, in whatever order responses come', () => {
  const controller = new Controller()
  const get = new Endpoint(async ({ id }: { id: number }) => ({ id }), {
    name: 'get',
    schema: Document,
  })
  const receive = (text: string, updatedAt: string) =>
    controller.resolve(get, {
      args: [{ id: 1 }],
      response: { id: 1, text, updatedAt },
    })
  void controller.fetch(get, { id: 1 })
  receive('new', '2026-01-02T00:00:00Z')
  void controller.fetch(get, { id: 1 })
  receive('old', '2026-01-01T00:00:00Z')
  expect(controller.get(Document, { id: 1 })).toMatchObject({
    text: 'new',
    updatedAt: '2026-01-02T00:00:00Z',
  })
})

test('the guide shows the whole list of todos', () => {
  const read = (path: string) =>
    readFileSync(new URL(path, import.meta.url), 'utf8')
  const guide = read('../controller.md')
  expect(guide).toContain(read('./todo-list.ts').trim())
})

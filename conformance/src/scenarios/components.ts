import { Query } from '@selfsame/core'
import type { ReadEndpoint } from '@selfsame/core'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { Todo, todoFields } from '../fixtures.js'
import type { Api } from '../fixtures.js'
import { retainersOf, scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

const route = 'GET /todo/5'
const other = 'GET /todo/6'

scenario.everywhere(
  '6/two hooks',
  'two hooks of one component show one call alike, from one request, through every change',
  async ({ api, controller, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useSuspense and useDLE', api.todo.get, { id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    const expectBoth = (title: string) => {
      const [data, state] = shown(reader) as [Todo, { data: Todo }]
      expect(data).toMatchObject({ title })
      expect(state).toEqual({ data, loading: false, error: undefined })
      expect(state.data).toBe(data)
    }
    expectBoth('Todo 5')
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    await settle()
    expectBoth('Changed')
    await reader.change({ id: 6 })
    await settle()
    expectBoth('Todo 6')
    server.route(other, todoFields(6, { title: 'Newer' }))
    controller.invalidate(api.todo.get, { id: 6 })
    await settle()
    expectBoth('Newer')
    server.route(other, todoFields(6, { title: 'Of another user' }))
    controller.resetAll()
    await settle()
    expectBoth('Of another user')
    expect(server.requests).toEqual([route, other, other, other])
  },
)

scenario.onReact18(
  '6/unread',
  'a call that only an event handler would read is asked for, kept and given up as one that is shown',
  async ({ api, clock, controller, mount, pass, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    clock.advance(60_000)
    const reader = await mount('useSuspense unread', api.todo.get, { id: 5 })
    await settle()
    expect(server.requests).toEqual([route, route])
    expect(retainersOf(controller)).toBe(1)
    await pass(3_600_000)
    expect(controller.get(Todo, { id: 5 })).toMatchObject({ title: 'Todo 5' })
    await reader.change({ id: 6 })
    await settle()
    expect(server.requests).toEqual([route, route, other])
    controller.invalidate(api.todo.get, { id: 6 })
    await settle()
    expect(server.requests).toEqual([route, route, other, other])
    server.hold(other)
    controller.expireAll(api.todo.get)
    await settle()
    expect(server.requests).toEqual([route, route, other, other, other])
    expect(server.aborted).toEqual([])
    await reader.unmount()
    await settle()
    expect(server.aborted).toEqual([other])
    expect(retainersOf(controller)).toBe(0)
  },
)

/** Calls, and the route of their requests. */
const firstLoads: Readonly<Record<string, [string, (api: Api) => [ReadEndpoint, ...unknown[]]]>> = {
  'a cold list': ['GET /todo', (api) => [api.todo.getList]],
  'an unknown detail': [route, (api) => [api.todo.get, { id: 5 }]],
}

for (const [load, [held, callOf]] of Object.entries(firstLoads)) {
  scenario.onReact18(
    `renders/${load}`,
    'a reader renders twice until it has data: before, and with it; when its data is invalidated, twice again',
    async ({ api, controller, mount, server, settle }) => {
      const [endpoint, ...args] = callOf(api)
      server.hold(held)
      const reader = await mount('useSuspense', endpoint, ...args)
      await settle()
      server.release()
      await settle()
      expect(reader.current().state).toBe('ready')
      expect(reader.renders).toBeLessThanOrEqual(2)
      const { renders } = reader
      server.hold(held)
      controller.invalidate(endpoint, ...args)
      await settle()
      server.release()
      await settle()
      expect(reader.current().state).toBe('ready')
      expect(reader.renders - renders).toBeLessThanOrEqual(2)
    },
  )
}

scenario.onReact18(
  'renders/states',
  'a reader of a state renders twice until it has data, and a write of what it shows renders it once',
  async ({ api, controller, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ data: { title: 'Todo 5' } })
    expect(reader.renders).toBeLessThanOrEqual(2)
    const { renders } = reader
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(reader.renders - renders).toBe(1)
  },
)

// What a component gives a hook may close over its state. After a write that the function of before did not see, the next one
// sees what is stored, and not what its reader has shown.

const fieldOf = (name: 'title' | 'completed') => new Query(Todo, (todo: Todo) => todo[name])

interface ClosingOver {
  readonly mount: (stage: Stage) => Promise<Reader>
  /** Renders the reader with a function that looks at `completed`. */
  readonly toNext: (reader: Reader, stage: Stage) => Promise<void>
  /** What it shows of `completed`. */
  readonly shownOf: (reader: Reader) => unknown
}

/** Asks for a further page if the first record has a field that is true. */
const nextBy = (name: 'title' | 'completed') => ({
  next: ([todo]: readonly Todo[]) => (todo?.[name] === true ? { cursor: todo.id } : undefined),
})

const closingOver: Readonly<Record<string, ClosingOver>> = {
  'a Query made of state': {
    mount: ({ mount }) => mount('useQuery', fieldOf('title'), { id: 5 }),
    toNext: (reader) => reader.changeEndpoint(fieldOf('completed'), { id: 5 }),
    shownOf: shown,
  },
  'a next made of state': {
    mount: ({ api, mount }) => mount('useInfinite', api.todo.getList, {}, nextBy('title')),
    toNext: (reader) => reader.change({}, nextBy('completed')),
    shownOf: (reader) => (shown(reader) as { readonly hasNext: boolean }).hasNext,
  },
  'calls made of state': {
    mount: ({ api, mount }) => mount('useDLEAll', api.todo.get, [[api.todo.get, { id: 6 }]]),
    toNext: (reader, { api }) =>
      reader.change([
        [api.todo.get, { id: 6 }],
        [api.todo.get, { id: 5 }],
      ]),
    shownOf: (reader) => (shown(reader) as { readonly data: readonly Todo[] }).data[1]?.completed,
  },
}

for (const [what, { mount, toNext, shownOf }] of Object.entries(closingOver)) {
  scenario(
    `closures/${what}`,
    `given ${what}, a reader shows what was written since, also if it saw no change of what was there before`,
    async (stage) => {
      const { api, controller, settle } = stage
      await controller.fetch(api.todo.getList)
      await controller.fetch(api.todo.get, { id: 5 })
      const reader = await mount(stage)
      await settle()
      controller.set(Todo, { id: 5 }, { completed: true })
      await settle()
      await toNext(reader, stage)
      await settle()
      expect(shownOf(reader)).toBe(true)
      controller.set(Todo, { id: 5 }, { completed: false })
      await settle()
      expect(shownOf(reader)).toBe(false)
    },
  )
}

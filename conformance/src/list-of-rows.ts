import { Controller, schema } from '@selfsame/core'
import { describe, expect, test } from 'vitest'
import { Todo, createApi, routeSamples, todoFields } from './fixtures.js'
import type { Api } from './fixtures.js'
import { ManualClock } from './clock.js'
import { Server, reply } from './server.js'

/** The hooks that a row can read its record by. With the last two, one component reads the records of all rows at once. */
export const rowHooks = [
  'useSuspense',
  'useSuspenseAll',
  'useDLE',
  'useFetch',
  'useSuspenseAll at once',
  'useDLEAll at once',
] as const
export type RowHook = (typeof rowHooks)[number]

/** A list in a boundary, read by `useSuspense`. What failed in it is a `<button>` that resets it. Each item is a component that reads the same record by a call of its own. */
export interface ListOfRows {
  readonly api: Api
  readonly controller: Controller
  readonly hook: RowHook
  /** `true` if each row has a boundary of its own, or all rows that are read at once have one together. */
  readonly areAlone: boolean
  /** `true` if only the first row is shown, whose id nothing reads but its own arguments. @default false */
  readonly isFirstOnly?: boolean
  /** To be called when a row is in the page, before the effects of its hook. */
  readonly onRow: (id: number) => void
}

/** A mounted page. */
export interface MountedRows {
  /** The texts of the rows. */
  texts(): string[]
  /** Clicks the button. */
  retry(): void
  /** Waits until all promises are settled and the page is rendered. */
  settle(): Promise<void>
}

const reset = ({ controller }: ListOfRows) => controller.resetAll()

/** Ways to start anew: what happens before the reset, and the reset. */
const ways: Readonly<Record<string, readonly [before: (page: ListOfRows) => void, reset: typeof reset]>> = {
  'a reset': [() => {}, reset],
  'a second reset': [reset, reset],
  'a reset of what was written': [
    ({ controller }) => controller.set(Todo, { id: 5 }, { title: 'Changed' }),
    reset,
  ],
  'a reset of what was made Stale and fetched again': [
    ({ api, controller }) => {
      controller.expireAll(api.todo.get)
      controller.expireAll(api.todo.getList)
    },
    reset,
  ],
  'a reset beside an expiry': [
    () => {},
    ({ api, controller }) =>
      controller.batch(() => {
        controller.expireAll(api.todo.get)
        controller.resetAll()
      }),
  ],
}

/** Ways to delete a record that a row shows. */
const deletions: Readonly<Record<string, (page: ListOfRows) => unknown>> = {
  'by its delete': ({ api, controller }) => controller.fetch(api.todo.delete, { id: 5 }),
  elsewhere: ({ controller }) => controller.set(new schema.Delete(Todo), { id: 5 }, {}),
  'with another, elsewhere': ({ controller }) =>
    controller.batch(() => {
      controller.set(Todo, { id: 6 }, { title: 'Todo 6' })
      controller.set(new schema.Delete(Todo), { id: 5 }, {})
    }),
}

/** What happens after a deletion has left the cache, and before a framework may have rendered it. */
const afterwards: Readonly<Record<string, (page: ListOfRows) => void>> = {
  'a reset': reset,
  'a write and a reset': (page) => {
    page.controller.set(Todo, { id: 6 }, { title: 'Changed' })
    reset(page)
  },
  'two resets': (page) => {
    reset(page)
    reset(page)
  },
}

/** Ways to make all records Stale beside a deletion. */
const expiries: Readonly<Record<string, (controller: Controller, api: Api, remove: () => void) => void>> = {
  after: (controller, api, remove) => {
    remove()
    controller.expireAll(api.todo.get)
  },
  'in one batch': (controller, api, remove) =>
    controller.batch(() => {
      controller.expireAll(api.todo.get)
      remove()
    }),
  'in one batch, after': (controller, api, remove) =>
    controller.batch(() => {
      remove()
      controller.expireAll(api.todo.get)
    }),
  'in the next task': (controller, api, remove) => {
    remove()
    setTimeout(() => controller.expireAll(api.todo.get))
  },
}

/**
 * A page that starts anew asks as it did when it was mounted: for the list, which brings the records of its rows. Compared with what
 * the server received.
 */
export function describeListOfRows(mount: (page: ListOfRows) => Promise<MountedRows>): void {
  const pages = rowHooks.flatMap((hook) =>
    [false, true].map((areAlone) => ({ hook, areAlone, onRow: () => {} })),
  )
  describe.each(pages)('rows that read by $hook, in a boundary of their own: $areAlone', (page) => {
    test.each(Object.entries(ways))(
      'are not fetched beside their list after %s',
      async (_, [before, startAnew]) => {
        const clock = new ManualClock()
        const server = new Server(clock)
        routeSamples(server)
        const controller = new Controller({ clock })
        const api = createApi(server)
        const shown = { ...page, api, controller }
        const { texts, settle } = await mount(shown)
        await settle()
        expect(texts()).toEqual(['Todo 5', 'Todo 6'])
        expect(server.requests).toEqual(['GET /todo'])
        before(shown)
        await settle()
        server.requests.length = 0
        server.route('GET /todo', [todoFields(6, { title: 'New 6' }), todoFields(1, { title: 'New 1' })])
        startAnew(shown)
        await settle()
        await settle()
        expect(texts()).toEqual(['New 6', 'New 1'])
        expect(server.requests).toEqual(['GET /todo'])
        controller.set(Todo, { id: 6 }, { title: 'Changed' })
        await settle()
        expect(texts()).toEqual(['Changed', 'New 1'])
      },
    )
    test.each(Object.entries(deletions))('are not fetched when they are deleted %s', async (_, remove) => {
      const server = new Server(new ManualClock())
      routeSamples(server)
      // With the timers of a browser, what is deleted stays on screen for a macrotask.
      const controller = new Controller()
      const api = createApi(server)
      const shown = { ...page, api, controller }
      const { texts, settle } = await mount(shown)
      await settle()
      expect(texts()).toEqual(['Todo 5', 'Todo 6'])
      // What is being settled renders late: React renders at the end of an act, or in a task of its own in a browser.
      const settled = settle()
      remove(shown)
      await settled
      await settle()
      expect(texts()).toEqual(['Todo 6'])
      expect(server.requests.filter((line) => line.startsWith('GET'))).toEqual(['GET /todo'])
    })
    test('are not fetched when they are deleted as they are mounted', async () => {
      const server = new Server(new ManualClock())
      routeSamples(server)
      const controller = new Controller()
      const api = createApi(server)
      const deleted = new Set<number>()
      const onRow = (id: number) => {
        if (id !== 5 || deleted.has(id)) return
        deleted.add(id)
        controller.set(new schema.Delete(Todo), { id }, {})
      }
      const { texts, settle } = await mount({ ...page, api, controller, onRow })
      await settle()
      await settle()
      expect([...deleted]).toEqual([5])
      expect(texts()).toEqual(['Todo 6'])
      expect(server.requests).toEqual(['GET /todo'])
    })
    test.each([
      ['', false],
      [', and is answered later', true],
    ])(
      'that fail let their Stale list be fetched%s, so that a retry shows what is left',
      async (_, isSlow) => {
        const server = new Server(new ManualClock())
        routeSamples(server)
        const controller = new Controller()
        const api = createApi(server)
        await controller.fetch(api.todo.getList)
        server.requests.length = 0
        server.route('GET /todo', [todoFields(6)])
        server.route('GET /todo/5', reply.status(404, {}))
        controller.expireAll(api.todo.getList)
        controller.invalidate(api.todo.get, { id: 5 })
        if (isSlow) server.hold('GET /todo')
        const { texts, retry, settle } = await mount({ ...page, api, controller })
        await settle()
        await settle()
        if (isSlow) server.release('GET /todo')
        await settle()
        expect([...server.requests].sort()).toEqual(['GET /todo', 'GET /todo/5'])
        retry()
        await settle()
        await settle()
        expect(texts()).toEqual(['Todo 6'])
        expect(server.requests.filter((line) => line === 'GET /todo')).toHaveLength(1)
      },
    )
    test('that fail let the requests of others be answered, so that a retry shows their data', async () => {
      const server = new Server(new ManualClock())
      routeSamples(server)
      const controller = new Controller()
      const api = createApi(server)
      await controller.fetch(api.todo.getList)
      for (const id of [5, 6]) controller.invalidate(api.todo.get, { id })
      server.route('GET /todo/5', reply.status(404, {}))
      server.hold('GET /todo/6')
      const { texts, retry, settle } = await mount({ ...page, api, controller })
      await settle()
      await settle()
      server.route('GET /todo/5', todoFields(5))
      server.release('GET /todo/6')
      await settle()
      retry()
      await settle()
      await settle()
      await settle()
      if (page.hook.startsWith('useSuspense')) expect(texts()).toEqual(['Todo 5', 'Todo 6'])
      expect(server.requests.filter((line) => line === 'GET /todo/6')).toHaveLength(1)
    })
    test.each(Object.entries(afterwards))(
      'are not fetched beside their list after a deletion and %s',
      async (_, startAnew) => {
        const server = new Server(new ManualClock())
        routeSamples(server)
        const controller = new Controller()
        const api = createApi(server)
        const shown = { ...page, api, controller }
        const { texts, settle } = await mount(shown)
        await settle()
        expect(texts()).toEqual(['Todo 5', 'Todo 6'])
        server.requests.length = 0
        server.route('GET /todo', [todoFields(6, { title: 'New 6' })])
        const settled = settle()
        controller.set(new schema.Delete(Todo), { id: 5 }, {})
        setTimeout(() => startAnew(shown))
        await settled
        await settle()
        await settle()
        expect(texts()).toEqual(['New 6'])
        expect(server.requests).toEqual(['GET /todo'])
      },
    )
    test.each(Object.entries(expiries))(
      'are not fetched when they are deleted and expire %s',
      async (_, expire) => {
        const server = new Server(new ManualClock())
        routeSamples(server)
        const controller = new Controller()
        const api = createApi(server)
        const { texts, settle } = await mount({ ...page, api, controller })
        await settle()
        expect(texts()).toEqual(['Todo 5', 'Todo 6'])
        const settled = settle()
        expire(controller, api, () => controller.set(new schema.Delete(Todo), { id: 5 }, {}))
        await settled
        await settle()
        expect(texts()).toEqual(['Todo 6'])
        expect(server.requests).not.toContain('GET /todo/5')
      },
    )
  })
  test.each(['useSuspense', 'useSuspenseAll', 'useDLE', 'useFetch'] as const)(
    'a child that reads by %s what its parent shows is not fetched beside it after a reset',
    async (hook) => {
      const server = new Server(new ManualClock())
      routeSamples(server)
      const controller = new Controller()
      const api = createApi(server)
      const page = { api, controller, hook, areAlone: false, isFirstOnly: true, onRow: () => {} }
      const { texts, settle } = await mount(page)
      await settle()
      expect(texts()).toEqual(['Todo 5'])
      server.requests.length = 0
      server.route('GET /todo', [todoFields(6, { title: 'New 6' })])
      controller.resetAll()
      await settle()
      await settle()
      expect(texts()).toEqual(['New 6'])
      expect(server.requests).toEqual(['GET /todo'])
    },
  )
}

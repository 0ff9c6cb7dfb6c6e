import { Controller, schema } from '@selfsame/core'
import { dehydrate, deserialize, hydrate, serialize } from '@selfsame/core/hydration'
import { createResource } from '@selfsame/core/rest'
import { order, rule } from '@selfsame/core/rules'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { Todo, todoFields } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// A router has a page rendered, or prefetched, and the user changes something before it arrives. Compared with the server.

function todosOf({ server }: Pick<Stage, 'server'>, isRuled: boolean) {
  return createResource({
    urlPrefix: baseUrl,
    fetchResponse: (url, init) => server.fetch(url, init),
    path: '/todo/:id',
    schema: Todo,
    searchParams: {} as { userId?: number },
    ...(isRuled && {
      filter: rule(
        (todo: Todo, { userId }: { userId?: number }) => userId === undefined || todo.userId === userId,
      ),
      orderBy: order('id'),
    }),
  })
}

type Todos = ReturnType<typeof todosOf>

const ofUser = { userId: 1 }
const known = [todoFields(5), todoFields(6)]

/** What happens after the page was rendered. */
interface LateChange {
  readonly change: (stage: Stage, todos: Todos) => Promise<unknown>
  /** The list on the server after it. */
  readonly after: readonly object[]
}

const changes: Readonly<Record<string, LateChange>> = {
  'a create': {
    change: ({ controller }, { create }) => controller.fetch(create, { title: 'New', userId: 1 }),
    after: [...known, todoFields(9, { title: 'New' })],
  },
  'a lost create': {
    async change({ controller, server }, { create }) {
      server.route('POST /todo', reply.offline())
      await controller.fetch(create, { title: 'New', userId: 1 }).catch(() => {})
    },
    after: [...known, todoFields(9, { title: 'New' })],
  },
  'a move': {
    async change({ controller, server }, { getList }) {
      server.route('PATCH /todo/7', todoFields(7))
      await controller.fetch(getList.move, { id: 7 }, { userId: 1 })
    },
    after: [...known, todoFields(7)],
  },
  'an edit': {
    async change({ controller, server }, { partialUpdate }) {
      server.route('PATCH /todo/7', todoFields(7))
      await controller.fetch(partialUpdate, { id: 7 }, { userId: 1 })
    },
    after: [...known, todoFields(7)],
  },
  'a message': {
    change: async ({ controller }, { getList }) => controller.set(getList.schema.push, {}, todoFields(8)),
    after: [...known, todoFields(8)],
  },
  'a deletion': {
    change: ({ controller }, todos) => controller.fetch(todos.delete, { id: 5 }),
    after: known.slice(1),
  },
}

async function renderPage(stage: Stage, isRuled: boolean): Promise<string> {
  const { clock } = stage
  const controller = new Controller({ clock })
  const todos = todosOf(stage, isRuled)
  await controller.fetch(todos.getList, ofUser)
  await controller.fetch(todos.get, { id: 5 })
  const page = serialize(dehydrate(controller))
  controller.dispose()
  return page
}

for (const isRuled of [false, true])
  for (const isKnown of [true, false])
    for (const [name, { change, after }] of Object.entries(changes)) {
      // Without a rule, a list learns of an edit as it is made Stale.
      if (name === 'an edit' && !isRuled) continue
      scenario(
        `G4/late page/${name}${isRuled ? '/rules' : ''}${isKnown ? '' : '/of an unknown list'}`,
        'a page that was rendered before a change, and arrives after it, hides nothing of the change',
        async (stage) => {
          const { clock, controller, mount, server, settle } = stage
          const todos = todosOf(stage, isRuled)
          server.route('GET /todo?userId=1', known)
          controller.setResponse(todos.getList, { userId: 2 }, [todoFields(7, { userId: 2 })])
          let list: Reader | undefined
          if (isKnown) {
            list = await mount('useSuspense', todos.getList, ofUser)
            await settle()
          }
          clock.advance(10)
          const page = await renderPage(stage, isRuled)
          clock.advance(10)
          await change(stage, todos)
          server.route('GET /todo?userId=1', after)
          await settle()
          server.requests.length = 0
          clock.advance(10)
          hydrate(controller, deserialize(page))
          // The row is not taken off the screen.
          if (list !== undefined && name !== 'a lost create') expect(shown(list)).toEqual(after)
          list ??= await mount('useSuspense', todos.getList, ofUser)
          await settle()
          controller.refetchStale()
          await settle()
          expect(shown(list)).toEqual(after)
          expect(server.requests).toEqual(['GET /todo?userId=1'])
        },
      )
    }

scenario(
  'G4/late page/a lost edit',
  'a record that a lost edit made Stale stays so, although a page that was rendered before has it',
  async (stage) => {
    const { clock, controller, mount, server, settle } = stage
    const todos = todosOf(stage, false)
    server.route('GET /todo?userId=1', known)
    const detail = await mount('useSuspense', todos.get, { id: 5 })
    await settle()
    clock.advance(10)
    const page = await renderPage(stage, false)
    clock.advance(10)
    server.route('PATCH /todo/5', reply.offline())
    await controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'New' }).catch(() => {})
    const after = todoFields(5, { title: 'New' })
    server.route('GET /todo/5', after)
    server.route('GET /todo?userId=1', [after, todoFields(6)])
    server.requests.length = 0
    clock.advance(10)
    hydrate(controller, deserialize(page))
    const list = await mount('useSuspense', todos.getList, ofUser)
    await settle()
    controller.refetchStale()
    await settle()
    expect(shown(detail)).toEqual(after)
    expect(shown(list)).toEqual([after, todoFields(6)])
  },
)

for (const [name, age] of [
  ['invalidated', 'invalidateAll'],
  ['expired', 'expireAll'],
] as const)
  scenario(
    `G4/late page/${name}`,
    'a list that is invalidated or expired is fetched, although a page that was rendered before has it',
    async (stage) => {
      const { clock, controller, mount, server, settle } = stage
      const todos = todosOf(stage, false)
      server.route('GET /todo?userId=1', known)
      await controller.fetch(todos.getList, ofUser)
      clock.advance(10)
      const page = await renderPage(stage, false)
      clock.advance(10)
      controller[age](todos.getList)
      server.route('GET /todo?userId=1', [todoFields(6)])
      server.requests.length = 0
      clock.advance(10)
      hydrate(controller, deserialize(page))
      const list = await mount('useSuspense', todos.getList, ofUser)
      await settle()
      expect(shown(list)).toEqual([todoFields(6)])
      expect(server.requests).toEqual(['GET /todo?userId=1'])
    },
  )

scenario(
  'G4/late page/rendered after',
  'a page that was rendered after a change is shown, and asks for nothing',
  async (stage) => {
    const { clock, controller, mount, server, settle } = stage
    const todos = todosOf(stage, false)
    server.route('GET /todo?userId=1', known)
    const list = await mount('useSuspense', todos.getList, ofUser)
    await settle()
    await controller.fetch(todos.create, { title: 'New', userId: 1 })
    controller.set(new schema.Delete(Todo), { id: 6 }, {})
    clock.advance(10)
    const after = [todoFields(5), todoFields(9, { title: 'New' }), todoFields(10)]
    server.route('GET /todo?userId=1', after)
    const page = await renderPage(stage, false)
    server.requests.length = 0
    clock.advance(10)
    hydrate(controller, deserialize(page))
    await settle()
    controller.refetchStale()
    await settle()
    expect(shown(list)).toEqual(after)
    expect(server.requests).toEqual([])
  },
)

scenario(
  'G4/late page/loaded pages',
  'a page with the beginning of a list leaves the pages that were loaded on screen, and asks for the list once',
  async (stage) => {
    const { clock, controller, mount, server, settle } = stage
    const { getList } = todosOf(stage, false)
    server.route('GET /todo?userId=1', known)
    server.route('GET /todo?cursor=6&userId=1', [todoFields(7)])
    const list = await mount('useSuspense', getList, ofUser)
    await settle()
    await controller.fetch(getList.getPage, { ...ofUser, cursor: 6 })
    await settle()
    clock.advance(10)
    const page = await renderPage(stage, false)
    server.requests.length = 0
    server.hold('GET /todo?userId=1')
    clock.advance(10)
    hydrate(controller, deserialize(page))
    await settle()
    const all = [...known, todoFields(7)]
    expect(shown(list)).toEqual(all)
    server.release()
    await settle()
    expect(shown(list)).toEqual(all)
    expect(server.requests).toEqual(['GET /todo?userId=1'])
  },
)

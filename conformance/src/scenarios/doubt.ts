import { expect } from 'vitest'
import { articleFields, todoFields, User, userFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

/**
 * The author of an article is renamed while a response with the article is on its way, so that only the server knows the
 * name: `before`, in that response, and at last.
 */
const ways = {
  /** The application sets a name while a mutation is under way, which the server handles later. */
  set: {
    sent: 'A',
    last: 'B',
    change: async ({ api, controller, server, settle }: Stage) => {
      server.hold('PATCH /user/1')
      const renamed = controller.fetch(api.user.partialUpdate, { id: 1 }, { name: 'B' })
      await settle()
      controller.set(User, { id: 1 }, { name: 'C' })
      server.release('PATCH /user/1')
      await renamed
    },
  },
  /** The server handles the mutation, then that of another user, and the read last. */
  other: {
    sent: 'C',
    last: 'C',
    change: async ({ api, controller }: Stage) => {
      await controller.fetch(api.user.partialUpdate, { id: 1 }, { name: 'B' })
    },
  },
} as const

function authored(name: string): object {
  return articleFields(1, { author: userFields(1, { name }), contributors: [] })
}

function callOf({ api }: Stage, kind: 'detail' | 'list' | 'plain list') {
  if (kind === 'detail') return [api.article.get, { id: 1 }, 'GET /article/1'] as const
  return [kind === 'list' ? api.article.getList : api.summaries, {}, 'GET /article'] as const
}

for (const [way, { sent, last, change }] of Object.entries(ways))
  for (const kind of ['detail', 'list', 'plain list'] as const)
    for (const hook of ['useSuspense', 'useDLE', 'useFetch'] as const)
      scenario(
        `G4/doubt/${way}/${kind}/${hook}`,
        'a first response that holds a record of which only the server knows the value is asked for once more',
        async (stage) => {
          const { api, controller, mount, server, settle } = stage
          const [endpoint, args, path] = callOf(stage, kind)
          const response = (name: string) => (kind === 'detail' ? authored(name) : [authored(name)])
          server.route('GET /user/1', userFields(1, { name: 'A' }))
          await controller.fetch(api.user.get, { id: 1 })
          server.requests.length = 0
          server.route(path, response(sent))
          server.hold(path)
          await mount(hook, endpoint, args)
          await settle()
          await change(stage)
          server.route(path, response(last))
          server.release()
          await settle()
          expect(server.requests).toEqual([path, 'PATCH /user/1', path])
          const { status, data } = controller.read(endpoint, args)
          expect(status).toBe('Valid')
          expect(kind === 'detail' ? [data] : data).toMatchObject([{ author: { name: last } }])
        },
      )

scenario(
  'G4/doubt/asked since',
  'an older response does not make one Stale that was asked for after the record was in doubt',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const path = 'GET /article'
    server.route('GET /user/1', userFields(1, { name: 'A' }))
    await controller.fetch(api.user.get, { id: 1 })
    server.route(path, [authored('A')])
    server.hold(path)
    await mount('useSuspense', api.article.getList)
    await settle()
    await ways.set.change(stage)
    controller.expireAll(api.article.getList)
    server.route(path, [authored('B')])
    const again = controller.fetch(api.article.getList)
    await settle()
    server.releaseOne(path, 'first')
    await settle()
    server.release()
    await again
    await settle()
    expect(server.requests.filter((name) => name === path)).toHaveLength(2)
    expect(controller.read(api.article.getList, {}).data).toMatchObject([{ author: { name: 'B' } }])
  },
)

scenario(
  'G4/doubt/page',
  'a page that holds a record of which only the server knows the value makes its list Stale',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const page = 'GET /article?cursor=2'
    const other = articleFields(2, { author: null, contributors: [] })
    server.route('GET /article', [other])
    server.route(page, [authored('A')])
    const list = await mount('useSuspense', api.article.getList)
    await settle()
    server.hold(page)
    const loaded = controller.fetch(api.article.getList.getPage, { cursor: 2 })
    await settle()
    server.route('GET /user/1', userFields(1, { name: 'A' }))
    await controller.fetch(api.user.get, { id: 1 })
    await ways.set.change(stage)
    server.requests.length = 0
    server.route('GET /article', [other, authored('B')])
    server.release()
    await loaded
    await settle()
    expect(server.requests).toEqual(['GET /article'])
    expect(shown(list)).toMatchObject([{ id: 2 }, { id: 1, author: { name: 'B' } }])
  },
)

scenario(
  'G4/doubt/create',
  'a created record that holds one of which only the server knows the value makes its list Stale',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.route('GET /article', [])
    server.route('POST /article', authored('A'))
    const list = await mount('useSuspense', api.article.getList)
    await settle()
    server.route('GET /user/1', userFields(1, { name: 'A' }))
    await controller.fetch(api.user.get, { id: 1 })
    server.hold('POST /article')
    const created = controller.fetch(api.article.create, { title: 'New' })
    await settle()
    await ways.set.change(stage)
    server.requests.length = 0
    server.route('GET /article', [authored('B')])
    server.release()
    await created
    await settle()
    expect(server.requests).toEqual(['GET /article'])
    expect(shown(list)).toMatchObject([{ id: 1, author: { name: 'B' } }])
  },
)

scenario.onReact18(
  'G4/doubt/known before',
  'an old response with the value from before a mutation is believed to be old, also by a reader that came later',
  async ({ api, controller, mount, server, settle }) => {
    server.hold('GET /todo')
    await mount('useSuspense', api.todo.getList)
    await settle()
    const detail = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'Changed' })
    server.route('GET /todo', [todoFields(5, { title: 'Changed' }), todoFields(6)])
    server.release()
    await settle()
    expect(server.requests).toEqual(['GET /todo', 'GET /todo/5', 'PATCH /todo/5'])
    expect(shown(detail)).toMatchObject({ title: 'Changed' })
    expect(controller.read(api.todo.get, { id: 5 }).status).toBe('Valid')
    expect(controller.read(api.todo.getList, {}).status).toBe('Valid')
  },
)

scenario(
  'G4/doubt/lost/nested',
  'a first response that may be newer than the only known value of a record in it is asked for at the next check',
  async ({ api, controller, mount, server, settle }) => {
    const path = 'GET /article'
    server.hold('PATCH /user/1')
    const renamed = controller.fetch(api.user.partialUpdate, { id: 1 }, { name: 'B' })
    await settle()
    server.route('PATCH /user/1', reply.offline())
    const lost = controller.fetch(api.user.partialUpdate, { id: 1 }, { name: 'C' }).catch(() => {})
    server.route(path, [authored('C')])
    server.hold(path)
    await mount('useSuspense', api.article.getList)
    await settle()
    server.release('PATCH /user/1')
    await Promise.all([renamed, lost])
    server.release()
    await settle()
    controller.refetchStale()
    await settle()
    expect(server.requests.filter((name) => name === path)).toHaveLength(2)
    expect(controller.read(api.article.getList, {})).toMatchObject({
      status: 'Valid',
      data: [{ author: { name: 'C' } }],
    })
  },
)

/** Answers of a mutation that do not tell what the server did. */
const untold = {
  lost: () => reply.offline(),
  '504': () => reply.status(504),
  '204': () => reply.status(204),
} as const
const waysUntold = ['lost', '504', '204'] as const

/** Where a list of todos is: the response of a call, or a field of their owner. */
const places = {
  list: ({ api }: Stage) => [api.todo.getList, { userId: 1 }, 'GET /todo?userId=1'] as const,
  nested: ({ api }: Stage) => [api.owner.get, { id: 1 }, 'GET /owner/1'] as const,
} as const

for (const [place, find] of Object.entries(places))
  for (const way of waysUntold)
    for (const change of ['create', 'move', 'delete'] as const)
      scenario(
        `4.1/Lists/${way}/${change}/${place}`,
        'a list on its way while a mutation does not tell what it did to the list is asked for again',
        async (stage) => {
          const { api, controller, mount, server, settle } = stage
          const [endpoint, args, path] = find(stage)
          const routeList = (...ids: number[]) => {
            const todos = ids.map((id) => todoFields(id, { userId: 1 }))
            server.route(path, place === 'list' ? todos : { id: 1, name: 'A', todos })
          }
          server.route('GET /todo/6', todoFields(6, { userId: change === 'delete' ? 1 : 2 }))
          await controller.fetch(api.todo.get, { id: 6 })
          routeList(...(change === 'delete' ? [5, 6] : [5]))
          server.hold(path)
          const list = await mount('useSuspense', endpoint, args)
          await settle()
          for (const name of ['POST /todo', 'PATCH /todo/6', 'DELETE /todo/6'])
            server.route(name, untold[way]())
          const { create, delete: remove, getList } = api.todo
          const changed =
            change === 'create'
              ? controller.fetch(create.extend({ mayBeEmpty: true }), { userId: 1 })
              : change === 'move'
                ? controller.fetch(getList.move.extend({ mayBeEmpty: true }), { id: 6 }, { userId: 1 })
                : controller.fetch(remove, { id: 6 })
          if (way !== '204') await expect(changed).rejects.toThrow(/no response|504/)
          else await changed
          server.release()
          routeList(...(change === 'delete' ? [5] : [5, 6]))
          await settle()
          controller.refetchStale()
          await settle()
          // A deletion that succeeded says what it did.
          const isTold = way === '204' && change === 'delete'
          expect(server.requests.filter((name) => name === path)).toHaveLength(isTold ? 1 : 2)
          const data = shown(list) as readonly object[] | { readonly todos: readonly object[] }
          const ids = change === 'delete' ? [{ id: 5 }] : [{ id: 5 }, { id: 6 }]
          expect('todos' in data ? data.todos : data).toMatchObject(ids)
        },
      )

for (const way of ['create', 'detail'] as const)
  scenario(
    `G4/doubt/lost/told/${way}`,
    'what a request brings that started after a lost mutation wins over an older one, whichever arrives first',
    async ({ api, controller, server, settle }) => {
      server.route('GET /user/1', userFields(1, { name: 'A' }))
      await controller.fetch(api.user.get, { id: 1 })
      server.route('POST /article', authored('A'))
      server.hold('POST /article')
      const older = controller.fetch(api.article.create, { title: 'Older' })
      await settle()
      server.route('PATCH /user/1', reply.offline())
      server.hold('PATCH /user/1')
      const lost = controller.fetch(api.user.partialUpdate, { id: 1 }, { name: 'B' }).catch(() => {})
      await settle()
      const newerPath = way === 'create' ? 'POST /article' : 'GET /article/1'
      server.route(newerPath, authored('B'))
      server.hold(newerPath)
      const newer =
        way === 'create'
          ? controller.fetch(api.article.create, { title: 'Newer' })
          : controller.fetch(api.article.get, { id: 1 })
      await settle()
      server.release('PATCH /user/1')
      await lost
      server.releaseOne('POST /article', 'first')
      await older
      server.release()
      await newer
      expect(controller.get(User, { id: 1 })?.name).toBe('B')
    },
  )

for (const way of waysUntold)
  for (const record of ['unknown', 'created', 'collected'] as const)
    scenario(
      `G4/doubt/${way}/${record}`,
      'a mutation that does not tell what it wrote into a record that is not stored leaves older responses with it Stale',
      async ({ api, clock, controller, mount, server, settle }) => {
        const path = 'GET /article'
        const isCreated = record === 'created'
        if (record === 'collected') {
          server.route('GET /user/1', userFields(1, { name: 'A' }))
          await controller.fetch(api.user.get, { id: 1 })
        }
        server.route(path, isCreated ? [] : [authored('A')])
        server.hold(path)
        const list = await mount('useSuspense', api.article.getList)
        server.route('POST /article', authored('A'))
        server.hold('POST /article')
        const created = isCreated ? controller.fetch(api.article.create, { title: 'New' }) : undefined
        await settle()
        server.route('PATCH /user/1', untold[way]())
        const rename = api.user.partialUpdate.extend({ mayBeEmpty: true })
        await controller.fetch(rename, { id: 1 }, { name: 'B' }).catch(() => {})
        clock.advance(3_600_000)
        await settle()
        server.route(path, [authored('B')])
        server.release()
        await created
        await settle()
        controller.refetchStale()
        await settle()
        expect(server.requests.filter((name) => name === path)).toHaveLength(2)
        expect(shown(list)).toMatchObject([{ author: { name: 'B' } }])
      },
    )

for (const way of waysUntold)
  scenario(
    `G4/doubt/${way}/nobody had read`,
    'a call that shows a record in another one, and that nobody had read when a mutation left only the server knowing it, is asked for',
    async ({ api, controller, mount, server, settle }) => {
      server.route('GET /article', [authored('A')])
      await controller.fetch(api.article.getList)
      server.route('PATCH /user/1', untold[way]())
      const rename = api.user.partialUpdate.extend({ mayBeEmpty: true })
      await controller.fetch(rename, { id: 1 }, { name: 'B' }).catch(() => {})
      server.route('GET /article/1', authored('B'))
      expect(controller.read(api.article.get, { id: 1 }).status).toBe('Stale')
      const detail = await mount('useSuspense', api.article.get, { id: 1 })
      await settle()
      expect(shown(detail)).toMatchObject({ author: { name: 'B' } })
      expect(server.requests.filter((name) => name === 'GET /article/1')).toHaveLength(1)
      expect(controller.read(api.article.get, { id: 1 }).status).toBe('Valid')
    },
  )

for (const isKnown of [false, true])
  for (const kind of ['detail', 'list', 'plain list'] as const)
    scenario(
      `G4/doubt/mutation/${kind}${isKnown ? '/known' : ''}`,
      'a read whose value of a record differs from what a mutation beside it saw is asked for at the next check',
      async (stage) => {
        const { api, controller, mount, server, settle } = stage
        const [endpoint, args, path] = callOf(stage, kind)
        const response = kind === 'detail' ? authored('C') : [authored('C')]
        if (isKnown) {
          server.route('GET /user/1', userFields(1, { name: 'A' }))
          await controller.fetch(api.user.get, { id: 1 })
        }
        server.route(
          'POST /article',
          articleFields(2, { author: userFields(1, { name: 'B' }), contributors: [] }),
        )
        server.hold('POST /article')
        const created = controller.fetch(api.article.create, { title: 'New' })
        await settle()
        server.route(path, response)
        server.hold(path)
        await mount('useSuspense', endpoint, args)
        await settle()
        server.release('POST /article')
        await created
        server.release()
        await settle()
        controller.refetchStale()
        await settle()
        expect(server.requests.filter((name) => name === path)).toHaveLength(2)
        expect(controller.get(User, { id: 1 })?.name).toBe('C')
      },
    )

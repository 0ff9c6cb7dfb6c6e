import type { StreamSink } from '@selfsame/core'
import { expect } from 'vitest'
import { Article, ArticleSummary, Todo, User, todoFields, userFields } from '../fixtures.js'
import { reply } from '../server.js'
import type { ServerRequest } from '../server.js'
import type { Reader } from '../contract.js'
import type { Stage } from '../suite.js'
import { scenario, shown } from '../suite.js'
import { optimistic } from '@selfsame/core/optimistic'

/** The titles of the list that a reader shows. */
function titles(reader: Reader): unknown[] {
  return (shown(reader) as Todo[]).map(({ title }) => title)
}

/** The id of the last member of the list that a reader shows. */
function lastId(reader: Reader): string | number {
  return (shown(reader) as Todo[]).at(-1)?.id ?? ''
}

scenario('F6', 'two optimistic changes are each confirmed or undone alone, in any order', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  const before = (shown(reader) as Todo).title
  const { fallbacks } = reader
  server.hold('PATCH /todo/5')
  server.route('PATCH /todo/5', reply.status(500))
  const first = controller
    .fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'First' })
    .catch(() => 'failed')
  await settle()
  server.route('PATCH /todo/5', { id: 5, completed: true })
  const second = controller.fetch(api.hopeful.partialUpdate, { id: 5 }, { completed: true })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'First', completed: true })
  server.releaseOne('PATCH /todo/5', 'last')
  await second
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'First', completed: true })
  server.release()
  expect(await first).toBe('failed')
  await settle()
  expect(shown(reader)).toMatchObject({ title: before, completed: true })
  expect(reader.fallbacks).toBe(fallbacks)
})

scenario.everywhere(
  'F7',
  'an optimistic create shows a temporary member, which the real one replaces in place',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const before = titles(list)
    server.hold('POST /todo')
    const creating = controller.fetch(api.hopeful.create, { title: 'New' })
    await settle()
    expect(titles(list)).toEqual([...before, 'New'])
    server.release()
    const created = await creating
    await settle()
    expect(titles(list)).toEqual([...before, 'New'])
    expect((shown(list) as Todo[]).at(-1)).toBe(created)
    expect(created?.id).toBe(9)
  },
)

scenario.inChromium(
  'F7/fails',
  'an optimistic create that fails takes its member out again',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const before = titles(list)
    server.hold('POST /todo')
    server.route('POST /todo', reply.status(422))
    const creating = controller.fetch(api.hopeful.create, { title: 'New' }).catch(() => 'failed')
    await settle()
    expect(titles(list)).toEqual([...before, 'New'])
    server.release()
    expect(await creating).toBe('failed')
    await settle()
    expect(titles(list)).toEqual(before)
  },
)

scenario.inChromium(
  'F7/edit and delete',
  'what is edited and deleted before its create was answered is sent with the real id, after the create',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const before = titles(list)
    server.hold('POST /todo')
    const sent: unknown[] = []
    server.route('PATCH /todo/9', ({ body }: ServerRequest) => {
      sent.push(body)
      return todoFields(9, body as object)
    })
    server.route('DELETE /todo/9', {})
    const from = server.requests.length
    const creating = controller.fetch(api.hopeful.create, { title: 'New' })
    await settle()
    const id = lastId(list)
    expect(encodeURIComponent(id)).toBe(id)
    const editing = controller.fetch(api.hopeful.partialUpdate, { id }, { id, title: 'Edited' })
    await settle()
    expect(titles(list)).toEqual([...before, 'Edited'])
    const deleting = controller.fetch(api.hopeful.delete, { id })
    await settle()
    expect(titles(list)).toEqual(before)
    expect(server.requests.slice(from)).toEqual(['POST /todo'])
    server.release()
    await Promise.all([creating, editing, deleting])
    await settle()
    expect(server.requests.slice(from)).toEqual(['POST /todo', 'PATCH /todo/9', 'DELETE /todo/9'])
    expect(sent).toEqual([{ id: 9, title: 'Edited' }])
    expect(titles(list)).toEqual(before)
    // A component that still has the temporary id means the real record.
    await controller.fetch(api.hopeful.delete, { id })
    expect(server.requests.at(-1)).toBe('DELETE /todo/9')
  },
)

for (const [way, answer, after] of [
  ['answered', { id: 5, title: 'x' }, 'A!!'],
  ['204', reply.status(204), 'A!!'],
  ['refused', reply.status(422), 'A'],
] as const)
  for (const kind of ['a record', 'a list'] as const)
    scenario(
      `F6/update/${way}/${kind}`,
      'an `update` that changes a record of another call is done once by each mutation, early and when it is answered',
      async ({ api, controller, mount, server, settle }) => {
        server.route('GET /user/1', { id: 1, name: 'A' })
        server.route('GET /user', [{ id: 1, name: 'A' }])
        const call = kind === 'a list' ? ([api.user.getList] as const) : ([api.user.get, { id: 1 }] as const)
        const reader = await mount('useSuspense', ...(call as [typeof api.user.get, { id: number }]))
        await mount('useSuspense', api.todo.get, { id: 5 })
        await settle()
        const name = () => [shown(reader) as User | User[]].flat()[0]?.name
        const change = <Shown>(data: Shown): Shown =>
          (Array.isArray(data) ? data.map(change) : { ...data, name: `${(data as User).name}!` }) as Shown
        const key = kind === 'a list' ? api.user.getList.key() : api.user.get.key({ id: 1 })
        const rename = api.hopeful.partialUpdate.extend({
          mayBeEmpty: true,
          update: () => ({ [key]: change }),
        })
        const path = 'PATCH /todo/5'
        server.route(path, answer)
        server.hold(path)
        const renamed = [1, 2].map(() => controller.fetch(rename, { id: 5 }, { title: 'x' }).catch(() => {}))
        await settle()
        expect(name()).toBe('A!!')
        server.releaseOne(path, 'first')
        await renamed[0]
        await settle()
        expect(name()).toBe(way === 'refused' ? 'A!' : 'A!!')
        server.release()
        await Promise.all(renamed)
        await settle()
        expect(name()).toBe(after)
      },
    )

for (const isOptimistic of [true, false])
  for (const answered of ['in order', 'in reverse', 'the last one first'] as const)
    for (const reader of ['read', 'only listed'] as const)
      scenario(
        `F6/update/count/${isOptimistic ? 'optimistic' : 'plain'}/${answered}/${reader}`,
        'a count that several mutations change by `update` is right in whichever order they are answered',
        async ({ api, controller, mount, server, settle }) => {
          server.route('GET /user/1', userFields(1, { name: '' }))
          server.route('GET /user', [userFields(1, { name: '' })])
          const list = await mount('useSuspense', api.user.getList)
          if (reader === 'read') await mount('useSuspense', api.user.get, { id: 1 })
          await settle()
          const name = () => (shown(list) as User[])[0]?.name
          const base = isOptimistic ? api.hopeful : api.todo
          const add = base.create.extend({
            update: () => ({
              [api.user.get.key({ id: 1 })]: (user: User) => ({ ...user, name: `${user.name}!` }),
            }),
          })
          let made = 10
          server.route('POST /todo', () => todoFields(++made))
          server.hold('POST /todo')
          const adding = ['a', 'b', 'c'].map((title) => controller.fetch(add, { title }))
          await settle()
          expect(name()).toBe(isOptimistic ? '!!!' : '')
          for (const count of [1, 2, 3]) {
            const isFirst = answered === 'in order' || (answered === 'the last one first' && count > 1)
            server.releaseOne('POST /todo', isFirst ? 'first' : 'last')
            await settle()
            expect(name()).toBe(isOptimistic ? '!!!' : '!'.repeat(count))
          }
          await Promise.all(adding)
          await settle()
          expect(name()).toBe('!!!')
          expect(server.requests.filter((each) => each.startsWith('GET /user'))).toHaveLength(1)
        },
      )

// Each of them started after the mutation, and is handled after it, before its response.
for (const [between, bring] of Object.entries({
  'a read': async ({ api, controller }: Stage) => {
    await controller.fetch(api.user.get, { id: 1 })
  },
  'another mutation': async ({ api, controller }: Stage) => {
    await controller.fetch(api.user.partialUpdate, { id: 1 }, { email: 'new@example.com' })
  },
  'a message': async ({ api, mount, settle }: Stage) => {
    let open: StreamSink | undefined
    const stream = (sink: StreamSink) => {
      open = sink
      return () => {}
    }
    await mount('useSubscription', api.todo.get.extend({ stream }), { id: 5 })
    await settle()
    open?.set(User, { id: 1 }, userFields(1, { name: 'A!' }))
  },
}))
  for (const isOptimistic of [true, false])
    scenario(
      `F6/update/received/${between}/${isOptimistic ? 'optimistic' : 'plain'}`,
      'what was received of a record while a mutation was under way may have its effect: an `update` asks the server once',
      async (stage) => {
        const { api, controller, mount, server, settle } = stage
        let name = 'A'
        const answer = () => userFields(1, { name })
        for (const route of ['GET /user/1', 'PATCH /user/1']) server.route(route, answer)
        const reader = await mount('useSuspense', api.user.get, { id: 1 })
        await settle()
        const add = (isOptimistic ? api.hopeful : api.todo).create.extend({
          update: () => ({
            [api.user.get.key({ id: 1 })]: (user: User) => ({ ...user, name: `${user.name}!` }),
          }),
        })
        server.hold('POST /todo')
        const adding = controller.fetch(add, { title: 'x' })
        await settle()
        name = 'A!'
        await bring(stage)
        await settle()
        server.requests.length = 0
        server.release()
        await adding
        await settle()
        expect(shown(reader)).toMatchObject({ name: 'A!' })
        expect(server.requests).toEqual(['GET /user/1'])
      },
    )

scenario(
  'F7/in a body',
  'a body that names a temporary id, at any depth, is sent with the real one',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    server.hold('POST /todo')
    const sent: unknown[] = []
    server.route('PATCH /todo/5', ({ body }: ServerRequest) => {
      sent.push(body)
      return todoFields(5)
    })
    const creating = controller.fetch(api.hopeful.create, { title: 'New' })
    await settle()
    const id = lastId(list)
    const body = { first: id, all: [{ todo: id }, [id, 5]], at: `/todo/${id}/edit`, name: 'Ann' }
    const saving = controller.fetch(api.todo.partialUpdate, { id: 5 }, body as never)
    await settle()
    expect(sent).toEqual([])
    server.release()
    await Promise.all([creating, saving])
    expect(sent).toEqual([{ first: 9, all: [{ todo: 9 }, [9, 5]], at: '/todo/9/edit', name: 'Ann' }])
    expect(body.first).toBe(id)
  },
)

scenario.inChromium(
  'F7/fails/others',
  'what names a record whose create fails is dropped with it, with an error that says so',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const before = titles(list)
    server.hold('POST /todo')
    server.route('POST /todo', reply.status(422))
    const from = server.requests.length
    const creating = controller.fetch(api.hopeful.create, { title: 'New' }).catch((error: Error) => error)
    await settle()
    const id = lastId(list)
    const others = [
      controller.fetch(api.hopeful.partialUpdate, { id }, { title: 'Edited' }),
      controller.fetch(api.hopeful.create, { title: 'Child', of: { parent: id } } as never),
      controller.fetch(api.hopeful.delete, { id }),
    ].map((promise) => promise.then(String, (error: unknown) => error))
    await settle()
    server.release()
    const failure = await creating
    expect(failure).toMatchObject({ status: 422 })
    for (const other of others) expect(await other).toMatchObject({ code: 'create-failed', cause: failure })
    await settle()
    expect(titles(list)).toEqual(before)
    expect(server.requests.slice(from)).toEqual(['POST /todo'])
    await expect(controller.fetch(api.hopeful.delete, { id })).rejects.toMatchObject({
      code: 'create-failed',
    })
    expect(server.requests.slice(from)).toEqual(['POST /todo'])
  },
)

scenario('F7/chain', 'creates that name each other are sent one after the other', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const list = await mount('useSuspense', api.hopeful.getList)
  await settle()
  const before = titles(list)
  const bodies: unknown[] = []
  let next = 11
  server.route('POST /todo', ({ body }: ServerRequest) => {
    bodies.push(body)
    return { ...(body as object), id: next++ }
  })
  server.route('PATCH /todo/12', ({ body }: ServerRequest) => ({ ...(body as object), id: 12 }))
  server.hold('POST /todo')
  const first = controller.fetch(api.hopeful.create, { title: 'First' })
  await settle()
  const idOfFirst = lastId(list)
  const second = controller.fetch(api.hopeful.create, { title: 'Second', userId: idOfFirst as number })
  await settle()
  const idOfSecond = lastId(list)
  expect(idOfSecond).not.toBe(idOfFirst)
  const edit = controller.fetch(
    api.hopeful.partialUpdate,
    { id: idOfSecond },
    { title: 'Edited', userId: idOfFirst as number },
  )
  await settle()
  expect(titles(list)).toEqual([...before, 'First', 'Edited'])
  server.releaseOne('POST /todo', 'first')
  await first
  await settle()
  expect(bodies).toEqual([{ title: 'First' }, { title: 'Second', userId: 11 }])
  server.release()
  await Promise.all([second, edit])
  await settle()
  expect(server.requests.slice(-3)).toEqual(['POST /todo', 'POST /todo', 'PATCH /todo/12'])
  expect((shown(list) as Todo[]).slice(-2)).toMatchObject([
    { id: 11, title: 'First' },
    { id: 12, title: 'Edited', userId: 11 },
  ])
})

scenario.inChromium(
  'F7/read',
  'a read of a temporary id shows what is expected, and sends nothing; then the real record',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    server.hold('POST /todo')
    const creating = controller.fetch(api.hopeful.create, { title: 'New' })
    await settle()
    const id = lastId(list)
    const from = server.requests.length
    const detail = await mount('useSuspense', api.hopeful.get, { id })
    await settle()
    expect(shown(detail)).toMatchObject({ title: 'New' })
    expect(await controller.fetch(api.hopeful.get, { id })).toMatchObject({ title: 'New' })
    const cached = await mount('useDLE', api.hopeful.get, { id })
    await settle()
    expect(shown(cached)).toMatchObject({ loading: false, data: { title: 'New' } })
    expect(server.requests.slice(from)).toEqual([])
    server.release()
    await creating
    await settle()
    expect(shown(detail)).toMatchObject({ id: 9, title: 'New' })
    expect(detail.fallbacks).toBe(0)
    expect(server.requests.slice(from)).toEqual([])
    await detail.unmount()
    await cached.unmount()
  },
)

for (const [way, of, response, requests] of [
  ['whole', Article, { content: 'All of it' }, ['POST /article']],
  ['a summary', ArticleSummary, {}, ['POST /article', 'GET /article/9']],
] as const)
  scenario(
    `F7/read of the full record/${way}`,
    'a read of a temporary id that needs more than is expected waits for the create, and asks only for what its response lacks',
    async (stage) => {
      const { api, controller, mount, server, settle } = stage
      let id: string | number = ''
      server.route('POST /article', { id: 9, title: 'New', ...response })
      server.route('GET /article/9', { id: 9, title: 'New', content: 'All of it' })
      const create = api.article.create.extend({
        schema: of as typeof ArticleSummary,
        getOptimisticResponse: optimistic(({ temporaryId }, body: object) => {
          id = temporaryId
          return { ...body, id }
        }),
      })
      server.hold('POST /article')
      const from = server.requests.length
      const creating = controller.fetch(create, { title: 'New' })
      await settle()
      const details = [
        await mount('useSuspense', api.article.get, { id }),
        await mount('useDLE', api.article.get, { id }),
        await mount('useCache', api.article.get, { id }),
      ]
      const fetched = controller.fetch(api.article.get, { id })
      await settle()
      expect(details.map((reader) => reader.current().state)).toEqual(['fallback', 'ready', 'ready'])
      expect(server.requests.slice(from)).toEqual(['POST /article'])
      server.release()
      await creating
      await settle()
      const whole = { id: 9, title: 'New', content: 'All of it' }
      expect(await fetched).toMatchObject(whole)
      expect(details.map(shown)).toMatchObject([
        whole,
        { loading: false, error: undefined, data: whole },
        whole,
      ])
      expect(server.requests.slice(from)).toEqual(requests)
      // From now on it is a call as any other.
      await controller.fetch(api.article.get, { id })
      expect(server.requests.slice(from)).toEqual([...requests, 'GET /article/9'])
    },
  )

for (const last of ['POST /article', 'GET /article/own'] as const)
  scenario(
    `F7/missing/${last}`,
    'a record with an id of the application that the server does not have yet is shown when its create is answered, whichever is answered last',
    async (stage) => {
      const { api, controller, mount, server, settle } = stage
      const whole = { id: 'own', title: 'New', content: 'All of it' }
      server.route('POST /article', whole)
      server.route('GET /article/own', reply.status(404))
      server.hold('POST /article', 'GET /article/own')
      const creating = controller.fetch(api.article.create, whole)
      const details = [
        await mount('useSuspense', api.article.get, { id: 'own' }),
        await mount('useDLE', api.article.get, { id: 'own' }),
      ]
      await settle()
      server.release(last === 'POST /article' ? 'GET /article/own' : 'POST /article')
      await settle()
      server.release()
      await creating
      await settle()
      expect(details.map(shown)).toMatchObject([whole, { loading: false, error: undefined, data: whole }])
      expect(server.requests.filter((each) => each === 'GET /article/own')).toHaveLength(1)
    },
    { isLogged: true },
  )

scenario(
  'F7/read of what belongs to it',
  'waits for the create, and asks with the real id',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    server.hold('POST /todo')
    server.route('GET /user?of=9', [{ id: 21, name: 'Of the new one' }])
    const creating = controller.fetch(api.hopeful.create, { title: 'New' })
    await settle()
    const id = lastId(list)
    const from = server.requests.length
    const parts = await mount('useSuspense', api.user.getList, { of: id as never })
    await settle()
    expect(parts.current().state).toBe('fallback')
    expect(server.requests.slice(from)).toEqual([])
    server.release()
    await creating
    await settle()
    expect(server.requests.slice(from)).toEqual(['GET /user?of=9'])
    expect(shown(parts)).toMatchObject([{ name: 'Of the new one' }])
  },
)

scenario('F7/reset', 'a reset ends what waits for a create, and nothing of it is sent', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const list = await mount('useSuspense', api.hopeful.getList)
  await settle()
  server.hold('POST /todo')
  const creating = controller.fetch(api.hopeful.create, { title: 'New' }).catch((error: Error) => error)
  await settle()
  const id = lastId(list)
  const editing = controller
    .fetch(api.hopeful.partialUpdate, { id }, { title: 'Edited' })
    .catch((error: Error) => error)
  await settle()
  controller.resetAll()
  for (const ended of [creating, editing]) expect(await ended).toMatchObject({ code: 'hard-reset' })
  server.release()
  await settle()
  expect(server.requests.filter((name) => name.startsWith('PATCH'))).toEqual([])
  await expect(controller.fetch(api.hopeful.delete, { id })).rejects.toMatchObject({
    code: 'argument-invalid',
  })
  expect(server.requests.filter((name) => name.startsWith('DELETE'))).toEqual([])
})

scenario(
  'F7/fails/identity',
  'a list from which failed creates were taken out again is the object that it was',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    const ofFirst = await mount('useSuspense', api.hopeful.getList, { userId: 1 })
    await settle()
    const before = [shown(list), shown(ofFirst)]
    const { renders } = list
    server.hold('POST /todo')
    server.route('POST /todo', reply.status(422))
    const creating = ['One', 'Two'].map((title) =>
      controller.fetch(api.hopeful.create, { title, userId: 1 }).catch(() => 'failed'),
    )
    await settle()
    expect(titles(list).slice(2)).toEqual(['One', 'Two'])
    server.releaseOne('POST /todo', 'first')
    await creating[0]
    await settle()
    expect(titles(list).slice(2)).toEqual(['Two'])
    server.release()
    await creating[1]
    await settle()
    expect(shown(list)).toBe(before[0])
    expect(shown(ofFirst)).toBe(before[1])
    // Rendered with two todos, with one, and with the original ones.
    expect(list.renders - renders).toBe(3)
  },
)

scenario('F8', 'what arrives between an optimistic change and its failure survives', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  server.hold('PATCH /todo/5')
  server.route('PATCH /todo/5', reply.status(500))
  const saving = controller
    .fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'Early' })
    .catch(() => 'failed')
  controller.set(Todo, { id: 5 }, { title: 'Pushed', completed: true })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Early', completed: true })
  server.release()
  await saving
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Pushed', completed: true })
})

scenario.everywhere(
  'F6/delete',
  'a detail whose record is expected to be deleted stays on screen until the answer, and after a failure',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    const detail = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const { fallbacks } = detail
    server.hold('DELETE /todo/5')
    server.route('DELETE /todo/5', reply.status(500))
    const deleting = controller.fetch(api.hopeful.delete, { id: 5 }).catch(() => 'failed')
    await settle()
    expect((shown(list) as Todo[]).map(({ id }) => id)).toEqual([6])
    expect(shown(detail)).toMatchObject({ id: 5 })
    server.release()
    expect(await deleting).toBe('failed')
    await settle()
    expect((shown(list) as Todo[]).map(({ id }) => id)).toEqual([5, 6])
    expect(shown(detail)).toMatchObject({ id: 5 })
    expect(detail.fallbacks).toBe(fallbacks)
  },
)

scenario(
  'F7/order',
  'two optimistic creates that are answered in the other order keep their places',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const before = titles(list)
    const [first] = shown(list) as Todo[]
    server.hold('POST /todo')
    const creating = [
      controller.fetch(api.hopeful.create, { id: 11, title: 'One' }),
      controller.fetch(api.hopeful.create, { id: 12, title: 'Two' }),
    ]
    await settle()
    expect(titles(list)).toEqual([...before, 'One', 'Two'])
    server.releaseOne('POST /todo', 'last')
    await creating[1]
    await settle()
    expect(titles(list)).toEqual([...before, 'One', 'Two'])
    server.release()
    await creating[0]
    await settle()
    expect(titles(list)).toEqual([...before, 'One', 'Two'])
    expect((shown(list) as Todo[])[0]).toBe(first)
  },
)

scenario.inChromium(
  'F6/update',
  'what an update changes is shown early, made again on a newer answer, and taken back with its mutation',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const before = titles(list)
    const { fallbacks } = list
    const create = api.todo.create.extend({
      schema: Todo,
      getOptimisticResponse: optimistic(() => ({ id: 'new', title: 'New' })),
      update: (todo: Todo) => ({
        [api.hopeful.getList.key()]: (todos: Todo[]) => [todo, ...todos],
      }),
    })
    server.hold('POST /todo')
    server.route('POST /todo', reply.status(500))
    const creating = controller.fetch(create, { title: 'New' }).catch(() => 'failed')
    await settle()
    expect(titles(list)).toEqual(['New', ...before])
    controller.setResponse(api.hopeful.getList, [{ id: 6, title: 'Only' }])
    await settle()
    expect(titles(list)).toEqual(['New', 'Only'])
    server.release()
    expect(await creating).toBe('failed')
    await settle()
    expect(titles(list)).toEqual(['Only'])
    expect(list.fallbacks).toBe(fallbacks)
  },
)

scenario('F8/rebase', 'two optimistic votes are made again on what is pushed below them', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  const { fallbacks } = reader
  server.hold('PATCH /todo/5')
  const longer = api.todo.partialUpdate.extend({
    getOptimisticResponse: optimistic((snapshot, params: { id: number }) => ({
      ...params,
      title: `${snapshot.get(Todo, params)?.title}!`,
    })),
  })
  const lengthening = [1, 2].map(() => controller.fetch(longer, { id: 5 }, {}).catch(() => 'failed'))
  controller.set(Todo, { id: 5 }, { title: 'Pushed' })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Pushed!!' })
  server.route('PATCH /todo/5', reply.status(500))
  server.releaseOne('PATCH /todo/5', 'last')
  await settle()
  server.release()
  await Promise.all(lengthening)
  await settle()
  expect(shown(reader)).toMatchObject({ id: 5 })
  expect((shown(reader) as Todo).title).not.toContain('!')
  expect(reader.fallbacks).toBe(fallbacks)
})

scenario.onReact18(
  'F6/deletes',
  'a detail that two mutations are expected to delete is seen until the last is answered, though a third is not',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const detail = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const { fallbacks } = detail
    server.hold('PATCH /todo/6')
    server.hold('DELETE /todo/5')
    server.route('DELETE /todo/5', reply.status(500))
    const changing = controller
      .fetch(api.hopeful.partialUpdate, { id: 6 }, { title: 'Early' })
      .catch(() => {})
    const deleting = [1, 2].map(() => controller.fetch(api.hopeful.delete, { id: 5 }).catch(() => 'failed'))
    await settle()
    server.releaseOne('DELETE /todo/5', 'last')
    await deleting[1]
    await settle()
    expect(shown(detail)).toMatchObject({ id: 5 })
    server.releaseOne('DELETE /todo/5', 'last')
    await deleting[0]
    controller.set(Todo, { id: 5 }, { title: 'As it is now' })
    await settle()
    expect(shown(detail)).toMatchObject({ id: 5, title: 'As it is now' })
    expect(detail.fallbacks).toBe(fallbacks)
    server.release()
    await changing
  },
)

scenario(
  'F7/204',
  'what is created without an answer stays on screen until its list is answered, which readers ask for at once',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const { fallbacks } = list
    const before = titles(list)
    server.route('POST /todo', reply.status(204))
    server.route('GET /todo', [
      { id: 5, title: 'Five' },
      { id: 11, title: 'New' },
    ])
    server.hold('GET /todo')
    const created = await controller.fetch(api.hopeful.create, { title: 'New' })
    await settle()
    expect(titles(list)).toEqual([...before, 'New'])
    expect((shown(list) as Todo[]).at(-1)).toBe(created)
    server.release()
    await settle()
    expect((shown(list) as Todo[]).map(({ id }) => id)).toEqual([5, 11])
    expect(list.fallbacks).toBe(fallbacks)
  },
)

/** Three lists of users. The response to a create for the third is a record that was there, of the first. */
async function createKnown(stage: Stage) {
  const { api, controller, mount, server, settle } = stage
  server.route('GET /todo?userId=1', [todoFields(5), todoFields(6)])
  server.route('GET /todo?userId=2', [])
  server.route('GET /todo?userId=3', [])
  const lists: Reader[] = []
  for (const userId of [1, 2, 3]) lists.push(await mount('useSuspense', api.todo.getList, { userId }))
  await settle()
  server.hold('POST /todo', 'PATCH /todo/5', 'DELETE /todo/5')
  server.route('POST /todo', todoFields(5, { userId: 3 }))
  return {
    members: () => lists.map((list) => (shown(list) as Todo[]).map(({ id }) => id)),
    creating: controller.fetch(api.hopeful.create, { userId: 3, title: 'New' }),
  }
}

scenario(
  'F6/known record',
  'a create that is answered by a record of before leaves it in the list to which another change moves it',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const { members, creating } = await createKnown(stage)
    server.route('PATCH /todo/5', todoFields(5, { userId: 2 }))
    const moving = controller.fetch(api.hopeful.partialUpdate, { id: 5 }, { userId: 2 })
    await settle()
    expect(members()).toEqual([[6], [5], [expect.anything()]])
    server.releaseOne('POST /todo', 'first')
    await creating
    await settle()
    expect(members()).toEqual([[6], [5], []])
    server.release()
    await moving
    await settle()
    expect(members()).toEqual([[6], [5], []])
  },
)

scenario(
  'F6/known record/refused',
  'a create that is answered by a record of before moves it, once the other change of that record is refused',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const { members, creating } = await createKnown(stage)
    server.route('PATCH /todo/5', reply.status(409))
    const moving = controller
      .fetch(api.hopeful.partialUpdate, { id: 5 }, { userId: 2 })
      .catch(() => 'refused')
    await settle()
    server.releaseOne('POST /todo', 'first')
    await creating
    await settle()
    expect(members()).toEqual([[6], [5], []])
    server.release()
    expect(await moving).toBe('refused')
    await settle()
    expect(members()).toEqual([[6], [], [5]])
  },
)

scenario(
  'F6/known record/deleted',
  'a create that is answered by a record which a delete hides shows it in its list, once the delete is refused',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const { members, creating } = await createKnown(stage)
    server.route('DELETE /todo/5', reply.status(409))
    const removing = controller.fetch(api.hopeful.delete, { id: 5 }).catch(() => 'refused')
    await settle()
    server.releaseOne('POST /todo', 'first')
    await creating
    await settle()
    expect(members()).toEqual([[6], [], []])
    server.release()
    expect(await removing).toBe('refused')
    await settle()
    expect(members()).toEqual([[6], [], [5]])
  },
)

for (const isRefused of [true, false]) {
  scenario(
    `F6b/set by a function/${isRefused ? 'refused' : 'confirmed'}`,
    'a function given to set gets what is confirmed, and its result is shown below what mutations in flight expect',
    async (stage) => {
      const { api, controller, mount, server, settle } = stage
      server.route('GET /todo/5', todoFields(5, { title: 'a' }))
      const reader = await mount('useSuspense', api.todo.get, { id: 5 })
      const query = await mount('useQuery', Todo, { id: 5 })
      await settle()
      const lengthen = api.todo.partialUpdate.extend({
        getOptimisticResponse: optimistic((snapshot, params: { id: number }) => ({
          ...params,
          title: `${snapshot.get(Todo, params)?.title}b`,
        })),
      })
      server.hold('PATCH /todo/5')
      server.route('PATCH /todo/5', isRefused ? reply.status(500) : { id: 5, title: 'ab' })
      const pending = controller.fetch(lengthen, { id: 5 }, {}).catch(() => 'failed')
      await settle()
      expect(shown(reader)).toMatchObject({ title: 'ab' })
      const { renders } = reader
      let given: unknown
      controller.set(Todo, { id: 5 }, (todo) => {
        given = todo?.title
        return { title: `${todo?.title}c` }
      })
      await settle()
      expect([given, (shown(reader) as Todo).title, (shown(query) as Todo).title]).toEqual([
        'a',
        'acb',
        'acb',
      ])
      expect(reader.renders).toBe(renders + 1)
      server.route('GET /todo/5', todoFields(5, { title: 'abc' }))
      server.release()
      await pending
      await settle()
      // If both wrote the field, the server is asked.
      expect(shown(reader)).toMatchObject({ title: isRefused ? 'ac' : 'abc' })
      expect(shown(query)).toBe(shown(reader))
    },
  )
}

scenario(
  'F6b/set by a function/others',
  'a list without the members that are expected, a record that a mutation deletes, and one that it makes are given',
  async ({ api, controller, mount, server, settle }) => {
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const before = titles(list)
    server.hold('POST /todo')
    server.hold('DELETE /todo/5')
    server.route('POST /todo', reply.status(500))
    server.route('DELETE /todo/5', reply.status(500))
    const creating = controller.fetch(api.hopeful.create, { title: 'New' }).catch(() => 'failed')
    const deleting = controller.fetch(api.hopeful.delete, { id: 5 }).catch(() => 'failed')
    await settle()
    const shownTitles = titles(list)
    const kept = before.find((title) => shownTitles.includes(title))
    expect(shownTitles).toEqual([kept, 'New'])
    const given: unknown[] = []
    controller.set(api.hopeful.getList.schema, {}, (todos: readonly Todo[]) => {
      given.push(todos.map(({ title }) => title))
      return todos.toReversed()
    })
    controller.set(Todo, { id: 5 }, (todo) => {
      given.push(todo?.title)
      return { completed: true }
    })
    controller.set(Todo, { id: lastId(list) }, (todo) => {
      given.push(todo?.title)
      return { completed: true }
    })
    await settle()
    expect(given).toEqual([before, 'Todo 5', 'New'])
    expect(titles(list)).toEqual([kept, 'New'])
    server.release()
    await Promise.all([creating, deleting])
    await settle()
    expect(titles(list)).toEqual(before.toReversed())
    expect(controller.get(Todo, { id: 5 })).toMatchObject({ completed: true })
  },
)

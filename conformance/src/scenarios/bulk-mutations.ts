import { schema } from '@selfsame/core'
import type { MutationState } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// Mutations of many records: of those that an array names, and of some that only the server knows.

const edits = [
  { id: 5, title: 'B', completed: true },
  { id: 6, title: 'C', completed: true },
] as const

const edited = [todoFields(5, edits[0]), todoFields(6, edits[1])] as const

function todosOf({ server }: Stage) {
  return createResource({
    urlPrefix: baseUrl,
    fetchResponse: (url, init) => server.fetch(url, init),
    path: '/todo/:id',
    searchParams: {} as { completed?: boolean },
    schema: Todo,
    mayBeEmpty: true,
  })
}

type Todos = ReturnType<typeof todosOf>

/** By name: how a mutation of many records is declared and called, and the response of its server. */
const forms: Record<
  string,
  {
    readonly method?: 'POST' | 'PATCH'
    /** @param list - that of the lists */
    readonly schema: (list: Todos['getList']['schema']) => object
    readonly body: object
    readonly wrap?: (records: readonly object[]) => object
  }
> = {
  'an array of records': { schema: () => [Todo], body: edits },
  'schema.Array': { schema: () => new schema.Array(Todo), body: edits },
  'schema.Values': {
    schema: () => new schema.Values(Todo),
    body: edits,
    wrap: (records) => Object.fromEntries(records.map((record, index) => [`todo${index}`, record])),
  },
  'an envelope': { schema: () => ({ data: [Todo] }), body: edits, wrap: (data) => ({ data }) },
  'an array of ids': { schema: () => [Todo], body: [5, 6] },
  'a field of ids': { schema: () => [Todo], body: { ids: [5, 6] } },
  'an array of moves': { schema: (list) => [list.move], body: edits },
  'ids of records that may move': { schema: (list) => list.move, body: { ids: [5, 6], completed: true } },
  'records that may move': { schema: (list) => list.move, body: edits },
  'a POST': { method: 'POST', schema: () => [Todo], body: { ids: [5, 6] } },
  'a field for all': { schema: () => [Todo], body: { completed: true } },
}

type Form = (typeof forms)[string]

function bulkOf(stage: Stage, form: Form, options: object = {}) {
  const { server } = stage
  return new RestEndpoint({
    urlPrefix: baseUrl,
    fetchResponse: (url: string, init: RequestInit) => server.fetch(url, init),
    path: '/todo/all',
    method: form.method ?? 'PATCH',
    body: {},
    schema: form.schema(todosOf(stage).getList.schema) as readonly [typeof Todo],
    mayBeEmpty: true,
    ...options,
  })
}

const asItIs = (records: readonly object[]): object => records

for (const [name, form] of Object.entries(forms)) {
  const { body, wrap = asItIs } = form
  const line = `${form.method ?? 'PATCH'} /todo/all`
  for (const [way, answer] of Object.entries({ '204': reply.status(204), lost: reply.offline() }))
    scenario(
      `2.2/bulk/${name}/${way}`,
      'what shows a record is fetched again after a mutation of many that does not tell what it wrote',
      async (stage) => {
        const { controller, mount, server, settle } = stage
        const todos = todosOf(stage)
        server.route('GET /todo', [todoFields(5), todoFields(6)])
        server.route('GET /todo?completed=true', [])
        server.route('GET /todo/5', todoFields(5))
        const all = await mount('useSuspense', todos.getList)
        const completed = await mount('useSuspense', todos.getList, { completed: true })
        const detail = await mount('useSuspense', todos.get, { id: 5 })
        await settle()
        server.requests.length = 0
        server.route(line, answer)
        server.route('GET /todo', edited)
        server.route('GET /todo?completed=true', edited)
        server.route('GET /todo/5', edited[0])
        await controller.fetch(bulkOf(stage, form), body).catch(() => {})
        controller.refetchStale()
        await settle()
        expect(shown(all)).toEqual(edited)
        expect(shown(completed)).toEqual(edited)
        expect(shown(detail)).toEqual(edited[0])
        const reads = server.requests.slice(1)
        for (const list of ['GET /todo', 'GET /todo?completed=true'])
          expect(reads.filter((read) => read === list)).toEqual([list])
      },
    )

  scenario(
    `2.2/bulk/${name}/late list`,
    'a list that is on its way while a mutation of many records does not tell what it wrote is fetched again',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const todos = todosOf(stage)
      server.route('GET /todo', [todoFields(5), todoFields(6)])
      server.route('GET /todo?completed=true', [])
      const all = await mount('useSuspense', todos.getList)
      await settle()
      server.hold('GET /todo?completed=true')
      const completed = await mount('useSuspense', todos.getList, { completed: true })
      await settle()
      server.route(line, reply.status(204))
      server.route('GET /todo', edited)
      server.route('GET /todo?completed=true', edited)
      await controller.fetch(bulkOf(stage, form), body)
      server.release()
      await settle()
      controller.refetchStale()
      await settle()
      expect(shown(all)).toEqual(edited)
      expect(shown(completed)).toEqual(edited)
    },
  )

  scenario(
    `2.2/bulk/${name}/deleted`,
    'a mutation of many records that is answered after the deletion of one does not bring it back',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const todos = todosOf(stage)
      server.route('GET /todo', [todoFields(5), todoFields(6)])
      const list = await mount('useSuspense', todos.getList)
      await settle()
      server.route(line, wrap(edited))
      server.hold(line)
      const changed = controller.fetch(bulkOf(stage, form), body)
      await settle()
      server.route('DELETE /todo/5', {})
      server.route('GET /todo', [edited[1]])
      await controller.fetch(todos.delete, { id: 5 })
      server.release()
      await changed
      await settle()
      expect(controller.get(Todo, { id: 5 })).toBe(undefined)
      expect(shown(list)).toEqual([edited[1]])
    },
  )
}

for (const name of ['records that may move', 'ids of records that may move', 'an array of moves'])
  for (const isTold of [false, true])
    scenario(
      `2.2/bulk/${name}/lists${isTold ? '/told' : ''}`,
      'a mutation of many records moves them to the lists that their fields name, also if a message told of one before',
      async (stage) => {
        const { controller, mount, server, settle } = stage
        const todos = todosOf(stage)
        const form = forms[name] as Form
        server.route('GET /todo', [todoFields(5), todoFields(6)])
        server.route('GET /todo?completed=true', [])
        server.route('GET /todo?completed=false', [todoFields(5), todoFields(6)])
        const all = await mount('useSuspense', todos.getList)
        const completed = await mount('useSuspense', todos.getList, { completed: true })
        const open = await mount('useSuspense', todos.getList, { completed: false })
        await settle()
        server.requests.length = 0
        server.route('PATCH /todo/all', edited)
        server.hold('PATCH /todo/all')
        const changed = controller.fetch(bulkOf(stage, form), form.body)
        await settle()
        if (isTold) controller.set(Todo, { id: 5 }, edited[0])
        server.release()
        await changed
        await settle()
        expect([all, completed, open].map(shown)).toEqual([edited, edited, []])
        expect((shown(completed) as Todo[])[0]).toBe((shown(all) as Todo[])[0])
        expect(server.requests).toEqual(['PATCH /todo/all'])
      },
    )

for (const name of [
  'an array of records',
  'records that may move',
  'an envelope',
  'schema.Values',
  'a field for all',
]) {
  const form = forms[name] as Form
  const { body, wrap = asItIs } = form
  scenario(
    `2.2/bulk/${name}/read meanwhile`,
    'what a mutation of many records wrote is shown, although it is what was there, and a read has brought something else meanwhile',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const todos = todosOf(stage)
      server.route('GET /todo', [edited[0], todoFields(6)])
      const list = await mount('useSuspense', todos.getList)
      await settle()
      // Another user changed it back, before the mutation was handled.
      const changedBack = { ...todoFields(5), ...(name !== 'a field for all' && { title: 'Of another' }) }
      const after = [{ ...changedBack, ...(Array.isArray(body) ? edits[0] : body) }, edited[1]]
      server.route('PATCH /todo/all', wrap(after))
      server.hold('PATCH /todo/all')
      const changed = controller.fetch(bulkOf(stage, form), body)
      await settle()
      server.route('GET /todo', [changedBack, todoFields(6)])
      await controller.fetch(todos.getList)
      await settle()
      expect((shown(list) as Todo[])[0]?.completed).toBe(false)
      server.route('GET /todo', after)
      server.release()
      await changed
      await settle()
      expect(shown(list)).toEqual(after)
    },
  )
}

for (const name of ['an array of records', 'an envelope', 'an array of ids']) {
  const form = forms[name] as Form
  scenario(
    `2.2/bulk/${name}/useMutations`,
    'useMutations of a record shows a mutation of many records that names it',
    async (stage) => {
      const { mount, server, settle } = stage
      const { get } = todosOf(stage)
      const five = await mount('useMutations', get, [Todo, 5])
      const seven = await mount('useMutations', get, [Todo, 7])
      server.route('PATCH /todo/all', reply.status(500))
      const failing = stage.controller.fetch(bulkOf(stage, form), form.body).catch(() => {})
      await settle()
      await failing
      await settle()
      expect(shown(five)).toMatchObject([{ loading: false, error: { status: 500 } }])
      expect(shown(seven) as readonly MutationState[]).toEqual([])
    },
  )
}

for (const way of ['204', 'answered', 'refused'] as const)
  scenario(
    `2.2/bulk/optimistic/${way}`,
    'a mutation of many records shows at once what it expects',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const todos = todosOf(stage)
      server.route('GET /todo', [todoFields(5), todoFields(6)])
      const list = await mount('useSuspense', todos.getList)
      await settle()
      const before = shown(list)
      const answers = { '204': reply.status(204), answered: edited, refused: reply.status(422) }
      server.route('PATCH /todo/all', answers[way])
      server.hold('PATCH /todo/all')
      const early = optimistic((_snapshot, body: typeof edits) => [...body])
      const bulk = bulkOf(stage, forms['an array of records'] as Form, { getOptimisticResponse: early })
      const changed = controller.fetch(bulk, edits).catch(() => {})
      await settle()
      expect(shown(list)).toEqual(edited)
      server.release()
      await changed
      await settle()
      controller.refetchStale()
      await settle()
      if (way === 'refused') expect(shown(list)).toBe(before)
      else expect(shown(list)).toEqual(edited)
      expect(server.requests).toEqual(['GET /todo', 'PATCH /todo/all'])
    },
  )

/** The forms of which an optimistic response may leave out what is not known. */
const partly = [
  'an array of records',
  'an envelope',
  'schema.Values',
  'a field of ids',
  'records that may move',
  'ids of records that may move',
]

for (const name of partly)
  for (const isAnyKnown of [true, false])
    scenario(
      `2.2/bulk/optimistic/${name}/${isAnyKnown ? 'one' : 'none'} known`,
      'a mutation of many records that is answered by 204 makes Stale what its optimistic response leaves out',
      async (stage) => {
        const { controller, mount, server, settle } = stage
        const todos = todosOf(stage)
        const form = forms[name] as Form
        const wrap = form.wrap ?? asItIs
        server.route('GET /todo?completed=true', [])
        server.route('GET /todo/5', isAnyKnown ? todoFields(5) : reply.status(404))
        const completed = await mount('useSuspense', todos.getList, { completed: true })
        await controller.fetch(todos.get, { id: 5 }).catch(() => {})
        await settle()
        server.requests.length = 0
        const early = optimistic((snapshot) =>
          wrap(edits.filter(({ id }) => snapshot.get(Todo, { id }) !== undefined)),
        )
        server.route('PATCH /todo/all', reply.status(204))
        server.route('GET /todo?completed=true', edited)
        const bulk = bulkOf(stage, form, { getOptimisticResponse: early })
        await controller.fetch(bulk, form.body)
        await settle()
        controller.refetchStale()
        await settle()
        expect(shown(completed)).toEqual(edited)
        expect(server.requests).toEqual(['PATCH /todo/all', 'GET /todo?completed=true'])
      },
    )

scenario(
  '2.2/bulk/an array that is sent again',
  'an array that the caller has changed since it was sent names what it has now',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const todos = todosOf(stage)
    server.route('GET /todo/5', todoFields(5))
    server.route('GET /todo/6', todoFields(6))
    const details = [
      await mount('useSuspense', todos.get, { id: 5 }),
      await mount('useSuspense', todos.get, { id: 6 }),
    ]
    await settle()
    server.route('PATCH /todo/all', reply.status(204))
    const bulk = bulkOf(stage, forms['an array of ids'] as Form)
    const ids = [5]
    server.route('GET /todo/5', edited[0])
    await controller.fetch(bulk, ids)
    await settle()
    ids[0] = 6
    server.route('GET /todo/6', edited[1])
    await controller.fetch(bulk, ids)
    await settle()
    expect(details.map(shown)).toEqual(edited)
  },
)

/** By name: what a mutation that deletes many records sends, and how it is answered. */
const deletions = {
  'of records': { body: [5, 6], answer: [todoFields(5), todoFields(6)] },
  'of ids': { body: { ids: [5, 6] }, answer: [5, 6] },
  '204 of an array': { body: [5, 6], answer: reply.status(204) },
  '204 of a field': { body: { ids: [5, 6] }, answer: reply.status(204) },
  lost: { body: [5, 6], answer: reply.offline() },
} as const

for (const [name, { body, answer }] of Object.entries(deletions))
  scenario(`2.2/bulk/deletion/${name}`, 'what a mutation deletes leaves all lists', async (stage) => {
    const { controller, mount, server, settle } = stage
    const todos = todosOf(stage)
    server.route(
      'GET /todo',
      [5, 6, 7].map((id) => todoFields(id)),
    )
    server.route(
      'GET /todo?completed=false',
      [5, 6, 7].map((id) => todoFields(id)),
    )
    const all = await mount('useSuspense', todos.getList)
    const open = await mount('useSuspense', todos.getList, { completed: false })
    await settle()
    server.requests.length = 0
    server.route('PATCH /todo/all', answer)
    server.route('GET /todo', [todoFields(7)])
    server.route('GET /todo?completed=false', [todoFields(7)])
    const remove = bulkOf(stage, { schema: () => [new schema.Delete(Todo)], body })
    await controller.fetch(remove, body as object).catch(() => {})
    expect(body).toEqual(Array.isArray(body) ? [5, 6] : { ids: [5, 6] })
    await settle()
    controller.refetchStale()
    await settle()
    expect([all, open].map(shown)).toEqual([[todoFields(7)], [todoFields(7)]])
    // What a success deletes is named by its response, or by the array that it answers.
    const isTold = Array.isArray(answer) || name === '204 of an array'
    if (isTold) expect(controller.get(Todo, { id: 5 })).toBe(undefined)
    const reads = ['GET /todo', 'GET /todo?completed=false']
    expect(server.requests).toEqual(['PATCH /todo/all', ...(isTold ? [] : reads)])
  })

import type { MutationState } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { optimistic } from '@selfsame/core/optimistic'
import { expect } from 'vitest'
import { Todo, User, todoFields, userFields } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// Mutations of a server that sends its records in an envelope: alone, or beside another record.

const envelopes = {
  alone: { schema: { data: Todo }, wrap: (data: object) => ({ data }) },
  'beside another': {
    schema: { data: Todo, user: User },
    wrap: (data: object) => ({ data, user: userFields(1) }),
  },
} as const

type Envelope = keyof typeof envelopes

/** @param early - what expects the response of a mutation @default nothing */
function todosOf({ server }: Stage, envelope: Envelope, early?: 'resource' | 'endpoint') {
  const todos = createResource({
    urlPrefix: baseUrl,
    fetchResponse: (url, init) => server.fetch(url, init),
    path: '/todo/:id',
    schema: Todo,
    mayBeEmpty: true,
    ...(early === 'resource' && { optimistic }),
  })
  const { schema } = envelopes[envelope] as unknown as (typeof envelopes)['alone']
  const expected = optimistic((_snapshot, { id }: { id: number }, body: object) => ({
    data: { id, ...body },
  }))
  const own = early === 'endpoint' ? { getOptimisticResponse: expected } : {}
  return {
    getList: todos.getList,
    get: todos.get.extend({ schema }),
    partialUpdate: todos.partialUpdate.extend({ schema, ...own }),
    update: todos.update.extend({ schema, ...own }),
    create: todos.create.extend({ schema: { ...schema, data: todos.getList.schema.push } }),
    delete: todos.delete,
  }
}

/** How a mutation does not tell what the server made of it. */
const silences = { '204': reply.status(204), lost: reply.offline() } as const

const edited = todoFields(5, { title: 'B' })

/** What the server has after each change. */
const changes = {
  edit: [edited, todoFields(6)],
  replace: [edited, todoFields(6)],
  create: [todoFields(5), todoFields(6), todoFields(9, { title: 'New' })],
} as const

for (const envelope of Object.keys(envelopes) as Envelope[]) {
  const { wrap } = envelopes[envelope]
  for (const [way, answer] of Object.entries(silences))
    for (const [change, after] of Object.entries(changes))
      scenario(
        `2.2/envelope/${envelope}/${change}/${way}`,
        'what shows a record is fetched again after a mutation with an envelope that does not tell what it wrote',
        async (stage) => {
          const { controller, mount, server, settle } = stage
          const todos = todosOf(stage, envelope)
          server.route('GET /todo', [todoFields(5), todoFields(6)])
          server.route('GET /todo/5', wrap(todoFields(5)))
          const list = await mount('useSuspense', todos.getList)
          const detail = await mount('useSuspense', todos.get, { id: 5 })
          await settle()
          server.requests.length = 0
          for (const name of ['PATCH /todo/5', 'PUT /todo/5', 'POST /todo']) server.route(name, answer)
          server.route('GET /todo', after)
          server.route('GET /todo/5', wrap(after[0] as object))
          const changed =
            change === 'edit'
              ? controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'B' })
              : change === 'replace'
                ? controller.fetch(todos.update, { id: 5 }, { title: 'B' })
                : controller.fetch(todos.create, { title: 'New' })
          await changed.catch(() => {})
          controller.refetchStale()
          await settle()
          expect(shown(list)).toEqual(after)
          expect((shown(detail) as { data: Todo }).data).toBe((shown(list) as Todo[])[0])
          const reads = server.requests.slice(1)
          expect(reads.filter((line) => line === 'GET /todo')).toEqual(['GET /todo'])
        },
      )

  scenario(
    `2.2/envelope/${envelope}/order`,
    'a PATCH with an envelope that is answered after a deletion does not bring the record back',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const todos = todosOf(stage, envelope)
      server.route('GET /todo', [todoFields(5), todoFields(6)])
      const list = await mount('useSuspense', todos.getList)
      await settle()
      server.route('PATCH /todo/5', wrap(edited))
      server.hold('PATCH /todo/5')
      const changed = controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'B' })
      await settle()
      server.route('DELETE /todo/5', {})
      server.route('GET /todo', [todoFields(6)])
      await controller.fetch(todos.delete, { id: 5 })
      server.release()
      await changed
      await settle()
      expect(controller.get(Todo, { id: 5 })).toBe(undefined)
      expect(shown(list)).toEqual([todoFields(6)])
    },
  )

  scenario(
    `2.2/envelope/${envelope}/useMutations`,
    'useMutations of a record shows a mutation with an envelope',
    async (stage) => {
      const { mount, server, settle } = stage
      const todos = todosOf(stage, envelope)
      const states = await mount('useMutations', todos.get, [Todo, 5])
      server.route('PATCH /todo/5', reply.status(500))
      const failing = stage.controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'B' }).catch(() => {})
      await settle()
      await failing
      await settle()
      const [state] = shown(states) as readonly MutationState[]
      expect(state).toMatchObject({ loading: false, error: { status: 500 } })
    },
  )
}

for (const early of ['resource', 'endpoint'] as const)
  scenario(
    `2.2/envelope/optimistic/204/${early}`,
    'an empty success confirms what a mutation with an envelope expected',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const todos = todosOf(stage, 'alone', early)
      server.route('GET /todo', [todoFields(5), todoFields(6)])
      const list = await mount('useSuspense', todos.getList)
      await settle()
      server.route('PATCH /todo/5', reply.status(204))
      const changed = controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'B' })
      await settle()
      expect(shown(list)).toEqual([edited, todoFields(6)])
      expect(await changed).toEqual({ data: edited })
      await settle()
      controller.refetchStale()
      await settle()
      expect(shown(list)).toEqual([edited, todoFields(6)])
      expect(server.requests).toEqual(['GET /todo', 'PATCH /todo/5'])
    },
  )

for (const envelope of Object.keys(envelopes) as Envelope[])
  scenario(
    `2.2/envelope/${envelope}/optimistic`,
    'a resource that is optimistic shows a create and an edit with an envelope at once',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const { wrap } = envelopes[envelope]
      const todos = todosOf(stage, envelope, 'resource')
      server.route('GET /todo', [todoFields(5), todoFields(6)])
      const list = await mount('useSuspense', todos.getList)
      await settle()
      for (const [name, answer] of [
        ['PATCH /todo/5', wrap(edited)],
        ['POST /todo', wrap(todoFields(9, { title: 'New' }))],
      ] as const) {
        server.route(name, answer)
        server.hold(name)
      }
      const titles = () => (shown(list) as Todo[]).map(({ title }) => title)
      const changed = [
        controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'B' }),
        controller.fetch(todos.create, { title: 'New' }),
      ]
      await settle()
      expect(titles()).toEqual(['B', 'Todo 6', 'New'])
      server.release()
      await Promise.all(changed)
      await settle()
      expect(shown(list)).toEqual(changes.edit.concat(todoFields(9, { title: 'New' })))
      expect(server.requests).toEqual(['GET /todo', 'PATCH /todo/5', 'POST /todo'])
    },
  )

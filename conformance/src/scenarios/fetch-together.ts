import { Controller, schema } from '@selfsame/core'
import { fetchTogether, optimistic } from '@selfsame/core/optimistic'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { RestEndpoint } from '@selfsame/core/rest'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { Todo, todoFields } from '../fixtures.js'
import type { Api } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import type { ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'
import { ManualNetwork } from '../surroundings.js'
import { platformIsDone, scenarioOnEachPlatform } from './platforms.js'

// Several mutations as one: shown at once, sent in order, rolled back together.

const titles = (reader: Reader) => (shown(reader) as Todo[]).map(({ title }) => title)

const sentTo = ({ server }: Pick<Stage, 'server'>) =>
  server.requests.filter((request) => !request.startsWith('GET'))

/** Renames two todos and makes a third one that names a fourth, which is made before it. */
function change(controller: Controller, { hopeful }: Api) {
  return fetchTogether(controller, (fetch) => {
    const made = fetch(hopeful.create, { title: 'Made' })
    return [
      fetch(hopeful.partialUpdate, { id: 5 }, { title: 'B' }),
      made,
      fetch(hopeful.partialUpdate, { id: 6 }, { title: 'C', userId: made.temporaryId }),
    ]
  })
}

scenario(
  'together',
  'several mutations are shown by one notification, and each is sent when the one before it was answered',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    server.hold('POST /todo', 'PATCH /todo/5', 'PATCH /todo/6')
    const bodies: unknown[] = []
    server.route('PATCH /todo/6', ({ body }: ServerRequest) => {
      bodies.push(body)
      return todoFields(6, body as object)
    })
    let told = 0
    const end = controller.subscribe(api.hopeful.getList, () => told++)
    const changing = change(controller, api)
    expect(told).toBe(1)
    end()
    await settle()
    expect(titles(list)).toEqual(['B', 'C', 'Made'])
    // They are sent in the order in which they were made.
    expect(sentTo(stage)).toEqual(['POST /todo'])
    server.release('POST /todo')
    await settle()
    expect(sentTo(stage)).toEqual(['POST /todo', 'PATCH /todo/5'])
    server.release('PATCH /todo/5')
    await settle()
    expect(sentTo(stage)).toEqual(['POST /todo', 'PATCH /todo/5', 'PATCH /todo/6'])
    server.release()
    const [five, made, six] = await changing
    expect([five, made, six]).toMatchObject([{ title: 'B' }, { id: 9 }, { title: 'C', userId: 9 }])
    expect(bodies).toEqual([{ title: 'C', userId: 9 }])
    await settle()
    expect(titles(list)).toEqual(['B', 'C', 'Made'])
  },
)

scenario(
  'together/refused',
  'the first that is refused is rolled back by one notification with those behind it, which are not sent; what was answered stays',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    server.route('PATCH /todo/5', reply.status(422, { message: 'Too short' }))
    server.hold('PATCH /todo/5')
    const ended: unknown[] = []
    const changing = fetchTogether(controller, (fetch) => {
      const made = [
        fetch(api.hopeful.create, { title: 'Made' }),
        fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'B' }),
        fetch(api.hopeful.delete, { id: 6 }),
        fetch(api.hopeful.create, { title: 'Never' }),
      ] as const
      for (const each of made)
        each
          .then(() => ended.push('done'))
          .catch((error: { code?: string; status?: number }) => ended.push(error.code ?? error.status))
      return made
    })
    await settle()
    expect(titles(list)).toEqual(['B', 'Made', 'Never'])
    let told = 0
    const end = controller.subscribe(api.hopeful.getList, () => told++)
    server.release()
    await expect(changing).rejects.toMatchObject({ status: 422 })
    expect(told).toBe(1)
    end()
    await settle()
    expect(titles(list)).toEqual(['Todo 5', 'Todo 6', 'Made'])
    expect(sentTo(stage)).toEqual(['POST /todo', 'PATCH /todo/5'])
    expect(ended.toSorted()).toEqual([422, 'create-failed', 'create-failed', 'done'])
  },
)

scenario(
  'together/throws',
  'a function that throws sends nothing, and what it has shown is rolled back',
  async (stage) => {
    const { api, controller, mount, settle } = stage
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    let told = 0
    const end = controller.subscribe(api.hopeful.getList, () => told++)
    const changing = fetchTogether(controller, (fetch) => {
      void fetch(api.hopeful.delete, { id: 5 })
      void fetch(api.hopeful.delete, { id: 6 })
      throw new Error('No')
    })
    await expect(changing).rejects.toThrow('No')
    await settle()
    end()
    expect([titles(list), told, sentTo(stage)]).toEqual([['Todo 5', 'Todo 6'], 0, []])
  },
)

scenario(
  'together/not optimistic',
  'mutations that are not shown early are sent in order, too',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    await mount('useSuspense', api.todo.getList)
    server.route('PATCH /todo/5', reply.status(500))
    const changing = fetchTogether(controller, (fetch) => [
      fetch(api.todo.create, { title: 'Made' }),
      fetch(api.todo.partialUpdate, { id: 5 }, { title: 'B' }),
      fetch(api.todo.delete, { id: 6 }),
    ])
    await expect(changing).rejects.toMatchObject({ status: 500 })
    await settle()
    expect(sentTo(stage)).toEqual(['POST /todo', 'PATCH /todo/5'])
  },
)

scenario('together/reset', 'a reset ends all of them', async (stage) => {
  const { api, controller, server, settle } = stage
  server.hold('POST /todo')
  const changing = change(controller, api)
  changing.catch(() => {})
  await settle()
  controller.resetAll()
  await expect(changing).rejects.toMatchObject({ code: 'hard-reset' })
  server.release()
  await settle()
  expect(sentTo(stage)).toEqual(['POST /todo'])
})

/** A request of the application's own that makes a todo, renames one and deletes one. */
function oneRequest({ server }: Stage, { hopeful }: Api) {
  return new RestEndpoint({
    urlPrefix: baseUrl,
    fetchResponse: (url: string, init: RequestInit) => server.fetch(url, init),
    path: '/batch',
    method: 'POST',
    body: { title: '', rename: 0, remove: 0 },
    schema: { made: hopeful.getList.schema.push, renamed: Todo, removed: new schema.Delete(Todo) },
    getOptimisticResponse: optimistic(({ temporaryId }, { title, rename, remove }) => ({
      made: { id: temporaryId, title },
      renamed: { id: rename, title },
      removed: remove,
    })),
  })
}

for (const isRefused of [false, true])
  scenario(
    `together/one request/${isRefused ? 'refused' : 'answered'}`,
    'one request of the application shows what it changes at once, and is rolled back as one',
    async (stage) => {
      const { api, controller, mount, server, settle } = stage
      const list = await mount('useSuspense', api.hopeful.getList)
      await settle()
      const title = 'A'
      const answer = { made: todoFields(7, { title }), renamed: todoFields(6, { title }), removed: 5 }
      server.route('POST /batch', isRefused ? reply.status(422) : answer)
      server.hold('POST /batch')
      let told = 0
      const end = controller.subscribe(api.hopeful.getList, () => told++)
      const changing = controller
        .fetch(oneRequest(stage, api), { title, rename: 6, remove: 5 })
        .catch((error: unknown) => error)
      await settle()
      expect([titles(list), told]).toEqual([['A', 'A'], 1])
      server.release()
      const result = await changing
      expect(told).toBe(2)
      end()
      await settle()
      if (isRefused) expect(result).toMatchObject({ status: 422 })
      expect(titles(list)).toEqual(isRefused ? ['Todo 5', 'Todo 6'] : ['A', 'A'])
      expect(sentTo(stage)).toEqual(['POST /batch'])
    },
  )

scenarioOnEachPlatform(
  'together/outbox',
  'with the outbox several mutations are sent in order, also after a reload',
  { entries: ['outbox'], hasStorage: true },
  async (stage, given) => {
    const { api, open, server, settle } = stage
    const network = new ManualNetwork()
    const options = { endpoints: [api.hopeful], network, ...given }
    network.set(false)
    const first = new Controller({ middleware: [outbox(options)] })
    const changing = change(first, api)
    changing.catch(() => {})
    await outboxOf(first).written()
    first.dispose()
    const { controller, mount } = open({ middleware: [outbox(options)] })
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    await platformIsDone(stage)
    expect(titles(list)).toEqual(['B', 'C', 'Made'])
    server.hold('POST /todo', 'PATCH /todo/5')
    network.set(true)
    await settle()
    await platformIsDone(stage)
    expect(sentTo(stage)).toEqual(['POST /todo'])
    server.release('POST /todo')
    await settle()
    await platformIsDone(stage)
    expect(sentTo(stage)).toEqual(['POST /todo', 'PATCH /todo/5'])
    server.release()
    await settle()
    await platformIsDone(stage)
    expect(sentTo(stage)).toEqual(['POST /todo', 'PATCH /todo/5', 'PATCH /todo/6'])
    expect(outboxOf(controller).mutations).toEqual([])
    expect(shown(list)).toMatchObject([{ title: 'B' }, { title: 'C', userId: 9 }, { id: 9, title: 'Made' }])
  },
)

scenarioOnEachPlatform(
  'together/outbox/refused',
  'with the outbox the first that is refused keeps those behind it unsent, and a retry sends all of these',
  { entries: ['outbox'] },
  async (stage, given) => {
    const { api, open, server, settle } = stage
    const network = new ManualNetwork()
    const { controller, mount } = open({
      middleware: [outbox({ endpoints: [api.hopeful], network, ...given })],
    })
    const list = await mount('useSuspense', api.hopeful.getList)
    await settle()
    await platformIsDone(stage)
    server.route('PATCH /todo/5', reply.status(422))
    network.set(false)
    const changing = change(controller, api)
    await settle()
    await platformIsDone(stage)
    expect(titles(list)).toEqual(['B', 'C', 'Made'])
    let told = 0
    network.set(true)
    const end = controller.subscribe(api.hopeful.getList, ({ data }) => {
      if (data?.some(({ id }) => id === 9)) told++
    })
    await expect(changing).rejects.toMatchObject({ status: 422 })
    await settle()
    await platformIsDone(stage)
    expect(titles(list)).toEqual(['Todo 5', 'Todo 6', 'Made'])
    // With the answer of the first, and with the refusal of the second.
    expect(told).toBe(2)
    end()
    expect(outboxOf(controller).mutations).toMatchObject([
      { endpoint: 'Todo.partialUpdate', reason: 'refused', error: { status: 422 } },
      { endpoint: 'Todo.partialUpdate', reason: 'dependency', error: { code: 'create-failed' } },
    ])
    server.route('PATCH /todo/5', todoFields(5, { title: 'B' }))
    await outboxOf(controller).retry()
    await settle()
    await platformIsDone(stage)
    expect(outboxOf(controller).mutations).toEqual([])
    expect(titles(list)).toEqual(['B', 'C', 'Made'])
    expect(sentTo(stage)).toEqual(['POST /todo', 'PATCH /todo/5', 'PATCH /todo/5', 'PATCH /todo/6'])
  },
)

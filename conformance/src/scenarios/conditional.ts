import { outbox, outboxOf } from '@selfsame/core/outbox'
import { ConditionalEndpoint, createResource } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import type { ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'
import { platformIsDone, scenarioOnEachPlatform } from './platforms.js'

// Requests with the ETag of the last response.

/** A server that knows the version of its record, and refuses a change of another version. */
function todosOf({ server }: Stage, ifMatch = true) {
  class ScriptedEndpoint<const Options extends RestOptions> extends ConditionalEndpoint<Options> {
    override get ifMatch() {
      return ifMatch
    }
    override fetchResponse(url: string, init: RequestInit) {
      return server.fetch(url, init)
    }
  }
  const log: string[] = []
  const stored = { version: 1, title: 'A' }
  const answer = (status: number) =>
    reply.status(status, status === 304 ? undefined : todoFields(5, { title: stored.title }), {
      etag: `"${stored.version}"`,
    })
  server.route('GET /todo/5', ({ headers }: ServerRequest) => {
    const sent = headers.get('if-none-match')
    log.push(`GET ${sent}`)
    return answer(sent === `"${stored.version}"` ? 304 : 200)
  })
  server.route('PATCH /todo/5', ({ headers, body }: ServerRequest) => {
    const sent = headers.get('if-match')
    log.push(`PATCH ${sent}`)
    if (sent !== null && sent !== `"${stored.version}"`) return reply.status(412, todoFields(5, stored))
    Object.assign(stored, body, { version: stored.version + 1 })
    return answer(200)
  })
  const todos = createResource({
    urlPrefix: baseUrl,
    Endpoint: ScriptedEndpoint,
    path: '/todo/:id',
    schema: Todo,
  })
  return { todos, log, stored }
}

scenario(
  '4.3/conditional/304',
  'a response 304 is the last response again: the same object, fresh, without a render',
  async (stage) => {
    const { controller, mount, pass, settle } = stage
    const { todos, log, stored } = todosOf(stage)
    const reader = await mount('useSuspense', todos.get, { id: 5 })
    await settle()
    const before = shown(reader)
    const { renders } = reader
    await pass(61_000)
    expect(controller.read(todos.get, { id: 5 }).status).toBe('Stale')
    await controller.fetch(todos.get, { id: 5 })
    await settle()
    expect(shown(reader)).toBe(before)
    expect(reader.renders).toBe(renders)
    expect(controller.read(todos.get, { id: 5 }).status).toBe('Valid')
    Object.assign(stored, { version: 2, title: 'B' })
    await controller.fetch(todos.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'B' })
    expect(log).toEqual(['GET null', 'GET "1"', 'GET "1"'])
  },
)

scenario(
  '4.3/conditional/reset',
  'nothing is kept over a reset: the next request has no condition',
  async (stage) => {
    const { controller, mount, settle } = stage
    const { todos, log } = todosOf(stage)
    const reader = await mount('useSuspense', todos.get, { id: 5 })
    await settle()
    controller.resetAll()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'A' })
    expect(log).toEqual(['GET null', 'GET null'])
  },
)

scenario(
  '4.3/conditional/412',
  'a change of a record that someone else has changed is refused with 412, and shown no longer',
  async (stage) => {
    const { controller, mount, settle } = stage
    const { todos, log, stored } = todosOf(stage)
    const reader = await mount('useSuspense', todos.get, { id: 5 })
    await settle()
    await controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'Mine' })
    Object.assign(stored, { version: 3, title: 'Theirs' })
    await expect(
      controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'Mine again' }),
    ).rejects.toMatchObject({ status: 412, body: { title: 'Theirs' } })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Mine' })
    await controller.fetch(todos.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Theirs' })
    expect(log).toEqual(['GET null', 'PATCH "1"', 'PATCH "2"', 'GET null'])
  },
)

scenarioOnEachPlatform(
  '4.3/conditional/outbox',
  'a 412 is a conflict of the outbox, which merges and sends again',
  { entries: ['outbox'] },
  async (stage, given) => {
    const { open, settle } = stage
    const { todos, stored } = todosOf(stage)
    const waiting = outbox({
      endpoints: [todos],
      onConflict: ({ args }, server, local) => ({
        args: [args[0], { title: `${(server as Todo).title} and ${(local as Todo).title}` }],
      }),
      ...given,
    })
    const { controller, mount } = open({ middleware: [waiting] })
    const reader = await mount('useSuspense', todos.get, { id: 5 })
    await settle()
    await platformIsDone(stage)
    Object.assign(stored, { version: 2, title: 'Theirs' })
    // The promise of what is sent no longer rejects.
    controller.fetch(todos.partialUpdate, { id: 5 }, { title: 'mine' }).catch(() => {})
    for (let step = 0; step < 3; step++) {
      await settle()
      await platformIsDone(stage)
      await stage.pass(1000)
    }
    expect(shown(reader)).toMatchObject({ title: 'Theirs and mine' })
    expect(outboxOf(controller).mutations).toEqual([])
  },
)

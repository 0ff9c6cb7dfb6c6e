import type { Controller, Middleware } from '@selfsame/core'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { Todo, todoFields } from '../fixtures.js'
import type { Api } from '../fixtures.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'
import { ManualNetwork } from '../surroundings.js'
import { platformIsDone, scenarioOnEachPlatform } from './platforms.js'

// The recipe for undo: a deletion is sent when its notice closes, and an edit is taken back by its inverse.

/** By signal of a mutation, one that is aborted when its notice is closed. */
const notices = new WeakMap<AbortSignal, AbortSignal>()

const afterNotice: Middleware = () => ({
  passesOn: true,
  async request(call, next) {
    const { signal } = call.endpoint
    const closed = signal && notices.get(signal)
    if (closed === undefined || closed.aborted) return next()
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
      closed.addEventListener('abort', () => resolve())
    })
    return next()
  },
})

function remove(controller: Controller, api: Api, id: number) {
  const undone = new AbortController()
  const closed = new AbortController()
  notices.set(undone.signal, closed.signal)
  // It rejects when it is undone.
  controller.fetch(api.hopeful.delete.extend({ signal: undone.signal }), { id }).catch(() => {})
  return { undo: () => undone.abort(), close: () => closed.abort() }
}

function rename(controller: Controller, api: Api, title: string) {
  const before = controller.get(Todo, { id: 5 })?.title ?? ''
  const edit = (to: string) => controller.fetch(api.hopeful.partialUpdate, { id: 5 }, { title: to })
  void edit(title)
  return { undo: () => void edit(before) }
}

const titles = (reader: Reader) => (shown(reader) as Todo[]).map(({ title }) => title)

const sentTo = ({ server }: Stage) => server.requests.filter((request) => !request.startsWith('GET'))

scenario(
  'undo/delete',
  'a deletion is shown at once and sent when its notice is closed; undone, it is never sent',
  async (stage) => {
    const { api, open, settle } = stage
    const { controller, mount } = open({ middleware: [afterNotice] })
    const reader = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const first = remove(controller, api, 5)
    await settle()
    expect(titles(reader)).toEqual(['Todo 6'])
    first.undo()
    await settle()
    expect(titles(reader)).toEqual(['Todo 5', 'Todo 6'])
    first.close()
    await settle()
    expect(sentTo(stage)).toEqual([])
    // The server knows nothing of it, so nothing is asked for again.
    expect(controller.read(api.hopeful.getList).status).toBe('Valid')
    const second = remove(controller, api, 6)
    second.close()
    await settle()
    second.undo()
    await settle()
    expect(titles(reader)).toEqual(['Todo 5'])
    expect(sentTo(stage)).toEqual(['DELETE /todo/6'])
  },
)

scenario(
  'undo/edit',
  'an edit is taken back by its inverse, before and after it is answered',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.hopeful.getList)
    await settle()
    const first = rename(controller, api, 'New')
    await settle()
    expect(titles(reader)).toEqual(['New', 'Todo 6'])
    first.undo()
    await settle()
    expect(titles(reader)).toEqual(['Todo 5', 'Todo 6'])
    server.hold('PATCH /todo/5')
    const second = rename(controller, api, 'Newer')
    second.undo()
    await settle()
    expect(titles(reader)).toEqual(['Todo 5', 'Todo 6'])
    server.release()
    await settle()
    expect(titles(reader)).toEqual(['Todo 5', 'Todo 6'])
    expect(server.requests.filter((request) => request.startsWith('GET'))).toEqual(['GET /todo'])
  },
)

scenarioOnEachPlatform(
  'undo/outbox',
  'with the outbox, what is undone leaves it unsent, and an edit and its inverse are sent in order',
  { entries: ['outbox'] },
  async (stage, given) => {
    const { api, open, server, settle } = stage
    const network = new ManualNetwork()
    const waiting = outbox({ endpoints: [api.hopeful], network, ...given })
    const { controller, mount } = open({ middleware: [afterNotice, waiting] })
    const reader = await mount('useSuspense', api.hopeful.getList)
    await settle()
    await platformIsDone(stage)
    network.set(false)
    const removal = remove(controller, api, 6)
    const edit = rename(controller, api, 'New')
    await settle()
    await platformIsDone(stage)
    expect(titles(reader)).toEqual(['New'])
    expect(outboxOf(controller).mutations).toHaveLength(2)
    removal.undo()
    edit.undo()
    await settle()
    await platformIsDone(stage)
    expect(titles(reader)).toEqual(['Todo 5', 'Todo 6'])
    const bodies: unknown[] = []
    server.route('PATCH /todo/5', ({ body }: { body: object }) => {
      bodies.push(body)
      return todoFields(5, body)
    })
    network.set(true)
    await settle()
    await platformIsDone(stage)
    await settle()
    expect(outboxOf(controller).mutations).toEqual([])
    expect(bodies).toEqual([{ title: 'New' }, { title: 'Todo 5' }])
    expect(sentTo(stage)).toEqual(['PATCH /todo/5', 'PATCH /todo/5'])
    expect(titles(reader)).toEqual(['Todo 5', 'Todo 6'])
  },
)

import type { ReadCalls } from '@selfsame/core'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

const routes = { 5: 'GET /todo/5', 6: 'GET /todo/6', 7: 'GET /todo/7' } as const

interface Shown {
  readonly data: readonly unknown[]
  readonly loading: boolean
  readonly error: Error | undefined
  readonly isLast: boolean
  readonly states: readonly { readonly data: unknown; readonly loading: boolean; readonly error: unknown }[]
  readonly fetching: boolean
  readonly refetch: () => Promise<void>
}

const stateOf = (reader: Reader) => shown(reader) as Shown

/** Mounts a reader of several calls. */
function mountAll({ api, mount, server }: Stage, calls: ReadCalls): Promise<Reader> {
  for (const [id, route] of Object.entries(routes)) server.route(route, todoFields(Number(id)))
  return mount('useDLEAll', api.todo.get, calls)
}

scenario.onReact18(
  'dle all/parallel',
  'several reads start at once, and each shows its data when it is there',
  async (stage) => {
    const { api, server, settle } = stage
    server.hold(routes[6])
    const reader = await mountAll(stage, [
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    await settle()
    expect(server.requests).toEqual([routes[5], routes[6]])
    expect(stateOf(reader)).toMatchObject({
      data: [{ id: 5 }, undefined],
      loading: true,
      error: undefined,
      fetching: true,
      states: [{ loading: false }, { loading: true }],
    })
    server.release()
    await settle()
    expect(stateOf(reader)).toMatchObject({
      data: [{ id: 5 }, { id: 6 }],
      loading: false,
      error: undefined,
      isLast: false,
      fetching: false,
    })
    expect(reader.fallbacks).toBe(0)
  },
)

scenario(
  'dle all/object',
  'an object of calls gives an object, undefined where the arguments are null',
  async (stage) => {
    const { api, server, settle } = stage
    const reader = await mountAll(stage, { todo: [api.todo.get, { id: 5 }], none: [api.todo.get, null] })
    await settle()
    const { data, loading } = stateOf(reader)
    expect(data).toEqual({ todo: expect.objectContaining({ id: 5 }), none: undefined })
    expect(loading).toBe(false)
    expect(server.requests).toEqual([routes[5]])
  },
)

scenario(
  'dle all/error',
  'the error of one stands beside the data of the others, and refetch asks for all',
  async (stage) => {
    const { api, server, settle } = stage
    server.route(routes[7], reply.status(404))
    const reader = await stage.mount('useDLEAll', api.todo.get, [
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 7 }],
    ])
    await settle()
    const failed = stateOf(reader)
    expect(failed).toMatchObject({ data: [{ id: 5 }, undefined], loading: false, error: { status: 404 } })
    expect(failed.states[1]?.error).toBe(failed.error)
    server.route(routes[7], todoFields(7))
    await failed.refetch()
    await settle()
    expect(stateOf(reader)).toMatchObject({ data: [{ id: 5 }, { id: 7 }], loading: false, error: undefined })
    expect(server.requests).toEqual([routes[5], routes[7], routes[5], routes[7]])
  },
  { isLogged: true },
)

scenario(
  'dle all/selfsame',
  'the data is the selfsame object until a member changes, and other changes render nothing',
  async (stage) => {
    const { api, controller, settle } = stage
    const reader = await mountAll(stage, [
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    await settle()
    const { data } = stateOf(reader)
    await reader.rerender()
    expect(stateOf(reader).data).toBe(data)
    const { renders } = reader
    controller.set(api.todo.get.schema, { id: 7 }, todoFields(7))
    await settle()
    expect(reader.renders).toBe(renders)
    controller.set(api.todo.get.schema, { id: 6 }, { title: 'new' })
    await settle()
    const after = stateOf(reader).data
    expect(after).toMatchObject([{ id: 5 }, { title: 'new' }])
    expect(after[0]).toBe(data[0])
  },
)

scenario('dle all/members', 'members come and go: only what is new is asked for', async (stage) => {
  const { api, clock, server, settle } = stage
  const reader = await mountAll(stage, [[api.todo.get, { id: 5 }]])
  await settle()
  const [first] = stateOf(reader).data
  clock.advance(61_000)
  await reader.change([
    [api.todo.get, { id: 6 }],
    [api.todo.get, { id: 5 }],
  ])
  await settle()
  expect(stateOf(reader).data).toMatchObject([{ id: 6 }, { id: 5 }])
  expect(stateOf(reader).data[1]).toBe(first)
  expect(server.requests).toEqual([routes[5], routes[6]])
  await reader.change([])
  await settle()
  expect(stateOf(reader)).toMatchObject({ data: [], loading: false, error: undefined })
})

scenario(
  'dle all/invalidation',
  'an invalidated member is loaded again while the others stay, and an unmounted reader asks for nothing',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountAll(stage, [
      [api.todo.get, { id: 5 }],
      [api.todo.get, { id: 6 }],
    ])
    await settle()
    server.hold(routes[6])
    controller.invalidate(api.todo.get, { id: 6 })
    await settle()
    expect(stateOf(reader)).toMatchObject({ data: [{ id: 5 }, undefined], loading: true })
    server.release()
    await settle()
    expect(stateOf(reader)).toMatchObject({ data: [{ id: 5 }, { id: 6 }], loading: false })
    const count = server.requests.length
    await reader.unmount()
    controller.invalidate(api.todo.get, { id: 6 })
    await settle()
    expect(server.requests).toHaveLength(count)
  },
)

import { expect } from 'vitest'
import { todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { listenersOf, scenario, shown, shownError } from '../suite.js'
import type { Stage } from '../suite.js'

const route = 'GET /todo/5'
const isLogged = { isLogged: true } as const

/** Mounts a reader whose boundary shows the error of todo 5. From then on the server would respond with data. */
async function mountFailed({ api, mount, server, settle }: Stage) {
  server.route(route, reply.status(500, {}))
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  shownError(reader)
  server.route(route, todoFields(5))
  return reader
}

scenario.onReact18(
  '7/heal/fetch',
  'a boundary shows the data again when somebody else fetches what failed, without a request',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mountFailed(stage)
    const second = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    shownError(second)
    const fallbacks = reader.fallbacks + second.fallbacks
    server.hold(route)
    const fetched = controller.fetch(api.todo.get, { id: 5 })
    await settle()
    // The error stays until the response arrives.
    shownError(reader)
    server.release()
    const todo = await fetched
    await settle()
    expect(shown(reader)).toBe(todo)
    expect(shown(second)).toBe(todo)
    expect(reader.fallbacks + second.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual([route, route])
  },
  isLogged,
)

scenario.onReact18(
  '7/heal/reset',
  'a boundary shows the data again when another boundary is reset, by one request',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const reader = await mountFailed(stage)
    const other = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    server.hold(route)
    await other.reset()
    await settle()
    // The error was cleared, so both readers wait.
    expect(other.current()).toEqual({ state: 'fallback' })
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(shown(other)).toBe(shown(reader))
    expect(server.requests).toEqual([route, route])
    // The reset button of a removed error has no effect.
    await reader.reset()
    await settle()
    expect(shown(other)).toBe(shown(reader))
    expect(server.requests).toEqual([route, route])
  },
  isLogged,
)

scenario.onReact18(
  '7/heal/fails again',
  'a boundary shows the error of the last fetch, whoever made it, and heals from that one',
  async (stage) => {
    const { api, controller, pass, server, settle } = stage
    const reader = await mountFailed(stage)
    server.route(route, reply.status(503, {}))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 503 })
    await pass(5000)
    expect(shownError(reader)).toMatchObject({ status: 503 })
    server.route(route, todoFields(5))
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, route, route])
  },
  isLogged,
)

scenario.onReact18(
  '7/heal/on screen before',
  'a boundary heals from an error that replaced data, and its reader goes on following',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    server.route(route, reply.status(404, {}))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 404 })
    server.route(route, todoFields(5, { title: 'Back' }))
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Back' })
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Changed' })
    expect(reader.fallbacks).toBeLessThanOrEqual(1)
    expect(server.requests).toEqual([route, route, route])
  },
  isLogged,
)

scenario.onReact18(
  '7/heal/records',
  'a boundary shows a record that arrives with a list, although its own call failed for now',
  async (stage) => {
    const { api, controller, server, settle } = stage
    const reader = await mountFailed(stage)
    const [todo] = await controller.fetch(api.todo.getList)
    await settle()
    expect(shown(reader)).toBe(todo)
    expect(server.requests).toEqual([route, 'GET /todo'])
  },
  isLogged,
)

for (const means of ['invalidate', 'resetAll'] as const) {
  scenario.onReact18(
    `7/heal/${means}`,
    'a boundary whose error is taken back waits for the fetch of its reader',
    async (stage) => {
      const { api, controller, server, settle } = stage
      const reader = await mountFailed(stage)
      server.hold(route)
      if (means === 'invalidate') controller.invalidate(api.todo.get, { id: 5 })
      else controller.resetAll()
      await settle()
      expect(reader.current()).toEqual({ state: 'fallback' })
      server.release()
      await settle()
      expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
      expect(server.requests).toEqual([route, route])
    },
    isLogged,
  )
}

scenario.onReact18(
  '7/heal/other call',
  'a boundary keeps its error while other calls are answered, however much time passes',
  async (stage) => {
    const { api, controller, mount, pass, server, settle } = stage
    const reader = await mountFailed(stage)
    const error = shownError(reader)
    const other = await mount('useSuspense', api.todo.get, { id: 6 })
    await controller.fetch(api.todo.get, { id: 1 })
    await pass(20 * 60_000)
    expect(shown(other)).toMatchObject({ id: 6 })
    expect(shownError(reader)).toBe(error)
    // The call is retained while its error is on screen.
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, 'GET /todo/6', 'GET /todo/1', route])
  },
  isLogged,
)

scenario.everywhere(
  '7/heal/unmount',
  'a boundary that is gone or hidden with its error waits for nothing, and catches up when it is shown',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mountFailed(stage)
    const hidden = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await reader.unmount()
    await hidden.hide()
    await settle()
    expect(listenersOf(controller)).toBe(0)
    await controller.fetch(api.todo.get, { id: 5 })
    await hidden.show()
    await settle()
    expect(shown(hidden)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, route])
  },
  isLogged,
)

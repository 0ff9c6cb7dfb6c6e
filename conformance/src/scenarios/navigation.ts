import { expect } from 'vitest'
import { todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown, shownError } from '../suite.js'
import type { Stage } from '../suite.js'

const route = 'GET /todo/5'
const other = 'GET /todo/6'
const isLogged = { isLogged: true } as const

/** Mounts a reader whose boundary shows that todo 5 is missing. */
async function mountFailed({ api, mount, server, settle }: Stage) {
  server.route(route, reply.status(404, {}))
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  expect(shownError(reader)).toMatchObject({ status: 404 })
  return reader
}

scenario.everywhere(
  '7/navigation',
  'a reader that names another call takes its error with it, and meets it again when it comes back',
  async (stage) => {
    const { server, settle } = stage
    const reader = await mountFailed(stage)
    const error = shownError(reader)
    server.hold(other)
    await reader.change({ id: 6 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 6' })
    await reader.change({ id: 5 })
    await settle()
    expect(shownError(reader)).toBe(error)
    expect(server.requests).toEqual([route, other])
    server.route(route, todoFields(5))
    await reader.reset()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, other, route])
  },
  { ...isLogged, isSlowToo: true },
)

scenario.everywhere(
  '7/navigation/cached',
  'a reader that names a call that is there shows it at once, without a fallback',
  async (stage) => {
    const { api, controller, server, settle } = stage
    await controller.fetch(api.todo.get, { id: 6 })
    const reader = await mountFailed(stage)
    const { fallbacks } = reader
    await reader.change({ id: 6 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 6' })
    expect(reader.fallbacks).toBe(fallbacks)
    expect(server.requests).toEqual([other, route])
  },
  isLogged,
)

scenario.everywhere(
  '7/navigation/reset',
  'a reset asks for what the reader names by now, and not for what failed before',
  async (stage) => {
    const { server, settle } = stage
    const reader = await mountFailed(stage)
    server.route(other, reply.status(500, {}))
    await reader.change({ id: 6 })
    await settle()
    expect(shownError(reader)).toMatchObject({ status: 500 })
    server.route(other, todoFields(6))
    await reader.reset()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 6' })
    expect(server.requests).toEqual([route, other, other])
  },
  isLogged,
)

scenario.everywhere(
  '7/navigation/null',
  'a reader that names nothing any more takes its error with it',
  async (stage) => {
    const { server, settle } = stage
    const reader = await mountFailed(stage)
    await reader.change(null)
    await settle()
    expect(reader.current()).toEqual({ state: 'ready', data: undefined })
    await reader.reset()
    await settle()
    expect(server.requests).toEqual([route])
  },
  isLogged,
)

scenario.everywhere(
  '7/navigation/later',
  'a reader whose error replaced data takes it with it as well',
  async ({ api, controller, mount, server, settle }) => {
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    server.route(route, reply.status(404, {}))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    shownError(reader)
    await reader.change({ id: 6 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 6' })
    expect(server.requests).toEqual([route, route, other])
  },
  isLogged,
)

for (const [means, title] of [
  ['rerender', 'is rendered again'],
  ['tryAgain', 'tries its content again'],
] as const) {
  scenario.everywhere(
    `7/navigation/${means}`,
    `a boundary that ${title} keeps the error of a call that is still named, without a request`,
    async (stage) => {
      const { pass, server, settle } = stage
      const reader = await mountFailed(stage)
      const error = shownError(reader)
      const { fallbacks } = reader
      await reader[means]()
      await settle()
      expect(shownError(reader)).toBe(error)
      // Late enough that a reader that mounts elsewhere would fetch.
      await pass(20 * 60_000)
      await reader[means]()
      await settle()
      expect(shownError(reader)).toBe(error)
      expect(reader.fallbacks).toBe(fallbacks)
      expect(server.requests).toEqual([route])
      server.route(route, todoFields(5))
      await reader.reset()
      await settle()
      expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
      expect(server.requests).toEqual([route, route])
    },
    isLogged,
  )
}

scenario.everywhere(
  '7/outermost',
  'without an AsyncBoundary a failure is counted once by the outermost handler, at first and later on',
  async ({ api, app, controller, server, settle }) => {
    server.route(route, reply.status(404, {}))
    await app.mountBare('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(app.failures).toMatchObject([{ status: 404 }])
    const later = await app.mountBare('useSuspense', api.todo.get, { id: 6 })
    await settle()
    expect(shown(later)).toMatchObject({ title: 'Todo 6' })
    server.route(other, reply.status(410, {}))
    await controller.fetch(api.todo.get, { id: 6 }).catch(() => {})
    await settle()
    expect(app.failures).toMatchObject([{ status: 404 }, { status: 410 }])
    expect(server.requests).toEqual([route, other, other])
  },
  isLogged,
)

scenario.everywhere(
  'F5/without AsyncBoundary',
  'resetAll takes what the last user saw off the screen, and the next data is shown',
  async ({ api, app, controller, server, settle }) => {
    const reader = await app.mountBare('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const before = shown(reader)
    server.route(route, todoFields(5, { title: 'Of another user' }))
    server.hold(route)
    controller.resetAll()
    await settle()
    expect(reader.current()).not.toEqual({ state: 'ready', data: before })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Of another user' })
    expect(app.failures).toEqual([])
    expect(server.requests).toEqual([route, route])
  },
)

import { expect } from 'vitest'
import { todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { listenersOf, retainersOf, scenario, shown } from '../suite.js'

const route = 'GET /todo/5'
const waiting = { data: undefined, loading: true, error: undefined }
const nothing = { data: undefined, loading: false, error: undefined }
const showing = (data: object) => ({
  data: expect.objectContaining(data) as unknown,
  loading: false,
  error: undefined,
})
const failed = (status: number, data?: object) => ({
  data: data === undefined ? undefined : (expect.objectContaining(data) as unknown),
  loading: false,
  error: expect.objectContaining({ status }) as unknown,
})

scenario.everywhere(
  'useDLE/first load',
  'shows that it loads from the first frame on, then data',
  async (stage) => {
    const { api, mount, server, settle } = stage
    server.hold(route)
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    expect(shown(reader)).toEqual(waiting)
    expect(server.requests).toEqual([route])
    await settle()
    // The start of the request renders nothing.
    expect(shown(reader)).toEqual(waiting)
    expect(reader.renders).toBe(1)
    server.release()
    await settle()
    expect(shown(reader)).toEqual(showing({ title: 'Todo 5' }))
    expect(reader.renders).toBe(2)
    expect(reader.fallbacks).toBe(0)
    expect(server.requests).toEqual([route])
  },
)

scenario(
  '3/null/useDLE',
  'null, then arguments, then null: loads between, and not for null',
  async (stage) => {
    const { api, mount, server, settle } = stage
    const reader = await mount('useDLE', api.todo.get, null)
    await settle()
    expect(shown(reader)).toEqual(nothing)
    server.hold(route)
    await reader.change({ id: 5 })
    await settle()
    expect(shown(reader)).toEqual(waiting)
    server.release()
    await settle()
    expect(shown(reader)).toEqual(showing({ id: 5 }))
    await reader.change(null)
    await settle()
    expect(shown(reader)).toEqual(nothing)
    expect(server.requests).toEqual([route])
  },
)

scenario.inChromium(
  '3/table/Valid/useDLE',
  'Valid data is shown in the first frame, without a request',
  async ({ api, controller, mount, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    expect(shown(reader)).toEqual(showing({ id: 5 }))
    await settle()
    expect(reader.renders).toBe(1)
    expect(server.requests).toEqual([route])
  },
)

scenario.inChromium(
  '3/table/Stale/useDLE',
  'Stale data is shown while it is fetched anew, which is not loading',
  async ({ api, controller, mount, pass, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    await pass(60_000)
    server.route(route, todoFields(5, { title: 'Newer' }))
    server.hold(route)
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toEqual(showing({ title: 'Todo 5' }))
    expect(reader.renders).toBe(1)
    expect(server.requests).toEqual([route, route])
    server.release()
    await settle()
    expect(shown(reader)).toEqual(showing({ title: 'Newer' }))
    expect(reader.renders).toBe(2)
    expect(server.requests).toEqual([route, route])
  },
)

scenario.onReact18(
  'useDLE/invalidIfStale',
  'Stale data that counts as Invalid is not shown: it loads',
  async ({ api, controller, mount, pass, server, settle }) => {
    await controller.fetch(api.freshOnly, { id: 5 })
    await pass(60_000)
    server.hold(route)
    const reader = await mount('useDLE', api.freshOnly, { id: 5 })
    await settle()
    expect(shown(reader)).toEqual(waiting)
    server.release()
    await settle()
    expect(shown(reader)).toEqual(showing({ id: 5 }))
  },
)

scenario.onReact18(
  'useDLE/length 0',
  'what is Stale as soon as it is there is fetched once for each mount',
  async ({ api, mount, server, settle }) => {
    const reader = await mount('useDLE', api.shortLived, { id: 5 })
    await settle()
    expect(shown(reader)).toEqual(showing({ id: 5 }))
    await reader.rerender()
    await settle()
    expect(server.requests).toEqual([route])
    await mount('useDLE', api.shortLived, { id: 5 })
    await settle()
    expect(server.requests).toEqual([route, route])
  },
)

scenario.onReact18(
  'useDLE/error',
  'an error is shown instead of data, reaches no boundary and is not loading',
  async ({ api, mount, pass, server, settle }) => {
    server.route(route, reply.status(404, {}))
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toEqual(failed(404))
    await reader.rerender()
    await pass(60_000)
    await reader.rerender()
    expect(shown(reader)).toEqual(failed(404))
    expect(server.requests).toEqual([route])
  },
)

scenario.onReact18(
  'F1/useDLE',
  'an error of a refetch, soft or hard, is shown beside the data, and goes with the next answer',
  async ({ api, controller, mount, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    const data = (shown(reader) as { data: unknown }).data
    for (const status of [500, 404]) {
      server.route(route, reply.status(status, {}))
      controller.expireAll(api.todo.get)
      await settle()
      expect(shown(reader)).toEqual(failed(status, { title: 'Todo 5' }))
      expect((shown(reader) as { data: unknown }).data).toBe(data)
      server.route(route, todoFields(5))
      await controller.fetch(api.todo.get, { id: 5 })
      await settle()
      expect(shown(reader)).toEqual(showing({ title: 'Todo 5' }))
    }
    expect(server.requests).toHaveLength(5)
  },
)

scenario.onReact18(
  'F2/useDLE',
  'an error is shown again within errorExpiryLength, fetched again after it',
  async (stage) => {
    const { api, mount, pass, server, settle } = stage
    server.route(route, reply.status(500, {}))
    const first = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    await pass(999)
    const second = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    expect(shown(second)).toEqual(failed(500))
    expect(server.requests).toEqual([route])
    await pass(1)
    server.route(route, todoFields(5))
    server.hold(route)
    const third = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    // Mounted readers keep the error on screen; a reader that mounts now waits.
    expect([first, second, third].map(shown)).toEqual([failed(500), failed(500), waiting])
    server.release()
    await settle()
    for (const reader of [first, second, third]) expect(shown(reader)).toEqual(showing({ id: 5 }))
    expect(server.requests).toEqual([route, route])
  },
)

scenario.onReact18(
  'F2/one error object',
  'a call that fails again with the same error object is shown as failed, and not asked without end',
  async ({ api, mount, pass, settle }) => {
    const offline = new Error('offline')
    let requests = 0
    const get = api.todo.get.extend({
      fetchResponse() {
        requests++
        return Promise.reject(offline)
      },
    })
    const first = await mount('useDLE', get, { id: 5 })
    await settle()
    await pass(1000)
    const second = await mount('useDLE', get, { id: 5 })
    const third = await mount('useSuspense', get, { id: 5 })
    await settle()
    const error = (shown(first) as { error: unknown }).error
    expect(shown(second)).toEqual({ data: undefined, loading: false, error })
    expect(third.current()).toEqual({ state: 'error', error })
    expect(requests).toBe(2)
  },
  { isLogged: true },
)

scenario.onReact18(
  'F24/useDLE',
  'invalidate takes the error back and loads anew; no render does',
  async ({ api, controller, mount, server, settle }) => {
    server.route(route, reply.status(500, {}))
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    server.route(route, todoFields(5))
    server.hold(route)
    await reader.rerender()
    expect(server.requests).toEqual([route])
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toEqual(waiting)
    server.release()
    await settle()
    expect(shown(reader)).toEqual(showing({ id: 5 }))
    expect(server.requests).toEqual([route, route])
  },
)

scenario.onReact18(
  'useDLE/invalidate',
  'a call that turns Invalid loads anew, also while its request is under way (F3)',
  async ({ api, controller, mount, server, settle }) => {
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    server.hold(route)
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toEqual(waiting)
    expect(server.requests).toEqual([route, route])
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    server.release()
    await settle()
    expect(shown(reader)).toEqual(showing({ id: 5 }))
    expect(server.requests).toEqual([route, route, route])
  },
)

scenario(
  'S12/useDLE',
  'a record that is deleted loads anew, and the answer of the server is shown',
  async ({ api, controller, mount, server, settle }) => {
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    server.route(route, reply.status(404, {}))
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    expect(shown(reader)).toEqual(failed(404))
    expect(server.requests).toEqual([route, 'DELETE /todo/5', route])
  },
)

scenario(
  'useDLE/deleted meanwhile',
  'a record that is deleted while it is fetched is asked for again rather than awaited for ever',
  async ({ api, controller, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    await controller.fetch(api.todo.delete, { id: 5 })
    server.route(route, reply.status(404, {}))
    server.release()
    await settle()
    expect(shown(reader)).toEqual(failed(404))
    expect(server.requests).toEqual([route, 'DELETE /todo/5', route])
  },
)

scenario.everywhere(
  'B3/useDLE',
  'what answers the first arguments is never shown under the second',
  async ({ api, mount, server, settle }) => {
    server.hold(route)
    server.hold('GET /todo/6')
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await reader.change({ id: 6 })
    await settle()
    expect(shown(reader)).toEqual(waiting)
    server.release(route)
    await settle()
    expect(shown(reader)).toEqual(waiting)
    server.release('GET /todo/6')
    await settle()
    expect(shown(reader)).toEqual(showing({ id: 6 }))
    server.route('GET /todo/1', reply.status(404, {}))
    server.hold('GET /todo/1')
    await reader.change({ id: 1 })
    expect(shown(reader)).toEqual(waiting)
    server.release('GET /todo/1')
    await settle()
    expect(shown(reader)).toEqual(failed(404))
    await reader.change({ id: 6 })
    expect(shown(reader)).toEqual(showing({ id: 6 }))
  },
)

scenario('B1/useDLE', 'a render with equal arguments makes no request and changes nothing', async (stage) => {
  const { api, mount, pass, server, settle } = stage
  const reader = await mount('useDLE', api.todo.get, { id: 5 })
  await settle()
  const before = (shown(reader) as { data: unknown }).data
  await pass(60_000)
  await reader.rerender()
  await settle()
  expect((shown(reader) as { data: unknown }).data).toBe(before)
  expect(server.requests).toEqual([route])
})

scenario(
  'G2/useDLE',
  'a change of what it shows is shown, any other wakes nobody',
  async ({ api, controller, mount, settle }) => {
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    const { renders } = reader
    await controller.fetch(api.todo.get, { id: 6 })
    await controller.fetch(api.todo.get, { id: 5 })
    await controller.fetch(api.user.get, { id: 1 })
    await settle()
    expect(reader.renders).toBe(renders)
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(shown(reader)).toEqual(showing({ title: 'Changed' }))
    expect(reader.renders).toBe(renders + 1)
  },
)

scenario.everywhere('F18/useDLE', 'a reset drops what was shown at once, and loads anew', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const reader = await mount('useDLE', api.todo.get, { id: 5 })
  await settle()
  server.hold(route)
  controller.resetAll()
  await settle()
  expect(shown(reader)).toEqual(waiting)
  server.release()
  await settle()
  expect(shown(reader)).toEqual(showing({ id: 5 }))
  expect(server.requests).toEqual([route, route])
})

scenario.everywhere(
  'B9/useDLE',
  'hidden it keeps nothing; shown again it fetches what is Stale by then',
  async (stage) => {
    const { api, controller, mount, pass, server, settle } = stage
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    await reader.hide()
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
    await pass(60_000)
    expect(server.requests).toEqual([route])
    server.route(route, todoFields(5, { title: 'Newer' }))
    await reader.show()
    await settle()
    expect(shown(reader)).toEqual(showing({ title: 'Newer' }))
    expect(server.requests).toEqual([route, route])
  },
)

scenario.everywhere(
  'F16/useDLE',
  'a first load is aborted when the only reader leaves, and made anew',
  async (stage) => {
    const { api, mount, server, settle } = stage
    server.hold(route)
    const first = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    await first.unmount()
    await settle()
    expect(server.aborted).toEqual([route])
    const second = await mount('useDLE', api.todo.get, { id: 5 })
    server.release()
    await settle()
    expect(shown(second)).toEqual(showing({ id: 5 }))
    expect(server.requests).toEqual([route, route])
  },
)

scenario('useDLE/shared', 'shares its request and its data with other hooks of the call', async (stage) => {
  const { api, mount, server, settle } = stage
  const reader = await mount('useDLE', api.todo.get, { id: 5 })
  const other = await mount('useSuspense', api.todo.get, { id: 5 })
  const cached = await mount('useCache', api.todo.get, { id: 5 })
  await settle()
  const { data } = shown(reader) as { data: unknown }
  expect([shown(other), shown(cached)]).toEqual([data, data])
  expect(shown(other)).toBe(data)
  expect(server.requests).toEqual([route])
})

scenario(
  'useDLE/no schema',
  'an answer of undefined is an answer: it does not load any more',
  async ({ api, mount, settle }) => {
    const get = api.todo.get.extend({ schema: undefined, process: () => undefined })
    const reader = await mount('useDLE', get, { id: 5 })
    await settle()
    expect(shown(reader)).toEqual(nothing)
  },
)

scenario.onReact18(
  'B2/useDLE',
  'another endpoint is followed while mounted',
  async ({ api, mount, server, settle }) => {
    const reader = await mount('useDLE', api.todo.get, { id: 5 })
    await settle()
    await reader.changeEndpoint(api.user.get, { id: 1 })
    await settle()
    expect(shown(reader)).toEqual(showing({ name: 'User 1' }))
    expect(server.requests).toEqual([route, 'GET /user/1'])
  },
)

import type { FetchContext } from '@selfsame/core'
import { Endpoint, debounced } from '@selfsame/core'
import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import { scenario, shown } from '../suite.js'
import { optimistic } from '@selfsame/core/optimistic'

const route = 'GET /todo/5'
const other = 'GET /todo/6'

for (const hook of ['useSuspense', 'useFetch', 'useDLE'] as const) {
  scenario.everywhere(
    `F16/abort/${hook}`,
    'a read is aborted when its last reader left, and a new reader starts a new one',
    async ({ api, controller, clock, mount, server, settle }) => {
      await controller.fetch(api.todo.get, { id: 5 })
      clock.advance(60_000)
      server.hold(route)
      // Stale data is shown during the refetch.
      const first = await mount(hook, api.todo.get, { id: 5 })
      const second = await mount(hook, api.todo.get, { id: 5 })
      await settle()
      await first.unmount()
      await settle()
      expect(server.aborted).toEqual([])
      await second.unmount()
      await settle()
      expect(server.aborted).toEqual([route])
      expect(controller.read(api.todo.get, { id: 5 })).toMatchObject({ fetching: false, error: undefined })
      server.route(route, todoFields(5, { title: 'Newer' }))
      server.release()
      const third = await mount(hook, api.todo.get, { id: 5 })
      await settle()
      expect(controller.get(Todo, { id: 5 })).toMatchObject({ title: 'Newer' })
      await third.unmount()
      await settle()
      expect(server.aborted).toEqual([route])
      expect(server.requests).toEqual([route, route, route])
    },
  )
}

scenario.everywhere(
  'F16/abort/first load',
  'a read that nothing was shown of is aborted when its last reader left',
  async ({ api, controller, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    await reader.unmount()
    await settle()
    expect(server.aborted).toEqual([route])
    expect(controller.read(api.todo.get, { id: 5 })).toMatchObject({ fetching: false, error: undefined })
    const next = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(next.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(next)).toMatchObject({ id: 5 })
    expect(server.requests).toEqual([route, route])
  },
)

scenario.everywhere(
  'F16/abort/Controller',
  'a promise that the Controller gave is answered, whoever else leaves',
  async ({ api, controller, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useFetch', api.todo.get, { id: 5 })
    const fetched = controller.fetch(api.todo.get, { id: 5 })
    await settle()
    await reader.unmount()
    await settle()
    expect(server.aborted).toEqual([])
    server.release()
    expect(await fetched).toMatchObject({ id: 5 })
    expect(server.requests).toEqual([route])
  },
)

scenario.everywhere(
  'F16/abort/useCache',
  'a reader that shows what another fetches keeps the request',
  async ({ api, mount, server, settle }) => {
    server.hold(route)
    const cached = await mount('useCache', api.todo.get, { id: 5 })
    const fetching = await mount('useFetch', api.todo.get, { id: 5 })
    await settle()
    await fetching.unmount()
    await settle()
    expect(server.aborted).toEqual([])
    server.release()
    await settle()
    expect(shown(cached)).toMatchObject({ id: 5 })
    expect(server.requests).toEqual([route])
  },
)

scenario.everywhere(
  'F16/abort/hidden',
  'a hidden subtree keeps no request under way, and asks again when it is shown',
  async ({ api, clock, controller, mount, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    clock.advance(60_000)
    server.hold(route)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await reader.hide()
    await settle()
    expect(server.aborted).toEqual([route])
    expect(server.requests).toEqual([route, route])
    server.route(route, todoFields(5, { title: 'Newer' }))
    server.release()
    await reader.show()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Newer' })
    expect(server.requests).toEqual([route, route, route])
  },
)

scenario.everywhere(
  'B3/abort',
  'changed arguments abort the request for those before, whose answer is never shown',
  async ({ api, mount, server, settle }) => {
    const reader = await mount('useSuspense', api.todo.get, { id: 1 })
    await settle()
    server.hold(route, other)
    await reader.change({ id: 5 })
    await settle()
    await reader.change({ id: 6 })
    await settle()
    expect(server.aborted).toEqual([route])
    server.release(route)
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ id: 6 })
    expect(server.requests).toEqual(['GET /todo/1', route, other])
  },
)

scenario.everywhere(
  'B3/abort/useFetch',
  'changed arguments of useFetch abort the request for those before',
  async ({ api, mount, server, settle }) => {
    server.hold(route, other)
    const reader = await mount('useFetch', api.todo.get, { id: 5 })
    await settle()
    await reader.change({ id: 6 })
    await settle()
    expect(server.aborted).toEqual([route])
    await reader.change(null)
    await settle()
    expect(server.aborted).toEqual([route, other])
    expect(server.requests).toEqual([route, other])
  },
)

scenario.everywhere(
  'E10/abort',
  'a reader whose request was aborted by its endpoint waits, and neither fails nor asks without end',
  async ({ api, controller, mount, server, settle }) => {
    const abort = new AbortController()
    server.hold(route)
    const endpoint = api.todo.get.extend({ signal: abort.signal })
    const reader = await mount('useSuspense', endpoint, { id: 5 })
    await settle()
    abort.abort()
    await settle()
    expect(reader.current()).toEqual({ state: 'fallback' })
    expect(server.aborted).toEqual([route])
    expect(controller.read(endpoint, { id: 5 }).error).toBeUndefined()
    server.release()
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ id: 5 })
    expect(server.requests).toEqual([route, route])
  },
)

for (const way of ['another reader', 'another signal'] as const) {
  scenario.everywhere(
    `E10/abort/${way}`,
    'after an abort by the signal of an endpoint, readers of other endpoints ask at once',
    async ({ api, mount, server, settle }) => {
      const abort = new AbortController()
      server.hold(route)
      const reader = await mount('useSuspense', api.todo.get.extend({ signal: abort.signal }), { id: 5 })
      await settle()
      abort.abort()
      await settle()
      expect(server.aborted).toEqual([route])
      server.release()
      if (way === 'another reader') {
        await reader.unmount()
        const next = await mount('useSuspense', api.todo.get, { id: 5 })
        await settle()
        expect(shown(next)).toMatchObject({ id: 5 })
      } else {
        const { signal } = new AbortController()
        await reader.changeEndpoint(api.todo.get.extend({ signal }), { id: 5 })
        await settle()
        expect(shown(reader)).toMatchObject({ id: 5 })
      }
      expect(server.requests).toEqual([route, route])
    },
  )
}

scenario.everywhere(
  'E10/abort/unheard',
  'an answer to what the endpoint aborted is not shown, though its transport did not listen',
  async ({ api, controller, mount, server, settle }) => {
    const abort = new AbortController()
    const unheard = (name: string) => new Endpoint(() => server.call(name), { name, schema: Todo })
    server.route('rename 5', todoFields(5, { title: 'Renamed' }))
    server.route('look up 6', todoFields(6))
    server.hold('rename 5', 'look up 6')
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    const lookUp = unheard('look up 6').extend({ signal: abort.signal })
    const waiting = await mount('useSuspense', lookUp)
    await settle()
    const renamed = controller.fetch(
      unheard('rename 5').extend({
        signal: abort.signal,
        sideEffect: true,
        getOptimisticResponse: optimistic(() => todoFields(5, { title: 'Expected' })),
      }),
    )
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Expected' })
    abort.abort()
    server.release()
    await expect(renamed).rejects.toMatchObject({ name: 'AbortError' })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(waiting.current()).toEqual({ state: 'fallback' })
    await controller.fetch(lookUp.extend({ signal: undefined }))
    await settle()
    expect(shown(waiting)).toMatchObject({ id: 6 })
    expect(server.requests).toEqual([route, 'look up 6', 'rename 5', 'look up 6'])
  },
)

scenario.everywhere(
  'F16/abort/Endpoint',
  'a fetch function of any kind is told by this.signal',
  async ({ mount, server, settle }) => {
    const greet = new Endpoint(
      function greet(this: FetchContext, { id }: { id: number }) {
        return server.call(`greet ${id}`, undefined, this.signal)
      },
      { schema: { greeting: '', todo: Todo } },
    )
    server.hold('greet 5')
    const reader = await mount('useFetch', greet, { id: 5 })
    await settle()
    await reader.unmount()
    await settle()
    expect(server.aborted).toEqual(['greet 5'])
  },
)

scenario.everywhere(
  'B3/debounced',
  'of arguments that change quickly only the last are asked for',
  async ({ api, clock, mount, pass, server, settle }) => {
    const slow = debounced(api.todo.get, { delayMs: 300, clock })
    const reader = await mount('useFetch', slow, { id: 1 })
    const cached = await mount('useCache', slow, { id: 6 })
    await settle()
    for (const id of [5, 6]) {
      await pass(200)
      await reader.change({ id })
      await settle()
    }
    await pass(299)
    expect(server.requests).toEqual([])
    await pass(1)
    expect(shown(cached)).toMatchObject({ id: 6 })
    await pass(1000)
    expect(server.requests).toEqual([other])
  },
)

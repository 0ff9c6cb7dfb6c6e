// @vitest-environment node
import { callsOf } from '@selfsame/core/bindings'
import { listenersOf, reply, retainersOf } from '@selfsame/conformance'
import type { Controller } from '@selfsame/core'
import { computed, createSSRApp, defineComponent, h, onServerPrefetch, ref } from 'vue'
import type { Component } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { expect, test, vi } from 'vitest'
import { createStage, watchConsole } from '../test-support.js'
import {
  AsyncBoundary,
  dataPlugin,
  useCache,
  useDLE,
  useFetch,
  useLive,
  useProgress,
  useQuery,
  useSubscription,
  useSuspense,
} from './index.js'

watchConsole()

const slots = { fallback: () => 'Loading', error: ({ error }: { error: Error }) => error.message }

async function render(stage: ReturnType<typeof createStage>, content: Component): Promise<string> {
  const app = createSSRApp(() => h(AsyncBoundary, null, { ...slots, default: () => h(content) }))
  return renderToString(app.use(dataPlugin, { controller: stage.controller }))
}

test('async setup waits, and what was fetched is rendered', async () => {
  const stage = createStage()
  const { api, server } = stage
  const Child = defineComponent({
    async setup() {
      const todo = await useSuspense(api.todo.get, { id: 5 })
      const cached = useSomething()
      return () => h('p', `${todo.value.title}, ${cached}`)
    },
  })
  const useSomething = () => 'after the await'
  const id = ref(1)
  const Page = defineComponent({
    async setup() {
      useFetch(api.todo.get, { id: 5 })
      const user = await useSuspense(api.user.get, () => ({ id: id.value }))
      return () => [h('h1', user.value.name), h(Child)]
    },
  })
  const html = await render(stage, Page)
  expect(html.replaceAll(/<!--.*?-->/g, '')).toBe(
    '<div style="display:contents;"><h1>User 1</h1><p>Todo 5, after the await</p></div>',
  )
  expect(server.requests).toEqual(['GET /todo/5', 'GET /user/1'])
})

test('nothing is listened to, kept or left over', async () => {
  const stage = createStage()
  const { api, clock, controller } = stage
  const Page = defineComponent({
    async setup() {
      const todo = await useSuspense(api.todo.get, { id: 5 })
      return () => todo.value.title
    },
  })
  const Cached = defineComponent({
    setup() {
      const todo = useCache(api.todo.get, { id: 5 })
      return () => [todo.value?.title, h(Page)]
    },
  })
  await render(stage, Cached)
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
  clock.advance(3_600_000)
  clock.advance(3_600_000)
  expect(callsOf(controller).store.results.size).toBe(0)
})

test('an argument may come from what was read before', async () => {
  const stage = createStage()
  const { api } = stage
  const Page = defineComponent({
    setup() {
      const user = useCache(api.user.get, { id: 1 })
      const todo = useSuspense(api.todo.get, () => (user.value === undefined ? null : { id: user.value.id }))
      return todo.then((found) => () => found.value?.title ?? 'nothing') as Promise<() => string>
    },
  })
  await stage.controller.fetch(api.user.get, { id: 1 })
  expect(await render(stage, Page)).toContain('Todo 1')
})

test('a request that is given up is made again, and waited for', async () => {
  const stage = createStage()
  const { api, controller, server } = stage
  server.hold('GET /todo/5')
  const Page = defineComponent({
    async setup() {
      const todo = await useSuspense(api.todo.get, { id: 5 })
      return () => todo.value.title
    },
  })
  const html = render(stage, Page)
  await vi.waitFor(() => expect(server.waiting).toBe(1))
  controller.resetAll()
  server.release()
  expect(await html).toContain('Todo 5')
  expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/5'])
})

test('an error leaves its component out, and the rest of the page is rendered', async () => {
  const stage = createStage()
  const { api, server } = stage
  server.route('GET /todo/5', reply.status(500))
  const Broken = defineComponent({
    async setup() {
      const todo = await useSuspense(api.todo.get, { id: 5 })
      return () => todo.value.title
    },
  })
  const Page = defineComponent({ render: () => [h('h1', 'Title'), h(Broken)] })
  expect(await render(stage, Page)).toContain('<h1>Title</h1>')
})

test('composables that wait for nothing show what is there, and ask for nothing', async () => {
  const stage = createStage()
  const { api, clock, controller, server } = stage
  const Page = defineComponent({
    setup() {
      const { data, loading } = useDLE(api.todo.get, { id: 5 })
      const user = useQuery(api.user.get.schema, { id: 1 })
      return () => `${data.value?.title} ${loading.value} ${user.value?.name}`
    },
  })
  await controller.fetch(api.user.get, { id: 1 })
  expect(await render(stage, Page)).toContain('undefined true User 1')
  expect(server.requests).toEqual(['GET /user/1'])
  await controller.fetch(api.todo.get, { id: 5 })
  expect(await render(stage, Page)).toContain('Todo 5 false User 1')
  clock.advance(120_000)
  const timers = clock.timers
  expect(await render(stage, Page)).toContain('Todo 5 false User 1')
  expect(server.requests).toEqual(['GET /user/1', 'GET /todo/5'])
  expect([listenersOf(controller), retainersOf(controller), clock.timers]).toEqual([0, 0, timers])
})

test('onServerPrefetch waits for what it is given: a fetch, a promise of useFetch, a handle', async () => {
  const stage = createStage()
  const { api, server } = stage
  const waits: ((setup: { controller: Controller }) => () => unknown)[] = [
    ({ controller }) =>
      () =>
        controller.fetchIfStale(api.todo.get, { id: 5 }),
    () => {
      const todo = useFetch(api.todo.get, { id: 5 })
      return () => todo.value
    },
    () => {
      const todo = useSuspense(api.todo.get, { id: 5 })
      return () => todo
    },
  ]
  for (const wait of waits) {
    const { controller } = createStage()
    const Page = defineComponent({
      setup() {
        const cached = useCache(api.todo.get, { id: 5 })
        const { state, data } = useDLE(api.todo.get, { id: 5 })
        const title = computed(() => data.value?.title)
        const before = `${cached.value?.title} ${state.value.loading} ${title.value}`
        onServerPrefetch(wait({ controller }))
        return () => `${before}, then ${cached.value?.title} ${state.value.loading} ${title.value}`
      },
    })
    const html = await render({ ...stage, controller }, Page)
    expect(html).toContain('undefined true undefined, then Todo 5 false Todo 5')
    expect(server.requests.splice(0)).toEqual(['GET /todo/5'])
  }
})

test('useSubscription does nothing', async () => {
  const stage = createStage()
  const { api, clock, controller, server } = stage
  const Page = defineComponent({
    setup() {
      useSubscription(api.todo.get.extend({ pollFrequency: 5000 }), { id: 5 })
      return () => 'subscribed'
    },
  })
  expect(await render(stage, Page)).toContain('subscribed')
  expect([listenersOf(controller), retainersOf(controller), clock.timers]).toEqual([0, 0, 0])
  expect(server.requests).toEqual([])
})

const waiting = { useFetch, useLive, useSuspense }
const others = { useCache, useDLE, useProgress, useQuery, useSubscription }
for (const [name, composable] of Object.entries({ ...waiting, ...others })) {
  const isAsking = name in waiting
  test(`${name} starts ${isAsking ? 'one request' : 'nothing'}, and leaves nothing`, async () => {
    const stage = createStage()
    const { api, clock, controller, server } = stage
    const { get } = api.todo
    const target = name === 'useQuery' ? get.schema : get.extend({ pollFrequency: 5000 })
    const use = composable as (target: unknown, params: object) => unknown
    const Page = defineComponent({
      setup() {
        use(target, { id: 5 })
        return () => 'shown'
      },
    })
    expect(await render(stage, Page)).toContain('shown')
    expect(server.requests).toEqual(isAsking ? ['GET /todo/5'] : [])
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
    controller.dispose()
    clock.advance(0)
    expect(clock.timers).toBe(0)
  })
}

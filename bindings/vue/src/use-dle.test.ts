import { reply } from '@selfsame/conformance'
import { defineComponent, h, isProxy, nextTick, ref, watch } from 'vue'
import { expect, test } from 'vitest'
import { createStage, mountPage, settle, watchConsole } from '../test-support.js'
import { useDLE } from './index.js'

watchConsole()

const route = 'GET /todo/5'

/** Mounts a component that calls useDLE, and records what it rendered. */
async function mountReader(fields: object = { id: 5 }) {
  const stage = createStage()
  const { api, controller, server } = stage
  const params = ref(fields)
  const rendered: unknown[] = []
  const changes: string[] = []
  let isDeep = false
  server.hold(route)
  const Reader = defineComponent({
    setup() {
      const { data, loading, error } = useDLE(api.todo.get, () => params.value as { id: number })
      watch(data, () => changes.push('data'))
      watch(loading, () => changes.push('loading'))
      watch(error, () => changes.push('error'))
      return () => {
        isDeep ||= isProxy(data.value)
        rendered.push([data.value?.title, loading.value, error.value !== undefined])
        return data.value?.title ?? '…'
      }
    },
  })
  const page = await mountPage(controller, () => h(Reader))
  return { ...stage, page, params, rendered, changes, isDeep: () => isDeep }
}

test('gives refs that can be taken apart; no render shows less than that it loads', async () => {
  const { api, controller, page, rendered, server, isDeep } = await mountReader()
  expect(page.text()).toBe('…')
  server.release()
  await settle()
  server.route(route, reply.status(500))
  controller.invalidate(api.todo.get, { id: 5 })
  await settle()
  expect(rendered).toEqual([
    [undefined, true, false],
    ['Todo 5', false, false],
    [undefined, true, false],
    [undefined, false, true],
  ])
  expect(isDeep()).toBe(false)
})

test('each ref changes only with what it stands for', async () => {
  const { api, controller, changes, server } = await mountReader()
  server.release()
  await settle()
  expect(changes).toEqual(['data', 'loading'])
  controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
  await settle()
  expect(changes).toEqual(['data', 'loading', 'data'])
  server.route(route, reply.status(500))
  controller.expireAll(api.todo.get)
  await settle()
  expect(changes).toEqual(['data', 'loading', 'data', 'error'])
})

test('gives all three as one object as well, the same until one of them changes', async () => {
  const { api, controller, server } = createStage()
  server.hold(route)
  const states: unknown[] = []
  const Reader = defineComponent({
    setup() {
      const { state } = useDLE(api.todo.get, { id: 5 })
      watch(state, (now) => states.push(now), { immediate: true })
      return () => (state.value.loading ? '…' : state.value.data?.title)
    },
  })
  const page = await mountPage(controller, () => h(Reader))
  server.release()
  await settle()
  await controller.fetch(api.todo.get, { id: 5 })
  await settle()
  expect(page.text()).toBe('Todo 5')
  const data = controller.get(api.todo.get.schema, { id: 5 })
  expect(states).toEqual([
    { data: undefined, loading: true, error: undefined, isLast: false },
    { data, loading: false, error: undefined, isLast: false },
  ])
  expect(isProxy(states[1])).toBe(false)
})

test('loads from the flush on in which its arguments changed', async () => {
  const { page, params, rendered, server } = await mountReader()
  server.release()
  await settle()
  server.hold('GET /todo/6')
  params.value = { id: 6 }
  await nextTick()
  expect(page.text()).toBe('…')
  expect(rendered.at(-1)).toEqual([undefined, true, false])
  server.release()
  await settle()
  expect(page.text()).toBe('Todo 6')
  expect(server.requests).toEqual([route, 'GET /todo/6'])
})

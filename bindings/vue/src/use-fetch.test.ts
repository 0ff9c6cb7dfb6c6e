import { KeepAlive, computed, defineComponent, h, isProxy, ref } from 'vue'
import type { Ref } from 'vue'
import { expect, test } from 'vitest'
import { createStage, mountPage, settle, watchConsole } from '../test-support.js'
import { useFetch } from './index.js'

watchConsole()

/** Mounts a component that calls useFetch, and returns its result. */
async function mountFetcher() {
  const stage = createStage()
  const id = ref<number | null>(5)
  const isShown = ref(true)
  let promise: Readonly<Ref<Promise<unknown> | undefined>> | undefined
  const Fetcher = defineComponent({
    setup() {
      const { api } = stage
      const params = computed(() => (id.value === null ? null : { id: id.value }))
      promise = useFetch(api.todo.get, params)
      return () => ''
    },
  })
  await mountPage(stage.controller, () => h(KeepAlive, () => (isShown.value ? h(Fetcher) : undefined)))
  return { ...stage, id, isShown, promise: () => promise?.value }
}

test('gives a ref of the promise, which keeps it until there is another', async () => {
  const { id, promise, server } = await mountFetcher()
  const first = promise()
  expect(isProxy(first)).toBe(false)
  expect(await first).toMatchObject({ id: 5 })
  await settle()
  expect(promise()).toBe(first)
  id.value = 6
  await settle()
  expect(await promise()).toMatchObject({ id: 6 })
  id.value = 5
  await settle()
  expect(await promise()).toBe(await first)
  id.value = null
  await settle()
  expect(promise()).toBeUndefined()
  expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/6'])
})

test('shown again by KeepAlive, it fetches what is Stale', async () => {
  const { clock, isShown, server } = await mountFetcher()
  isShown.value = false
  await settle()
  clock.advance(60_000)
  await settle()
  expect(server.requests).toEqual(['GET /todo/5'])
  isShown.value = true
  await settle()
  expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/5'])
})

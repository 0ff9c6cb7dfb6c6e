import { hookifyResource } from '@selfsame/core/rest'
import type { ServerRequest } from '@selfsame/conformance'
import { computed, defineComponent, h, inject, provide, reactive, ref } from 'vue'
import type { ComputedRef } from 'vue'
import { expect, test } from 'vitest'
import { createStage, mountPage, settle, watchConsole } from '../test-support.js'
import { AsyncBoundary, useSuspense } from './index.js'

watchConsole()

const route = 'GET /todo/5'
type Init = ComputedRef<{ headers: { 'Access-Token': string } }>

test('an endpoint of a hook sends what an injected ref holds when the request is made', async () => {
  const { api, controller, server } = createStage()
  server.route(route, ({ headers }: ServerRequest) => ({ id: 5, title: `of ${headers.get('Access-Token')}` }))
  const token = ref('ada')
  const { useGet } = hookifyResource(api.todo, () => inject<Init>('init'))
  const endpoints: unknown[] = []
  const Title = defineComponent({
    async setup() {
      const get = useGet()
      endpoints.push(get)
      const todo = await useSuspense(get, { id: 5 })
      return () => todo.value.title
    },
  })
  const Provider = defineComponent({
    setup() {
      provide<Init>(
        'init',
        computed(() => ({ headers: { 'Access-Token': token.value } })),
      )
      return () => h(AsyncBoundary, null, { default: () => [h(Title), ', ', h(Title)] })
    },
  })
  const page = await mountPage(controller, () => h(Provider))
  await settle()
  expect(page.text()).toBe('of ada, of ada')
  expect(new Set(endpoints).size).toBe(1)
  token.value = 'ben'
  await settle()
  expect(server.requests).toEqual([route])
  controller.resetAll()
  await settle()
  expect(page.text()).toBe('of ben, of ben')
  expect(server.requests).toEqual([route, route])
})

test('a reactive object is read when the request is made', async () => {
  const { api, controller, server } = createStage()
  let sent: string | null = null
  server.route(route, ({ headers }: ServerRequest) => {
    sent = headers.get('Access-Token')
    return { id: 5 }
  })
  const init = reactive({ headers: { 'Access-Token': 'ada' } })
  const get = hookifyResource(api.todo, () => init).useGet()
  init.headers['Access-Token'] = 'ben'
  await controller.fetch(get, { id: 5 })
  expect(sent).toBe('ben')
})

import { listenersOf, retainersOf, reply } from '@selfsame/conformance'
import { StrictMode, Suspense, use } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { actAlone, createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { DataProvider, useCache, useFetch } from './index.js'

const route = 'GET /todo/5'
let stage: ReturnType<typeof createStage>

beforeEach(() => {
  stage = createStage()
  forbidConsole()
})

test('gives one promise for one fetch, which can be passed to use()', async () => {
  const { api, controller, server } = stage
  const promises = new Set<unknown>()
  function Title({ promise }: { readonly promise: Promise<{ title: string }> | undefined }) {
    return promise === undefined ? 'none' : use(promise).title
  }
  function Owner() {
    const promise = useFetch(api.todo.get, { id: 5 })
    promises.add(promise)
    return (
      <Suspense fallback="…">
        <Title promise={promise} />
      </Suspense>
    )
  }
  const app = () => (
    <StrictMode>
      <DataProvider controller={controller}>
        <Owner />
      </DataProvider>
    </StrictMode>
  )
  const page = await openPage(app())
  await settle()
  await page.render(app())
  expect(page.text).toBe('Todo 5')
  expect(server.requests).toEqual([route])
  expect(promises.size).toBe(1)
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([1, 1])
})

test('renders once for a fetch, and again only when its call is invalidated', async () => {
  const { api, controller, server } = stage
  let renders = 0
  function Owner() {
    renders++
    return String(useFetch(api.todo.get, { id: 5 }) !== undefined)
  }
  const page = await openPage(
    <DataProvider controller={controller}>
      <Owner />
    </DataProvider>,
  )
  await settle()
  expect(renders).toBe(1)
  await actAlone(() => controller.invalidate(api.todo.get, { id: 5 }))
  await settle()
  expect(page.text).toBe('true')
  expect(renders).toBe(2)
  expect(server.requests).toEqual([route, route])
})

test('asks again when its call is invalidated on the way, or after it failed', async () => {
  const { api, controller, server } = stage
  function Owner() {
    return String(useFetch(api.todo.get, { id: 5 }) !== undefined)
  }
  server.route(route, reply.status(500))
  await openPage(
    <DataProvider controller={controller}>
      <Owner />
    </DataProvider>,
  )
  controller.invalidate(api.todo.get, { id: 5 })
  await settle()
  expect(server.requests).toEqual([route, route])
  controller.invalidate(api.todo.get, { id: 5 })
  await settle()
  expect(server.requests).toEqual([route, route, route])
})

test('useCache beside it shows data that was Invalid by its age once the same answer has come', async () => {
  const { api, clock, controller } = stage
  await controller.fetch(api.freshOnly, { id: 5 })
  clock.advance(60_000)
  function Cached() {
    return useCache(api.freshOnly, { id: 5 })?.title ?? 'none'
  }
  const page = await openPage(
    <DataProvider controller={controller}>
      <Cached />
    </DataProvider>,
  )
  expect(page.text).toBe('none')
  await actAlone(() => controller.fetch(api.freshOnly, { id: 5 }))
  await settle()
  expect(page.text).toBe('Todo 5')
})

import { listenersOf, retainersOf, reply } from '@selfsame/conformance'
import { StrictMode, Suspense, startTransition, use, useState } from 'react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { actAlone, click, createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useCache, useFetch, useSuspense } from './index.js'

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

test('renders once for a fetch, and again when its call is invalidated or its data changes', async () => {
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
  await actAlone(() => controller.set(api.todo.get.schema, { id: 5 }, { title: 'Newer' }))
  expect(renders).toBe(3)
})

for (const mode of ['', ' in StrictMode']) {
  const open = (node: ReactNode) => openPage(mode === '' ? node : <StrictMode>{node}</StrictMode>)

  test(`use(useFetch()) shows the data after it suspended, and follows it${mode}`, async () => {
    const { api, controller, server } = stage
    function Both() {
      const todo = useFetch(api.todo.get, { id: 5 })
      const other = useFetch(api.todo.get, { id: 6 })
      const [first, second] = [use(todo), use(other)]
      return `${first.title}, ${second.title}, ${useSuspense(api.todo.get, { id: 5 }) === first}`
    }
    server.hold(route)
    const page = await open(
      <DataProvider controller={controller}>
        <Suspense fallback="…">
          <Both />
        </Suspense>
      </DataProvider>,
    )
    await settle()
    expect(page.text).toBe('…')
    expect(server.requests).toEqual([route, 'GET /todo/6'])
    server.release()
    await settle()
    expect(page.text).toBe('Todo 5, Todo 6, true')
    await actAlone(() => controller.set(api.todo.get.schema, { id: 6 }, { title: 'Newer' }))
    expect(page.text).toBe('Todo 5, Newer, true')
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  })

  test(`use(useFetch()) throws the error of the fetch to the boundary, which fetches again${mode}`, async () => {
    const { api, controller, server } = stage
    function Title() {
      return use(useFetch(api.todo.get, { id: 5 })).title
    }
    server.route(route, reply.status(500))
    const page = await open(
      <DataProvider controller={controller}>
        <AsyncBoundary errorFallback={({ error }) => error.message}>
          <Title />
        </AsyncBoundary>
      </DataProvider>,
    )
    await settle()
    expect(page.text).toContain('500')
    expect(server.requests).toEqual([route])
  })

  test(`use(useFetch()) keeps the old screen in a transition, also when the call is invalidated${mode}`, async () => {
    const { api, controller, server } = stage
    function Title() {
      const [id, setId] = useState(5)
      const { title } = use(useFetch(api.todo.get, { id }))
      return <button onClick={() => startTransition(() => setId(6))}>{title}</button>
    }
    const page = await open(
      <DataProvider controller={controller}>
        <Suspense fallback="…">
          <Title />
        </Suspense>
      </DataProvider>,
    )
    await settle()
    server.hold('GET /todo/6')
    await click(page)
    await settle()
    expect(page.text).toBe('Todo 5')
    await actAlone(() => controller.invalidate(api.todo.get, { id: 6 }))
    await settle()
    expect(page.text).toBe('Todo 5')
    server.release()
    await settle()
    expect(page.text).toBe('Todo 6')
    server.hold('GET /todo/6')
    await actAlone(() => startTransition(() => controller.invalidate(api.todo.get, { id: 6 })))
    await settle()
    expect(page.text).toBe('Todo 6')
    await actAlone(() => controller.resetAll())
    await settle()
    expect(page.text).toBe('…')
    server.release()
    await settle()
    expect(page.text).toBe('Todo 6')
  })
}

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

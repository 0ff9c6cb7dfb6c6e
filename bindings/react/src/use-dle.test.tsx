import type { CallState, Controller } from '@selfsame/core'
import { listenersOf, reply, retainersOf } from '@selfsame/conformance'
import { StrictMode, memo } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { actAlone, createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useDLE, useSuspense } from './index.js'

const route = 'GET /todo/5'
let stage: ReturnType<typeof createStage>
let controller: Controller

beforeEach(() => {
  stage = createStage()
  ;({ controller } = stage)
  forbidConsole()
})

test('no render shows less than that it loads, and each change is one render', async () => {
  const { api, server } = stage
  const renders: CallState<{ title: string }>[] = []
  function Reader() {
    const state = useDLE(api.todo.get, { id: 5 })
    renders.push(state)
    return state.data?.title ?? '…'
  }
  await openPage(
    <DataProvider controller={controller}>
      <Reader />
    </DataProvider>,
  )
  await settle()
  server.route(route, reply.status(500, {}))
  await actAlone(() => controller.invalidate(api.todo.get, { id: 5 }))
  await settle()
  expect(renders.map(({ data, loading, error }) => [data?.title, loading, error !== undefined])).toEqual([
    [undefined, true, false],
    ['Todo 5', false, false],
    [undefined, true, false],
    [undefined, false, true],
  ])
})

test('in StrictMode makes one request and holds one subscription (B12)', async () => {
  const { api, server } = stage
  function Reader() {
    const { data, loading } = useDLE(api.todo.get, { id: 5 })
    return loading ? '…' : data?.title
  }
  const page = await openPage(
    <StrictMode>
      <DataProvider controller={controller}>
        <Reader />
      </DataProvider>
    </StrictMode>,
  )
  await settle()
  expect(page.text).toBe('Todo 5')
  expect(server.requests).toEqual([route])
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([1, 1])
  await page.unmount()
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
})

test('gives an object that stands for no change in props and dependencies', async () => {
  const { api } = stage
  let shown = 0
  const Title = memo(function Title({ state }: { readonly state: CallState<{ title: string }> }) {
    shown++
    return state.data?.title
  })
  function Owner({ count }: { readonly count: number }) {
    return (
      <p data-count={count}>
        <Title state={useDLE(api.todo.get, { id: 5 })} />
      </p>
    )
  }
  const app = (count: number) => (
    <DataProvider controller={controller}>
      <Owner count={count} />
    </DataProvider>
  )
  const page = await openPage(app(1))
  await settle()
  await page.render(app(2))
  await page.render(app(3))
  expect(page.text).toBe('Todo 5')
  expect(shown).toBe(2)
})

test('starts its request beside one for which its boundary waits', async () => {
  const { api, server } = stage
  function Both() {
    const { data } = useDLE(api.todo.get, { id: 5 })
    const { name } = useSuspense(api.user.get, { id: 1 })
    return `${name} ${data?.title}`
  }
  server.hold(route)
  server.hold('GET /user/1')
  const page = await openPage(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <Both />
      </AsyncBoundary>
    </DataProvider>,
  )
  expect(server.requests).toEqual([route, 'GET /user/1'])
  server.release()
  await settle()
  expect(page.text).toBe('User 1 Todo 5')
  expect(server.requests).toEqual([route, 'GET /user/1'])
})

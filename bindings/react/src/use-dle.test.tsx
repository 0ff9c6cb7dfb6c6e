import type { CallState, Controller } from '@selfsame/core'
import { listenersOf, reply, retainersOf } from '@selfsame/conformance'
import { StrictMode, memo, use, useState, useTransition } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { actAlone, click, createStage, forbidConsole, openPage, settle } from '../test-app.js'
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

describe('arguments that change', () => {
  /** A page whose button switches to todo 6, in a transition or urgently. */
  function createPage(isInTransition: boolean) {
    const beside = Promise.resolve('beside')
    const Page = () => {
      const [id, setId] = useState(5)
      const [isPending, start] = useTransition()
      const { data, loading, error } = useDLE(stage.api.todo.get, { id })
      const text = use(beside)
      const shown = loading ? '…' : (error?.name ?? data?.title)
      const navigate = isInTransition ? start : (change: () => void) => change()
      return (
        <button onClick={() => navigate(() => setId(6))}>
          {isPending ? 'pending ' : ''}
          {shown} {text}
        </button>
      )
    }
    return openPage(
      <DataProvider controller={controller}>
        <Page />
      </DataProvider>,
    )
  }

  test('in a transition leave what is on screen until the data is there, without a boundary', async () => {
    const { server } = stage
    const page = await createPage(true)
    await settle()
    server.hold('GET /todo/6')
    await click(page)
    await settle()
    expect(page.text).toBe('pending Todo 5 beside')
    server.release()
    await settle()
    expect(page.text).toBe('Todo 6 beside')
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('in a transition leave it until there is an error', async () => {
    const { server } = stage
    server.route('GET /todo/6', reply.status(404))
    const page = await createPage(true)
    await settle()
    server.hold('GET /todo/6')
    await click(page)
    expect(page.text).toBe('pending Todo 5 beside')
    server.release()
    await settle()
    expect(page.text).toBe('NetworkError beside')
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('outside of one are loading at once', async () => {
    const { server } = stage
    const page = await createPage(false)
    await settle()
    server.hold('GET /todo/6')
    await click(page)
    expect(page.text).toBe('… beside')
    server.release()
    await settle()
    expect(page.text).toBe('Todo 6 beside')
    expect(server.requests).toEqual([route, 'GET /todo/6'])
  })

  test('that what is there answers are shown at once, in a transition too', async () => {
    const { api, server } = stage
    await controller.fetch(api.todo.get, { id: 6 })
    const page = await createPage(true)
    await settle()
    await click(page)
    expect(page.text).toBe('Todo 6 beside')
    expect(server.requests).toEqual(['GET /todo/6', route])
  })
})

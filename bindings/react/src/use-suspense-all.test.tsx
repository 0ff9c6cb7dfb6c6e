import type { Controller } from '@selfsame/core'
import { listenersOf, retainersOf } from '@selfsame/conformance'
import { Activity, StrictMode, useState, useTransition } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { click, createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useSuspenseAll } from './index.js'

const routes = ['GET /todo/5', 'GET /todo/6'] as const
let stage: ReturnType<typeof createStage>
let controller: Controller

beforeEach(() => {
  stage = createStage()
  ;({ controller } = stage)
  forbidConsole()
  for (const [index, route] of routes.entries())
    stage.server.route(route, { id: 5 + index, title: `T${5 + index}` })
})

function Titles({ ids }: { readonly ids: readonly number[] }) {
  const todos = useSuspenseAll(ids.map((id) => [stage.api.todo.get, { id }] as const))
  return todos.map(({ title }) => title).join(' ')
}

function Switch() {
  const [ids, setIds] = useState([5])
  const [isPending, start] = useTransition()
  return (
    <>
      <button onClick={() => start(() => setIds([5, 6]))}>{isPending ? 'pending ' : ''}</button>
      <AsyncBoundary fallback="…">
        <Titles ids={ids} />
      </AsyncBoundary>
    </>
  )
}

describe('useSuspenseAll', () => {
  test('leaves the old screen while a member that was added in a transition is waited for', async () => {
    const page = await openPage(
      <DataProvider controller={controller}>
        <Switch />
      </DataProvider>,
    )
    await settle()
    stage.server.hold(routes[1])
    await click(page)
    await settle()
    expect(page.text).toBe('pending T5')
    stage.server.release()
    await settle()
    expect(page.text).toBe('T5 T6')
    expect(stage.server.requests).toEqual(routes)
  })

  test('makes each request once in StrictMode, and leaves nothing behind', async () => {
    const page = await openPage(
      <StrictMode>
        <DataProvider controller={controller}>
          <AsyncBoundary fallback="…">
            <Titles ids={[5, 6]} />
          </AsyncBoundary>
        </DataProvider>
      </StrictMode>,
    )
    await settle()
    expect(page.text).toBe('T5 T6')
    expect(stage.server.requests).toEqual(routes)
    await page.unmount()
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
  })

  test('looks at the clock when an Activity shows it again', async () => {
    const view = (mode: 'hidden' | 'visible') => (
      <DataProvider controller={controller}>
        <Activity mode={mode}>
          <AsyncBoundary fallback="…">
            <Titles ids={[5, 6]} />
          </AsyncBoundary>
        </Activity>
      </DataProvider>
    )
    const page = await openPage(view('visible'))
    await settle()
    await page.render(view('hidden'))
    stage.clock.advance(61_000)
    await page.render(view('visible'))
    await settle()
    expect(page.text).toBe('T5 T6')
    expect(stage.server.requests).toEqual([...routes, ...routes])
  })

  test('names its calls where there is no provider, and what is no call', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const page = await openPage(
      <AsyncBoundary errorFallback={({ error }) => error.message}>
        <Titles ids={[5]} />
      </AsyncBoundary>,
    )
    expect(page.text).toMatch(/^useSuspenseAll\(Todo\.get\) was called outside a DataProvider\./)
    const Wrong = () => useSuspenseAll([stage.api.todo.get, { id: 5 }] as never)
    await page.render(
      <DataProvider controller={controller}>
        <AsyncBoundary errorFallback={({ error }) => error.message}>
          <Wrong />
        </AsyncBoundary>
      </DataProvider>,
    )
    expect(page.text).toMatch(/^A hook of several calls received a function at \[0\] instead of a call\./)
  })
})

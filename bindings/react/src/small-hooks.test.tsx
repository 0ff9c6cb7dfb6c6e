import { Todo } from '@selfsame/conformance'
import type { EndpointLike } from '@selfsame/core'
import { Activity, StrictMode, startTransition, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { actAlone, click, createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useCancelling, useDebounce, useSelect, useSuspense } from './index.js'
import type { ErrorFallbackProps } from './index.js'

let stage: ReturnType<typeof createStage>

beforeEach(() => {
  stage = createStage()
  forbidConsole()
})

function App({ children }: { readonly children: ReactNode }) {
  return (
    <DataProvider controller={stage.controller}>
      <AsyncBoundary fallback="…">{children}</AsyncBoundary>
    </DataProvider>
  )
}

test('useDebounce leaves the old screen there while what its change makes suspend is fetched', async () => {
  const { api, clock, server } = stage
  function Title({ id }: { readonly id: number }) {
    return useSuspense(api.todo.get, { id }).title
  }
  function Search() {
    const [id, setId] = useState(5)
    const { value: debounced, pending: isPending } = useDebounce(id, 300)
    return (
      <button onClick={() => setId(6)}>
        {isPending && 'pending '}
        <Title id={debounced} />
      </button>
    )
  }
  const page = await openPage(
    <App>
      <Search />
    </App>,
  )
  await settle()
  server.hold('GET /todo/6')
  await click(page)
  expect(page.text).toBe('pending Todo 5')
  await actAlone(() => void clock.advance(300))
  await settle()
  expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/6'])
  expect(page.text).toBe('pending Todo 5')
  server.release()
  await settle()
  expect(page.text).toBe('Todo 6')
})

test('useSelect renders only when what is selected by the last render changes, made anew or not', async () => {
  const { api, controller } = stage
  let renders = 0
  function Titles() {
    const [isUpper, setUpper] = useState(false)
    const titles = useSelect(
      api.todo.getList,
      (todos) => todos.map(({ title }) => (isUpper ? title.toUpperCase() : title)),
      { userId: 1 },
    )
    renders++
    return <button onClick={() => setUpper(true)}>{titles.join(', ')}</button>
  }
  const page = await openPage(
    <App>
      <Titles />
    </App>,
  )
  await settle()
  const before = renders
  const [first] = controller.get(api.todo.getList.schema, { userId: 1 }) ?? []
  const id = Number(first?.id)
  await actAlone(() => void controller.set(Todo, { id }, { completed: true }))
  expect(renders).toBe(before)
  await click(page)
  await actAlone(() => void controller.set(Todo, { id }, { title: 'Changed' }))
  expect(page.text).toContain('CHANGED')
})

test('useSelect keeps a date that is made in each render while it is the same time, so an effect on it does not run again', async () => {
  const { api, controller } = stage
  const seen: number[] = []
  function Day({ round }: { readonly round: number }) {
    const day = useSelect(api.todo.get, (todo) => new Date(todo.userId), { id: 5 })
    useEffect(() => void seen.push(day.getTime()), [day])
    return `${day.getTime()} ${round}`
  }
  const app = (round: number) => (
    <App>
      <Day round={round} />
    </App>
  )
  const page = await openPage(app(1))
  await settle()
  await page.render(app(2))
  await actAlone(() => void controller.set(Todo, { id: 5 }, { title: 'Other' }))
  expect([page.text, seen]).toEqual(['1 2', [1]])
  await actAlone(() => void controller.set(Todo, { id: 5 }, { userId: 2 }))
  expect([page.text, seen]).toEqual(['2 2', [1, 2]])
})

test('useCancelling keeps its endpoint in StrictMode, and gives another one when an Activity shows it again', async () => {
  const given: EndpointLike[] = []
  function Reader() {
    given.push(useCancelling(stage.api.todo.get, { id: 5 }))
    return null
  }
  const app = (mode: 'visible' | 'hidden') => (
    <StrictMode>
      <Activity mode={mode}>
        <Reader />
      </Activity>
    </StrictMode>
  )
  const page = await openPage(app('visible'))
  await settle()
  expect(given.at(-1)?.signal?.aborted).toBe(false)
  await page.render(app('hidden'))
  await settle()
  expect(given.some(({ signal }) => signal?.aborted === true)).toBe(true)
  await page.render(app('visible'))
  await settle()
  expect(given.at(-1)?.signal?.aborted).toBe(false)
})

test('a component that suspends for the endpoint of useCancelling sends one request', async () => {
  const { api, server } = stage
  function Title({ id }: { readonly id: number }) {
    const get = useCancelling(api.todo.get, { id })
    return useSuspense(get, { id }).title
  }
  const page = await openPage(
    <App>
      <Title id={5} />
    </App>,
  )
  await settle()
  expect(page.text).toBe('Todo 5')
  expect(server.requests).toEqual(['GET /todo/5'])
  server.hold('GET /todo/6')
  await page.render(
    <App>
      <Title id={6} />
    </App>,
  )
  await settle()
  server.release()
  await settle()
  expect(page.text).toBe('Todo 6')
  expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/6'])
})

test('useSelect shows a part that equals the part of an earlier selector', async () => {
  const { api, controller } = stage
  function Field() {
    const [id, setId] = useState(true)
    const field = useSelect(api.todo.get, (todo) => (id ? todo.id : todo.userId), { id: 5 })
    return <button onClick={() => setId(false)}>{field}</button>
  }
  const page = await openPage(
    <App>
      <Field />
    </App>,
  )
  await settle()
  expect(page.text).toBe('5')
  await click(page)
  expect(page.text).toBe('1')
  await actAlone(() => controller.setResponse(api.todo.get, { id: 5 }, { id: 5, userId: 5 }))
  expect(page.text).toBe('5')
})

test('useSelect selects by a new selector from what was written, also if the last selector saw no change', async () => {
  const { api, controller } = stage
  const renders: unknown[] = []
  function Field() {
    const [name, setName] = useState<'title' | 'completed'>('title')
    const field = useSelect(api.todo.get, (todo) => todo[name], { id: 5 })
    renders.push(field)
    return <button onClick={() => setName('completed')}>{String(field)}</button>
  }
  const page = await openPage(
    <App>
      <Field />
    </App>,
  )
  await settle()
  expect(page.text).toBe('Todo 5')
  const before = renders.length
  await actAlone(() => void controller.set(Todo, { id: 5 }, { completed: true }))
  expect(renders).toHaveLength(before)
  await click(page)
  expect(page.text).toBe('true')
  // Also after a write that the new selector does see, then one that it does not.
  await actAlone(() => void controller.set(Todo, { id: 5 }, { completed: false }))
  expect(page.text).toBe('false')
})

test('useSelect throws what its selector throws after a write to the boundary, and comes back after another', async () => {
  const { api, controller } = stage
  function Field() {
    const field = useSelect(
      api.todo.get,
      ({ title }) => {
        if (title === 'bad') throw new Error('The selector failed.')
        return title
      },
      { id: 5 },
    )
    return <b>{field}</b>
  }
  const Failed = ({ error, reset }: ErrorFallbackProps) => <button onClick={reset}>{error.message}</button>
  const page = await openPage(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…" errorFallback={Failed}>
        <Field />
      </AsyncBoundary>
    </DataProvider>,
  )
  await settle()
  expect(page.text).toBe('Todo 5')
  await actAlone(() => void controller.set(Todo, { id: 5 }, { title: 'bad' }))
  expect(page.text).toBe('The selector failed.')
  await actAlone(() => void controller.set(Todo, { id: 5 }, { title: 'good' }))
  await click(page)
  expect(page.text).toBe('good')
})

test('of 1,000 readers, a write renders once those that show the record, and no other', async () => {
  const { api, controller } = stage
  let renders = 0
  const ids = Array.from({ length: 1000 }, (_, index) => index + 1)
  controller.setResponse(
    api.todo.getList,
    ids.map((id) => ({ id, userId: 1, title: `Todo ${id}`, completed: false })),
  )
  function Row({ id }: { readonly id: number }) {
    renders++
    return useSuspense(api.todo.get, { id }).title
  }
  await openPage(
    <App>
      {ids.map((id) => (
        <Row key={id} id={id} />
      ))}
    </App>,
  )
  expect(renders).toBe(1000)
  renders = 0
  await actAlone(() => void controller.set(Todo, { id: 5 }, { title: 'Changed' }))
  expect(renders).toBe(1)
  await actAlone(() => startTransition(() => void controller.set(Todo, { id: 5 }, { title: 'Again' })))
  expect(renders).toBe(2)
})

import { listenersOf, retainersOf } from '@selfsame/conformance'
import { Suspense, use } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { renderToReadableStream } from 'react-dom/server.browser'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { actAlone, createStage, forbidConsole, settle } from '../test-app.js'
import { DataProvider, useCache, useDLE, useFetch, useQuery, useSuspense } from './index.js'

const route = 'GET /todo/5'
const shown = '<p>Todo 5, Todo 5, Todo 5, Todo 5, false, Todo 5</p>'
let stage: ReturnType<typeof createStage>

beforeEach(() => {
  stage = createStage()
  forbidConsole()
})

function Reader() {
  const { get } = stage.api.todo
  const { title } = useSuspense(get, { id: 5 })
  const cached = useCache(get, { id: 5 })
  const queried = useQuery(get.schema, { id: 5 })
  const { data, loading } = useDLE(get, { id: 5 })
  const fetched = use(useFetch(get, { id: 5 }))
  return (
    <p>{[title, cached?.title, queried?.title, data?.title, String(loading), fetched.title].join(', ')}</p>
  )
}

function Page() {
  return (
    <DataProvider controller={stage.controller}>
      <Suspense>
        <Reader />
      </Suspense>
    </DataProvider>
  )
}

test('renderToString shows data that is there, and hydrating it makes no request', async () => {
  const { api, controller, server } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  const app = <Page />
  const html = renderToString(app)
  expect(html).toContain(shown)
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = html
  const paragraph = container.querySelector('p')
  const errors: unknown[] = []
  await actAlone(() => {
    const root = hydrateRoot(container, app, { onRecoverableError: (error) => errors.push(error) })
    onTestFinished(() => actAlone(() => root.unmount()))
  })
  await settle()
  expect(container.querySelector('p')).toBe(paragraph)
  expect(errors).toEqual([])
  expect(server.requests).toEqual([route])
})

test('a stream waits for the data, with one request', async () => {
  const { server } = stage
  const stream = await renderToReadableStream(<Page />)
  const html = await new Response(stream).text()
  expect(html).toContain(shown)
  expect(server.requests).toEqual([route])
})

test('a stream waits for what is used, with one request', async () => {
  const { api, controller, server } = stage
  function Used() {
    return <p>{use(useFetch(api.todo.get, { id: 5 })).title}</p>
  }
  const stream = await renderToReadableStream(
    <DataProvider controller={controller}>
      <Suspense>
        <Used />
      </Suspense>
    </DataProvider>,
  )
  expect(await new Response(stream).text()).toContain('<p>Todo 5</p>')
  expect(server.requests).toEqual([route])
})

test('useDLE and useFetch start a request on a server, and wait for nothing', async () => {
  const { api, clock, controller, server } = stage
  function Loading() {
    const { data, loading, error } = useDLE(api.todo.get, { id: 5 })
    useFetch(api.todo.get, { id: 5 })
    return `${String(data)} ${String(loading)} ${String(error)}`
  }
  const app = (
    <DataProvider controller={controller}>
      <Loading />
    </DataProvider>
  )
  expect(renderToString(app)).toBe('undefined true undefined')
  expect([listenersOf(controller), retainersOf(controller), clock.timers]).toEqual([0, 0, 0])
  // What it brought is there for the next rendering.
  await settle()
  expect(renderToString(app)).toContain('[object Object] false undefined')
  expect(server.requests).toEqual([route])
})

import { Suspense } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { renderToReadableStream } from 'react-dom/server.browser'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { actAlone, createStage, forbidConsole, settle } from '../test-app.js'
import { DataProvider, useCache, useFetch, useSuspense } from './index.js'

const route = 'GET /todo/5'
let stage: ReturnType<typeof createStage>

beforeEach(() => {
  stage = createStage()
  forbidConsole()
})

function Reader() {
  const { get } = stage.api.todo
  const { title } = useSuspense(get, { id: 5 })
  const cached = useCache(get, { id: 5 })
  const promise = useFetch(get, { id: 5 })
  return <p>{`${title} ${cached?.title} ${String(promise)}`}</p>
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
  expect(html).toContain('<p>Todo 5 Todo 5 undefined</p>')
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
  expect(html).toContain('<p>Todo 5 Todo 5 undefined</p>')
  expect(server.requests).toEqual([route])
})

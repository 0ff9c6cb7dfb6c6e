import { listenersOf, retainersOf } from '@selfsame/conformance'
import { dehydrate, hydrate } from '@selfsame/core/hydration'
import { Suspense, use } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { renderToReadableStream } from 'react-dom/server.browser'
import type { DehydratedState } from '@selfsame/core/hydration'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
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

test('on a server useDLE starts no request, and useFetch one where nothing is there', async () => {
  const { api, clock, controller, server } = stage
  const { get } = api.todo
  function Loading({ isFetched }: { readonly isFetched: boolean }) {
    const { data, loading, error } = useDLE(get, { id: 5 })
    useFetch(get, isFetched ? { id: 5 } : null)
    return `${String(data)} ${String(loading)} ${String(error)}`
  }
  const render = (isFetched: boolean) => {
    vi.stubGlobal('window', undefined)
    try {
      return renderToString(
        <DataProvider controller={controller}>
          <Loading isFetched={isFetched} />
        </DataProvider>,
      )
    } finally {
      vi.unstubAllGlobals()
    }
  }
  expect(render(false)).toBe('undefined true undefined')
  await settle()
  expect(server.requests).toEqual([])
  expect(render(true)).toBe('undefined true undefined')
  expect([listenersOf(controller), retainersOf(controller), clock.timers]).toEqual([0, 0, 0])
  // The response is stored for the next render; the page refetches Stale data.
  await settle()
  expect(render(true)).toContain('[object Object] false undefined')
  clock.advance(60_001)
  expect(render(true)).toContain('[object Object] false undefined')
  await settle()
  expect(server.requests).toEqual([route])
})

for (const isThere of [false, true]) {
  test(`readers that wait for nothing first render what the server rendered, which ${isThere ? 'had' : 'did not have'} the data`, async () => {
    const rendered: string[] = []
    function Plain({ name }: { readonly name: string }) {
      const { get } = stage.api.todo
      const cached = useCache(get, { id: 5 })
      const queried = useQuery(get.schema, { id: 5 })
      const { data, loading } = useDLE(get, { id: 5 })
      const shown = [cached, queried, data].map((todo) => todo?.title ?? 'nothing')
      const text = `${name}: ${[...shown, String(loading)].join(', ')}`
      rendered.push(text)
      return <p>{text}</p>
    }
    function Fetching() {
      const { title } = useSuspense(stage.api.todo.get, { id: 5 })
      return (
        <>
          <h2>{title}</h2>
          <Plain name="below" />
        </>
      )
    }
    function Whole() {
      return (
        <DataProvider controller={stage.controller}>
          <Plain name="above" />
          <Suspense>
            <Fetching />
          </Suspense>
        </DataProvider>
      )
    }
    if (isThere) await stage.controller.fetch(stage.api.todo.get, { id: 5 })
    const html = await new Response(await renderToReadableStream(<Whole />)).text()
    const full = 'Todo 5, Todo 5, Todo 5, false'
    const above = isThere ? full : 'nothing, nothing, nothing, true'
    expect(html).toContain(`above: ${above}</p>`)
    expect(html).toContain(`below: ${full}</p>`)
    const state: unknown = JSON.parse(JSON.stringify(dehydrate(stage.controller)))
    stage = createStage()
    hydrate(stage.controller, state as DehydratedState)
    rendered.length = 0
    const container = document.body.appendChild(document.createElement('div'))
    // The streaming script moves this element in a browser; here the test does it.
    container.innerHTML = html.replace(/<div hidden.*$/s, '')
    const late = /<div hidden id="S:0">(.*?)<\/div>/s.exec(html)?.[1]
    const template = container.querySelector('template')
    if (template !== null && late !== undefined) {
      const start = template.previousSibling as Comment
      while (start.nextSibling !== null && (start.nextSibling as Comment).data !== '/$')
        start.nextSibling.remove()
      start.data = '$'
      const content = document.createElement('div')
      content.innerHTML = late
      start.after(...content.childNodes)
    }
    const paragraphs = [...container.querySelectorAll('p')]
    const errors: unknown[] = []
    await actAlone(() => {
      const root = hydrateRoot(container, <Whole />, {
        onRecoverableError: (error) => errors.push(error),
      })
      onTestFinished(() => actAlone(() => root.unmount()))
    })
    await settle()
    // Both renderers run in this one process.
    const logged = vi.mocked(console.error).mock.calls.map(([message]) => String(message))
    expect(logged.filter((message) => !message.includes('multiple renderers'))).toEqual([])
    vi.mocked(console.error).mockClear()
    expect(errors).toEqual([])
    expect(rendered[0]).toBe(`above: ${above}`)
    expect(rendered).toContain(`below: ${full}`)
    expect([...container.querySelectorAll('p')]).toEqual(paragraphs)
    expect(paragraphs.map(({ textContent }) => textContent)).toEqual([`above: ${full}`, `below: ${full}`])
    expect(stage.server.requests).toEqual([])
  })
}

import { nextTask } from '@selfsame/conformance/next-task'
import { NetworkError } from '@selfsame/core/rest'
import { reply } from '@selfsame/conformance'
import { hydrateRoot } from 'react-dom/client'
import { renderToPipeableStream } from 'react-dom/server'
import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { actAlone, createStage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useDLE, useFetch, useSuspense, withOptions } from './index.js'
import { createServerRequest, hydrateAsItArrives } from './ssr.js'

// A page whose late part has not arrived when React hydrates the rest.

let onServer: ReturnType<typeof createStage>
let inPage: ReturnType<typeof createStage>
/** The container of the page. */
let container: HTMLElement
let readyState: DocumentReadyState

beforeEach(() => {
  onServer = createStage()
  inPage = createStage()
  container = document.body.appendChild(document.createElement('div'))
  readyState = 'loading'
  Object.defineProperty(document, 'readyState', { configurable: true, get: () => readyState })
})

afterEach(() => {
  container.remove()
  Reflect.deleteProperty(document, 'readyState')
})

const Failed = () => <p>failed</p>
type Todos = typeof onServer.api.todo

/** Reads what is sent late. */
function Late({ todo, id }: { readonly todo: Todos; readonly id: number }): ReactNode {
  return <p>{useSuspense(todo.get, { id }).title}</p>
}

interface PageProps {
  readonly todo: Todos
  /** Renders once more when it has hydrated, as what shows a preference of the visitor does. @default false */
  readonly isTwice?: boolean
}

function Page({ todo, isTwice = false }: PageProps): ReactNode {
  const { data } = useDLE(withOptions(todo.get, { ssr: true }), { id: 6 })
  useSyncExternalStore(
    () => () => {},
    () => isTwice,
    () => false,
  )
  return (
    <main>
      <h1>{data?.title}</h1>
      <AsyncBoundary fallback={<p>Wait</p>} errorFallback={Failed}>
        <Late todo={todo} id={5} />
      </AsyncBoundary>
    </main>
  )
}

/** Renders a page. @returns its first part, and the rest, which waits for `GET /todo/5` */
async function serve(content: (todo: Todos) => ReactNode): Promise<readonly [string, string]> {
  const { api, clock, server } = onServer
  const request = createServerRequest({ clock })
  server.hold('GET /todo/5')
  vi.stubGlobal('window', undefined)
  try {
    const parts: string[] = []
    const decoder = new TextDecoder()
    await new Promise<void>((resolve) => {
      const response = {
        write(part: Uint8Array) {
          parts.push(decoder.decode(part))
          server.release()
        },
        end: () => resolve(),
        destroy: () => {},
        on: () => {},
      }
      const rendering = renderToPipeableStream(
        <DataProvider controller={request.controller}>{content(api.todo)}</DataProvider>,
        {
          onShellReady: () => request.pipeToNodeWritable(rendering, response),
        },
      )
    })
    const [first = '', ...rest] = parts
    return [first, rest.join('')]
  } finally {
    vi.unstubAllGlobals()
  }
}

/** What a visitor sees. */
function textOf(page: HTMLElement): string {
  const copy = page.cloneNode(true) as HTMLElement
  for (const hidden of copy.querySelectorAll('script, template, [hidden], [style*="none"]')) hidden.remove()
  return copy.textContent
}

/** Adds HTML as the parser does, with its scripts. */
function arrive(html: string): Promise<void> {
  return actAlone(async () => {
    container.insertAdjacentHTML('beforeend', html)
    await nextTask()
    for (const script of container.querySelectorAll('script:not([type])')) {
      script.remove()
      // eslint-disable-next-line no-new-func, typescript/no-implied-eval
      new Function(script.textContent)()
    }
  })
}

async function hydrate(content: (todo: Todos) => ReactNode): Promise<unknown[]> {
  const errors: unknown[] = []
  onTestFinished(hydrateAsItArrives(inPage.controller))
  await actAlone(() => {
    const root = hydrateRoot(
      container,
      <DataProvider controller={inPage.controller}>{content(inPage.api.todo)}</DataProvider>,
      { onRecoverableError: (error) => errors.push(error) },
    )
    onTestFinished(() => actAlone(() => root.unmount()))
  })
  await settle()
  return errors
}

async function end(): Promise<void> {
  readyState = 'interactive'
  await actAlone(() => document.dispatchEvent(new Event('DOMContentLoaded')))
  await settle()
}

test('a part that is sent late is hydrated from its HTML, beside a reader with the option ssr', async () => {
  const content = (todo: Todos) => <Page todo={todo} />
  const [first, rest] = await serve(content)
  await arrive(first)
  expect(textOf(container)).toBe('Todo 6Wait')
  const errors = await hydrate(content)
  expect(textOf(container)).toBe('Todo 6Wait')
  await arrive(rest)
  const sent = container.querySelector('[hidden] p')
  // React shows it in one of the next frames.
  await expect.poll(() => settle().then(() => textOf(container))).toBe('Todo 6Todo 5')
  expect(container.querySelector('main p')).toBe(sent)
  await end()
  expect(inPage.server.requests).toEqual([])
  expect(errors).toEqual([])
})

test('a part that is sent late is not fetched, although what surrounds it is rendered again before', async () => {
  const content = (todo: Todos) => <Page todo={todo} isTwice />
  const [first, rest] = await serve(content)
  await arrive(first)
  const errors = await hydrate(content)
  expect(textOf(container)).toBe('Todo 6Wait')
  await arrive(rest)
  await settle()
  expect(textOf(container)).toBe('Todo 6Todo 5')
  await end()
  expect(inPage.server.requests).toEqual([])
  expect(errors).toEqual([])
})

test('nor is it if another reader of it fails, fetches or shows that it loads meanwhile', async () => {
  onServer.server.route('GET /todo/7', reply.status(401))
  const inMemo = new Map<Todos, ReactNode>()
  function Layout({ todo, children }: { readonly todo: Todos; readonly children: ReactNode }): ReactNode {
    const { error } = useDLE(withOptions(todo.get, { ssr: true }), { id: 7 })
    const { loading } = useDLE(todo.get, { id: 5 })
    useFetch(todo.get, { id: 5 })
    const status = error instanceof NetworkError ? error.status : undefined
    return (
      <main>
        {status} {loading && 'loading'} {children}
      </main>
    )
  }
  const content = (todo: Todos) => {
    const late = inMemo.get(todo) ?? (
      <AsyncBoundary fallback={<p>Wait</p>} errorFallback={Failed}>
        <Late todo={todo} id={5} />
      </AsyncBoundary>
    )
    inMemo.set(todo, late)
    return <Layout todo={todo}>{late}</Layout>
  }
  const [first, rest] = await serve(content)
  await arrive(first)
  const errors = await hydrate(content)
  expect(textOf(container)).toBe('401 loading Wait')
  await arrive(rest)
  await expect.poll(() => settle().then(() => textOf(container))).toBe('401  Todo 5')
  await end()
  expect(inPage.server.requests).toEqual([])
  expect(errors).toEqual([])
})

test('a part that the server never sends is fetched once when the page has ended', async () => {
  const content = (todo: Todos) => <Page todo={todo} isTwice />
  const [first] = await serve(content)
  await arrive(first)
  await hydrate(content)
  expect(inPage.server.requests).toEqual([])
  await end()
  expect(inPage.server.requests).toEqual(['GET /todo/5'])
  expect(textOf(container)).toBe('Todo 6Todo 5')
})

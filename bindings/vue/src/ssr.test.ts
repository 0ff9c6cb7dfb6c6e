// @vitest-environment node
import { callsOf } from '@selfsame/core/bindings'
import { listenersOf, reply, retainersOf, todoFields } from '@selfsame/conformance'
import { deserialize } from '@selfsame/core/hydration'
import { createSSRApp, defineComponent, effectScope, h, useSSRContext } from 'vue'
import type { VNodeChild } from 'vue'
import { describe, expect, test, vi } from 'vitest'
import { createStage, settle, watchConsole } from '../test-support.js'
import { AsyncBoundary, dataPlugin, useCache, useDLE, useSubscription, useSuspense } from './index.js'
import { createServerRequest } from './ssr.js'
import type { ServerRequestOptions } from './ssr.js'

const { take } = watchConsole()

/** A request for a page that shows todo 5, below a title. */
function createPage(options: ServerRequestOptions = {}, render?: () => VNodeChild) {
  const { api, clock, server } = createStage()
  const Reader = defineComponent({
    async setup() {
      const todo = await useSuspense(api.todo.get, { id: 5 })
      return () => h('p', todo.value.title)
    },
  })
  const request = createServerRequest({ clock, ...options })
  const { controller } = request
  const app = createSSRApp(render ?? (() => [h('h1', 'Title'), h(Reader)])).use(dataPlugin, { controller })
  return { api, app, clock, controller, request, server }
}

const html = '<!--[--><h1>Title</h1><p>Todo 5</p><!--]-->'

/** Asserts that the request is over: no listeners, no retainers, no timers. */
function expectNothingLeft({ clock, controller }: ReturnType<typeof createPage>): void {
  expect(callsOf(controller).isDisposed).toBe(true)
  // Timers that are due now run, so they do not count.
  clock.advance(0)
  expect([listenersOf(controller), retainersOf(controller), clock.timers]).toEqual([0, 0, 0])
}

/** A stream that records the written chunks and how it ended. */
function createWritable() {
  const listeners: (() => void)[] = []
  const chunks: string[] = []
  const writable = {
    ended: false,
    destroyed: undefined as Error | undefined,
    chunks,
    write: (chunk: string) => chunks.push(chunk),
    end: () => (writable.ended = true),
    destroy: (error?: Error) => (writable.destroyed = error),
    once: (_event: 'close', listener: () => void) => listeners.push(listener),
    close: () => listeners.forEach((listener) => listener()),
  }
  return writable
}

describe('renderToString', () => {
  test('gives the page and its state, and ends the request', async () => {
    const page = createPage({ nonce: 'abc', id: 'data' })
    const rendered = await page.request.renderToString(page.app)
    expect(rendered.html).toBe(html)
    expect(rendered.errors).toEqual([])
    expect(rendered.script).toMatch(/^<script [^>]*type="application\/json"[^>]*>.*<\/script>$/s)
    expect(rendered.script).toContain('nonce="abc"')
    expect(rendered.script).toContain('id="data"')
    const state = deserialize(rendered.script.replaceAll(/<[^>]*>/g, ''))
    expect(state.results.map(({ key }) => key)).toEqual(['GET https://api.test/todo/5'])
    expectNothingLeft(page)
  })

  test('says what calls failed with', async () => {
    const page = createPage()
    page.app.config.errorHandler = () => {}
    page.server.route('GET /todo/5', reply.status(404))
    const { errors } = await page.request.renderToString(page.app)
    expect(errors).toMatchObject([{ status: 404 }])
    expectNothingLeft(page)
  })

  test.each([
    ['outside of a boundary', []],
    ['inside of one that shows it', [AsyncBoundary, {}]],
  ] as const)('says what calls cannot be made, %s', async (_, [boundary, props]) => {
    const Detail = defineComponent({
      async setup() {
        const todo = await useSuspense(page.api.todo.get, { id: Number.NaN })
        return () => todo.value.title
      },
    })
    const content = { default: () => h(Detail), error: () => 'failed' }
    const page = createPage({}, () => (boundary === undefined ? h(Detail) : h(boundary, props, content)))
    page.app.config.errorHandler = () => {}
    const { errors } = await page.request.renderToString(page.app)
    expect(errors).toMatchObject([{ code: 'path-param-unusable', status: 404 }])
    expectNothingLeft(page)
  })

  test('passes the context on, and ends the request also where the render fails', async () => {
    const page = createPage({}, () => {
      if (useSSRContext<{ url: string }>()?.url === '/') throw new Error('broken')
      return 'not shown'
    })
    page.app.config.errorHandler = (error) => {
      throw error as Error
    }
    await expect(page.request.renderToString(page.app, { url: '/' })).rejects.toThrow('broken')
    expect(take().join()).toContain('execution of app errorHandler')
    expectNothingLeft(page)
  })

  test('rejects when the visitor leaves, and says nothing of what fails by that', async () => {
    const abort = new AbortController()
    const page = createPage({ signal: abort.signal })
    page.server.hold('GET /todo/5')
    const rendered = page.request.renderToString(page.app)
    await vi.waitFor(() => expect(page.server.waiting).toBe(1))
    abort.abort(new Error('gone'))
    await expect(rendered).rejects.toThrow('gone')
    expect(page.server.aborted).toEqual(['GET /todo/5'])
    expectNothingLeft(page)
  })

  test('renders nothing for a visitor who has left already', async () => {
    const page = createPage({ signal: AbortSignal.abort(new Error('gone')) })
    await expect(page.request.renderToString(page.app)).rejects.toThrow('gone')
    expect(page.server.requests).toEqual([])
  })
})

describe('renderToWebStream', () => {
  const frame = {
    before: '<div id="app">',
    after: (script: string) => `</div>${script}<script src="/page.js">`,
  }

  test('sends what is there, then what it waits for, then the state', async () => {
    const page = createPage()
    page.server.hold('GET /todo/5')
    const reader = page.request
      .renderToWebStream(page.app, frame)
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .getReader()
    const read = async () => (await reader.read()).value ?? ''
    let text = await read()
    while (!text.includes('</h1>')) text += await read()
    expect(text).toBe('<div id="app"><!--[--><h1>Title</h1>')
    await vi.waitFor(() => expect(page.server.waiting).toBe(1))
    page.server.release()
    while (!text.includes('page.js')) text += await read()
    expect(text).toMatch(
      /^<div id="app"><!--\[--><h1>Title<\/h1><p>Todo 5<\/p><!--]--><\/div><script [^]*"Todo 5"/,
    )
    expect((await reader.read()).done).toBe(true)
    expectNothingLeft(page)
  })

  test('ends the request when it is cancelled, without a message', async () => {
    const page = createPage()
    page.server.hold('GET /todo/5')
    const stream = page.request.renderToWebStream(page.app)
    await vi.waitFor(() => expect(page.server.waiting).toBe(1))
    await stream.cancel()
    await settle()
    expect(page.server.aborted).toEqual(['GET /todo/5'])
    expectNothingLeft(page)
  })

  test('fails with the reason of the signal', async () => {
    const abort = new AbortController()
    const page = createPage({ signal: abort.signal })
    page.server.hold('GET /todo/5')
    const text = new Response(page.request.renderToWebStream(page.app)).text()
    await vi.waitFor(() => expect(page.server.waiting).toBe(1))
    abort.abort(new Error('gone'))
    await expect(text).rejects.toThrow('gone')
    expectNothingLeft(page)
  })
})

describe('pipeToNodeWritable', () => {
  test('writes the page and ends it', async () => {
    const page = createPage()
    const writable = createWritable()
    page.request.pipeToNodeWritable(page.app, writable)
    await vi.waitFor(() => expect(writable.ended).toBe(true))
    const text = writable.chunks.join('')
    expect(text.startsWith(html)).toBe(true)
    expect(text.slice(html.length)).toMatch(/^<script .*<\/script>$/s)
    writable.close()
    expectNothingLeft(page)
  })

  test('ends the request when the visitor leaves, and writes nothing more', async () => {
    const page = createPage()
    const writable = createWritable()
    page.server.hold('GET /todo/5')
    page.request.pipeToNodeWritable(page.app, writable)
    await vi.waitFor(() => expect(page.server.waiting).toBe(1))
    writable.close()
    const written = writable.chunks.length
    await settle()
    expect([writable.chunks.length, writable.ended]).toEqual([written, false])
    expect(page.server.aborted).toEqual(['GET /todo/5'])
    expectNothingLeft(page)
  })

  test('ends the stream with the error where the frame fails', async () => {
    const page = createPage()
    const writable = createWritable()
    const after = () => {
      throw new Error('broken')
    }
    page.request.pipeToNodeWritable(page.app, writable, { after })
    await vi.waitFor(() => expect(writable.destroyed?.message).toBe('broken'))
    expectNothingLeft(page)
  })
})

test('what is made before the render, as a store in a guard, listens to nothing either', async () => {
  const page = createPage()
  const { api, app, clock, controller, request, server } = page
  const scope = effectScope(true)
  const store = app.runWithContext(() =>
    scope.run(() => {
      useSubscription(api.todo.get.extend({ pollFrequency: 5000 }), { id: 5 })
      return { todo: useCache(api.todo.get, { id: 5 }), dle: useDLE(api.user.get, { id: 1 }) }
    }),
  )
  expect([store?.todo.value, store?.dle.loading.value]).toEqual([undefined, true])
  expect([listenersOf(controller), retainersOf(controller), clock.timers]).toEqual([0, 0, 0])
  await controller.fetch(api.todo.get, { id: 5 })
  expect(store?.todo.value?.title).toBe('Todo 5')
  expect(server.requests).toEqual(['GET /todo/5'])
  request.dispose()
  expectNothingLeft(page)
})

test('two requests never meet', async () => {
  const pages = ['Ann', 'Bob'].map((name) => {
    const page = createPage()
    page.server.route('GET /todo/5', todoFields(5, { title: name }))
    return page
  })
  const texts = await Promise.all(
    pages.map(async ({ app, request }) => {
      const rendered = await request.renderToString(app)
      return rendered.html + rendered.script
    }),
  )
  expect(texts.map((text) => [text.includes('Ann'), text.includes('Bob')])).toEqual([
    [true, false],
    [false, true],
  ])
})

// @vitest-environment node
import { PassThrough } from 'node:stream'
import { listenersOf, retainersOf } from '@selfsame/conformance'
import { Controller, Endpoint } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import { deserialize } from '@selfsame/core/hydration'
import type { DehydratedState } from '@selfsame/core/hydration'
import { NetworkError } from '@selfsame/core/rest'
import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { renderToPipeableStream, renderToReadableStream } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { DataProvider, useCache, useSuspense } from './index.js'
import { createServerRequest } from './ssr.js'
import type { ServerRequest, ServerRequestOptions } from './ssr.js'

interface Part {
  readonly id: number
  readonly text: string
}

/** An endpoint whose responses the test sends by hand. */
function createParts() {
  const answers = new Map<number, (outcome: Part | Error) => void>()
  const signals = new Map<number, AbortSignal | undefined>()
  const getPart = new Endpoint(
    function (this: { signal?: AbortSignal }, { id }: { id: number }) {
      signals.set(id, this.signal)
      return new Promise<Part>((resolve, reject) => {
        answers.set(id, (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
      })
    },
    { name: 'getPart' },
  )
  const answer = (id: number) => answers.get(id)?.({ id, text: `text ${id} </script><!--` })
  return { getPart, answers, signals, answer }
}
type Parts = ReturnType<typeof createParts>

function Shown({ parts: { getPart }, id }: { readonly parts: Parts; readonly id: number }): ReactNode {
  return <p>{useSuspense(getPart, { id }).text}</p>
}

function Page({ parts, ids }: { readonly parts: Parts; readonly ids: readonly number[] }): ReactNode {
  // Without an element around them React delays them: one of them might render the whole document.
  return (
    <main>
      {ids.map((id) => (
        <Suspense key={id} fallback={<i>waiting {id}</i>}>
          <Shown parts={parts} id={id} />
        </Suspense>
      ))}
    </main>
  )
}

/** A page that arrives in chunks. */
interface Arriving {
  readonly chunks: string[]
  readonly isOver: () => boolean
}

type Render = (
  request: ServerRequest,
  page: ReactNode,
  onError?: (error: unknown) => void,
) => Promise<Arriving>

const renderers: Readonly<Record<string, Render>> = {
  renderToPipeableStream: async (request, page, onError = () => {}) => {
    const response = new PassThrough()
    const chunks: string[] = []
    let isOver = false
    response.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
    response.on('end', () => (isOver = true))
    await new Promise<void>((resolve, reject) => {
      const rendering = renderToPipeableStream(
        <DataProvider controller={request.controller}>{page}</DataProvider>,
        {
          onError: (error) => request.digestOf(error) ?? onError(error),
          onShellError: reject,
          onShellReady() {
            request.pipeToNodeWritable(rendering, response)
            resolve()
          },
        },
      )
    })
    return { chunks, isOver: () => isOver }
  },
  renderToReadableStream: async (request, page, onError = () => {}) => {
    const rendering = await renderToReadableStream(
      <DataProvider controller={request.controller}>{page}</DataProvider>,
      { onError: (error) => request.digestOf(error) ?? onError(error) },
    )
    const chunks: string[] = []
    let isOver = false
    const decoder = new TextDecoder()
    void (async () => {
      const reader = request.toWebStream(rendering).getReader()
      for (;;) {
        const { value, done } = await reader.read()
        if (done) break
        chunks.push(decoder.decode(value))
      }
      isOver = true
      // Rejects where the test closes the connection.
    })().catch(() => {})
    return { chunks, isOver: () => isOver }
  },
}

/** All in one process: what arrives takes turns of the event loop, however long each turn is on a busy machine. */
async function arrive(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1))
}
const stateElement = /<script type="application\/json" id="selfsame"[^>]*>([^<]*)<\/script>/g
const statesIn = (html: string): DehydratedState[] =>
  [...html.matchAll(stateElement)].map(([, text = '']) => deserialize(text))
const keysIn = (html: string) => statesIn(html).flatMap(({ results }) => results.map(({ key }) => key))
const keyOf = (id: number) => `getPart [{"id":"${id}"}]`

function open(options: ServerRequestOptions = {}) {
  return { parts: createParts(), request: createServerRequest(options) }
}

for (const [name, render] of Object.entries(renderers)) {
  describe(name, () => {
    test('of 20 boundaries each arrives with its state before its HTML, while a slow one waits', async () => {
      const { parts, request } = open()
      const ids = Array.from({ length: 20 }, (_, index) => index)
      const { chunks, isOver } = await render(request, <Page parts={parts} ids={ids} />)
      await arrive()
      for (const id of ids) expect(chunks.join('')).toContain(`waiting <!-- -->${id}<`)
      expect(keysIn(chunks.join(''))).toEqual([])
      // Some together, some one by one, and 0 last.
      const inTurn = [[5, 6, 7], [3], [19, 1], ids.filter((id) => ![0, 1, 3, 5, 6, 7, 19].includes(id)), [0]]
      for (const turn of inTurn) {
        const before = chunks.length
        for (const id of turn) parts.answer(id)
        await arrive()
        const arrived = chunks.slice(before).join('')
        expect(keysIn(arrived).sort()).toEqual(turn.map(keyOf).sort())
        for (const id of turn) {
          const html = arrived.indexOf(`<p>text ${id} &lt;/script&gt;&lt;!--</p>`)
          expect(html).toBeGreaterThan(arrived.indexOf(`text ${id} \\u003c/script\\u003e\\u003c!--`))
        }
        expect(isOver()).toBe(turn.includes(0))
      }
      expect(callsOf(request.controller).isDisposed).toBe(true)
      expect([listenersOf(request.controller), retainersOf(request.controller)]).toEqual([0, 0])
    })

    test('what is larger than the buffers of React is cut nowhere', async () => {
      const { parts, request } = open()
      const long = 'ä'.repeat(9000)
      function Long() {
        const { text } = useSuspense(parts.getPart, { id: 1 })
        return (
          <ul title={long}>
            {Array.from({ length: 300 }, (_, index) => (
              <li key={index} title={`${index}`}>
                {text}
              </li>
            ))}
          </ul>
        )
      }
      const { chunks } = await render(
        request,
        <div>
          <Suspense fallback="waiting">
            <Long />
          </Suspense>
          <Page parts={parts} ids={[2]} />
        </div>,
      )
      await arrive()
      parts.answer(2)
      parts.answer(1)
      await arrive()
      const html = chunks.join('')
      expect(keysIn(html).sort()).toEqual([keyOf(1), keyOf(2)])
      const withoutState = html.replace(stateElement, '')
      expect(withoutState).toContain(`<ul title="${long}">`)
      expect(withoutState.match(/<li title="\d+">text 1 &lt;\/script&gt;&lt;!--<\/li>/g)).toHaveLength(300)
    })

    test('a document has its state in its body, before its scripts', async () => {
      const { parts, request } = open({ nonce: 'abc' })
      request.controller.setResponse(parts.getPart, { id: 1 }, { id: 1, text: 'there' })
      const { chunks } = await render(
        request,
        <html>
          <head>
            <title>{'<body>'}</title>
            <style dangerouslySetInnerHTML={{ __html: '/* <body> */' }} />
          </head>
          <body className="a>b">
            <Page parts={parts} ids={[1]} />
          </body>
        </html>,
      )
      await arrive()
      const html = chunks.join('')
      expect(html.startsWith('<!DOCTYPE html><html>')).toBe(true)
      expect(html.endsWith('</body></html>')).toBe(true)
      expect(html).toContain(
        '<body class="a&gt;b"><script type="application/json" id="selfsame" nonce="abc">',
      )
      expect(keysIn(html)).toEqual([keyOf(1)])
    })

    test('an error is in the state, and has a digest; any other is reported', async () => {
      const { parts, request } = open()
      const reported: unknown[] = []
      function Broken(): ReactNode {
        throw new Error('broken')
      }
      const { chunks } = await render(
        request,
        <>
          <Page parts={parts} ids={[1]} />
          <Suspense>
            <Broken />
          </Suspense>
        </>,
        (error) => void reported.push(error),
      )
      parts.answers.get(1)?.(new NetworkError('Not found', { status: 404 }))
      await arrive()
      const html = chunks.join('')
      expect(statesIn(html).flatMap(({ results }) => results.map(({ error }) => error?.status))).toEqual([
        404,
      ])
      expect(html).toContain('"selfsame"')
      expect(reported).toEqual([expect.objectContaining({ message: 'broken' })])
    })

    test('a visitor who leaves ends the rendering and its requests', async () => {
      const abort = new AbortController()
      const { parts, request } = open({ signal: abort.signal })
      const rendered = await render(request, <Page parts={parts} ids={[1, 2]} />).catch(() => undefined)
      await arrive()
      expect(parts.signals.get(1)?.aborted).toBe(false)
      abort.abort(new Error('left'))
      await arrive()
      expect([1, 2].map((id) => parts.signals.get(id)?.aborted)).toEqual([true, true])
      expect(callsOf(request.controller).isDisposed).toBe(true)
      expect(keysIn(rendered?.chunks.join('') ?? '')).toEqual([])
    })

    test('what was rendered blank and then with data is not blank in the page', async () => {
      const { parts, request } = open()
      function Both(): ReactNode {
        const cached = useCache(parts.getPart, { id: 1 })
        return <b>{`${cached?.text ?? 'nothing'}, ${useSuspense(parts.getPart, { id: 1 }).text}`}</b>
      }
      const { chunks } = await render(
        request,
        <div>
          <Suspense>
            <Both />
          </Suspense>
          <Page parts={parts} ids={[2]} />
        </div>,
      )
      await arrive()
      parts.answer(2)
      await arrive()
      parts.answer(1)
      await arrive()
      const states = statesIn(chunks.join(''))
      const blanks = new Set(states.flatMap(({ blanks: places = [] }) => places))
      for (const place of states.flatMap(({ filled = [] }) => filled)) blanks.delete(place)
      expect([...blanks]).toEqual([])
      expect(states.flatMap(({ filled = [] }) => filled)).toHaveLength(1)
    })
  })
}

test('a response that is closed ends the rendering', async () => {
  const { parts, request } = open()
  const response = new PassThrough()
  const errors: unknown[] = []
  const rendering = renderToPipeableStream(
    <DataProvider controller={request.controller}>
      <Page parts={parts} ids={[1]} />
    </DataProvider>,
    {
      onError: (error) => request.digestOf(error) ?? void errors.push(error),
      onShellReady: () => request.pipeToNodeWritable(rendering, response),
    },
  )
  await arrive()
  response.destroy()
  await arrive()
  expect(callsOf(request.controller).isDisposed).toBe(true)
  expect(parts.signals.get(1)?.aborted).toBe(true)
  expect(errors).toEqual([])
})

test('a stream that is cancelled ends the rendering', async () => {
  const { parts, request } = open()
  const rendering = await renderToReadableStream(
    <DataProvider controller={request.controller}>
      <Page parts={parts} ids={[1]} />
    </DataProvider>,
    { onError: () => {} },
  )
  const stream = request.toWebStream(rendering)
  const reader = stream.getReader()
  await reader.read()
  await reader.cancel('left')
  expect(callsOf(request.controller).isDisposed).toBe(true)
  expect(parts.signals.get(1)?.aborted).toBe(true)
})

test('a slow reader is waited for, and gets all of it', async () => {
  const { parts, request } = open()
  const response = new PassThrough({ highWaterMark: 10 })
  const rendering = renderToPipeableStream(
    <DataProvider controller={request.controller}>
      <Page parts={parts} ids={[1, 2, 3]} />
    </DataProvider>,
    { onShellReady: () => request.pipeToNodeWritable(rendering, response) },
  )
  await arrive()
  for (const id of [1, 2, 3]) parts.answer(id)
  await arrive()
  let html = ''
  response.on('data', (chunk: Buffer) => (html += chunk.toString()))
  await arrive()
  expect(keysIn(html).sort()).toEqual([1, 2, 3].map(keyOf))
  expect(html.match(/<p>text \d/g)).toHaveLength(3)
  expect(response.writableFinished).toBe(true)
})

test('the Controller of a request has no timer, and is an option object away from any other', () => {
  const setTimeout = vi.fn(globalThis.setTimeout)
  const clock = { now: () => Date.now(), setTimeout: setTimeout as never, clearTimeout: () => {} }
  const request = createServerRequest({ clock: clock as never })
  const { getPart } = createParts()
  request.controller.setResponse(getPart, { id: 1 }, { id: 1, text: 'a' })
  expect(setTimeout).not.toHaveBeenCalled()
  expect(request.controller).toBeInstanceOf(Controller)
  expect(keysIn(request.script())).toEqual([keyOf(1)])
  expect(request.state().results).toHaveLength(1)
  expect(keysIn(request.nextScript())).toEqual([keyOf(1)])
  expect(request.nextScript()).toBe('')
  request.dispose()
  request.dispose()
})

import { Controller } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import type { ControllerOptions } from '@selfsame/core'
import { dehydrate, dehydrateChanges, stateScript } from '@selfsame/core/hydration'
import type { DehydratedState } from '@selfsame/core/hydration'
import { addToShell } from './html.js'

/** What `createServerRequest` may be told: options of the request's Controller, and these. */
export interface ServerRequestOptions extends ControllerOptions {
  /** The nonce of the page's Content-Security-Policy, for the elements that hold state. @default none */
  readonly nonce?: string | undefined
  /** The id of these elements; `hydrateAsItArrives` is given the same. @default 'selfsame' */
  readonly id?: string | undefined
  /** Ends the request with everything that it started: the visitor has left. @default never */
  readonly signal?: AbortSignal | undefined
}

/** What `renderToPipeableStream` of React gives. */
export interface PipeableRendering {
  // React's type names streams of Node, which are not known here; any destination with their members will do.
  // eslint-disable-next-line typescript/no-explicit-any
  pipe(destination: any): unknown
  abort(reason?: unknown): void
}

/** What a stream of Node has, such as the response of `node:http`. */
export interface NodeWritable {
  readonly writableNeedDrain?: boolean
  readonly writableFinished?: boolean
  write(chunk: Uint8Array): unknown
  end(): unknown
  destroy(error?: Error): unknown
  on(event: string, listener: (...args: never) => void): unknown
}

/**
 * What one request to a server has: a cache of its own, which goes to the page with the HTML that needs it, and ends with
 * the response.
 */
export interface ServerRequest {
  /** For the `DataProvider`, loaders and all else of this request, and of no other. */
  readonly controller: Controller
  /** What is known by now, as plain data: for what else serializes it. */
  state(): DehydratedState
  /** What is known by now, as an element for the page. */
  script(): string
  /** What came since it was called last, as an element for the page; the empty string when nothing did. */
  nextScript(): string
  /**
   * The same as plain data, of which `nextScript` then gives nothing.
   *
   * @returns `undefined` when nothing came
   */
  nextState(): DehydratedState | undefined
  /**
   * For `onError` of React's renderers: which errors nobody has to be told of: those of calls, which the page shows as the server would
   * have, and all of a page that was given up.
   *
   * @returns a digest for React; `undefined` for any other error, which is to be reported
   * @example onError: (error) => request.digestOf(error) ?? console.error(error)
   */
  digestOf(error: unknown): string | undefined
  /**
   * Sends what `renderToPipeableStream` of React renders, each part behind the state that it needs, and ends the request with it.
   * Call it in `onShellReady` or `onAllReady`, in place of `pipe`. A response that is closed before ends the rendering.
   *
   * @param rendering - what `renderToPipeableStream` gave
   * @param response - such as that of `node:http`
   */
  pipeToNodeWritable(rendering: PipeableRendering, response: NodeWritable): void
  /**
   * Makes of the stream that `renderToReadableStream` of React gives one that has the state as well, each part before the
   * HTML that needs it, and ends the request with it. Cancelled, it ends the rendering.
   *
   * @param rendering - what `renderToReadableStream` resolved with
   * @returns the page in UTF-8, for a `Response`
   */
  toWebStream(rendering: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** Ends the request by hand, where something else renders, or it failed. Does nothing the second time. */
  dispose(): void
}

/**
 * Begins a request to a server: makes its Controller, sends its state with the page, and ends it with the response. Its
 * Controller keeps everything until then, and has no timer of its own.
 *
 * @param options - such as `fetch`, by which cookies and headers of this request reach its endpoints
 * @throws {SelfsameError} what the Controller throws
 * @see specification 4.5, Hooks on a server
 * @example
 * const request = createServerRequest({ fetch: (url, init) => fetch(url, withCookies(init)) })
 * const rendering = renderToPipeableStream(
 *   <DataProvider controller={request.controller}><App /></DataProvider>,
 *   { onShellReady: () => request.pipeToNodeWritable(rendering, response) },
 * )
 */
export function createServerRequest(options: ServerRequestOptions = {}): ServerRequest {
  const { nonce, id, signal, ...controllerOptions } = options
  const controller = new Controller({ keepLength: Infinity, ...controllerOptions })
  const nextState = dehydrateChanges(controller)
  const ends = new Set<(reason: unknown) => void>()

  const dispose = () => {
    signal?.removeEventListener('abort', abandon)
    controller.dispose()
  }
  /** The visitor has left: nothing is rendered or asked for any more. */
  const abandon = () => {
    dispose()
    for (const end of ends) end(signal?.reason)
  }
  signal?.addEventListener('abort', abandon)
  if (signal?.aborted === true) abandon()

  const nextScript = () => {
    const state = nextState()
    return state === undefined ? '' : stateScript(state, { id, nonce })
  }

  return {
    controller,
    dispose,
    nextState,
    nextScript,
    state: () => dehydrate(controller),
    script: () => stateScript(dehydrate(controller), { id, nonce }),
    digestOf(error) {
      // Nobody sees what a page fails with that was given up.
      if (callsOf(controller).isDisposed) return 'selfsame'
      const calls = [...callsOf(controller).store.results.values()].flat()
      return calls.some((call) => call.error === error) ? 'selfsame' : undefined
    },
    pipeToNodeWritable(rendering, response) {
      const leave = (reason: unknown) => {
        rendering.abort(reason)
        response.destroy()
      }
      ends.add(leave)
      const page = new PageParts(nextScript)
      const send = () => {
        const part = page.take()
        if (part !== undefined) response.write(part)
      }
      response.on('close', () => {
        dispose()
        if (response.writableFinished !== true) rendering.abort(new Error('The response was closed.'))
      })
      rendering.pipe({
        write(chunk: Uint8Array | string) {
          page.add(chunk)
          return response.writableNeedDrain !== true
        },
        // React calls it when a part is whole, for streams that compress.
        flush: () => {
          send()
          ;(response as { flush?: () => void }).flush?.()
        },
        end: () => {
          send()
          dispose()
          response.end()
        },
        destroy: (error?: Error) => {
          dispose()
          response.destroy(error)
        },
        on: (event: string, listener: (...args: never) => void) => response.on(event, listener),
      })
      if (signal?.aborted === true) leave(signal.reason)
    },
    toWebStream(rendering) {
      const reader = rendering.getReader()
      const page = new PageParts(nextScript)
      let reading: ReturnType<typeof reader.read> | undefined
      return new ReadableStream<Uint8Array>(
        {
          start(sink) {
            const leave = (reason: unknown) => {
              sink.error(reason)
              reader.cancel(reason).catch(() => {})
            }
            ends.add(leave)
            if (signal?.aborted === true) leave(signal.reason)
          },
          async pull(sink) {
            try {
              let isDone = false
              // What React wrote at once is a part: all of it can be read within one task.
              while (!isDone) {
                reading ??= reader.read()
                const read = await (page.isEmpty ? reading : Promise.race([reading, nextTask()]))
                if (read === undefined) break
                reading = undefined
                if (read.done) isDone = true
                else page.add(read.value)
              }
              const part = page.take()
              if (part !== undefined) sink.enqueue(part)
              if (!isDone) return
              dispose()
              sink.close()
            } catch (error) {
              dispose()
              sink.error(error)
            }
          },
          async cancel(reason) {
            dispose()
            await reader.cancel(reason)
          },
        },
        { highWaterMark: 0 },
      )
    },
  }
}

/** Puts state before the HTML that needs it. Between two parts of what React writes no element is open that it did not mean to be. */
class PageParts {
  readonly #nextScript: () => string
  readonly #encoder = new TextEncoder()
  #chunks: Uint8Array[] = []
  #isShell = true

  constructor(nextScript: () => string) {
    this.#nextScript = nextScript
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  add(chunk: Uint8Array | string): void {
    // React writes into its buffers again.
    this.#chunks.push(typeof chunk === 'string' ? this.#encoder.encode(chunk) : new Uint8Array(chunk))
  }

  /** The part that was written, with what became known meanwhile; `undefined` when nothing was. */
  take(): Uint8Array | undefined {
    if (this.isEmpty) return undefined
    const html = concatenate(this.#chunks)
    this.#chunks = []
    const script = this.#nextScript()
    const isShell = this.#isShell
    this.#isShell = false
    if (script === '') return html
    if (isShell) return this.#encoder.encode(addToShell(new TextDecoder().decode(html), script))
    return concatenate([this.#encoder.encode(script), html])
  }
}

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

const nextTask = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 0))

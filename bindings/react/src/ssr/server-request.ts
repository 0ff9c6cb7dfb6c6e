import { Controller } from '@selfsame/core'
import { awaitedOnServer, callsOf } from '@selfsame/core/bindings'
import type { Asking } from '@selfsame/core/bindings'
import type { ControllerOptions } from '@selfsame/core'
import { dehydrate, dehydrateChanges, errorsOf, stateScript } from '@selfsame/core/hydration'
import type { DehydratedState } from '@selfsame/core/hydration'
import { use } from '../use.js'
import { addToShell } from './html.js'

/** Options of `createServerRequest`: those of the request's Controller, and these. */
export interface ServerRequestOptions extends ControllerOptions {
  /** The nonce of the page's Content-Security-Policy, for the elements that hold state. @default none */
  readonly nonce?: string | undefined
  /** The id of these elements; pass the same one to `hydrateAsItArrives`. @default 'selfsame' */
  readonly id?: string | undefined
  /** Ends the request and aborts its fetches, for example when the visitor leaves. @default never */
  readonly signal?: AbortSignal | undefined
}

/** The result of React's `renderToPipeableStream`. */
export interface PipeableRendering {
  // React's type names Node streams, which this package does not know; any destination with these members works.
  // eslint-disable-next-line typescript/no-explicit-any
  pipe(destination: any): unknown
  abort(reason?: unknown): void
}

/** The part of a Node stream that is used here, for example of a `node:http` response. */
export interface NodeWritable {
  readonly writableNeedDrain?: boolean
  readonly writableFinished?: boolean
  write(chunk: Uint8Array): unknown
  end(): unknown
  destroy(error?: Error): unknown
  on(event: string, listener: (...args: never) => void): unknown
}

/**
 * One request to a server. It has a cache of its own, sends that cache's state with the HTML that needs it, and ends
 * with the response.
 */
export interface ServerRequest {
  /** Pass it to the `DataProvider`, the loaders and everything else of this request, and of no other. */
  readonly controller: Controller
  /** The errors of the calls that failed so far, for example to choose the status of the response. */
  errors(): readonly Error[]
  /** All state known so far, as plain data, for another serializer. */
  state(): DehydratedState
  /** All state known so far, as a `<script>` element for the page. */
  script(): string
  /**
   * The state that arrived since the last call of `nextScript` or `nextState`, as an element for the page; an empty
   * string if there is none.
   */
  nextScript(): string
  /**
   * The same state as plain data. `nextScript` does not repeat it.
   *
   * @returns `undefined` if nothing arrived
   */
  nextState(): DehydratedState | undefined
  /**
   * For `onError` of React's renderers: recognizes errors that need no report. These are errors of calls, which the
   * page shows as the server would have, and all errors of an aborted page.
   *
   * @returns a digest for React; `undefined` for any other error, which you should report
   * @example onError: (error) => request.digestOf(error) ?? console.error(error)
   */
  digestOf(error: unknown): string | undefined
  /**
   * Streams the output of React's `renderToPipeableStream`: sends each part after the state that it needs, then ends
   * the request. Call it in `onShellReady` or `onAllReady`, in place of `pipe`. If the response closes early,
   * rendering is aborted.
   *
   * @param rendering - the result of `renderToPipeableStream`
   * @param response - for example the one of `node:http`
   */
  pipeToNodeWritable(rendering: PipeableRendering, response: NodeWritable): void
  /**
   * Adds state to the stream of React's `renderToReadableStream`: each part follows the state that it needs. Ends the
   * request after the last part. Cancelling the stream aborts rendering.
   *
   * @param rendering - the value that `renderToReadableStream` resolved with
   * @returns the page in UTF-8, for a `Response`
   */
  toWebStream(rendering: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** Ends the request, if it failed or something else renders it. Does nothing when called again. */
  dispose(): void
}

/**
 * Starts a request to a server: creates its Controller, sends its state with the page, and disposes of it with the
 * response. Until then the Controller keeps all data, and sets no timers of its own.
 *
 * @param options - for example `fetch`, which can forward cookies and headers of this request to the endpoints
 * @throws {SelfsameError} what `new Controller` throws
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
  callsOf(controller).onServer = (reader) => {
    // Readers that do not suspend are of this type.
    const awaited = awaitedOnServer(reader as Asking)
    if (awaited !== undefined) use(awaited)
  }
  const nextState = dehydrateChanges(controller)
  const ends = new Set<(reason: unknown) => void>()

  const dispose = () => {
    signal?.removeEventListener('abort', abandon)
    controller.dispose()
  }
  /** The visitor left: stops rendering and fetching. */
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
    errors: () => errorsOf(controller),
    state: () => dehydrate(controller),
    script: () => stateScript(dehydrate(controller), { id, nonce }),
    digestOf(error) {
      // Errors of an aborted page reach no visitor.
      if (callsOf(controller).isDisposed) return 'selfsame'
      return errorsOf(controller).includes(error as Error) ? 'selfsame' : undefined
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
        // React calls this after each complete part, for streams that compress.
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
              // React writes one part within one task: read all of it, then send it.
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

/** Puts state before the HTML that needs it. Between two parts that React writes, no element is open by accident. */
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
    // Copies the chunk, because React reuses its buffers.
    this.#chunks.push(typeof chunk === 'string' ? this.#encoder.encode(chunk) : new Uint8Array(chunk))
  }

  /** The written part, preceded by the state that arrived meanwhile; `undefined` if nothing was written. */
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

import { Controller } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import type { ControllerOptions } from '@selfsame/core'
import { dehydrate, stateScript } from '@selfsame/core/hydration'
import type { DehydratedState } from '@selfsame/core/hydration'
import type { App } from 'vue'
import { renderToSimpleStream, renderToString } from 'vue/server-renderer'
import type { SSRContext } from 'vue/server-renderer'
import { markAsServer } from './context.js'

/** What `createServerRequest` may be told: options of the request's Controller, and these. */
export interface ServerRequestOptions extends ControllerOptions {
  /** The nonce of the page's Content-Security-Policy, for the script that holds the state. @default none */
  readonly nonce?: string | undefined
  /** The id of that script; `hydrateFromPage` is given the same. @default 'selfsame' */
  readonly id?: string | undefined
  /** Ends the request with everything that it started: the visitor has left. @default never */
  readonly signal?: AbortSignal | undefined
}

/** What stands around an app in a page that is streamed. */
export interface PageFrame {
  /** Sent at once: all up to the element of the app, and that. @default '' */
  readonly before?: string | undefined
  /**
   * Sent last: the end of that element, the state, and the rest. Called when the app is rendered.
   *
   * @param script - the element that holds the state. It stands before the script that mounts the app, and outside of
   *   the app's element
   * @default the script alone
   */
  readonly after?: ((script: string) => string) | undefined
}

/** What a stream of Node has, such as the response of `node:http`. */
export interface NodeWritable {
  write(chunk: string): unknown
  end(): unknown
  destroy(error?: Error): unknown
  once(event: 'close', listener: () => void): unknown
}

/** A page that was rendered. */
export interface RenderedPage {
  /** The HTML of the app, for its element. */
  readonly html: string
  /** The element that holds the state. It stands outside of the app's element. */
  readonly script: string
  /** What calls failed with: the status of the response may depend on it. */
  readonly errors: readonly Error[]
}

/**
 * What one request to a server has: a cache of its own, which goes to the page with what was rendered, and ends with the
 * response.
 */
export interface ServerRequest {
  /** For `dataPlugin`, stores, guards and loaders of this request, and of no other. */
  readonly controller: Controller
  /** What is known by now, as plain data: for a payload that something else serializes. */
  state(): DehydratedState
  /** What is known by now, as an element for the page, which `hydrateFromPage` takes. */
  script(): string
  /**
   * Renders an app when all that it waits for is there, and ends the request.
   *
   * @param app - made for this request, with `dataPlugin` and this Controller
   * @param context - is given to the app by `useSSRContext` @default {}
   * @throws what the renderer of Vue throws; the reason of `signal`
   */
  renderToString(app: App, context?: SSRContext): Promise<RenderedPage>
  /**
   * Renders an app part by part, in order, and ends the request after the last, or when the stream is cancelled.
   *
   * @param app - made for this request, with `dataPlugin` and this Controller
   * @param frame - what stands around the app
   * @param context - is given to the app by `useSSRContext` @default {}
   * @returns the page in UTF-8, for a `Response`
   */
  renderToWebStream(app: App, frame?: PageFrame, context?: SSRContext): ReadableStream<Uint8Array>
  /**
   * Does the same to a stream of Node, and ends it. Ends the request also when the stream is closed before.
   *
   * @param app - made for this request, with `dataPlugin` and this Controller
   * @param writable - such as the response of `node:http`
   * @param frame - what stands around the app
   * @param context - is given to the app by `useSSRContext` @default {}
   */
  pipeToNodeWritable(app: App, writable: NodeWritable, frame?: PageFrame, context?: SSRContext): void
  /** Ends the request by hand, where something else renders. Does nothing the second time. */
  dispose(): void
}

/**
 * Begins a request to a server: makes its Controller, renders with it, and ends it with the response.
 *
 * @param options - such as `fetch`, by which cookies and headers of this request reach its endpoints
 * @throws {SelfsameError} what the Controller throws
 * @see specification 4.5, Hooks on a server
 * @example
 * const request = createServerRequest({ fetch: (url, init) => fetch(url, withCookies(init)) })
 * const app = createSSRApp(App).use(dataPlugin, { controller: request.controller })
 * const { html, script } = await request.renderToString(app)
 * response.end(`<div id="app">${html}</div>${script}<script type="module" src="/page.js"></script>`)
 */
export function createServerRequest(options: ServerRequestOptions = {}): ServerRequest {
  const { nonce, id, signal, ...controllerOptions } = options
  const controller = new Controller(controllerOptions)
  markAsServer(controller)
  const apps = new Set<App>()
  const dispose = () => {
    signal?.removeEventListener('abort', abandon)
    controller.dispose()
  }
  /** Nobody waits for the page any more: what its components fail with now is nobody's concern. */
  const abandon = () => {
    for (const { config } of apps) config.errorHandler = () => {}
    dispose()
  }
  signal?.addEventListener('abort', abandon)
  if (signal?.aborted === true) abandon()

  const state = () => dehydrate(controller)
  const script = () => stateScript(state(), { id, nonce })

  /** Renders an app into a sink; what comes after its end, or after `abandon`, is dropped. */
  const stream = (app: App, sink: Sink, frame: PageFrame, context: SSRContext) => {
    const { before = '', after = (element: string) => element } = frame
    apps.add(app)
    if (signal?.aborted === true) return sink.fail(signal.reason)
    signal?.addEventListener('abort', () => sink.fail(signal.reason))
    if (before !== '') sink.write(before)
    const destroy = (error: unknown) => {
      dispose()
      sink.fail(error)
    }
    renderToSimpleStream(app, context, {
      push(chunk) {
        if (callsOf(controller).isDisposed) return
        if (chunk !== null) return void sink.write(chunk)
        try {
          sink.write(after(script()))
          dispose()
          sink.end()
        } catch (error) {
          destroy(error)
        }
      },
      destroy,
    })
  }

  return {
    controller,
    state,
    script,
    dispose,
    async renderToString(app, context = {}) {
      apps.add(app)
      try {
        signal?.throwIfAborted()
        const html = await renderToString(app, context)
        signal?.throwIfAborted()
        const calls = [...callsOf(controller).store.results.values()].flat()
        return { html, script: script(), errors: calls.flatMap(({ error }) => error ?? []) }
      } finally {
        dispose()
      }
    },
    renderToWebStream(app, frame = {}, context = {}) {
      const encoder = new TextEncoder()
      return new ReadableStream<Uint8Array>({
        start(sink) {
          const write = (chunk: string) => sink.enqueue(encoder.encode(chunk))
          const fail = (error: unknown) => sink.error(error)
          stream(app, { write, end: () => sink.close(), fail }, frame, context)
        },
        cancel: abandon,
      })
    },
    pipeToNodeWritable(app, writable, frame = {}, context = {}) {
      const sink: Sink = {
        write: (chunk) => writable.write(chunk),
        end: () => writable.end(),
        fail: (error) => writable.destroy(error as Error),
      }
      writable.once('close', abandon)
      stream(app, sink, frame, context)
    },
  }
}

/** Where a page is written to. */
interface Sink {
  write(chunk: string): void
  end(): void
  fail(error: unknown): void
}

import { Controller } from '@selfsame/core'
import { awaitedOnServer, callsOf } from '@selfsame/core/bindings'
import type { Asking } from '@selfsame/core/bindings'
import type { ControllerOptions } from '@selfsame/core'
import { dehydrate, errorsOf, stateScript } from '@selfsame/core/hydration'
import type { DehydratedState } from '@selfsame/core/hydration'
import type { App } from 'vue'
import { renderToSimpleStream, renderToString } from 'vue/server-renderer'
import type { SSRContext } from 'vue/server-renderer'
import { markAsServer } from './context.js'

/** Options of `createServerRequest`: those of the request's Controller, and these. */
export interface ServerRequestOptions extends ControllerOptions {
  /** The nonce of the page's Content-Security-Policy, for the script that holds the state. @default none */
  readonly nonce?: string | undefined
  /** The id of that script; pass the same one to `hydrateFromPage`. @default 'selfsame' */
  readonly id?: string | undefined
  /** Ends the request and aborts its fetches, for example when the visitor leaves. @default never */
  readonly signal?: AbortSignal | undefined
}

/** The HTML around an app in a streamed page. */
export interface PageFrame {
  /** Sent first: the HTML up to the app's element, including its start tag. @default '' */
  readonly before?: string | undefined
  /**
   * Returns the HTML that is sent last: the end tag of the app's element, the state, and the rest. Called when the
   * app is rendered.
   *
   * @param script - the element that holds the state. Put it before the script that mounts the app, and outside
   *   the app's element
   * @default the script alone
   */
  readonly after?: ((script: string) => string) | undefined
}

/** The part of a Node stream that is used here, for example of a `node:http` response. */
export interface NodeWritable {
  write(chunk: string): unknown
  end(): unknown
  destroy(error?: Error): unknown
  once(event: 'close', listener: () => void): unknown
}

/** The result of `renderToString`. */
export interface RenderedPage {
  /** The HTML of the app. Put it into the app's element. */
  readonly html: string
  /** The element that holds the state. Put it outside the app's element. */
  readonly script: string
  /** The errors of the calls that failed or could not be made, for example to choose the status of the response. */
  readonly errors: readonly Error[]
}

/**
 * One request to a server. It has a cache of its own, sends that cache's state with the HTML, and ends with the
 * response.
 */
export interface ServerRequest {
  /** Pass it to `dataPlugin`, the stores, guards and loaders of this request, and of no other. */
  readonly controller: Controller
  /** The errors of the calls that failed or could not be made so far, for example to choose the status of the response. */
  errors(): readonly Error[]
  /** All state known so far, as plain data, for another serializer. */
  state(): DehydratedState
  /** All state known so far, as a `<script>` element for the page, which `hydrateFromPage` reads. */
  script(): string
  /**
   * Renders an app once all data that it waits for is there, and ends the request.
   *
   * @param app - create it for this request, with `dataPlugin` and this Controller
   * @param context - what `useSSRContext` returns in the app @default {}
   * @throws what Vue's renderer throws; the reason of `signal` if it aborts
   */
  renderToString(app: App, context?: SSRContext): Promise<RenderedPage>
  /**
   * Streams an app part by part, in order. Ends the request after the last part, and when the stream is cancelled.
   *
   * @param app - create it for this request, with `dataPlugin` and this Controller
   * @param frame - the HTML around the app @default none
   * @param context - what `useSSRContext` returns in the app @default {}
   * @returns the page in UTF-8, for a `Response`
   */
  renderToWebStream(app: App, frame?: PageFrame, context?: SSRContext): ReadableStream<Uint8Array>
  /**
   * Streams an app like `renderToWebStream`, into a Node stream, and ends that. If the stream closes early, the
   * request ends.
   *
   * @param app - create it for this request, with `dataPlugin` and this Controller
   * @param writable - for example the response of `node:http`
   * @param frame - the HTML around the app @default none
   * @param context - what `useSSRContext` returns in the app @default {}
   */
  pipeToNodeWritable(app: App, writable: NodeWritable, frame?: PageFrame, context?: SSRContext): void
  /** Ends the request, if something else renders it. Does nothing when called again. */
  dispose(): void
}

/**
 * Starts a request to a server: creates its Controller, renders with it, and disposes of it with the response.
 *
 * @param options - for example `fetch`, which can forward cookies and headers of this request to the endpoints
 * @throws {SelfsameError} what `new Controller` throws
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
  const calls = callsOf(controller)
  const unmade: Error[] = []
  const { call } = calls
  calls.call = (...args) => {
    try {
      return call.apply(calls, args)
    } catch (error) {
      // It has no key, so the store does not know it. A boundary may catch the error.
      unmade.push(error as Error)
      throw error
    }
  }
  calls.onServer = async (get) => {
    for (;;) {
      // The readers of composables that do not wait are of this type.
      const awaited = awaitedOnServer((get as () => Asking)())
      if (awaited === undefined) return
      await awaited
    }
  }
  const apps = new Set<App>()
  const dispose = () => {
    signal?.removeEventListener('abort', abandon)
    controller.dispose()
  }
  /** The visitor left, so errors of the components are dropped. */
  const abandon = () => {
    for (const { config } of apps) config.errorHandler = () => {}
    dispose()
  }
  signal?.addEventListener('abort', abandon)
  if (signal?.aborted === true) abandon()

  const state = () => dehydrate(controller)
  const script = () => stateScript(state(), { id, nonce })
  const errors = () => [...errorsOf(controller), ...unmade]

  /** Renders an app into a sink. Drops output after the end and after `abandon`. */
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
    errors,
    dispose,
    async renderToString(app, context = {}) {
      apps.add(app)
      try {
        signal?.throwIfAborted()
        const html = await renderToString(app, context)
        signal?.throwIfAborted()
        return { html, script: script(), errors: errors() }
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

/** The destination of a streamed page. */
interface Sink {
  write(chunk: string): void
  end(): void
  fail(error: unknown): void
}

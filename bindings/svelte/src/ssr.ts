import { Controller } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import type { ControllerOptions } from '@selfsame/core'
import { dehydrate, errorsOf, stateScript } from '@selfsame/core/hydration'
import type { DehydratedState } from '@selfsame/core/hydration'
import type { Component } from 'svelte'
import { contextOf } from './context.js'
import { ServerRender, findCarried } from './server-render.js'
import type { CarriedForm } from './server-render.js'
import type { AnyProps } from './ssr-page.js'
import { Suspension } from './suspension.js'

export { hydratePage } from './ssr-page.js'
export type { HydratePageOptions } from './ssr-page.js'

/** Options of `createServerRequest`: those of the request's Controller, and these. */
export interface ServerRequestOptions extends ControllerOptions {
  /**
   * The nonce of the page's Content-Security-Policy, for Svelte's scripts and the one that holds the state.
   *
   * @default none
   */
  readonly nonce?: string | undefined
  /** The id of the script that holds the state; pass the same one to `hydratePage`. @default 'selfsame' */
  readonly id?: string | undefined
  /** Ends the request and aborts its fetches, for example when the visitor leaves. @default never */
  readonly signal?: AbortSignal | undefined
}

/** Options of a request's `render`: those of `render` of `svelte/server`, but `nonce` replaces `csp`. */
export interface RenderPageOptions<Props extends AnyProps> {
  /** The props of the component. @default {} */
  readonly props?: Props | undefined
  /** Other contexts for the component. @default none */
  readonly context?: ReadonlyMap<unknown, unknown> | undefined
  /** The prefix of the ids that `$props.id()` returns. @default '' */
  readonly idPrefix?: string | undefined
  /**
   * Turns an error that is not one of a call into the value that a boundary shows: plain data, which is serialized
   * into the page. Throw an error to let the render fail with it.
   *
   * @default throws the error again
   */
  readonly transformError?: ((error: unknown) => unknown) | undefined
}

/** The result of `render`. */
export interface RenderedPage {
  /** The HTML for the `head` element: title, styles, and the content of `<svelte:head>`. */
  readonly head: string
  /** The HTML of the component. Put it into the element that is the `target` of `hydratePage`. */
  readonly body: string
  /** The element that holds the state. Put it outside the target. */
  readonly script: string
  /** The errors that boundaries showed instead of content, for example to choose the status of the response. */
  readonly errors: readonly Error[]
}

/**
 * One request to a server. It has a cache of its own, sends that cache's state with the HTML, and ends with the
 * response.
 */
export interface ServerRequest {
  /** The Controller of this request, and of no other: use it to fetch before `render`, and in `load` functions. */
  readonly controller: Controller
  /** The errors of the calls that failed so far, for example to choose the status of the response. */
  errors(): readonly Error[]
  /** All state known so far, as plain data, for another serializer. */
  state(): DehydratedState
  /** All state known so far, as a `<script>` element for the page, which `hydratePage` reads. */
  script(): string
  /**
   * Renders a component once all data that it waits for is there, and ends the request. Hooks find the Controller
   * without a `DataProvider`. Works with and without `experimental.async`: if `current` has no data, it is fetched
   * and the component re-renders, once per level of components that need the data of the level above. The
   * component also re-renders if readers that do not wait would show something else by then, so that the page
   * hydrates to the same HTML. Renders 20 times at most.
   *
   * @throws an error of a call that no boundary shows; the reason of `signal` if it aborts
   */
  render<Props extends AnyProps>(
    component: Component<Props>,
    options?: RenderPageOptions<Props>,
  ): Promise<RenderedPage>
  /** Ends the request, if something else renders it. Does nothing when called again. */
  dispose(): void
}

/** The maximum number of renders of a page that waits for other data each time. */
const mostRenders = 20

/**
 * Starts a request to a server: creates its Controller, renders with it, and disposes of it with the response.
 *
 * @param options - for example `fetch`, which can forward cookies and headers of this request to the endpoints
 * @throws {SelfsameError} what `new Controller` throws
 * @see specification 4.5, Hooks on a server
 * @example
 * const request = createServerRequest({ fetch: (url, init) => fetch(url, withCookies(init)) })
 * const { head, body, script } = await request.render(App, { props: { id: 5 } })
 * response.end(`<head>${head}</head><body><div id="app">${body}</div>${script}</body>`)
 */
export function createServerRequest(options: ServerRequestOptions = {}): ServerRequest {
  const { nonce, id, signal, ...controllerOptions } = options
  const controller = new Controller(controllerOptions)
  const dispose = () => {
    signal?.removeEventListener('abort', dispose)
    controller.dispose()
  }
  signal?.addEventListener('abort', dispose)
  if (signal?.aborted === true) dispose()

  const state = () => dehydrate(controller)
  const script = () => stateScript(state(), { id, nonce })

  return {
    controller,
    state,
    script,
    errors: () => errorsOf(controller),
    dispose,
    async render(component, renderOptions = {}) {
      try {
        const page = await renderSettled(controller, component, { ...renderOptions, nonce }, signal)
        return { ...page, script: script() }
      } catch (error) {
        signal?.throwIfAborted()
        throw error
      } finally {
        dispose()
      }
    },
  }
}

interface RenderSettledOptions<Props extends AnyProps> extends RenderPageOptions<Props> {
  readonly nonce: string | undefined
}

async function renderSettled<Props extends AnyProps>(
  controller: Controller,
  component: Component<Props>,
  options: RenderSettledOptions<Props>,
  signal: AbortSignal | undefined,
): Promise<Omit<RenderedPage, 'script'>> {
  // Imported here and not at the top, because pages import this module too.
  const { render } = await import('svelte/server')
  const { props, context, idPrefix, nonce, transformError } = options

  for (let renders = 1; ; renders++) {
    signal?.throwIfAborted()
    const serverRender = new ServerRender()
    const errors = new Set<Error>()
    let suspension: Suspension | undefined
    const transform = (thrown: unknown): unknown => {
      const shown = findCarried(controller, thrown)
      // An inner boundary without an error fallback rethrows the serialized form.
      if (shown !== undefined) return thrown
      if (thrown instanceof Suspension) return (suspension = thrown)
      const key = keyOf(controller, thrown)
      if (key !== undefined) {
        errors.add(thrown as Error)
        return carry(key, thrown as Error)
      }
      if (transformError === undefined) throw thrown
      return transformError(thrown)
    }
    let page: Omit<RenderedPage, 'script'> | undefined
    try {
      const { head, body } = await render(component as Component<AnyProps>, {
        props: props ?? {},
        context: contextOf(controller, context, (thrown) => findCarried(controller, thrown), serverRender),
        ...(idPrefix !== undefined && { idPrefix }),
        ...(nonce !== undefined && { csp: { nonce } }),
        transformError: transform,
      })
      page = { head, body, errors: [...errors] }
    } catch (error) {
      if (!(error instanceof Suspension)) throw error
      suspension = error
    }
    await settle(controller, signal)
    const isLast = renders === mostRenders
    if (suspension !== undefined) {
      // The component waits for another call in each render, or for one that does not settle.
      if (isLast || !suspension.waiting.isOver()) throw suspension
    } else if (page !== undefined && (isLast || !serverRender.isBehind())) return page
  }
}

/** Waits until no request is in flight. A failed call is not fetched again in later renders of this request. */
async function settle(controller: Controller, signal: AbortSignal | undefined): Promise<void> {
  const { store, heldErrors } = callsOf(controller)
  for (;;) {
    const rows = [...store.results.values()].flat()
    const fetching = rows.filter((row) => row.fetching)
    if (fetching.length === 0) {
      for (const row of rows) if (row.error !== undefined) heldErrors.add(row)
      return
    }
    await new Promise<void>((resolve, reject) => {
      const ends = fetching.map((row) => {
        row.listen(look)
        return () => row.unlisten(look)
      })
      signal?.addEventListener('abort', leave)
      function look(): void {
        if (fetching.some((row) => row.fetching)) return
        end()
        resolve()
      }
      function leave(): void {
        end()
        reject(signal?.reason as Error)
      }
      function end(): void {
        for (const unlisten of ends) unlisten()
        signal?.removeEventListener('abort', leave)
      }
    })
  }
}

/** Serializes the error of a call for the page. A boundary of Svelte's own shows the message. */
function carry(key: string, error: Error): CarriedForm & { readonly message: string } {
  const { name, message, code, status } = error as Error & {
    readonly code?: unknown
    readonly status?: unknown
  }
  return {
    selfsame: key,
    name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(typeof status === 'number' && { status }),
  } as CarriedForm & { readonly message: string }
}

/** The key of the call that failed with this error. */
function keyOf(controller: Controller, error: unknown): string | undefined {
  const { store } = callsOf(controller)
  return [...store.results.values()].flat().find((row) => row.error !== undefined && row.error === error)?.key
}

import { Controller } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import type { ControllerOptions } from '@selfsame/core'
import { dehydrate, stateScript } from '@selfsame/core/hydration'
import type { DehydratedState } from '@selfsame/core/hydration'
import type { Component } from 'svelte'
import { contextOf } from './context.js'
import { ServerRender, findCarried } from './server-render.js'
import type { CarriedForm } from './server-render.js'
import type { AnyProps } from './ssr-page.js'
import { Suspension } from './suspension.js'

export { hydratePage } from './ssr-page.js'
export type { HydratePageOptions } from './ssr-page.js'

/** What `createServerRequest` may be told: options of the request's Controller, and these. */
export interface ServerRequestOptions extends ControllerOptions {
  /** The nonce of the page's Content-Security-Policy, for scripts of Svelte and the one that holds the state. @default none */
  readonly nonce?: string | undefined
  /** The id of the script that holds the state; `hydratePage` is given the same. @default 'selfsame' */
  readonly id?: string | undefined
  /** Ends the request with everything that it started: the visitor has left. @default never */
  readonly signal?: AbortSignal | undefined
}

/** What `render` of a request may be told: what `render` of `svelte/server` may, except `csp`, which `nonce` says. */
export interface RenderPageOptions<Props extends AnyProps> {
  /** Of the component. @default {} */
  readonly props?: Props | undefined
  /** The contexts of others. @default none */
  readonly context?: ReadonlyMap<unknown, unknown> | undefined
  /** Begins the ids that `$props.id()` gives. @default '' */
  readonly idPrefix?: string | undefined
  /**
   * What a boundary shows for an error that is not one of a call: plain data, which goes to the page. Throws what the page
   * is to fail with.
   *
   * @default throws it again
   */
  readonly transformError?: ((error: unknown) => unknown) | undefined
}

/** A page that was rendered. */
export interface RenderedPage {
  /** For the `head` element: title, styles, and what `<svelte:head>` says. */
  readonly head: string
  /** The HTML of the component, for the element that is the `target` of `hydratePage`. */
  readonly body: string
  /** The element that holds the state. It stands outside of that element. */
  readonly script: string
  /** What boundaries showed instead of content: the status of the response may depend on it. */
  readonly errors: readonly Error[]
}

/**
 * What one request to a server has: a cache of its own, which goes to the page with what was rendered, and ends with the
 * response.
 */
export interface ServerRequest {
  /** The cache of this request, and of no other: to fetch before `render`, and for `load` functions. */
  readonly controller: Controller
  /** What is known by now, as plain data: for what else serializes it. */
  state(): DehydratedState
  /** What is known by now, as an element for the page, which `hydratePage` takes. */
  script(): string
  /**
   * Renders a component when all that it waits for is there, and ends the request. Hooks find the Controller without a
   * `DataProvider`. Waits with and without `experimental.async`: what `current` needs is fetched, and the component rendered
   * again, once for each component that needs the data of one above it. It is also rendered again when readers
   * that wait for nothing would show something else by then, so that the page shows what the server did.
   *
   * @throws an error of a call that no boundary shows; the reason of `signal`
   */
  render<Props extends AnyProps>(
    component: Component<Props>,
    options?: RenderPageOptions<Props>,
  ): Promise<RenderedPage>
  /** Ends the request by hand, where something else renders. Does nothing the second time. */
  dispose(): void
}

/** How often a page is rendered at most, where each time something else is waited for. */
const mostRenders = 20

/**
 * Begins a request to a server: makes its Controller, renders with it, and ends it with the response.
 *
 * @param options - such as `fetch`, by which cookies and headers of this request reach its endpoints
 * @throws {SelfsameError} what the Controller throws
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
  // Not imported with this module, which pages import as well.
  const { render } = await import('svelte/server')
  const { props, context, idPrefix, nonce, transformError } = options

  for (let renders = 1; ; renders++) {
    signal?.throwIfAborted()
    const serverRender = new ServerRender()
    const errors = new Set<Error>()
    let suspension: Suspension | undefined
    const transform = (thrown: unknown): unknown => {
      const shown = findCarried(controller, thrown)
      // An inner boundary that shows no errors passes on what it was given.
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
      // Each time another call, or one that nobody answers.
      if (isLast || !suspension.waiting.isOver()) throw suspension
    } else if (page !== undefined && (isLast || !serverRender.isBehind())) return page
  }
}

/** Waits until no call is in flight. What failed stands for the rest of the request: it is not asked for in each render. */
async function settle(controller: Controller, signal: AbortSignal | undefined): Promise<void> {
  const { store, standing } = callsOf(controller)
  for (;;) {
    const rows = [...store.results.values()].flat()
    const fetching = rows.filter((row) => row.fetching)
    if (fetching.length === 0) {
      for (const row of rows) if (row.error !== undefined) standing.add(row)
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

/** What stands for the error of a call in the page. A boundary of Svelte's own shows its message. */
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

/** The key of the call that failed with an error. */
function keyOf(controller: Controller, error: unknown): string | undefined {
  const { store } = callsOf(controller)
  return [...store.results.values()].flat().find((row) => row.error !== undefined && row.error === error)?.key
}

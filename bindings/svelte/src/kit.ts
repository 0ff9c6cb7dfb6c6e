import { Controller } from '@selfsame/core'
import type { ControllerOptions } from '@selfsame/core'
import { dehydrate, hydrateFromPage, stateScript } from '@selfsame/core/hydration'
import { error, redirect } from '@sveltejs/kit'
import { BROWSER } from 'esm-env'
import { answerOfLoad } from './kit/answer.js'
import type { PrefetchOptions } from './kit/answer.js'

export type { PrefetchOptions } from './kit/answer.js'

/** The part of an event of a universal `load` that is used here. */
export interface LoadEvent {
  readonly fetch: typeof globalThis.fetch
  readonly url: URL
}

/** The part of an event of the `load` of a page below the root layout that is used here. */
export interface PageLoadEvent extends LoadEvent {
  readonly params: { readonly [name: string]: string | undefined }
  parent(): Promise<{ readonly controller: Controller }>
}

/**
 * The pages that `handle` sends, with the Controller of each. SvelteKit gives `handle` and each `load` the same `url` object,
 * which no other request has.
 */
const pages = new WeakMap<URL, Controller | undefined>()

/**
 * Makes the `load` of the root layout: returns the Controller as `data.controller`, one for each request on the server, one for
 * the page in the browser. On the server its requests go through the `fetch` of SvelteKit, which sends the cookies of the
 * visitor. `handle` sends what it has fetched with the page, so that the page fetches nothing.
 *
 * @param options - options of the Controller, except `fetch` @default {}
 * @throws {SelfsameError} what `new Controller` throws; `argument-invalid` for a state in the page that is damaged
 * @see specification 4.5, Hooks on a server
 * @example
 * // src/routes/+layout.ts
 * export const load = loadController()
 */
export function loadController(
  options: Omit<ControllerOptions, 'fetch'> = {},
): (event: LoadEvent) => { readonly controller: Controller } {
  let ofPage: Controller | undefined
  const inBrowser = ({ fetch }: LoadEvent) => {
    if (ofPage === undefined) {
      ofPage = new Controller({ ...options, fetch })
      hydrateFromPage(ofPage)
    }
    return { controller: ofPage }
  }
  const onServer = ({ fetch, url }: LoadEvent) => {
    const isSent = pages.has(url)
    // SvelteKit writes a response that a `load` has read into the page, but not its clone, whose data is in the state.
    const send: typeof fetch = async (target, init) => (await fetch(target, init)).clone()
    // It keeps nothing beyond the request, so it needs no timers that collect garbage.
    const controller = new Controller({ keepLength: Infinity, ...options, fetch: isSent ? send : fetch })
    if (isSent) pages.set(url, controller)
    return { controller }
  }
  return BROWSER ? inBrowser : onServer
}

/**
 * Makes the universal `load` of a page, which fetches what its components read. A failed call shows SvelteKit's page of
 * errors with the status of the call, or redirects.
 *
 * @param fetchAll - fetches, for example by `controller.fetchIfStale`, which sends nothing for Valid data
 * @param options - which statuses are passed on, and redirects @default {}
 * @see specification 4.5, Hooks on a server
 * @example
 * // src/routes/todo/[id]/+page.ts
 * export const load = prefetch((controller, { params }) =>
 *   controller.fetchIfStale(todoResource.get, { id: Number(params.id) }),
 * )
 */
export function prefetch<Event extends PageLoadEvent = PageLoadEvent>(
  fetchAll: (controller: Controller, event: Event) => Promise<unknown>,
  options: PrefetchOptions = {},
): (event: Event) => Promise<void> {
  return async (event) => {
    const { controller } = await event.parent()
    try {
      await fetchAll(controller, event)
    } catch (failure) {
      const answer = answerOfLoad(failure, options, event.url)
      if (answer === undefined) throw failure
      if ('redirect' in answer) redirect(302, answer.redirect)
      error(answer.status, answer.message)
    }
  }
}

interface HandleInput {
  readonly event: unknown
  readonly resolve: (
    event: never,
    options: { readonly transformPageChunk: (chunk: { readonly html: string }) => string },
  ) => Response | Promise<Response>
}

/**
 * The `handle` hook of the server. It sends what the Controller of `loadController` has fetched with the page, at the end of its
 * `<head>`.
 *
 * @example
 * // src/hooks.server.ts
 * export { handle } from '@selfsame/svelte/kit'
 */
export const handle = ({ event, resolve }: HandleInput): Response | Promise<Response> => {
  const { url } = event as { readonly url: URL }
  pages.set(url, undefined)
  return resolve(event as never, {
    transformPageChunk({ html }) {
      const controller = pages.get(url)
      if (controller === undefined) return html
      return html.replace('</head>', (end) => stateScript(dehydrate(controller)) + end)
    },
  })
}

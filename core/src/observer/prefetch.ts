import { development } from '#development'
import type { Controller } from '../controller/controller.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { Observer } from './observer.js'

/** Removes the listeners of an element. A function that is also its own `destroy`, as Svelte's actions need it. */
export type EndAttachment = (() => void) & { readonly destroy: () => void }

/**
 * The result of `usePrefetch`. `onIntent` and `onView` take an element: as a `ref` in React and Vue, by `{@attach}` or
 * as an action (`use:`) in Svelte. All of them stay the same functions.
 */
export interface Prefetching {
  /**
   * Fetches the call now, if it is Invalid or Stale and has no request in flight. Never throws the error of a request.
   */
  readonly prefetch: () => void
  /** Fetches when a pointer enters the element, or when the element receives focus. */
  readonly onIntent: (element: Element | null) => EndAttachment | undefined
  /**
   * Fetches when the element scrolls into view, and when the arguments change while it is in view. Does nothing without
   * `IntersectionObserver`.
   */
  readonly onView: (element: Element | null) => EndAttachment | undefined
}

/**
 * Fetches a call before a component reads it. Sends no request while the call is Valid by its own options, or if it
 * failed less than `errorExpiryLength` ago.
 */
export class Prefetch implements Prefetching {
  #call:
    | { readonly controller: Controller; readonly endpoint: EndpointLike; readonly args: readonly unknown[] }
    | undefined
  #key: string | undefined
  readonly #seen = new Set<Element>()
  readonly #ends = new Map<Element, EndAttachment>()
  readonly #views = new Map<Element, EndAttachment>()
  readonly #returnsEnd: boolean

  /**
   * @param returnsEnd - `false` if `onIntent` and `onView` must return nothing, as refs of React 18: it warns of what a
   *   ref returns, and removes an element by `null`
   */
  constructor(returnsEnd = true) {
    this.#returnsEnd = returnsEnd
  }

  /** Sets the call; a first argument of `null` sets none. */
  aim(controller: Controller, endpoint: EndpointLike, args: readonly unknown[]): void {
    const key = args[0] === null ? undefined : endpoint.key(...args)
    const isOther = key !== this.#key
    this.#key = key
    this.#call = key === undefined ? undefined : { controller, endpoint, args }
    if (isOther && this.#seen.size > 0) this.prefetch()
  }

  readonly prefetch = (): void => {
    if (this.#call === undefined) return
    const { controller, endpoint, args } = this.#call
    // An Observer that is never mounted fetches under the same conditions as a mounted reader.
    const observer = new Observer(controller, endpoint, args)
    if (development) observer.occasion = 'prefetch'
    observer.fetchIfDue()
  }

  readonly onIntent = (element: Element | null): EndAttachment | undefined =>
    this.#attach(this.#ends, element, (target) => {
      for (const type of eventsOfIntent) target.addEventListener(type, this.prefetch)
      return () => {
        for (const type of eventsOfIntent) target.removeEventListener(type, this.prefetch)
      }
    })

  readonly onView = (element: Element | null): EndAttachment | undefined =>
    this.#attach(this.#views, element, (target) => {
      if (typeof IntersectionObserver === 'undefined') return () => {}
      const observer = new IntersectionObserver((entries) => {
        const isInView = entries.at(-1)?.isIntersecting === true
        if (!isInView) this.#seen.delete(target)
        else {
          this.#seen.add(target)
          this.prefetch()
        }
      })
      observer.observe(target)
      return () => {
        observer.disconnect()
        this.#seen.delete(target)
      }
    })

  /**
   * Removes all listeners: the component was unmounted.
   *
   * @returns a function that listens to the same elements again, if they are still on the page: StrictMode of React runs
   *   effects twice, and that of React 18 not the refs
   */
  end(): () => void {
    const [intents, views] = [[...this.#ends], [...this.#views]]
    for (const [, end] of [...intents, ...views]) end()
    return () => {
      for (const [element] of intents) if (element.isConnected) this.onIntent(element)
      for (const [element] of views) if (element.isConnected) this.onView(element)
    }
  }

  #attach(...args: Parameters<typeof attach>): EndAttachment | undefined {
    const end = attach(...args)
    return this.#returnsEnd ? end : undefined
  }
}

const eventsOfIntent = ['pointerenter', 'focusin'] as const

/**
 * Calls `begin` once for an element, however often a framework passes it. `null` means that an element was removed from
 * the page.
 */
function attach(
  ends: Map<Element, EndAttachment>,
  element: Element | null,
  begin: (element: Element) => () => void,
): EndAttachment | undefined {
  if (element === null) {
    queueMicrotask(() => {
      for (const [known, end] of [...ends]) if (!known.isConnected) end()
    })
    return undefined
  }
  let end = ends.get(element)
  if (end === undefined) {
    const stop = begin(element)
    const destroy = () => {
      if (ends.delete(element)) stop()
    }
    end = Object.assign(() => destroy(), { destroy })
    ends.set(element, end)
  }
  return end
}

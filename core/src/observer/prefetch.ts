import type { Controller } from '../controller/controller.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { Observer } from './observer.js'

/** Ends what was begun with an element: a function, which Svelte's actions find by name as well. */
export type EndAttachment = (() => void) & { readonly destroy: () => void }

/**
 * What `usePrefetch` gives. `onIntent` and `onView` take an element: as a `ref` in React and Vue, by `{@attach}` or as an
 * action (`use:`) in Svelte. All stay the same functions.
 */
export interface Prefetching {
  /** Asks for the call now, if it is Invalid or Stale and no request is under way. Throws no error of a fetch. */
  readonly prefetch: () => void
  /** Asks when a pointer comes over the element, or the focus into it. */
  readonly onIntent: (element: Element | null) => EndAttachment | undefined
  /** Asks when the element comes into view, and for other arguments while it is. Does nothing without `IntersectionObserver`. */
  readonly onView: (element: Element | null) => EndAttachment | undefined
}

/**
 * Asks for a call before somebody reads it: never more than once while it is Valid, as it says itself, or failed not
 * longer ago than `errorExpiryLength`.
 */
export class Prefetch implements Prefetching {
  #call:
    | { readonly controller: Controller; readonly endpoint: EndpointLike; readonly args: readonly unknown[] }
    | undefined
  #key: string | undefined
  readonly #seen = new Set<Element>()
  readonly #ends = new Map<Element, EndAttachment>()
  readonly #views = new Map<Element, EndAttachment>()

  /** Names the call; `null` in the first place names none. */
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
    // A reader that nobody sees: it asks as one does that comes on screen.
    new Observer(controller, endpoint, args).ask()
  }

  readonly onIntent = (element: Element | null): EndAttachment | undefined =>
    attach(this.#ends, element, (target) => {
      for (const type of intents) target.addEventListener(type, this.prefetch)
      return () => {
        for (const type of intents) target.removeEventListener(type, this.prefetch)
      }
    })

  readonly onView = (element: Element | null): EndAttachment | undefined =>
    attach(this.#views, element, (target) => {
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

  /** The component is gone. */
  end(): void {
    for (const ends of [this.#ends, this.#views]) for (const end of [...ends.values()]) end()
  }
}

const intents = ['pointerenter', 'focusin'] as const

/** Begins something with an element once, however often a framework names it. `null` says that one was taken off the page. */
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

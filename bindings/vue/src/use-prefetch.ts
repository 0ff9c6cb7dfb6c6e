import { Prefetch, endpointOf } from '@selfsame/core/bindings'
import type { EndpointLike, ReadEndpoint } from '@selfsame/core'
import { getCurrentScope, inject, onScopeDispose, ssrContextKey, watchEffect } from 'vue'
import type { ComponentPublicInstance } from 'vue'
import { argsOf, describeCall, sourceOf } from './arguments.js'
import type { ComposableArgs, Source, GivenArgs } from './arguments.js'
import { injectController } from './context.js'

/** A function for the `:ref` of an element, or of a component with one root element. */
type ElementRef = (target: Element | ComponentPublicInstance | null) => void

/** The result of `usePrefetch`: stable functions. */
export interface PrefetchRefs {
  /**
   * Fetches the call immediately, if it is Invalid or Stale and no request is in flight. Throws no error of a fetch.
   */
  readonly prefetch: () => void
  /** Fetches when the pointer or the focus enters the element. */
  readonly onIntent: ElementRef
  /** Fetches when the element scrolls into view, and when the arguments change while it is visible. */
  readonly onView: ElementRef
}

/**
 * Fetches a call before a component reads it: when the pointer or the focus enters an element, or when the element
 * scrolls into view. A Valid call is not fetched again; a failed call is fetched again only after
 * `errorExpiryLength`.
 *
 * @param endpoint - an endpoint that reads, or a ref or getter of one
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` fetches nothing
 * @returns `onIntent` and `onView` for `:ref`, and `prefetch`, which fetches immediately
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.5, The small hooks
 * @example
 * const { onIntent } = usePrefetch(todoResource.get, () => ({ id: props.id }))
 * // <a :href="`/todo/${id}`" :ref="onIntent">{{ title }}</a>
 */
export function usePrefetch<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): PrefetchRefs {
  const controller = injectController(() => describeCall('usePrefetch', endpoint))
  const prefetch = new Prefetch()
  const aim = () => prefetch.aim(controller, endpointOf(sourceOf<EndpointLike>(endpoint)), argsOf(args))
  const isInPage = inject(ssrContextKey, undefined) === undefined
  if (isInPage) watchEffect(aim)
  if (getCurrentScope() !== undefined) onScopeDispose(() => prefetch.end())
  return {
    prefetch: () => {
      // The arguments may have changed just now.
      if (isInPage) aim()
      prefetch.prefetch()
    },
    onIntent: toRef(prefetch.onIntent),
    onView: toRef(prefetch.onView),
  }
}

function toRef(attach: Prefetch['onIntent']): ElementRef {
  return (target) => void attach(target !== null && '$el' in target ? (target.$el as Element) : target)
}

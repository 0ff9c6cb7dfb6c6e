import { Prefetch, endpointOf, errors } from '@selfsame/core/bindings'
import type { ArgsOf, GivenArgs, NullableArgs, Prefetching, ReadEndpoint } from '@selfsame/core'
import { useEffect, useState } from 'react'
import { hasUse } from './use.js'
import { useControllerFor } from './use-controller.js'

const attachAgain = new WeakMap<Prefetch, () => void>()

/**
 * Fetches a call before a component reads it: when the pointer or the focus enters an element, or when the element
 * scrolls into view. A Valid call is not fetched again; a failed call is fetched again only after
 * `errorExpiryLength`.
 *
 * @param given - an endpoint that reads
 * @param args - its arguments, or `null` to fetch nothing
 * @returns stable functions: `onIntent` and `onView` are refs for elements, `prefetch` fetches immediately
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const { onIntent } = usePrefetch(todoResource.get, { id })
 * return <a href={`/todo/${id}`} ref={onIntent}>{title}</a>
 */
export function usePrefetch<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  given: E,
  ...args: GivenArgs<E, A>
): Prefetching {
  const endpoint = endpointOf(given)
  const controller = useControllerFor(`usePrefetch(${endpoint?.name ?? ''})`)
  if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('usePrefetch', endpoint)
  const [prefetch] = useState(() => new Prefetch(hasUse))
  useEffect(() => prefetch.aim(controller, endpoint, args))
  useEffect(() => {
    attachAgain.get(prefetch)?.()
    return () => void attachAgain.set(prefetch, prefetch.end())
  }, [prefetch])
  return prefetch
}

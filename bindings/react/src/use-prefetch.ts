import { Prefetch, errors } from '@selfsame/core/bindings'
import type { ArgsOf, NullableArgs, Prefetching, ReadEndpoint } from '@selfsame/core'
import { useEffect, useState } from 'react'
import { useControllerFor } from './use-controller.js'

/**
 * Asks for a call before it is read: when a pointer comes over an element, the focus into it, or it comes into view.
 * Never more than once while the call is Valid; a call that failed is not asked for again before `errorExpiryLength`.
 *
 * @param endpoint - an endpoint that reads
 * @param args - its arguments, or `null` to ask for nothing
 * @returns functions that stay the same: `onIntent` and `onView` are a `ref` for elements, `prefetch` asks at once
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const { onIntent } = usePrefetch(todoResource.get, { id })
 * return <a href={`/todo/${id}`} ref={onIntent}>{title}</a>
 */
export function usePrefetch<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: A
): Prefetching {
  const controller = useControllerFor(`usePrefetch(${endpoint?.name ?? ''})`)
  if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('usePrefetch', endpoint)
  const [prefetch] = useState(() => new Prefetch())
  useEffect(() => prefetch.aim(controller, endpoint, args))
  useEffect(() => () => prefetch.end(), [prefetch])
  return prefetch
}

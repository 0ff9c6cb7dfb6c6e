import { Cancelling, errors } from '@selfsame/core/bindings'
import type { ArgsOf, EndpointLike, NullableArgs } from '@selfsame/core'
import { useEffect, useMemo, useReducer } from 'react'

/**
 * Returns an endpoint whose requests are aborted when the arguments change and when the component unmounts, also
 * those that other code awaits. Requests that only readers wait for are aborted without this hook. Needs no provider.
 *
 * @param endpoint - any endpoint, made outside of the component
 * @param args - what the calls depend on: the endpoint's arguments, or `null`
 * @returns the endpoint with a `signal` of its own; a new one for other arguments
 * @see specification 3 (abort), 4.5, The small hooks
 * @example
 * const search = useCancelling(searchTodos, { query })
 * const download = () => controller.fetch(search, { query }).then(save)
 */
export function useCancelling<E extends EndpointLike, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: A
): E {
  if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('useCancelling', endpoint)
  const key = args[0] === null ? undefined : endpoint.key(...(args as readonly unknown[]))
  const [round, renew] = useReducer((count: number) => count + 1, 0)
  // The key stands for the arguments, which may be new objects in each render.
  // eslint-disable-next-line react/memo-dependencies, react-hooks/exhaustive-deps
  const cancelling = useMemo(() => new Cancelling(endpoint), [endpoint, key, round])
  useEffect(() => {
    // A hidden Activity ran the cleanup: the old signal is aborted.
    if (cancelling.isOver) renew()
    return cancelling.keep()
  }, [cancelling])
  return cancelling.endpoint
}

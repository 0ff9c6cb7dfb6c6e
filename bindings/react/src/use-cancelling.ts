import { Cancelling } from '@selfsame/core/bindings'
import type { ArgsOf, EndpointLike, GivenArgs, NullableArgs } from '@selfsame/core'
import { useEffect, useReducer, useState } from 'react'

/**
 * Returns an endpoint whose requests are aborted when the arguments change and when the component unmounts, also
 * those that other code awaits. Requests that only readers wait for are aborted without this hook. Needs no provider.
 *
 * @param endpoint - any endpoint, made outside the component
 * @param args - what the calls depend on: the endpoint's arguments, or `null`
 * @returns the endpoint with its own `signal`; a new endpoint for other arguments
 * @see specification 3 (abort), 4.5, The small hooks
 * @example
 * const search = useCancelling(searchTodos, { query })
 * const download = () => controller.fetch(search, { query }).then(save)
 */
export function useCancelling<E extends EndpointLike, const A extends NullableArgs<ArgsOf<E>>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): E {
  const [, renew] = useReducer((count: number) => count + 1, 0)
  // A map that is changed in place: React drops what a memo made in a render that suspends.
  const [made] = useState(() => new Map<string | undefined, Cancelling<E>>())
  const cancelling = Cancelling.follow(endpoint, args, (key) => made.get(key))
  const { key } = cancelling
  made.set(key, cancelling)
  useEffect(() => {
    // A hidden Activity ran the cleanup: the old signal is aborted.
    if (cancelling.isOver) renew()
    made.set(key, cancelling)
    const release = cancelling.keep()
    return () => {
      made.delete(key)
      release()
    }
    // The key changes with `cancelling`.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [cancelling])
  return cancelling.endpoint
}

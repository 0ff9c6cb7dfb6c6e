import { useEffect, useState, useTransition } from 'react'
import { useControllerFor } from './use-controller.js'

/**
 * Returns a value once it has not changed for a while, for example the text of a search field. The change is a transition:
 * the old screen stays while it suspends.
 *
 * @param value - compared with `Object.is`
 * @param delayMs - the time without a change, in milliseconds of the Controller's clock
 * @returns the debounced value, the first one at once; and `isPending`: `true` while a newer value waits or its screen
 *   suspends
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const [query, isPending] = useDebounce(text, 300)
 * const found = useSuspense(searchTodos, { query })
 */
export function useDebounce<Value>(
  value: Value,
  delayMs: number,
): readonly [debounced: Value, isPending: boolean] {
  const { clock } = useControllerFor('useDebounce()')
  const [debounced, setDebounced] = useState<Value>(() => value)
  const [isTransition, start] = useTransition()
  const isDue = !Object.is(value, debounced)
  useEffect(() => {
    if (!isDue) return undefined
    const timer = clock.setTimeout(() => start(() => setDebounced(() => value)), delayMs)
    return () => clock.clearTimeout(timer)
  }, [clock, delayMs, isDue, value])
  return [debounced, isDue || isTransition]
}

import { useEffect, useState, useTransition } from 'react'
import { useControllerFor } from './use-controller.js'

/**
 * Follows a value when it has not changed for a while, as what is typed into a search field. The change is a transition:
 * what suspends because of it leaves the old screen there.
 *
 * @param value - compared with `Object.is`
 * @param delayMs - for how long it must not change: milliseconds, by the clock of the Controller
 * @returns the value that counts, the first one at once; and whether another is about to, or what it makes suspend is
 *   not there yet
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

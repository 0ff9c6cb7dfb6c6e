import { useEffect, useMemo, useState, useTransition } from 'react'
import { useControllerFor } from './use-controller.js'

/** The result of `useDebounce`. */
export interface Debounced<Value> {
  /** The debounced value. */
  readonly value: Value
  /** `true` while a newer value waits, or its screen suspends. */
  readonly pending: boolean
}

/**
 * Returns a value once it has not changed for a while, for example the text of a search field. The change is a transition:
 * the old screen stays while it suspends.
 *
 * @param value - compared with `Object.is`
 * @param delayMs - the time without a change, in milliseconds of the Controller's clock
 * @returns the debounced `value`, the first one at once, and `pending`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * const { value: query, pending } = useDebounce(text, 300)
 * const found = useSuspense(searchTodos, { query })
 */
export function useDebounce<Value>(value: Value, delayMs: number): Debounced<Value> {
  const { clock } = useControllerFor('useDebounce()')
  const [debounced, setDebounced] = useState<Value>(() => value)
  const [isTransition, start] = useTransition()
  const isDue = !Object.is(value, debounced)
  useEffect(() => {
    if (!isDue) return undefined
    const timer = clock.setTimeout(() => start(() => setDebounced(() => value)), delayMs)
    return () => clock.clearTimeout(timer)
  }, [clock, delayMs, isDue, value])
  const pending = isDue || isTransition
  return useMemo(() => ({ value: debounced, pending }), [debounced, pending])
}

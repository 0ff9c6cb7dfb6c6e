import { useControllerFor } from '../use-controller.js'

/**
 * Returns a function that empties the cache, as at a logout. The function stays the same.
 *
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example const reset = useResetter()
 */
export function useResetter(): () => void {
  const { resetAll } = useControllerFor('useResetter()')
  return resetAll
}

import { useControllerFor } from '../use-controller.js'

/**
 * Gives a function that forgets everything, as at a logout. It stays the same function.
 *
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example const reset = useResetter()
 */
export function useResetter(): () => void {
  const { resetAll } = useControllerFor('useResetter()')
  return resetAll
}

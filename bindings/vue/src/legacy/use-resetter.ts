import { injectController } from '../context.js'

/**
 * Returns a function that empties the cache, as at a logout.
 *
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.6
 * @example const reset = useResetter()
 */
export function useResetter(): () => void {
  const { resetAll } = injectController(() => 'useResetter()')
  return resetAll
}

import type { HookOptions } from '../arguments.js'
import { findController } from '../context.js'

/**
 * Returns a function that empties the cache, as at a logout.
 *
 * @param options - the Controller, outside components
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example const reset = useResetter()
 */
export function useResetter(options?: HookOptions): () => void {
  const { resetAll } = findController('useResetter()', options?.controller)
  return resetAll
}

import type { HookOptions } from '../arguments.js'
import { findController } from '../context.js'

/**
 * Gives a function that forgets everything, as at a logout.
 *
 * @param options - outside of components, the Controller
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.6
 * @example const reset = useResetter()
 */
export function useResetter(options?: HookOptions): () => void {
  const { resetAll } = findController('useResetter()', options?.controller)
  return resetAll
}

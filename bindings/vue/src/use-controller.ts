import type { Controller } from '@selfsame/core'
import { injectController } from './context.js'

/**
 * The Controller of the provider around: it fetches, invalidates and changes the cache.
 *
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.5
 * @example
 * const controller = useController()
 * const complete = () => controller.fetch(todoResource.partialUpdate, { id: 5 }, { completed: true })
 */
export function useController(): Controller {
  return injectController(() => 'useController()')
}

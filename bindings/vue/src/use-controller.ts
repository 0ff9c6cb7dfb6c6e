import type { Controller } from '@selfsame/core'
import { injectController } from './context.js'

/**
 * Returns the Controller of the nearest provider, to fetch, change and invalidate data.
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

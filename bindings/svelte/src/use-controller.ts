import type { Controller } from '@selfsame/core'
import { findController } from './context.js'

/**
 * Returns the Controller of the nearest `DataProvider`, to fetch, change and invalidate data. Call it while the
 * component is set up; the Controller can be used at any time.
 *
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5
 * @example
 * const controller = useController()
 * const complete = () => controller.fetch(todoResource.partialUpdate, { id }, { completed: true })
 */
export function useController(): Controller {
  return findController('useController()')
}

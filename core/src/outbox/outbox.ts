import { development } from '#development'
import type { Controller, Middleware } from '../controller/controller.js'
import { emptyOutbox, setOutbox } from '../controller/outbox-of.js'
import { SelfsameError } from '../errors.js'
import { findStorage } from '../platform/platform.js'
import type { OutboxOptions } from './outbox-options.js'
import { Queue } from './queue.js'

/**
 * Writes mutations down before they are sent, so that a reload, a crash or a tunnel loses none of them. They are shown again
 * after a reload if they have an optimistic response, and are sent when the network is back: in order for what touches the same
 * record, in parallel otherwise, by one tab. `controller.fetch` resolves when the server has answered.
 *
 * It replaces `pauseOffline` and `retry` for its endpoints. Put it first. On a server it does nothing.
 *
 * @throws {SelfsameError} in development `argument-invalid` for anything other than endpoints and resources
 * @see specification 4.7
 * @example
 * new Controller({ middleware: [outbox({ endpoints: [todoResource, sendInvoice], scope: () => session.userId })] })
 */
export function outbox(options: OutboxOptions = {}): Middleware {
  if (development) for (const each of options.endpoints ?? []) requireEndpoints(each)
  return (controller: Controller) => {
    const storage = findStorage(options.storage)
    if (storage === undefined) {
      setOutbox(controller, emptyOutbox)
      return { passesOn: true }
    }
    const queue = new Queue(controller, { ...options, storage })
    setOutbox(controller, queue.outbox)
    return queue.hooks
  }
}

function requireEndpoints(given: unknown): void {
  const isOne = typeof given === 'function' || (typeof given === 'object' && given !== null)
  if (isOne) return
  throw new SelfsameError(
    'argument-invalid',
    `outbox() received ${String(given)} among its endpoints. Pass endpoints that change data, and resources.`,
  )
}

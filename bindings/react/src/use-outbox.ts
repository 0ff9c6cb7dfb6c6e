import { emptyOutbox, outboxOf } from '@selfsame/core/bindings'
import type { OutboxState } from '@selfsame/core/bindings'
import { useSyncExternalStore } from 'react'
import { useControllerFor } from './use-controller.js'

/**
 * Returns what waits in the outbox, is sent and failed, with `retry`, `edit` and `drop`. Needs the middleware `outbox()` of
 * `@selfsame/core/outbox`: without it, and on a server, it is empty.
 *
 * @returns an immutable object, the same until something in it changes
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.7
 * @example
 * const { mutations, retry } = useOutbox()
 * return mutations.length > 0 && <button onClick={() => retry()}>{mutations.length} not saved yet</button>
 */
export function useOutbox(): OutboxState {
  const outbox = outboxOf(useControllerFor('useOutbox()'))
  return useSyncExternalStore(
    outbox.subscribe,
    () => outbox.state,
    () => emptyOutbox.state,
  )
}

import { emptyOutbox, outboxOf } from '@selfsame/core/bindings'
import type { OutboxState } from '@selfsame/core/bindings'
import { getCurrentScope, onScopeDispose, shallowRef } from 'vue'
import type { Ref } from 'vue'
import { injectController, isOnServer } from './context.js'

/**
 * Returns what waits in the outbox, is sent and failed, with `retry`, `edit` and `drop`. Needs the middleware `outbox()` of
 * `@selfsame/core/outbox`: without it, and on a server, it is empty.
 *
 * @returns a readonly ref of an immutable object, the same until something in it changes
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.7
 * @example
 * const outbox = useOutbox()
 * // <button v-if="outbox.mutations.length > 0" @click="outbox.retry()">Send again</button>
 */
export function useOutbox(): Readonly<Ref<OutboxState>> {
  const controller = injectController(() => 'useOutbox()')
  if (isOnServer(controller)) return shallowRef(emptyOutbox.state)
  const outbox = outboxOf(controller)
  const state = shallowRef(outbox.state)
  const end = outbox.subscribe(() => (state.value = outbox.state))
  if (getCurrentScope() !== undefined) onScopeDispose(end)
  return state
}

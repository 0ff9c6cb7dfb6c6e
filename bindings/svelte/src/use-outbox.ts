import { emptyOutbox, outboxOf } from '@selfsame/core/bindings'
import type { OutboxState } from '@selfsame/core/bindings'
import { BROWSER } from 'esm-env'
import { createSubscriber } from 'svelte/reactivity'
import type { HookOptions } from './arguments.js'
import { findController } from './context.js'
import type { ValueHandle } from './use-observer.svelte.js'

/**
 * Returns what waits in the outbox, is sent and failed, with `retry`, `edit` and `drop`. Needs the middleware `outbox()` of
 * `@selfsame/core/outbox`: without it, and on a server, it is empty.
 *
 * @param options - the Controller, outside components
 * @returns a handle; its `current` is an immutable object, the same until something in it changes
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.7
 * @example
 * const outbox = useOutbox()
 * // {#each outbox.current.mutations as { id, endpoint }}<li>{endpoint}</li>{/each}
 */
export function useOutbox(options?: HookOptions): ValueHandle<OutboxState> {
  const controller = findController('useOutbox()', options?.controller)
  const outbox = BROWSER ? outboxOf(controller) : emptyOutbox
  const track = createSubscriber(outbox.subscribe)
  return {
    get current() {
      track()
      return outbox.state
    },
    subscribe(run) {
      run(outbox.state)
      return outbox.subscribe(() => run(outbox.state))
    },
  }
}

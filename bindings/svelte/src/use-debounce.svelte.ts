import { BROWSER } from 'esm-env'
import { untrack } from 'svelte'
import { writable } from 'svelte/store'
import type { Readable } from 'svelte/store'
import { toGetter } from './arguments.js'
import type { HookOptions, Reactive } from './arguments.js'
import { findController } from './context.js'
import { startHere } from './start-here.svelte.js'

/** The result of `useDebounce`. As a store it has the value of `current`. */
export interface DebounceHandle<Value> extends Readable<Value> {
  /** The debounced value. */
  readonly current: Value
  /** `true` while a newer value waits. */
  readonly pending: boolean
}

/**
 * Returns a value once it has not changed for a while, for example the text of a search field.
 *
 * @param value - a getter or a store; compared with `Object.is`
 * @param delayMs - the time without a change, in milliseconds of the Controller's clock; or a getter or a store of it
 * @param options - the Controller, outside components
 * @returns a handle of the debounced value, the first one at once
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, The small hooks
 * @example
 * let text = $state('')
 * const query = useDebounce(() => text, 300)
 * const found = useDLE(searchTodos, () => ({ query: query.current }))
 */
export function useDebounce<Value>(
  value: (() => Value) | Readable<Value>,
  delayMs: Reactive<number>,
  options?: HookOptions,
): DebounceHandle<Value> {
  const { clock } = findController('useDebounce()', options?.controller)
  const read = toGetter(value) as () => Value
  const readDelay = toGetter(delayMs) as () => number
  let debounced = $state.raw(untrack(read))
  const store = writable(untrack(read))
  const follow = () => {
    const now = read()
    if (untrack(() => Object.is(now, debounced))) return undefined
    const timer = clock.setTimeout(() => {
      debounced = now
      store.set(now)
    }, readDelay())
    return () => clock.clearTimeout(timer)
  }
  if (BROWSER) {
    startHere(() => {
      $effect(follow)
    })
  }
  return {
    get current() {
      return debounced
    },
    get pending() {
      return !Object.is(read(), debounced)
    },
    subscribe: store.subscribe,
  }
}

import { computed, inject, shallowRef, ssrContextKey, toValue, watch } from 'vue'
import type { MaybeRefOrGetter, Ref } from 'vue'
import { injectController } from './context.js'

/** A readonly shallow ref of the debounced value. */
export interface DebouncedRef<Value> extends Readonly<Ref<Value>> {
  /** `true` while a newer value waits. */
  readonly pending: Readonly<Ref<boolean>>
}

/**
 * Returns a value once it has not changed for a while, for example the text of a search field.
 *
 * @param value - a ref or getter; compared with `Object.is`
 * @param delayMs - the time without a change, in milliseconds of the Controller's clock; a value, ref or getter
 * @returns a readonly shallow ref of the debounced value, the first one at once, with `pending`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`
 * @see specification 4.5, The small hooks
 * @example
 * const query = useDebounce(text, 300)
 * const { data } = useDLE(searchTodos, () => ({ query: query.value }))
 */
export function useDebounce<Value>(
  value: Readonly<Ref<Value>> | (() => Value),
  delayMs: MaybeRefOrGetter<number>,
): DebouncedRef<Value> {
  const { clock } = injectController(() => 'useDebounce()')
  const debounced = shallowRef(toValue(value))
  const pending = computed(() => !Object.is(toValue(value), debounced.value))
  const follow = () => {
    watch([() => toValue(value), () => toValue(delayMs)] as const, ([now, waitMs], _, onCleanup) => {
      if (Object.is(now, debounced.value)) return
      const timer = clock.setTimeout(() => (debounced.value = now), waitMs)
      onCleanup(() => clock.clearTimeout(timer))
    })
  }
  if (inject(ssrContextKey, undefined) === undefined) follow()
  return Object.assign(
    computed(() => debounced.value),
    { pending },
  )
}

import { customRef, warn } from 'vue'
import type { Ref } from 'vue'

/** A ref that is written by whoever made it, and only read by others. */
export interface OwnedRef<Value> {
  readonly ref: Readonly<Ref<Value>>
  /** Replaces the value, which is not made reactive. */
  set(value: Value): void
}

/**
 * Makes a readonly shallow ref. Not `shallowReadonly(shallowRef())`: its proxy is asked twice at each look of a
 * template, and is kept in a `WeakMap`, which shows where thousands of components read.
 */
export function createOwnedRef<Value>(first: Value): OwnedRef<Value> {
  let current = first
  let tell: (() => void) | undefined
  const ref = customRef<Value>((track, trigger) => {
    tell = trigger
    return {
      get() {
        track()
        return current
      },
      set: () => warn('This ref is readonly.'),
    }
  })
  // Vue's own mark of a readonly computed: a reactive list or map of such refs gives their values as they are.
  Object.assign(ref, { __v_isReadonly: true })
  return {
    ref,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      tell?.()
    },
  }
}

import { development } from '#development'
import { isPlainObject } from './plain.js'

/**
 * A member by which Vue makes no proxy of an object. A record that is kept in a `ref`, in `reactive` or in Pinia stays the record. In
 * development Vue leaves it alone because it is frozen, which takes too long for production.
 */
const unproxied = '__v_skip'

/** Ends the creation of a list or an object that readers share. */
export function shareData<Value extends object>(value: Value): Value {
  if (development) return Object.freeze(value)
  // An application may have frozen it, so this must not throw.
  Reflect.defineProperty(value, unproxied, { value: true })
  return value
}

/** Marks what a read returns, if it is a list or a plain object. */
export function shareValue(value: unknown): void {
  if (Array.isArray(value) || isPlainObject(value)) shareData(value)
}

/** Marks the instances of a class. A payload may have a field of that name, so it can be assigned. */
export function shareInstances(prototype: object): void {
  if (!development) Reflect.defineProperty(prototype, unproxied, { value: true, writable: true })
}

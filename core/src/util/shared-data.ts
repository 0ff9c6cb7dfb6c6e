import { development } from '#development'
import { isPlainObject } from './plain.js'

/**
 * Marks a list, a plain object or the prototype of a class, so that Vue makes no proxy of it: a record that is kept in a `ref`, in
 * `reactive` or in Pinia stays the record. In development Vue leaves data alone because it is frozen, which takes too long for
 * production. The mark can be replaced, because a payload may have a field of its name, and nothing is thrown for an object that an
 * application has frozen.
 */
export function shareInstances(value: object): void {
  if (!development) Reflect.defineProperty(value, '__v_skip', { value: true, writable: true })
}

/** Ends the creation of a list or an object that readers share. */
export function shareData<Value extends object>(value: Value): Value {
  if (development) return Object.freeze(value)
  shareInstances(value)
  return value
}

/** Marks what a read returns, if it is a list or a plain object. */
export function shareValue(value: unknown): void {
  if (Array.isArray(value) || isPlainObject(value)) shareInstances(value)
}

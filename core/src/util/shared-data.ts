import { development } from '#development'
import { isPlainObject } from './plain.js'

/** What a binding does with data that readers share. */
let markOne: ((value: object) => void) | undefined
/** The prototypes of classes whose instances are shared: a class may be used before the binding is. */
const prototypes: object[] = []

/**
 * Sets what is done in production with each list, plain object and prototype of a class that readers share, for a framework that wraps
 * what an application keeps in its state. In development data is frozen in its place, which takes too long for production.
 */
export function markShared(by: (value: object) => void): void {
  markOne = by
  prototypes.forEach(by)
}

/** Shares the instances of a class. */
export function shareInstances(prototype: object): void {
  if (development) return
  prototypes.push(prototype)
  markOne?.(prototype)
}

/** Ends the creation of a list or an object that readers share. */
export function shareData<Value extends object>(value: Value): Value {
  if (development) return Object.freeze(value)
  markOne?.(value)
  return value
}

/** Marks what a read returns, if it is a list or a plain object. */
export function shareValue(value: unknown): void {
  if (markOne !== undefined && (Array.isArray(value) || isPlainObject(value))) markOne(value)
}

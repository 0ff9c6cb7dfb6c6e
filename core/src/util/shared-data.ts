import { development } from '#development'
import { isPlainObject } from './plain.js'

/** What a binding does with data that readers share. Returns `true` if it was not done before. */
let markOne: ((value: object) => boolean) | undefined
/** The prototypes of classes whose instances are shared: a class may be used before the binding is. */
const prototypes: object[] = []

/**
 * Sets what is done in production with each list, plain object and prototype of a class that readers share, for a framework that wraps
 * what an application keeps in its state. It returns `true` the first time. In development data is frozen instead, which takes too long
 * for production.
 */
export function markShared(by: (value: object) => boolean): void {
  markOne = by
  prototypes.forEach(by)
}

/** Shares the instances of a class. */
export function shareInstances(prototype: object): void {
  if (development) return
  prototypes.push(prototype)
  markOne?.(prototype)
}

/** Ends the creation of a list or an object that readers share, with the plain data in it. */
export function shareData<Value extends object>(value: Value): Value {
  if (development) return Object.freeze(value)
  if (markOne?.(value) === true) shareParts(value)
  return value
}

/** Marks the lists and plain objects in a value, of any depth, as far as they are not marked yet. */
export function shareParts(owner: object): void {
  if (markOne === undefined) return
  const waiting = [owner]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const part of Object.values(next))
      if ((Array.isArray(part) || isPlainObject(part)) && markOne(part)) waiting.push(part)
  }
}

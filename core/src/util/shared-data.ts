import { development } from '#development'
import { isPlainObject } from './plain.js'

/** What a binding does with data that readers share. Returns `true` if it was not done before. */
let markOne: ((value: object) => boolean) | undefined
/** The prototypes of classes whose instances are shared: a class may be used before the binding is. */
const prototypes: object[] = []

/**
 * Sets what is done with each list, plain object and prototype of a class that readers share, for a framework that wraps or changes
 * what an application keeps in its state. It returns `true` the first time. In development data is frozen as well, which takes too long
 * for production.
 */
export function markShared(by: (value: object) => boolean): void {
  markOne = by
  prototypes.forEach(by)
}

/** Shares the instances of a class. */
export function shareInstances(prototype: object): void {
  prototypes.push(prototype)
  markOne?.(prototype)
}

/** Ends the creation of a list or an object that readers share, with the plain data in it. */
export function shareData<Value extends object>(value: Value): Value {
  if (markOne?.(value) === true && !development) shareParts(value)
  return development ? Object.freeze(value) : value
}

/** Marks a list or plain object before it is frozen, without what is in it. Development only. */
export function markAlone(value: object): void {
  markOne?.(value)
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

import { isContract } from './schema.js'

/** A schema may contain itself. */
const deepestContent = 20

/** By schema, another one with the same content: each is compared once. */
const alike = new WeakMap<object, object>()

/**
 * Returns `true` if two schemas have the same content, so that a literal that is created again in each render is no other schema.
 * Classes, functions and schemas of your own are the same only if they are one object.
 */
export function isSameSchema(a: object | undefined, b: object | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  if (alike.get(a) === b) return true
  if (!isSameContent(a, b, 0)) return false
  alike.set(a, b)
  return true
}

function isSameContent(a: unknown, b: unknown, depth: number): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (depth > deepestContent || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (isContract(a)) {
    const { parts } = a
    return parts !== undefined && isSameContent(parts, (b as typeof a).parts, depth + 1)
  }
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) => Object.hasOwn(b, name) && isSameContent(a[name as never], b[name as never], depth + 1),
    )
  )
}

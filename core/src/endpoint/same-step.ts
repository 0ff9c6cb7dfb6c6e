/**
 * Returns `true` if two options of endpoints are the same: equal values, or functions with one text, because a function may be made
 * anew in each render.
 */
export function isSameStep(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'function' && typeof b === 'function' && String(a) === String(b))
}

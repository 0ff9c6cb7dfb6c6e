/** Returns `true` if `a` has the members of `b`, with identical values. `false` if `a` is `undefined`. */
export function isSameMembers<Kind extends object>(a: Kind | undefined, b: Kind): boolean {
  if (a === undefined) return false
  for (const name in b) if (a[name] !== b[name]) return false
  return true
}

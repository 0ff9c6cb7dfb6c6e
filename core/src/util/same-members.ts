/** Returns `true` if `a` has the members of `b`, with identical values. `false` if `a` is `undefined`. */
export function isSameMembers<Kind extends object>(a: Kind | undefined, b: Kind): boolean {
  return a !== undefined && (Object.keys(b) as (keyof Kind)[]).every((name) => a[name] === b[name])
}

/** Returns `true` for the key of an Endpoint without a name. No other page has the same key. */
export function isUnnamed(key: string): boolean {
  return /^\(unnamed \d+\) /.test(key)
}

/** Returns the function name in the key of such an Endpoint. */
export function nameInKey(key: string): string {
  return key.slice(key.indexOf(')') + 2, key.indexOf(' ['))
}

/**
 * Whether this renders on a server, where what waits for nothing asks for nothing: nobody would wait for the answer, and
 * effects never run. A native screen has a `window`, as a page has.
 */
export function isOnServer(): boolean {
  return typeof window === 'undefined'
}

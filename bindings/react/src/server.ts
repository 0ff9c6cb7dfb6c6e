import { useEffect, useLayoutEffect } from 'react'

/**
 * Whether this renders on a server, where what waits for nothing asks for nothing: nobody would wait for the response, and
 * effects never run. A native screen has a `window`, as a page has.
 */
export function isOnServer(): boolean {
  return typeof window === 'undefined'
}

/** A layout effect. On a server, where none runs, React 18 warns of each. */
export const useBeforePaint: typeof useLayoutEffect = (effect, dependencies) =>
  (isOnServer() ? useEffect : useLayoutEffect)(effect, dependencies)

import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'

/**
 * True during a server render. There, hooks that do not suspend send no request: the render would not wait for the
 * response, and effects never run. React Native defines `window`, as a browser does.
 */
export function isOnServer(): boolean {
  return typeof window === 'undefined'
}

/** A layout effect; does nothing on a server, where React 18 would warn of each one. */
export const useBeforePaint: typeof useLayoutEffect = (effect, dependencies) =>
  (isOnServer() ? useEffect : useLayoutEffect)(effect, dependencies)

/** Returns `true` on a server, and in the first render of what a server rendered. */
export function useIsServed(): boolean {
  return useSyncExternalStore(listenToNothing, isNotServed, isServed)
}

const listenToNothing = () => () => {}
const isNotServed = () => false
const isServed = () => true

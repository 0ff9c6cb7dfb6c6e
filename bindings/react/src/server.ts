import type { CacheableEndpoint } from '@selfsame/core'
import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import type { Provided } from './context.js'

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
  return useSyncExternalStore(nothing, isNotServed, isServed)
}

/**
 * Returns what a reader reads. In the first render of what a server rendered that is what the server showed of the call, if
 * something was written since: otherwise React would find another text than in the page.
 *
 * @param endpoint - of the call; `undefined` for several calls, which are the members of `args`
 */
export const useServed = (
  provided: Provided,
  endpoint: CacheableEndpoint | undefined,
  args: object,
): Provided =>
  // It never changes for a provider, so the order of hooks does not.
  (provided.isServed &&
    // eslint-disable-next-line react/hooks, react-hooks/rules-of-hooks
    useSyncExternalStore<Provided | undefined>(
      nothing,
      nothing,
      // It is of this form.
      () => provided.calls.served?.(endpoint, args) as Provided | undefined,
    )) ||
  provided

// Returned by an effect, it does nothing.
export const nothing = () => undefined as never
export const isNotServed = () => false
const isServed = () => true

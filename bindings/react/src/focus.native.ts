import type { Watched } from '@selfsame/core/bindings'
import { createContext, useContext, useEffect } from 'react'
import { NavigationContext } from '../navigation/context.js'
import type { Screen } from '../navigation/context.js'

/** The screen that a component is in; `undefined` outside any. */
const ScreenContext = NavigationContext ?? createContext<Screen | undefined>(undefined)

const everyEndpoint = () => true
const noError = () => false

/**
 * Refetches Stale data of a mounted reader when its React Navigation screen gets the focus. A reader that mounts with
 * the focus has just checked the clock, so its request is already in flight. Does nothing outside a screen.
 *
 * @see specification 3, rule 3
 */
export function useFocusRefetch(observer: Pick<Watched, 'refetchIfStale'>): void {
  const screen = useContext(ScreenContext)
  useEffect(
    () => screen?.addListener('focus', () => observer.refetchIfStale(everyEndpoint, noError)),
    [screen, observer],
  )
}

import type { Watched } from '@selfsame/core/bindings'
import { createContext, useContext, useEffect } from 'react'
import type { Context } from 'react'

/** What is used of a screen of React Navigation. */
interface Screen {
  /** @returns a function that ends it */
  addListener(event: 'focus', listener: () => void): () => void
}

interface Navigation {
  readonly NavigationContext: Context<Screen | undefined>
}

declare const require: (name: '@react-navigation/native') => Navigation

/** The screen that a component is in; `undefined` outside of any. */
const ScreenContext = findContext()

/** Metro and other bundlers leave out a `require` that stands in a `try` where there is no such package. */
function findContext(): Context<Screen | undefined> {
  try {
    return require('@react-navigation/native').NavigationContext
  } catch {
    return createContext<Screen | undefined>(undefined)
  }
}

const everyEndpoint = () => true
const noError = () => false

/**
 * Fetches what a reader shows where it is Stale, when its screen of React Navigation gets the focus. A reader that is mounted
 * with the focus looked at the clock just before: what it asked for then is in flight. Outside of a screen it does nothing.
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

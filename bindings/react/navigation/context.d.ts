import type { Context } from 'react'

/** What is used of a screen of React Navigation. */
export interface Screen {
  /** @returns a function that ends it */
  addListener(event: 'focus', listener: () => void): () => void
}

/** `undefined` in an application without React Navigation. */
export const NavigationContext: Context<Screen | undefined> | undefined

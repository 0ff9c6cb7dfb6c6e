import { createContext, use } from 'react'
import type { Library } from './library.js'

export const LibraryContext = createContext<Library | undefined>(undefined)

/** The library of this side of the page. */
export function useLibrary(): Library {
  const library = use(LibraryContext)
  if (library === undefined) throw new Error('The screen is outside of a LibraryContext.')
  return library
}

import { getContext } from 'svelte'

/** Under which the components find the library that they show. */
export const libraryKey = Symbol('library')

/** While a component is made: the library that it shows. */
export const library = () => getContext(libraryKey)

import { getContext } from 'svelte'

/** The context key of the library that the components use. */
export const libraryKey = Symbol('library')

/** Returns the library that a component uses. Call it during the component's setup. */
export const library = () => getContext(libraryKey)

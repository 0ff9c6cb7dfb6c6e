/** Under which the components find the library that they show. */
export const libraryKey = Symbol('library')

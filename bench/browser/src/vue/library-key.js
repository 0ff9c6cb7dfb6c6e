/** The context key of the library that the components use. */
export const libraryKey = Symbol('library')

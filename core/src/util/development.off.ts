/** `true` turns on warnings and freezing. Set by the export condition `development`; it changes no results. */
export const development: boolean = false

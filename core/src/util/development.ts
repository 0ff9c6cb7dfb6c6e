/**
 * `true` turns on warnings, full messages and freezing; it changes no results. Sources are for development. The build writes the flag
 * as a literal into each file that imports it: once `true`, once `false`.
 */
export const development: boolean = true

/**
 * Received data that outlasts a reload. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export { persist, persisted } from './persist/persist.js'
export type { Kept, KeptResource, PersistOptions } from './persist/persist-options.js'
export type { Persisted } from './persist/persist.js'

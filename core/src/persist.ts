/**
 * Received data that outlasts a reload. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export { persist, persisted } from './persist/persist.js'
export type { Kept, Persisted, PersistOptions } from './persist/persist.js'

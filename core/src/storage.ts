/**
 * Where `outbox()` and `persist()` keep their rows. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export { indexedDbStorage } from './storage/indexed-db-storage.js'
export type { IndexedDbOptions } from './storage/indexed-db-storage.js'
export { fileStorage } from './storage/file-storage.js'
export { memoryStorage } from './storage/memory-storage.js'
export { textStorage, webStorage } from './storage/text-storage.js'
export type { Texts, WebStorage } from './storage/text-storage.js'
export type { RowStorage, Storable, StoredRow } from './storage/row-storage.js'

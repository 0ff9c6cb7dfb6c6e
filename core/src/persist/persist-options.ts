import type { KeyTester } from '../endpoint/endpoint.js'
import type { EntityClass } from '../schema/schema.js'
import type { RowStorage, Storable } from '../storage/row-storage.js'

/** Entity classes, endpoints or anything else with a `testKey`, and resources: these stand for all of their endpoints. */
export type Kept = readonly (EntityClass<{ pk(...args: never): unknown }> | KeyTester | KeptResource)[]

/** What `createResource` returns. */
export interface KeptResource {
  readonly get: KeyTester
  readonly getList: KeyTester
}

/** Options of `persist`. Lengths are milliseconds. */
export interface PersistOptions {
  /**
   * @default `indexedDbStorage()`. In a page that cannot use IndexedDB, nothing is kept, and development warns
   * once. On a server the middleware does nothing
   */
  readonly storage?: RowStorage | undefined
  /** Names the application: two applications on one origin share no rows. @default that of the outbox; 'selfsame' without one */
  readonly name?: string | undefined
  /** The version of your classes. Data of another version is passed to `migrate`, or dropped. @default 1 */
  readonly version?: number | undefined
  /** Returns the fields of a stored record for this version; `undefined` drops it. @default records of another version are dropped */
  readonly migrate?: ((entity: string, fields: unknown, from: number) => unknown) | undefined
  /** What to keep. Classes and endpoints are separate: without a class in it, all records are kept. @default all */
  readonly include?: Kept | undefined
  /** What not to keep. @default nothing */
  readonly exclude?: Kept | undefined
  /** How old data may be when it is shown after a reload. @default 604800000: a week */
  readonly maxAge?: number | undefined
  /** How many records are kept, approximately: beyond that, the least recently used are dropped. @default 50000 */
  readonly maxRecords?: number | undefined
  /** How long requests wait at the start for the storage. @default 100 */
  readonly waitMs?: number | undefined
  /**
   * Returns the id of the user. If it changes without `resetAll`, nothing is kept until the reset: the data may be of either user.
   *
   * @default there is one user
   */
  readonly scope?: (() => string | number | undefined) | undefined
  /** `true` keeps the data of a user who signs out, for their return. Needs a `scope`. @default false: `resetAll` deletes it */
  readonly keepScopes?: boolean | undefined
  /** Changes a row before it is written, for example encrypts it. Most rows are texts. @default as it is */
  readonly encode?: ((row: Storable) => Storable | Promise<Storable>) | undefined
  /** Does the opposite of `encode`. */
  readonly decode?: ((row: Storable) => Storable | Promise<Storable>) | undefined
}

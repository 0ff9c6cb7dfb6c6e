import type { Action } from '../controller/middleware.js'
import type { CacheableEndpoint } from '../endpoint/endpoint.js'
import type { CollectionArgs } from '../schema/delegates.js'
import type { Fields } from '../schema/fields.js'
import type { EntityClass, Schema } from '../schema/schema.js'
import type { ExpiryStatus } from '../store/expiry.js'

/**
 * What one commit changed: the outermost batch, action or turn of garbage collection. All values are immutable, except that
 * data without a schema is the object of the store itself: do not change it.
 */
export interface Commit {
  /**
   * What made it, in order; mostly one. A `controller.batch` may have several. Empty if no action did: a request of a call
   * changed its state, or a reader took hydrated data.
   */
  readonly causes: readonly CommitCause[]
  /** The changes of received data, without optimistic ones: for persistence, and for other tabs. */
  readonly received: CommittedChanges
  /**
   * The changes of what readers see, which is the received data with the optimistic layers on it: for lists and counts that
   * are maintained, and for panels.
   */
  readonly shown: CommittedChanges
}

/**
 * The cause of a commit: an action, as middleware sees it, with its `id` if it belongs to a request; `garbage` for collected
 * data; `replay` if only optimistic layers ran again.
 */
export type CommitCause = Action | { readonly type: 'garbage' | 'replay' }

/** The changed data of a commit. Each record, list and call is named once, and differs in content or age. */
export interface CommittedChanges {
  readonly records: readonly RecordChange[]
  readonly lists: readonly ListChange[]
  readonly calls: readonly CallChange[]
}

/** When data was received, when it stops being Valid, and its position among all writes. */
export interface Age {
  /** Time of receipt: milliseconds since the epoch; `-Infinity` for data that was not received, such as optimistic data. */
  readonly receivedAt: number
  /** End of validity: milliseconds since the epoch; `Infinity` for never, `-Infinity` for data that was made Stale. */
  readonly expiresAt: number
  /** The position of the write among all requests and writes of the Controller; 0 for hydrated data. Later is greater. */
  readonly order: number
}

/** A record that a commit changed. */
export interface RecordChange {
  /** The entity key. */
  readonly key: string
  /** The class of the records; the first of several; `undefined` for hydrated records that no class has read yet. */
  readonly entity: EntityClass | undefined
  /** The primary key. */
  readonly pk: string
  /** `undefined` if nothing was stored. */
  readonly before: RecordState | undefined
  /** `undefined` if nothing is stored any more: it was collected as garbage, reset, or its addition was undone. */
  readonly after: RecordState | undefined
}

/** The state of a record. */
export interface RecordState extends Age {
  /**
   * The stored fields, with primary keys in place of nested records and a `ListReference` in place of a list of a Collection;
   * `undefined` if the record was deleted. Defaults of the class are not stored.
   */
  readonly fields: Fields | undefined
  /** Its place among the records of its key, as `schema.All` shows them: a smaller number comes first. */
  readonly place: number
}

/** Stands in fields and results for a list of a Collection, whose members are a `ListState`. */
export interface ListReference {
  /** The `id` of the list. */
  readonly list: string
}

/** A list of a Collection that a commit changed. A list without a Collection is part of its call's data. */
export interface ListChange {
  /** Identifies the list in its Controller. */
  readonly id: string
  /** The key of the call that loads it; `undefined` if none is known. */
  readonly call: string | undefined
  /** The arguments by which records belong to it. */
  readonly args: CollectionArgs
  /** The entity key of its members; `undefined` for members of several classes, and for a list that no mutation changes. */
  readonly key: string | undefined
  /** `undefined` if it was not loaded. */
  readonly before: ListState | undefined
  /** `undefined` if it is not loaded any more. */
  readonly after: ListState | undefined
}

/** The state of a list. */
export interface ListState extends Age {
  /** Primary keys, in an array or by name; `[schema, pk]` for members of several classes. */
  readonly members: unknown
  /** `true` if further pages were appended. */
  readonly isPaged: boolean
}

/** A call that a commit changed. */
export interface CallChange {
  readonly key: string
  readonly args: readonly unknown[]
  /** The schema of the response. Calls of one key with different schemas are listed separately. */
  readonly schema: Schema | undefined
  /** The endpoint of the last action that named the call, since the listener was added; `undefined` if there was none. */
  readonly endpoint: CacheableEndpoint | undefined
  /** `undefined` if it was never answered, and has no request. */
  readonly before: CommittedCall | undefined
  /** `undefined` if nothing is stored for it any more. */
  readonly after: CommittedCall | undefined
}

/** The state of a call. Its records and lists change on their own: a change to a record in its data does not change the call. */
export interface CommittedCall extends Age {
  /**
   * The response as it is stored: primary keys in place of records, a `ListReference` in place of a list of a Collection;
   * `undefined` without a response.
   */
  readonly data: unknown
  /** `true` if it was answered: `data` may be a response of `undefined`. */
  readonly isAnswered: boolean
  /** Its expiry status when the commit ended, by `expiresAt` alone: policies of endpoints are not considered. */
  readonly status: ExpiryStatus
  /** The error of its last request that counts. */
  readonly error: Error | undefined
  /** `true` while a request is in flight. Always `false` in `received`. */
  readonly fetching: boolean
}

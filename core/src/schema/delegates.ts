import type {
  DenormalizeDelegate,
  NormalizeDelegate,
  PayloadKey,
  QueryDelegate,
  SchemaContract,
} from './schema.js'

/** What names one list of a Collection: the arguments that it was asked for with. */
export type CollectionArgs = Readonly<Record<string, unknown>>

/** Which list of a Collection it is, and what says which records belong to it. */
export interface ListIdentity {
  /** Names the list among all that have the same members and options. */
  readonly name: string
  /** What a record is compared with. */
  readonly args: CollectionArgs
  /** Whether records join and leave by these arguments; a list of a record without `nestKey` has none. */
  readonly isFilter: boolean
  /** The key of the call that answers it; `undefined` where none is known. */
  readonly call: string | undefined
}

/** How a mutation changes the lists that its record belongs to. */
export type CollectionChangeKind = 'push' | 'unshift' | 'assign' | 'remove' | 'move'

/**
 * What the schemas of this package may ask for besides, while they take a payload apart. Each hands itself over: a class of
 * records as `plan`, a Collection, a page.
 */
export interface StoreNormalizeDelegate extends NormalizeDelegate {
  /** Stores a list of a Collection. @returns its reference */
  collection(collection: SchemaContract, list: ListIdentity, members: unknown): unknown
  /** Changes the lists of a Collection that records belong to. */
  changeCollections(collection: SchemaContract, kind: CollectionChangeKind, members: unknown): void
  /** Appends a page to its list. `result` is the normalized page. */
  page(page: SchemaContract, result: unknown): void
  /** Stores a record. @returns its reference */
  record(plan: SchemaContract, input: unknown, parent: unknown, key: PayloadKey): unknown
  /**
   * Removes the record that `input`, or else the arguments, name. Where it may be of several classes, that is the one that
   * is stored; where several are, what shows them becomes Stale.
   *
   * @returns its reference; `undefined` where none was removed
   */
  remove(plans: readonly SchemaContract[], input: unknown): unknown
}

/** What the schemas of this package may ask for besides, while they put data together. */
export interface StoreDenormalizeDelegate extends DenormalizeDelegate {
  /** What is put together was there, also where `undefined` is made of it. */
  noteProcessed?(): void
  /** What a list of a Collection holds. */
  collection(collection: SchemaContract, reference: unknown): unknown
  /** The record that a reference names, as an instance of the plan's class. */
  record(plan: SchemaContract, reference: unknown): unknown
}

/** What the schemas of this package may ask for besides, while they look a value up. */
export interface StoreQueryDelegate extends QueryDelegate {
  /** A reference to a record that an indexed field names; `undefined` while there is none. */
  indexed(plan: SchemaContract, field: string, value: unknown): unknown
  /** The primary key that a reference stands for. */
  pkOf(reference: unknown): string | undefined
  /** A reference to a list of a Collection, loaded or not. */
  listOf(collection: SchemaContract, list: ListIdentity): unknown
  /** A reference to a record, known or not. */
  reference(plan: SchemaContract, pk: string): unknown
}

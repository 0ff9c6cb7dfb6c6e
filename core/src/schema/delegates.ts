import type {
  DenormalizeDelegate,
  NormalizeDelegate,
  PayloadKey,
  QueryDelegate,
  SchemaContract,
} from './schema.js'

/** The arguments that identify one list of a Collection. */
export type CollectionArgs = Readonly<Record<string, unknown>>

/** The identity of a list of a Collection, and the arguments that decide which records belong to it. */
export interface ListIdentity {
  /** The name of the list. Unique among lists with the same members and options. */
  readonly name: string
  /** The arguments with which the fields of a record are compared. */
  readonly args: CollectionArgs
  /** `true` if mutations change the list by these arguments; `false` for a list in a record without `nestKey`. */
  readonly isFilter: boolean
  /** The key of the call whose response is the list; `undefined` if none is known. */
  readonly call: string | undefined
}

/** How a mutation changes the lists that its record belongs to. */
export type CollectionChangeKind = 'push' | 'unshift' | 'assign' | 'remove' | 'move'

/** Stores the lists and pages of a payload. */
export interface ListSink {
  /** `true` if the values come from user updates of what was shown. */
  readonly isUpdating?: boolean
  /** While a response is normalized that counts the records of its list, the number of those that it lacks. */
  others?: number | undefined
  /** Stores a list of a Collection. @returns its reference */
  collection(collection: SchemaContract, list: ListIdentity, members: unknown): unknown
  /** Adds records to the lists of a Collection that they belong to, or removes them. @param args - those of the call */
  changeCollections(
    collection: SchemaContract,
    kind: CollectionChangeKind,
    members: unknown,
    args: readonly unknown[],
  ): void
  /** Appends a page to the list of another call, after the whole payload was accepted. */
  page(received: { readonly page: SchemaContract; readonly result: unknown }): void
}

/** Deletes one of several records. */
export interface RemovalSink {
  /** Returns the reference of a stored record; `undefined` if none is stored. */
  stored?(plan: SchemaContract, pk: string): unknown
  /** Deletes a record. */
  remove?(plan: SchemaContract, reference: unknown): void
  /** Called if one of several records was deleted, and the payload does not tell which. */
  removeOneOf?(references: readonly unknown[]): void
}

/** Further members for the schemas of this package while they normalize. `plan` is the `EntityPlan` of a class. */
export interface StoreNormalizeDelegate extends NormalizeDelegate {
  /** Stores lists; `undefined` without a store, as in `normalize()`: a list is then only its members. */
  readonly lists: ListSink | undefined
  /** Stores a record. @returns its reference */
  record(plan: SchemaContract, input: unknown, parent: unknown, key: PayloadKey): unknown
  /** Deletes the record whose primary key is in `input`, else in the arguments. @returns its reference */
  remove(plan: SchemaContract, input: unknown): unknown
  /** Returns the primary key of the record that `remove` deletes. */
  pkToRemove(plan: SchemaContract, input: unknown): string | undefined
  readonly sink: RemovalSink
}

/** Further members for the schemas of this package while they denormalize. */
export interface StoreDenormalizeDelegate extends DenormalizeDelegate {
  /** Called before `process` of a Query: if it returns `undefined`, this is the data, not a missing value. */
  noteProcessed?(): void
  /** Returns the data of a list of a Collection. */
  collection(collection: SchemaContract, reference: unknown): unknown
  /** Returns a record as an instance of the plan's class. */
  record(plan: SchemaContract, reference: unknown): unknown
}

/** Further members for the schemas of this package while they look a value up. */
export interface StoreQueryDelegate extends QueryDelegate {
  /** Returns a reference to the record with this value in an indexed field; `undefined` if there is none. */
  indexed(plan: SchemaContract, field: string, value: unknown): { readonly pk: string } | undefined
  /** Returns a reference to a list of a Collection, loaded or not. */
  listOf(collection: SchemaContract, list: ListIdentity): unknown
  /** Returns a reference to a record, stored or not. */
  reference(plan: SchemaContract, pk: string): unknown
  /** Returns `true` if a referenced record is stored and valid for the class. */
  isShown(plan: SchemaContract, reference: unknown): boolean
}

import type { CollectionSchema } from '../schema/collection.js'
import type { CollectionChangeKind, ListIdentity } from '../schema/delegates.js'
import type { Fields } from '../schema/fields.js'
import type { ReceivedPage } from '../schema/page-schema.js'
import type { Call } from './call.js'
import type { ListNode } from './list-node.js'
import type { RecordNode, UndoLog } from './records.js'
import type { Stamp, WriteOrder } from './stamp.js'

/** The lists with the same members, as the garbage collector uses them. */
export interface ListTable {
  readonly nodes: ReadonlyMap<string, ListNode>
}

/** The members of a transaction that lists use when they are written. */
export interface ListWriter {
  readonly order: WriteOrder
  /** Milliseconds since the epoch. */
  readonly now: number
  /** True if payloads come from user updates of denormalized data. */
  readonly isUpdating: boolean
  /** The arguments of the pages that were appended to its list, if the response holds them too. */
  readonly loaded: Call['loaded'] | undefined
  /** The number of records that the server counts and the response lacks; `undefined` if nothing counts them. */
  readonly others: number | undefined
  /** The members of a list before the updates: all calls that show the list are updated from the same members. */
  heldBefore(node: ListNode): unknown
  /** Called before a mutation changes a list. @returns `true` if the list has other members now, without optimistic ones */
  touchList(node: ListNode): boolean
  /** Saves a list that is about to change, for a rollback. */
  keepBefore(node: ListNode): void
  /** Registers a function that a rollback calls. */
  onRollBack(undo: () => void): void
  /**
   * Makes the calls that show a list Stale.
   *
   * @param isQuiet - `true` if readers on screen do not fetch at once
   * @param at - responses to requests that started earlier are Stale at once, also the one that is being normalized. Default: when
   *   the mutation was answered
   */
  makeStale(node: ListNode, isQuiet?: boolean, at?: number): void
  /** Lists that a mutation may have changed. They become Stale when everything is written, unless its `update`, or its response, has other members for them. */
  readonly inDoubt: Set<ListNode>
  /** When a record that was written so far became Stale, the last time, because only the server knows it; 0 for none. */
  readonly doubtedAt: number
  /** Makes a call Stale that shows the response, if the server may know better of a record in it. */
  passDoubt(call: Call): void
  /** Called before the members of a list are checked for deleted records. */
  readMembers(members: unknown): void
  /** The state of the records before the transaction. */
  readonly before: UndoLog
  /** Removes the fields of a record. */
  drop(node: RecordNode): void
  /** Returns a call's new result, which keeps the equal values of the stored one. */
  sameResult(call: Call, received: unknown): unknown
  /** The new stamp of a list that is written. @param before - its current stamp */
  stampOver(plan: undefined, before: Stamp): Stamp
}

/** The loaded pages of a list. */
export interface LoadedPages {
  /** The path of the list in a response: field names from the root. */
  readonly path: readonly string[]
  /** The arguments of their calls, in the order of the list; those of the list itself are among them. `fetchAll` puts others in their place. */
  readonly calls: (readonly unknown[])[]
  /** The number of pages that were loaded when the request began. */
  readonly size: number
  readonly further: Call['further']
}

/**
 * The lists of Collections and the pages of all lists, as the store uses them. The schemas with lists create it, so that
 * an application without them does not bundle it.
 */
export interface StoreLists {
  readonly tables: readonly ListTable[]
  /** The number of groups of lists, and of changes kept for reads in flight. */
  readonly size: number
  /** When members were added, moved or removed last, or may have been: milliseconds since the epoch; `-Infinity` for never. */
  readonly changedAt: number
  /**
   * Called when everything of a transaction is written. Set by the rules of lists, which then place the written records, and
   * return the lists that decide what they have.
   */
  onWritten?: ((writer: ListWriter) => ReadonlySet<ListNode> | undefined) | undefined
  /** Returns a list, loaded or not. */
  node(collection: CollectionSchema<unknown>, list: ListIdentity): ListNode
  /** Stores a received list. */
  write(
    writer: ListWriter,
    collection: CollectionSchema<unknown>,
    list: ListIdentity,
    received: unknown,
  ): ListNode
  /** Adds, removes or moves records in the lists of a Collection. */
  change(
    writer: ListWriter,
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    args: readonly unknown[],
  ): void
  /**
   * Called when a record is deleted, or may be: a list that is a part of a longer one is Stale.
   *
   * @param fields - the fields of the record before; `undefined` if it was not stored
   * @param isQuiet - `true` if readers on screen do not fetch at once
   */
  removed(writer: ListWriter, node: RecordNode, fields: Fields | undefined, isQuiet: boolean): void
  /** Appends a page to the list of its call. */
  append(writer: ListWriter, received: ReceivedPage): void
  /**
   * Requests the pages of a list, one after the other.
   *
   * @param fetch - requests one, by its arguments
   * @returns one response with all members, and the other fields of the last page
   */
  fetchAll(pages: LoadedPages, fetch: (args: readonly unknown[]) => Promise<unknown>): Promise<unknown>
  /** Adds the appended pages to a call's response, with the fields beside the list from the last page. */
  withPages(writer: ListWriter, call: Call, received: unknown): unknown
  /** Returns the number of records that the server counts and that a list has not loaded; `undefined` if nothing counts them. */
  unloadedOf(node: ListNode): number | undefined
  /** Called when a call is created. For the call of a page, its list starts to track when it starts over. */
  open(call: Call): void
  /** Returns the lists that hold one of these records, which have a place in time each, with the latest place of what they hold. */
  holding(records: ReadonlyMap<RecordNode, number>): Map<ListNode, number>
  /** Returns the lists that may hold a record with these fields after a mutation of a Collection. */
  mayHold(collection: CollectionSchema<unknown>, fields: Fields, params: unknown): ListNode[]
  /** Makes these lists Stale, also those that are on their way. @param isQuiet - `true` if readers on screen do not fetch at once */
  expireHolding(
    writer: ListWriter,
    collection: CollectionSchema<unknown>,
    fields: Fields,
    params: unknown,
    isQuiet: boolean,
  ): void
  /** Makes all lists Stale of records of some classes, by their keys, also those that are on their way. */
  expireOf(writer: ListWriter, classes: readonly string[], isQuiet: boolean): void
  /** Drops the members of all lists. */
  clear(stamp: Stamp): void
  /** Returns the members of the changes that reads in flight still need. Drops all other changes. */
  lateMembers(): readonly unknown[]
  /** Removes groups without lists. */
  sweep(): void
}

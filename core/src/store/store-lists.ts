import type { CollectionSchema } from '../schema/collection.js'
import type { CollectionChangeKind, ListIdentity } from '../schema/delegates.js'
import type { Fields } from '../schema/fields.js'
import type { ReceivedPage } from '../schema/page.js'
import type { Call } from './call.js'
import type { ListNode } from './list-node.js'
import type { RecordNode } from './records.js'
import type { Stamp, WriteOrder } from './stamp.js'
import type { UndoLog } from './undo-log.js'

/** The lists that have the same members, as far as the garbage collector looks at them. */
export interface ListTable {
  readonly nodes: ReadonlyMap<string, ListNode>
  /** What changes hold that reads under way still need. Forgets all others. */
  lateMembers(earliestRead: number): readonly unknown[]
}

/** What lists need of the transaction that writes them. */
export interface ListWriter {
  readonly order: WriteOrder
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Whether payloads come from the user's updates of denormalized data. */
  readonly isUpdating: boolean
  /** Whether the answer holds all pages that were appended to its list. */
  readonly isWhole: boolean
  /** The members of a list before updates: those of all calls that show it were made from the same. */
  heldBefore(node: ListNode): unknown
  /** Notes a list that is about to be changed. */
  keepBefore(node: ListNode): void
  /** Does something when the transaction is rolled back. */
  onRollBack(undo: () => void): void
  /** Makes the calls Stale that show a list. @param settle - what was asked for earlier is Stale at once */
  makeStale(node: ListNode, settle: number): void
  /** Of the members of a list it is asked next whether they were deleted. */
  readMembers(members: unknown): void
  /** What records were before it. */
  readonly before: UndoLog
  /** Whether a record that was never written before has its fields from here. */
  hasAdded(node: RecordNode): boolean
  /** Lets a record show other fields. */
  replace(node: RecordNode, stored: Fields | undefined, received: Fields | undefined): void
  /** A result with the parts of the stored one that are the same. */
  sameResult(call: Call, stored: unknown, received: unknown): unknown
  /** The stamp of a list that is written, in place of the one that it has. */
  stampOver(plan: undefined, before: Stamp): Stamp
}

/**
 * The lists of Collections, and the pages of all lists, as far as a store needs them. Made by the schemas that have them: an
 * application without these ships none.
 */
export interface StoreLists {
  readonly tables: readonly ListTable[]
  /** How many groups of lists a mutation may reach. */
  readonly size: number
  /** A list, loaded or not. */
  node(collection: CollectionSchema<unknown>, list: ListIdentity): ListNode
  /** Takes a list that was received. */
  write(
    writer: ListWriter,
    collection: CollectionSchema<unknown>,
    list: ListIdentity,
    received: unknown,
  ): ListNode
  /** Takes the news that records joined, left or moved. */
  change(
    writer: ListWriter,
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    params: unknown,
  ): void
  /** Appends a page to the list of its call. */
  append(writer: ListWriter, received: ReceivedPage): void
  /** A call's answer, with the pages that were appended to its list and what came with the last of them. */
  withPages(writer: ListWriter, call: Call, received: unknown): unknown
  /** A list to which nothing was appended starts over: pages that are on their way continue what was there before. */
  noteStart(writer: ListWriter, call: Call, before: unknown): void
  /** The lists that hold one of these records. */
  holding(nodes: readonly RecordNode[]): ListNode[]
  /** The lists that may hold a record with these fields after a mutation of a Collection. */
  mayHold(collection: CollectionSchema<unknown>, fields: Fields, params: unknown): ListNode[]
  /** Drops the members of all lists. */
  clear(stamp: Stamp): void
  /** Forgets groups without lists. */
  sweep(earliestRead: number): void
}

import type { CollectionArgs } from './delegates.js'
import type { Fields } from './fields.js'
import type { Schema, SchemaContract } from './schema.js'

/** The list that a rule decides about. */
export interface RuledList {
  /** The schema of its members. */
  readonly member: Schema
  readonly args: CollectionArgs
  /** When its members were received: a position in the store's sequence. */
  readonly stamp: { readonly sequence: number }
}

/**
 * Decides which records belong to a list, for the option `filter` of a Collection. `rule` of `@selfsame/core/rules` creates it,
 * and brings the code: an application without rules does not contain it.
 */
export interface ListRule<Member = unknown, Args = unknown> {
  /** Returns `true` if a record belongs to the list with these arguments. */
  readonly test: (record: Member, args: Args) => boolean
  /** Called with the lists of a store, one of which has the rule. @internal */
  attach(lists: object): void
  /**
   * Applies `test` to a normalized member with these fields.
   *
   * @returns `undefined` if the record does not belong to the list; the arguments that `test` has read if it does; `'unknown'` if
   *   `test` threw
   * @internal
   */
  decide(list: RuledList, member: unknown, fields: Fields): ReadonlySet<string> | 'unknown' | undefined
}

/**
 * Decides the places of records in a list, for the option `orderBy` of a Collection. `order` of `@selfsame/core/rules` creates
 * it, and brings the code.
 */
export interface ListOrder<Member = unknown, Args = unknown> {
  /** Compares two records, as for `Array.prototype.sort`. */
  readonly compare: (a: Member, b: Member, args: Args) => number
  /** Called with the lists of a store, one of which has the order. @internal */
  attach(lists: object): void
  /** Returns `true` if a record with other fields may have another place. @internal */
  isMoved(list: RuledList, member: unknown, before: Fields, after: Fields): boolean
  /**
   * Returns the members of a list with others at their places. A member that is in the list already stays if it is in order
   * there.
   *
   * @param isLater - `true` for a member that a later mutation added: it stands behind equal ones
   * @param unloaded - what further pages may bring: it is not put behind all others
   * @internal
   */
  place(
    list: RuledList,
    members: readonly unknown[],
    placed: readonly unknown[],
    isLater: (member: unknown) => boolean,
    unloaded: ReadonlySet<unknown>,
  ): readonly unknown[]
  /**
   * Returns the members of a list to which a page was appended: what mutations put behind the pages before gets its place among all.
   *
   * @param all - the members with those of the page at the end
   * @param before - what the pages before have brought
   * @internal
   */
  withPage(
    list: RuledList & { readonly members: unknown },
    all: readonly unknown[],
    before: readonly unknown[],
  ): readonly unknown[]
}

/**
 * The first Collection with rules. From the next call on, a store then follows all writes: what changes while the first response of a list
 * is on its way concerns the list, too, wherever it is in the response.
 */
export const ruled: { first: SchemaContract | undefined } = { first: undefined }

import type { CollectionArgs, ListIdentity } from '../schema/delegates.js'
import { Reference } from '../normalize/reference.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import type { View } from './view/view.js'

/** The state of a list that is loaded page by page (specification 4.4, E14). */
export interface Pages {
  /** The first page as last received; `undefined` before that. */
  readonly head: readonly unknown[] | undefined
  /**
   * What further pages brought, in the order of the server: members that a mutation added are not among them. `undefined` if it is not
   * known, as after hydration, and for a list without identity.
   */
  readonly rest?: readonly unknown[] | undefined
  /** What previous pages brought, in the order of the server; `undefined` before the first of them. */
  readonly front?: readonly unknown[] | undefined
  /** The result of the page that comes first, if it has fields beside the list, which may name the page before it. */
  readonly first?: unknown
  /** `true` if an argument says where the list starts, so that its first page never begins later. Told by previous pages. */
  readonly isStartNamed?: boolean | undefined
  /** `true` if the last response of its first page lacks what had been in front of its last member: that has left, or is further behind now. */
  readonly hasLost?: boolean | undefined
  /** `true` if a member has left, so that pages which are counted begin later than when they were asked for. */
  readonly hasLeft?: boolean | undefined
  /** The position in the store's sequence at which the last next page was appended. */
  readonly pagedAt?: number
  /** True if next pages were appended to it. */
  readonly isPaged: boolean
  /** The position in the store's sequence at which the list started over: pages requested earlier are ignored. */
  readonly begunAt: number
}

export const noPages: Pages = { head: undefined, isPaged: false, begunAt: 0 }

/** Replaces a list that has an identity in a normalized value. */
export abstract class ListNode extends Reference implements ListIdentity {
  /** The normalized list or map; `undefined` until it is loaded. */
  members: unknown = undefined
  stamp: Stamp = neverWritten
  pages = noPages
  abstract readonly name: string
  abstract readonly isFilter: boolean
  abstract readonly args: CollectionArgs
  /** The key of the call that loads it; `undefined` if none is known. */
  abstract readonly call: string | undefined
  /** The table that holds it, by `key`. */
  abstract readonly table: { readonly nodes: Map<string, ListNode> }
  abstract readonly key: string
  abstract readonly view: View

  /** Sets arguments and call. */
  abstract identify(list: ListIdentity): void

  /** Replaces the members. */
  abstract show(members: unknown): void

  /** Returns a function that restores the current state. */
  abstract saved(): () => void
}

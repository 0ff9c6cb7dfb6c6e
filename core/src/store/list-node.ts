import type { CollectionArgs, ListIdentity } from '../schema/delegates.js'
import { Reference } from './reference.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import type { View } from './view/view.js'

/** What is remembered of a list, so that it can be loaded page by page (specification 4.4, E14). */
export interface Pages {
  /** The first page as it was last received; `undefined` while none was. */
  readonly head: readonly unknown[] | undefined
  /** Whether further pages were appended to it. */
  readonly isPaged: boolean
  /** The position in the store's sequence at which the list started over: pages asked for earlier belong to none. */
  readonly begunAt: number
}

export const noPages: Pages = { head: undefined, isPaged: false, begunAt: 0 }

/** What stands in a normalized value instead of a list that has an identity. */
export abstract class ListNode extends Reference implements ListIdentity {
  /** The normalized list or map; `undefined` until it was loaded. */
  members: unknown = undefined
  stamp: Stamp = neverWritten
  pages = noPages
  /** Where the mutations started that added members, of those that were answered before an earlier one. */
  joined: ReadonlyMap<unknown, number> | undefined = undefined
  abstract readonly name: string
  abstract readonly isFilter: boolean
  abstract readonly args: CollectionArgs
  /** The key of the call that answers it; `undefined` where none is known. */
  abstract readonly call: string | undefined
  /** Where it is found, by `key`. */
  abstract readonly table: { readonly nodes: Map<string, ListNode> }
  abstract readonly key: string
  abstract readonly view: View
}

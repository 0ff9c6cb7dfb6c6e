import type { FieldPath, PageSchema } from '../schema/page-schema.js'
import type { Store } from '../store/store.js'
import type { ListWriter } from '../store/store-lists.js'
import type { CollectionNode } from './collection-node.js'
import type { MembershipChange } from './membership-change.js'

/** What a response told of a list. */
export interface ToldRows {
  /** Its members, without what mutations changed since it was requested. */
  readonly rows: unknown
  /** The changes of mutations that were answered since it was requested. */
  readonly late: readonly MembershipChange[]
}

/** A page, and the list that it was appended to. */
export interface CountedPage extends ToldRows {
  readonly page: PageSchema
  /** The page, normalized. */
  readonly result: unknown
  /** The result of the list's call, and its members, before the page. */
  readonly before: unknown
  readonly members: readonly unknown[]
}

/** What keeps the number beside a list. */
interface Counting {
  /** Called for a response with a list, before it is counted. */
  read(writer: ListWriter, node: CollectionNode, rows: unknown, late: readonly MembershipChange[]): void
  /** Returns the result of a page with the number of records that its list does not have. */
  ofPage(writer: ListWriter, node: CollectionNode | undefined, page: CountedPage): unknown
  /** Returns the number of records that a list lacks, as the results of its calls have it; `undefined` without one. */
  unloadedOf(store: Store, node: CollectionNode): number | undefined
  /** Returns a result with the number of a received one. */
  ofList(schema: unknown, path: FieldPath, result: unknown, received: unknown): unknown
  /** Called before a mutation changes a list, and after it deleted a record. @param isQuiet - as for `removed` */
  change(
    store: Store,
    writer: ListWriter,
    node: CollectionNode,
    change: MembershipChange,
    isQuiet?: boolean,
  ): void
}

/** Brought by the first `Counted`, so that bundles without it do not contain what counts. */
export const counting: { by?: Counting } = {}

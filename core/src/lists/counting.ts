import type { FieldPath } from '../schema/page-schema.js'
import type { Call } from '../store/call.js'
import type { ListNode } from '../store/list-node.js'
import type { ListWriter } from '../store/store-lists.js'

/** A page, and the list that it was appended to. */
export interface CountedPage {
  readonly list: unknown
  readonly path: FieldPath
  readonly result: unknown
  /** The members of the list, with those of the page. */
  readonly all: readonly unknown[]
  /** The members that the page brought. */
  readonly told: readonly unknown[]
}

/** What keeps the number beside a list. */
interface Counting {
  /** Returns the result of a page with the number of records that its list does not have. */
  ofPage(writer: ListWriter, page: CountedPage): unknown
  /** Returns the number of records that a list lacks, as the results of its calls have it; `undefined` without one. */
  othersOf(list: ListNode, calls: readonly Call[]): number | undefined
  /** Returns a result with the number of a received one. */
  ofList(schema: unknown, path: FieldPath, result: unknown, received: unknown): unknown
}

/** Brought by the first `Counted`, so that bundles without it do not contain what counts. */
export const counting: { by?: Counting } = {}

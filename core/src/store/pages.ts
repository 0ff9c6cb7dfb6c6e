import { isSamePlain } from '../util/plain.js'
import { recordOf } from './members.js'
import { RecordNode } from './records.js'

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

/** A list and what is remembered of it. */
export interface PagedList {
  readonly pages: Pages
  readonly members: readonly unknown[]
}

/**
 * The list after its own call was answered. What was appended stays behind the first page while that is what it
 * was; otherwise the list starts over.
 *
 * @param members - the list until now
 * @param settle - the position of the answer in the store's sequence
 */
export function withFirstPage(
  { pages, members }: PagedList,
  received: readonly unknown[],
  settle: number,
): PagedList {
  const { head, isPaged } = pages
  if (head === received && !isPaged) return { pages, members: received }
  if (head !== undefined && !isSameHead(head, received)) {
    return { pages: { head: received, isPaged: false, begunAt: settle }, members: received }
  }
  const known = { ...pages, head: received }
  if (!isPaged) return { pages: known, members: received }
  return { pages: known, members: [...received, ...behind(head ?? [], members, received)] }
}

/**
 * The list after a page was answered: what is not there is appended, in order.
 *
 * @param start - where the request for the page stands in the store's sequence
 * @returns `undefined` when the list started over since the page was asked for
 */
export function withPage(
  { pages, members }: PagedList,
  page: readonly unknown[],
  start: number,
): PagedList | undefined {
  if (start < pages.begunAt) return undefined
  const known = new Set(members.map(recordOf))
  const added = page.filter((member) => {
    const record = recordOf(member)
    // Only records are told apart; a list of plain values may hold one of them twice.
    if (!(record instanceof RecordNode)) return true
    if (known.has(record)) return false
    known.add(record)
    return true
  })
  return {
    pages: pages.isPaged ? pages : { ...pages, isPaged: true },
    members: added.length === 0 ? members : [...members, ...added],
  }
}

/** Whether a first page is what it was, apart from records that were deleted meanwhile. */
function isSameHead(head: readonly unknown[], received: readonly unknown[]): boolean {
  const left = head.filter((member) => !isDeleted(recordOf(member)))
  const shown = received.filter((member) => !isDeleted(recordOf(member)))
  return (
    left.length === shown.length &&
    left.every((member, index) => isSamePlain(recordOf(member), recordOf(shown[index])))
  )
}

function isDeleted(record: unknown): boolean {
  return record instanceof RecordNode && record.fields === undefined
}

/** The members behind the last one of the first page, without those that the page itself now holds. */
function behind(
  head: readonly unknown[],
  members: readonly unknown[],
  received: readonly unknown[],
): readonly unknown[] {
  const inReceived = new Set<unknown>(received.map(recordOf).filter((record) => record instanceof RecordNode))
  return members.slice(lengthOfHead(head, members)).filter((member) => !inReceived.has(recordOf(member)))
}

/** How many members there are until the first page ends: mutations may have added some, or taken some away. */
function lengthOfHead(head: readonly unknown[], members: readonly unknown[]): number {
  const isUntouched = head.every((member, index) => isSamePlain(recordOf(member), recordOf(members[index])))
  if (isUntouched) return head.length
  const inHead = new Set(head.map(recordOf))
  let { length } = members
  while (length > 0 && !inHead.has(recordOf(members[length - 1]))) length--
  return length
}

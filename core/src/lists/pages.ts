import { contractOf } from '../schema/contract-of.js'
import { ObjectSchema } from '../schema/object.js'
import type { SchemaContract } from '../schema/schema.js'
import { isPlainObject, isSamePlain } from '../util/plain.js'
import type { Pages } from '../store/list-node.js'
import { recordOf } from '../store/members.js'
import { RecordNode } from '../store/records.js'

/** A list and what is remembered of it. */
export interface PagedList {
  readonly pages: Pages
  readonly members: readonly unknown[]
}

/**
 * The list after its own call was answered. Without further pages the answer is the list. What was appended stays where
 * it stood behind the last member of the answer that the list had already; the list starts over where it had none of
 * them, or the first page got shorter by more than what was deleted.
 *
 * @param members - the list until now
 * @param settle - the position of the answer in the store's sequence
 * @param isWhole - whether the answer holds the further pages as well
 */
export function withFirstPage(
  { pages, members }: PagedList,
  received: readonly unknown[],
  settle: number,
  isWhole = false,
): PagedList {
  const { head, isPaged } = pages
  if (!isPaged) {
    if (head === received) return { pages, members: received }
    const isOther = head !== undefined && !isSameHead(head, received)
    return {
      pages: { head: received, isPaged, begunAt: isOther ? settle : pages.begunAt },
      members: received,
    }
  }
  const answer = withoutRepeats(received)
  if (isWhole) return { pages: { ...pages, head: answer.slice(0, head?.length) }, members: answer }
  const left = head?.filter(isThere).length ?? 0
  // A page may come before the list.
  const end = left === 0 ? 0 : endOfKnown(members, answer)
  if (end === undefined || answer.filter(isThere).length < left) {
    return { pages: { head: received, isPaged: false, begunAt: settle }, members: received }
  }
  const inAnswer = new Set(answer.map(recordOf))
  const kept = members
    .slice(end)
    .filter((member) => !(recordOf(member) instanceof RecordNode && inAnswer.has(recordOf(member))))
  return { pages: { ...pages, head: answer }, members: kept.length === 0 ? answer : [...answer, ...kept] }
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

/** Whether the lists in two results are the same, apart from records that were deleted meanwhile. */
export function hasSameLists(schema: SchemaContract, before: unknown, after: unknown): boolean {
  if (before === after) return true
  if (Array.isArray(before) && Array.isArray(after)) return isSameHead(before, after)
  if (!(schema instanceof ObjectSchema) || !isPlainObject(before) || !isPlainObject(after))
    return !Array.isArray(before) && !Array.isArray(after)
  return schema.nested.every(([name, field]) => hasSameLists(contractOf(field), before[name], after[name]))
}

/** Whether a first page is what it was, apart from records that were deleted meanwhile. */
function isSameHead(head: readonly unknown[], received: readonly unknown[]): boolean {
  const left = head.filter(isThere)
  const shown = received.filter(isThere)
  return (
    left.length === shown.length &&
    left.every((member, index) => isSamePlain(recordOf(member), recordOf(shown[index])))
  )
}

function isThere(member: unknown): boolean {
  const record = recordOf(member)
  return !(record instanceof RecordNode) || record.fields !== undefined
}

/** Where the last member of an answer that a list has stands in the list, and one more; `undefined` where it has none. */
function endOfKnown(members: readonly unknown[], answer: readonly unknown[]): number | undefined {
  const places = new Map<unknown, number>()
  for (const [index, member] of members.entries()) {
    if (!places.has(recordOf(member))) places.set(recordOf(member), index)
  }
  for (const member of [...answer].reverse()) {
    const place =
      places.get(recordOf(member)) ??
      (isPlainObject(member) ? members.findIndex((other) => isSamePlain(other, member)) : -1)
    if (place !== -1) return place + 1
  }
  return undefined
}

/** Pages that were asked for one after the other may hold a record twice. */
function withoutRepeats(received: readonly unknown[]): readonly unknown[] {
  const records = received.map(recordOf)
  const isFirst = (record: unknown, index: number) =>
    !(record instanceof RecordNode) || records.indexOf(record) === index
  if (new Set(records).size === records.length) return received
  return received.filter((_, index) => isFirst(records[index], index))
}

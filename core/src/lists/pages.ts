import { isPlainObject, isSamePlain } from '../util/plain.js'
import type { Pages } from '../store/list-node.js'
import { recordOf } from '../schema/members-schema.js'
import { isThere } from '../store/list-members.js'
import { RecordNode } from '../store/records.js'

/**
 * Returns a list after a response of its own call. Without further pages, the list is the response. With pages, what pages
 * brought up to the last one that is also in the response leaves, unless the response has it. All else stays: further pages, and what
 * mutations added. The list starts over if it has no member of the response, or if the first page lost more members than were deleted.
 *
 * @param list - has the state of its pages, which is updated
 * @param members - the list before the response
 * @param settle - the position of the response in the store's sequence
 * @param isWhole - `true` if the response contains the further pages
 * @param isOrdered - `true` if a rule puts what mutations add where the server has it
 */
export function withFirstPage(
  list: { pages: Pages },
  members: readonly unknown[],
  received: readonly unknown[],
  settle: number,
  isWhole: boolean,
  isOrdered: boolean,
): readonly unknown[] {
  const { pages } = list
  const { head, isPaged } = pages
  if (isPaged || isWhole) {
    // A record may be in two pages, because the server's list can change between their requests.
    const answer = newIn(received, [])
    const rest = pages.rest && [...(head ?? []), ...pages.rest]
    if (isWhole) {
      const size = head?.length
      const [own, further] = [answer.slice(0, size), answer.slice(size)]
      list.pages = {
        ...pages,
        isPaged: true,
        head: own,
        rest: rest && further,
        hasLost: false,
        hasLeft: false,
      }
      return answer
    }
    const left = head?.filter(isThere).length ?? 0
    const order = isOrdered ? undefined : rest
    const told = order ?? members
    const places = new Map(told.map((member, index) => [recordOf(member), index] as const).reverse())
    // No first page is stored, or its records were all deleted: all members stay.
    const end = left === 0 ? 0 : endOfKnown(told, places, answer)
    if (end !== undefined && answer.filter(isThere).length >= left) {
      const placeOf = (member: unknown, index: number) => (order ? places.get(recordOf(member)) : index)
      // What a mutation put in front of all pages is not there, if the response does not have it. Where the first member of the pages has
      // left the list, it may have been put behind that.
      const known = members.findIndex((member, index) => placeOf(member, index) !== undefined)
      const front = placeOf(members[known], known) === 0 ? known : 0
      const staying = members.filter(
        (member, index) => index >= front && (placeOf(member, index) ?? end) >= end,
      )
      const all = [...answer, ...newIn(staying, answer)]
      const hasLost = newIn(members.filter(isThere), all).some(isOfRecord)
      const hasLeft = pages.hasLeft === true || newIn(head ?? [], all).some(isOfRecord)
      list.pages = { ...pages, head: answer, rest: rest && newIn(rest.slice(end), answer), hasLost, hasLeft }
      return all
    }
  }
  const isOther = isPaged || (head !== undefined && !isSameHead(head, received))
  list.pages = { head: received, isPaged: false, begunAt: isOther ? settle : pages.begunAt }
  return received
}

/** Returns a list with the members of a page that it does not contain appended, in order. */
export function withPage(members: readonly unknown[], page: readonly unknown[]): readonly unknown[] {
  const added = newIn(page, members)
  return added.length === 0 ? members : [...members, ...added]
}

/** Returns `true` if a received first page equals the previous one, apart from records deleted since. */
function isSameHead(head: readonly unknown[], received: readonly unknown[]): boolean {
  const left = head.filter(isThere)
  const shown = received.filter(isThere)
  return (
    left.length === shown.length &&
    left.every((member, index) => isSamePlain(recordOf(member), recordOf(shown[index])))
  )
}

/** Returns the index after the last member of the response that is in the list; `undefined` if none is. */
function endOfKnown(
  members: readonly unknown[],
  places: ReadonlyMap<unknown, number>,
  answer: readonly unknown[],
): number | undefined {
  for (const member of [...answer].reverse()) {
    const place = isPlainObject(member)
      ? members.findIndex((other) => isSamePlain(other, member))
      : (places.get(recordOf(member)) ?? -1)
    if (place !== -1) return place + 1
  }
  return undefined
}

export function isOfRecord(member: unknown): boolean {
  return recordOf(member) instanceof RecordNode
}

/** Returns the members of a part of a list whose records are not in the other part. Equal plain values are kept. */
export function newIn(part: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const known = new Set(other.map(recordOf))
  return part.filter((member) => {
    const record = recordOf(member)
    const isNew = !(record instanceof RecordNode && known.has(record))
    known.add(record)
    return isNew
  })
}

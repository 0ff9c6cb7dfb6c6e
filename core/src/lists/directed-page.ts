import { contractOf, innerOf } from '../schema/contract-of.js'
import { recordOf } from '../schema/members-schema.js'
import { valueAt, withValueAt } from '../schema/page-schema.js'
import type { FieldPath, PageSide, PagedCall } from '../schema/page-schema.js'
import type { Schema } from '../schema/schema.js'
import type { Call } from '../store/call.js'
import { isThere } from '../store/list-members.js'
import { ListNode } from '../store/list-node.js'
import type { Pages } from '../store/list-node.js'
import { noResult } from '../store/results.js'
import type { Store } from '../store/store.js'
import { isPlainObject, isSamePlain } from '../util/plain.js'
import { Page } from './appended-page.js'
import { bothDirections } from './both-directions.js'
import type { GrowingSide } from './both-directions.js'
import { counting } from './counting.js'
import { newIn, withPage } from './pages.js'
import type { withFirstPage } from './pages.js'

type Members = readonly unknown[]

/** A page of a list that is loaded in both directions. */
export class DirectedPage<S extends Schema = Schema> extends Page<S> {
  /** @internal */
  declare readonly side: PageSide

  constructor(
    list: S,
    path: FieldPath,
    callOf: (args: readonly unknown[]) => PagedCall,
    side: Omit<PageSide, 'dataOf'>,
  ) {
    super(list, path, callOf)
    const growing: GrowingSide = { ...side, ...(side.isFront ? inFrontOfList : behindList) }
    this.side = growing
    bothDirections.join ??= joinInBothDirections
  }

  /** @internal */
  override get parts(): unknown {
    const { names, start, isFront } = this.side
    return [this.list, this.path, names, start, isFront]
  }
}

type Growing = Omit<GrowingSide, keyof Omit<PageSide, 'dataOf'>>

const behindList: Growing = {
  withPage,
  // The page that comes first is that of the list, whose fields those of this page replace.
  grow: (pages, grown, _told, { result }, { page: { path } }) => ({
    ...grown,
    first: pages.first ?? (path.length > 0 && result !== noResult ? result : undefined),
  }),
  put: (loaded, args) => [...loaded, args],
  beside: (_schema, _before, page) => page,
  dataOf: (call) => (call as Call).snapshot().data,
}

/** The data with the fields of the first page, which is the same until the list changes. */
const shownFirst = new WeakMap<
  Call,
  { readonly data: unknown; readonly first: unknown; readonly shown: unknown }
>()

const inFrontOfList: Growing = {
  withPage: inFront,

  grow(pages, { head }, told, _call, { page: { path, side }, list: { args }, result }) {
    return {
      ...pages,
      head,
      front: inFront(pages.front ?? [], told),
      first: path.length > 0 ? result : undefined,
      isStartNamed: (valueAt(args[0], [side?.start ?? '']) ?? '') !== '',
    }
  },

  put: (loaded, args) => [args, ...loaded],

  beside({ list, path }, before, page) {
    if (before === noResult) return page
    return counting.by?.ofList(list, path, before, page) ?? before
  },

  dataOf(listCall, store) {
    const call = listCall as Call
    const { data } = call.snapshot()
    const { path = [], schema } = call
    const listed = valueAt(call.result, path)
    const { first } = (listed instanceof ListNode ? listed : call).pages
    if (first === undefined || schema === undefined) return data
    const last = shownFirst.get(call)
    if (last?.data === data && last?.first === first) return last?.shown
    const result = withValueAt(first, path, listed)
    const shown = (store as Store).readOnce(innerOf(contractOf(schema)), result, call.args)
    shownFirst.set(call, { data, first, shown })
    return shown
  },
}

const joinInBothDirections: typeof withFirstPage = (list, members, received, settle, isWhole, isOrdered) => {
  const { pages } = list
  const answer = newIn(received, [])
  if (isWhole) {
    list.pages = { ...pages, ...splitLike(pages, answer) }
    return answer
  }
  // Mutations change the order of a Collection, but not that of a list without identity.
  const told = isOrdered || !(list instanceof ListNode) ? members : allOf(pages)
  const bounds = boundsOf(pages, told, answer)
  if (bounds === undefined) {
    list.pages = { head: received, isPaged: false, begunAt: settle }
    return received
  }
  const { begin, end } = bounds
  const before = newIn(told.slice(0, begin), answer)
  const after = newIn(told.slice(end), answer)
  list.pages = { ...pages, front: before, head: answer, rest: pages.rest && after }
  if (told === members) return [...before, ...answer, ...after]
  const [inFrontOf, behind] = sidesOf(members, placeFinder(told), bounds)
  return [...newIn(inFrontOf, answer), ...answer, ...newIn(behind, answer)]
}

function inFront(members: Members, page: Members): Members {
  const added = newIn(page, members)
  return added.length === 0 ? members : [...added, ...members]
}

function allOf({ front = [], head = [], rest = [] }: Pages): Members {
  return [...front, ...head, ...rest]
}

/** Divides a response that has all loaded pages as the list was divided. */
function splitLike({ front = [], head = [], rest }: Pages, answer: Members): Partial<Pages> {
  const [begin, end] = [front.length, front.length + head.length]
  return { front: answer.slice(0, begin), head: answer.slice(begin, end), rest: rest && answer.slice(end) }
}

/** The part of a list that a response replaces: indexes of its members in the order of the server. */
interface Bounds {
  readonly begin: number
  readonly end: number
}

/** Returns what a response for the list replaces; `undefined` if the list starts over. */
function boundsOf(
  { front = [], head = [], isPaged, isStartNamed }: Pages,
  told: Members,
  answer: Members,
): Bounds | undefined {
  const placeOf = placeFinder(told)
  // Where the previous pages end.
  let edge = 0
  for (const member of front) edge = Math.max(edge, 1 + (placeOf(member) ?? -1))
  const left = head.filter(isThere).length
  // Its records were all deleted.
  if (left === 0) return { begin: edge, end: edge }
  const places = answer.flatMap((member) => placeOf(member) ?? [])
  // A first page that became shorter has nothing behind it.
  if (isPaged && (places.length === 0 || answer.filter(isThere).length < left)) return undefined
  const [first = isStartNamed === true ? edge : undefined] = places
  if (first === undefined) return undefined
  const begin = isStartNamed === true ? Math.min(first, edge) : first
  // Without pages behind it, the response has the end of the list.
  return { begin, end: isPaged ? Math.max(begin, 1 + (places.at(-1) ?? 0)) : told.length }
}

/** Returns a function from a member to its index in a list. */
function placeFinder(told: Members): (member: unknown) => number | undefined {
  const places = new Map(told.map((member, index) => [recordOf(member), index] as const).reverse())
  return (member) => {
    if (!isPlainObject(member)) return places.get(recordOf(member))
    const index = told.findIndex((other) => isSamePlain(other, member))
    return index < 0 ? undefined : index
  }
}

/** Returns the members in front of what a response replaces, and behind it. What mutations added stays at its place. */
function sidesOf(
  members: Members,
  placeOf: (member: unknown) => number | undefined,
  { begin, end }: Bounds,
): readonly [front: Members, behind: Members] {
  const front: unknown[] = []
  const behind: unknown[] = []
  let isBehind = false
  for (const member of members) {
    const place = placeOf(member)
    isBehind ||= place !== undefined && place >= begin
    if (place === undefined ? !isBehind : place < begin) front.push(member)
    else if (place === undefined || place >= end) behind.push(member)
  }
  return [front, behind]
}

import type { Fields } from '../../schema/fields.js'
import { isPlainObject, isSamePlain, shareStructure } from '../../util/plain.js'
import type { ListNode } from '../list-node.js'
import { RecordNode } from '../records.js'
import type { Store } from '../store.js'
import { someLists } from './below.js'
import type { ExpectedTransaction, ListEffect } from './expected-transaction.js'
import { isConstant, settledMembers, showOver } from './staying-layers.js'
import type { LiftedList, LiftedRecord, StayingLayer } from './staying-layers.js'

/**
 * The records and lists that have their received state while a response takes the place of a layer, although other layers
 * show another state of them. These layers stay on, and are put on top of what was received.
 */
export class LiftedData {
  readonly #store: Store
  /** The layers that read or wrote some data, in their order. */
  readonly #users: (target: unknown) => readonly StayingLayer[]
  /** The layer that is being replaced; `undefined` if there is none. */
  #replaced: StayingLayer | undefined
  readonly #records = new Map<RecordNode, LiftedRecord>()
  readonly #lists = new Map<ListNode, LiftedList>()

  constructor(store: Store, users: (target: unknown) => readonly StayingLayer[]) {
    this.#store = store
    this.#users = users
  }

  /**
   * `true` if all other layers can stay on: the layer changed nothing but fields and members of lists, and the other layers
   * on its records are above it, or show the same fields whatever the response says.
   */
  canReplace(layer: StayingLayer): boolean {
    const { written } = layer
    if (written?.isOfFieldsAndLists !== true) return false
    const { isOfFields } = written
    const hasRules = this.#store.lists?.onWritten !== undefined
    if (hasRules && !isOfFields) return false
    return nodesOf(written).every((node) => {
      const users = this.#users(node)
      if (isOfFields && users[0] === layer) return true
      const isMade = written.before.made.includes(node)
      return users.every((user) => user === layer || (!isMade && !hasRules && isConstant(user, node)))
    })
  }

  /** Takes a layer back, and gives all that it wrote its received state. `lower` or `unlift` ends it. */
  begin(layer: StayingLayer): void {
    const { written } = layer
    if (written === undefined) return
    this.#replaced = layer
    for (const node of nodesOf(written)) {
      const users = this.#users(node)
      const replaced = users[0] === layer ? undefined : layer
      const below = fieldsBelow(users, node)?.fields
      this.#records.set(node, { node, shown: node.fields, below, replaced })
    }
    const lists = [...written.changedLists].map(([list, effect]) => this.#addList(list, effect))
    written.rollBack()
    for (const { node, below } of this.#records.values()) this.#store.showFields(node, below)
    for (const restore of lists) restore()
  }

  /** @returns restores the received list */
  #addList(list: ListNode, effect: ListEffect): () => void {
    const { below } = this.#lowestOf(list)?.changedLists.get(list) ?? effect
    this.#lists.set(list, { shown: list.members, below: below.members, effect })
    return below.restore
  }

  /** What the lowest layer that changed a list has written. */
  #lowestOf(list: ListNode): ExpectedTransaction | undefined {
    return this.#users(list).find(({ written }) => written?.changedLists.has(list))?.written
  }

  /**
   * Gives data its received state, because the response is about it.
   *
   * @returns `false` if it has another one, and a layer below the replaced one would have to run again
   */
  lift(target: unknown): boolean {
    if (this.#replaced === undefined) return false
    if (!(target instanceof RecordNode)) return this.#lists.has(target as ListNode)
    const users = this.#users(target)
    const [lowest] = users
    if (lowest === undefined || this.#records.has(target)) return true
    if (lowest.start < this.#replaced.start) return false
    // The response is about a record that its layer did not change, as when a create is answered by one that was there. Its lists have
    // to be the received ones, too.
    if (users.some(({ noted }) => noted.has(someLists))) return false
    const below = fieldsBelow(users, target)
    this.#records.set(target, {
      node: target,
      shown: target.fields,
      below: below?.fields,
      replaced: undefined,
    })
    if (below !== undefined) this.#store.showFields(target, below.fields)
    return true
  }

  /**
   * Shows again what layers make of the data.
   *
   * @param expected - the normalized optimistic response of the replaced layer
   * @param answer - what took its place
   * @returns `false` if layers have to run again, because other data was received than they know; `unlift` is next
   */
  lower(expected: unknown, answer: unknown): boolean {
    this.#replaced = undefined
    for (const lifted of this.#records.values())
      if (this.#lowerRecord(lifted)) this.#records.delete(lifted.node)
    const answered = new Map<unknown, unknown>()
    if (this.#lists.size > 0) pairRecords(expected, answer, (early, real) => answered.set(early, real))
    for (const [list, lifted] of this.#lists)
      if (this.#lowerList(list, lifted, answered)) this.#lists.delete(list)
    return this.#records.size + this.#lists.size === 0
  }

  #lowerRecord(lifted: LiftedRecord): boolean {
    const { node, shown, replaced } = lifted
    const { fields: received } = node
    const users = this.#users(node)
    const known = fieldsBelow(users, node)
    const isStored = received !== undefined && (known === undefined ? shown : known.fields) !== undefined
    const mayStay = isStored && users.every((user) => isConstant(user, node))
    const show = (fields: Fields | undefined) =>
      this.#store.showFields(node, shareStructure(shown, fields) as Fields)
    if (known === undefined) {
      const isKnown = users.length === 0 || isSamePlain(shown, received)
      if (!isKnown && !mayStay) return false
      show(received)
      return true
    }
    if (replaced === undefined && isSamePlain(known.fields, received)) {
      showOnly(this.#store, () => this.#store.showFields(node, shown))
      return true
    }
    if (!mayStay) return false
    const below = replaced === undefined ? known.fields : lifted.below
    const next = showOver({ ...lifted, below }, received, users, this.#store)
    if (next === undefined) return false
    showOnly(this.#store, () => show(next))
    return true
  }

  #lowerList(list: ListNode, lifted: LiftedList, answered: ReadonlyMap<unknown, unknown>): boolean {
    const { members: received } = list
    const lowest = this.#lowestOf(list)
    const next = lowest === undefined ? received : settledMembers(lifted, received, answered)
    if (next === undefined) return lowest === undefined
    const show = () => {
      this.#store.journal?.note(list)
      list.show(shareStructure(lifted.shown, next))
    }
    if (lowest === undefined) show()
    else {
      lowest.putListBelow(list)
      showOnly(this.#store, show)
    }
    return true
  }

  /** Shows what layers make of the data, so that they can be rolled back. */
  unlift(): { readonly targets: readonly unknown[]; readonly restore: () => void } {
    const records = [...this.#records.values()].map(({ node, shown }) => [node, node.fields, shown] as const)
    const lists = [...this.#lists].map(([list, { shown }]) => [list, list.saved(), shown] as const)
    this.#records.clear()
    this.#lists.clear()
    for (const [node, , shown] of records) showOnly(this.#store, () => this.#store.showFields(node, shown))
    for (const [list, , shown] of lists) showOnly(this.#store, () => list.show(shown))
    return {
      targets: [...records, ...lists].map(([target]) => target),
      restore: () => {
        for (const [node, received] of records) this.#store.showFields(node, received)
        for (const [, restore] of lists) restore()
      },
    }
  }

  clear(): void {
    this.#records.clear()
    this.#lists.clear()
  }
}

/** Changes what is shown, and not what was received. */
export function showOnly<Value>({ journal }: Store, show: () => Value): Value {
  return journal === undefined ? show() : journal.show(show)
}

/** The records that a layer wrote or made. */
function nodesOf({ before }: ExpectedTransaction): RecordNode[] {
  const nodes = new Set<RecordNode>()
  before.each((node) => nodes.add(node))
  return [...nodes]
}

/** What the lowest layer that wrote a record found. */
function fieldsBelow(users: readonly StayingLayer[], node: RecordNode) {
  for (const { written } of users) {
    const before = written?.fieldsBefore(node)
    if (before !== undefined) return before
  }
  return undefined
}

/** Calls a function with each pair of records at the same position of two normalized values. */
export function pairRecords(a: unknown, b: unknown, pair: (a: RecordNode, b: RecordNode) => void): void {
  if (a instanceof RecordNode && b instanceof RecordNode) pair(a, b)
  else if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    a.forEach((item, index) => pairRecords(item, b[index], pair))
  } else if (isPlainObject(a) && isPlainObject(b)) {
    for (const name of Object.keys(a)) if (Object.hasOwn(b, name)) pairRecords(a[name], b[name], pair)
  }
}

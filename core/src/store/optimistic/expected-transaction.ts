import { normalizeInto } from '../../normalize/normalize.js'
import type { PayloadOrigin } from '../../normalize/normalize.js'
import type { CollectionSchema } from '../../schema/collection.js'
import type { CollectionChangeKind, ListIdentity } from '../../schema/delegates.js'
import type { EntityPlan } from '../../schema/entity-plan.js'
import type { Fields } from '../../schema/fields.js'
import type { SchemaContract } from '../../schema/schema.js'
import { isPlainObject } from '../../util/plain.js'
import { allLists, someLists } from './below.js'
import type { DependencySink } from './below.js'
import type { ListNode } from '../list-node.js'
import { withoutRepeated } from '../list-members.js'
import { sentOf, viewsOf } from '../records.js'
import type { RecordNode } from '../records.js'
import { noResult } from '../results.js'
import type { Call } from '../call.js'
import type { OwnFields, Stamp } from '../stamp.js'
import type { Store } from '../store.js'
import { Transaction } from '../transaction.js'
import type { View } from '../view/view.js'

/** What the fields that a layer shows depend on. */
export interface LayerSource {
  /** The start of the mutation in the store's sequence, which orders the layers. */
  readonly start: number
  /** What the mutation writes itself. */
  readonly wrote: Pick<OwnFields, 'args'>
  /** The data that its optimistic response was computed from. */
  readonly reads: Set<unknown>
}

/** What a layer did with a list. */
export interface ListEffect {
  /** The members before and after it. */
  readonly before: unknown
  readonly after: unknown
  /** The list below it now. */
  readonly below: ListBefore
}

interface ListBefore {
  readonly members: unknown
  readonly head: unknown
  readonly restore: () => void
}

/** Writes an optimistic response. Stamps stay, because nothing was received. A rollback precedes each new run of the layer. */
export class ExpectedTransaction extends Transaction {
  /** The records that it deletes. */
  readonly removed = new Set<RecordNode>()
  readonly changedLists = new Map<ListNode, ListEffect>()
  readonly calls = new Map<Call, Pick<Call, 'result' | 'stamp'>>()
  /** The names of the fields that are not shown, because a later mutation confirmed them. */
  readonly #covered = new Set<string>()
  /** By record, the fields in which the optimistic response differed from the data below. */
  readonly own = new Map<RecordNode, Fields>()
  /** By record, the fields that it shows, also if the data below is the same. */
  readonly shown = new Map<RecordNode, Fields>()
  /** The fields of records below it that were received since it wrote. */
  readonly #below = new Map<RecordNode, Fields>()
  /** `true` if it told for the first time that all records of a class are listed. */
  #hasListed = false
  readonly #store: Store
  readonly #noted: DependencySink
  readonly #layer: LayerSource

  constructor(store: Store, layer: LayerSource, noted: DependencySink) {
    const { start } = layer
    super(
      store,
      { kind: 'expected', start, settle: start },
      { endpoint: undefined, controller: 0 },
      -Infinity,
    )
    this.#store = store
    this.#noted = noted
    this.#layer = layer
  }

  override mergedInto(): undefined {
    return undefined
  }

  override write(plan: EntityPlan, reference: unknown, given: Fields, isNested: boolean): void {
    const node = reference as RecordNode
    const { fields } = node
    const shown = this.#withoutCovered(node, given)
    super.write(plan, node, shown, isNested)
    const all: Record<string, unknown> = { ...this.shown.get(node) }
    const own: Record<string, unknown> = { ...this.own.get(node) }
    for (const name of Object.keys(shown)) {
      const value = node.fields?.[name]
      all[name] = value
      if (value !== fields?.[name]) own[name] = value
    }
    this.shown.set(node, all)
    // An `update` runs again on the response.
    if (!this.isUpdating) this.own.set(node, own)
  }

  /**
   * Leaves out what a later mutation that was confirmed wrote: its value stays on screen. A field that was computed from
   * the record below is computed from that value. Over a record that an expected deletion hides, all of it is shown.
   */
  #withoutCovered(node: RecordNode, given: Fields): Fields {
    const { start, wrote, reads } = this.#layer
    const { fieldOrder } = this.#store
    if (fieldOrder.size === 0 || node.fields === undefined) return given
    const isShown = ([name]: readonly [string, unknown]) => {
      const isComputed = reads.has(node) && !Object.hasOwn(sentOf(wrote.args, node) ?? {}, name)
      const isCovered = !isComputed && fieldOrder.isCovered(node, name, start)
      if (isCovered) this.#covered.add(name)
      return !isCovered
    }
    return Object.fromEntries(Object.entries(given).filter(isShown))
  }

  override ingest(schema: SchemaContract, payload: unknown, origin: PayloadOrigin): unknown {
    return normalizeInto(this, schema, payload, origin)
  }

  override reference(plan: EntityPlan, pk: string, expected?: unknown): RecordNode {
    const node = super.reference(plan, pk, expected)
    this.#noted.add(node)
    return node
  }

  override listed(plan: EntityPlan): void {
    const { isListed, lists } = this.#store.table(plan)
    if (!isListed) {
      this.#noted.add(lists)
      this.#hasListed = true
    }
    super.listed(plan)
  }

  override recognize(): undefined {
    return undefined
  }

  override collection(collection: CollectionSchema<unknown>, list: ListIdentity, members: unknown): ListNode {
    const node = this.#store.listOf(collection, list)
    this.#noted.add(allLists)
    this.keepBefore(node)
    node.show(withoutRepeated(members, this.heldBefore(node)))
    return node
  }

  override changeCollections(
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    args: readonly unknown[],
  ): void {
    this.#noted.add(someLists)
    const body = args.at(-1)
    // A later mutation that was confirmed decides about the lists that a covered field names.
    const shown =
      this.#covered.size > 0 && isPlainObject(body)
        ? Object.fromEntries(Object.entries(body).filter(([name]) => !this.#covered.has(name)))
        : body
    super.changeCollections(collection, kind, members, [...args.slice(0, -1), shown])
  }

  override page(): void {}

  /** Places the written records by the rules of their lists. */
  place(): void {
    const { onWritten } = this.#store.lists ?? {}
    if (onWritten === undefined) return
    this.#noted.add(someLists)
    onWritten(this)
  }

  override remove(plan: EntityPlan, reference: unknown): void {
    this.removed.add(reference as RecordNode)
    super.remove(plan, reference)
  }

  override stored(plan: EntityPlan, pk: string): unknown {
    this.#noted.add(this.#store.table(plan))
    return super.stored(plan, pk)
  }

  override removeOneOf(): void {}

  override replaceResult(call: Call, result: unknown): void {
    if (!this.calls.has(call)) this.calls.set(call, { result: call.result, stamp: call.stamp })
    // A call without a result shows records and has their age.
    const stamp = call.result === noResult ? { ...call.age } : call.stamp
    this.#store.move(call, { type: 'replaced', result, stamp })
  }

  override rollBack(): void {
    for (const { below } of this.changedLists.values()) below.restore()
    for (const [call, { result, stamp }] of this.calls) {
      this.#store.move(call, { type: 'replaced', result, stamp })
    }
    super.rollBack()
    for (const [node, fields] of this.#below) this.#store.showFields(node, fields, true)
  }

  /** Called when everything is written. */
  end(): void {
    for (const [node, effect] of this.changedLists)
      this.changedLists.set(node, { ...effect, after: node.members })
  }

  /** `true` if it changed nothing but fields of records that were there, and members of lists. */
  get isOfFieldsAndLists(): boolean {
    let isOfThese = !this.#hasListed && this.calls.size + this.removed.size === 0
    const made = new Set(this.before.made)
    this.before.each((node, _stamp, fields) => {
      if (fields === undefined && !made.has(node)) isOfThese = false
    })
    return isOfThese
  }

  /** `true` if it changed nothing but fields of records that were there. */
  get isOfFields(): boolean {
    return this.before.made.length + this.changedLists.size === 0 && this.isOfFieldsAndLists
  }

  /** Replaces the fields of a record below it. */
  putBelow(node: RecordNode, fields: Fields): void {
    this.#below.set(node, fields)
  }

  /** Takes the present state of a list for the one below it. */
  putListBelow(node: ListNode): void {
    const effect = this.changedLists.get(node)
    if (effect !== undefined) this.changedLists.set(node, { ...effect, below: listStateOf(node) })
  }

  /** The fields of a record before it wrote them; `undefined` if it did not write the record. */
  fieldsBefore(node: RecordNode): { readonly fields: Fields | undefined } | undefined {
    const received = this.#below.get(node)
    if (received !== undefined) return { fields: received }
    let found: { readonly fields: Fields | undefined } | undefined
    this.before.each((other, _stamp, fields) => {
      if (other === node) found = { fields }
    })
    return found
  }

  /** The replaced values, which may be referenced only here. */
  get replaced(): readonly unknown[] {
    const replaced: unknown[] = [...this.changedLists.values()].flatMap(({ before, below }) => [
      before,
      below.members,
      below.head,
    ])
    this.before.each((_node, _stamp, fields) => replaced.push(fields))
    replaced.push(...this.#below.values())
    return replaced
  }

  /** The views whose input it wrote. */
  get views(): readonly View[] {
    const views: View[] = [...this.calls.keys(), ...[...this.changedLists.keys()].map(({ view }) => view)]
    this.before.each((node) => views.push(...viewsOf(node), ...node.table.lists.values()))
    return views
  }

  override keepBefore(node: ListNode): void {
    this.#noted.add(node)
    this.#store.journal?.note(node)
    const { members } = node
    if (!this.changedLists.has(node))
      this.changedLists.set(node, { before: members, after: members, below: listStateOf(node) })
  }

  override makeStale(): void {}

  override stampOver(_plan: EntityPlan | undefined, before: Stamp): Stamp {
    return before
  }
}

function listStateOf(node: ListNode): ListBefore {
  return { members: node.members, head: node.pages.head, restore: node.saved() }
}

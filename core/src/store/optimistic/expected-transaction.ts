import { normalizeInto } from '../../normalize/normalize.js'
import type { PayloadOrigin } from '../../normalize/normalize.js'
import type { CollectionSchema } from '../../schema/collection.js'
import type { CollectionChangeKind, ListIdentity } from '../../schema/delegates.js'
import type { EntityPlan } from '../../schema/entity-plan.js'
import type { SchemaContract } from '../../schema/schema.js'
import { allLists } from './below.js'
import type { Noted } from './below.js'
import type { ListNode } from '../list-node.js'
import { withoutRepeated } from '../members.js'
import { viewsOf } from '../records.js'
import type { RecordNode } from '../records.js'
import { noResult } from '../results.js'
import type { Call } from '../call.js'
import type { Stamp } from '../stamp.js'
import type { Tables } from '../tables.js'
import { Transaction } from '../transaction.js'
import type { View } from '../view/view.js'

/** Writes an optimistic response. Stamps stay, because nothing was received. A rollback precedes each new run of the layer. */
export class ExpectedTransaction extends Transaction {
  /** The records that it deletes. */
  readonly removed = new Set<RecordNode>()
  readonly changedLists = new Set<ListNode>()
  readonly calls = new Map<Call, Pick<Call, 'result' | 'stamp'>>()
  /** The previous members and first pages of changed lists. */
  readonly #hidden: unknown[] = []
  readonly #store: Tables
  readonly #noted: Noted

  constructor(store: Tables, start: number, noted: Noted) {
    super(
      store,
      { kind: 'expected', start, settle: start },
      { endpoint: undefined, controller: 0 },
      -Infinity,
    )
    this.#store = store
    this.#noted = noted
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
    if (!isListed) this.#noted.add(lists)
    super.listed(plan)
  }

  override recognize(): undefined {
    return undefined
  }

  /** Ignores whole lists in an optimistic response: only records that join, leave or move are shown early. */
  override collection(collection: CollectionSchema<unknown>, list: ListIdentity, members: unknown): ListNode {
    const node = this.#store.listOf(collection, list)
    this.#noted.add(allLists)
    if (!this.isUpdating) return node
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
    this.#noted.add(allLists)
    super.changeCollections(collection, kind, members, args)
  }

  override page(): void {}

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
    for (const [call, { result, stamp }] of this.calls) {
      this.#store.move(call, { type: 'replaced', result, stamp })
    }
    super.rollBack()
  }

  /** The replaced values, which may be referenced only here. */
  get replaced(): readonly unknown[] {
    const replaced = [...this.#hidden]
    this.before.each((_node, _stamp, fields) => replaced.push(fields))
    return replaced
  }

  /** The views whose input it wrote. */
  get views(): readonly View[] {
    const views: View[] = [...this.calls.keys(), ...[...this.changedLists].map(({ view }) => view)]
    this.before.each((node) => views.push(...viewsOf(node), ...node.table.lists.values()))
    return views
  }

  override keepBefore(node: ListNode): void {
    this.changedLists.add(node)
    this.#hidden.push(node.members, node.pages.head)
    super.keepBefore(node)
  }

  override makeStale(): void {}

  override stampOver(_plan: EntityPlan | undefined, before: Stamp): Stamp {
    return before
  }
}

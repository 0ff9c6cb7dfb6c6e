import { normalizeInto } from '../../normalize/normalize.js'
import type { PayloadOrigin } from '../../normalize/normalize.js'
import type { CollectionSchema } from '../../schema/collection.js'
import type { CollectionChangeKind, ListIdentity } from '../../schema/delegates.js'
import type { EntityPlan } from '../../schema/entity-plan.js'
import type { Fields } from '../../schema/fields.js'
import type { SchemaContract } from '../../schema/schema.js'
import type { Noted } from './below.js'
import type { ListNode } from '../list-node.js'
import { withoutRepeated } from '../members.js'
import type { RecordNode } from '../records.js'
import { noResult } from '../results.js'
import type { Call } from '../call.js'
import type { Stamp } from '../stamp.js'
import type { Tables } from '../tables.js'
import { Transaction } from '../transaction.js'

/** Stands for all lists: which of them a change reaches depends on each of them. */
export const allLists = Symbol('all lists')

/** Writes what a mutation under way is expected to do. Stamps stay: nothing was received. Rolled back to be made again. */
export class ExpectedTransaction extends Transaction {
  /** The records that it removes. */
  readonly removed = new Set<RecordNode>()
  readonly lists = new Set<ListNode>()
  readonly calls = new Map<Call, Pick<Call, 'result' | 'stamp'>>()
  readonly #added = new Set<RecordNode>()
  /** What lists held before. */
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

  override recognize(): undefined {
    return undefined
  }

  override write(plan: EntityPlan, reference: unknown, received: Fields): void {
    const node = reference as RecordNode
    if (node.fields === undefined) this.#added.add(node)
    super.write(plan, reference, received)
  }

  /** A list that an expected answer holds is not guessed: only what joins, leaves or moves is shown early. */
  override collection(collection: CollectionSchema<unknown>, list: ListIdentity, members: unknown): ListNode {
    const node = this.#store.listOf(collection, list)
    this.#noted.add(allLists)
    if (!this.isUpdating) return node
    this.keepBefore(node)
    this.#store.showMembers(node, withoutRepeated(members, this.heldBefore(node)))
    return node
  }

  override changeCollections(
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    params: unknown,
  ): void {
    this.#noted.add(allLists)
    super.changeCollections(collection, kind, members, params)
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
    // What is answered from records has their age, and no stamp of its own.
    const stamp = call.result === noResult ? { ...call.age } : call.stamp
    this.#store.move(call, { type: 'replaced', result, stamp })
  }

  override rollBack(): void {
    for (const [call, { result, stamp }] of this.calls) {
      this.#store.move(call, { type: 'replaced', result, stamp })
    }
    super.rollBack()
  }

  /** What was there before, which perhaps nothing else refers to. */
  get replaced(): readonly unknown[] {
    const replaced = [...this.#hidden]
    this.before.eachReplaced((_node, fields) => replaced.push(fields))
    return replaced
  }

  override keepBefore(node: ListNode): void {
    this.lists.add(node)
    this.#hidden.push(node.members, node.pages.head)
    super.keepBefore(node)
  }

  override makeStale(): void {}

  override hasAdded(node: RecordNode): boolean {
    return this.#added.has(node)
  }

  override stampOver(_plan: EntityPlan | undefined, before: Stamp): Stamp {
    return before
  }
}

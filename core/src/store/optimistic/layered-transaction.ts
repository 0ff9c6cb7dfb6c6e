import type { CollectionSchema } from '../../schema/collection.js'
import type { ListIdentity } from '../../schema/delegates.js'
import type { EntityPlan } from '../../schema/entity-plan.js'
import type { ReceivedPage } from '../../schema/page-schema.js'
import { ListNode } from '../list-node.js'
import { allLists } from './below.js'
import type { RecordNode } from '../records.js'
import type { Call } from '../call.js'
import { replaceReferences } from '../../normalize/reference.js'
import type { WriteOrder } from '../stamp.js'
import type { Store } from '../store.js'
import { Transaction } from '../transaction.js'
import type { Lengths } from '../transaction.js'

/** Rolls layers back before data that they read or wrote changes. */
export interface Touchable {
  /** Called before a write. @param target - a record, a table, the key of a call, or `allLists` */
  touch(target: unknown): boolean
  /** Called before a list is received. */
  touchLists(): void
  /** The lists that hold one of these records, and from which a layer has taken it. */
  listsHiding(nodes: readonly RecordNode[]): readonly ListNode[]
}

/** Writes received data while optimistic layers exist: rolls them back before it writes data that they read or wrote. */
export class LayeredTransaction extends Transaction {
  readonly #layers: Touchable
  readonly #store: Store

  constructor(store: Store, layers: Touchable, order: WriteOrder, lengths: Lengths, now: number) {
    super(store, order, lengths, now)
    this.#store = store
    this.#layers = layers
  }

  override reference(plan: EntityPlan, pk: string, expected?: unknown): RecordNode {
    this.#touchRecord(plan, pk)
    return super.reference(plan, pk, expected)
  }

  override stored(plan: EntityPlan, pk: string): unknown {
    this.#touchRecord(plan, pk)
    return super.stored(plan, pk)
  }

  override listed(plan: EntityPlan): void {
    this.#layers.touch(this.#store.table(plan).lists)
    super.listed(plan)
  }

  override recognize(plan: EntityPlan, record: object, expected: unknown): RecordNode | undefined {
    this.#layers.touch(expected)
    this.#layers.touch(this.#store.table(plan))
    return super.recognize(plan, record, expected)
  }

  override storedOf(reference: unknown): unknown {
    if (reference instanceof ListNode) this.#layers.touchLists()
    return super.storedOf(reference)
  }

  override collection(
    collection: CollectionSchema<unknown>,
    list: ListIdentity,
    received: unknown,
  ): ListNode {
    this.#layers.touchLists()
    return super.collection(collection, list, received)
  }

  override outdate(nodes: readonly RecordNode[], isQuiet = false): ListNode[] {
    const outdated = super.outdate(nodes, isQuiet)
    for (const list of this.#layers.listsHiding(nodes)) this.makeStale(list, isQuiet)
    return outdated
  }

  override touchList(node: ListNode): boolean {
    const wereRead = this.#layers.touch(allLists)
    return this.#layers.touch(node) || wereRead
  }

  override page(received: ReceivedPage): void {
    this.#layers.touchLists()
    this.#layers.touch(received.list.key)
    super.page(received)
  }

  override setResult(call: Call, result: unknown): void {
    this.#layers.touch(call.key)
    super.setResult(call, result)
  }

  override replaceResult(call: Call, result: unknown): void {
    this.#layers.touch(call.key)
    super.replaceResult(call, result)
  }

  /** Rolls back the layers on these records, so that their received state is read. */
  override readMembers(members: unknown): void {
    replaceReferences(members, (reference) => {
      this.#layers.touch(reference)
      return reference
    })
  }

  #touchRecord(plan: EntityPlan, pk: string): void {
    const table = this.#store.table(plan)
    const node = table.nodes.get(pk) ?? table.nodes.get(table.realPk(pk))
    if (node !== undefined) this.#layers.touch(node)
    this.#layers.touch(table)
  }
}

import { development } from '#development'
import { Denormalization, Instances } from '../../denormalize/denormalize.js'
import type { CollectionSchema } from '../../schema/collection.js'
import type { ListIdentity, StoreQueryDelegate } from '../../schema/delegates.js'
import { contractOf, innerOf } from '../../schema/contract-of.js'
import type { EntityPlan } from '../../schema/entity-plan.js'
import type { Schema, SchemaContract } from '../../schema/schema.js'
import { ListNode } from '../list-node.js'
import { RecordNode, showKeys } from '../records.js'
import { toKeys } from '../../normalize/reference.js'
import { refer } from '../refer.js'
import { noResult, show } from '../results.js'
import type { Call } from '../call.js'
import type { Store } from '../store.js'
import type { ShownRecords } from '../transaction.js'

/** Notes all lists at once, because each of them decides if a change concerns it. */
export const allLists = Symbol('all lists')

/** Noted by a layer that changes lists: lists that are received later may be among them. */
export const someLists = Symbol('some lists')

/** Noted by a layer that depends on whether a record is stored, and not on its fields. */
export const presence = Symbol('presence')

/** Collects the dependencies of an optimistic layer, so that it can run again when one of them changes. */
export interface DependencySink {
  /** @param read - a record, a table whose records were searched, or the key of a call */
  add(read: unknown): void
  /** Called for a record of which only matters whether it is stored. */
  addPresence?(record: RecordNode): void
}

/**
 * Reads the current state of the store in the middle of a transaction. Does not touch views: they keep the values that
 * readers see, which may be unchanged when the transaction ends.
 */
export class Below implements StoreQueryDelegate, ShownRecords {
  readonly #store: Store
  readonly noted: DependencySink
  readonly #instances = new Instances<RecordNode>(new BelowDenormalization(this, []), (_plan, node) => {
    this.noted.add(node)
    return node.fields
  })
  readonly #nodes = new Map<object, RecordNode>()

  constructor(store: Store, noted: DependencySink) {
    this.#store = store
    this.noted = noted
  }

  /** Denormalizes a value. */
  readOnce(schema: SchemaContract, result: unknown, args: readonly unknown[], isQuery = true): unknown {
    const isInferred = result === noResult && (isQuery || schema.needsAnswer !== true)
    const found = isInferred ? this.lookUp(schema, args) : result
    if (found === undefined || found === noResult) return undefined
    return show(schema, found, new BelowDenormalization(this, args))
  }

  /** The data of a call; `undefined` if there is none. */
  readCall(call: Call): unknown {
    this.noted.add(call.key)
    const { schema, result, args } = call
    if (call.state.isInvalidated || call.state.isCollected) return undefined
    if (schema === undefined) return result === noResult ? undefined : result
    return this.readOnce(innerOf(schema), result, args, call.isQuery)
  }

  /** The calls of a key. Notes the key even if there are none. */
  calls(key: string): readonly Call[] {
    this.noted.add(key)
    return this.#store.calls(key)
  }

  /** The instance of a record, which may still be empty. */
  instanceOf(plan: EntityPlan, reference: RecordNode): unknown {
    const instance = this.#instances.of(plan, reference)
    if (instance !== undefined) this.#nodes.set(instance, reference)
    return instance
  }

  fillAll(): void {
    this.#instances.fillAll((plan, node, instance) => {
      if (node.table.isShared) showKeys(plan, instance, node.fields ?? {})
      if (development) Object.freeze(instance)
    })
  }

  instancesOf(plan: EntityPlan): unknown[] | undefined {
    const table = this.#store.table(plan)
    this.noted.add(table)
    return table.members?.flatMap((node) => this.instanceOf(plan, node) ?? [])
  }

  /** True if the record that arguments identify is stored, usable or not. Depends on nothing else of it. */
  isKnown(schema: Schema, args: readonly unknown[]): boolean {
    const read = new Set<unknown>()
    const found = new Below(this.#store, read).lookUp(schema, args)
    for (const each of read)
      if (each === found) this.noted.addPresence?.(found as RecordNode)
      else this.noted.add(each)
    return found instanceof RecordNode && found.fields !== undefined
  }

  // --- StoreQueryDelegate ---

  lookUp(schema: Schema, args: readonly unknown[]): unknown {
    return contractOf(schema).queryKey?.(args, this)
  }

  refer(schema: Schema, keys: unknown): unknown {
    return refer(this, schema, keys)
  }

  indexed(plan: EntityPlan, field: string, value: unknown): RecordNode | undefined {
    this.noted.add(this.#store.table(plan))
    return this.#store.indexed(plan, field, value)
  }

  listOf(collection: CollectionSchema<unknown>, list: ListIdentity): unknown {
    return this.#store.listOf(collection, list)
  }

  reference(plan: EntityPlan, pk: string): RecordNode {
    const node = this.#store.reference(plan, pk)
    this.noted.add(node)
    return node
  }

  isShown(plan: EntityPlan, reference: unknown): boolean {
    return this.instanceOf(plan, reference as RecordNode) !== undefined
  }

  // --- ShownRecords ---

  shownBy(plan: EntityPlan, pk: string, input: object): RecordNode | undefined {
    const node = this.#nodes.get(input)
    return node?.table === this.#store.table(plan) ? node : this.#store.shownBy(plan, pk, input)
  }

  shown(plan: EntityPlan, node: RecordNode): object | undefined {
    return this.#instances.made(plan, node) ?? this.#store.shown(plan, node)
  }
}

class BelowDenormalization extends Denormalization {
  readonly #below: Below

  constructor(below: Below, args: readonly unknown[]) {
    super(args)
    this.#below = below
  }

  record(plan: EntityPlan, reference: unknown): unknown {
    return reference instanceof RecordNode ? this.#below.instanceOf(plan, reference) : reference
  }

  collection(collection: CollectionSchema<unknown>, reference: unknown): unknown {
    this.#below.noted.add(allLists)
    if (!(reference instanceof ListNode) || reference.members === undefined) return undefined
    const delegate = new BelowDenormalization(this.#below, [reference.args])
    return collection.content.denormalize(reference.members, delegate)
  }

  keys(value: unknown): unknown {
    return toKeys(value)
  }

  allOf(plan: EntityPlan): unknown[] | undefined {
    return this.#below.instancesOf(plan)
  }

  fillAll(): void {
    this.#below.fillAll()
  }
}

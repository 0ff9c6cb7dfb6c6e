import { normalizeInto } from '../normalize/normalize.js'
import type { PayloadOrigin, RecordSink } from '../normalize/normalize.js'
import { fillFields, mergeFields } from '../normalize/merge.js'
import { CollectionChange } from '../schema/collection.js'
import type { CollectionArgs, CollectionChangeKind, CollectionSchema } from '../schema/collection.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { SchemaContract } from '../schema/schema.js'
import { errors, warn } from '../errors.js'
import { contractOf } from '../schema/contract-of.js'
import { recordOf, toRecords } from './collections.js'
import type { CollectionNode } from './collections.js'
import { Reference } from './reference.js'
import { RecordNode, rejection, viewsOf } from './records.js'
import { shareStructure } from '../util/plain.js'
import { noResult } from './results.js'
import type { ResultNode } from './results.js'
import { isShownAlike, sameResult } from './same-result.js'
import { neverWritten, wins } from './stamp.js'
import type { Stamp, WriteOrder } from './stamp.js'
import type { Store } from './store.js'

/** How long what is written stays Valid: milliseconds; `undefined` leaves it to the next in line. */
export interface Lengths {
  /** Said by the endpoint: beats what the entity says. */
  readonly endpoint: number | undefined
  /** Said by the Controller: the default. */
  readonly controller: number
}

/**
 * The one way to write. Records and results that are written in a transaction are written whole or not at all,
 * and their readers are told once, when it ends (specification G3, G5).
 */
export class Transaction implements RecordSink {
  readonly order: WriteOrder
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly #store: Store
  readonly #lengths: Lengths
  /** What was there before, to be put back on failure. */
  readonly #before: { node: RecordNode; fields: Fields | undefined; stamp: Stamp }[] = []
  readonly #listsBefore: { node: CollectionNode; members: unknown; stamp: Stamp }[] = []
  /** Records that were never written before. */
  readonly #added: RecordNode[] = []
  /** Nodes that were made. */
  readonly #referred: RecordNode[] = []
  /** Records that came too late, with what was stored before. */
  readonly #late = new Map<RecordNode, { readonly base: Fields; readonly late: Fields }>()
  readonly #stamps = new Map<number, Stamp>()
  #lastPlan: EntityPlan | undefined = undefined
  #lastStamp: Stamp | undefined = undefined

  constructor(store: Store, order: WriteOrder, lengths: Lengths, now: number) {
    this.#store = store
    this.order = order
    this.#lengths = lengths
    this.now = now
  }

  /**
   * Stores the records of a payload.
   *
   * @returns the normalized result
   * @throws {SelfsameError} when the payload does not have the form of its schema, or its own record is not
   *   valid for its class
   */
  ingest(schema: SchemaContract, payload: unknown, origin: PayloadOrigin): unknown {
    const result = normalizeInto(this, schema, payload, origin)
    // A mutation may answer with nothing; a read that answers with nothing has not been answered.
    if (result === null || result === undefined) {
      if (this.order.kind === 'read') throw errors.answerMissing(origin.name, result)
    } else this.#judge(schema, result, origin)
    return result
  }

  /** Answers a call. Ignored when the request started before the call was invalidated or newly answered. */
  setResult(row: ResultNode, result: unknown): void {
    const { start } = this.order
    if (start <= row.invalidatedAt || start < row.stamp.sequence) return
    const shown = row.result === noResult ? result : sameResult(row.result, result)
    const isChanged = shown !== row.result || row.isInvalidated
    row.result = shown
    row.stamp = this.#stamp(undefined)
    row.isInvalidated = false
    row.error = undefined
    if (isChanged) this.#store.graph.markWritten(row.view)
    this.#store.touch(row)
  }

  // --- RecordSink: where a payload's records go ---

  reference(plan: EntityPlan, pk: string): RecordNode {
    const table = this.#store.table(plan)
    let node = table.nodes.get(pk)
    if (node === undefined) {
      table.nodes.set(pk, (node = new RecordNode(table, pk)))
      this.#referred.push(node)
    }
    return node
  }

  isReference(value: unknown): boolean {
    return value instanceof Reference
  }

  fieldsOf(plan: EntityPlan): readonly FieldPlan[] {
    return this.#store.table(plan).fields
  }

  write(plan: EntityPlan, reference: unknown, received: Fields): void {
    const node = reference as RecordNode
    const { fields, stamp } = node
    const isWinner = wins(this.order, stamp)
    if (!isWinner && fields === undefined) return
    if (stamp === neverWritten) this.#added.push(node)
    else this.#before.push({ node, fields, stamp })
    if (fields !== undefined && plan.mergesItself) {
      this.#mergeByClass(plan, node, fields, received, isWinner)
      return
    }
    const merged =
      fields === undefined
        ? received
        : isWinner
          ? mergeFields(fields, received)
          : this.#fill(node, fields, received)
    if (isWinner) node.stamp = this.#stampOver(plan, stamp)
    if (merged !== fields) this.#replace(node, merged)
  }

  collection(
    collection: CollectionSchema<unknown>,
    args: CollectionArgs,
    isFilter: boolean,
    received: unknown,
  ): CollectionNode {
    const table = this.#store.collectionTable(collection)
    const node = table.node(args, isFilter)
    if (!wins(this.order, node.stamp) && node.members !== undefined) return node
    const { start, kind } = this.order
    const members =
      kind === 'read' ? table.withLateChanges(node, received, start, this.#store.earliestRead) : received
    this.#listsBefore.push({ node, members: node.members, stamp: node.stamp })
    node.stamp = this.#stampOver(undefined, node.stamp)
    this.#replaceMembers(node, members)
    return node
  }

  changeCollections(
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    params: unknown,
  ): void {
    const table = this.#store.collectionTable(collection)
    const before = this.#fieldsBefore(toRecords(members).map(recordOf))
    for (const node of table.nodes.values()) {
      const changed = table.changed(node, { kind, members, params, before })
      if (changed === node.members) continue
      this.#listsBefore.push({ node, members: node.members, stamp: node.stamp })
      node.members = changed
      this.#store.graph.markWritten(node.view)
    }
    if (this.#store.earliestRead === Infinity) return
    table.keepForReads({ settle: this.order.settle, kind, members, params, before })
  }

  remove(plan: EntityPlan, reference: unknown): void {
    const node = reference as RecordNode
    if (!wins(this.order, node.stamp)) return
    if (node.stamp === neverWritten) this.#added.push(node)
    else this.#before.push({ node, fields: node.fields, stamp: node.stamp })
    node.stamp = this.#stampOver(plan, node.stamp)
    if (node.fields !== undefined) this.#replace(node, undefined)
  }

  /**
   * Takes apart fields of a stored record that had no schema when it was received. What does not fit stays as it
   * was sent.
   */
  joinFields(node: RecordNode, added: readonly FieldPlan[]): void {
    if (node.fields === undefined) return
    const name = `the stored record ${node.table.key} "${node.pk}"`
    const joinedFields: Record<string, unknown> = {}
    for (const field of added) {
      const value = node.fields[field.name]
      if (value === undefined || value === null) continue
      try {
        const schema = contractOf(field.schema)
        joinedFields[field.name] = normalizeInto(this, schema, value, { args: [], name, isOwned: false })
      } catch (error) {
        warn(error instanceof Error ? error.message : String(error))
      }
    }
    this.#replace(node, { ...node.fields, ...joinedFields })
  }

  /** Puts back everything that was written. */
  rollBack(): void {
    for (const { node, members, stamp } of this.#listsBefore.reverse()) {
      node.stamp = stamp
      if (node.members === members) continue
      node.members = members
      this.#store.graph.markWritten(node.view)
    }
    for (const { node, fields, stamp } of this.#before.reverse()) {
      node.stamp = stamp
      if (node.fields !== fields) this.#replace(node, fields)
    }
    for (const node of this.#added) {
      node.stamp = neverWritten
      if (node.fields !== undefined) this.#replace(node, undefined)
      node.hasArrived = false
    }
    for (const table of new Set(this.#added.map((node) => node.table))) {
      table.arrived = table.arrived.filter((node) => node.hasArrived)
    }
    for (const node of this.#referred) {
      // A node that was read meanwhile stays: whoever read it waits for the record.
      if (node.views === undefined) node.table.nodes.delete(node.pk)
    }
  }

  #fieldsBefore(records: readonly unknown[]): Map<unknown, Fields | undefined> {
    const before = new Map<unknown, Fields | undefined>()
    for (const { node, fields } of this.#before) {
      if (!before.has(node) && records.includes(node)) before.set(node, fields)
    }
    return before
  }

  /** A record that stands several times in a late answer is put together first, and then fills what is missing. */
  #fill(node: RecordNode, fields: Fields, received: Fields): Fields {
    const { base, late } = this.#late.get(node) ?? { base: fields, late: {} }
    const merged = mergeFields(late, received)
    this.#late.set(node, { base, late: merged })
    return fillFields(base, merged)
  }

  /** A class that has merge functions of its own decides what is kept. */
  #mergeByClass(
    plan: EntityPlan,
    node: RecordNode,
    fields: Fields,
    received: Fields,
    isWinner: boolean,
  ): void {
    const { entity } = plan
    const { stamp } = node
    const next = this.#stampOver(plan, stamp)
    const existingMeta = { fetchedAt: stamp.fetchedAt, expiresAt: stamp.expiresAt, order: stamp.sequence }
    const order = isWinner
      ? Math.max(next.sequence, stamp.sequence)
      : Math.min(this.order.start, stamp.sequence - 1)
    const incomingMeta = { fetchedAt: next.fetchedAt, expiresAt: next.expiresAt, order }
    const metas = [existingMeta, incomingMeta, fields, received] as const
    const merged = entity.mergeWithStore?.(...metas) ?? received
    const meta = entity.mergeMetaWithStore?.(...metas) ?? incomingMeta
    if (meta !== existingMeta) {
      node.stamp = { ...(isWinner ? next : stamp), fetchedAt: meta.fetchedAt, expiresAt: meta.expiresAt }
    }
    const shared = shareStructure(fields, merged) as Fields
    if (shared !== fields) this.#replace(node, shared)
  }

  /** A list that shows the same keeps its identity, also where it only lacks what was deleted meanwhile. */
  #replaceMembers(node: CollectionNode, received: unknown): void {
    const { members } = node
    if (Array.isArray(members) && Array.isArray(received) && isShownAlike(members, received)) {
      node.members = received
      return
    }
    const shared = members === undefined ? received : sameResult(members, received)
    if (shared === members) return
    node.members = shared
    this.#store.graph.markWritten(node.view)
  }

  #replace(node: RecordNode, fields: Fields | undefined): void {
    const { table } = node
    if (table.indexes.size > 0) {
      for (const index of table.indexes.values()) index.move(this.#store.graph, node, node.fields, fields)
    }
    if (!node.hasArrived && fields !== undefined) {
      node.hasArrived = true
      table.arrived.push(node)
      if (table.lists.size > 0) for (const list of table.lists.values()) this.#store.graph.markWritten(list)
    }
    node.fields = fields
    if (node.views === undefined) return
    for (const view of viewsOf(node)) this.#store.graph.markWritten(view)
  }

  /** An answer whose own record its class cannot use would make the call fetch again and again. */
  #judge(schema: SchemaContract, result: unknown, { name }: PayloadOrigin): void {
    const plan = schema instanceof CollectionChange ? contractOf(schema.collection.content.member) : schema
    if (!(plan instanceof EntityPlan && result instanceof RecordNode) || result.fields === undefined) return
    const reason = rejection(plan, result.fields)
    if (reason !== undefined) throw errors.recordUnusable(plan.key, result.pk, name, reason)
  }

  #stampOver(plan: EntityPlan | undefined, before: Stamp): Stamp {
    const stamp = this.#stamp(plan)
    const isOvertaken = this.order.kind === 'read' && before.mutationStart > this.#store.earliestMutation
    return isOvertaken ? { ...stamp, mutationStart: before.mutationStart } : stamp
  }

  /** One stamp for all that has the same length, because a pointer is smaller than what it points to. */
  #stamp(plan: EntityPlan | undefined): Stamp {
    if (plan === this.#lastPlan && this.#lastStamp !== undefined) return this.#lastStamp
    this.#lastPlan = plan
    return (this.#lastStamp = this.#stampOfLength(plan))
  }

  #stampOfLength(plan: EntityPlan | undefined): Stamp {
    const length = this.#lengths.endpoint ?? plan?.dataExpiryLength ?? this.#lengths.controller
    let stamp = this.#stamps.get(length)
    if (stamp === undefined) {
      const { kind, start, settle } = this.order
      stamp = {
        fetchedAt: this.now,
        expiresAt: this.now + length,
        sequence: kind === 'read' ? start : settle,
        mutationStart: kind === 'read' ? 0 : start,
      }
      this.#stamps.set(length, stamp)
    }
    return stamp
  }
}

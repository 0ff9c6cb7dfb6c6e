import { normalizeInto } from '../normalize/normalize.js'
import type { PayloadOrigin, RecordSink } from '../normalize/normalize.js'
import { mergeFields } from '../normalize/merge.js'
import type { CollectionArgs, CollectionChangeKind, CollectionSchema } from '../schema/collection.js'
import type { EntityPlan, FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { SchemaContract } from '../schema/schema.js'
import type { CollectionNode, CollectionTable, MutationChange } from './collections.js'
import { recordOf, toRecords } from './members.js'
import type { RecordNode } from './records.js'
import { Reference } from './reference.js'
import type { Store } from './store.js'

/** What a mutation is expected to do, until it is answered. */
interface Layer {
  /** Where the mutation started: layers lie on each other in this order. */
  readonly start: number
  /** Fields that it writes; `undefined` for a record that it removes. */
  readonly patches: ReadonlyMap<RecordNode, Fields | undefined>
  readonly changes: readonly { readonly table: CollectionTable; readonly change: MutationChange }[]
}

/**
 * Optimistic writes, on top of what was received. Nodes hold what is shown; of the few that a layer touches the
 * received state is kept here. Each layer is taken away alone, in whatever order mutations are answered, and what
 * was received meanwhile is then seen (specification G4, F6, F8).
 */
export class Layers {
  readonly #store: Store
  #layers: readonly Layer[] = []
  /** What was received of records that a layer touches. */
  readonly #records = new Map<RecordNode, Fields | undefined>()
  /** What was received of lists that a layer touches. */
  readonly #lists = new Map<CollectionNode, unknown>()

  constructor(store: Store) {
    this.#store = store
  }

  /** What was received of a record. */
  fieldsOf(node: RecordNode): Fields | undefined {
    if (this.#records.size === 0) return node.fields
    return this.#records.has(node) ? this.#records.get(node) : node.fields
  }

  /** What was received of a list. */
  membersOf(node: CollectionNode): unknown {
    return this.#lists.has(node) ? this.#lists.get(node) : node.members
  }

  /** What is shown of a record, of which `received` is what was received last. */
  foldRecord(node: RecordNode, received: Fields | undefined): Fields | undefined {
    // Asked for at every write: the common case of no layer makes nothing new.
    if (this.#layers.length === 0 && this.#records.size === 0) return received
    const patching = this.#layers.filter(({ patches }) => patches.has(node))
    if (patching.length === 0) {
      this.#records.delete(node)
      return received
    }
    this.#records.set(node, received)
    let shown = received
    for (const { patches } of patching) {
      const patch = patches.get(node)
      shown = patch === undefined || shown === undefined ? patch : mergeFields(shown, patch)
    }
    return shown
  }

  /** What is shown of a list, of which `received` is what was received last. */
  foldList(table: CollectionTable, node: CollectionNode, received: unknown): unknown {
    if (this.#layers.length === 0 && this.#lists.size === 0) return received
    const changes = this.#layers.flatMap((layer) => layer.changes.filter((change) => change.table === table))
    if (changes.length === 0) {
      this.#lists.delete(node)
      return received
    }
    this.#lists.set(node, received)
    return changes.reduce<unknown>((members, { change }) => table.changed(node, members, change), received)
  }

  /**
   * Puts a mutation's expected answer on top.
   *
   * @throws {SelfsameError} when it does not have the form of its schema; nothing is changed then
   */
  add(start: number, schema: SchemaContract, expected: unknown, origin: PayloadOrigin): void {
    const sink = new LayerSink(this.#store)
    normalizeInto(sink, schema, expected, origin)
    const layer: Layer = { start, patches: sink.patches, changes: sink.changes }
    this.#layers = [...this.#layers, layer].sort((a, b) => a.start - b.start)
    this.#show(layer)
  }

  /** Takes a mutation's layer away; does nothing when it has none. */
  remove(start: number): void {
    const layer = this.#layers.find((other) => other.start === start)
    if (layer === undefined) return
    this.#layers = this.#layers.filter((other) => other !== layer)
    this.#show(layer)
  }

  /** Forgets all layers, without showing what is below: everything is about to be dropped. */
  clear(): void {
    this.#layers = []
    this.#records.clear()
    this.#lists.clear()
  }

  /** The records that only a layer refers to: they are not collected. */
  get touched(): Iterable<Reference> {
    return [...this.#records.keys(), ...this.#lists.keys()]
  }

  /** Shows all that a layer touches, as it is with the layers that there are now. */
  #show({ patches, changes }: Layer): void {
    for (const node of patches.keys()) {
      const shown = this.foldRecord(node, this.fieldsOf(node))
      if (shown !== node.fields) this.#store.showFields(node, shown)
    }
    for (const { table } of changes) {
      for (const node of table.nodes.values()) {
        this.#store.showMembers(node, this.foldList(table, node, this.membersOf(node)))
      }
    }
  }
}

/** Collects what an expected answer would write, and stores nothing. */
class LayerSink implements RecordSink {
  readonly patches = new Map<RecordNode, Fields | undefined>()
  readonly changes: { table: CollectionTable; change: MutationChange }[] = []
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  reference(plan: EntityPlan, pk: string): RecordNode {
    return this.#store.reference(plan, pk)
  }

  isReference(value: unknown): boolean {
    return value instanceof Reference
  }

  fieldsOf(plan: EntityPlan): readonly FieldPlan[] {
    return this.#store.table(plan).fields
  }

  write(_plan: EntityPlan, reference: unknown, fields: Fields): void {
    const node = reference as RecordNode
    const earlier = this.patches.get(node)
    this.patches.set(node, earlier === undefined ? fields : mergeFields(earlier, fields))
  }

  remove(_plan: EntityPlan, reference: unknown): void {
    this.patches.set(reference as RecordNode, undefined)
  }

  /** A list that an expected answer holds is not guessed: only what joins, leaves or moves is shown early. */
  collection(collection: CollectionSchema<unknown>, args: CollectionArgs): CollectionNode {
    return this.#store.collectionTable(collection).node(args)
  }

  changeCollections(
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    params: unknown,
  ): void {
    const before = new Map<unknown, Fields | undefined>()
    for (const record of toRecords(members).map(recordOf)) before.set(record, (record as RecordNode).fields)
    this.changes.push({
      table: this.#store.collectionTable(collection),
      change: { kind, members, params, before },
    })
  }

  page(): void {}
}

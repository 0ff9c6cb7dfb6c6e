import type { RecordSink } from '../normalize/normalize.js'
import { mergeFields } from '../normalize/merge.js'
import type { CollectionArgs, CollectionChangeKind, CollectionSchema } from '../schema/collection.js'
import type { EntityPlan, FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { CollectionNode, CollectionTable, MutationChange } from './collections.js'
import { recordOf, toRecords } from './members.js'
import { withoutDefaults } from './records.js'
import type { RecordNode } from './records.js'
import { Reference } from './reference.js'
import type { Store } from './store.js'

/** Collects what an expected answer would write, and stores nothing. */
export class LayerSink implements RecordSink {
  readonly patches = new Map<RecordNode, Fields | undefined>()
  readonly changes: { table: CollectionTable; change: MutationChange }[] = []
  /** Lists that an update made, in place of those that were shown. */
  readonly lists = new Map<CollectionNode, unknown>()
  readonly #store: Store
  /** Whether what is taken apart was made from what readers see. */
  readonly #isUpdating: boolean

  constructor(store: Store, isUpdating = false) {
    this.#store = store
    this.#isUpdating = isUpdating
  }

  reference(plan: EntityPlan, pk: string): RecordNode {
    return this.#store.reference(plan, pk)
  }

  isReference(value: unknown): boolean {
    return value instanceof Reference
  }

  shownBy(plan: EntityPlan, pk: string, input: object): RecordNode | undefined {
    return this.#isUpdating ? this.#store.shownBy(plan, pk, input) : undefined
  }

  fieldsOf(plan: EntityPlan): readonly FieldPlan[] {
    return this.#store.table(plan).fields
  }

  write(plan: EntityPlan, reference: unknown, received: Fields): void {
    const node = reference as RecordNode
    const fields = this.#isUpdating ? withoutDefaults(plan, node, received) : received
    const earlier = this.patches.get(node)
    this.patches.set(node, earlier === undefined ? fields : mergeFields(earlier, fields))
  }

  remove(_plan: EntityPlan, reference: unknown): void {
    this.patches.set(reference as RecordNode, undefined)
  }

  /** A list that an expected answer holds is not guessed: only what joins, leaves or moves is shown early. */
  collection(
    collection: CollectionSchema<unknown>,
    args: CollectionArgs,
    isFilter: boolean,
    members: unknown,
  ): CollectionNode {
    const node = this.#store.collectionTable(collection).node(args, isFilter)
    if (this.#isUpdating) this.lists.set(node, members)
    return node
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

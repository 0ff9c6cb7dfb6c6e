import type { RecordSink } from '../normalize/normalize.js'
import { mergeFields } from '../normalize/merge.js'
import type { CollectionChangeKind, CollectionSchema, ListIdentity } from '../schema/collection.js'
import type { EntityPlan, FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { CollectionNode, CollectionTable, RequestedChange } from './collections.js'
import { withoutDefaults, withRealKey } from './records.js'
import type { RecordNode } from './records.js'
import { Reference } from './reference.js'
import type { Store } from './store.js'

/** Collects what an expected answer would write, and stores nothing. */
export class LayerSink implements RecordSink {
  readonly patches = new Map<RecordNode, Fields | undefined>()
  readonly changes: { table: CollectionTable; change: RequestedChange }[] = []
  /** Lists that an update made, in place of those that were shown. */
  readonly lists = new Map<CollectionNode, unknown>()
  /** Records that were named by the temporary primary keys in whose place they are. */
  readonly #renamed = new Map<RecordNode, string>()
  readonly #store: Store
  /** Whether what is taken apart was made from what readers see. */
  readonly #isUpdating: boolean

  constructor(store: Store, isUpdating = false) {
    this.#store = store
    this.#isUpdating = isUpdating
  }

  reference(plan: EntityPlan, pk: string): RecordNode {
    const node = this.#store.reference(plan, pk)
    if (node.pk !== pk) this.#renamed.set(node, pk)
    return node
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
    const given = this.#isUpdating ? withoutDefaults(plan, node, received) : received
    const temporary = this.#renamed.get(node)
    const fields =
      temporary === undefined ? given : withRealKey(given, temporary, node, this.#store.layers.fieldsOf(node))
    const earlier = this.patches.get(node)
    this.patches.set(node, earlier === undefined ? fields : mergeFields(earlier, fields))
  }

  remove(_plan: EntityPlan, reference: unknown): void {
    this.patches.set(reference as RecordNode, undefined)
  }

  /** A list that an expected answer holds is not guessed: only what joins, leaves or moves is shown early. */
  collection(collection: CollectionSchema<unknown>, list: ListIdentity, members: unknown): CollectionNode {
    const node = this.#store.listOf(collection, list)
    if (this.#isUpdating) this.lists.set(node, members)
    return node
  }

  changeCollections(
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    params: unknown,
  ): void {
    const change = { collection, kind, members, params }
    this.changes.push({ table: this.#store.collectionTable(collection), change })
  }

  page(): void {}
}

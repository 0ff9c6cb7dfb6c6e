import type { RecordSink } from '../normalize/normalize.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { ListIdentity, StoreQueryDelegate } from '../schema/delegates.js'
import type { EntityPlan, FieldPlan } from '../schema/entity-plan.js'

/** Turns primary keys into references, and stores nothing. */
export class ReferenceSink implements RecordSink {
  readonly #source: StoreQueryDelegate

  constructor(source: StoreQueryDelegate) {
    this.#source = source
  }

  reference(plan: EntityPlan, pk: string): unknown {
    return this.#source.reference(plan, pk)
  }

  isReference(value: unknown): boolean {
    return this.#source.pkOf(value) !== undefined
  }

  fieldsOf(): readonly FieldPlan[] {
    return []
  }

  write(): void {}

  remove(): void {}

  collection(_collection: CollectionSchema<unknown>, _list: ListIdentity, members: unknown): unknown {
    return members
  }

  changeCollections(): void {}

  page(): void {}
}

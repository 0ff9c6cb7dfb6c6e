import type { RecordSink } from '../normalize/normalize.js'
import type { CollectionSchema, ListIdentity } from '../schema/collection.js'
import type { EntityPlan, FieldPlan } from '../schema/entity-plan.js'
import type { QueryDelegate } from '../schema/schema.js'

/** Turns primary keys into references, and stores nothing. */
export class ReferenceSink implements RecordSink {
  readonly #source: QueryDelegate

  constructor(source: QueryDelegate) {
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

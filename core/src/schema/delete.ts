import type { Denormalize } from './denormalized.js'
import type {
  DenormalizeDelegate,
  EntityClass,
  NormalizeDelegate,
  PayloadKey,
  SchemaContract,
} from './schema.js'
import { planOf } from './entity-plan.js'

/**
 * The answer of a call that deleted a record. The record is named by the answer where it holds the primary
 * key, else by the arguments of the call. Lists drop the record, a nested field that held it becomes
 * `undefined`, and a read of the record itself is Invalid.
 *
 * @see specification 2.1, 4.1 (delete result rule)
 * @example new schema.Delete(Article)
 */
export class DeleteSchema<
  E extends EntityClass<{ pk(): unknown }> = EntityClass<{ pk(): unknown }>,
> implements SchemaContract<Denormalize<E>> {
  readonly entity: E

  constructor(entity: E) {
    this.entity = entity
  }

  normalize(input: unknown, _parent: unknown, _key: PayloadKey, delegate: NormalizeDelegate): unknown {
    return delegate.remove(planOf(this.entity), input)
  }

  /** A deleted record cannot be shown. */
  denormalize(_input: unknown, _delegate: DenormalizeDelegate): undefined {
    return undefined
  }
}

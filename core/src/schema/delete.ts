import { development } from '#development'
import * as errors from '../errors.js'
import type { StoreNormalizeDelegate } from './delegates.js'
import type { Denormalize } from './denormalized.js'
import type {
  DenormalizeDelegate,
  EntityClass,
  NormalizeDelegate,
  PayloadKey,
  SchemaContract,
} from './schema.js'
import { planOf } from './entity-plan.js'
import { isContract, isEntityClass } from './schema.js'

/** A schema whose records can be deleted: an Entity class, or a Union of several. */
export type Deletable = EntityClass<{ pk(): unknown }> | ChoiceSchema

/** The member of a Union that `Delete` uses. */
interface ChoiceSchema extends SchemaContract {
  removeFrom(input: unknown, delegate: StoreNormalizeDelegate): unknown
}

/**
 * The response of a call that deletes a record. The primary key is that in the response, else in the arguments of the call.
 * Lists drop the record, a nested field that held it becomes `undefined`, and a read of the record itself is Invalid.
 *
 * With a Union, the response tells the class of the record, else the arguments, else the stored record of that key. If
 * several classes have a record of that key, none is removed, and the calls that show them become Stale.
 *
 * @see specification 2.1, 3 (delete), 4.1 (delete result)
 * @example new schema.Delete(Article)
 */
export class DeleteSchema<const E extends Deletable = Deletable> implements SchemaContract<Denormalize<E>> {
  declare readonly entity: E
  /** @internal */
  readonly isRemoving = true

  /** @throws {SelfsameError} in development `definition-invalid` for anything but an Entity class or a Union */
  constructor(entity: E) {
    if (development && !isDeletable(entity)) {
      throw errors.definitionInvalid('schema.Delete', [
        'received neither an Entity class nor a Union.',
        'Pass the schema of one record, for example new schema.Delete(Article).',
      ])
    }
    this.entity = entity
  }

  normalize(input: unknown, _parent: unknown, _key: PayloadKey, delegate: NormalizeDelegate): unknown {
    const { entity } = this
    const removing = delegate as StoreNormalizeDelegate
    return isEntityClass(entity) ? removing.remove(planOf(entity), input) : entity.removeFrom(input, removing)
  }

  /** A deleted record has no data. */
  denormalize(_input: unknown, _delegate: DenormalizeDelegate): undefined {
    return undefined
  }
}

/** Returns `true` for an Entity class or a Union. */
export function isDeletable(schema: unknown): schema is Deletable {
  // A Union is recognized by a member instead of `instanceof`, so that bundles without a Union do not contain its class.
  return isEntityClass(schema) || (isContract(schema) && 'removeFrom' in schema)
}

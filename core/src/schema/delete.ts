import { development } from '#development'
import * as errors from '../errors.js'
import type { StoreNormalizeDelegate } from './delegates.js'
import type { Denormalize } from './denormalized.js'
import type {
  DenormalizeDelegate,
  EntityClass,
  NormalizeDelegate,
  PayloadKey,
  Schema,
  SchemaContract,
} from './schema.js'
import { planOf } from './entity-plan.js'
import { isContract, isEntityClass } from './schema.js'

/** The schema of what can be deleted: a record of one class, or of one of several, as a Union is. */
export type Deletable = EntityClass<{ pk(): unknown }> | ChoiceSchema

/** What deleting asks of a Union, whatever its mapping. */
interface ChoiceSchema extends SchemaContract {
  readonly schemas: readonly Schema[]
  schemaFor(input: unknown): Schema | undefined
}

/**
 * The answer of a call that deleted a record. The record is named by the answer where it holds the primary
 * key, else by the arguments of the call. Lists drop the record, a nested field that held it becomes
 * `undefined`, and a read of the record itself is Invalid.
 *
 * The class of what has a Union is told by the answer, else by the arguments, else by the record that is stored under that
 * key. Where several classes have one, none is removed: what shows them becomes Stale.
 *
 * @see specification 2.1, 3 (delete), 4.1 (delete result rule)
 * @example new schema.Delete(Article)
 */
export class DeleteSchema<const E extends Deletable = Deletable> implements SchemaContract<Denormalize<E>> {
  readonly entity: E
  /** @internal */
  readonly isRemoving = true

  /** @throws {SelfsameError} `definition-invalid` for anything but an Entity class or a Union */
  constructor(entity: E) {
    if (!isDeletable(entity)) {
      throw errors.definitionInvalid(
        'schema.Delete',
        development && [
          'was given neither an Entity class nor a Union.',
          'Pass the schema of one record, as in new schema.Delete(Article).',
        ],
      )
    }
    this.entity = entity
  }

  normalize(input: unknown, _parent: unknown, _key: PayloadKey, delegate: NormalizeDelegate): unknown {
    return (delegate as StoreNormalizeDelegate).remove(
      classesOf(this.entity, input, delegate.args[0]).map(planOf),
      input,
    )
  }

  /** A deleted record cannot be shown. */
  denormalize(_input: unknown, _delegate: DenormalizeDelegate): undefined {
    return undefined
  }
}

/** Whether a schema is that of a record, of one class or of several. */
export function isDeletable(schema: unknown): schema is Deletable {
  // A Union is known by what only it has, so that an application without one does not include it.
  return isEntityClass(schema) || (isContract(schema) && 'schemaFor' in schema)
}

/** The classes that a deleted record may be of. */
function classesOf(entity: Deletable, input: unknown, params: unknown): EntityClass<{ pk(): unknown }>[] {
  if (isEntityClass(entity)) return [entity]
  const chosen = entity.schemaFor(input) ?? entity.schemaFor(params)
  return (chosen === undefined ? entity.schemas : [chosen]).filter(isEntityClass)
}

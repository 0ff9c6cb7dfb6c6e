import { development } from '#development'
import * as errors from '../errors.js'
import type { DenormalizeMember, SchemaAttribute, SchemaMapping } from './polymorphic.js'
import { UnionSchema, unionMembersOf } from './polymorphic.js'
import { isEntityClass } from './schema.js'
import type {
  DenormalizeDelegate,
  EntityClass,
  NormalizeDelegate,
  PayloadKey,
  QueryDelegate,
  Schema,
  SchemaContract,
} from './schema.js'

/**
 * All stored records of one class, or of the classes of a mapping, in the order of their first arrival. `undefined` until a
 * response held such a record or a list of them. As the schema of an endpoint it is Invalid until the first response.
 *
 * @see specification 2.1, S11
 * @example new Query(new schema.All(Todo), (todos) => todos.filter((todo) => !todo.completed))
 */
export class AllSchema<
  const Definition extends Schema | SchemaMapping = Schema,
  const Attribute extends SchemaAttribute | undefined = undefined,
> implements SchemaContract<DenormalizeMember<Definition, Attribute>[]> {
  /** @internal */
  readonly needsAnswer = true
  readonly isRequired = true
  readonly definition: Definition
  readonly #member: Schema
  /** The classes of the records. */
  readonly #entities: readonly EntityClass<{ pk(): unknown }>[]

  /**
   * @param definition - an Entity class, a Union of such, or a mapping of attribute value to Entity class
   * @param schemaAttribute - required for a mapping
   * @throws {SelfsameError} in development `definition-invalid` for a definition without Entity classes
   */
  constructor(definition: Definition, schemaAttribute?: Attribute) {
    this.definition = definition
    this.#member = unionMembersOf(definition, schemaAttribute)
    const mapping =
      definition instanceof UnionSchema
        ? (definition.definition as SchemaMapping)
        : schemaAttribute === undefined
          ? undefined
          : definition
    const entities: readonly unknown[] = mapping === undefined ? [definition] : Object.values(mapping)
    if (development && !entities.every(isEntityClass)) {
      throw errors.definitionInvalid('schema.All', [
        'received something other than an Entity class.',
        'Pass an Entity class, or a Union of Entity classes.',
      ])
    }
    this.#entities = entities.filter(isEntityClass)
  }

  /** @internal */
  get parts(): unknown {
    return this.#member
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    if (!Array.isArray(input)) throw delegate.unexpected(development ? 'an array' : '', input)
    return delegate.members(this.#member, input, parent, key)
  }

  denormalize(
    _input: unknown,
    delegate: DenormalizeDelegate,
  ): DenormalizeMember<Definition, Attribute>[] | undefined {
    return delegate.all(this.#entities) as DenormalizeMember<Definition, Attribute>[] | undefined
  }

  queryKey(_args: readonly unknown[], _delegate: QueryDelegate): unknown {
    return []
  }
}

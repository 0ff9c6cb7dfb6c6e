import type { Denormalize } from './denormalized.js'
import { PolymorphicSchema, mergeDefinition } from './polymorphic.js'
import type { SchemaAttribute, SchemaMapping } from './polymorphic.js'
import type {
  DenormalizeDelegate,
  NormalizeDelegate,
  PayloadKey,
  QueryDelegate,
  Schema,
  SchemaContract,
} from './schema.js'

/**
 * A value of one of several schemas. An object whose attribute is not in the mapping is stored as it is, and is no record.
 *
 * @see specification 2.1, 7 rule 4
 * @example new schema.Union({ link: Link, post: Post }, 'type')
 */
export class UnionSchema<const Definition extends SchemaMapping = SchemaMapping> implements SchemaContract<
  Denormalize<Definition[keyof Definition]>
> {
  /** @internal */
  readonly isReplacing = true
  definition: Definition
  readonly schemaAttribute: SchemaAttribute
  readonly isPolymorphic = true
  #polymorphic: PolymorphicSchema

  /**
   * @param definition - schemas by the value of the attribute
   * @param schemaAttribute - a field's name, or a function `(value, parent, key)`
   * @throws {SelfsameError} in development `definition-invalid` for an attribute that is neither a name nor a function
   */
  constructor(definition: Definition, schemaAttribute: SchemaAttribute) {
    this.definition = definition
    this.schemaAttribute = schemaAttribute
    this.#polymorphic = new PolymorphicSchema(definition, schemaAttribute)
  }

  /** Merges a mapping into this one. For schemas that refer to each other. */
  define(definition: SchemaMapping): void {
    this.definition = mergeDefinition(this.definition, definition, this.schemaAttribute)
    this.#polymorphic = new PolymorphicSchema(this.definition, this.schemaAttribute)
  }

  /** @internal */
  get schemas(): readonly Schema[] {
    return this.#polymorphic.schemas
  }

  /** @internal */
  schemaOf(attribute: unknown): Schema | undefined {
    return this.#polymorphic.schemaOf(attribute)
  }

  /** The schema of a value that may lack fields; `undefined` if the value does not tell. @internal */
  schemaFor(input: unknown): Schema | undefined {
    return this.#polymorphic.schemaFor(input)
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    return this.#polymorphic.normalize(input, parent, key, delegate)
  }

  denormalize(
    input: unknown,
    delegate: DenormalizeDelegate,
  ): Denormalize<Definition[keyof Definition]> | undefined {
    // The mapping's own schemas built it.
    return this.#polymorphic.denormalize(input, delegate) as Denormalize<Definition[keyof Definition]>
  }

  /** Finds a record by arguments that contain the attribute; its own schema finds the rest. */
  queryKey(args: readonly unknown[], delegate: QueryDelegate): unknown {
    const [first] = args
    const { schemaAttribute } = this
    if (typeof first !== 'object' || first === null || typeof schemaAttribute !== 'string') return undefined
    const attribute = (first as Readonly<Record<string, unknown>>)[schemaAttribute]
    const schema = this.#polymorphic.schemaOf(attribute)
    const found = schema === undefined ? undefined : delegate.lookUp(schema, args)
    return found === undefined ? undefined : [attribute, found]
  }
}

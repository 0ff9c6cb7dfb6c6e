import { development } from '#development'
import { isPlainObject, setOwn } from '../util/plain.js'
import { MembersSchema } from './members-schema.js'
import { mergeDefinition, unionMembersOf } from './polymorphic.js'
import type {
  AttributeFunction,
  DenormalizeMember,
  SchemaAttribute,
  SchemaMapping,
  WithoutAttribute,
} from './polymorphic.js'
import type { DenormalizeDelegate, NormalizeDelegate, PayloadKey, Schema } from './schema.js'

/**
 * An object with any keys, whose values have a schema. Reads omit records that are deleted or that `validate` of their class
 * refuses.
 *
 * @see specification 2.1
 * @example
 * new schema.Values(Article)
 * new schema.Values({ link: Link, post: Post }, (value) => value.type)
 */
export class ValuesSchema<
  const Definition extends Schema | SchemaMapping = Schema,
  const Attribute extends SchemaAttribute | undefined = undefined,
> extends MembersSchema<{ [key: string]: DenormalizeMember<Definition, Attribute> }> {
  readonly isMap = true
  /** One schema, or a mapping of attribute value to schema. */
  definition: Definition
  readonly schemaAttribute: Attribute

  /**
   * @param definition - one schema, or a mapping of attribute value to schema
   * @param schemaAttribute - required for a mapping: the field, or function, that chooses the schema of a value
   * @throws {SelfsameError} in development `definition-invalid` for an attribute that is neither a name nor a function, and for a mapping
   *   without one
   */
  constructor(definition: Definition, schemaAttribute: (Attribute & SchemaAttribute) | AttributeFunction)
  constructor(definition: WithoutAttribute<Definition>)
  constructor(definition: Definition, schemaAttribute?: Attribute) {
    super(unionMembersOf(definition, schemaAttribute))
    this.definition = definition
    this.schemaAttribute = schemaAttribute as Attribute
  }

  /** Merges a mapping into the definition, or replaces a single schema. For schemas that refer to each other. */
  define(definition: Definition extends Schema ? Schema : SchemaMapping): void {
    this.definition = mergeDefinition(this.definition, definition, this.schemaAttribute)
    this.member = unionMembersOf(this.definition, this.schemaAttribute)
  }

  override normalize(
    input: unknown,
    _parent: unknown,
    _key: PayloadKey,
    delegate: NormalizeDelegate,
  ): unknown {
    if (input === null || input === undefined) return input
    if (typeof input !== 'object' || Array.isArray(input))
      throw delegate.unexpected(development ? 'an object' : '', input)
    const member = delegate.contractOf(this.member)
    const values: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(input)) {
      setOwn(values, key, delegate.visit(member, value, input, key))
    }
    return values
  }

  override denormalize(
    input: unknown,
    delegate: DenormalizeDelegate,
  ): { [key: string]: DenormalizeMember<Definition, Attribute> } | undefined {
    if (!isPlainObject(input)) return input as undefined
    const values: { [key: string]: DenormalizeMember<Definition, Attribute> } = {}
    for (const [key, value] of Object.entries(input)) {
      const data = delegate.resolve(this.member, value)
      if (data !== undefined) setOwn(values, key, data)
    }
    return values
  }
}

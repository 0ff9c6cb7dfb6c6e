import { ListSchema } from './members-schema.js'
import { mergeDefinition, unionMembersOf } from './polymorphic.js'
import type {
  AttributeFunction,
  DenormalizeMember,
  SchemaAttribute,
  SchemaMapping,
  WithoutAttribute,
} from './polymorphic.js'
import type { Schema } from './schema.js'

/**
 * A list. `[member]` is its short form. Reads omit records that are deleted or that `validate` of their class refuses.
 *
 * @see specification 2.1
 * @example
 * new schema.Array(Article)
 * new schema.Array({ link: Link, post: Post }, 'type')
 */
export class ArraySchema<
  const Definition extends Schema | SchemaMapping = Schema,
  const Attribute extends SchemaAttribute | undefined = undefined,
> extends ListSchema<DenormalizeMember<Definition, Attribute>> {
  /** One schema, or a mapping of attribute value to schema. */
  definition: Definition
  readonly schemaAttribute: Attribute

  /**
   * @param definition - one schema, or a mapping of attribute value to schema
   * @param schemaAttribute - required for a mapping: the field, or function, that chooses the schema of a member
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
}

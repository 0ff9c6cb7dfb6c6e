import { development } from '#development'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import { copyPlain, isPlainObject } from '../util/plain.js'
import type { Denormalize } from './denormalized.js'
import type {
  DenormalizeDelegate,
  NormalizeDelegate,
  ObjectShorthand,
  PayloadKey,
  Schema,
  SchemaContract,
} from './schema.js'

/** Schemas by the value of an attribute. */
export interface SchemaMapping {
  readonly [attribute: string]: Schema
}

/**
 * Says which schema of a mapping a value has: the name of one of its fields, or a function of the value, the record,
 * object or map that holds it or the list around it, and its name or the list's name there.
 */
export type SchemaAttribute =
  | string
  // The value is whatever the server sends; the user names its type.
  // eslint-disable-next-line typescript/no-explicit-any
  | ((value: any, parent: any, key: any) => string)

/** The data of one schema, or of any schema of a mapping. */
export type DenormalizeMember<Definition, Attribute> = Attribute extends SchemaAttribute
  ? Denormalize<Definition[keyof Definition]>
  : Denormalize<Definition>

/**
 * A value that has one of several schemas. It is kept as a pair of attribute and value, so that a value is never
 * mistaken for a reference because of its fields; the attribute is `null` where the mapping has none.
 *
 * @see specification 2.1, 7 rule 4, S8, S26
 */
export class PolymorphicSchema implements SchemaContract {
  readonly #mapping: SchemaMapping
  readonly attribute: SchemaAttribute
  readonly isPolymorphic = true
  #hasWarned = false

  /** @throws {SelfsameError} `definition-invalid` for an attribute that is neither a name nor a function */
  constructor(mapping: SchemaMapping, attribute: SchemaAttribute) {
    if (typeof attribute !== 'string' && typeof attribute !== 'function') {
      throw errors.definitionInvalid(
        'A mapping of schemas',
        development && [
          'was given a schemaAttribute that is neither a name nor a function.',
          'Name the field that tells which schema a value has, or give a function (value, parent, key).',
        ],
      )
    }
    this.#mapping = mapping
    this.attribute = attribute
  }

  /** The schemas of the mapping. */
  get schemas(): readonly Schema[] {
    return Object.values(this.#mapping)
  }

  /** The schema of a value that may lack fields; `undefined` where it does not tell. */
  schemaFor(input: unknown): Schema | undefined {
    try {
      return this.schemaOf(this.#attributeOf(input, undefined, undefined))
    } catch {
      // A function of the user's looks at fields that are not there.
      return undefined
    }
  }

  /** The schema for an attribute; `undefined` when the mapping has none. */
  schemaOf(attribute: unknown): Schema | undefined {
    return typeof attribute === 'string' && Object.hasOwn(this.#mapping, attribute)
      ? this.#mapping[attribute]
      : undefined
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    const attribute = this.#attributeOf(input, parent, key)
    const schema = this.schemaOf(attribute)
    if (schema !== undefined) return [attribute, delegate.visitAs(schema, input, parent, key, 1)]
    this.#warnOfUnknown(attribute)
    return [null, delegate.isOwned ? input : copyPlain(input)]
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): unknown {
    if (!Array.isArray(input)) return input
    const [attribute, value] = input as [unknown, unknown]
    const schema = this.schemaOf(attribute)
    return schema === undefined ? value : delegate.resolve(schema, value)
  }

  #attributeOf(input: unknown, parent: unknown, key: PayloadKey): unknown {
    if (typeof this.attribute === 'function') return this.attribute(input, parent, key)
    if (typeof input !== 'object' || input === null || !Object.hasOwn(input, this.attribute)) return undefined
    return (input as Readonly<Record<string, unknown>>)[this.attribute]
  }

  #warnOfUnknown(attribute: unknown): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    warn(
      `No schema for ${typeof attribute === 'string' ? JSON.stringify(attribute) : String(attribute)} in a mapping of ${Object.keys(this.#mapping).join(', ')}: the object is kept as it was sent.`,
    )
  }
}

/** What a definition without an attribute has to be: anything but a plain object, which is a mapping. */
export type WithoutAttribute<Definition> = [Definition] extends [ObjectShorthand]
  ? [Definition] extends [SchemaContract]
    ? Definition
    : 'A mapping takes a second argument, which tells the schema of a value; a list of plain objects is [{ name: schema }].'
  : Definition

/** What the members of a list or map look like: one schema, or one of several. */
export function membersOf(
  definition: Schema | SchemaMapping,
  attribute: SchemaAttribute | undefined,
): Schema {
  if (attribute !== undefined) return new PolymorphicSchema(definition as SchemaMapping, attribute)
  if (definition === undefined) throw errors.schemaUndefined('What a list or map was given')
  if (!isPlainObject(definition)) return definition
  throw errors.definitionInvalid(
    'A list or map',
    development && [
      'was given a mapping of schemas and no schemaAttribute.',
      'Name the field that tells which schema a value has. A list of plain objects is written [{ name: schema }], or with new schema.Object({ name: schema }).',
    ],
  )
}

/** Merges a definition in: a mapping into a mapping; anything else replaces (specification S7). */
export function mergeDefinition<Definition>(
  definition: Definition,
  more: object,
  attribute: SchemaAttribute | undefined,
): Definition {
  return (attribute === undefined ? more : { ...definition, ...more }) as Definition
}

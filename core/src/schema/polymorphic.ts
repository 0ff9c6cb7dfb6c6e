import { development } from '#development'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import { copyPlain, isPlainObject } from '../util/plain.js'
import type { StoreNormalizeDelegate, StoreQueryDelegate } from './delegates.js'
import type { Denormalize } from './denormalized.js'
import { planOf } from './entity-plan.js'
import { isEntityClass } from './schema.js'
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
 * Chooses the schema of a value in a mapping: the name of a field, or a function of the value, its parent and its key. The
 * parent is the record, object or map that holds the value, directly or in a list; the key is the name of the field that
 * holds it there.
 */
export type SchemaAttribute = string | AttributeFunction

/** Returns the attribute of a value. */
// The server decides the value; the user declares its type.
// eslint-disable-next-line typescript/no-explicit-any
export type AttributeFunction = (value: any, parent: any, key: any) => string

/** The data of one schema, or of any schema of a mapping. */
export type DenormalizeMember<Definition, Attribute> = Attribute extends SchemaAttribute
  ? Denormalize<Definition[keyof Definition]>
  : Denormalize<Definition>

/**
 * A value of one of several schemas. It is stored as a pair of attribute and value, so that no value is taken for a reference
 * because of its fields. An object whose attribute is not in the mapping is stored as it is, with `null` as its attribute, and
 * is no record.
 *
 * @see specification 2.1, 7 rule 4, S8, S26
 * @example new schema.Union({ link: Link, post: Post }, 'type')
 */
export class UnionSchema<const Definition extends SchemaMapping = SchemaMapping> implements SchemaContract<
  Denormalize<Definition[keyof Definition]>
> {
  /** @internal */
  readonly isReplacing = true
  readonly isRequired = true
  definition: Definition
  readonly schemaAttribute: SchemaAttribute
  readonly isPolymorphic = true
  #hasWarned = false

  /**
   * @param definition - schemas by the value of the attribute
   * @param schemaAttribute - a field's name, or a function `(value, parent, key)`
   * @throws {SelfsameError} in development `definition-invalid` for an attribute that is neither a name nor a function
   */
  constructor(definition: Definition, schemaAttribute: SchemaAttribute) {
    if (development && typeof schemaAttribute !== 'string' && typeof schemaAttribute !== 'function') {
      throw errors.definitionInvalid('A mapping of schemas', [
        'has a schemaAttribute that is neither a name nor a function.',
        'Pass the name of the field that tells the schema of a value, or a function (value, parent, key).',
      ])
    }
    this.definition = definition
    this.schemaAttribute = schemaAttribute
  }

  /** Merges a mapping into this one. For schemas that refer to each other. */
  define(definition: SchemaMapping): void {
    this.definition = mergeDefinition(this.definition, definition, this.schemaAttribute)
  }

  /** @internal */
  get schemas(): readonly Schema[] {
    return Object.values(this.definition)
  }

  /**
   * Deletes the record that a response names, else the arguments. They tell its class, else the class that has a record of
   * that key does.
   *
   * @returns its reference; `undefined` if no record was deleted
   * @internal
   */
  removeFrom(input: unknown, delegate: StoreNormalizeDelegate): unknown {
    const { sink } = delegate
    const chosen = this.schemaFor(input) ?? this.schemaFor(delegate.args[0])
    const plans = (chosen === undefined ? this.schemas : [chosen]).filter(isEntityClass).map(planOf)
    const [first] = plans
    const named = plans.flatMap((plan) => {
      const pk = delegate.pkToRemove(plan, input)
      return pk === undefined ? [] : [{ plan, pk }]
    })
    if (first !== undefined && (plans.length === 1 || named.length === 0))
      return delegate.remove(first, input)
    const found = named.flatMap(({ plan, pk }) => {
      const reference = sink.stored?.(plan, pk)
      return reference === undefined ? [] : [{ plan, reference }]
    })
    const [only, another] = found
    if (only === undefined) return undefined
    if (another !== undefined) {
      sink.removeOneOf?.(found.map(({ reference }) => reference))
      return undefined
    }
    sink.remove?.(only.plan, only.reference)
    return only.reference
  }

  /** @internal */
  schemaOf(attribute: unknown): Schema | undefined {
    return typeof attribute === 'string' && Object.hasOwn(this.definition, attribute)
      ? this.definition[attribute]
      : undefined
  }

  /** @internal */
  get parts(): unknown {
    return [this.definition, this.schemaAttribute]
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    const attribute = this.#attributeOf(input, parent, key)
    const schema = this.schemaOf(attribute)
    if (schema !== undefined) return [attribute, delegate.visitAs(schema, input, parent, key, 1)]
    if (delegate.isStrict && (typeof input !== 'object' || Array.isArray(input)))
      throw delegate.unexpected(
        development ? `an object that is one of ${Object.keys(this.definition).join(', ')}` : '',
        input,
      )
    // A hydrated field without records may have this form already.
    if (Array.isArray(input) && input.length === 2 && input[0] === null) return copyPlain(input)
    this.#warnOfUnknown(attribute)
    return [null, delegate.isOwned ? input : copyPlain(input)]
  }

  denormalize(
    input: unknown,
    delegate: DenormalizeDelegate,
  ): Denormalize<Definition[keyof Definition]> | undefined {
    const [attribute, value] = Array.isArray(input) ? (input as readonly unknown[]) : [undefined, input]
    const schema = this.schemaOf(attribute)
    // The mapping's own schemas built it.
    return (schema === undefined ? value : delegate.resolve(schema, value)) as Denormalize<
      Definition[keyof Definition]
    >
  }

  /**
   * Finds a record by arguments that contain the attribute; its own schema finds the rest. Without the attribute, the record is
   * the only one of the mapping's classes that is stored and that the arguments identify.
   */
  queryKey(args: readonly unknown[], delegate: StoreQueryDelegate): unknown {
    const { schemaAttribute: named } = this
    const attribute = typeof named === 'string' ? this.#attributeOf(args[0], undefined, undefined) : undefined
    const schema = this.schemaOf(attribute)
    if (schema !== undefined) {
      const found = delegate.lookUp(schema, args)
      return found === undefined ? undefined : [attribute, found]
    }
    // Another kind than those of the mapping.
    if (attribute !== undefined) return undefined
    const stored = new Map<unknown, string>()
    for (const [name, entity] of Object.entries(this.definition)) {
      const plan = isEntityClass(entity) ? planOf(entity) : undefined
      const found = plan?.queryKey(args, delegate)
      if (plan === undefined || found === undefined || !delegate.isShown(plan, found)) continue
      if (!stored.has(found)) stored.set(found, name)
    }
    const [only, another] = stored
    return only === undefined || another !== undefined ? undefined : [only[1], only[0]]
  }

  /** @internal */
  schemaFor(input: unknown): Schema | undefined {
    try {
      return this.schemaOf(this.#attributeOf(input, undefined, undefined))
    } catch {
      // The user's function threw because a field is missing.
      return undefined
    }
  }

  #attributeOf(input: unknown, parent: unknown, key: PayloadKey): unknown {
    const { schemaAttribute: named } = this
    if (typeof named === 'function') return named(input, parent, key)
    if (typeof input !== 'object' || input === null || !Object.hasOwn(input, named)) return undefined
    return (input as Readonly<Record<string, unknown>>)[named]
  }

  #warnOfUnknown(attribute: unknown): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    warn(
      `No schema for ${typeof attribute === 'string' ? JSON.stringify(attribute) : String(attribute)} in a mapping of ${Object.keys(this.definition).join(', ')}: the object is stored as it is. Add its schema.`,
    )
  }
}

/** The type of a definition without an attribute: any schema but a plain object, which is a mapping. */
export type WithoutAttribute<Definition> = [Definition] extends [ObjectShorthand]
  ? [Definition] extends [SchemaContract]
    ? Definition
    : [keyof Definition] extends [never]
      ? Definition
      : 'A mapping takes a second argument, which tells the schema of a value; a list of plain objects is [{ name: schema }].'
  : Definition

/**
 * Returns the schema of the members of a list or map: one schema, or the choice of several.
 *
 * @throws {SelfsameError} `definition-invalid` for a mapping without an attribute, and for no schema
 */
export function unionMembersOf(
  definition: Schema | SchemaMapping,
  attribute: SchemaAttribute | undefined,
): Schema {
  if (attribute !== undefined) return new UnionSchema(definition as SchemaMapping, attribute)
  if (definition === undefined) throw errors.schemaUndefined('The schema of a list or map')
  // An empty one is defined later.
  if (development && isPlainObject(definition) && Object.keys(definition).length > 0) {
    throw errors.definitionInvalid('A list or map', [
      'has several schemas and no schemaAttribute.',
      'Pass the name of the field that tells the schema of a value. For a list of plain objects, write [{ name: schema }] or use new schema.Object({ name: schema }).',
    ])
  }
  return definition
}

/** Merges a mapping into a mapping. Another definition replaces the previous one (specification S7). */
export function mergeDefinition<Definition>(
  definition: Definition,
  more: object,
  attribute: SchemaAttribute | undefined,
): Definition {
  return (attribute === undefined ? more : { ...definition, ...more }) as Definition
}

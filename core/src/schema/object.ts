import { development } from '#development'
import { copyPlain, isPlainObject, setOwn } from '../util/plain.js'
import type { DenormalizeObject } from './denormalized.js'
import { definitionWithHome } from './home.js'
import { isContract, isEntityClass } from './schema.js'
import type {
  DenormalizeDelegate,
  ListHome,
  Literal,
  NormalizeDelegate,
  ObjectShorthand,
  PayloadKey,
  QueryDelegate,
  Schema,
  SchemaContract,
} from './schema.js'

/**
 * An object whose fields have schemas or defaults. `{ name: schema }` is its short form. A literal such as `''`, `[]` or
 * `{}` is the default of a field that the server did not send; a value that it did send, `null` included, stays. Other
 * fields stay as they are.
 *
 * @see specification 2.2, S10
 * @example new schema.Object({ results: [Article], nextPage: '' })
 */
export class ObjectSchema<
  const Definition extends ObjectShorthand = ObjectShorthand,
> implements SchemaContract<DenormalizeObject<Definition>> {
  /** @internal */
  readonly isReplacing = true
  declare readonly definition: Definition
  /** The fields that hold data with a schema. */
  declare readonly nested: readonly (readonly [name: string, schema: Schema])[]
  readonly #defaults: readonly (readonly [name: string, value: Default])[]

  constructor(definition: Definition) {
    this.definition = definition
    const entries = Object.entries(definition)
    this.nested = entries.filter((entry): entry is [string, Schema] => !isDefault(entry[1]))
    this.#defaults = entries.filter((entry): entry is [string, Default] => isDefault(entry[1]))
  }

  /** @internal */
  get parts(): unknown {
    return this.definition
  }

  normalize(input: unknown, _parent: unknown, _key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    if (typeof input !== 'object' || Array.isArray(input))
      throw delegate.unexpected(development ? 'an object' : '', input)
    const source = input as Readonly<Record<string, unknown>>
    const fields = delegate.isOwned ? (input as Record<string, unknown>) : this.#copy(source)
    for (const [name, schema] of this.nested) {
      if (Object.hasOwn(source, name) && source[name] !== undefined)
        setOwn(fields, name, delegate.visit(schema, source[name], source, name))
      else if (isOptional(schema)) {
        const value = delegate.visit(schema, undefined, source, name)
        if (value !== undefined) setOwn(fields, name, value)
      } else if (delegate.isStrict && isRequired(schema))
        throw delegate.unexpected(development ? expectedOf(schema) : '', undefined, name)
    }
    return fields
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): DenormalizeObject<Definition> | undefined {
    if (!isPlainObject(input)) return input as undefined
    const data: Record<string, unknown> = { ...input }
    const mustBeComplete = found.has(input)
    for (const [name, schema] of this.nested) {
      const isThere = Object.hasOwn(input, name)
      const value = isThere
        ? delegate.resolve(schema, input[name])
        : isContract(schema)
          ? schema.default
          : undefined
      if (!isThere && value === undefined) continue
      if (mustBeComplete && value === undefined && !isOptional(schema)) return undefined
      setOwn(data, name, value)
    }
    for (const [name, value] of this.#defaults) {
      if (!Object.hasOwn(data, name) || data[name] === undefined) setOwn(data, name, value)
    }
    // The loop above built exactly the fields that the definition names.
    return data as DenormalizeObject<Definition>
  }

  /**
   * `true` with a default: only a response tells whether the server sends the field; and with several records, because the
   * arguments of an endpoint do not tell which of them they identify. @internal
   */
  get needsAnswer(): boolean {
    return (
      this.#defaults.length > 0 ||
      countRecords(this) > 1 ||
      this.nested.some(([, schema]) => needsAnswer(schema))
    )
  }

  /** `true` if it names something that has to be there: a record, a list, a map or a Union. */
  get isRequired(): boolean {
    const { definition } = this
    let known = required.get(definition)
    if (known === undefined) {
      // Meanwhile a schema that contains itself is not required: a response ends somewhere.
      required.set(definition, false)
      known = this.nested.some(([, schema]) => isRequired(schema))
      required.set(definition, known)
    }
    return known
  }

  /** Finds an object whose nested fields are all found. A read of it has data if all of them that are not optional have. */
  queryKey(args: readonly unknown[], delegate: QueryDelegate): unknown {
    if (this.nested.length === 0) return undefined
    const fields: Record<string, unknown> = {}
    for (const [name, schema] of this.nested) {
      const value = delegate.lookUp(schema, args)
      if (value !== undefined) setOwn(fields, name, value)
      else if (!isOptional(schema)) return undefined
    }
    found.add(fields)
    return fields
  }

  /** @internal */
  withHome(home: ListHome, depth: number): unknown {
    const definition = definitionWithHome(this.definition, home, depth)
    return definition === this.definition ? this : definition
  }

  #copy(source: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const copy: Record<string, unknown> = { ...source }
    for (const name in copy) {
      const value = copy[name]
      if (typeof value !== 'object' || value === null) continue
      if (!this.nested.some(([nested]) => nested === name)) setOwn(copy, name, copyPlain(value))
    }
    return copy
  }
}

/** Objects that `queryKey` found, without a response. A read returns all fields that are not optional, or `undefined`. */
const found = new WeakSet<object>()

function isOptional(schema: Schema): boolean {
  return isContract(schema) && schema.optional !== undefined
}

function needsAnswer(schema: Schema): boolean {
  if (isContract(schema)) return schema.needsAnswer === true
  return isPlainObject(schema) && new ObjectSchema(schema as ObjectShorthand).needsAnswer
}

/** By object schema, `true` if it names something that has to be there. */
const required = new WeakMap<object, boolean>()

/** Returns `true` if a response has to hold the value of a schema. */
function isRequired(schema: Schema): boolean {
  if (isContract(schema)) return schema.isRequired === true
  if (typeof schema === 'function') return isEntityClass(schema)
  return Array.isArray(schema) || new ObjectSchema(schema as ObjectShorthand).isRequired
}

/** The value that a schema reads, for messages in development. */
function expectedOf(schema: unknown): string {
  if (isEntityClass(schema)) return `a record of "${schema.key}"`
  if (isContract(schema) && schema.inner !== undefined) return expectedOf(schema.inner)
  const { member, content } = schema as { readonly member?: unknown; readonly content?: { member?: unknown } }
  const of = Array.isArray(schema) ? (schema[0] as unknown) : (member ?? content?.member)
  if (of === undefined) return 'an object'
  const isMap = ((content ?? schema) as { readonly isMap?: boolean }).isMap === true
  return `${isMap ? 'an object' : 'an array'}${isEntityClass(of) ? ` of "${of.key}"` : ''}`
}

/** Counts the fields of an object schema that are records, including those of nested objects. */
function countRecords(schema: unknown): number {
  if (isEntityClass(schema)) return 1
  if (schema instanceof ObjectSchema) return countRecords(schema.definition)
  if (!isPlainObject(schema)) return 0
  return Object.values(schema).reduce<number>((count, nested) => count + countRecords(nested), 0)
}

/** The default of a field without a schema of its own. */
type Default = Literal | readonly [] | Readonly<Record<string, never>>

function isDefault(value: unknown): value is Default {
  if (typeof value === 'function') return false
  if (typeof value !== 'object' || value === null) return true
  return (Array.isArray(value) || isPlainObject(value)) && Object.keys(value).length === 0
}

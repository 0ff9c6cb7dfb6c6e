import { development } from '#development'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import type { StoreDenormalizeDelegate, StoreNormalizeDelegate, StoreQueryDelegate } from './delegates.js'
import { Entity } from './entity.js'
import { shareInstances } from '../util/shared-data.js'
import type { Fields } from './fields.js'
import { reasonOf } from './validator.js'
import type { EntityClass, EntityFields, PayloadKey, Schema, SchemaContract } from './schema.js'

/** A field of a record that has a schema of its own. */
export interface FieldPlan {
  readonly name: string
  readonly schema: Schema
  /** The contract of the schema. Set at the first use, when classes that refer to each other are all defined. */
  contract: SchemaContract | undefined
}

type PkMethod = (this: object, parent: unknown, key: PayloadKey, args: readonly unknown[]) => unknown

let plansMade = 0

/**
 * The schema of an entity class: its `pk`, its hooks and its fields, looked up once for all records. Made at the first use
 * of the class. Knows no store, so that one plan serves all stores.
 */
export class EntityPlan implements SchemaContract {
  /** @internal */
  readonly isReplacing = true
  readonly isRequired = true
  /** The number of the plan. A store finds the table of the plan by this index, which is faster than by name. */
  readonly index = plansMade++
  declare readonly entity: EntityClass<{ pk(): unknown }>
  declare readonly key: string
  readonly #pk: PkMethod
  /** The names of getters without a setter, and of methods. A payload never replaces them. */
  readonly #computed: readonly string[]
  /** `process` of the class; `undefined` if the class does not override it. */
  readonly #process: typeof Entity.process | undefined
  #schema: EntityFields | undefined
  #hasDoubtful = false
  /** The class with the defaults of its fields, as the `this` of its `validate`; `undefined` if it declares defaults. */
  #withDefaults: object | undefined
  #fields: readonly FieldPlan[] = []
  /** `true` if a field may show all records of a class: its schema is `schema.All` or a Query of it. */
  hasQuery = false

  constructor(entity: EntityClass<{ pk(): unknown }>) {
    this.entity = entity
    this.key = entity.key
    shareInstances(entity.prototype)
    // Taken from the prototype, because a payload may have a field named `pk`.
    this.#pk = entity.prototype.pk as PkMethod
    this.#computed = computedNames(entity.prototype)
    const { process } = entity
    this.#process = process === Entity.process ? undefined : process
    if (development) warnOfFormerHooks(entity)
    this.mergesItself = entity.merge !== undefined && entity.merge !== Entity.merge
    this.version = this.mergesItself ? undefined : entity.version
    this.isKeyedById = this.#pk === (Entity.prototype.pk as PkMethod) && !this.mergesItself
  }

  /**
   * The fields with a schema. Compares `static schema` each time, because it may be assigned after the class definition.
   *
   * @throws {SelfsameError} `definition-invalid` for a field whose schema is undefined, as in a circular import
   */
  get fields(): readonly FieldPlan[] {
    // Hot path, runs for every record: a closure in here would take a context object each time.
    const { schema } = this.entity
    if (schema !== this.#schema) {
      this.#fields = this.#plan(schema)
      this.#schema = schema
      this.hasQuery = this.#fields.some(
        (field) => (field.schema as Partial<SchemaContract>).needsAnswer === true,
      )
    }
    return this.#fields
  }

  #plan(schema: EntityFields = {}): readonly FieldPlan[] {
    return Object.entries(schema)
      .filter(([name]) => !this.computes(name))
      .map(([name, field]) => {
        if (isMissingSchema(field))
          throw errors.schemaUndefined(`Field "${name}" of the static schema of Entity "${this.key}"`)
        return { name, schema: field, contract: undefined }
      })
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: StoreNormalizeDelegate): unknown {
    return delegate.record(this, input, parent, key)
  }

  denormalize(input: unknown, delegate: StoreDenormalizeDelegate): unknown {
    return delegate.record(this, input)
  }

  /**
   * Returns a reference to the record that arguments identify: by the class's `queryKey`, else by the primary key that the
   * first argument is or contains, else by an indexed field.
   */
  queryKey(args: readonly unknown[], delegate: StoreQueryDelegate): unknown {
    const { queryKey } = this.entity
    const pk =
      queryKey === undefined
        ? this.pkOfArgs(args)
        : toPk(queryKey.call(this.entity, args, (field, value) => delegate.indexed(this, field, value)?.pk))
    if (pk !== undefined) return delegate.reference(this, pk)
    const [first] = args
    if (queryKey !== undefined || typeof first !== 'object' || first === null) return undefined
    for (const field of this.entity.indexes ?? []) {
      const value = (first as Readonly<Record<string, unknown>>)[field]
      if (value !== undefined) return delegate.indexed(this, field, value)
    }
    return undefined
  }

  /** Calls `process` of the class with a copy of a received record, before `pk`. */
  process(input: object, parent: unknown, key: PayloadKey, args: readonly unknown[]): object {
    if (this.#process === undefined) return input
    return this.#process.call(this.entity, { ...input } as Record<string, unknown>, parent, key, args)
  }

  /** Merges two states of a record by the `merge` of the class, the later one over the earlier one. */
  merge(existing: Fields, incoming: Fields): Fields {
    return this.entity.merge?.(existing, incoming) ?? incoming
  }

  /** `true` if the class overrides `merge`. */
  declare readonly mergesItself: boolean
  /** The name of the field with the version of a record; `undefined` without one. */
  declare readonly version: string | undefined
  /** `true` if the primary key is the field `id` of received and of stored records: no own `pk` and no own `merge`. */
  declare readonly isKeyedById: boolean

  /** Returns the primary key that the first argument of a call is or contains; `undefined` if there is none. */
  pkOfArgs(args: readonly unknown[]): string | undefined {
    // By index: destructuring creates an iterator until the engine has compiled this function.
    const first = args[0]
    if (typeof first !== 'object' || first === null) return toPk(first)
    if (this.isKeyedById && 'id' in first && first.id !== undefined) return toPk(first.id)
    try {
      const pk = toPk(this.callPk(first, undefined, undefined, args))
      // The text of a field that the arguments lack.
      return pk === 'undefined' && !Object.values(first).includes(pk) ? undefined : pk
    } catch {
      // pk() threw, because the arguments lack fields of a record.
      return undefined
    }
  }

  /** Returns the primary key of a received record; `undefined` if it has none. */
  pkOf(record: object, parent: unknown, key: PayloadKey, args: readonly unknown[]): string | undefined {
    const pk = this.callPk(record, parent, key, args)
    if (development) this.#warnOfDoubtful(this.isKeyedById ? (record as { readonly id?: unknown }).id : pk)
    return toPk(pk)
  }

  /**
   * A number that large was rounded when the response was parsed, and two records may have become one. So may those whose primary key
   * is the text of a field that they lack.
   */
  #warnOfDoubtful(pk: unknown): void {
    const isText = pk === 'undefined'
    if (this.#hasDoubtful || !(isText || (Number.isInteger(pk) && !Number.isSafeInteger(pk)))) return
    this.#hasDoubtful = true
    if (isText)
      return warn(
        `Entity "${this.key}" has a record with the primary key "undefined", the text. All records with it are one.
  If pk() made it of a field that the response lacks, return the field itself, such as \`this.id\`: without a primary key the response is refused.`,
      )
    warn(
      `Entity "${this.key}" has the primary key ${String(pk)}, which JavaScript cannot tell from its neighbours: numbers beyond 2^53 are rounded.
  Let the server send it as text, or read the body with a parser that keeps large numbers as text: see "Ids larger than 2^53" among the recipes.`,
    )
  }

  /** Returns the reason why `validate` of the class refuses a record; `undefined` if it accepts it. */
  rejects(fields: Readonly<Record<string, unknown>>): string | undefined {
    const { entity } = this
    const { validate } = entity
    if (validate === undefined || validate === Entity.validate) return undefined
    if (entity.defaults === undefined)
      this.#withDefaults ??= Object.create(entity, { defaults: { value: new entity() } }) as object
    return reasonOf(validate, fields, this.#withDefaults ?? entity, `Entity "${this.key}"`)
  }

  /** Makes an instance that has only the defaults of the class. */
  create(): Record<string, unknown> {
    const instance = new this.entity() as unknown as Record<string, unknown>
    const { defaults } = this.entity
    return defaults === undefined ? instance : Object.assign(instance, defaults)
  }

  /** Returns `true` if the class has a getter or a method of this name, so that a payload does not replace it. */
  computes(name: string): boolean {
    return this.#computed.includes(name)
  }

  /** Sets the fields of a record on an instance. The caller replaces references by nested records. */
  assign(instance: Record<string, unknown>, fields: Readonly<Record<string, unknown>>): void {
    // Most records have no field of these names.
    const isPlain = !this.#computed.some((name) => Object.hasOwn(fields, name))
    const shown = isPlain
      ? fields
      : Object.fromEntries(Object.entries(fields).filter(([name]) => !this.computes(name)))
    Object.assign(instance, shown)
  }

  /** Calls `pk()` on a received record. Returns its result as it is, for messages. */
  callPk(record: object, parent: unknown, key: PayloadKey, args: readonly unknown[]): unknown {
    try {
      const pk = this.#pk.call(record, parent, key, args)
      if (pk !== undefined) return pk
    } catch {
      // pk() may use getters or methods of its class, which need an instance: below.
    }
    // Not constructed: the default of `id` in a class field is no primary key.
    const instance = Object.create(this.entity.prototype) as Record<string, unknown>
    this.assign(instance, record as Record<string, unknown>)
    return this.#pk.call(instance, parent, key, args)
  }
}

const plans = new WeakMap<object, EntityPlan>()

/** Returns the plan of an entity class. Makes it at the first use. */
export function planOf(entity: EntityClass<{ pk(): unknown }>): EntityPlan {
  let plan = plans.get(entity)
  if (plan === undefined) plans.set(entity, (plan = new EntityPlan(entity)))
  return plan
}

/** Methods of Reactive Data Client that decide by the times of two states. */
const formerHooks: Readonly<Record<string, string>> = {
  useIncoming: 'version',
  shouldUpdate: 'version',
  shouldReorder: 'version',
  mergeWithStore: 'merge',
  mergeMetaWithStore: 'version',
}

function warnOfFormerHooks(entity: EntityClass): void {
  for (const [hook, remedy] of Object.entries(formerHooks)) {
    if (!(hook in entity)) continue
    const use =
      remedy === 'version'
        ? '`static version`, which names the field that tells how new a record is'
        : '`static merge(existing, incoming)`'
    warn(`Entity "${entity.key}" has \`static ${hook}\`, which nothing calls.\n  Use ${use}.`)
  }
}

/** Returns a primary key as text; `undefined` for a value that is not a primary key (specification S1, S2). */
export function toPk(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' && !Number.isNaN(value) ? String(value) : undefined
}

/** Returns `true` if a schema, or the member of a list, is not defined yet, as in a circular import. */
function isMissingSchema(schema: unknown): boolean {
  return schema === undefined || schema === null || (Array.isArray(schema) && schema.some(isMissingSchema))
}

/** The names of getters without a setter and of methods, and of what all objects have and code relies on. */
function computedNames(prototype: object): string[] {
  // Each instance is checked for them.
  const names = ['toString', 'valueOf', 'hasOwnProperty']
  for (let level = prototype; level !== Object.prototype; level = Object.getPrototypeOf(level) as object) {
    for (const [name, { get, set, value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      const isComputed = typeof value === 'function' || (get !== undefined && set === undefined)
      if (isComputed && name !== 'constructor') names.push(name)
    }
  }
  return names
}

/** Returns `true` if the key of an entity is only the name of its class: a minifier may give two classes the same name. */
export function hasDerivedKey({ entity }: EntityPlan): boolean {
  let level: object | null = entity
  while (level !== null && !Object.hasOwn(level, 'key')) level = Object.getPrototypeOf(level) as object | null
  return level !== null && Object.getOwnPropertyDescriptor(level, 'key')?.get !== undefined
}

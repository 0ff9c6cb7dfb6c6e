import * as errors from '../errors.js'
import { copyPlain, isPlainObject } from '../util/plain.js'
import type { StoreDenormalizeDelegate, StoreNormalizeDelegate, StoreQueryDelegate } from './delegates.js'
import { Entity } from './entity.js'
import { reasonOf } from './validator.js'
import type { EntityClass, EntityFields, PayloadKey, Schema, SchemaContract } from './schema.js'

/** A field of a record that has a schema of its own. */
export interface FieldPlan {
  readonly name: string
  readonly schema: Schema
  /** What the schema stands for; looked up at the first use, when classes that refer to each other are defined. */
  contract: SchemaContract | undefined
}

type PkMethod = (this: object, parent: unknown, key: PayloadKey, args: readonly unknown[]) => unknown

let plansMade = 0

/**
 * An entity class, compiled at its first use into what a traversal needs at every record. Knows no store: one
 * plan serves all of them.
 */
export class EntityPlan implements SchemaContract {
  /** @internal */
  readonly isReplacing = true
  /** Counts plans, so that a store finds the plan's table by an index instead of a name. */
  readonly index = plansMade++
  readonly entity: EntityClass<{ pk(): unknown }>
  readonly key: string
  readonly #pk: PkMethod
  /** Names that the class computes by a getter: data never replaces them. */
  readonly #computed: readonly string[]
  /** Of a class that changes records as they are received. */
  readonly #process: typeof Entity.process | undefined
  #schema: EntityFields | undefined
  #fields: readonly FieldPlan[] = []

  constructor(entity: EntityClass<{ pk(): unknown }>) {
    this.entity = entity
    this.key = entity.key
    // From the prototype, once: a field called `pk` in the data must not be mistaken for it.
    this.#pk = entity.prototype.pk as PkMethod
    this.#computed = computedNames(entity.prototype)
    const { process } = entity
    this.#process = process === Entity.process ? undefined : process
    this.mergesItself = mergeHooks.some((hook) => entity[hook] !== undefined && entity[hook] !== Entity[hook])
    this.isKeyedById = this.#pk === (Entity.prototype.pk as PkMethod) && !this.mergesItself
  }

  /** The fields with a schema. Read from the class each time, because `static schema` may be assigned late. */
  get fields(): readonly FieldPlan[] {
    const schema = this.entity.schema
    if (schema !== this.#schema) {
      this.#fields = Object.entries(schema ?? {})
        .filter(([name]) => !this.computes(name))
        .map(([name, field]) => {
          if (isMissing(field))
            throw errors.schemaUndefined(`Field "${name}" of the static schema of Entity "${this.key}"`)
          return { name, schema: field, contract: undefined }
        })
      this.#schema = schema
    }
    return this.#fields
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: StoreNormalizeDelegate): unknown {
    return delegate.record(this, input, parent, key)
  }

  denormalize(input: unknown, delegate: StoreDenormalizeDelegate): unknown {
    return delegate.record(this, input)
  }

  /** A record is named by arguments from which its `pk()` can be computed, that are the pk, or by an indexed field. */
  queryKey(args: readonly unknown[], delegate: StoreQueryDelegate): unknown {
    const { queryKey } = this.entity
    const pk =
      queryKey === undefined
        ? this.pkOfArgs(args)
        : toPk(
            queryKey.call(this.entity, args, (field, value) =>
              delegate.pkOf(delegate.indexed(this, field, value)),
            ),
          )
    if (pk !== undefined) return delegate.reference(this, pk)
    const [first] = args
    if (queryKey !== undefined || typeof first !== 'object' || first === null) return undefined
    for (const field of this.entity.indexes ?? []) {
      const value = (first as Readonly<Record<string, unknown>>)[field]
      if (value !== undefined) return delegate.indexed(this, field, value)
    }
    return undefined
  }

  /** The record as the class wants it, before its primary key is taken. */
  process(input: object, parent: unknown, key: PayloadKey, args: readonly unknown[]): object {
    if (this.#process === undefined) return input
    return this.#process.call(this.entity, { ...input } as Record<string, unknown>, parent, key, args)
  }

  /** Whether the class decides by itself how a record meets the stored one. */
  readonly mergesItself: boolean
  /** Whether the primary key is the field `id` of what is received, and of what is stored. */
  readonly isKeyedById: boolean

  /** The primary key that a call's arguments hold, if they do. */
  pkOfArgs(args: readonly unknown[]): string | undefined {
    // By index: before it is compiled, destructuring makes an iterator.
    const first = args[0]
    if (typeof first !== 'object' || first === null) return toPk(first)
    try {
      return toPk(this.#callPk(first, undefined, undefined, args))
    } catch {
      // Arguments are no record: a pk() that cannot be computed from them names none.
      return undefined
    }
  }

  /** The primary key of a record as it was received; `undefined` when it has none. */
  pkOf(record: object, parent: unknown, key: PayloadKey, args: readonly unknown[]): string | undefined {
    return toPk(this.#callPk(record, parent, key, args))
  }

  /** What `pk()` returned for a record that has no primary key, for the message that says so. */
  pkFound(record: object, parent: unknown, key: PayloadKey, args: readonly unknown[]): unknown {
    return this.#callPk(record, parent, key, args)
  }

  /** Why the class cannot use a record with these fields; `undefined` when it can. */
  rejects(fields: Readonly<Record<string, unknown>>): string | undefined {
    const { entity } = this
    return entity.validate === undefined
      ? undefined
      : reasonOf(entity.validate, fields, entity, `Entity "${this.key}"`)
  }

  /** How long a record of this class stays Valid, if the class says so: milliseconds. */
  get dataExpiryLength(): number | undefined {
    return this.entity.dataExpiryLength
  }

  /** Whether the class has a `validate` of its own, so that records need to be judged at all. */
  get hasValidate(): boolean {
    return this.entity.validate !== undefined
  }

  /** A new instance with the class's defaults and nothing else. */
  create(): Record<string, unknown> {
    const instance = new this.entity() as unknown as Record<string, unknown>
    const { defaults } = this.entity
    return defaults === undefined ? instance : Object.assign(instance, defaults)
  }

  /** What a record shows in a field that was never received. */
  defaultOf(name: string): unknown {
    return this.create()[name]
  }

  /** Whether the class computes a field by a getter, so that no data takes its place. */
  computes(name: string): boolean {
    return this.#computed.includes(name)
  }

  /** Gives an instance the fields of a record. Nested records are the caller's to replace. */
  assign(instance: Record<string, unknown>, fields: Readonly<Record<string, unknown>>): void {
    if (this.#computed.length === 0) {
      Object.assign(instance, fields)
      return
    }
    for (const name of Object.keys(fields)) {
      if (!this.#computed.includes(name)) instance[name] = fields[name]
    }
  }

  /**
   * A copy of a record that the caller keeps holding: without `undefined`, which must not hide a default, and
   * without `__proto__`. What is nested in fields with a schema is left to these.
   */
  copyFields(record: object): Record<string, unknown> {
    // A spread takes the shape of the record over at once; most records have nothing to be left out.
    const copy: Record<string, unknown> = { ...record }
    for (const name in copy) {
      const value = copy[name]
      if (value === undefined || name === '__proto__' || this.#computed.includes(name))
        return this.#copyKept(copy)
      if (typeof value === 'object' && value !== null && !this.#isNested(name)) copy[name] = copyPlain(value)
    }
    return copy
  }

  /** What of a record that the caller keeps holding can be compared with the stored one as it is; else a copy. */
  comparable(record: object): Record<string, unknown> {
    return this.#computed.length === 0 && isPlainObject(record) ? record : this.copyFields(record)
  }

  #copyKept(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const copy: Record<string, unknown> = {}
    for (const name of Object.keys(record)) {
      if (record[name] === undefined || name === '__proto__' || this.#computed.includes(name)) continue
      copy[name] = this.#isNested(name) ? record[name] : copyPlain(record[name])
    }
    return copy
  }

  #isNested(name: string): boolean {
    for (const field of this.fields) if (field.name === name) return true
    return false
  }

  #callPk(record: object, parent: unknown, key: PayloadKey, args: readonly unknown[]): unknown {
    try {
      const pk = this.#pk.call(record, parent, key, args)
      if (pk !== undefined) return pk
    } catch {
      // A pk() that uses getters or methods of its class needs an instance: below.
    }
    // Without the class's own field values: a default of `id` must not pass for a primary key.
    const instance = Object.create(this.entity.prototype) as Record<string, unknown>
    this.assign(instance, record as Record<string, unknown>)
    return this.#pk.call(instance, parent, key, args)
  }
}

const mergeHooks = ['merge', 'mergeWithStore', 'shouldUpdate', 'shouldReorder', 'mergeMetaWithStore'] as const

const plans = new WeakMap<object, EntityPlan>()

/** The plan of an entity class, made at its first use. */
export function planOf(entity: EntityClass<{ pk(): unknown }>): EntityPlan {
  let plan = plans.get(entity)
  if (plan === undefined) plans.set(entity, (plan = new EntityPlan(entity)))
  return plan
}

/** A primary key as text; `undefined` for anything that is not one (specification S1, S2). */
export function toPk(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' || value === 'undefined' ? undefined : value
  return typeof value === 'number' && !Number.isNaN(value) ? String(value) : undefined
}

/** Whether a schema, or the member of a list, is what a module gives before it was run. */
function isMissing(schema: unknown): boolean {
  return schema === undefined || schema === null || (Array.isArray(schema) && schema.some(isMissing))
}

function computedNames(prototype: object): string[] {
  const names: string[] = []
  for (let level = prototype; level !== Object.prototype; level = Object.getPrototypeOf(level) as object) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (property.get !== undefined && property.set === undefined) names.push(name)
    }
  }
  return names
}

/** Whether an entity's key is only the class's name, which a minifier may give to other classes as well. */
export function hasDerivedKey({ entity }: EntityPlan): boolean {
  let level: object | null = entity
  while (level !== null && !Object.hasOwn(level, 'key')) level = Object.getPrototypeOf(level) as object | null
  return level !== null && Object.getOwnPropertyDescriptor(level, 'key')?.get !== undefined
}

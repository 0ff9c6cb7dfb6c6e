import { contractOf } from '../schema/contract-of.js'
import type { StoreDenormalizeDelegate } from '../schema/delegates.js'
import type { Denormalize } from '../schema/denormalized.js'
import { planOf } from '../schema/entity-plan.js'
import type { EntityPlan } from '../schema/entity-plan.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { DenormalizeDelegate, EntityClass, Schema } from '../schema/schema.js'
import type { EntityTables, Fields } from '../schema/fields.js'
import { isSameItems } from '../util/plain.js'

/** Where records come from. */
export interface RecordSource {
  /** The instance that shows a record; it may still be empty. `undefined` when the record cannot be shown. */
  read(plan: EntityPlan, reference: unknown): unknown
  /** Fills the instances and lists that were handed out empty. */
  fillAll(delegate: DenormalizeDelegate): void
  /** The instances that show all records of a class; `undefined` while nothing was ever received of them. */
  all(plan: EntityPlan): unknown[] | undefined
  /** What a list of a Collection shows; `undefined` when it was never loaded. */
  collection(
    collection: CollectionSchema<unknown>,
    reference: unknown,
    delegate: DenormalizeDelegate,
  ): unknown
  /** Whether nothing of it is to be looked into. */
  readonly isBlind?: boolean
  /** A normalized value with primary keys in place of references. */
  keys(value: unknown): unknown
  /** A list, where the source keeps lists; otherwise `undefined`, and the members are read one by one. */
  list?(schema: Schema, references: readonly unknown[]): unknown[] | undefined
}

/** Puts values together by their schemas, with records from a source. */
export class Denormalization implements StoreDenormalizeDelegate {
  readonly args: readonly unknown[]
  /** Whether something was made of what is there, so that an `undefined` is a value. */
  isProcessed = false
  readonly #source: RecordSource

  constructor(source: RecordSource, args: readonly unknown[]) {
    this.#source = source
    this.args = args
  }

  resolve(schema: Schema, value: unknown): unknown {
    return contractOf(schema).denormalize(value, this)
  }

  complete(schema: Schema, value: unknown): unknown {
    const data = this.resolve(schema, value)
    this.#source.fillAll(this)
    return this.#source.isBlind === true ? undefined : data
  }

  noteProcessed(): void {
    this.isProcessed = true
  }

  members(schema: Schema, values: readonly unknown[]): unknown[] {
    return this.#source.list?.(schema, values) ?? this.#readMembers(schema, values)
  }

  /** Appends members one by one, without those that cannot be shown, to a list that may be shown already. */
  appendMembers(schema: Schema, values: readonly unknown[], members: unknown[]): void {
    const contract = contractOf(schema)
    for (const value of values) {
      const member = contract.denormalize(value, this)
      if (member !== undefined) members.push(member)
    }
  }

  /** In a copy of the values, because an array that grows takes three times the memory of a short one. */
  #readMembers(schema: Schema, values: readonly unknown[]): unknown[] {
    const contract = contractOf(schema)
    const members = values.slice()
    let length = 0
    for (const value of values) {
      const member = contract.denormalize(value, this)
      if (member !== undefined) members[length++] = member
    }
    if (length < members.length) members.length = length
    return members
  }

  all(entities: readonly EntityClass<{ pk(): unknown }>[]): unknown[] | undefined {
    const lists = entities.map((entity) => this.#source.all(planOf(entity)))
    if (lists.length === 1) return lists[0]
    this.#source.fillAll(this)
    const known = lists.filter((list) => list !== undefined)
    return known.length === 0 ? undefined : known.flat()
  }

  keys(value: unknown): unknown {
    return this.#source.keys(value)
  }

  collection(collection: CollectionSchema<unknown>, reference: unknown): unknown {
    return reference === null || reference === undefined
      ? reference
      : this.#source.collection(collection, reference, this)
  }

  record(plan: EntityPlan, reference: unknown): unknown {
    return reference === null || reference === undefined ? reference : this.#source.read(plan, reference)
  }
}

/**
 * Gives an instance the fields of a record, its nested records resolved.
 *
 * @param known - an earlier instance and the fields it showed: nested values that are equal are kept from it
 */
export function fillInstance(
  plan: EntityPlan,
  instance: Record<string, unknown>,
  fields: Fields,
  delegate: DenormalizeDelegate,
  known?: { readonly instance: Fields; readonly fields: Fields },
): void {
  plan.assign(instance, fields)
  for (const field of plan.fields) {
    const { name } = field
    const input = fields[name]
    if (input === null || input === undefined) continue
    const contract = (field.contract ??= contractOf(field.schema))
    if (known !== undefined && contract.isPure === true && known.fields[name] === input) {
      instance[name] = known.instance[name]
      continue
    }
    const value = contract.denormalize(input, delegate)
    // A list of a Collection is a view of its own, which may still be empty here.
    instance[name] =
      known === undefined || contract.isOwnView === true ? value : keepEqual(known.instance[name], value)
  }
}

/** The earlier list or object when the later one holds the selfsame things. */
function keepEqual(earlier: unknown, later: unknown): unknown {
  if (typeof earlier !== 'object' || earlier === null || typeof later !== 'object' || later === null)
    return later
  if (Array.isArray(earlier) && Array.isArray(later)) {
    return isSameItems(earlier, later) ? earlier : later
  }
  return later
}

/**
 * Puts a result back together from plain tables, without a Controller: the reverse of `normalize`. One record
 * is one object, also through cycles, within one call.
 *
 * @param schema - the schema that took the response apart
 * @param result - what `normalize` returned as `result`
 * @param entities - what `normalize` returned as `entities`
 * @param args - the arguments of the call, for schemas that use them
 * @returns the data; `undefined` when its own record is missing or not valid for its class
 * @see specification 2.1
 * @example
 * denormalize([Article], ['5'], { Article: { '5': { id: 5, title: 'Hi' } } })
 */
export function denormalize<const S extends Schema>(
  schema: S,
  result: unknown,
  entities: EntityTables,
  args: readonly unknown[] = [],
): Denormalize<S> | undefined {
  const source = new TableSource(entities)
  const delegate = new Denormalization(source, args)
  const data = contractOf(schema).denormalize(result, delegate)
  source.fillAll(delegate)
  // The schema's own `denormalize` built it.
  return data as Denormalize<S> | undefined
}

/** Reads from plain tables. Instances are handed out before they are filled, so that cycles close. */
class TableSource implements RecordSource {
  readonly #tables: EntityTables
  readonly #instances = new Map<EntityPlan, Map<string, Record<string, unknown> | undefined>>()
  readonly #unfilled: { plan: EntityPlan; instance: Record<string, unknown>; fields: Fields }[] = []

  constructor(tables: EntityTables) {
    this.#tables = tables
  }

  read(plan: EntityPlan, reference: unknown): unknown {
    // Anything else was never taken apart, and is shown as it is.
    if (typeof reference !== 'string') return reference
    let instances = this.#instances.get(plan)
    if (instances === undefined) this.#instances.set(plan, (instances = new Map()))
    if (instances.has(reference)) return instances.get(reference)
    const instance = this.#begin(plan, reference)
    instances.set(reference, instance)
    return instance
  }

  all(plan: EntityPlan): unknown[] {
    const table = Object.hasOwn(this.#tables, plan.key) ? this.#tables[plan.key] : undefined
    return Object.keys(table ?? {}).flatMap((pk) => this.read(plan, pk) ?? [])
  }

  /** Without a store a list is no more than its members. */
  collection(
    collection: CollectionSchema<unknown>,
    reference: unknown,
    delegate: DenormalizeDelegate,
  ): unknown {
    return collection.content.denormalize(reference, delegate)
  }

  keys(value: unknown): unknown {
    return value
  }

  fillAll(delegate: DenormalizeDelegate): void {
    for (let next = this.#unfilled.pop(); next !== undefined; next = this.#unfilled.pop()) {
      fillInstance(next.plan, next.instance, next.fields, delegate)
    }
  }

  #begin(plan: EntityPlan, pk: string): Record<string, unknown> | undefined {
    const table = Object.hasOwn(this.#tables, plan.key) ? this.#tables[plan.key] : undefined
    const fields = table !== undefined && Object.hasOwn(table, pk) ? table[pk] : undefined
    if (fields === undefined || (plan.hasValidate && plan.rejects(fields) !== undefined)) return undefined
    const instance = plan.create()
    this.#unfilled.push({ plan, instance, fields })
    return instance
  }
}

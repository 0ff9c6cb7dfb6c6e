import { contractOf } from '../schema/contract-of.js'
import type { StoreDenormalizeDelegate } from '../schema/delegates.js'
import type { Denormalize } from '../schema/denormalized.js'
import { EntityPlan, planOf } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { EntityClass, Schema } from '../schema/schema.js'
import type { EntityTables, Fields } from '../schema/fields.js'
import { isSameItems } from '../util/plain.js'

/** Puts values together by their schemas: one for each reading. What records and lists are is said by what it reads from. */
export abstract class Denormalization implements StoreDenormalizeDelegate {
  readonly args: readonly unknown[]
  /** Whether something was made of what is there, so that an `undefined` is a value. */
  isProcessed = false

  constructor(args: readonly unknown[]) {
    this.args = args
  }

  /** The instance that shows a record; it may still be empty. `undefined` when the record cannot be shown. */
  abstract record(plan: EntityPlan, reference: unknown): unknown
  /** What a list of a Collection shows; `undefined` when it was never loaded. */
  abstract collection(collection: CollectionSchema<unknown>, reference: unknown): unknown
  /** A normalized value with primary keys in place of references. */
  abstract keys(value: unknown): unknown
  /** The instances that show all records of a class; `undefined` while nothing was ever received of them. */
  protected abstract allOf(plan: EntityPlan): unknown[] | undefined
  /** Fills the instances and lists that were handed out empty. */
  abstract fillAll(): void

  resolve(schema: Schema, value: unknown): unknown {
    return contractOf(schema).denormalize(value, this)
  }

  complete(schema: Schema, value: unknown): unknown {
    const data = this.resolve(schema, value)
    this.fillAll()
    return data
  }

  noteProcessed(): void {
    this.isProcessed = true
  }

  /** In a copy of the values, because an array that grows takes three times the memory of a short one. */
  members(schema: Schema, values: readonly unknown[]): unknown[] {
    const contract = contractOf(schema)
    const plan = contract instanceof EntityPlan ? contract : undefined
    const members = values.slice()
    let length = 0
    for (let index = 0; index < values.length; index++) {
      const value = values[index]
      const member = plan === undefined ? contract.denormalize(value, this) : this.record(plan, value)
      if (member !== undefined) members[length++] = member
    }
    if (length < members.length) members.length = length
    return members
  }

  /** Appends members one by one, without those that cannot be shown, to a list that may be shown already. */
  appendMembers(schema: Schema, values: readonly unknown[], members: unknown[]): void {
    const contract = contractOf(schema)
    const plan = contract instanceof EntityPlan ? contract : undefined
    for (let index = 0; index < values.length; index++) {
      const value = values[index]
      const member = plan === undefined ? contract.denormalize(value, this) : this.record(plan, value)
      if (member !== undefined) members.push(member)
    }
  }

  all(entities: readonly EntityClass<{ pk(): unknown }>[]): unknown[] | undefined {
    const lists = entities.map((entity) => this.allOf(planOf(entity)))
    if (lists.length === 1) return lists[0]
    this.fillAll()
    const known = lists.filter((list) => list !== undefined)
    return known.length === 0 ? undefined : known.flat()
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
  delegate: Denormalization,
  known?: { readonly instance: Fields; readonly fields: Fields },
): void {
  plan.assign(instance, fields)
  const nested = plan.fields
  // By index: before it is compiled, `for...of` makes an object for each.
  for (let index = 0; index < nested.length; index++) {
    const field = nested[index] as FieldPlan
    const { name } = field
    const input = fields[name]
    if (input === null || input === undefined) continue
    const contract = (field.contract ??= contractOf(field.schema))
    if (known !== undefined && contract.isPure === true && known.fields[name] === input) {
      instance[name] = known.instance[name]
      continue
    }
    const value =
      contract instanceof EntityPlan
        ? delegate.record(contract, input)
        : contract.denormalize(input, delegate)
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
  const delegate = new TableDenormalization(entities, args)
  // The schema's own `denormalize` built it.
  return delegate.complete(schema, result) as Denormalize<S> | undefined
}

/** Reads from plain tables. Instances are handed out before they are filled, so that cycles close. */
class TableDenormalization extends Denormalization {
  readonly #tables: EntityTables
  readonly #instances = new Map<EntityPlan, Map<string, Record<string, unknown> | undefined>>()
  readonly #unfilled: { plan: EntityPlan; instance: Record<string, unknown>; fields: Fields }[] = []

  constructor(tables: EntityTables, args: readonly unknown[]) {
    super(args)
    this.#tables = tables
  }

  record(plan: EntityPlan, reference: unknown): unknown {
    // Anything else was never taken apart, and is shown as it is.
    if (typeof reference !== 'string') return reference
    let instances = this.#instances.get(plan)
    if (instances === undefined) this.#instances.set(plan, (instances = new Map()))
    if (instances.has(reference)) return instances.get(reference)
    const instance = this.#begin(plan, reference)
    instances.set(reference, instance)
    return instance
  }

  /** Without a store a list is no more than its members. */
  collection(collection: CollectionSchema<unknown>, reference: unknown): unknown {
    return collection.content.denormalize(reference, this)
  }

  keys(value: unknown): unknown {
    return value
  }

  allOf(plan: EntityPlan): unknown[] {
    const table = Object.hasOwn(this.#tables, plan.key) ? this.#tables[plan.key] : undefined
    return Object.keys(table ?? {}).flatMap((pk) => this.record(plan, pk) ?? [])
  }

  fillAll(): void {
    for (let next = this.#unfilled.pop(); next !== undefined; next = this.#unfilled.pop()) {
      fillInstance(next.plan, next.instance, next.fields, this)
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

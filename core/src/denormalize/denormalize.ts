import { contractOf } from '../schema/contract-of.js'
import type { StoreDenormalizeDelegate } from '../schema/delegates.js'
import type { Denormalize } from '../schema/denormalized.js'
import { Entity, textOfKey } from '../schema/entity.js'
import { EntityPlan, planOf } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { EntityClass, Schema } from '../schema/schema.js'
import type { EntityTables, Fields } from '../schema/fields.js'
import { isSameList } from '../util/plain.js'
import { getOrMake } from '../util/get-or-make.js'

/** Denormalizes values by their schemas; one instance per read. Subclasses resolve records and lists. */
export abstract class Denormalization implements StoreDenormalizeDelegate {
  declare readonly args: readonly unknown[]
  /** True if a schema computed the value from stored data, so that `undefined` is a value and not missing data. */
  isProcessed = false

  constructor(args: readonly unknown[]) {
    this.args = args
  }

  /** Returns the instance of a record, which may still be empty; `undefined` if the record cannot be shown. */
  abstract record(plan: EntityPlan, reference: unknown): unknown
  /** Returns the data of a Collection's list; `undefined` if it was never loaded. */
  abstract collection(collection: CollectionSchema<unknown>, reference: unknown): unknown
  /** Returns a normalized value with primary keys in place of references. */
  abstract keys(value: unknown): unknown
  /** Returns the instances of all records of a class; `undefined` if none were ever received. */
  protected abstract allOf(plan: EntityPlan): unknown[] | undefined
  /** Fills the instances and lists that were returned empty. */
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

  /**
   * Adds the members that can be shown to a list. Writes into the given array, because other values may already refer
   * to it.
   *
   * @param members - the list. By default a copy, which has the final length: a short array that grows takes three times
   *   the memory
   * @param length - how many members of the list stay
   * @returns the list
   */
  members(
    schema: Schema,
    values: readonly unknown[],
    members: unknown[] = values.slice(),
    length = 0,
  ): unknown[] {
    const contract = contractOf(schema)
    const plan = contract instanceof EntityPlan ? contract : undefined
    for (let index = 0; index < values.length; index++) {
      const value = values[index]
      const member = plan === undefined ? contract.denormalize(value, this) : this.record(plan, value)
      if (member !== undefined) members[length++] = member
    }
    if (length < members.length) members.length = length
    return members
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
 * Assigns the fields of a record to an instance and resolves its nested records.
 *
 * @param nested - the fields with a schema: those of the plan
 * @param known - an earlier instance and the fields that it showed: equal nested values are taken from it
 */
export function fillInstance(
  plan: EntityPlan,
  instance: Record<string, unknown>,
  fields: Fields,
  delegate: Denormalization,
  nested = plan.fields,
  known?: { readonly instance: Fields; readonly fields: Fields },
): void {
  plan.assign(instance, fields)
  // By index: before it is compiled, `for...of` creates an object for each item.
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
    // A list of a Collection is a separate view, which may still be empty here.
    instance[name] =
      known !== undefined && contract.isOwnView !== true && isSameList(known.instance[name], value)
        ? known.instance[name]
        : value
  }
}

/**
 * Denormalizes a result from plain tables, without a Controller: the reverse of `normalize`. Within one call each
 * record is one object, even in cycles.
 *
 * @param schema - the schema that normalized the response
 * @param result - the `result` that `normalize` returned
 * @param entities - the `entities` that `normalize` returned
 * @param args - the arguments of the call, for schemas that use them
 * @returns the data; `undefined` if its own record is missing or not valid for its class
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

/**
 * The instances of one reading that has no views: of plain tables, or of the state below an optimistic layer. They are returned before
 * they are filled, so that cycles close.
 */
export class Instances<Key> {
  readonly #delegate: Denormalization
  readonly #fieldsOf: (plan: EntityPlan, key: Key) => Fields | undefined
  readonly #made = new Map<EntityPlan, Map<Key, Record<string, unknown> | undefined>>()
  readonly #unfilled: { plan: EntityPlan; key: Key; instance: Record<string, unknown>; fields: Fields }[] = []

  /**
   * @param delegate - resolves the nested records
   * @param fieldsOf - returns the fields of a record; `undefined` if there is none
   */
  constructor(delegate: Denormalization, fieldsOf: (plan: EntityPlan, key: Key) => Fields | undefined) {
    this.#delegate = delegate
    this.#fieldsOf = fieldsOf
  }

  /** Returns the instance of a record; `undefined` if there is none, or its class refuses it. */
  of(plan: EntityPlan, key: Key): Record<string, unknown> | undefined {
    const instances = getOrMake(this.#made, plan, () => new Map())
    if (instances.has(key)) return instances.get(key)
    const fields = this.#fieldsOf(plan, key)
    const isShown = fields !== undefined && !this.#isRefused(plan, fields)
    const instance = isShown ? plan.create() : undefined
    instances.set(key, instance)
    if (fields !== undefined && instance !== undefined) this.#unfilled.push({ plan, key, instance, fields })
    return instance
  }

  #isRefused(plan: EntityPlan, fields: Fields): boolean {
    if (plan.entity.validate === Entity.validate) return false
    return plan.rejects(this.#delegate.keys(fields) as Fields) !== undefined
  }

  /** Fills the instances. @param onFilled - called for each */
  fillAll(onFilled?: (plan: EntityPlan, key: Key, instance: Record<string, unknown>) => void): void {
    for (let next = this.#unfilled.pop(); next !== undefined; next = this.#unfilled.pop()) {
      const { plan, key, instance, fields } = next
      fillInstance(plan, instance, fields, this.#delegate)
      onFilled?.(plan, key, instance)
    }
  }

  /** The instance of a record, if there is one already. */
  made(plan: EntityPlan, key: Key): object | undefined {
    return this.#made.get(plan)?.get(key)
  }
}

/** Reads from plain tables. */
class TableDenormalization extends Denormalization {
  readonly #tables: EntityTables
  readonly #instances = new Instances<string>(this, ({ key }, pk) => {
    const table = Object.hasOwn(this.#tables, key) ? this.#tables[key] : undefined
    return table !== undefined && Object.hasOwn(table, pk) ? table[pk] : undefined
  })

  constructor(tables: EntityTables, args: readonly unknown[]) {
    super(args)
    this.#tables = tables
  }

  record(plan: EntityPlan, reference: unknown): unknown {
    const pk = textOfKey(reference)
    // A value that is no primary key was never normalized and is shown unchanged.
    return typeof pk === 'string' ? this.#instances.of(plan, pk) : reference
  }

  /** Without a store a list is only its members. */
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
    this.#instances.fillAll()
  }
}

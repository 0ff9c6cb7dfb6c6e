import { Denormalization } from '../denormalize/denormalize.js'
import { contractOf } from '../schema/contract-of.js'
import type { CollectionSchema } from '../schema/collection.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import { isPair } from '../schema/members-schema.js'
import type { Schema } from '../schema/schema.js'
import { ListNode } from '../store/list-node.js'
import { toKeys } from '../normalize/reference.js'
import { RecordNode, rejection } from '../store/records.js'

/**
 * Returns a member of a list as an instance of its class, in the middle of a transaction. Does not touch views, which keep the
 * values that readers see. Nested records are made when they are read.
 *
 * @param fields - the fields of the record, as they are or as they were
 */
export function instanceOf(schema: Schema, member: unknown, fields: Fields): unknown {
  const records = new LazyRecords([])
  const contract = contractOf(schema)
  const chosen = isPair(member) ? contract.schemaOf?.(member[0]) : schema
  const plan = chosen === undefined ? contract : contractOf(chosen)
  return plan instanceof EntityPlan ? records.fill(plan, fields) : contract.denormalize(member, records)
}

class LazyRecords extends Denormalization {
  readonly #instances = new Map<EntityPlan, Map<RecordNode, unknown>>()

  /** Returns an instance whose nested values are computed when they are read. */
  fill(plan: EntityPlan, fields: Fields, instance = plan.create()): Record<string, unknown> {
    plan.assign(instance, fields)
    for (const { name, schema } of plan.fields) {
      const value = fields[name]
      if (value === null || value === undefined) continue
      Object.defineProperty(instance, name, {
        configurable: true,
        enumerable: true,
        get: () => contractOf(schema).denormalize(value, this),
      })
    }
    return instance
  }

  record(plan: EntityPlan, reference: unknown): unknown {
    if (!(reference instanceof RecordNode)) return reference
    let instances = this.#instances.get(plan)
    if (instances === undefined) this.#instances.set(plan, (instances = new Map()))
    if (instances.has(reference)) return instances.get(reference)
    const { fields } = reference
    const isShown = fields !== undefined && rejection(plan, fields) === undefined
    const instance = isShown ? this.fill(plan, fields) : undefined
    instances.set(reference, instance)
    return instance
  }

  collection(collection: CollectionSchema<unknown>, reference: unknown): unknown {
    return reference instanceof ListNode ? collection.content.denormalize(reference.members, this) : undefined
  }

  keys(value: unknown): unknown {
    return toKeys(value)
  }

  protected allOf(): undefined {
    return undefined
  }

  /** Instances are complete when they are read. */
  fillAll(): void {}
}

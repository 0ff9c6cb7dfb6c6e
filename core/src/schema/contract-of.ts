import { development } from '#development'
import * as errors from '../errors.js'
import { kindOf } from '../errors.js'
import { EntityPlan, planOf } from './entity-plan.js'
import { ListSchema, MembersSchema } from './members-schema.js'
import { ObjectSchema } from './object.js'
import { isContract, isEntityClass } from './schema.js'
import type { ObjectShorthand, Schema, SchemaContract, Serializer } from './schema.js'
import { SerializerSchema } from './serializer.js'
import { getOrMake } from '../util/get-or-make.js'

const contracts = new WeakMap<object, SchemaContract>()

/**
 * Returns the contract of any schema: the schema itself, or the contract of its short form. The same short form always has
 * the same contract, and so have two `[member]` with the same member. Contracts can be compared by identity.
 *
 * @throws {SelfsameError} in development `definition-invalid` for a value that is not a schema
 */
export function contractOf(schema: Schema): SchemaContract {
  // Called for every list, so the most common schemas come first.
  if (schema instanceof EntityPlan || isContract(schema)) return schema
  return contracts.get(schema) ?? makeContract(schema)
}

function makeContract(schema: Schema): SchemaContract {
  const contract = isEntityClass(schema)
    ? planOf(schema)
    : Array.isArray(schema)
      ? listOf(schema)
      : buildContract(schema)
  contracts.set(schema, contract)
  return contract
}

/** How many envelopes are opened, one in the other: an object schema may hold itself. */
const deepestEnvelope = 3

/** The schemas of what a response holds: those in an envelope, else its own. */
export function schemasIn(schema: SchemaContract, depth = deepestEnvelope): readonly SchemaContract[] {
  if (!(schema instanceof ObjectSchema)) return [schema]
  if (depth === 0) return []
  return schema.nested.flatMap(([, each]) => schemasIn(contractOf(each), depth - 1))
}

/**
 * The classes that the record of a call may have: that of its schema, of a change of lists or of a delete, each one of a Union, or
 * those of the records in an envelope. None if the schema has lists only.
 *
 * @param response - chooses the class of a Union @default any
 */
export function plansOf(schema: SchemaContract, response?: object): readonly EntityPlan[] {
  // Most mutations.
  if (schema instanceof EntityPlan) return [schema]
  return schemasIn(schema).flatMap((part) => {
    const named = part.recordSchema ?? (part as { readonly entity?: Schema }).entity
    const one = named === undefined ? part : contractOf(named)
    if (one instanceof EntityPlan) return [one]
    const schemas = response === undefined ? one.schemas : [one.schemaFor?.(response)]
    return one.isPolymorphic === true ? (schemas ?? []).filter(isEntityClass).map(planOf) : []
  })
}

/**
 * The classes of which a mutation changes many records: those of the lists that it returns, and of the records that it moves between
 * lists, unless its arguments name one.
 */
export function manyPlansOf(schema: SchemaContract, args: readonly unknown[]): readonly EntityPlan[] {
  return schemasIn(schema).flatMap((part) => {
    const { kind } = part as { readonly kind?: unknown }
    const { content = part } = (part.changedLists ?? part) as { readonly content?: SchemaContract }
    if (!(content instanceof MembersSchema)) return []
    const plans = plansOf(contractOf(content.member))
    if (part.changedLists === undefined || Array.isArray(args.at(-1))) return plans
    const isOne = kind !== 'move' && kind !== 'remove'
    return isOne || plans.some((plan) => plan.pkOfArgs(args) !== undefined) ? [] : plans
  })
}

/** A record that the arguments of a call name. */
interface NamedRecord {
  readonly plan: EntityPlan
  readonly pk: string
  /** What is sent of it; the primary key alone, if that is all. */
  readonly body: unknown
}

const elements = new WeakMap<readonly unknown[], Map<EntityPlan, ReadonlyMap<string, unknown>>>()

/**
 * The elements of an array that is the last argument of a call, by the primary keys that they are or contain. Kept for the arguments:
 * the caller may change the array, and send it again.
 */
export function elementsOf(args: readonly unknown[], plan: EntityPlan): ReadonlyMap<string, unknown> {
  const byPlan = getOrMake(elements, args, () => new Map<EntityPlan, ReadonlyMap<string, unknown>>())
  return getOrMake(byPlan, plan, () => {
    const sent = args.at(-1) as readonly unknown[]
    const named = sent.map((each) => [plan.pkOfArgs([each]), each] as const)
    return new Map(named.filter((each): each is readonly [string, unknown] => each[0] !== undefined))
  })
}

/** The records that the arguments of a call name: that of its schema, or of a schema with lists each of an array that is sent. */
export function namedRecords(schema: SchemaContract, args: readonly unknown[]): readonly NamedRecord[] {
  const body = args.at(-1)
  const one = plansOf(schema).flatMap((plan) => {
    const pk = plan.pkOfArgs(args)
    return pk === undefined ? [] : [{ plan, pk, body }]
  })
  if (!Array.isArray(body)) return one
  const many = manyPlansOf(schema, args).flatMap((plan) =>
    [...elementsOf(args, plan)].map(([pk, each]) => ({ plan, pk, body: each })),
  )
  return [...one, ...many]
}

/** Returns the contract that normalizes a response: that of the schema inside a Query, else the schema itself. */
export function innerOf(schema: SchemaContract): SchemaContract {
  return schema.inner === undefined ? schema : innerOf(contractOf(schema.inner))
}

const listContracts = new WeakMap<SchemaContract, SchemaContract>()

function listOf(shorthand: readonly Schema[]): SchemaContract {
  const [member] = shorthand
  if (development && shorthand.length !== 1) {
    throw errors.definitionInvalid('A list schema', [
      `has ${shorthand.length} members.`,
      'Write one schema between the brackets, for example [Article].',
    ])
  }
  if (member === undefined) throw errors.schemaUndefined('The member of a list schema')
  if (development && !['object', 'function'].includes(typeof member)) {
    throw errors.definitionInvalid('A list schema', [
      `has ${kindOf(member)} as its member.`,
      'Write a schema between the brackets, for example [Article]. A list of plain values needs none: write [] as its default.',
    ])
  }
  const contract = contractOf(member)
  return getOrMake(listContracts, contract, () => new ListSchema(member))
}

function buildContract(schema: Schema): SchemaContract {
  if (typeof schema === 'function') return new SerializerSchema(schema as Serializer)
  if (development && (typeof schema !== 'object' || schema === null)) {
    throw errors.definitionInvalid(kindOf(schema), [
      'is not a schema.',
      'Use an Entity class, [schema], { name: schema }, or a class of the `schema` namespace.',
    ])
  }
  return new ObjectSchema(schema as ObjectShorthand)
}

import { development } from '#development'
import * as errors from '../errors.js'
import { kindOf } from '../errors.js'
import { EntityPlan, planOf } from './entity-plan.js'
import { ListSchema } from './members-schema.js'
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
  return schemasIn(schema).flatMap((part) => {
    const named = part.recordSchema ?? (part as { readonly entity?: Schema }).entity
    const one = named === undefined ? part : contractOf(named)
    if (one instanceof EntityPlan) return [one]
    const schemas = response === undefined ? one.schemas : [one.schemaFor?.(response)]
    return one.isPolymorphic === true ? (schemas ?? []).filter(isEntityClass).map(planOf) : []
  })
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

import { isPlainObject, setOwn } from '../util/plain.js'
import type { FieldsOf } from '../schema/entity.js'
import { isContract, isEntityClass } from '../schema/schema.js'
import type { EntityClass, NormalizeDelegate, Serializer } from '../schema/schema.js'
import { SerializerSchema } from '../schema/serializer.js'
import { reasonOf } from '../schema/validator.js'
import type { StandardIssue, StandardVerdict, Validator } from '../schema/validator.js'
import { pathOf } from './standard-schema.js'
import type { InputOf, OutputOf, StandardResult, StandardSchema } from './standard-schema.js'
import { whole } from './types.js'
import type { Whole } from './types.js'

type AnyEntity = EntityClass<{ pk(): unknown }>

/** What a form returns for an entity: its fields, a text or number instead of a date, a primary key instead of a record. */
export type EntityInput<E> = E extends { readonly [whole]: Whole<infer S> }
  ? InputOf<S>
  : E extends EntityClass<infer Instance>
    ? GivenFields<Instance>
    : never

/** What the schema of an entity makes of that. */
export type EntityOutput<E> = E extends { readonly [whole]: Whole<infer S> }
  ? OutputOf<S>
  : E extends EntityClass<infer Instance>
    ? MadeEntity<Instance>
    : never

type GivenFields<Instance> = {
  [Name in WritableKeys<FieldsOf<Instance>>]: GivenValue<Instance[Name & keyof Instance]>
}
type MadeEntity<Instance> = {
  [Name in WritableKeys<FieldsOf<Instance>>]: MadeValue<Instance[Name & keyof Instance]>
}

type GivenValue<Value> = Value extends Date
  ? Date | string | number
  : Value extends { pk(): unknown }
    ? GivenFields<Value> | string | number
    : Value extends readonly (infer Item)[]
      ? GivenValue<Item>[]
      : Value
type MadeValue<Value> = Value extends { pk(): unknown }
  ? MadeEntity<Value> | string | number
  : Value extends readonly (infer Item)[]
    ? MadeValue<Item>[]
    : Value

/** Names of members that are not readonly: a getter of a class is no field of a form. */
type WritableKeys<Fields> = {
  [Name in keyof Fields]-?: IsSame<
    { [Key in Name]: Fields[Key] },
    { -readonly [Key in Name]: Fields[Key] }
  > extends true
    ? Name
    : never
}[keyof Fields]
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/**
 * Returns a Standard Schema that checks what an Entity class declares, so that a form validates with the same class: its
 * `static schema` and `validate`, and those of nested records. For a class of `entityFrom` it is the whole schema from which the class was
 * created. Lists and objects are checked in their short forms; other schemas, such as a Collection, take any value.
 *
 * @returns a schema that returns a copy with converted fields: a `Date` of text. It is synchronous if `validate` is
 * @see specification 2.3, Standard Schema
 * @example
 * const form = useForm({ validators: { onChange: standardSchemaOf(Article) } })
 */
export function standardSchemaOf<E extends AnyEntity>(
  entity: E,
): StandardSchema<EntityInput<E>, EntityOutput<E>> {
  const made = (entity as { readonly [whole]?: Whole })[whole]
  const validate = made
    ? (value: unknown) => checkWhole(entity, made, value)
    : (value: unknown) => check(entity, value)
  return {
    '~standard': {
      version: 1,
      vendor: 'selfsame',
      // The compiler cannot follow the fields of the class into the value.
      validate: validate as StandardSchema<EntityInput<E>, EntityOutput<E>>['~standard']['validate'],
    },
  }
}

function check(entity: AnyEntity, value: unknown): StandardResult<unknown> {
  const issues: StandardIssue[] = []
  const made = readRecord(entity, value, [], issues)
  return issues.length > 0 ? { issues } : { value: made }
}

/** The schema of the class, and then a `validate` that a subclass has written itself. */
function checkWhole(
  entity: AnyEntity,
  { schema, validate }: Whole,
  value: unknown,
): StandardResult<unknown> | Promise<StandardResult<unknown>> {
  const own = entity.validate === validate ? undefined : entity.validate
  const checkOwn = (result: StandardResult<unknown>): StandardResult<unknown> => {
    if (result.issues !== undefined || own === undefined) return result
    const issues = issuesOf(own, entity, value, [])
    return issues.length > 0 ? { issues } : result
  }
  const result = schema['~standard'].validate(value)
  return result instanceof Promise ? result.then(checkOwn) : checkOwn(result)
}

/** Converts the fields of a record, and adds what is wrong with it. */
function readRecord(
  entity: AnyEntity,
  value: unknown,
  path: PropertyKey[],
  issues: StandardIssue[],
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    issues.push({ message: `Expected the fields of ${entity.key}`, path })
    return value
  }
  const before = issues.length
  const made: Record<string, unknown> = { ...value }
  const stored: Record<string, unknown> = { ...value }
  for (const [name, schema] of Object.entries(entity.schema ?? {})) {
    const given = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    if (given === undefined || given === null) continue
    setOwn(made, name, readValue(schema, given, [...path, name], issues))
    setOwn(stored, name, withKeys(schema, given))
  }
  // A reason without a place is of no use beside one that has it.
  if (entity.validate !== undefined && issues.length === before)
    issues.push(...issuesOf(entity.validate, entity, stored, path))
  return made
}

function readValue(schema: unknown, value: unknown, path: PropertyKey[], issues: StandardIssue[]): unknown {
  if (value === undefined || value === null) return value
  if (isEntityClass(schema)) {
    const isKey = typeof value === 'string' || typeof value === 'number'
    return isKey ? value : readRecord(schema, value, path, issues)
  }
  if (Array.isArray(schema)) {
    if (Array.isArray(value))
      return value.map((item, index) => readValue(schema[0], item, [...path, index], issues))
    issues.push({ message: 'Expected a list', path })
    return value
  }
  if (isContract(schema)) return value
  if (typeof schema === 'function') return convert(schema as Serializer, value, path, issues)
  if (typeof schema !== 'object' || schema === null) return value
  if (!isPlainObject(value)) {
    issues.push({ message: 'Expected an object', path })
    return value
  }
  const made = { ...value }
  for (const [name, field] of Object.entries(schema))
    if (Object.hasOwn(value, name)) setOwn(made, name, readValue(field, value[name], [...path, name], issues))
  return made
}

/** What a serializer needs to say why it refuses a value. */
const refusing = {
  isOwned: true,
  unusable: (_field: unknown, why: string, cause?: unknown) =>
    new Error(cause instanceof Error ? cause.message : why === '' ? 'it is not usable' : why),
} as unknown as NormalizeDelegate

/** Converts a field as a read does. */
function convert(
  serializer: Serializer,
  value: unknown,
  path: PropertyKey[],
  issues: StandardIssue[],
): unknown {
  const schema = new SerializerSchema(serializer)
  try {
    schema.normalize(value, undefined, undefined, refusing)
    return schema.denormalize(value, {} as never)
  } catch (error) {
    issues.push({ message: error instanceof Error ? error.message : String(error), path })
    return value
  }
}

/** A value as the cache stores it: primary keys in the place of records. */
function withKeys(schema: unknown, value: unknown): unknown {
  if (Array.isArray(schema) && Array.isArray(value)) return value.map((item) => withKeys(schema[0], item))
  if (!isEntityClass(schema) || typeof value !== 'object' || value === null) return value
  // A record that is not created yet has no key.
  return schema.prototype.pk.call(value) ?? value
}

/** What `validate` of a class says against a record. */
function issuesOf(
  validate: Validator,
  entity: AnyEntity,
  value: unknown,
  path: PropertyKey[],
): StandardIssue[] {
  if ('~standard' in validate) {
    const verdict: StandardVerdict | Promise<StandardVerdict> = validate['~standard'].validate(value)
    if (!(verdict instanceof Promise))
      return (verdict.issues ?? []).map((issue) => ({
        message: issue.message,
        path: [...path, ...pathOf(issue)],
      }))
  }
  const reason = reasonOf(validate, value, entity, `Entity "${entity.key}"`)
  return reason === undefined ? [] : [{ message: reason, path }]
}

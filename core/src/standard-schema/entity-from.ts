import { development } from '#development'
import * as errors from '../errors.js'
import { Entity } from '../schema/entity.js'
import { EntityMixin } from '../schema/entity-mixin.js'
import { isContract, isEntityClass } from '../schema/schema.js'
import type { EntityClass, EntityFields, Literal, ObjectShorthand, Schema } from '../schema/schema.js'
import type { StandardValidator } from '../schema/validator.js'
import { ValuesSchema } from '../schema/values.js'
import type { FieldShape, SchemaAdapter, Shape } from './adapter.js'
import { pathOf, placeOfIssue } from './standard-schema.js'
import type { StandardSchema } from './standard-schema.js'
import { whole } from './types.js'
import type { Entities, EntityFrom, EntityFromOptions, MakeEntity, Placed, Whole } from './types.js'

/** Makes the function `entityFrom` of a library. */
export function makeEntityFrom(adapter: SchemaAdapter): MakeEntity {
  return function entityFrom<S extends StandardSchema, const E extends Entities = Record<never, never>>(
    schema: S,
    { key, pk, entities }: EntityFromOptions<S, E>,
  ): EntityFrom<S, E> {
    const shape = new Walk(adapter, key, entities ?? {}).root(schema)
    const validate = validatorOf(schema, shape.schema)
    const made = EntityMixin(class extends Entity {}, {
      key,
      schema: shape.schema,
      ...(pk !== undefined && { pk: pk as never }),
    })
    const statics = {
      name: key,
      defaults: shape.defaults,
      validate,
      [whole]: { schema, validate } satisfies Whole,
    }
    for (const name of Reflect.ownKeys(statics)) {
      const value: unknown = statics[name as keyof typeof statics]
      Object.defineProperty(made, name, { value, writable: true, configurable: true })
    }
    // The compiler cannot follow the fields from the schema into the class.
    return made as unknown as EntityFrom<S, E>
  }
}

interface EntityShape {
  readonly schema: EntityFields
  readonly defaults: Readonly<Record<string, unknown>>
}

/** Goes through a schema along the paths of its records, and makes the `static schema` of the class. */
class Walk {
  readonly #adapter: SchemaAdapter
  readonly #key: string
  readonly #entities: ReadonlyMap<string, Placed>

  constructor(adapter: SchemaAdapter, key: string, entities: Entities) {
    this.#adapter = adapter
    this.#key = key
    this.#entities = new Map(Object.entries(entities))
    for (const [path, placed] of this.#entities) {
      if (!isEntityClass(placed) && !isContract(placed))
        throw this.#error(`has ${errors.kindOf(placed)} as its entity "${path}".`, [
          'Pass an Entity class. Classes of modules that import each other may be undefined: assign static schema after both are defined.',
        ])
    }
  }

  /** @throws {SelfsameError} `definition-invalid` for anything but an object of the library, and for a path that is not in it */
  root(schema: StandardSchema): EntityShape {
    const { vendor } = this.#adapter
    const found = (schema as Partial<StandardSchema> | undefined)?.['~standard']?.vendor
    if (found !== vendor)
      throw this.#error(found === undefined ? 'received no schema.' : `received a schema of ${found}.`, [
        `Pass an object of ${vendor}, or import entityFrom from the entry of the other library.`,
      ])
    const shape = this.#shapeOf(schema)
    if (shape.kind !== 'object')
      throw this.#error('received a schema that is not an object.', [
        'Pass the object itself. What changes the whole record belongs into static process of a class that extends it.',
      ])
    const defaults = Object.entries(shape.fields)
      .map(([name, { getDefault }]) => [name, getDefault?.()] as const)
      .filter(([, value]) => value !== undefined)
    return { schema: this.#fields(shape.fields, '') as EntityFields, defaults: Object.fromEntries(defaults) }
  }

  /** The schemas of the fields of an object, at a path that ends with a dot. */
  #fields(fields: Readonly<Record<string, FieldShape>>, prefix: string): ObjectShorthand {
    this.#checkNames(Object.keys(fields), prefix)
    const made: Record<string, Schema | Literal> = {}
    for (const [name, { schema, getDefault }] of Object.entries(fields)) {
      const nested = this.#schemaAt(schema, prefix + name)
      if (nested !== undefined) made[name] = nested
      // In an object in a record, a literal is the default.
      else if (prefix !== '' && getDefault) made[name] = literalOf(getDefault())
    }
    return Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined))
  }

  #schemaAt(schema: StandardSchema, path: string): Schema | undefined {
    const entity = this.#entities.get(path)
    if (entity !== undefined) return isEntityClass(entity) ? this.#placed(schema, entity) : entity
    if (![...this.#entities.keys()].some((each) => each.startsWith(`${path}.`)))
      return this.#adapter.converts(schema) ? serializerOf(schema, path) : undefined
    return this.#inside(schema, path)
  }

  /** The schema of a value that has records in it. */
  #inside(schema: StandardSchema, path: string): Schema {
    const shape = this.#shapeOf(schema)
    if (shape.kind === 'object') return this.#fields(shape.fields, `${path}.`)
    if (shape.kind === 'list') return [this.#inside(shape.member, path)]
    if (shape.kind === 'map') return new ValuesSchema(this.#inside(shape.member, path))
    throw this.#error(
      `cannot look for records inside of "${path}", which is neither an object, a list nor a map.`,
      ['Name the path of the value itself. For one of several kinds, pass a schema.Union.'],
    )
  }

  /** A record, or a list or map of records. */
  #placed(schema: StandardSchema, entity: EntityClass<{ pk(): unknown }>): Schema {
    const shape = this.#shapeOf(schema)
    if (shape.kind === 'list') return [this.#placed(shape.member, entity)]
    return shape.kind === 'map' ? new ValuesSchema(this.#placed(shape.member, entity)) : entity
  }

  #shapeOf(schema: StandardSchema): Shape {
    try {
      return this.#adapter.shapeOf(schema)
    } catch {
      throw this.#error(`cannot read this schema of ${this.#adapter.vendor}.`, [
        'Use zod 4, valibot 1 or arktype 2.',
      ])
    }
  }

  #checkNames(names: readonly string[], prefix: string): void {
    for (const path of this.#entities.keys()) {
      const name = path.startsWith(prefix) ? (path.slice(prefix.length).split('.', 1)[0] ?? '') : undefined
      if (name === undefined || names.includes(name)) continue
      const place = prefix === '' ? 'the object' : `"${prefix.slice(0, -1)}"`
      throw this.#error(`names the entity "${path}", but there is no "${name}" in ${place}.`, [
        `The fields there are ${names.join(', ')}.`,
      ])
    }
  }

  #error(problem: string, [remedy]: readonly [remedy: string]): Error {
    return errors.definitionInvalid(`entityFrom({ key: "${this.#key}" })`, [
      development ? problem : '',
      development ? remedy : '',
    ])
  }
}

const literalOf = (value: unknown): Literal =>
  value === null || /^(string|number|boolean|bigint)$/.test(typeof value) ? (value as Literal) : undefined

/** Reads a field as its own schema does. */
function serializerOf(schema: StandardSchema, path: string) {
  return (input: unknown): unknown => {
    const result = schema['~standard'].validate(input)
    if (result instanceof Promise) {
      // The error below is thrown instead, so a rejection must not be reported as unhandled.
      result.catch(() => {})
      throw errors.validateAsynchronous(path)
    }
    if (result.issues === undefined) return result.value
    const [issue] = result.issues
    throw new TypeError(
      `${placeOfIssue([...path.split('.'), ...(issue ? pathOf(issue) : [])])}: ${issue?.message}`,
    )
  }
}

/** Judges a stored record by the whole schema. Where it holds primary keys of records, nothing is judged. */
function validatorOf(schema: StandardSchema, fields: EntityFields): StandardValidator {
  return {
    '~standard': {
      validate: (record) => {
        const result = schema['~standard'].validate(record)
        if (result instanceof Promise) return result
        const issues = result.issues?.filter((issue) => !isInRecord(fields, pathOf(issue)))
        return issues?.length ? { issues } : {}
      },
    },
  }
}

/** Whether a path leads to a nested record, or into one. */
function isInRecord(fields: EntityFields, path: readonly PropertyKey[]): boolean {
  let schema: unknown = fields
  for (const name of path) {
    if (Array.isArray(schema)) schema = schema[0]
    else if (schema instanceof ValuesSchema) schema = schema.definition
    else
      schema = Object.hasOwn(schema as object, name)
        ? (schema as Record<PropertyKey, unknown>)[name]
        : undefined
    // A schema that was passed for a whole field has records in it.
    if (isEntityClass(schema) || (isContract(schema) && !(schema instanceof ValuesSchema))) return true
    if (typeof schema !== 'object' || schema === null) return false
  }
  return false
}

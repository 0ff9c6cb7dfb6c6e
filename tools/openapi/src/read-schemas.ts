import { componentName, componentPrefix, dereference, methods, resolveSchema } from './description.js'
import type { Description, Schema, SchemaObject } from './description.js'
import { operationName, plainName, toPascal } from './names.js'
import type { Names } from './names.js'
import type { Corrections } from './options.js'
import type { Report } from './report.js'
import { basic, isDefault, newDeclaration, nothing, unionOf } from './types.js'
import type { Choice, Declaration, Field, ObjectType, Type } from './types.js'

/** So many schemas with names are read inside of each other; those inside of them wait, so that a long row of them does not fill the stack. */
const deepestNames = 50

/** Reads the schemas of a description. A schema with a name is read once, when it is needed first. */
export class SchemaReader {
  readonly #description: Description
  readonly #corrections: Corrections
  readonly #report: Report
  readonly #names: Names
  readonly #declarations = new Map<string, Declaration>()
  /** Objects that are being read, of references to places other than components. */
  readonly #open = new Set<string>()
  #bySignature: ReadonlyMap<string, string> | undefined
  #shortNames: ReadonlyMap<string, number> | undefined
  #children: ReadonlyMap<string, readonly string[]> | undefined
  #bodyNames: ReadonlyMap<string, string> | undefined
  readonly #isObjectKnown = new WeakMap<SchemaObject, boolean>()
  /** The places of integers of 64 bits. */
  readonly #wide: string[] = []
  /** How many schemas with names are being read. */
  #level = 0
  /** Schemas that have their declaration, and are read later. */
  readonly #waiting = new Map<Declaration, SchemaObject>()

  constructor(description: Description, corrections: Corrections, report: Report, names: Names) {
    this.#description = description
    this.#corrections = corrections
    this.#report = report
    this.#names = names
  }

  /** Tells of the numbers that a number of JavaScript does not hold. */
  reportWide(): void {
    const [first, ...others] = new Set(this.#wide)
    if (first === undefined) return
    const shown = [first, ...others].slice(0, 5).join(', ')
    const more = others.length > 4 ? ` and ${others.length - 4} more` : ''
    this.#report.add(
      'left',
      'int64',
      `is a number, which is exact up to 9,007,199,254,740,991. If there are larger ones, let the server send text: ${shown}${more}.`,
    )
  }

  /** All schemas that were needed, in that order. */
  get declarations(): readonly Declaration[] {
    return [...this.#declarations.values()]
  }

  /** The type of the values that a schema describes. @param place - for the report */
  typeOf(schema: Schema | undefined, place: string): Type {
    const type = this.#typeOf(schema, place)
    if (this.#level === 0) for (const declaration of this.#waiting.keys()) this.#readWaiting(declaration)
    return type
  }

  #typeOf(schema: Schema | undefined, place: string): Type {
    if (schema === undefined || schema === true) return basic('unknown')
    if (schema === false) return basic('never')
    if (schema.$ref !== undefined) return this.#typeOfReference(schema.$ref, place)
    const type = this.#typeWithoutNull(schema, place)
    const mayBeNull = schema.nullable === true || schema['x-nullable'] === true || schema.enum?.includes(null)
    return mayBeNull === true ? unionOf([type, nothing], type.kind === 'union' ? type.by : undefined) : type
  }

  /** Gives an object that has no name in the description a name, or the one that an equal object has. */
  declare(type: ObjectType, wanted: string, place: string): Declaration {
    const known = this.#declarations.get(type.signature)
    if (known !== undefined) return known
    const name = type.title === undefined ? wanted : toPascal(type.title)
    const declaration = this.#start(place, this.#names.isFree(name) ? name : `${name}Detail`)
    declaration.isInline = true
    this.#declarations.set(type.signature, declaration)
    declaration.fields = [...type.fields]
    declaration.others = type.others
    return declaration
  }

  /** The declaration of an equal object. */
  declarationOf(signature: string): Declaration | undefined {
    return this.#declarations.get(signature)
  }

  #typeOfReference(reference: string, place: string): Type {
    // What cannot be decoded is explained below, with its place.
    const name = /%(?![\da-f]{2})/i.test(reference) ? undefined : componentName(reference)
    if (name !== undefined) return this.#typeOfName(name, reference, place)
    const found = resolveSchema(this.#description, reference, place)
    if (this.#open.has(reference)) {
      this.#report.add('left', place, `is unknown: ${reference} contains itself, and has no name.`)
      return basic('unknown')
    }
    this.#open.add(reference)
    const type = this.typeOf(found, place)
    this.#open.delete(reference)
    return type
  }

  #typeOfName(name: string, reference: string, place: string): Type {
    const schema = resolveSchema(this.#description, reference, place)
    if (typeof schema === 'object' && isNullable(schema) && this.#isObject(schema))
      return unionOf([this.#typeOfNullable(name, schema), nothing])
    const known = this.#declarations.get(name)
    const declaration = known ?? this.#readNamed(name, schema)
    // What is only another word for text or for a list of something needs no name. An alias that is still being read does.
    const { kind, type } = declaration
    const isPlain =
      kind === 'alias' && type !== undefined && !['union', 'literal', 'object'].includes(type.kind)
    return isPlain ? type : { kind: 'named', declaration }
  }

  /** An object that may be `null` is that of the schema which differs in nothing else, if there is one. */
  #typeOfNullable(name: string, schema: SchemaObject): Type {
    const plain = withoutNull(schema)
    const twin = this.#twinOf(signatureOf(plain))
    if (twin !== undefined) return this.#typeOfName(twin, `${componentPrefix}${escapePart(twin)}`, name)
    const declaration = this.#declarations.get(name) ?? this.#readNamed(name, plain)
    return { kind: 'named', declaration }
  }

  /** The name of the schema with this signature. */
  #twinOf(signature: string): string | undefined {
    this.#bySignature ??= new Map(
      Object.entries(this.#description.components?.schemas ?? {})
        .filter(([, schema]) => typeof schema === 'object' && !isNullable(schema) && this.#isObject(schema))
        .reverse()
        .map(([name, schema]) => [signatureOf(schema as SchemaObject), name]),
    )
    return this.#bySignature.get(signature)
  }

  #readNamed(name: string, schema: Schema): Declaration {
    const correction = this.#corrections.entities?.[name]
    const named = typeof correction === 'object' ? correction.name : undefined
    const declaration = this.#start(name, named ?? this.#shortName(name))
    this.#declarations.set(name, declaration)
    if (typeof schema === 'boolean') {
      Object.assign(declaration, { kind: 'alias', type: this.typeOf(schema, name) })
      return declaration
    }
    // A title is often the name once more.
    const isName = plainName(schema.title ?? '') === plainName(name)
    declaration.description = schema.description ?? (isName ? undefined : schema.title)
    declaration.isDeprecated = schema.deprecated === true
    if (!this.#isObject(schema)) declaration.kind = 'alias'
    this.#waiting.set(declaration, schema)
    if (this.#level < deepestNames) this.#readWaiting(declaration)
    return declaration
  }

  #readWaiting(declaration: Declaration): void {
    const schema = this.#waiting.get(declaration)
    if (schema === undefined) return
    this.#waiting.delete(declaration)
    this.#level++
    if (declaration.kind === 'object') this.#readObject(declaration, schema)
    else {
      declaration.type = this.typeOf(schema, declaration.source)
      checkChoice(declaration)
    }
    this.#level--
  }

  /** `Company.Models.User` is `User`, if that is the only one. */
  #shortName(name: string): string {
    // FastAPI: Body_login_token_post is the body of login.
    const body = name.startsWith('Body_') ? this.#bodyNameOf(name) : undefined
    if (body !== undefined) return body
    const whole = toPascal(name)
    const last = name.split('.').at(-1) ?? name
    const bare = whole.replace(/^Nullable(?=[A-Z])|(?<=[a-z0-9])Nullable$/, '')
    if (bare === whole && last === name) return whole
    this.#shortNames ??= countNames(Object.keys(this.#description.components?.schemas ?? {}))
    if (bare !== whole && !this.#shortNames.has(`Pascal ${bare}`)) return bare
    if (last === name) return whole
    return toPascal(this.#shortNames.get(`last ${last}`) === 1 ? last : name)
  }

  #bodyNameOf(name: string): string | undefined {
    this.#bodyNames ??= new Map(
      Object.entries(this.#description.paths ?? {})
        .reverse()
        .flatMap(([path, item]) =>
          methods.flatMap((method) => {
            const id = item[method]?.operationId
            return id === undefined
              ? []
              : [[`Body_${id}`, `${toPascal(operationName(id, method, path))}Body`] as const]
          }),
        ),
    )
    return this.#bodyNames.get(name)
  }

  #start(source: string, wanted: string): Declaration {
    return newDeclaration(source, this.#names.take(wanted, source, 'Model'))
  }

  #readObject(declaration: Declaration, schema: SchemaObject): void {
    const { source } = declaration
    const { discriminator } = schema
    // The subtypes may refer to this one, so it has to be there first.
    const base = this.#baseOf(schema)
    if (base !== undefined) {
      const type = this.typeOf(base, source)
      if (type.kind === 'named' && type.declaration.kind === 'object' && type.declaration !== declaration) {
        this.#readWaiting(type.declaration)
        declaration.base = type.declaration
        const rest = (schema.allOf ?? []).filter((part) => part !== base)
        declaration.fields = this.#fieldsOf({ ...schema, allOf: rest }, source)
        declaration.fields.push(...this.#nowRequired(schema, declaration))
      }
    }
    if (declaration.base === undefined) declaration.fields = this.#fieldsOf(schema, source)
    declaration.others = this.#othersOf(schema, source)
    if (discriminator !== undefined) declaration.subtypes = this.#subtypesOf(declaration, discriminator)
  }

  /** Fields of the base that are required here only. */
  #nowRequired(schema: SchemaObject, declaration: Declaration): Field[] {
    const required = new Set<string>(
      [schema, ...(schema.allOf ?? [])].flatMap((part) =>
        typeof part === 'object' && Array.isArray(part.required) && part.$ref === undefined
          ? part.required
          : [],
      ),
    )
    const own = new Set(declaration.fields.map(({ name }) => name))
    const inherited: Field[] = []
    for (let { base } = declaration; base !== undefined; { base } = base)
      inherited.push(...base.fields.filter(({ name }) => !inherited.some((field) => field.name === name)))
    return inherited
      .filter(({ name, isRequired }) => !isRequired && !own.has(name) && required.has(name))
      .map((field) => ({ ...field, isRequired: true }))
  }

  /** The one part of `allOf` that has a name and fields: what a class extends. */
  #baseOf(schema: SchemaObject): Schema | undefined {
    const named = (schema.allOf ?? []).filter((part) => typeof part === 'object' && part.$ref !== undefined)
    const [base, another] = named
    return another === undefined && base !== undefined && this.#isObject(this.#resolved(base))
      ? base
      : undefined
  }

  #subtypesOf(
    declaration: Declaration,
    discriminator: NonNullable<SchemaObject['discriminator']>,
  ): Choice | undefined {
    const schemas = this.#description.components?.schemas ?? {}
    const { propertyName, mapping } = discriminator
    this.#children ??= childrenOf(schemas)
    const children = this.#children.get(declaration.source) ?? []
    const pairs =
      mapping === undefined
        ? children.map((name) => [name, `${componentPrefix}${name}`] as const)
        : Object.entries(mapping)
    const members = pairs.flatMap(([value, target]) => {
      const name = target.startsWith('#/')
        ? target.slice(componentPrefix.length)
        : target.replace(/\.json$/, '')
      if (!Object.hasOwn(schemas, name)) return []
      return [
        [value, this.#typeOfName(name, `${componentPrefix}${escapePart(name)}`, declaration.source)] as const,
      ]
    })
    if (members.length === 0) return undefined
    for (const [value, type] of members)
      if (type.kind === 'named' && members.filter(([, other]) => sameName(other, type)).length === 1)
        tellKind(type.declaration, propertyName, value)
    return { property: propertyName, mapping: members }
  }

  #resolved(schema: Schema): SchemaObject {
    return typeof schema === 'object' ? dereference(this.#description, schema as SchemaObject) : {}
  }

  /** `true` for what has fields: not for maps, lists and unions. */
  #isObject(schema: SchemaObject): boolean {
    const known = this.#isObjectKnown.get(schema)
    if (known !== undefined) return known
    // A loop of references adds no fields.
    this.#isObjectKnown.set(schema, false)
    const found = this.#hasFields(schema)
    this.#isObjectKnown.set(schema, found)
    return found
  }

  #hasFields(schema: SchemaObject): boolean {
    if (schema.$ref !== undefined) return this.#isObject(this.#resolved(schema))
    if (schema.oneOf !== undefined || schema.anyOf !== undefined || schema.enum !== undefined) return false
    if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) return true
    if (schema.discriminator !== undefined && schema.type === 'object') return true
    return (schema.allOf ?? []).some((part) => typeof part === 'object' && this.#isObject(part))
  }

  #typeWithoutNull(schema: SchemaObject, place: string): Type {
    if (schema.const !== undefined) return literalOf(schema.const)
    if (schema.enum !== undefined) {
      const values = schema.enum.filter((value) => value !== null)
      return values.length === 0 ? nothing : unionOf(values.map(literalOf))
    }
    const choices = schema.oneOf ?? schema.anyOf
    if (choices !== undefined) return this.#unionOf(schema, choices, place)
    const [part, another] = schema.allOf ?? []
    if (part !== undefined && another === undefined && schema.properties === undefined)
      return this.typeOf(part, place)
    if (this.#isObject(schema)) return this.#objectOf(schema, place)
    if (schema.allOf !== undefined && schema.allOf.length > 0) return this.#meet(schema.allOf, place)
    const types = typesOf(schema)
    if (types.length > 0) return unionOf(types.map((type) => this.#typeOfKind(type, schema, place)))
    if (schema.items !== undefined) return this.#typeOfKind('array', schema, place)
    if (schema.additionalProperties !== undefined) return this.#typeOfKind('object', schema, place)
    return schema.format === 'binary' ? basic('Blob') : basic('unknown')
  }

  /** Parts that have no fields: the one that says most. */
  #meet(parts: readonly Schema[], place: string): Type {
    const types = parts.map((part) => this.typeOf(part, place))
    const known = types.filter((type) => type.kind !== 'basic' || type.name !== 'unknown')
    if (known.length > 1)
      this.#report.add('left', place, 'has parts in allOf that are no objects: the first one was taken.')
    return known[0] ?? basic('unknown')
  }

  #typeOfKind(kind: string, schema: SchemaObject, place: string): Type {
    switch (kind) {
      case 'string':
        return this.#textOf(schema)
      case 'integer':
      case 'number':
        if (/^u?int64$/.test(schema.format ?? '')) this.#wide.push(place)
        return basic('number')
      case 'boolean':
        return basic('boolean')
      case 'null':
        return nothing
      case 'file':
        return basic('Blob')
      case 'array':
        if (schema.prefixItems !== undefined && (schema.items === undefined || schema.items === false))
          return { kind: 'tuple', items: schema.prefixItems.map((item) => this.typeOf(item, `${place}[]`)) }
        return { kind: 'array', item: this.typeOf(schema.items, `${place}[]`) }
      case 'object':
        if (this.#isObject(schema)) return this.#objectOf(schema, place)
        return {
          kind: 'map',
          value:
            this.#othersOf(schema, place) ??
            basic(schema.additionalProperties === false ? 'never' : 'unknown'),
        }
      default:
        return basic('unknown')
    }
  }

  #textOf({ format, contentMediaType, contentEncoding }: SchemaObject): Type {
    const { dates = ['date-time'] } = this.#corrections
    if (format !== undefined && dates.includes(format)) return { kind: 'date', format }
    const isFile = format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined)
    return basic(isFile && contentMediaType !== 'application/json' ? 'Blob' : 'string')
  }

  #objectOf(schema: SchemaObject, place: string): Type {
    const others = this.#othersOf(schema, place)
    return {
      kind: 'object',
      fields: this.#fieldsOf(schema, place),
      ...(others === undefined ? {} : { others }),
      signature: signatureOf(schema),
      title: schema.title,
    }
  }

  /** The members without names, if the description says something of them. */
  #othersOf(
    { additionalProperties: others, patternProperties }: SchemaObject,
    place: string,
  ): Type | undefined {
    const [pattern] = Object.values(patternProperties ?? {})
    if (pattern !== undefined) return this.typeOf(pattern, `${place}[]`)
    return typeof others === 'object' && Object.keys(others).length > 0
      ? this.typeOf(others, `${place}[]`)
      : undefined
  }

  /** The fields of an object, with those of all parts of `allOf`. @param seen - the parts that are in already */
  #fieldsOf(
    schema: SchemaObject,
    place: string,
    seen: PartsSeen = { always: new Set(), maybe: new Set() },
    isChoice?: boolean,
  ): Field[] {
    const fields = new Map<string, Field>()
    const required = new Set<string>()
    const isOutermost = seen.always.size + seen.maybe.size === 0
    const own = isChoice === true ? seen.maybe : seen.always
    own.add(schema)
    for (const part of schema.allOf ?? []) {
      if (typeof part !== 'object') continue
      const resolved = this.#resolved(part)
      if (own.has(resolved)) continue
      for (const field of this.#fieldsOf(resolved, place, seen, isChoice)) fields.set(field.name, field)
      if (Array.isArray(resolved.required)) for (const name of resolved.required) required.add(name)
    }
    // The choice is one of several: each of its fields may be missing.
    for (const part of isOutermost ? [] : (schema.oneOf ?? schema.anyOf ?? [])) {
      if (typeof part !== 'object') continue
      this.#report.add('left', place, 'has a choice in allOf: its fields are optional.')
      const resolved = this.#resolved(part)
      if (seen.always.has(resolved) || seen.maybe.has(resolved)) continue
      for (const field of this.#fieldsOf(resolved, place, seen, true))
        if (!fields.has(field.name)) fields.set(field.name, { ...field, isRequired: false })
    }
    if (Array.isArray(schema.required)) for (const name of schema.required) required.add(name as string)
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      fields.set(name, this.#fieldOf(name, property, `${place}.${name}`))
    return [...fields.values()].map((field) =>
      required.has(field.name) ? { ...field, isRequired: true } : field,
    )
  }

  #fieldOf(name: string, property: Schema, place: string): Field {
    const schema = typeof property === 'object' ? property : {}
    const [only, another] = schema.allOf ?? []
    const inner = only !== undefined && another === undefined && typeof only === 'object' ? only : {}
    const type = this.typeOf(property, place)
    // What is true of a schema with a name is true wherever a reference leads to it.
    const named = [schema, inner].map((part) => (part.$ref === undefined ? part : this.#resolved(part)))
    const has = (member: 'readOnly' | 'writeOnly') =>
      [schema, inner, ...named].some((part) => part[member] === true)
    const given = [schema, ...named].find((part) => part.default !== undefined)?.default
    if (given !== undefined && !isDefault(type, given))
      this.#report.add('left', place, 'has a default that is no value of its type: it is left out.')
    return {
      name,
      type,
      isRequired: false,
      isReadOnly: has('readOnly'),
      isWriteOnly: has('writeOnly'),
      isDeprecated: schema.deprecated === true,
      description: schema.description ?? inner.description,
      default: given,
    }
  }

  #unionOf(schema: SchemaObject, choices: readonly Schema[], place: string): Type {
    const types = choices.map((choice) => this.typeOf(withShared(choice, schema), place))
    return unionOf(types, this.#choiceOf(schema, choices, types))
  }

  #choiceOf(
    { discriminator }: SchemaObject,
    choices: readonly Schema[],
    types: readonly Type[],
  ): Choice | undefined {
    if (discriminator === undefined) return undefined
    const { propertyName: property, mapping = {} } = discriminator
    const pairs = types.flatMap((type, at): (readonly [string, Type])[] => {
      const choice = choices[at]
      const reference = typeof choice === 'object' ? choice.$ref : undefined
      if (reference === undefined || type.kind !== 'named') return []
      const name = reference.slice(componentPrefix.length)
      const values = Object.entries(mapping).filter(([, target]) => target === reference || target === name)
      const found = values.length === 0 ? [name] : values.map(([value]) => value)
      if (found.length === 1) tellKind(type.declaration, property, found[0] as string)
      return found.map((value) => [value, type] as const)
    })
    return pairs.length === 0 ? undefined : { property, mapping: pairs }
  }
}

/** The parts of an object that were read: those that it always has, and those of a choice. */
interface PartsSeen {
  readonly always: Set<SchemaObject>
  readonly maybe: Set<SchemaObject>
}

/** How many schemas have a name, by its form here and by its last part. */
function countNames(all: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of all)
    for (const key of [`Pascal ${toPascal(name)}`, `last ${name.split('.').at(-1)}`])
      counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** The names of the schemas that extend one, by its name. */
function childrenOf(schemas: Readonly<Record<string, Schema>>): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>()
  for (const [name, schema] of Object.entries(schemas)) {
    const parts = typeof schema === 'object' ? (schema.allOf ?? []) : []
    const bases = parts.flatMap((part) =>
      typeof part === 'object' && part.$ref !== undefined ? (componentName(part.$ref) ?? []) : [],
    )
    for (const base of new Set(bases)) {
      const known = children.get(base)
      if (known === undefined) children.set(base, [name])
      else known.push(name)
    }
  }
  return children
}

/** A name as a part of a reference. */
const escapePart = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

/** @throws {Error} for a type that is one of its own choices, or an alias of itself: it has no values */
function checkChoice(declaration: Declaration): void {
  const seen = new Set<Declaration>()
  const check = (type: Type, path: readonly string[]): void => {
    if (type.kind === 'union') for (const member of type.members) check(member, path)
    if (type.kind !== 'named' || type.declaration.kind !== 'alias') return
    const next = [...path, type.declaration.source]
    if (type.declaration === declaration)
      throw new Error(
        `The schema ${declaration.source} is a choice of itself: ${next.join(' → ')}. Remove one of them.`,
      )
    if (seen.has(type.declaration) || type.declaration.type === undefined) return
    seen.add(type.declaration)
    check(type.declaration.type, next)
  }
  if (declaration.type !== undefined) check(declaration.type, [declaration.source])
}

const sameName = (a: Type, b: Type) =>
  a.kind === 'named' && b.kind === 'named' && a.declaration === b.declaration

/** In a member of a union, the property that tells it is exactly its value. */
function tellKind(declaration: Declaration, property: string, value: string): void {
  const at = declaration.fields.findIndex(({ name }) => name === property)
  const known = declaration.fields[at]
  if (declaration.kind !== 'object' || (known !== undefined && known.type.kind !== 'basic')) return
  const field: Field = {
    isReadOnly: false,
    isWriteOnly: false,
    isDeprecated: false,
    description: undefined,
    default: undefined,
    ...known,
    name: property,
    isRequired: true,
    type: { kind: 'literal', value },
  }
  if (at === -1) declaration.fields.push(field)
  else declaration.fields[at] = field
}

function literalOf(value: unknown): Type {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { kind: 'literal', value }
    : basic(value === null ? 'null' : 'unknown')
}

function typesOf({ type }: SchemaObject): readonly string[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}

const isNullable = (schema: SchemaObject) =>
  schema.nullable === true || schema['x-nullable'] === true || typesOf(schema).includes('null')

function withoutNull(schema: SchemaObject): SchemaObject {
  const types = typesOf(schema).filter((type) => type !== 'null')
  const rest = Object.entries(schema).filter(([name]) => !['type', 'nullable', 'x-nullable'].includes(name))
  const [only, another] = types
  return {
    ...Object.fromEntries(rest),
    ...(only === undefined ? {} : { type: another === undefined ? only : types }),
  }
}

/** The choices of a union may leave out what stands beside them. */
function withShared(choice: Schema, { type, properties, required, format }: SchemaObject): Schema {
  if (typeof choice !== 'object' || choice.$ref !== undefined) return choice
  return {
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...choice,
    ...(properties === undefined ? {} : { properties: { ...properties, ...choice.properties } }),
    ...(required === undefined || typeof required === 'boolean'
      ? {}
      : {
          required: [...required, ...(Array.isArray(choice.required) ? (choice.required as string[]) : [])],
        }),
  }
}

const annotations = new Set([
  'description',
  'example',
  'examples',
  'title',
  'default',
  'deprecated',
  'externalDocs',
])

/** Text that is equal for schemas that differ in their annotations only. */
function signatureOf(schema: SchemaObject): string {
  const plain = (value: unknown, isSchema: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => plain(item, isSchema))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !isSchema || !(annotations.has(name) || name.startsWith('x-')))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        // The members of `properties` are names of fields.
        .map(([name, inner]) => [name, plain(inner, name !== 'properties' || !isSchema)]),
    )
  }
  return JSON.stringify(plain(schema, true))
}

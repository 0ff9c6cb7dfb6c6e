import { base, en, Faker } from '@faker-js/faker'
import { dereference } from './description.js'
import type { Description, Schema, SchemaObject } from './description.js'
import { plainName } from './names.js'

/** The limits of a schema that the generator has no use for. */
interface Limits {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number | boolean
  readonly exclusiveMaximum?: number | boolean
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly example?: unknown
  readonly examples?: readonly unknown[]
}
type DataSchema = SchemaObject & Limits

type Fields = Record<string, unknown>

/** Where a value stands. */
interface At {
  /** The name of its field. */
  readonly name: string
  /** The name of the schema around it: the `name` of a person is not that of a product. */
  readonly owner: string
  /** Its number in a list: examples are for the first. */
  readonly index: number
  /** How many objects are around it. */
  readonly depth: number
}

/** Objects inside of more others have their required fields alone. */
const mostOptional = 3
/** What must hold itself ends here. */
const deepest = 8

/** Stands for a record inside of another: which fields it has is decided when it is sent. */
export class NestedRecord {
  readonly schema: Schema
  readonly name: string
  readonly index: number
  readonly overrides: Fields = {}

  constructor(schema: Schema, name: string, index: number) {
    this.schema = schema
    this.name = name
    this.index = index
  }
}

/** Makes believable values of schemas: the same of the same seed. */
export class MockData {
  readonly #description: Description
  readonly #faker = new Faker({ locale: [en, base] })
  readonly #seed: number
  /** Decides which objects inside of others are records, which are the same everywhere. */
  isRecord: (schema: SchemaObject) => boolean = () => false

  constructor(description: Description, seed: number) {
    this.#description = description
    this.#seed = seed
    this.#faker.setDefaultRefDate('2026-01-01T00:00:00.000Z')
  }

  /** A value of a schema. @param key - what has the same key has the same value */
  make(schema: Schema | undefined, key: string, index = 0, owner = ''): unknown {
    this.#faker.seed(hashOf(`${this.#seed} ${key}`))
    return this.#value(schema, { name: '', owner, index, depth: 0 })
  }

  /** The schema behind references, with the parts of `allOf` in it. */
  resolve(schema: Schema | undefined, passed: readonly SchemaObject[] = []): DataSchema {
    if (typeof schema !== 'object') return {}
    const found = dereference(this.#description, schema as SchemaObject) as DataSchema
    const { allOf, ...own } = found
    if (allOf === undefined || passed.includes(found)) return own
    const parts = allOf.map((part) => this.resolve(part, [...passed, found]))
    const all = [...parts, own as DataSchema]
    const properties = all.flatMap((part) => Object.entries(part.properties ?? {}))
    const items = [...new Set(all.flatMap((part) => part.items ?? []))]
    return {
      ...(Object.fromEntries(all.flatMap((part) => Object.entries(part))) as DataSchema),
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(items.length > 1 ? { items: { allOf: items } } : {}),
      required: all.flatMap((part) => listOf(part.required)),
    }
  }

  #value(given: Schema | undefined, at: At): unknown {
    const schema = this.resolve(given)
    const told = toldBy(schema, at.index)
    if (told !== undefined) return structuredClone(told)
    const choices = schema.oneOf ?? schema.anyOf
    if (choices !== undefined) return this.#choice(schema, choices, at)
    const name = typeof given === 'object' ? nameIn(given) : undefined
    switch (kindOf(schema)) {
      case 'string':
        return this.#text(schema, at)
      case 'integer':
      case 'number':
        return this.#number(schema, at)
      case 'boolean':
        return this.#faker.datatype.boolean()
      case 'array':
        return this.#list(schema, at)
      case 'object': {
        if (name !== undefined && at.depth > 0 && this.isRecord(schema))
          return new NestedRecord(schema, name, this.#faker.number.int({ max: 2 }))
        return this.#object(schema, name ?? at.owner, at)
      }
      default:
        return null
    }
  }

  #choice(schema: DataSchema, choices: readonly Schema[], at: At): unknown {
    // What is `null` shows least.
    const shown = choices.filter((choice) => kindOf(this.resolve(choice)) !== 'null')
    const open = at.depth > mostOptional ? this.#ending(shown, schema) : shown
    const choice = open[at.index % Math.max(1, open.length)]
    if (choice === undefined) return null
    const { oneOf: _, anyOf: __, discriminator, ...shared } = schema
    const value =
      typeof choice === 'object' &&
      ['properties', 'items', 'type'].some((name) => Object.hasOwn(shared, name))
        ? this.#value({ allOf: [shared, choice] }, at)
        : this.#value(choice, at)
    if (discriminator !== undefined && typeof value === 'object' && value !== null) {
      const reference = typeof choice === 'object' ? choice.$ref : undefined
      const own = reference?.split('/').at(-1)
      const [told] =
        Object.entries(discriminator.mapping ?? {}).find(
          ([, target]) => target === reference || target === own,
        ) ?? []
      const kind = told ?? own
      const values = valuesOf(this.resolve(this.resolve(choice).properties?.[discriminator.propertyName]))
      const fields = value instanceof NestedRecord ? value.overrides : (value as Fields)
      const isValid = values === undefined || values.includes(kind)
      if (kind !== undefined && isValid) set(fields, discriminator.propertyName, kind)
    }
    return value
  }

  /** A choice that holds itself ends with one that does not: the simplest. */
  #ending(choices: readonly Schema[], whole: DataSchema): readonly Schema[] {
    const simple = choices.filter((choice) => kindOf(this.resolve(choice)) !== 'object')
    if (simple.length > 0) return simple
    const ending = choices.filter((choice) => !this.#mustHold(choice, whole, new Set()))
    return ending.length > 0 ? ending : choices
  }

  /** `true` if a value of a schema cannot be without one of these choices. @param passed - schemas that were looked into */
  #mustHold(given: Schema | undefined, { oneOf, anyOf }: DataSchema, passed: Set<unknown>): boolean {
    const schema = this.resolve(given)
    const choices = schema.oneOf ?? schema.anyOf
    if (choices !== undefined && choices === (oneOf ?? anyOf)) return true
    if (typeof given !== 'object') return false
    const key = dereference(this.#description, given as SchemaObject)
    if (passed.has(key)) return false
    passed.add(key)
    const required = new Set(listOf(schema.required))
    const inner = [
      ...(choices ?? []),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => (required.has(name) ? [one] : [])),
      ...((schema.minItems ?? 0) > 0 && schema.items !== undefined ? [schema.items] : []),
    ]
    return inner.some((one) => this.#mustHold(one, { oneOf, anyOf } as DataSchema, passed))
  }

  #list(schema: DataSchema, at: At): unknown[] {
    const { minItems = 0, maxItems = Infinity, prefixItems, uniqueItems } = schema
    if (prefixItems !== undefined)
      return prefixItems.map((item, index) => this.#value(item, { ...at, index }))
    const wanted = at.depth > mostOptional ? 0 : 2
    const count = Math.min(Math.max(minItems, wanted), Math.max(maxItems, minItems))
    if (at.depth > deepest) return []
    const items = Array.from({ length: count }, (_, index) =>
      this.#value(schema.items, { ...at, index: at.index + index }),
    )
    return uniqueItems === true
      ? [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
      : items
  }

  #object(schema: DataSchema, owner: string, at: At): Fields | null {
    if (at.depth > deepest) return null
    const required = new Set(listOf(schema.required))
    const fields: Fields = {}
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const resolved = this.resolve(property)
      const isDeep = at.depth >= mostOptional && kindOf(resolved) !== 'string'
      if (resolved.writeOnly === true || (isDeep && !required.has(name))) continue
      set(fields, name, this.#value(property, { name, owner, index: at.index, depth: at.depth + 1 }))
    }
    const { additionalProperties: others, minProperties = 0 } = schema
    const isMap = schema.properties === undefined && typeof others === 'object'
    if (typeof others !== 'object') return fields
    const count = Math.max(minProperties, isMap ? 2 : 0)
    for (let index = 0; index < count; index++)
      set(
        fields,
        this.#faker.lorem.word(),
        this.#value(others, { name: at.name, owner, index, depth: at.depth + 1 }),
      )
    return fields
  }

  #number(schema: DataSchema, { name, index }: At): number {
    const { multipleOf } = schema
    const isWhole = schema.type !== 'number'
    const step = multipleOf ?? (isWhole ? 1 : 0.01)
    const low = lowest(schema)
    const high = highest(schema)
    const [from, to] = rangeOf(plainName(name)) ?? [1, 100]
    if (plainName(name) === 'id' && low <= 1 && high > index + 1) return index + 1
    const min = Math.max(low, Math.min(from, high))
    const max = Math.min(high, Math.max(to, min))
    const first = Math.ceil(min / step)
    const count = Math.floor(max / step)
    const number = this.#faker.number.int({ min: first, max: Math.max(first, count) }) * step
    return isWhole ? Math.round(number) : Number(number.toFixed(6))
  }

  #text(schema: DataSchema, at: At): string {
    const { minLength = 0, maxLength = Infinity, pattern } = schema
    const value = this.#textByFormat(schema, at) ?? this.#textByName(at)
    if (pattern !== undefined && !fits(pattern, value)) return this.#textByPattern(pattern, value)
    const padded = value.length < minLength ? value.padEnd(minLength, 'abc') : value
    return padded.length > maxLength ? padded.slice(0, maxLength) : padded
  }

  #textByPattern(pattern: string, other: string): string {
    try {
      const value = this.#faker.helpers.fromRegExp(simplePattern(pattern))
      return fits(pattern, value) ? value : other
    } catch {
      return other
    }
  }

  #textByFormat({ format = '' }: DataSchema, { index }: At): string | undefined {
    const faker = this.#faker
    switch (format) {
      case 'date-time':
        return faker.date.recent({ days: 30 }).toISOString()
      case 'date':
        return faker.date.recent({ days: 300 }).toISOString().slice(0, 10)
      case 'time':
        return faker.date.recent().toISOString().slice(11)
      case 'duration':
        return `PT${index + 1}H`
      case 'uuid':
        return faker.string.uuid()
      case 'email':
      case 'idn-email':
        return faker.internet.exampleEmail().toLowerCase()
      case 'uri':
      case 'url':
      case 'iri':
        return `https://example.com/${faker.lorem.slug(2)}`
      case 'uri-reference':
        return `/${faker.lorem.slug(2)}`
      case 'hostname':
        return `${faker.lorem.word()}.example.com`
      case 'ipv4':
        return faker.internet.ipv4()
      case 'ipv6':
        return faker.internet.ipv6()
      case 'byte':
        return btoa(faker.lorem.words(2))
      case 'json-pointer':
        return `/${faker.lorem.word()}`
      case 'regex':
        return '^a+$'
      default:
        return undefined
    }
  }

  #textByName({ name, owner, index }: At): string {
    const faker = this.#faker
    const word = plainName(name)
    const isPerson = /user|person|author|owner|member|customer|contact|employee|account/.test(
      plainName(owner),
    )
    const isPlace = /company|organi[sz]ation|shop|vendor|brand|team/.test(plainName(owner))
    const rules: readonly (readonly [RegExp, () => string])[] = [
      [/^(id|uuid|key)$|[a-z]id$/, () => `${plainName(owner).slice(0, 12) || 'id'}-${index + 1}`],
      [/firstname|givenname/, () => faker.person.firstName()],
      [/lastname|surname|familyname/, () => faker.person.lastName()],
      [/username|login|handle|nick/, () => faker.internet.username().toLowerCase()],
      [/fullname|author$|displayname/, () => faker.person.fullName()],
      [/email/, () => faker.internet.exampleEmail().toLowerCase()],
      [/phone|mobile|fax/, () => faker.phone.number({ style: 'international' })],
      [/street|addressline|^address$/, () => faker.location.streetAddress()],
      [/city|town/, () => faker.location.city()],
      [/countrycode/, () => faker.location.countryCode()],
      [/country/, () => faker.location.country()],
      [/zip|postcode|postalcode/, () => faker.location.zipCode()],
      [/timezone/, () => faker.location.timeZone()],
      [/company|organi[sz]ation|employer/, () => faker.company.name()],
      [/jobtitle|position|occupation/, () => faker.person.jobTitle()],
      [
        /avatar|image|photo|picture|thumbnail|icon|cover/,
        () => faker.image.dataUri({ width: 64, height: 64 }),
      ],
      [/url|uri|link|href|website|homepage/, () => `https://example.com/${faker.lorem.slug(2)}`],
      [/slug/, () => faker.lorem.slug(2)],
      [/currency/, () => faker.finance.currencyCode()],
      [/price|amount|total/, () => faker.commerce.price()],
      [/colou?r/, () => faker.color.rgb()],
      [/sha|hash|digest|checksum/, () => faker.git.commitSha()],
      [/version/, () => faker.system.semver()],
      [/filename|file$/, () => faker.system.commonFileName()],
      [/token|secret|password/, () => faker.string.alphanumeric(20)],
      [/language|locale|lang$/, () => 'en'],
      [/^(name|title)$/, () => this.#nameOf(isPerson, isPlace, word)],
      [/title|subject|headline|heading/, () => this.#nameOf(false, false, 'title')],
      [/description|summary|text|body|comment|message|content|bio|note|about/, () => faker.lorem.sentence()],
      [/date|createdat|updatedat/, () => faker.date.recent({ days: 30 }).toISOString()],
      [/name$/, () => faker.person.fullName()],
    ]
    return rules.find(([pattern]) => pattern.test(word))?.[1]() ?? faker.lorem.word()
  }

  #nameOf(isPerson: boolean, isPlace: boolean, word: string): string {
    if (isPerson) return this.#faker.person.fullName()
    if (isPlace) return this.#faker.company.name()
    return word === 'title' ? this.#faker.lorem.sentence(3).slice(0, -1) : this.#faker.commerce.productName()
  }
}

/** The name of a schema to which a reference leads. */
export function nameIn({ $ref, allOf }: SchemaObject): string | undefined {
  const [only, another] = allOf ?? []
  const reference = $ref ?? (another === undefined && typeof only === 'object' ? only.$ref : undefined)
  return reference?.split('/').at(-1)
}

/** The value that a schema tells itself: a constant, one of some, or an example. */
function toldBy(schema: DataSchema, index: number): unknown {
  if (schema.const !== undefined) return schema.const
  const values = schema.enum?.filter((value) => value !== null)
  if (values !== undefined) return values.length === 0 ? null : values[index % values.length]
  const { example, examples } = schema
  if (Array.isArray(examples) && examples.length > index) return examples[index]
  return index === 0 ? example : undefined
}

/** The values that a schema allows; `undefined` for any. */
function valuesOf(schema: DataSchema): readonly unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const]
}

export function kindOf(schema: DataSchema): string {
  const kinds = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const kind = kinds.find((one) => one !== 'null') ?? kinds[0]
  if (kind !== undefined) return kind
  if (schema.properties !== undefined || typeof schema.additionalProperties === 'object') return 'object'
  if (schema.items !== undefined) return 'array'
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return 'object'
  return schema.format === undefined && schema.pattern === undefined ? 'unknown' : 'string'
}

const listOf = (required: SchemaObject['required']): readonly string[] =>
  Array.isArray(required) ? (required as readonly string[]) : []

function lowest({ minimum = -Infinity, exclusiveMinimum }: DataSchema): number {
  if (typeof exclusiveMinimum === 'number') return Math.max(minimum, exclusiveMinimum + 1)
  return exclusiveMinimum === true ? minimum + 1 : minimum
}

function highest({ maximum = Infinity, exclusiveMaximum }: DataSchema): number {
  if (typeof exclusiveMaximum === 'number') return Math.min(maximum, exclusiveMaximum - 1)
  return exclusiveMaximum === true ? maximum - 1 : maximum
}

/** Believable numbers, by the name of the field. */
function rangeOf(word: string): readonly [number, number] | undefined {
  const rules: readonly (readonly [RegExp, readonly [number, number]])[] = [
    [/^age$/, [18, 80]],
    [/year/, [2000, 2026]],
    [/month/, [1, 12]],
    [/latitude|^lat$/, [-80, 80]],
    [/longitude|^(lng|lon)$/, [-170, 170]],
    [/rating|stars/, [1, 5]],
    [/percent|progress/, [0, 100]],
    [/price|amount|cost/, [5, 500]],
    [/quantity|count/, [1, 20]],
    [/timestamp|unix|epoch/, [1_760_000_000, 1_767_000_000]],
  ]
  return rules.find(([pattern]) => pattern.test(word))?.[1]
}

function fits(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}

/** A pattern in the words that the library reads: without groups, choices, classes by letter and open ends. */
function simplePattern(pattern: string): string {
  const withoutGroups = pattern.replace(
    /\((?:\?:)?([^()]*)\)\??/g,
    (_, inner: string) => inner.split('|')[0] ?? '',
  )
  const [first = ''] = withoutGroups.split('|')
  return first
    .replace(/^\^|\$$/g, '')
    .replace(/\[[^\]]*\]/g, (letters) =>
      letters.replaceAll(String.raw`\d`, '0-9').replaceAll(String.raw`\w`, 'a-z0-9'),
    )
    .replaceAll(String.raw`\d`, '[0-9]')
    .replaceAll(String.raw`\w`, '[a-z0-9]')
    .replace(/\{(\d+),\}/g, (_, least: string) => `{${least},${Number(least) + 4}}`)
    .replace(/\\([^a-z\d])/gi, '[$1]')
}

/** As JSON has it: a field `__proto__` is only a field. */
function set(fields: Fields, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, writable: true, configurable: true })
}

/** FNV-1a, of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

import { dereference, methods } from './description.js'
import type { Description, MediaType, Operation, Response as Described, Schema } from './description.js'
import { kindOf, MockData, nameIn, NestedRecord } from './mock-data.js'
import type { MockSettings } from './mock-settings.js'
import { plainName } from './names.js'

type Fields = Record<string, unknown>

/** An operation, and the paths that it answers. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly pattern: RegExp
  readonly operation: Operation
  /** It answers one record of the list at the path before its last param. */
  readonly isOfRecord: boolean
}

/** The operations of a description, in the order in which they are tried. */
export function routesOf(description: Description): Route[] {
  const routes = Object.entries(description.paths ?? {}).flatMap(([path, item]) => {
    const shared = dereference(description, item)
    const text = path
      .split(/\{[^{}]+\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('([^/]+)')
    const pattern = new RegExp(`^${text.replace(/\/$/, '')}/?$`)
    return methods.flatMap((method): Route[] => {
      const operation = shared[method]
      return operation === undefined
        ? []
        : [{ method, path, pattern, operation, isOfRecord: /\/\{[^{}]+\}\/?$/.test(path) }]
    })
  })
  // What is written out goes before a param: `/pets/search` before `/pets/{id}`.
  const count = ({ path }: Route) => path.split('{').length
  return routes.sort((a, b) => count(a) - count(b))
}

/** The records of one list, by primary key. */
interface Table {
  readonly records: Map<string, Fields>
  readonly deleted: Set<string>
}

/** What a response is like: a record, a list of them, or an object around one of them. */
interface Content {
  readonly status: number
  readonly media: MediaType | undefined
  readonly type: string | undefined
  readonly schema: Schema | undefined
  /** The schema of the members of a list. */
  readonly item?: Schema | undefined
  /** The field that holds the list or the record. */
  readonly field?: string | undefined
  /** The schema of the record. */
  readonly record?: Schema | undefined
}

/** Answers the operations of a description, and keeps the records. */
export class MockServer {
  readonly #description: Description
  readonly #settings: MockSettings
  readonly #data: MockData
  /** By the address of the list. */
  readonly #tables = new Map<string, Table>()
  /** By the name of a schema, so that records in other records are those of the lists. */
  readonly #pools = new Map<string, Fields[]>()

  constructor(description: Description, settings: MockSettings) {
    this.#description = description
    this.#settings = settings
    this.#data = new MockData(description, settings.seed ?? 1)
    this.#data.isRecord = (schema) => keyOf(this.#data.resolve(schema)) !== undefined
  }

  answer(
    { method, operation, path: template, isOfRecord }: Route,
    path: string,
    search: URLSearchParams,
    body: unknown,
  ): Response {
    const content = this.#contentOf(operation)
    const address = path.replace(/\/$/, '')
    const sent = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : {}
    const send = (value: unknown) => this.#send(content, value)
    if (method === 'get' && content.item !== undefined) {
      const { records } = this.#table(address, content.item, listPath(template))
      return send(this.#page([...records.values()], content, search, template))
    }
    if (method === 'post' && !isOfRecord && content.record !== undefined) {
      const record = this.#create(address, content.record, sent, listPath(template))
      return send(this.#around(content, record, template))
    }
    if (isOfRecord) {
      const at = address.lastIndexOf('/')
      const list = address.slice(0, at)
      const key = decodeURIComponent(address.slice(at + 1))
      const schema = content.record ?? this.#recordAt(template)
      const table =
        this.#tables.get(list) ??
        (schema === undefined
          ? undefined
          : this.#table(list, schema, listPath(template.replace(/\/\{[^{}]+\}\/?$/, ''))))
      if (table?.deleted.has(key) === true) return this.#missing(operation)
      const field = schema === undefined ? 'id' : this.#fieldOfKey(template, schema)
      if (method === 'delete') {
        const [stored = key] = table === undefined ? [] : (entryOf(table, key, field) ?? [])
        table?.records.delete(stored)
        table?.deleted.add(key)
        return send(this.#whole(content, template, path))
      }
      if (content.record !== undefined && table !== undefined) {
        const record = this.#find(table, key, content.record, list, field)
        if (method !== 'get')
          Object.assign(record, withoutKey(sent, keyOf(this.#data.resolve(content.record))))
        return send(this.#around(content, record, template))
      }
    }
    return send(this.#whole(content, template, `${method} ${path}?${search.toString()}`))
  }

  /** The response of an operation that succeeds. */
  #contentOf(operation: Operation): Content {
    const responses = Object.entries(operation.responses ?? {})
    const [status, given] =
      responses.find(([name]) => name.startsWith('2')) ?? responses.find(([name]) => name === 'default') ?? []
    const response = given === undefined ? undefined : dereference<Described>(this.#description, given)
    const [type, media] =
      Object.entries(response?.content ?? {}).find(([name]) => /json/i.test(name)) ??
      Object.entries(response?.content ?? {})[0] ??
      []
    const code = Number(status)
    const base = { status: Number.isNaN(code) ? 200 : code, media, type, schema: media?.schema }
    if (media?.schema === undefined || type === undefined || !/json|\*/i.test(type)) return base
    return { ...base, ...this.#shapeOf(media.schema) }
  }

  #shapeOf(schema: Schema): Pick<Content, 'item' | 'field' | 'record'> {
    const whole = this.#data.resolve(schema)
    const isRecord = (part: Schema | undefined) => {
      const found = this.#data.resolve(part)
      return kindOf(found) === 'object' && keyOf(found) !== undefined
    }
    if (kindOf(whole) === 'array') return isRecord(whole.items) ? { item: whole.items } : {}
    if (isRecord(schema)) return { record: schema }
    const fields = Object.entries(whole.properties ?? {})
    for (const [field, inner] of fields) {
      const found = this.#data.resolve(inner)
      if (kindOf(found) === 'array' && isRecord(found.items)) return { item: found.items, field }
    }
    const records = fields.filter(([, inner]) => isRecord(inner))
    const [only, another] = records
    return only !== undefined && another === undefined && fields.length <= 2
      ? { record: only[1], field: only[0] }
      : {}
  }

  /** The schema of the records at a path, by what reading one gives. */
  #recordAt(template: string): Schema | undefined {
    const item = this.#description.paths?.[template]
    const operation = item === undefined ? undefined : dereference(this.#description, item).get
    return operation === undefined ? undefined : this.#contentOf(operation).record
  }

  #table(address: string, schema: Schema, template: string): Table {
    const known = this.#tables.get(address)
    if (known !== undefined) return known
    const name = (typeof schema === 'object' ? nameIn(schema) : undefined) ?? template
    const key = keyOf(this.#data.resolve(schema)) ?? 'id'
    const { count = 3 } = this.#settings
    const told = this.#fieldsIn(address, template, schema)
    const pool = this.#pool(schema, name)
    // A list below a record has records of its own, which name that.
    const isBelow = template.includes('{')
    const records = isBelow
      ? Array.from({ length: count }, () => {
          const record = { ...this.#make(schema, name, pool.length), ...told }
          pool.push(record)
          return record
        })
      : pool.slice(0, this.#settings.records?.[name]?.length ?? count)
    const table: Table = {
      records: new Map(records.map((record) => [String(record[key]), record])),
      deleted: new Set(),
    }
    this.#tables.set(address, table)
    return table
  }

  /** What the params of a path say of the records at it: `articleId` of `/articles/5/comments`. */
  #fieldsIn(address: string, template: string, schema: Schema): Fields {
    const { properties = {} } = this.#data.resolve(schema)
    const parts = address.split('/')
    const fields: Fields = {}
    template.split('/').forEach((part, at) => {
      const [, param] = /^\{([^{}]+)\}$/.exec(part) ?? []
      if (param === undefined) return
      const field = Object.keys(properties).find((name) => plainName(name) === plainName(param))
      const value = decodeURIComponent(parts[at] ?? '')
      if (field === undefined) return
      const isNumber = /integer|number/.test(kindOf(this.#data.resolve(properties[field])))
      fields[field] = isNumber ? Number(value) : value
    })
    return fields
  }

  #pool(schema: Schema, name: string): Fields[] {
    const known = this.#pools.get(name)
    if (known !== undefined) return known
    const { count = 3, records = {} } = this.#settings
    const pool: Fields[] = []
    this.#pools.set(name, pool)
    const told = Object.hasOwn(records, name) ? records[name] : undefined
    // One is there for the records that hold it.
    for (let index = 0; index < (told?.length ?? Math.max(1, count)); index++)
      pool.push({ ...this.#make(schema, name, index), ...told?.[index] })
    return pool
  }

  /** A record of its own, with a primary key of its own. */
  #make(schema: Schema, name: string, index: number): Fields {
    const made = this.#data.make(schema, `${name} ${index}`, index, name) as Fields | null
    const found = this.#data.resolve(schema)
    const key = keyOf(found)
    const record = made ?? {}
    const property = key === undefined ? undefined : this.#data.resolve(found.properties?.[key])
    if (key !== undefined && property !== undefined && index > 0 && /integer|number/.test(kindOf(property)))
      record[key] = Number(this.#pools.get(name)?.[0]?.[key] ?? 1) + index
    return record
  }

  /** A value as it is sent: with the records that stand in it as they are now. */
  #expand(value: unknown, depth = 0): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#expand(item, depth))
    if (value instanceof NestedRecord) {
      const { schema, name, index, overrides } = value
      if (depth > deepestNesting) return null
      const pool = this.#pool(schema, name)
      // Records of other lists come behind the first ones.
      const at = index % Math.max(1, this.#settings.records?.[name]?.length ?? this.#settings.count ?? 3)
      const record = { ...this.#shown(schema, pool[at] ?? {}), ...overrides }
      const { required } = this.#data.resolve(schema)
      const needed = new Set(Array.isArray(required) ? (required as readonly string[]) : [])
      // Records that hold each other would never end: those inside have only what they need.
      const shown = Object.entries(record).filter(
        ([field, inner]) => depth === 0 || needed.has(field) || !holdsRecord(inner),
      )
      return Object.fromEntries(
        shown.map(([field, inner]) => [
          field,
          depth > 0 && Array.isArray(inner) && holdsRecord(inner) ? [] : this.#expand(inner, depth + 1),
        ]),
      )
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => [field, this.#expand(inner, depth)]),
    )
  }

  /** The field that the last param of a path names: `username` of `/users/{username}`. Otherwise that is the primary key. */
  #fieldOfKey(template: string, schema: Schema): string {
    const found = this.#data.resolve(schema)
    const [, param = ''] = /\{([^{}]+)\}\/?$/.exec(template) ?? []
    const named = Object.keys(found.properties ?? {}).find((name) => plainName(name) === plainName(param))
    return named ?? keyOf(found) ?? 'id'
  }

  #find(table: Table, key: string, schema: Schema, list: string, field: string): Fields {
    const name = (typeof schema === 'object' ? nameIn(schema) : undefined) ?? list
    const [, known] = entryOf(table, key, field) ?? []
    if (known !== undefined) {
      // A list may show a part of the record.
      const whole = this.#data.make(schema, `${name} ${key}`, 0, name) as Fields
      for (const [part, value] of Object.entries(whole)) if (!Object.hasOwn(known, part)) known[part] = value
      return known
    }
    const record = this.#data.make(schema, `${name} ${key}`, 1, name) as Fields
    const isNumber = typeof record[field] === 'number'
    // A path may ask for a number by a name that no field has.
    if (!isNumber || !Number.isNaN(Number(key))) record[field] = isNumber ? Number(key) : key
    table.records.set(key, record)
    return record
  }

  #create(address: string, schema: Schema, sent: Fields, template: string): Fields {
    const table = this.#table(address, schema, template)
    const name = (typeof schema === 'object' ? nameIn(schema) : undefined) ?? template
    const pk = keyOf(this.#data.resolve(schema)) ?? 'id'
    const count = table.records.size + table.deleted.size
    const made = this.#data.make(schema, `${name} created ${count}`, count + 1, name) as Fields
    const pool = this.#pool(schema, name)
    const known = [...pool, ...table.records.values()].map((record) => record[pk])
    if (typeof made[pk] === 'number')
      made[pk] = Math.max(0, ...known.filter((key) => typeof key === 'number')) + 1
    const record = { ...made, ...this.#fieldsIn(address, template, schema), ...sent }
    // The server gives the key, unless it is one that only the body can tell.
    if (!Object.hasOwn(sent, pk) || typeof made[pk] === 'number') record[pk] = made[pk]
    table.records.set(String(record[pk]), record)
    pool.push(record)
    return record
  }

  /** The members of a list that its params name. */
  #page(records: readonly Fields[], content: Content, search: URLSearchParams, template: string): unknown {
    const matching = records.filter((record) =>
      [...search].every(([name, value]) => !isPlain(record[name]) || String(record[name]) === value),
    )
    const number = (pattern: RegExp) => {
      const [, value] = [...search].find(([name]) => pattern.test(name)) ?? []
      return value === undefined || value === '' || Number.isNaN(Number(value)) ? undefined : Number(value)
    }
    const limit = number(/^(limit|per_?page|page_?size|size|first)$/i)
    const page = number(/^(page|page_?number)$/i)
    const offset =
      number(/^(offset|skip)$/i) ?? (page === undefined ? 0 : (page - 1) * (limit ?? records.length))
    const shown = matching.slice(
      Math.max(0, offset),
      limit === undefined ? undefined : Math.max(0, offset) + limit,
    )
    const members = shown.map((record) => this.#shown(content.item, record))
    if (content.field === undefined) return members
    const around = this.#whole(content, template, template) as Fields
    for (const name of Object.keys(around)) {
      if (/^total/i.test(name) && typeof around[name] === 'number') around[name] = matching.length
      // The last page: a link to more would be one to nothing.
      if (/^has_?more$|^has_?next/i.test(name)) around[name] = false
      if (/^next/i.test(name) && this.#mayBeNull(content.schema, name)) around[name] = null
    }
    return { ...around, [content.field]: members }
  }

  #mayBeNull(schema: Schema | undefined, name: string): boolean {
    const found = this.#data.resolve(this.#data.resolve(schema).properties?.[name])
    return found.nullable === true || (Array.isArray(found.type) && found.type.includes('null'))
  }

  #around(content: Content, record: Fields, template: string): unknown {
    const shown = this.#shown(content.record, record)
    if (content.field === undefined) return shown
    return { ...(this.#whole(content, template, template) as Fields), [content.field]: shown }
  }

  /** A record as a schema has it: another one may show less of it. */
  #shown(schema: Schema | undefined, record: Fields): Fields {
    const { properties, additionalProperties } = this.#data.resolve(schema)
    if (properties === undefined) return record
    const open = additionalProperties !== undefined && additionalProperties !== false
    return Object.fromEntries(
      Object.entries(record).filter(
        ([name]) =>
          (Object.hasOwn(properties, name) && this.#data.resolve(properties[name]).writeOnly !== true) ||
          open,
      ),
    )
  }

  /** What is no record: the example of the response, or what its schema says. */
  #whole({ media, schema }: Content, template: string, key: string): unknown {
    const { example, examples } = (media ?? {}) as { example?: unknown; examples?: Record<string, unknown> }
    const [first] = Object.values(examples ?? {})
    const told =
      example ??
      (typeof first === 'object' && first !== null
        ? (dereference(this.#description, first) as { value?: unknown }).value
        : undefined)
    return told === undefined ? this.#data.make(schema, key, 0, template) : structuredClone(told)
  }

  #missing(operation: Operation): Response {
    const given = operation.responses?.['404']
    const response = given === undefined ? undefined : dereference<Described>(this.#description, given)
    const schema = Object.values(response?.content ?? {})[0]?.schema
    return Response.json(
      schema === undefined ? { message: 'Not found' } : this.#expand(this.#data.make(schema, '404')),
      {
        status: 404,
      },
    )
  }

  #send({ status, schema, type }: Content, value: unknown): Response {
    if (status === 204 || schema === undefined) return new Response(null, { status })
    const sent = this.#expand(value)
    if (type !== undefined && !/json|\*/i.test(type))
      return new Response(typeof sent === 'string' ? sent : '', {
        status,
        headers: { 'Content-Type': type },
      })
    return Response.json(sent, { status })
  }
}

/** Records are not deeper inside of each other. */
const deepestNesting = 6

function holdsRecord(value: unknown): boolean {
  if (value instanceof NestedRecord) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsRecord)
}

/** The record that is stored under a key, or has it in a field. */
function entryOf({ records }: Table, key: string, field: string): readonly [string, Fields] | undefined {
  const known = records.get(key)
  if (known !== undefined) return [key, known]
  return [...records].find(([, record]) => String(record[field]) === key)
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

function withoutKey(sent: Fields, key: string | undefined): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== key))
}

const listPath = (template: string) => template.replace(/(.)\/$/, '$1')

/** The field by which records are told apart. */
function keyOf({
  properties = {},
  required,
}: {
  properties?: Readonly<Record<string, Schema>>
  required?: unknown
}): string | undefined {
  const names = Object.keys(properties)
  const needed = Array.isArray(required) ? (required as readonly string[]) : []
  return (
    names.find((name) => name === 'id') ??
    needed.find((name) => names.includes(name) && /^(uuid|_id|ID|Id|slug|pk)$/.test(name))
  )
}

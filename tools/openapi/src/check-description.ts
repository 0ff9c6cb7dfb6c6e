import { componentName } from './description.js'
import type { Description, Schema } from './description.js'

// Refuses what the reader could not follow, with its place: so no later stage has to ask whether a part is an object.

/** The levels that a description may nest: twice as many as of schemas, because each property adds two. */
const deepest = 200
/** More is no description, but one that repeats its parts until the memory is full. */
const mostParts = 5_000_000

type Tree = Readonly<Record<string, unknown>>

/** A value that waits to be looked at. `parent` makes its place, which only an error needs. */
interface Place {
  readonly name: string
  readonly parent: Place | undefined
}

/**
 * Checks a description as it was parsed. Members that YAML leaves empty are removed.
 *
 * @throws {Error} for a description that nests too deep, is too large or has half of a character, and for a part of the wrong kind
 */
export function checkDescription(description: object): void {
  checkTree(description)
  checkParts(description)
}

function checkTree(description: object): void {
  const open: [value: unknown, place: Place | undefined, depth: number][] = [[description, undefined, 0]]
  let count = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, parent, depth] = next
    if (++count > mostParts)
      throw new Error(
        `The description has more than ${mostParts.toLocaleString('en')} parts. Does an alias of YAML repeat them?`,
      )
    if (typeof value === 'string' && isBroken(value))
      throw new Error(`${textOf(parent)} has half of a character (a lone surrogate). Remove it.`)
    if (typeof value !== 'object' || value === null) continue
    if (depth > deepest)
      throw new Error(
        `The description nests deeper than ${deepest} levels at ${textOf(parent)}. Give a schema in between a name.`,
      )
    const isList = Array.isArray(value)
    for (const [name, inner] of Object.entries(value)) {
      const place = { name, parent }
      if (!isList && isBroken(name))
        throw new Error(`${textOf(place)} has half of a character (a lone surrogate) in its name. Remove it.`)
      open.push([inner, place, depth + 1])
    }
  }
}

const isBroken = (text: string) => /[\uD800-\uDFFF]/.test(text) && /\p{Surrogate}/u.test(text)

/** `#/paths/~1x/get`, as a reference has it. */
function textOf(place: Place | undefined): string {
  const names: string[] = []
  for (let one = place; one !== undefined; one = one.parent)
    names.unshift(one.name.replaceAll('~', '~0').replaceAll('/', '~1'))
  return ['#', ...names.map((name) => name.replace(/\p{Surrogate}/gu, '\uFFFD'))].join('/')
}

/** What a member has to be. `many` is an object whose members have any name, `list` a list. */
type Shape =
  { readonly is: 'text' | 'texts' | 'list' } | { readonly is: 'one' | 'many' | 'list'; readonly of: Kind }

type Kind =
  | 'description'
  | 'components'
  | 'path'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'response'
  | 'media'
  | 'schema'
  | 'discriminator'
  | 'part'
  | 'text'

const one = (kind: Kind): Shape => ({ is: 'one', of: kind })
const many = (kind: Kind): Shape => ({ is: 'many', of: kind })
const list = (kind: Kind): Shape => ({ is: 'list', of: kind })
const text: Shape = { is: 'text' }

/** The kinds of parts, with the members by which they are read. */
const kinds: Readonly<Record<Kind, Readonly<Record<string, Shape>>>> = {
  description: {
    paths: many('path'),
    components: one('components'),
    definitions: many('schema'),
    parameters: many('parameter'),
    responses: many('response'),
    securityDefinitions: many('part'),
    servers: list('part'),
    tags: list('part'),
  },
  components: {
    schemas: many('schema'),
    parameters: many('parameter'),
    responses: many('response'),
    requestBodies: many('requestBody'),
    headers: many('part'),
    securitySchemes: many('part'),
  },
  path: {
    $ref: text,
    parameters: list('parameter'),
    ...Object.fromEntries(
      ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'].map((method) => [
        method,
        one('operation'),
      ]),
    ),
  },
  operation: {
    operationId: text,
    summary: text,
    description: text,
    tags: { is: 'texts' },
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: many('response'),
  },
  parameter: {
    $ref: text,
    name: text,
    in: text,
    description: text,
    style: text,
    schema: one('schema'),
    content: many('media'),
    items: one('schema'),
  },
  requestBody: { $ref: text, content: many('media') },
  response: { $ref: text, content: many('media'), headers: many('part'), schema: one('schema') },
  media: { schema: one('schema'), encoding: many('part') },
  schema: {
    $ref: text,
    type: { is: 'texts' },
    title: text,
    description: text,
    format: text,
    enum: { is: 'list' },
    properties: many('schema'),
    patternProperties: many('schema'),
    additionalProperties: one('schema'),
    items: one('schema'),
    prefixItems: list('schema'),
    allOf: list('schema'),
    oneOf: list('schema'),
    anyOf: list('schema'),
    discriminator: one('discriminator'),
  },
  discriminator: { propertyName: text, mapping: many('text') },
  part: { $ref: text, description: text, name: text, in: text, scheme: text },
  text: {},
}

function checkParts(description: object): void {
  const open: [value: unknown, kind: Kind, place: Place | undefined][] = [
    [description, 'description', undefined],
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, kind, parent] = next
    if (kind === 'schema' && typeof value === 'boolean') continue
    if (kind === 'text') {
      if (typeof value !== 'string') throw wrong(parent, value, 'text')
      continue
    }
    if (!isObject(value)) throw wrong(parent, value, kind === 'schema' ? 'a schema' : 'an object')
    for (const [name, shape] of Object.entries<Shape>(kinds[kind])) {
      if (!Object.hasOwn(value, name)) continue
      const inner = value[name]
      const place = { name, parent }
      // A member that YAML leaves empty is none. In the place of a schema, an operation or a reference it is a mistake.
      if (inner === null && shape.is !== 'one' && name !== '$ref')
        delete (value as Record<string, unknown>)[name]
      if (inner === undefined || !Object.hasOwn(value, name)) continue
      if (shape.is === 'text') {
        if (typeof inner !== 'string') throw wrong(place, inner, 'text')
      } else if (shape.is === 'texts') {
        const isText = [inner].flat().every((item) => typeof item === 'string')
        if (!isText) throw wrong(place, inner, 'text or a list of text')
      } else if (shape.is === 'one' && 'of' in shape) {
        // JSON Schema had a list here for a tuple.
        if (name === 'items' && Array.isArray(inner)) continue
        open.push([inner, shape.of, place])
      } else {
        const isRight = shape.is === 'list' ? Array.isArray(inner) : isObject(inner)
        if (!isRight) throw wrong(place, inner, shape.is === 'list' ? 'a list' : 'an object')
        if (!('of' in shape)) continue
        for (const [part, found] of Object.entries(inner as object)) {
          // `x-…` may be anything. Paths may hold it beside the paths.
          if (shape.is === 'many' && kind !== 'schema' && part.startsWith('x-')) continue
          open.push([found, shape.of, { name: part, parent: place }])
        }
      }
    }
  }
}

function isObject(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrong(place: Place | undefined, value: unknown, wanted: string): Error {
  const found = Array.isArray(value)
    ? 'a list'
    : isObject(value)
      ? 'an object'
      : (JSON.stringify(value) ?? 'missing').slice(0, 60)
  return new Error(`${textOf(place)} is ${found}. It has to be ${wanted}.`)
}

/** More schemas in a row extend each other in no description that a person wrote. */
const mostBases = 100

/**
 * Checks that no schema with a name extends itself.
 *
 * @throws {Error} for a loop of `allOf`, with its schemas
 */
export function checkAllOf({ components }: Description): void {
  const schemas = components?.schemas ?? {}
  const checked = new Set<string>()
  const check = (name: string, path: readonly string[]): void => {
    if (path.includes(name))
      throw new Error(
        `The schema ${name} holds itself by allOf: ${[...path.slice(path.indexOf(name)), name].join(' → ')}. Remove one of them.`,
      )
    if (checked.has(name) || !Object.hasOwn(schemas, name)) return
    if (path.length > mostBases)
      throw new Error(
        `The schema ${path[0]} extends more than ${mostBases} schemas in a row by allOf: ${path.slice(0, 5).join(' → ')} → …`,
      )
    for (const base of basesOf(schemas[name])) check(base, [...path, name])
    checked.add(name)
  }
  for (const name of Object.keys(schemas)) check(name, [])
}

/** The names of the schemas that are parts of one. */
function basesOf(schema: Schema | undefined): string[] {
  if (typeof schema !== 'object') return []
  return (schema.allOf ?? []).flatMap((part) => {
    if (typeof part !== 'object' || part.$ref === undefined) return basesOf(part)
    return componentName(part.$ref) ?? []
  })
}

import type { Call } from './read-calls.js'
import { plainName, singular, toCamel, toPascal } from './names.js'
import type { Corrections } from './options.js'
import type { SchemaReader } from './read-schemas.js'
import type { Report } from './report.js'
import {
  allFields,
  groupBy,
  holdsDate,
  isEntity,
  namedIn,
  partsOf,
  partsOfDeclaration,
  reachableFrom,
  resolveAlias,
  withHolders,
  withoutNull,
} from './types.js'
import type { Declaration, Field, ObjectType, Type } from './types.js'

// Decides which objects are records, and what identifies them.

/** Gives the records of responses that have no name one: by the word around them, else by the path. */
export function declareRecords(
  calls: readonly Call[],
  schemas: SchemaReader,
  corrections: Corrections,
): void {
  for (const call of calls) {
    if (call.answer.kind !== 'json') continue
    call.answer.type = declareIn(call.answer.type, wordOf(call), call, schemas, corrections, 0)
  }
  // The same objects, in other places.
  const seen = new Set<Type>()
  const replace = (type: Type): Type => {
    if (type.kind === 'object') {
      const declaration = schemas.declarationOf(type.signature)
      if (declaration !== undefined) return { kind: 'named', declaration }
      if (!seen.has(type)) {
        seen.add(type)
        for (const field of type.fields) field.type = replace(field.type)
      }
      return type
    }
    if (type.kind === 'array') return { ...type, item: replace(type.item) }
    if (type.kind === 'map') return { ...type, value: replace(type.value) }
    if (type.kind === 'tuple') return { ...type, items: type.items.map(replace) }
    if (type.kind === 'union') return { ...type, members: type.members.map(replace) }
    return type
  }
  for (const call of calls) call.answer.type = replace(call.answer.type)
  for (const declaration of schemas.declarations) {
    for (const field of declaration.fields) field.type = replace(field.type)
    if (declaration.type !== undefined) declaration.type = replace(declaration.type)
  }
}

function declareIn(
  type: Type,
  word: string,
  call: Call,
  schemas: SchemaReader,
  corrections: Corrections,
  depth: number,
): Type {
  if (type.kind === 'array')
    return { ...type, item: declareIn(type.item, singular(word), call, schemas, corrections, depth) }
  if (type.kind === 'union' && type.by === undefined)
    return {
      ...type,
      members: type.members.map((member) => declareIn(member, word, call, schemas, corrections, depth)),
    }
  if (type.kind === 'named' && type.declaration.kind === 'object' && depth === 0) {
    declareInFields(type.declaration.fields, word, call, schemas, corrections)
    return type
  }
  if (type.kind !== 'object') return type
  if (type.fields.some((field) => isKeyName(field.name) && isKeyType(field.type))) {
    const place = `the response of ${call.id}`
    return { kind: 'named', declaration: schemas.declare(type, toPascal(singular(word)), place) }
  }
  if (depth === 0) declareInFields(type.fields, word, call, schemas, corrections)
  return type
}

function declareInFields(
  fields: readonly Field[],
  word: string,
  call: Call,
  schemas: SchemaReader,
  corrections: Corrections,
): void {
  for (const field of fields) {
    const own = wrappers.has(field.name) ? word : field.name
    field.type = declareIn(field.type, own, call, schemas, corrections, 1)
  }
}

/** Members that say nothing of what they hold. */
const wrappers = new Set([
  'data',
  'items',
  'results',
  'result',
  'records',
  'list',
  'values',
  'value',
  'content',
  'rows',
  'entries',
  'elements',
  'objects',
  'item',
  'payload',
  'response',
  'collection',
  'docs',
  'nodes',
  '_embedded',
])

/** The last word of the path. */
function wordOf({ path }: Call): string {
  return path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? 'record'
}

const isKeyName = (name: string) => ['id', 'uuid', '_id'].includes(name)

/** Text and numbers identify; constants and yes or no do not. */
function isKeyType(type: Type): boolean {
  const found = resolveAlias(withoutNull(type).type)
  if (found.kind === 'union') return found.members.every(isKeyType)
  return found.kind === 'basic' && (found.name === 'string' || found.name === 'number')
}

/** Notes where each declaration is used: in responses, requests or errors, and by which tags. */
export function noteUse(calls: readonly Call[]): void {
  const uses = ['response', 'request', 'error'] as const
  const typesOf = (call: Call, use: (typeof uses)[number]): readonly Type[] => {
    if (use === 'response') return [call.answer.type]
    if (use === 'error') return call.errors.map(([, type]) => type)
    return [
      ...(call.body === undefined ? [] : [call.body.type]),
      ...call.searchParams.map(({ type }) => type),
      ...call.headerParams.map(({ type }) => type),
    ]
  }
  for (const use of uses)
    for (const declaration of reachableFrom(calls.flatMap((call) => typesOf(call, use))))
      declaration.usedIn.add(use)
  // A second tag is as good as any: each declaration is passed twice at most.
  const open: [declaration: Declaration, tag: string][] = calls.flatMap((call) =>
    namedIn(uses.flatMap((use) => typesOf(call, use))).map((declaration): [Declaration, string] => [
      declaration,
      call.tag,
    ]),
  )
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [declaration, tag] = next
    if (declaration.tags.size === 2 || declaration.tags.has(tag)) continue
    declaration.tags.add(tag)
    for (const other of namedIn(partsOfDeclaration(declaration))) open.push([other, tag])
  }
}

/** Notes which declarations hold records or dates, and which aliases hold themselves. */
export function findNeeds(declarations: readonly Declaration[]): void {
  for (const declaration of declarations)
    declaration.isRecursive = declaration.kind === 'alias' && holdsItself(declaration)
  const needing = withHolders(declarations, (one, parts) => isEntity(one) || parts.some(holdsDate))
  for (const declaration of needing) declaration.needsSchema = true
}

/** `true` for an alias that its own type names, be it through other aliases. */
function holdsItself(declaration: Declaration): boolean {
  const seen = new Set<Declaration>()
  const open = namedIn(partsOfDeclaration(declaration))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === declaration) return true
    if (seen.has(next) || next.kind !== 'alias') continue
    seen.add(next)
    open.push(...namedIn(partsOfDeclaration(next)))
  }
  return false
}

/** Decides which declarations are entities. */
export function identify(
  declarations: readonly Declaration[],
  calls: readonly Call[],
  corrections: Corrections,
  report: Report,
): void {
  const keys = keysInPaths(calls)
  for (const declaration of declarations) {
    if (declaration.kind !== 'object' || !declaration.usedIn.has('response')) continue
    const { source, name } = declaration
    const correction = corrections.entities?.[source]
    if (correction === false) continue
    const fields = allFields(declaration)
    const pk = correction?.pk ?? keyFieldOf(declaration, fields, keys.get(declaration), report)
    if (pk === undefined) continue
    if (!fields.some((field) => field.name === pk))
      throw new Error(`The options name "${pk}" as the primary key of ${source}, which has no such field.`)
    declaration.identity = { pk, key: correction?.key ?? name, indexes: new Set() }
  }
  // A class can extend a class only, and an interface only an interface.
  for (const declaration of declarations) {
    const { base } = declaration
    if (base === undefined || isEntity(base) === isEntity(declaration)) continue
    declaration.fields = [...allFields(declaration)]
    declaration.base = undefined
  }
  for (const declaration of declarations) if (isEntity(declaration)) checkFields(declaration, report)
  for (const declaration of declarations) shareKey(declaration, corrections)
}

/** A subclass is the same record as its base, unless a property tells them apart. */
function shareKey(declaration: Declaration, corrections: Corrections): void {
  const { base, identity, source } = declaration
  const correction = corrections.entities?.[source]
  if (base?.identity === undefined || identity === undefined) return
  if (typeof correction === 'object' && correction.key !== undefined) return
  if (base.subtypes === undefined) identity.key = base.identity.key
}

function keyFieldOf(
  declaration: Declaration,
  fields: readonly Field[],
  inPath: string | undefined,
  report: Report,
): string | undefined {
  const find = (test: (field: Field) => boolean) =>
    fields.find((field) => isKeyType(field.type) && test(field))?.name
  const { source } = declaration
  const id = find(({ name }) => name === 'id')
  if (id !== undefined) return id
  const named = plainName(declaration.name)
  const guess =
    find(({ name }) => name === inPath) ??
    find(({ name, isRequired }) => isRequired && ['uuid', '_id', 'ID', 'Id', 'pk'].includes(name)) ??
    find(({ name, isRequired }) => isRequired && [`${named}id`, `${named}uuid`].includes(plainName(name)))
  if (guess !== undefined) report.add('entity', source, `is an entity with the primary key "${guess}".`)
  return guess
}

/** The fields that the last params of paths name, of what these paths return. */
function keysInPaths(calls: readonly Call[]): Map<Declaration, string> {
  const keys = new Map<Declaration, string>()
  for (const { method, path, answer } of calls) {
    const [, param] = /\{([^{}]+)\}\/?$/.exec(path) ?? []
    const type = withoutNull(answer.type).type
    if (param === undefined || !['get', 'put', 'patch'].includes(method)) continue
    if (type.kind !== 'named' || type.declaration.kind !== 'object' || keys.has(type.declaration)) continue
    const field = allFields(type.declaration).find(
      ({ name, isRequired }) => isRequired && plainName(name) === plainName(param),
    )
    if (field !== undefined && path.split('{').length === 2) keys.set(type.declaration, field.name)
  }
  return keys
}

/** Fields that a class cannot have get another name. */
function checkFields(declaration: Declaration, report: Report): void {
  const taken = new Set(allFields(declaration).map(({ name }) => name))
  declaration.fields = declaration.fields.map((field) => {
    if (field.name !== 'pk' && !(field.name in Object.prototype)) return field
    const isKey = declaration.identity?.pk === field.name
    const wanted =
      isKey && !taken.has('id')
        ? 'id'
        : field.name === 'pk'
          ? 'primaryKey'
          : `${field.name.replaceAll('_', '')}Field`
    declaration.renamed.set(wanted, field.name)
    if (isKey) declaration.identity = { ...declaration.identity, pk: wanted } as Declaration['identity']
    report.add(
      'name',
      `${declaration.source}.${field.name}`,
      `is read as "${wanted}", because a class has a member of that name.`,
    )
    return { ...field, name: wanted }
  })
}

/** Adds the relations that the options tell, and those of fields `authorId` to the report. */
export function relate(declarations: readonly Declaration[], corrections: Corrections, report: Report): void {
  const bySource = new Map(declarations.map((declaration) => [declaration.source, declaration]))
  for (const [place, target] of Object.entries(corrections.relations ?? {})) {
    const at = place.lastIndexOf('.')
    const owner = bySource.get(place.slice(0, at))
    const related = bySource.get(target)
    const field = owner?.fields.find(({ name }) => name === place.slice(at + 1))
    if (owner?.identity === undefined || field === undefined)
      throw new Error(`The options name a relation of ${place}, which is no field of an entity.`)
    if (related?.identity === undefined)
      throw new Error(`The options name a relation of ${place} to ${target}, which is no entity.`)
    const isList = withoutNull(field.type).type.kind === 'array'
    const stem = field.name.replace(/_?(ids?|uuids?|Ids?|IDs?)$/, '')
    const own = isList ? `${stem}s` : stem
    const taken = allFields(owner).some(({ name }) => name === own)
    const name =
      own === '' || taken || stem === field.name
        ? toCamel(`${field.name} ${isList ? 'records' : 'record'}`)
        : own
    const type: Type = { kind: 'named', declaration: related }
    owner.relations.set(name, field.name)
    owner.fields.push({
      ...field,
      name,
      type: isList ? { kind: 'array', item: type } : type,
      isRequired: false,
      isReadOnly: true,
      description: undefined,
      default: undefined,
    })
  }
  const entities = declarations.filter(isEntity)
  const byName = groupBy(entities, ({ name }) => plainName(name))
  for (const owner of entities)
    for (const { name, type } of owner.fields) {
      const [, stem] = /^(.+?)_?(?:id|Id|ID)$/.exec(name) ?? []
      const [target] = stem === undefined ? [] : (byName.get(plainName(stem)) ?? [])
      if (target === undefined || target === owner || !isKeyType(type)) continue
      if (corrections.relations?.[`${owner.source}.${name}`] !== undefined) continue
      report.add(
        'relation',
        `${owner.source}.${name}`,
        `may be the primary key of ${target.name}. It stays a plain value; "relations": { "${owner.source}.${name}": "${target.source}" } relates them.`,
      )
    }
}

/** What a response holds. */
export interface Shape {
  /** One record, or one of several kinds. */
  readonly record?: Type
  /** The members of a list of records. */
  readonly item?: Type
  /** The field that holds the record or the list. */
  readonly field?: string
  /** All fields of the object around it. */
  readonly fields?: readonly Field[]
}

/** Finds the record or the list of records in a response: itself, or in a field of an object around it. */
export function shapeOf(type: Type, path: string): Shape {
  const bare = withoutNull(type).type
  if (isRecord(bare)) return { record: bare }
  const found = resolveAlias(bare)
  if (found.kind === 'array') return isRecord(found.item) ? { item: found.item } : {}
  const fields = fieldsOf(found)
  if (fields === undefined) return {}
  const word = plainName(path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? '')
  const lists = fields.flatMap((field) => {
    const list = resolveAlias(withoutNull(field.type).type)
    return list.kind === 'array' && isRecord(list.item) ? [{ field, item: list.item }] : []
  })
  const isWord = ({ name }: Field) => wrappers.has(name) || plainName(name) === word
  const list = lists.length === 1 ? lists[0] : lists.find(({ field }) => isWord(field))
  const records = fields.filter((field) => isRecord(withoutNull(field.type).type))
  if (list !== undefined && (records.length === 0 || isWord(list.field)))
    return { item: list.item, field: list.field.name, fields }
  const record = records.find(
    (field) =>
      wrappers.has(field.name) ||
      [word, plainName(singular(word))].includes(plainName(field.name)) ||
      (fields.length === 1 && records.length === 1),
  )
  return record === undefined || list !== undefined
    ? {}
    : { record: withoutNull(record.type).type, field: record.name, fields }
}

function fieldsOf(type: Type): readonly Field[] | undefined {
  if (type.kind === 'object') return (type as ObjectType).fields
  return type.kind === 'named' && type.declaration.kind === 'object' ? allFields(type.declaration) : undefined
}

/** `true` for an entity, and for a choice of entities that a property tells apart. */
export function isRecord(type: Type): boolean {
  if (type.kind === 'named' && type.declaration.kind === 'object') return isEntity(type.declaration)
  const found = resolveAlias(type)
  return (
    found.kind === 'union' &&
    found.by !== undefined &&
    found.by.mapping.every(([, member]) => isRecord(member))
  )
}

/** The declaration of a record; of a choice its first. */
export function recordOf(type: Type): Declaration | undefined {
  const found = resolveAlias(type)
  if (found.kind === 'named') return found.declaration
  return found.kind === 'union' && found.by?.mapping[0] !== undefined
    ? recordOf(found.by.mapping[0][1])
    : undefined
}

/** `true` if a type holds records or dates, so that it needs a schema. */
export function needsSchema(type: Type): boolean {
  if (type.kind === 'date') return true
  if (type.kind !== 'named') return partsOf(type).some(needsSchema)
  return type.declaration.needsSchema
}

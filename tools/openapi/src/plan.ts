import { isRecord, recordOf, shapeOf } from './model.js'
import type { Shape } from './model.js'
import { plainName, singular, toCamel } from './names.js'
import type { Names } from './names.js'
import type { Corrections } from './options.js'
import type { Call, PathParam } from './read-calls.js'
import type { Report } from './report.js'
import { allFields, isSame, resolveAlias, withoutNull } from './types.js'
import type { Declaration, Field, Type } from './types.js'

// Decides which operations make a resource, and what is left as endpoints.

export type MemberName = 'get' | 'getList' | 'create' | 'update' | 'partialUpdate' | 'delete'

export interface Member {
  readonly name: MemberName
  readonly call: Call
  readonly shape: Shape
}

/** The operations of one kind of record, at two paths. */
export interface ResourcePlan {
  readonly name: string
  /** The name of the resource before its members are picked. */
  readonly innerName: string
  readonly tag: string
  /** The pattern of the path of one record. */
  readonly path: string
  /** The pattern of the path of the list, where it is not that of the record without its last param. */
  readonly listPath: string | undefined
  readonly record: Type
  readonly members: readonly Member[]
  /** The path of the record in the description. */
  readonly source: string
  /** Its name in messages, where another resource has that of the table. */
  endpointName?: string
}

/** An operation of its own. */
export interface EndpointPlan {
  readonly name: string
  readonly call: Call
  readonly path: string
  readonly shape: Shape
  /** The endpoint of the list to which this one adds a record. */
  readonly pushesTo: string | undefined
  /** `true` if other endpoints add to its list. */
  isPushed: boolean
}

export interface Plan {
  readonly resources: readonly ResourcePlan[]
  readonly endpoints: readonly EndpointPlan[]
}

export function makePlan(
  calls: readonly Call[],
  declarations: readonly Declaration[],
  names: Names,
  corrections: Corrections,
  report: Report,
): Plan {
  const byPath = new Map<string, Call[]>()
  for (const call of calls) {
    const path = withoutSlash(call.path)
    const known = byPath.get(path)
    if (known === undefined) byPath.set(path, [call])
    else known.push(call)
  }
  const used = new Set<Call>()
  const resources: ResourcePlan[] = []
  for (const path of byPath.keys()) {
    const resource = resourceAt(path, byPath, used, declarations, names, corrections, report)
    if (resource === undefined) continue
    for (const { call } of resource.members) used.add(call)
    resources.push(resource)
  }
  const endpoints: EndpointPlan[] = []
  const lists = new Map<string, EndpointPlan>()
  for (const call of calls) {
    if (used.has(call)) continue
    const shape = call.answer.kind === 'json' ? shapeOf(call.answer.type, call.path) : {}
    const wanted = corrections.names?.[call.id] ?? call.name
    const at = call.method === 'post' ? lists.get(withoutSlash(call.path)) : undefined
    const list = at !== undefined && isListFor(at, shape) ? at : undefined
    if (list !== undefined) list.isPushed = true
    const plan: EndpointPlan = {
      name: names.take(wanted, call.id, 'Call'),
      call,
      path: toPattern(call, keyParamOf(call, shape), true),
      shape,
      pushesTo: list?.name,
      isPushed: false,
    }
    endpoints.push(plan)
    if (call.method === 'get') lists.set(withoutSlash(call.path), plan)
  }
  nameEndpoints(resources)
  for (const { call, shape, name } of endpoints) tellAdded(call, shape, name, declarations, report)
  return { resources, endpoints }
}

/** The members of a resource are called `Dish.get` in messages and tools: a second one of the table needs a name of its own. */
function nameEndpoints(resources: readonly ResourcePlan[]): void {
  const taken = new Set<string>()
  for (const resource of resources) {
    const key = recordOf(resource.record)?.identity?.key ?? ''
    if (taken.has(key)) resource.endpointName = resource.name.replace(/(?<=.)Resource(?=\d*$)/, '')
    taken.add(key)
  }
}

/** Tells how a record that a call adds joins the list in the record above it: `POST /orders/{id}/items` and `Order.items`. */
function tellAdded(
  call: Call,
  { record }: Shape,
  name: string,
  declarations: readonly Declaration[],
  report: Report,
): void {
  const [, around, owner, segment] = /^(.*?)([^/{}]+)\/\{[^{}]+\}\/([^/{}]+)\/?$/.exec(call.path) ?? []
  if (call.method !== 'post' || record === undefined || owner === undefined || segment === undefined) return
  const added = recordOf(record)
  for (const declaration of declarations) {
    if (declaration.identity === undefined || plainName(declaration.name) !== plainName(singular(owner)))
      continue
    const list = allFields(declaration).find(
      (field) => plainName(field.name) === plainName(segment) && isListOf(field, added),
    )
    if (list === undefined || around === undefined) continue
    const { name: of, identity } = declaration
    const param = /([:*])([\w$]+)\/[^/]*$/.exec(toPattern(call, undefined, true))?.[2] ?? 'id'
    report.add(
      'relation',
      call.id,
      `adds to ${of}.${list.name}, which shows it when the record is fetched again. To add it at once, let a subclass of ${of} have ` +
        `\`static override schema = { ...${of}.schema, ${list.name}: new schema.Collection([${added?.name}], { nestKey: (record) => ({ ${param}: record.${identity.pk} }) }) }\`, ` +
        `and extend ${name} with the \`push\` of that Collection as its schema.`,
    )
  }
}

function isListOf({ type }: Field, added: Declaration | undefined): boolean {
  const list = resolveAlias(withoutNull(type).type)
  return list.kind === 'array' && added !== undefined && recordOf(list.item) === added
}

function isListFor({ call, shape }: EndpointPlan, created: Shape): boolean {
  if (shape.item === undefined || created.record === undefined) return false
  return isSame(shape.item, created.record) && call.answer.type.kind === 'array'
}

const find = (calls: readonly Call[], method: string) => calls.find((call) => call.method === method)

const withoutSlash = (path: string) => (path.length > 1 ? path.replace(/\/$/, '') : path)

function resourceAt(
  path: string,
  byPath: ReadonlyMap<string, readonly Call[]>,
  used: ReadonlySet<Call>,
  declarations: readonly Declaration[],
  names: Names,
  corrections: Corrections,
  report: Report,
): ResourcePlan | undefined {
  const [, listPath = '', param = ''] = /^(.*)\/\{([^{}]+)\}$/.exec(path) ?? []
  if (param === '' || listPath === '' || listPath.endsWith('}')) return undefined
  const free = (calls: readonly Call[] | undefined) => (calls ?? []).filter((call) => !used.has(call))
  const ofRecord = free(byPath.get(path))
  const ofList = free(byPath.get(listPath))
  const shapes = new Map([...ofRecord, ...ofList].map((call) => [call, shapeOfCall(call)]))
  const recordAt = (method: string) => {
    const call = find(ofRecord, method)
    return call === undefined ? undefined : shapes.get(call)?.record
  }
  const list = find(ofList, 'get')
  const item = list === undefined ? undefined : shapes.get(list)?.item
  const record = recordAt('get') ?? recordAt('put') ?? recordAt('patch') ?? recordAt('post') ?? item
  const declaration = record === undefined ? undefined : recordOf(record)
  const first = ofRecord[0]
  if (record === undefined || declaration?.identity === undefined || first === undefined) return undefined

  const key = keyParam(first, declaration)
  const members: Member[] = []
  const add = (name: MemberName, call: Call | undefined, fits: (shape: Shape) => boolean) => {
    if (call === undefined || members.some((member) => member.name === name)) return
    const shape = shapes.get(call) ?? {}
    if (fits(shape)) members.push({ name, call, shape })
  }
  const isOfTable = (type: Type | undefined) => type !== undefined && isSameTable(type, record)
  const confirms = (call: Call | undefined) => (shape: Shape) =>
    isOfTable(shape.record) ||
    (shape.record === undefined && shape.item === undefined && call?.answer.kind === 'none')
  const [post, put, patch, change] = [
    find(ofList, 'post'),
    find(ofRecord, 'put'),
    find(ofRecord, 'patch'),
    find(ofRecord, 'post'),
  ]
  add('getList', list, (shape) => isOfTable(shape.item))
  add('get', find(ofRecord, 'get'), (shape) => isOfTable(shape.record))
  add('create', post, (shape) => isOfTable(shape.record))
  add('update', put, confirms(put))
  add('partialUpdate', patch, confirms(patch))
  add('partialUpdate', change, (shape) => isOfTable(shape.record))
  // Without a response only the params name what was deleted.
  if (key === declaration.identity.pk) add('delete', find(ofRecord, 'delete'), () => true)
  const others = members.filter(({ name }) => name !== 'getList')
  if (members.length < 2 || others.length === 0) return undefined
  for (const member of members) if (member.name !== 'delete') shareTable(member, declaration, report)
  nameTable(declaration, declarations, corrections)
  if (key !== undefined && key !== declaration.identity.pk) declaration.identity.indexes.add(key)

  const pattern = toPattern(first, key)
  const wanted = corrections.names?.[path] ?? corrections.names?.[first.path]
  const name = resourceName(wanted, declaration, listPath, names, path)
  const inner = names.take(toCamel(listPath.split('/').at(-1) ?? name), path, 'Members')
  const other = [list, post].find(
    (call) => call !== undefined && call.path.endsWith('/') && call.path !== '/',
  )
  return {
    name,
    innerName: inner,
    tag: members[0]?.call.tag ?? first.tag,
    path: pattern,
    listPath: other === undefined ? undefined : toPattern(other, undefined),
    record,
    members,
    source: path,
  }
}

const shapeOfCall = (call: Call): Shape =>
  call.answer.kind === 'json' ? shapeOf(call.answer.type, call.path) : {}

/** `userResource`; for users below something else, such as a team, `teamUserResource`. */
function resourceName(
  wanted: string | undefined,
  declaration: Declaration,
  listPath: string,
  names: Names,
  place: string,
): string {
  if (wanted !== undefined) return names.take(wanted, place, 'Resource')
  const own = `${toCamel(declaration.identity?.key ?? declaration.name)}Resource`
  if (names.isFree(own)) return names.take(own, place, 'Resource')
  const words = listPath.split('/').filter((part) => part !== '' && !part.includes('{'))
  return names.take(`${toCamel(words.map(singular).join(' '))}Resource`, place, 'Resource')
}

/** `true` if two types are the same kind of record, or views of it that have one primary key. */
function isSameTable(type: Type, record: Type): boolean {
  if (isSame(type, record)) return true
  const [one, other] = [recordOf(type), recordOf(record)]
  if (one?.identity === undefined || other?.identity === undefined || !isRecord(type)) return false
  if (one === other) return true
  const [pk, otherPk] = [one, other].map((declaration) =>
    allFields(declaration).find(({ name }) => name === declaration.identity?.pk),
  )
  return (
    pk !== undefined && otherPk !== undefined && pk.name === otherPk.name && isSameKind(pk.type, otherPk.type)
  )
}

const isSameKind = (a: Type, b: Type) =>
  isSame(resolveAlias(withoutNull(a).type), resolveAlias(withoutNull(b).type))

/** Views of one record share its table. */
function shareTable({ call, shape }: Member, declaration: Declaration, report: Report): void {
  const type = shape.record ?? shape.item
  const other = type === undefined ? undefined : recordOf(type)
  if (other?.identity === undefined || declaration.identity === undefined) return
  if (other === declaration || other.identity.key === declaration.identity.key) return
  const [owner, guest] = declaration.isInline && !other.isInline ? [other, declaration] : [declaration, other]
  // What has a table that is not its own name was told so before.
  if (owner.identity === undefined || guest.identity === undefined || guest.identity.key !== guest.name)
    return
  guest.identity.key = owner.identity.key
  report.add(
    'entity',
    guest.source,
    `(${guest.name}) is stored as ${owner.identity.key}: ${call.id} returns the same records as ${owner.name}.`,
  )
}

/** A table has the name of the whole record, not of its summary. */
function nameTable(whole: Declaration, declarations: readonly Declaration[], corrections: Corrections): void {
  const { base, identity, name } = whole
  if (whole.isInline || base?.identity === undefined || identity === undefined || identity.key !== base.name)
    return
  const all = declarations.filter((one) => one.identity?.key === base.name)
  const isTold = all.some(({ source }) => {
    const correction = corrections.entities?.[source]
    return typeof correction === 'object' && correction.key !== undefined
  })
  if (!isTold) for (const one of all) if (one.identity !== undefined) one.identity.key = name
}

/** The name of the last param in the pattern: the field that it names, or its own. */
function keyParamOf(call: Call, shape: Shape): string | undefined {
  const declaration = shape.record === undefined ? undefined : recordOf(shape.record)
  if (declaration?.identity === undefined || !/\}\/?$/.test(call.path)) return undefined
  return keyParam(call, declaration)
}

/**
 * The field that the last param of a path names: the primary key, or, if the path has no other param, another field.
 *
 * @returns `undefined` if it names none
 */
function keyParam(call: Call, declaration: Declaration): string | undefined {
  const { pathParams, path } = call
  const last = pathParams.at(-1)
  const pk = declaration.identity?.pk
  if (last === undefined || pk === undefined) return undefined
  const fields = allFields(declaration)
  const field = fields.find(({ name }) => name === pk)
  const segment = plainName(
    singular(
      path
        .replace(/\/?\{[^{}]+\}\/?$/, '')
        .split('/')
        .at(-1) ?? '',
    ),
  )
  const [param, key, name] = [last.source, pk, declaration.name].map(plainName)
  const isNamed = [key, `${name}${key}`, `${segment}${key}`].includes(param)
  // A word such as {org} may be a name or an id: the types tell.
  const isBare = [name, segment].includes(param) && isOfSameType(last, field)
  if (isNamed || isBare) return pk
  const other = fields.find((one) => plainName(one.name) === param && one.isRequired)
  return other === undefined || pathParams.length > 1 ? undefined : other.name
}

function isOfSameType({ type }: PathParam, field: Field | undefined): boolean {
  return field !== undefined && isSameKind(type, field.type)
}

/** A path as a pattern of Selfsame: `/users/{user-id}` → `/users/:userId`. A param that takes a list is `*userIds`. @param last - another name for the last param */
function toPattern({ path, pathParams }: Call, last: string | undefined, withLists = false): string {
  const isLast = (at: number) => at === pathParams.length - 1 && /\}\/?$/.test(path)
  const names = pathParams.map(({ source }, at) => {
    if (last !== undefined && isLast(at)) return asParam(last)
    // The id of something else must not be taken for that of what the call returns.
    const before = path.split(`{${source}}`)[0]?.split('/').at(-2) ?? ''
    if (source === 'id' && !isLast(at) && /^[A-Za-z]/.test(before)) return toCamel(`${singular(before)} id`)
    return asParam(source)
  })
  const isUnique = new Set(names).size === names.length
  let pattern = ''
  path.split(/\{[^{}]+\}/).forEach((part, at) => {
    const [glued = ''] = at === 0 ? [''] : (/^[\w$]+/.exec(part) ?? [''])
    pattern += glued === '' ? asText(part) : `{${glued}}${asText(part.slice(glued.length))}`
    const param = pathParams[at]
    if (param === undefined) return
    const name = isUnique ? names[at] : asParam(param.source)
    pattern += `${asText(param.before)}${withLists && param.isList ? '*' : ':'}${name}`
  })
  return pattern
}

/** What would be a param or a group is text. */
const asText = (part: string) => part.replace(/[\\:*{}]/g, String.raw`\$&`)

const asParam = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : toCamel(name))

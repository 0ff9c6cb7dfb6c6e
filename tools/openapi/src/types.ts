/** The type of a value, as it will be written. */
export type Type =
  | { readonly kind: 'basic'; readonly name: BasicName }
  | { readonly kind: 'date'; readonly format: string }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'array'; readonly item: Type }
  | { readonly kind: 'tuple'; readonly items: readonly Type[] }
  | { readonly kind: 'map'; readonly value: Type }
  | ObjectType
  | UnionType
  | { readonly kind: 'named'; readonly declaration: Declaration }

export type BasicName = 'string' | 'number' | 'boolean' | 'unknown' | 'never' | 'null' | 'Blob'

export interface ObjectType {
  readonly kind: 'object'
  readonly fields: readonly Field[]
  /** The type of members that have no name in the description. */
  readonly others?: Type
  /** Equal for objects that are described in the same way, wherever that is. */
  readonly signature: string
  readonly title?: string | undefined
}

export interface UnionType {
  readonly kind: 'union'
  readonly members: readonly Type[]
  /** How a member is told from the others: by the value of a property. */
  readonly by?: Choice | undefined
}

export interface Choice {
  readonly property: string
  /** Values of the property, each with its member. */
  readonly mapping: readonly (readonly [value: string, member: Type])[]
}

/** A member of an object. */
export interface Field {
  readonly name: string
  type: Type
  readonly isRequired: boolean
  readonly isReadOnly: boolean
  readonly isWriteOnly: boolean
  readonly isDeprecated: boolean
  readonly description: string | undefined
  readonly default: unknown
}

/** What identifies the records of a declaration. */
export interface Identity {
  /** The field with the primary key. */
  readonly pk: string
  /** The table. */
  key: string
  /** Other fields that identify a record. */
  readonly indexes: Set<string>
}

/** A type with a name: an object, or anything else (`alias`). */
export interface Declaration {
  /** Its name in the description. */
  readonly source: string
  name: string
  /** The name of the type that a request sends, where that differs. */
  inputName: string
  kind: 'object' | 'alias'
  /** For an alias. */
  type: Type | undefined
  /** Its own fields, without those of the base. */
  fields: Field[]
  others: Type | undefined
  base: Declaration | undefined
  /** The declarations that extend it, by the value of a property. */
  subtypes: Choice | undefined
  description: string | undefined
  isDeprecated: boolean
  /** It has no name in the description. */
  isInline: boolean
  identity: Identity | undefined
  /** The summary of the same record: this class adds the fields that it does not have. */
  summary: Declaration | undefined
  /** Fields by their name here, with the name in the description, where that cannot be a member of an entity. */
  renamed: Map<string, string>
  /** Relations: the name of the added field, and the field that holds the keys. */
  relations: Map<string, string>
  /** Where it is used. */
  readonly usedIn: Set<'response' | 'request' | 'error'>
  /** The tags that use it: no more than two, since two are several. */
  readonly tags: Set<string>
  /** It holds records or dates, itself or in what it names. */
  needsSchema: boolean
  /** An alias that holds itself, as any JSON does. */
  isRecursive: boolean
}

/** A declaration of an object that is not read yet. */
export function newDeclaration(source: string, name: string): Declaration {
  return {
    source,
    name,
    inputName: name,
    kind: 'object',
    type: undefined,
    fields: [],
    others: undefined,
    base: undefined,
    subtypes: undefined,
    description: undefined,
    isDeprecated: false,
    isInline: false,
    identity: undefined,
    summary: undefined,
    renamed: new Map(),
    relations: new Map(),
    usedIn: new Set(),
    tags: new Set(),
    needsSchema: false,
    isRecursive: false,
  }
}

export const basic = (name: BasicName): Type => ({ kind: 'basic', name })
export const nothing = basic('null')

/** Joins types: nested unions become one, and equal members one. */
export function unionOf(types: readonly Type[], by?: Choice): Type {
  const flat = types.flatMap((type) =>
    type.kind === 'union' && type.by === undefined ? type.members : [type],
  )
  if (flat.some(({ kind, ...rest }) => kind === 'basic' && (rest as { name?: string }).name === 'unknown'))
    return basic('unknown')
  const members: Type[] = []
  const literals = new Set<unknown>()
  const declared = new Set<Declaration>()
  for (const type of flat) {
    // An enum may have thousands of values.
    const isKnown =
      type.kind === 'literal'
        ? literals.has(type.value)
        : type.kind === 'named'
          ? declared.has(type.declaration)
          : members.some((member) => isSame(member, type))
    if (isKnown) continue
    if (type.kind === 'literal') literals.add(type.value)
    if (type.kind === 'named') declared.add(type.declaration)
    members.push(type)
  }
  const [only, another] = members
  if (only === undefined) return basic('never')
  return another === undefined ? only : { kind: 'union', members, ...(by === undefined ? {} : { by }) }
}

export function isSame(a: Type, b: Type): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'basic') return a.name === (b as typeof a).name
  if (a.kind === 'literal') return a.value === (b as typeof a).value
  if (a.kind === 'named') return a.declaration === (b as typeof a).declaration
  if (a.kind === 'object') return a.signature === (b as typeof a).signature
  if (a.kind === 'array') return isSame(a.item, (b as typeof a).item)
  if (a.kind === 'map') return isSame(a.value, (b as typeof a).value)
  if (a.kind === 'date') return true
  const [first, second] =
    a.kind === 'tuple' ? [a.items, (b as typeof a).items] : [a.members, (b as UnionType).members]
  return first.length === second.length && first.every((member, at) => isSame(member, second[at] as Type))
}

export const isNull = (type: Type): boolean => type.kind === 'basic' && type.name === 'null'

/** The type without `null`, and whether it had that. */
export function withoutNull(type: Type): { readonly type: Type; readonly isNullable: boolean } {
  if (type.kind === 'named' && type.declaration.kind === 'alias' && type.declaration.type?.kind === 'union')
    return { type, isNullable: type.declaration.type.members.some(isNull) }
  if (type.kind !== 'union') return { type, isNullable: isNull(type) }
  const members = type.members.filter((member) => !isNull(member))
  if (members.length === type.members.length) return { type, isNullable: false }
  return { type: unionOf(members, type.by), isNullable: true }
}

/** Follows aliases, also of aliases. */
export function resolveAlias(type: Type): Type {
  let found = type
  for (let depth = 0; depth < 20; depth++) {
    if (found.kind !== 'named' || found.declaration.kind !== 'alias' || found.declaration.type === undefined)
      break
    found = found.declaration.type
  }
  return found
}

/** The fields of a declaration with those of its bases, the own ones over theirs. */
export function allFields(declaration: Declaration): readonly Field[] {
  if (declaration.base === undefined) return declaration.fields
  const own = new Set(declaration.fields.map(({ name }) => name))
  return [...allFields(declaration.base).filter(({ name }) => !own.has(name)), ...declaration.fields]
}

export const isEntity = (declaration: Declaration): boolean => declaration.identity !== undefined

/** The types that a type is made of, without those behind a name. */
export function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'array':
      return [type.item]
    case 'tuple':
      return type.items
    case 'map':
      return [type.value]
    case 'object':
      return [...type.fields.map((field) => field.type), ...(type.others === undefined ? [] : [type.others])]
    case 'union':
      return type.members
    default:
      return []
  }
}

/** The types that a declaration is made of. */
export function partsOfDeclaration(declaration: Declaration): readonly Type[] {
  return [
    ...(declaration.type === undefined ? [] : [declaration.type]),
    ...declaration.fields.map(({ type }) => type),
    ...(declaration.others === undefined ? [] : [declaration.others]),
    ...(declaration.base === undefined ? [] : [{ kind: 'named', declaration: declaration.base } as const]),
    ...(declaration.subtypes?.mapping.map(([, type]) => type) ?? []),
  ]
}

/** Puts values with the same key together, in their order. */
export function groupBy<Value, Key>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): ReadonlyMap<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}

/** The declarations that types name themselves. */
export function namedIn(types: readonly Type[]): Declaration[] {
  const found: Declaration[] = []
  const open = [...types]
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === 'named') found.push(type.declaration)
    else open.push(...partsOf(type))
  }
  return found
}

/** The declarations of one kind, and those that hold one of them, directly or through others. */
export function withHolders(
  declarations: readonly Declaration[],
  isOne: (declaration: Declaration, parts: readonly Type[]) => boolean,
): ReadonlySet<Declaration> {
  const holders = new Map<Declaration, Declaration[]>()
  const open: Declaration[] = []
  for (const declaration of declarations) {
    const parts = partsOfDeclaration(declaration)
    for (const other of namedIn(parts)) {
      const known = holders.get(other)
      if (known === undefined) holders.set(other, [declaration])
      else known.push(declaration)
    }
    if (isOne(declaration, parts)) open.push(declaration)
  }
  const found = new Set<Declaration>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    open.push(...(holders.get(next) ?? []))
  }
  return found
}

export const holdsDate = (type: Type): boolean => type.kind === 'date' || partsOf(type).some(holdsDate)

/** The declarations that a type names, and those that they name. */
export function reachableFrom(types: readonly Type[]): Set<Declaration> {
  const found = new Set<Declaration>()
  const open = [...types]
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === 'named') {
      if (found.has(type.declaration)) continue
      found.add(type.declaration)
      open.push(...partsOfDeclaration(type.declaration))
    } else open.push(...partsOf(type))
  }
  return found
}

/** `true` if the value is one that the type has: a default of the description. */
export function isDefault(type: Type, value: unknown): boolean {
  const found = resolveAlias(type)
  switch (found.kind) {
    case 'basic':
      return found.name === 'null' ? value === null : found.name === 'unknown' || typeof value === found.name
    case 'literal':
      return value === found.value
    case 'date':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value))
    case 'union':
      return found.members.some((member) => isDefault(member, value))
    case 'array':
      return Array.isArray(value) && value.every((item) => isDefault(found.item, item))
    case 'tuple':
      return (
        Array.isArray(value) &&
        value.length === found.items.length &&
        found.items.every((item, at) => isDefault(item, value[at]))
      )
    case 'map':
      return isFields(value) && Object.values(value).every((item) => isDefault(found.value, item))
    default:
      return isFields(value) && isDefaultObject(found, value)
  }
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A record comes from the server alone. */
function isDefaultObject(
  type: ObjectType | Extract<Type, { kind: 'named' }>,
  value: Readonly<Record<string, unknown>>,
): boolean {
  if (type.kind === 'named' && (type.declaration.kind !== 'object' || isEntity(type.declaration)))
    return false
  const fields = type.kind === 'object' ? type.fields : allFields(type.declaration)
  const names = new Set(fields.map(({ name }) => name))
  return (
    Object.keys(value).every((name) => names.has(name)) &&
    fields.every((field) =>
      Object.hasOwn(value, field.name) ? isDefault(field.type, value[field.name]) : !field.isRequired,
    )
  )
}

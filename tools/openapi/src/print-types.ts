import { isRecord, needsSchema } from './model.js'
import { toMember } from './names.js'
import type { Report } from './report.js'
import { docOf, firstParagraph } from './source-file.js'
import type { FileOf, SourceFile } from './source-file.js'
import { allFields, holdsDate, isEntity, isNull, namedIn, resolveAlias, withHolders } from './types.js'
import type { Declaration, Field, Type, UnionType } from './types.js'

/** What a response holds, or what a request sends. */
export type Side = 'response' | 'request'

/** Writes types and schemas of Selfsame into one file. */
export class TypePrinter {
  readonly #file: SourceFile
  readonly #fileOf: FileOf
  readonly #report: Report
  /** Any field may be left out: a query selects some of them. */
  readonly #isPartial: boolean
  /** Aliases whose schema is being written. */
  readonly #open = new Set<Declaration>()

  constructor(file: SourceFile, fileOf: FileOf, report: Report, isPartial = false) {
    this.#isPartial = isPartial
    this.#file = file
    this.#fileOf = fileOf
    this.#report = report
  }

  /** A type of TypeScript. */
  type(type: Type, side: Side): string {
    switch (type.kind) {
      case 'basic':
        return type.name
      case 'date':
        return side === 'response' ? 'Date' : 'Date | string'
      case 'literal':
        return literal(type.value)
      case 'array':
        return `${this.#inParentheses(type.item, side)}[]`
      case 'tuple':
        return `[${type.items.map((item) => this.type(item, side)).join(', ')}]`
      case 'map':
        return this.#map(this.type(type.value, side), namedIn([type.value]))
      case 'object':
        return this.#object(type.fields, type.others, side)
      case 'union':
        return this.#union(type, side)
      case 'named':
        return this.name(type.declaration, side)
    }
  }

  /** An alias may hold itself behind an index signature, but not in the arguments of a type. */
  #map(value: string, named: readonly Declaration[]): string {
    return named.some(({ isRecursive }) => isRecursive)
      ? `{ [name: string]: ${value} }`
      : `Record<string, ${value}>`
  }

  /** The name of a declaration, imported if it stands elsewhere. */
  name(declaration: Declaration, side: Side): string {
    const name = side === 'request' ? declaration.inputName : (anyName(declaration) ?? declaration.name)
    return this.#file.use(name, `./${this.#fileOf(declaration)}`, true)
  }

  /** The members of an interface or a type. */
  members(fields: readonly Field[], others: Type | undefined, side: Side): string {
    const lines = fields
      .filter(({ isReadOnly, isWriteOnly }) => (side === 'request' ? !isReadOnly : !isWriteOnly))
      .map((field) => {
        const name = toMember(field.name)
        return `${fieldDoc(field)}${name}${field.isRequired ? '' : '?'}: ${this.type(field.type, side)}`
      })
    const index = others === undefined ? [] : ['[name: string]: unknown']
    return [...lines, ...index].join('\n')
  }

  /**
   * The schema that finds the records and dates in a value.
   *
   * @returns `undefined` if there are none
   */
  schema(type: Type): string | undefined {
    if (!needsSchema(type)) return undefined
    switch (type.kind) {
      case 'date':
        return 'Date'
      case 'array': {
        const item = this.schema(type.item)
        return item === undefined ? undefined : `[${item}]`
      }
      case 'map': {
        const value = this.schema(type.value)
        return value === undefined
          ? undefined
          : `new ${this.#file.use('schema', '@selfsame/core')}.Values(${value})`
      }
      case 'object':
        return this.shorthand(type.fields)
      case 'union':
        return this.#unionSchema(type)
      case 'named':
        return this.#namedSchema(type.declaration)
      default:
        return undefined
    }
  }

  /** An object schema in its short form, of the fields that have a schema. */
  shorthand(fields: readonly Field[]): string | undefined {
    const found = fields.flatMap((field) => {
      const own = field.isWriteOnly ? undefined : this.schema(field.type)
      return own === undefined ? [] : [`${toMember(field.name)}: ${this.optional(own, field)}`]
    })
    return found.length === 0 ? undefined : `{ ${found.join(', ')} }`
  }

  /** An object outside of records has to hold its records and lists, unless the schema says that it may not. */
  optional(schema: string, field: Field): string {
    if ((field.isRequired && !this.#isPartial) || schema === 'Date') return schema
    return `${this.#file.use('schema', '@selfsame/core')}.Optional(${schema})`
  }

  #namedSchema(declaration: Declaration): string | undefined {
    const value = schemaName(declaration)
    if (value !== undefined) return this.#file.use(value, `./${this.#fileOf(declaration)}`)
    if (declaration.type === undefined) return undefined
    if (this.#open.has(declaration)) {
      this.#report.add(
        'left',
        declaration.source,
        'holds itself: records in the second level and below stay plain objects.',
      )
      return undefined
    }
    this.#open.add(declaration)
    const own = this.schema(declaration.type)
    this.#open.delete(declaration)
    return own
  }

  #unionSchema(type: UnionType): string | undefined {
    if (type.by !== undefined) return this.choice(type.by.property, type.by.mapping)
    const members = type.members.filter((member) => !isNull(member))
    const withSchema = members.filter((member) => needsSchema(member))
    const [only, another] = withSchema
    if (only === undefined) return undefined
    if (another !== undefined) return this.#guessedUnion(members)
    // Text beside a date may be anything. Text beside a record is its primary key.
    const others = members.filter((member) => member !== only)
    if (others.length === 0) return this.schema(only)
    return isRelation(type) ? this.schema(only) : undefined
  }

  choice(property: string, mapping: readonly (readonly [string, Type])[]): string {
    const entries = mapping.map(([value, member]) => {
      const own = this.schema(member) ?? '{}'
      return toMember(value) === own ? own : `${toMember(value)}: ${own}`
    })
    return `new ${this.#file.use('schema', '@selfsame/core')}.Union({ ${entries.join(', ')} }, ${literal(property)})`
  }

  /** A union that the description does not tell apart: by the fields that only one member has. */
  #guessedUnion(members: readonly Type[]): string | undefined {
    const records = members.map((member) => {
      const found = resolveAlias(member)
      return found.kind === 'named' && isEntity(found.declaration) ? found.declaration : undefined
    })
    const known = records.filter((record) => record !== undefined)
    const place = known.map(({ name }) => name).join(' | ')
    if (known.length !== members.length) {
      this.#report.add(
        'left',
        place || 'a union',
        'holds records that no property tells apart: they stay plain objects there.',
      )
      return undefined
    }
    const byLiteral = tellingProperty(known)
    if (byLiteral !== undefined)
      return this.choice(
        byLiteral.property,
        byLiteral.mapping.map(([value, declaration]) => [value, { kind: 'named', declaration }]),
      )
    const own = known.map((declaration) => ({ declaration, field: onlyFieldOf(declaration, known) }))
    const without = own.filter(({ field }) => field === undefined)
    if (without.length > 1) {
      this.#report.add(
        'left',
        place,
        'are records that no property tells apart: they stay plain objects there.',
      )
      return undefined
    }
    const rest = without[0]?.declaration ?? own.at(-1)?.declaration
    const tests = own.filter(({ declaration }) => declaration !== rest)
    const names = known.map((declaration) => this.#namedSchema(declaration) ?? declaration.name)
    this.#report.add(
      'entity',
      place,
      `are told apart by the fields ${tests.map(({ field }) => field).join(', ')}.`,
    )
    const choose = tests.map(
      ({ declaration, field = '' }) => `${literal(field)} in value ? ${literal(declaration.name)} : `,
    )
    return `new ${this.#file.use('schema', '@selfsame/core')}.Union({ ${names.join(', ')} }, (value: object) => ${choose.join('')}${literal(rest?.name ?? '')})`
  }

  #union(type: UnionType, side: Side): string {
    if (side === 'response' && isRelation(type)) {
      const members = type.members.filter((member) => isRecord(resolveAlias(member)) || isNull(member))
      return [...members.map((member) => this.type(member, side)), 'undefined'].join(' | ')
    }
    const names = type.members.map((member) => this.#inParentheses(member, side, false))
    return [...new Set(names)].join(' | ')
  }

  #inParentheses(type: Type, side: Side, inArray = true): string {
    const text = this.type(type, side)
    return inArray && / \| /.test(text) && !/^[[{]/.test(text) ? `(${text})` : text
  }

  #object(fields: readonly Field[], others: Type | undefined, side: Side): string {
    const members = this.members(fields, others, side)
    if (members === '') return 'Record<string, unknown>'
    return `{ ${members.includes('/**') ? `\n${members}\n` : members.split('\n').join('; ')} }`
  }
}

/** Text and numbers beside one record: the server sends the record, or only its primary key. */
export function isRelation(type: Type): boolean {
  if (type.kind !== 'union' || type.by !== undefined) return false
  const members = type.members.filter((member) => !isNull(member))
  const records = members.filter((member) => isRecord(resolveAlias(member)))
  const keys = members.filter(
    ({ kind, ...rest }) => kind === 'basic' && ['string', 'number'].includes((rest as { name: string }).name),
  )
  return records.length === 1 && keys.length > 0 && records.length + keys.length === members.length
}

/** A property that has another constant in each declaration. */
function tellingProperty(
  declarations: readonly Declaration[],
): { readonly property: string; readonly mapping: readonly (readonly [string, Declaration])[] } | undefined {
  const [first] = declarations
  for (const { name } of first === undefined ? [] : allFields(first)) {
    const mapping = declarations.flatMap((declaration) => {
      const field = allFields(declaration).find((one) => one.name === name && one.isRequired)
      const type = field === undefined ? undefined : resolveAlias(field.type)
      return type?.kind === 'literal' && typeof type.value === 'string'
        ? [[type.value, declaration] as const]
        : []
    })
    const isTelling = new Set(mapping.map(([value]) => value)).size === declarations.length
    if (isTelling && mapping.length === declarations.length) return { property: name, mapping }
  }
  return undefined
}

function onlyFieldOf(declaration: Declaration, all: readonly Declaration[]): string | undefined {
  return allFields(declaration).find(
    ({ name, isRequired }) =>
      isRequired &&
      all.every((other) => other === declaration || !allFields(other).some((field) => field.name === name)),
  )?.name
}

/** The name of the type of all subtypes. */
export function anyName(declaration: Declaration): string | undefined {
  return declaration.subtypes === undefined ? undefined : `Any${declaration.name}`
}

/** The name of the value that finds records in a declaration: its class, or a constant. */
export function schemaName(declaration: Declaration): string | undefined {
  if (declaration.subtypes !== undefined)
    return needsSchema({ kind: 'named', declaration }) ? `any${declaration.name}` : undefined
  if (isEntity(declaration)) return declaration.name
  if (!needsSchema({ kind: 'named', declaration })) return undefined
  const isChoice =
    declaration.kind === 'alias' && declaration.type?.kind === 'union' && declaration.type.by !== undefined
  const isObject = declaration.kind === 'object'
  return isChoice || isObject
    ? `${declaration.name.slice(0, 1).toLowerCase()}${declaration.name.slice(1)}Schema`
    : undefined
}

/** The documentation of a field. */
export function fieldDoc(
  field: Pick<Field, 'description' | 'isDeprecated'> & { readonly default?: unknown },
): string {
  const { description, isDeprecated } = field
  return docOf([firstParagraph(description)], isDeprecated ? ['@deprecated'] : [])
}

export const literal = (value: string | number | boolean): string =>
  typeof value === 'string'
    ? `'${JSON.stringify(value)
        .slice(1, -1)
        .replaceAll(String.raw`\"`, '"')
        .replaceAll("'", String.raw`\'`)}'`
    : String(value)

/** Gives the declarations whose requests differ from their responses a second name. */
export function findInputs(
  declarations: readonly Declaration[],
  take: (name: string, place: string) => string,
): void {
  const differs = withHolders(
    declarations,
    (one, parts) =>
      isEntity(one) ||
      one.subtypes !== undefined ||
      one.fields.some(({ isReadOnly, isWriteOnly }) => isReadOnly || isWriteOnly) ||
      parts.some(holdsDate),
  )
  for (const declaration of declarations.filter((one) => differs.has(one))) {
    const { usedIn, name, source } = declaration
    if (!usedIn.has('request')) continue
    if (usedIn.has('response') || usedIn.has('error') || declaration.subtypes !== undefined)
      declaration.inputName = take(`${name}Input`, source)
  }
}

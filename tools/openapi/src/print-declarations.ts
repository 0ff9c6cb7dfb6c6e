import { needsSchema } from './model.js'
import { memberOf, toMember } from './names.js'
import { anyName, fieldDoc, isRelation, literal, schemaName, TypePrinter } from './print-types.js'
import type { Report } from './report.js'
import { docOf } from './source-file.js'
import type { FileOf, SourceFile } from './source-file.js'
import { allFields, isDefault, isEntity, partsOf, resolveAlias, withoutNull } from './types.js'
import type { Declaration, Field, Type } from './types.js'
import { fieldsToValidate } from './views.js'
import type { Tables } from './views.js'

interface Waiting {
  /** What is not written yet. */
  readonly needs: Set<Declaration>
  readonly text: () => string
  readonly name: string | undefined
  /** The declaration whose value it is. */
  readonly valueOf: Declaration | undefined
}

interface DeclarationOptions {
  /** The base class of entities, and where it comes from. */
  readonly entity?: readonly [name: string, origin: '@selfsame/core' | '@selfsame/core/graphql']
  /** Any field may be left out: a query selects some of them. */
  readonly isPartial?: boolean
  /** How long records stay Valid, in milliseconds, by the names of schemas. */
  readonly expiry?: Readonly<Record<string, number>>
}

/** Writes classes, interfaces and types into one file. */
export class DeclarationPrinter {
  readonly #file: SourceFile
  readonly #fileOf: FileOf
  readonly #types: TypePrinter
  readonly #tables: Tables
  readonly #entity: NonNullable<DeclarationOptions['entity']>
  readonly #expiry: Readonly<Record<string, number>>
  /** Values that are written, or stand in a file that is imported. */
  readonly #written = new Set<Declaration>()
  readonly #started = new Set<Declaration>()
  /** Declarations whose own value is a constant that is not written yet. */
  readonly #pending = new Set<Declaration>()
  /** Statements that wait for a value which is written further below, in their order. */
  readonly #waiting = new Set<Waiting>()
  /** Those that wait for one declaration. */
  readonly #waitingFor = new Map<Declaration, Waiting[]>()

  constructor(
    file: SourceFile,
    fileOf: FileOf,
    tables: Tables,
    report: Report,
    { entity = ['Entity', '@selfsame/core'], isPartial = false, expiry = {} }: DeclarationOptions = {},
  ) {
    this.#file = file
    this.#fileOf = fileOf
    this.#types = new TypePrinter(file, fileOf, report, isPartial)
    this.#tables = tables
    this.#entity = entity
    this.#expiry = expiry
  }

  /** Writes declarations so that each value stands behind those that it needs. */
  print(declarations: readonly Declaration[]): void {
    for (const declaration of declarations) this.#print(declaration)
    for (const { text, name } of this.#waiting) this.#file.add(text(), name)
  }

  #isElsewhere(declaration: Declaration): boolean {
    return this.#fileOf(declaration) !== this.#file.name
  }

  #print(declaration: Declaration): void {
    if (this.#started.has(declaration) || this.#isElsewhere(declaration)) return
    this.#started.add(declaration)
    if (declaration.base !== undefined) this.#print(declaration.base)
    if (declaration.subtypes !== undefined) {
      // The subtypes extend it.
      this.#printSide(declaration)
      this.#written.add(declaration)
      if (schemaName(declaration) !== undefined) this.#pending.add(declaration)
      for (const other of valuesIn(declaration.subtypes.mapping.map(([, type]) => type))) this.#print(other)
      this.#printChoice(declaration)
    } else {
      for (const other of this.#valuesOf(declaration)) this.#print(other)
      this.#printSide(declaration)
      this.#written.add(declaration)
    }
    if (!this.#pending.has(declaration)) this.#flush(declaration)
  }

  #printSide(declaration: Declaration): void {
    const { usedIn, name, inputName } = declaration
    const isRead = usedIn.has('response') || usedIn.has('error')
    if (isRead || inputName === name) this.#printRead(declaration)
    if (usedIn.has('request') && inputName !== name) this.#printSent(declaration)
  }

  #printRead(declaration: Declaration): void {
    const { kind, name, type, fields, others, base } = declaration
    const doc = documentationOf(declaration)
    const side =
      declaration.usedIn.has('response') || declaration.usedIn.has('error') ? 'response' : 'request'
    if (isEntity(declaration)) this.#file.add(this.#class(declaration))
    else if (kind === 'alias')
      this.#file.add(
        `${doc}export type ${name} = ${type === undefined ? 'unknown' : this.#types.type(type, side)}`,
        name,
      )
    else {
      // What a request sends of a base is one of its kinds, which an interface cannot extend.
      const isFlat = base === undefined || (side === 'request' && base.subtypes !== undefined)
      const inherits = isFlat ? '' : ` extends ${this.#baseName(base, fields, side)}`
      const own = isFlat ? allFields(declaration) : fields
      this.#file.add(
        `${doc}export interface ${name}${inherits} {\n${this.#types.members(own, others, side)}\n}`,
        name,
      )
    }
    if (!isEntity(declaration) && declaration.subtypes === undefined && side === 'response')
      this.#printSchema(declaration)
  }

  /** An interface may narrow a member of its base, but not change it. */
  #baseName(base: Declaration, fields: readonly Field[], side: 'response' | 'request'): string {
    const name = side === 'request' ? base.inputName : base.name
    this.#file.use(name, `./${this.#fileOf(base)}`, true)
    const again = allFields(base).filter((field) => fields.some((own) => own.name === field.name))
    if (again.length === 0) return name
    return `Omit<${name}, ${again.map((field) => literal(field.name)).join(' | ')}>`
  }

  #printSent(declaration: Declaration): void {
    const { kind, inputName, type, name, subtypes, others } = declaration
    const doc = docOf([`What a request sends in the place of \`${name}\`.`])
    if (subtypes !== undefined) {
      const members = subtypes.mapping.map(([, member]) => this.#types.type(member, 'request'))
      this.#file.add(`${doc}export type ${inputName} = ${[...new Set(members)].join(' | ')}`)
    } else if (kind === 'alias')
      this.#file.add(
        `${doc}export type ${inputName} = ${type === undefined ? 'unknown' : this.#types.type(type, 'request')}`,
      )
    else {
      const fields = allFields(declaration).map((field) => ({
        ...field,
        name: declaration.renamed.get(field.name) ?? field.name,
      }))
      this.#file.add(
        `${doc}export interface ${inputName} {\n${this.#types.members(fields, others, 'request')}\n}`,
      )
    }
  }

  /** The constant that finds the records in an interface or a union. */
  #printSchema(declaration: Declaration): void {
    const value = schemaName(declaration)
    if (value === undefined) return
    const doc = docOf([`Finds the records and dates in \`${declaration.name}\`.`])
    if (declaration.kind === 'alias' && declaration.type !== undefined) {
      const { type } = declaration
      const text = () => `${doc}export const ${value} = ${this.#types.schema(type) ?? 'undefined'}`
      this.#whenWritten(valuesIn([type]), declaration, text, value, declaration)
      return
    }
    const ready = (field: Field) => valuesIn([field.type]).every((other) => this.#isReady(other, declaration))
    const fields = allFields(declaration)
    const late = fields.filter((field) => !ready(field) && needsSchema(field.type))
    const now = this.#types.shorthand(fields.filter((field) => !late.includes(field))) ?? '{}'
    const typed =
      late.length === 0 ? '' : `: Record<string, ${this.#file.use('Schema', '@selfsame/core', true)}>`
    this.#file.add(`${doc}export const ${value}${typed} = ${now}`, value)
    if (late.length > 0)
      this.#whenWritten(
        late.flatMap((field) => valuesIn([field.type])),
        declaration,
        () => `Object.assign(${value}, ${this.#types.shorthand(late) ?? '{}'})`,
        value,
      )
  }

  #printChoice(declaration: Declaration): void {
    const { subtypes, name } = declaration
    const any = anyName(declaration)
    if (subtypes === undefined || any === undefined) return
    const members = subtypes.mapping.map(([, member]) =>
      member.kind === 'named'
        ? this.#file.use(member.declaration.name, `./${this.#fileOf(member.declaration)}`, true)
        : this.#types.type(member, 'response'),
    )
    this.#file.add(
      `${docOf([`One kind of \`${name}\`; \`${subtypes.property}\` tells which.`])}export type ${any} = ${[...new Set(members)].join(' | ')}`,
    )
    const value = schemaName(declaration)
    if (value === undefined) return
    const text = () =>
      `${docOf([`The kinds of \`${name}\`, by \`${subtypes.property}\`.`])}export const ${value} = ${this.#types.choice(subtypes.property, subtypes.mapping)}`
    const needs = valuesIn(subtypes.mapping.map(([, type]) => type)).filter((other) => other !== declaration)
    this.#whenWritten(needs, undefined, text, value, declaration)
  }

  #isReady(other: Declaration, own: Declaration | undefined): boolean {
    if (this.#isElsewhere(other)) return true
    return this.#written.has(other) && other !== own && !this.#pending.has(other)
  }

  #whenWritten(
    needs: readonly Declaration[],
    own: Declaration | undefined,
    text: () => string,
    name?: string,
    valueOf?: Declaration,
  ): void {
    if (needs.every((other) => this.#isReady(other, own))) {
      this.#file.add(text(), name)
      if (valueOf !== undefined) this.#pending.delete(valueOf)
    } else {
      if (valueOf !== undefined) this.#pending.add(valueOf)
      this.#wait(needs, text, name, valueOf)
    }
  }

  #wait(needs: readonly Declaration[], text: () => string, name?: string, valueOf?: Declaration): void {
    const waiting: Waiting = {
      needs: new Set(needs.filter((other) => !this.#isReady(other, undefined))),
      text,
      name,
      valueOf,
    }
    this.#waiting.add(waiting)
    for (const other of waiting.needs) {
      const known = this.#waitingFor.get(other)
      if (known === undefined) this.#waitingFor.set(other, [waiting])
      else known.push(waiting)
    }
  }

  /** Writes what waited for a declaration, and for nothing else. */
  #flush(written: Declaration): void {
    for (const waiting of this.#waitingFor.get(written) ?? []) {
      waiting.needs.delete(written)
      if (waiting.needs.size > 0) continue
      this.#waiting.delete(waiting)
      this.#file.add(waiting.text(), waiting.name)
      if (waiting.valueOf === undefined) continue
      this.#pending.delete(waiting.valueOf)
      this.#flush(waiting.valueOf)
    }
    this.#waitingFor.delete(written)
  }

  /** The declarations whose values a declaration uses. */
  #valuesOf(declaration: Declaration): Declaration[] {
    if (declaration.type !== undefined) return valuesIn([declaration.type])
    return valuesIn(declaration.fields.map(({ type }) => type))
  }

  #class(declaration: Declaration): string {
    const { name, base, fields, identity } = declaration
    const key = fields.find((field) => field.name === identity?.pk)
    // The `id` of a GQLEntity is text.
    const isText = key === undefined || (key.name === 'id' && isOfText(key))
    const [entity, origin] = isText ? this.#entity : (['Entity', '@selfsame/core'] as const)
    const parent =
      base === undefined
        ? this.#file.use(entity, origin)
        : this.#file.use(base.name, `./${this.#fileOf(base)}`)
    const inherited = new Set(base === undefined ? [] : allFields(base).map((field) => field.name))
    const given = entity === 'GQLEntity' && base === undefined ? new Set(['id']) : new Set<string>()
    const lines = fields
      .filter((field) => !field.isWriteOnly && !given.has(field.name))
      .map((field) => {
        const text = this.#field(asKey(field, identity?.pk))
        // A field without a default must not hide that of the base.
        const again = text.includes(' = ') ? 'override ' : 'declare '
        const own = inherited.has(field.name) ? again + text.replace(/^([\w$]+|"[^"]*")!/, '$1') : text
        return `${fieldDoc(field)}${own}`
      })
    const statics = this.#statics(declaration)
    const pk = identity?.pk
    const isOwnKey = pk !== undefined && pk !== 'id' && base?.identity?.pk !== pk
    const method = isOwnKey ? [`\noverride pk() {\nreturn this${memberOf(pk)}\n}`] : []
    const doc = documentationOf(declaration)
    return `${doc}export class ${name} extends ${parent} {\n${[...lines, ...method, ...(statics.length > 0 && (lines.length > 0 || method.length > 0) ? [''] : []), ...statics].join('\n')}\n}`
  }

  #field(field: Field): string {
    const name = toMember(field.name)
    const { type, isNullable } = withoutNull(field.type)
    const text = this.#types.type(field.type, 'response')
    if (field.default !== undefined && text !== 'unknown' && isDefault(field.type, field.default))
      return this.#withDefault(name, field, text)
    if (!field.isRequired) return `${name}: ${withUndefined(text)}`
    if (isNullable) return `${name}: ${text} = null`
    const found = resolveAlias(type)
    if (found.kind === 'basic') {
      const value = { string: "''", number: '0', boolean: 'false' }[found.name as string]
      if (value !== undefined) return `${name} = ${value}`
      if (found.name === 'null') return `${name} = null`
      return `${name}${found.name === 'unknown' ? '' : '!'}: ${text}`
    }
    if (found.kind === 'date') return `${name} = new Date(0)`
    if (found.kind === 'literal') return `${name} = ${literal(found.value)} as const`
    if (found.kind === 'array') return `${name}: ${text} = []`
    if (found.kind === 'map') return `${name}: ${text} = {}`
    return isRelation(found) ? `${name}: ${text}` : `${name}!: ${text}`
  }

  #withDefault(name: string, field: Field, text: string): string {
    const value = valueText(field.type, field.default)
    return ['string', 'number', 'boolean', 'Date'].includes(text)
      ? `${name} = ${value}`
      : `${name}: ${text} = ${value}`
  }

  /** The static members of a class. The schema follows behind the class if it needs what is not written yet. */
  #statics(declaration: Declaration): string[] {
    const { identity, base, name, relations, renamed } = declaration
    if (identity === undefined) return []
    const lines: string[] = []
    if (base?.identity?.key !== identity.key) lines.push(`static override key = ${literal(identity.key)}`)
    if (identity.indexes.size > 0)
      lines.push(`static override indexes = [${[...identity.indexes].map(literal).join(', ')}]`)
    const expiry = this.#expiry[declaration.source]
    if (expiry !== undefined) lines.push(`static override dataExpiryLength = ${expiry}`)
    const schemaFields = declaration.fields.flatMap((field) => {
      const isUsed = !field.isWriteOnly && this.#types.schema(field.type) !== undefined
      return isUsed ? [field] : []
    })
    const written = (field: Field, isLate = false): string[] => {
      const own = this.#types.schema(field.type)
      if (own === undefined) return []
      const isList = own.startsWith('[') && withoutNull(field.type).type.kind === 'array'
      const text = isList && !isLate ? `${this.#file.use('listOf', './base')}(${own.slice(1, -1)})` : own
      return [toMember(field.name) === text ? text : `${toMember(field.name)}: ${text}`]
    }
    const spread = base !== undefined && hasSchema(base) ? [`...${base.name}.schema`] : []
    const late = schemaFields.filter(
      (field) => !valuesIn([field.type]).every((other) => this.#isReady(other, declaration)),
    )
    const isBaseLate = spread.length > 0 && base !== undefined && this.#isLate(base)
    if (schemaFields.length > 0) {
      const text = () =>
        `{ ${[...spread, ...schemaFields.flatMap((field) => written(field, true))].join(', ')} }`
      if (late.length === 0 && !isBaseLate) {
        const members = schemaFields.flatMap((field) => written(field))
        if (members.length > 0)
          lines.push(`static override schema = { ${[...spread, ...members].join(', ')} }`)
      } else {
        this.#late.add(declaration)
        const needs = late.flatMap((field) => valuesIn([field.type]))
        this.#wait([...needs, declaration], () => `${name}.schema = ${text()}`)
      }
    }
    lines.push(...this.#process(relations, renamed), ...this.#validate(declaration))
    return lines
  }

  readonly #late = new Set<Declaration>()
  #isLate(declaration: Declaration): boolean {
    for (let one: Declaration | undefined = declaration; one !== undefined; one = one.base)
      if (this.#late.has(one)) return true
    return false
  }

  #process(relations: ReadonlyMap<string, string>, renamed: ReadonlyMap<string, string>): string[] {
    if (relations.size === 0 && renamed.size === 0) return []
    const head = 'static override process(record: Record<string, unknown>) {'
    if (renamed.size === 0) return ['', head, `return ${this.#related('record', relations)}`, '}']
    const taken = [...renamed].map(([name, source]) => `${toMember(source)}: ${name}`)
    // A record that lacks the field must not bring what each object has.
    const owned = [...renamed.values()]
      .filter((source) => source in Object.prototype)
      .map((source) => `[${literal(source)}]: undefined`)
    const all = `{ ...fields, ${[...renamed.keys()].join(', ')} }`
    return [
      '',
      head,
      `const { ${taken.join(', ')}, ...fields } = ${owned.length === 0 ? 'record' : `{ ${owned.join(', ')}, ...record }`}`,
      `return ${relations.size === 0 ? all : this.#related(all, relations)}`,
      '}',
    ]
  }

  #related(record: string, relations: ReadonlyMap<string, string>): string {
    const names = [...relations].map(([name, field]) => `${toMember(name)}: ${literal(field)}`)
    return `${this.#file.use('relate', './base')}(${record}, { ${names.join(', ')} })`
  }

  #validate(declaration: Declaration): string[] {
    const fields = fieldsToValidate(declaration, this.#tables)
    if (fields.length === 0) return []
    const members = fields.map((name) => `${toMember(name)}?: unknown`).join('; ')
    const [only = '', another] = fields
    return [
      '',
      '/** What a list brings may be less than a whole record. Then that is fetched. */',
      `static override validate(record: { ${members} }) {`,
      ...(another === undefined
        ? [`return ${isMissing(only)} ? ${reasonFor(only)} : undefined`]
        : [...fields.map((name) => `if (${isMissing(name)}) return ${reasonFor(name)}`), 'return undefined']),
      '}',
    ]
  }
}

/** A value of a type, as an expression. */
function valueText(type: Type, value: unknown): string {
  const found = resolveAlias(type)
  if (found.kind === 'union') {
    const member = found.members.find((one) => isDefault(one, value))
    return member === undefined ? 'undefined' : valueText(member, value)
  }
  if (found.kind === 'date') return `new Date(${literal(value as string)})`
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, at) =>
      valueText(
        found.kind === 'array' ? found.item : found.kind === 'tuple' ? (found.items[at] ?? found) : found,
        item,
      ),
    )
    return `[${items.join(', ')}]`
  }
  if (typeof value !== 'object' || value === null)
    return value === null ? 'null' : literal(value as string | number | boolean)
  const fields =
    found.kind === 'object' ? found.fields : found.kind === 'named' ? allFields(found.declaration) : []
  const members = Object.entries(value).map(([name, inner]) => {
    const own = found.kind === 'map' ? found.value : fields.find((field) => field.name === name)?.type
    return `${memberName(name)}: ${valueText(own ?? { kind: 'basic', name: 'unknown' }, inner)}`
  })
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** In a literal `__proto__` would set the prototype. */
const memberName = (name: string) => (name === '__proto__' ? "['__proto__']" : toMember(name))

/** What is stored has a primary key: a response without one is an error. */
function asKey(field: Field, pk: string | undefined): Field {
  return field.name === pk ? { ...field, isRequired: true, type: withoutNull(field.type).type } : field
}

function isOfText({ type }: Field): boolean {
  const found = withoutNull(type).type
  return found.kind === 'basic' && found.name === 'string'
}

const isMissing = (name: string) => `record${memberOf(name)} === undefined`
const reasonFor = (name: string) => literal(`${name} is missing`)

function hasSchema(declaration: Declaration): boolean {
  if (declaration.fields.some((field) => needsSchema(field.type))) return true
  return declaration.base !== undefined && hasSchema(declaration.base)
}

function documentationOf({ description, isDeprecated }: Declaration): string {
  return docOf([description], isDeprecated ? ['@deprecated'] : [])
}

const withUndefined = (text: string) =>
  /(^|\| )(undefined|unknown)$/.test(text) ? text : `${text} | undefined`

/** The declarations whose values a schema of these types names. @param passed - aliases that were followed */
function valuesIn(types: readonly Type[], passed = new Set<Declaration>()): Declaration[] {
  return types.flatMap((type) => {
    if (type.kind !== 'named') return valuesIn(partsOf(type), passed)
    const { declaration } = type
    if (schemaName(declaration) !== undefined) return [declaration]
    if (declaration.type === undefined || passed.has(declaration)) return []
    passed.add(declaration)
    return valuesIn([declaration.type], passed)
  })
}

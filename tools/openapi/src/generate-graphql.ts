import {
  buildASTSchema,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  parse,
} from 'graphql'
import type {
  GraphQLEnumType,
  GraphQLField,
  GraphQLInputField,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLType,
  GraphQLUnionType,
} from 'graphql'
import { headOf } from './generate.js'
import type { Generated } from './generate.js'
import { findNeeds, identify, relate } from './model.js'
import { Names, toPascal } from './names.js'
import type { GenerateOptions } from './options.js'
import { addListOf, relateHelper } from './print-base.js'
import { DeclarationPrinter } from './print-declarations.js'
import { findInputs } from './print-types.js'
import { Report } from './report.js'
import { SourceFile } from './source-file.js'
import { basic, newDeclaration, nothing, unionOf } from './types.js'
import type { Declaration, Field, Type } from './types.js'
import { tablesOf } from './views.js'

/** Writes entities and types from a GraphQL schema in its own language. Operations stay documents. */
export function generateGraphQL(text: string, options: GenerateOptions): Generated {
  const report = new Report()
  const schema = readSchema(text, options.source)
  const declarations = new GraphQLReader(schema, options, report).read()
  identify(declarations, [], options, report)
  relate(declarations, options, report)
  for (const declaration of declarations) tellUnions(declaration)
  findNeeds(declarations)
  findInputs(declarations, (name) => name)
  const file = new SourceFile('entities', true)
  const printer = new DeclarationPrinter(file, () => 'entities', tablesOf(declarations), report, {
    entity: ['GQLEntity', '@selfsame/core/graphql'],
    isPartial: true,
  })
  if (declarations.some(({ relations }) => relations.size > 0)) file.add(relateHelper)
  printer.print(declarations)
  if (file.importsFrom('./base').includes('listOf')) addListOf(file)
  const { extension = '.js', source } = options
  return {
    files: [{ path: 'entities.ts', text: file.text(headOf(source), extension) }],
    remarks: report.remarks,
  }
}

/** @throws {Error} with the line, for text that is no schema */
function readSchema(text: string, source: string): GraphQLSchema {
  try {
    return buildASTSchema(parse(text), { assumeValid: true, assumeValidSDL: true })
  } catch (cause) {
    const [place] = cause instanceof GraphQLError ? (cause.locations ?? []) : []
    const where = place === undefined ? source : `${source}:${place.line}:${place.column}`
    throw new Error(`${where} is no GraphQL schema: ${(cause as Error).message}`, { cause })
  }
}

/** Scalars that stand in JSON as text. */
const texts = new Set(
  'String ID Date Time LocalDate LocalTime URL URI UUID EmailAddress Email PhoneNumber Duration BigInt Decimal HTML Color Cursor GitObjectID'.split(
    ' ',
  ),
)

class GraphQLReader {
  readonly #schema: GraphQLSchema
  readonly #options: GenerateOptions
  readonly #report: Report
  readonly #names: Names
  readonly #declarations = new Map<string, Declaration>()

  constructor(schema: GraphQLSchema, options: GenerateOptions, report: Report) {
    this.#schema = schema
    this.#options = options
    this.#report = report
    this.#names = new Names(report)
  }

  read(): readonly Declaration[] {
    const roots = [
      this.#schema.getQueryType(),
      this.#schema.getMutationType(),
      this.#schema.getSubscriptionType(),
    ]
    const types = Object.values(this.#schema.getTypeMap()).filter(
      (type) => !type.name.startsWith('__') && !roots.some((root) => root === type) && !isScalarType(type),
    )
    // Each has its name before one refers to it.
    for (const type of types) this.#declarations.set(type.name, this.#start(type))
    for (const type of types) this.#fill(type, this.#declarations.get(type.name))
    return [...this.#declarations.values()]
  }

  #start(type: GraphQLNamedType): Declaration {
    const correction = this.#options.entities?.[type.name]
    const wanted = (typeof correction === 'object' ? correction.name : undefined) ?? toPascal(type.name)
    const declaration = newDeclaration(type.name, this.#names.take(wanted, type.name, 'Model'))
    declaration.description = type.description ?? undefined
    declaration.usedIn.add(isInputObjectType(type) ? 'request' : 'response')
    return declaration
  }

  #fill(type: GraphQLNamedType, declaration: Declaration | undefined): void {
    if (declaration === undefined) return
    if (isObjectType(type) || isInputObjectType(type)) declaration.fields = this.#fieldsOf(type)
    else {
      declaration.kind = 'alias'
      if (isEnumType(type)) declaration.type = enumOf(type)
      else if (isUnionType(type) || isInterfaceType(type)) declaration.type = this.#choiceOf(type)
    }
  }

  #fieldsOf(type: GraphQLObjectType | GraphQLInputObjectType): Field[] {
    const fields: readonly (GraphQLField<unknown, unknown> | GraphQLInputField)[] = Object.values(
      type.getFields(),
    )
    return fields.map((field) => {
      const isOptional = isInputObjectType(type) && !isNonNullType(field.type)
      return {
        name: field.name,
        type: this.#typeOf(field.type, `${type.name}.${field.name}`),
        isRequired: !isOptional,
        isReadOnly: false,
        isWriteOnly: false,
        isDeprecated: field.deprecationReason !== undefined && field.deprecationReason !== null,
        description: field.description ?? undefined,
        default: undefined,
      }
    })
  }

  #choiceOf(type: GraphQLUnionType | GraphQLInterfaceType): Type {
    const members = this.#schema
      .getPossibleTypes(type)
      .map(({ name }): [string, Type] => [name, this.#named(name)])
    const by = { property: '__typename', mapping: members }
    return members.length === 0
      ? basic('unknown')
      : { kind: 'union', members: members.map(([, member]) => member), by }
  }

  #named(name: string): Type {
    const declaration = this.#declarations.get(name)
    return declaration === undefined ? basic('unknown') : { kind: 'named', declaration }
  }

  #typeOf(type: GraphQLType, place: string): Type {
    if (isNonNullType(type)) return this.#typeWithoutNull(type.ofType, place)
    return unionOf([this.#typeWithoutNull(type, place), nothing])
  }

  #typeWithoutNull(type: GraphQLType, place: string): Type {
    if (isListType(type)) return { kind: 'array', item: this.#typeOf(type.ofType, place) }
    if (isNonNullType(type)) return this.#typeOf(type, place)
    if (!isScalarType(type)) return this.#named(type.name)
    const { dates = ['DateTime'], scalars = {} } = this.#options
    if (dates.includes(type.name)) return { kind: 'date', format: 'date-time' }
    const told = Object.hasOwn(scalars, type.name) ? scalars[type.name] : undefined
    if (told !== undefined) return basic(told)
    if (texts.has(type.name)) return basic('string')
    if (type.name === 'Int' || type.name === 'Float') return basic('number')
    if (type.name === 'Boolean') return basic('boolean')
    this.#report.add(
      'left',
      place,
      `has the scalar ${type.name}, whose type is not known: it is unknown. Name it in "scalars" or "dates" of the options.`,
    )
    return basic('unknown')
  }
}

function enumOf(type: GraphQLEnumType): Type {
  return unionOf(type.getValues().map(({ name }) => ({ kind: 'literal', value: name })))
}

/** A member of a union that is no class has its kind in its type. */
function tellUnions({ type }: Declaration): void {
  if (type?.kind !== 'union' || type.by === undefined) return
  for (const [value, member] of type.by.mapping) {
    if (member.kind !== 'named' || member.declaration.identity !== undefined) continue
    const { fields } = member.declaration
    if (fields.some(({ name }) => name === '__typename')) continue
    fields.unshift({
      name: '__typename',
      type: { kind: 'literal', value },
      isRequired: true,
      isReadOnly: false,
      isWriteOnly: false,
      isDeprecated: false,
      description: undefined,
      default: undefined,
    })
  }
}

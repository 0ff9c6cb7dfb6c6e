import { recordOf } from './model.js'
import type { Shape } from './model.js'
import { memberOf, toMember, toPascal } from './names.js'
import type { Names } from './names.js'
import type { Corrections } from './options.js'
import { pagingOf } from './pages.js'
import type { Paging } from './pages.js'
import type { EndpointPlan, Member, ResourcePlan } from './plan.js'
import { fieldDoc, literal, schemaName } from './print-types.js'
import type { TypePrinter } from './print-types.js'
import type { Body, Call, SearchParam } from './read-calls.js'
import type { Report } from './report.js'
import { docOf, firstParagraph } from './source-file.js'
import type { SourceFile } from './source-file.js'
import {
  allFields,
  isNull,
  isSame,
  partsOf,
  partsOfDeclaration,
  reachableFrom,
  resolveAlias,
  withoutNull,
} from './types.js'
import type { Field, Type } from './types.js'

/** An option of an endpoint, as text. */
type Option = readonly [name: string, value: string]

/** Writes resources and endpoints into one file. */
export class CallPrinter {
  readonly #file: SourceFile
  readonly #types: TypePrinter
  readonly #names: Names
  readonly #corrections: Corrections
  readonly #report: Report

  constructor(file: SourceFile, types: TypePrinter, names: Names, report: Report, corrections: Corrections) {
    this.#corrections = corrections
    this.#file = file
    this.#types = types
    this.#names = names
    this.#report = report
  }

  resource(plan: ResourcePlan): void {
    const { innerName, path, record, members } = plan
    const list = members.find(({ name }) => name === 'getList')
    const paging = list === undefined ? undefined : this.#pagingOf(list.call, list.shape)
    const options: Option[] = [
      ['Endpoint', this.#base('ApiEndpoint')],
      ['path', literal(path)],
      ['schema', this.#recordSchema(record)],
      ...(list === undefined ? [] : this.#searchOf(list.call, true)),
      ...(paging === undefined ? [] : this.#pagingOptions(paging, list?.call)),
      ...(plan.endpointName === undefined ? [] : [['name', literal(plan.endpointName)] as const]),
      ...(isTold(this.#corrections.optimistic, plan)
        ? [['optimistic', this.#file.use('optimistic', '@selfsame/core/optimistic')] as const]
        : []),
      ...this.#rulesOf(plan),
    ]
    const listSchema = this.#listSchema(plan, list)
    const bodies = members.map((member) => this.#memberOf(member, plan, listSchema?.name))
    this.#file.add(
      `const ${innerName} = ${this.#file.use('createResource', '@selfsame/core/rest')}({ ${options.map(optionText).join(', ')} })`,
    )
    if (listSchema !== undefined) this.#file.add(`const ${listSchema.name} = ${listSchema.text}`)
    const declaration = recordOf(record)
    const doc = docOf([
      `Calls of \`${declaration?.name ?? ''}\`: \`${plan.members[0]?.call.path.split('/{')[0] ?? path}\`.`,
    ])
    this.#file.add(`${doc}export const ${plan.name} = {\n${bodies.join('\n')}\n}`)
    const missing = ['get', 'getList', 'create', 'update', 'partialUpdate', 'delete'].filter(
      (name) => !members.some((member) => member.name === name),
    )
    this.#report.add(
      'resource',
      plan.name,
      `has ${members.map(({ name, call }) => `${name} (${call.id})`).join(', ')}${missing.length === 0 ? '' : `; the description has no ${missing.join(', ')}`}.`,
    )
  }

  endpoint(plan: EndpointPlan): void {
    const { name, call, path, shape, pushesTo } = plan
    const paging = this.#pagingOf(call, shape)
    const doc = this.#docOf(call, [shape.item === undefined ? undefined : paging.comment])
    if (pushesTo !== undefined) {
      const options = [...this.#bodyOf(call, name), ...this.#searchOf(call)]
      if (call.urlPrefix !== undefined) options.push(['urlPrefix', literal(call.urlPrefix)])
      const changes = options.length === 0 ? '' : `.extend({ ${options.map(optionText).join(', ')} })`
      this.#file.add(`${doc}export const ${name} = ${pushesTo}.push${changes}`)
      return
    }
    const options: Option[] = [
      ['path', literal(path)],
      ...(call.method === 'get' ? [] : [['method', literal(call.method.toUpperCase())] as const]),
      ...this.#pathListsOf(path),
      ...this.#searchOf(call),
      ...this.#bodyOf(call, name),
      ...this.#answerOf(plan),
      ...this.#expiryOf(call),
      ...(paging.field === undefined ? [] : [['paginationField', literal(paging.field)] as const]),
    ]
    this.#file.add(
      `${doc}export const ${name} = new ${this.#base('ApiEndpoint')}({ ${options.map(optionText).join(', ')} })${serverOf(call)}`,
    )
    if (paging.field !== undefined) this.#report.add('page', call.id, paging.comment ?? '')
  }

  /** The lists in a path are sent as one text. */
  #pathListsOf(path: string): Option[] {
    const lists = [...path.matchAll(/(?<!\\)\*([A-Za-z_$][\w$]*)/g)].map(([, name = '']) => literal(name))
    return lists.length === 0 ? [] : [['url', `${this.#base('joinedPath')}(${lists.join(', ')})`]]
  }

  #pagingOf(call: Call, shape: Shape): Paging {
    return pagingOf(call, shape, this.#corrections.pagination?.[call.id])
  }

  /** The options of a list: which records belong to it, and in which order. */
  #rulesOf({ source, record }: ResourcePlan): Option[] {
    const { orderBy, filter } = this.#corrections.rules?.[source] ?? {}
    const declaration = recordOf(record)
    const fields = declaration === undefined ? [] : allFields(declaration)
    const fieldOf = (name: string) => {
      if (fields.every((field) => field.name !== name))
        throw new Error(
          `The options name "${name}" in the rules of ${source}, which is no field of its records.`,
        )
      return name
    }
    const [by = '', direction] = orderBy?.split(' ') ?? []
    const use = (name: string) => this.#file.use(name, '@selfsame/core/rules')
    const tests = Object.entries(filter ?? {}).map(
      ([param, field]) =>
        `(params${memberOf(param)} === undefined || record${memberOf(fieldOf(field))} === params${memberOf(param)})`,
    )
    const type = this.#types.type(record, 'response')
    return [
      ...(orderBy === undefined
        ? []
        : [
            [
              'orderBy',
              `${use('order')}(${literal(fieldOf(by))}${direction === 'descending' ? ", 'descending'" : ''})`,
            ] as const,
          ]),
      ...(tests.length === 0
        ? []
        : [['filter', `${use('rule')}<${type}>((record, params) => ${tests.join(' && ')})`] as const]),
    ]
  }

  /** A Collection of the lists of a resource. */
  #collection(item: Type, plan: ResourcePlan): string {
    const rules = this.#rulesOf(plan)
    const options = rules.length === 0 ? '' : `, { ${rules.map(optionText).join(', ')} }`
    return `new ${this.#core('schema')}.Collection([${this.#recordSchema(item)}]${options})`
  }

  #expiryOf({ id }: Call): Option[] {
    const length = this.#corrections.expiry?.[id]
    return length === undefined ? [] : [['dataExpiryLength', String(length)]]
  }

  #base(name: string): string {
    return this.#file.use(name, './base')
  }

  #core(name: 'schema'): string {
    return this.#file.use(name, '@selfsame/core')
  }

  #pagingOptions(paging: Paging, call: Call | undefined): Option[] {
    const { field, places, limits, orders, shapes, comment } = paging
    if (field !== undefined && call !== undefined) this.#report.add('page', call.id, comment ?? '')
    if (shapes.length > 0 && call !== undefined)
      this.#report.add('resource', call.id, `has the same members whatever ${shapes.join(', ')} says.`)
    return [
      ...(field === undefined ? [] : [['paginationField', literal(field)] as const]),
      ...(isKnown(places, ['page', 'offset', 'cursor', field ?? ''])
        ? []
        : [['placeArgumentKeys', listOf(places)] as const]),
      ...(isKnown(limits, ['limit']) ? [] : [['limitArgumentKeys', listOf(limits)] as const]),
      ...(isKnown(orders, ['sort', 'order']) ? [] : [['orderArgumentKeys', listOf(orders)] as const]),
      ...(shapes.length === 0 ? [] : [['nonFilterArgumentKeys', listOf(shapes)] as const]),
    ]
  }

  /** The schema of the list, if it is not that of the records themselves. */
  #listSchema(
    plan: ResourcePlan,
    list: Member | undefined,
  ): { readonly name: string; readonly text: string } | undefined {
    const item = list?.shape.item
    const isOther = item !== undefined && !isSame(item, plan.record)
    const isCreated = plan.members.some(
      ({ name, shape }) => name !== 'get' && this.#isOtherView(shape.record, plan),
    )
    if (item === undefined || !(isOther && isCreated)) return undefined
    const name = this.#names.take(`${plan.innerName}List`, plan.path, 'Schema')
    return { name, text: this.#collection(item, plan) }
  }

  #isOtherView(record: Type | undefined, { record: own }: ResourcePlan): boolean {
    return record !== undefined && !isSame(record, own)
  }

  #memberOf(member: Member, plan: ResourcePlan, listName: string | undefined): string {
    const { name, call, shape } = member
    const isList = name === 'getList'
    const paging = isList ? this.#pagingOf(call, shape) : undefined
    const options: Option[] = []
    if (call.urlPrefix !== undefined) options.push(['urlPrefix', literal(call.urlPrefix)])
    options.push(...this.#expiryOf(call))
    const isItem = !isList && name !== 'create'
    if (plan.listPath !== undefined && !isItem) options.push(['path', literal(plan.listPath)])
    if (name === 'partialUpdate' && call.method === 'post') options.push(['method', "'POST'"])
    if (!isList) options.push(...this.#searchOf(call))
    options.push(...this.#memberBody(member, plan))
    if (isList) options.push(...this.#listOptions(member, plan, listName))
    else if (name !== 'delete') {
      const { record, field } = shape
      if (record !== undefined && this.#isOtherView(record, plan))
        options.push(['schema', this.#otherView(name, record, plan, listName)])
      if (field !== undefined && record !== undefined) {
        const own = this.#types.type(record, 'response')
        const wrapper = toMember(field)
        options.push([
          'process',
          `(response: { ${wrapper}: ${own} }) => response${wrapper.startsWith('"') ? `[${wrapper}]` : `.${wrapper}`}`,
        ])
        const dropped = (shape.fields ?? []).filter((one) => one.name !== field).map((one) => one.name)
        if (dropped.length > 0)
          this.#report.add(
            'left',
            call.id,
            `gives the record in "${field}"; ${dropped.join(', ')} beside it ${dropped.length === 1 ? 'is' : 'are'} dropped.`,
          )
      }
    }
    const doc = this.#docOf(call, [paging?.comment])
    const changes = options.length === 0 ? '' : `.extend({ ${options.map(optionText).join(', ')} })`
    return `${doc}${name}: ${plan.innerName}.${name}${changes},`
  }

  #otherView(name: string, record: Type, plan: ResourcePlan, listName: string | undefined): string {
    if (name === 'get') return this.#recordSchema(record)
    const list = listName ?? this.#collection(record, plan)
    return `${list}.${name === 'create' ? 'push' : 'move'}`
  }

  #listOptions({ shape, call }: Member, plan: ResourcePlan, listName: string | undefined): Option[] {
    const { item, field, fields } = shape
    if (item === undefined) return []
    const isEnvelope = field !== undefined && fields !== undefined
    if (!isEnvelope && isSame(item, plan.record)) return []
    const list = listName ?? this.#collection(item, plan)
    return [['schema', isEnvelope ? this.#envelope(call, fields, field, list) : list]]
  }

  /** An object with a list: its other fields have defaults, or types of their own. */
  #envelope(call: Call, fields: readonly Field[], field: string, list: string): string {
    if (fields.some(({ name, isRequired }) => name === field && !isRequired))
      this.#report.add('left', call.id, `is expected to have "${field}", although that is not required.`)
    const members = fields.map(
      (one) => `${toMember(one.name)}: ${one.name === field ? list : this.#beside(one)}`,
    )
    return `{ ${members.join(', ')} }`
  }

  #beside(field: Field): string {
    const found = resolveAlias(field.type)
    if (field.isRequired && found.kind === 'basic') {
      const value = { string: "''", number: '0', boolean: 'false' }[found.name as string]
      if (value !== undefined) return value
    }
    if (field.isRequired && found.kind === 'date') return 'Date'
    const own = this.#types.schema(field.type)
    const text = this.#types.type(field.type, 'response')
    const type = field.isRequired || /(^|\| )(undefined|unknown)$/.test(text) ? text : `${text} | undefined`
    const { type: bare, isNullable } = withoutNull(field.type)
    if (own !== undefined && field.isRequired && !isNullable && isExact(bare)) return own
    return `${this.#base('typed')}<${type}>(${own === undefined ? '' : this.#types.optional(own, field)})`
  }

  /** The schema of one record. */
  #recordSchema(type: Type): string {
    return this.#types.schema(type) ?? 'undefined'
  }

  #memberBody(member: Member, { record }: ResourcePlan): Option[] {
    const { name, call } = member
    if (name === 'get' || name === 'getList') return []
    const declaration = recordOf(record)
    const verb = { create: 'create', update: 'replace', partialUpdate: 'update', delete: 'delete' }[name]
    if (call.body === undefined || isEmptyObject(call.body.type))
      return name === 'delete' ? [] : [['body', 'undefined']]
    return this.#bodyOf(call, `${verb}${declaration?.name ?? ''}`)
  }

  /** The options of the body: its type, and how it is sent. */
  #bodyOf(call: Call, name: string): Option[] {
    const { body, method } = call
    if (method === 'get' || method === 'head') return []
    if (body === undefined || isEmptyObject(body.type))
      return method === 'delete' ? [] : [['body', 'undefined']]
    const type = this.#bodyType(body, name)
    const isOptional = !body.isRequired && !hasRequired(body.type)
    const form = { multipart: 'FormData', form: 'URLSearchParams' }[body.kind as string]
    const days = body.kind === 'json' ? this.#daysIn(body.type, call) : []
    const encodings = [...body.encodings].map(([field, how]) => `${toMember(field)}: ${literal(how)}`)
    const options = encodings.length === 0 ? '' : `{ ${encodings.join(', ')} }`
    const all = [
      type,
      ...(form === undefined || type === 'unknown' ? [] : [form]),
      ...(isOptional ? ['undefined'] : []),
    ]
    return [
      ...(type === 'unknown' ? [] : [['body', `{} as ${all.join(' | ')}`] as const]),
      ...(form === undefined
        ? []
        : [
            [
              'getRequestInit',
              options === ''
                ? this.#base(body.kind === 'form' ? 'asUrlEncoded' : 'asForm')
                : `${this.#base(body.kind === 'form' ? 'asStyledForm' : 'asParts')}(${options})`,
            ] as const,
          ]),
      ...(days.length === 0
        ? []
        : [['getRequestInit', `${this.#base('asJson')}(${days.map(literal).join(', ')})`] as const]),
      ...(body.contentType === undefined
        ? []
        : [['getHeaders', `${this.#base('ofType')}(${literal(body.contentType)})`] as const]),
    ]
  }

  /** The fields of a body that hold days, by their names. */
  #daysIn(type: Type, call: Call): string[] {
    const isDate = (one: Type, isDay: boolean): boolean =>
      one.kind === 'date'
        ? (one.format === 'date') === isDay
        : ['array', 'union', 'map', 'tuple'].includes(one.kind) &&
          partsOf(one).some((part) => isDate(part, isDay))
    const fields = fieldsIn(type)
    const days = new Set(fields.filter((field) => isDate(field.type, true)).map(({ name }) => name))
    for (const { name, type: other } of fields)
      if (days.has(name) && isDate(other, false))
        this.#report.add(
          'left',
          call.id,
          `has days and times in fields called ${name}: both are sent as days.`,
        )
    return [...days]
  }

  /** A type with a name for a body that is more than a few words. */
  #bodyType({ type }: Body, name: string): string {
    return this.#named(type, `${toPascal(name)}Body`, 'request')
  }

  #named(type: Type, wanted: string, side: 'request' | 'response'): string {
    const list = type.kind === 'array' && type.item.kind === 'object' ? type.item : undefined
    const object = list ?? (type.kind === 'object' ? type : undefined)
    if (object === undefined) return this.#types.type(type, side)
    const members = this.#types.members(object.fields, object.others, side)
    const isShort = object.fields.length <= 3 && !members.includes('/**') && members.length < 90
    if (isShort) return this.#types.type(type, side)
    const name = this.#names.take(wanted, wanted, 'Data')
    this.#file.add(`export interface ${name} {\n${members}\n}`)
    return list === undefined ? name : `${name}[]`
  }

  /** @param isOfList - a resource takes any param if it names none */
  #searchOf(call: Call, isOfList = false): Option[] {
    const params = [...call.searchParams, ...call.headerParams]
    if (params.length === 0) return isOfList ? [['searchParams', '{}']] : []
    const members = params.map(
      (param) => `${this.#paramDoc(param)}${toMember(param.name)}?: ${this.#paramType(param)}`,
    )
    const hasDoc = members.some((member) => member.includes('/**'))
    const styles = params.flatMap(({ name, style }) =>
      style === undefined ? [] : [`${toMember(name)}: ${literal(style)}`],
    )
    return [
      ['searchParams', `{} as { ${hasDoc ? `\n${members.join('\n')}\n` : members.join('; ')} }`],
      ...(styles.length === 0
        ? []
        : [['searchToString', `${this.#base('styled')}({ ${styles.join(', ')} })`] as const]),
    ]
  }

  /** A search param is text, a number, or some of them: the type of core for `''` would take numbers for any text. */
  #paramType({ type }: SearchParam): string {
    return this.#types.type(withoutNull(type).type, 'request')
  }

  #paramDoc(param: SearchParam): string {
    const required = [
      ...(param.isRequired ? ['Required.'] : []),
      ...(param.style?.startsWith('header') === true ? ['Sent as a header.'] : []),
    ]
    const description = [
      ...[firstParagraph(param.description) ?? []].flat().map(asSentence),
      ...required,
    ].join(' ')
    return fieldDoc({ description, isDeprecated: param.isDeprecated })
  }

  /** The options for the response: a schema where it holds records, else its type. */
  #answerOf({ call, shape, isPushed, name }: EndpointPlan): Option[] {
    const { answer } = call
    if (answer.kind === 'none') return []
    if (answer.kind !== 'json') return [['content', literal(answer.kind)]]
    const { type } = answer
    if (type.kind === 'basic' && type.name === 'unknown') return []
    const own = this.#types.schema(type)
    if (own === undefined) {
      const text = this.#named(type, `${toPascal(name)}Response`, 'response')
      return [['process', `(response: ${text}) => response`]]
    }
    if (isPushed && shape.item !== undefined)
      return [['schema', `new ${this.#core('schema')}.Collection(${own})`]]
    const { item, field, fields } = shape
    const isEnvelope = item !== undefined && field !== undefined && fields !== undefined
    if (isEnvelope) return [['schema', this.#envelope(call, fields, field, `[${this.#recordSchema(item)}]`)]]
    if (isExact(type)) return [['schema', own]]
    return [
      [
        'schema',
        `${this.#base('typed')}<${this.#named(type, `${toPascal(name)}Response`, 'response')}>(${own})`,
      ],
    ]
  }

  #docOf(call: Call, more: readonly (string | undefined)[]): string {
    const { summary, description, cookies, errors } = call
    const text = [
      summary === undefined ? undefined : asSentence(summary.trim()),
      description === summary ? undefined : firstParagraphs(description),
    ]
    const sent =
      cookies.length === 0
        ? undefined
        : `Reads the cookie ${cookies.map((name) => `\`${name}\``).join(', ')}, which the browser sends.`
    const statuses = errors.map(([status]) => status).filter((status) => /^\d/.test(status))
    return docOf(
      [...text, ...more, sent, `\`${call.id}\``],
      [
        ...(statuses.length === 0 ? [] : [`@throws {NetworkError} ${statuses.join(', ')}`]),
        ...(call.isDeprecated ? ['@deprecated'] : []),
      ],
    )
  }
}

/** An endpoint with a server of its own. The class has the other one as a field, which wins over an option. */
const serverOf = ({ urlPrefix }: Call) =>
  urlPrefix === undefined ? '' : `.extend({ urlPrefix: ${literal(urlPrefix)} })`

/** All fields that a type holds, also those of the types that it names. */
function fieldsIn(type: Type): readonly Field[] {
  const inline: Field[] = []
  const open = [type, ...[...reachableFrom([type])].flatMap(partsOfDeclaration)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'object') inline.push(...next.fields)
    open.push(...partsOf(next))
  }
  return [...[...reachableFrom([type])].flatMap(({ fields }) => fields), ...inline]
}

const isTold = (told: boolean | readonly string[] | undefined, { source }: ResourcePlan) =>
  typeof told === 'object' ? told.includes(source) : told === true

const listOf = (names: readonly string[]) => `[${names.map(literal).join(', ')}]`
const isKnown = (names: readonly string[], known: readonly string[]) =>
  names.every((name) => known.includes(name))

const optionText = ([name, value]: Option) => (name === value ? name : `${name}: ${value}`)

/** `true` if the type that a schema gives is that of the description: records, and lists of them. */
function isExact(type: Type): boolean {
  if (type.kind === 'array') return isExact(type.item)
  if (type.kind === 'named') {
    const { declaration } = type
    return (
      declaration.identity !== undefined ||
      (schemaName(declaration) !== undefined && declaration.kind === 'alias')
    )
  }
  return (
    type.kind === 'union' &&
    type.by !== undefined &&
    !type.members.some(isNull) &&
    type.members.every(isExact)
  )
}

function hasRequired(type: Type): boolean {
  const found = resolveAlias(type)
  if (found.kind === 'object') return found.fields.some(({ isRequired }) => isRequired)
  if (found.kind === 'named') return allFields(found.declaration).some(({ isRequired }) => isRequired)
  return found.kind === 'array' || (found.kind === 'union' && found.members.every(hasRequired))
}

const isEmptyObject = (type: Type) =>
  type.kind === 'map' && type.value.kind === 'basic' && type.value.name === 'never'

const asSentence = (text: string) => text.replace(/([^.!?:;,…`)\]])$/, '$1.')

/** The first two paragraphs. */
function firstParagraphs(text: string | undefined): string | undefined {
  return text
    ?.split(/\n\s*\n/)
    .slice(0, 2)
    .join('\n\n')
}

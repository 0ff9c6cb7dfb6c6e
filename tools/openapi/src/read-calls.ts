import { dereference, methods, prefixOf } from './description.js'
import type {
  Description,
  MediaType,
  Method,
  Operation,
  Parameter,
  Reference,
  RequestBody,
  Response,
} from './description.js'
import { operationName, toKebab } from './names.js'
import type { Corrections } from './options.js'
import type { SchemaReader } from './read-schemas.js'
import type { Report } from './report.js'
import { allFields, basic, partsOf, resolveAlias, unionOf } from './types.js'
import type { Type } from './types.js'

/**
 * How the value of a param is written, where that differs from what core does: text as it is, a list by repeating its name, an object
 * as `name[part]`.
 *
 * `,`, ` ` and `|` stand between the values of a list or an object; `spread` gives each part of an object its own param; `json` and
 * `date` are what they say. `header…` is sent as a header.
 */
export type ParamStyle =
  ',' | ' ' | '|' | 'spread' | 'json' | 'date' | 'header' | 'header explode' | 'header json' | 'header date'

/** A param of a call that is not in its path. */
export interface SearchParam {
  readonly name: string
  readonly type: Type
  readonly isRequired: boolean
  readonly isDeprecated: boolean
  readonly description: string | undefined
  readonly style: ParamStyle | undefined
}

export interface PathParam {
  /** Its name in the description. */
  readonly source: string
  readonly type: Type
  readonly description: string | undefined
  /** The text before its value: `;id=` in the style `matrix`, `.` in `label`. */
  readonly before: string
  /** Its value is a list, which is sent as one text. */
  readonly isList: boolean
}

/** The body of a request. */
export interface Body {
  readonly kind: 'json' | 'form' | 'multipart' | 'file' | 'text'
  readonly type: Type
  readonly isRequired: boolean
  /** The content type that is sent, where core would send another one. */
  readonly contentType: string | undefined
  /** How single fields of a form are sent: a content type, or for `form` a style. */
  readonly encodings: ReadonlyMap<string, string>
}

/** The response of a call that succeeds. */
export interface Answer {
  readonly kind: 'none' | 'json' | 'text' | 'blob' | 'stream'
  type: Type
  /** The names of its headers, in lower case. */
  readonly headers: readonly string[]
}

/** An operation of the description. */
export interface Call {
  /** `GET /users/{id}` */
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly operationId: string | undefined
  /** An identifier, which may not be free. */
  readonly name: string
  readonly tag: string
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly isDeprecated: boolean
  readonly pathParams: readonly PathParam[]
  readonly searchParams: readonly SearchParam[]
  readonly headerParams: readonly SearchParam[]
  /** The names of cookies that the server reads. */
  readonly cookies: readonly string[]
  /** The beginning of its address, where it has one of its own. */
  readonly urlPrefix: string | undefined
  readonly body: Body | undefined
  readonly answer: Answer
  /** The bodies of errors, by status. */
  readonly errors: readonly (readonly [status: string, type: Type])[]
}

/** Reads the operations of a description, in its order. */
export function readCalls(
  description: Description,
  schemas: SchemaReader,
  corrections: Corrections,
  report: Report,
): readonly Call[] {
  if (description.webhooks !== undefined)
    report.add('left', 'webhooks', 'are requests to your server: nothing is written of them.')
  const { tags: onlyTags, paths: onlyPaths } = corrections
  return Object.entries(description.paths ?? {}).flatMap(([path, item]) => {
    if (onlyPaths !== undefined && !onlyPaths.some((begin) => path.startsWith(begin))) return []
    const shared = dereference(description, item, path)
    return methods.flatMap((method) => {
      const operation = shared[method]
      if (operation === undefined) return []
      const id = `${method.toUpperCase()} ${path}`
      if (method === 'options') {
        report.add('left', id, 'is not written: browsers send it themselves.')
        return []
      }
      const tag =
        operation.tags?.[0] ?? toKebab(path.split('/').find((part) => /^[A-Za-z]{3}/.test(part)) ?? 'api')
      if (onlyTags !== undefined && !onlyTags.some((name) => operation.tags?.includes(name) === true))
        return []
      const servers = corrections.urlPrefix === undefined ? (operation.servers ?? shared.servers) : undefined
      const reader = new CallReader(description, schemas, report, id)
      return [
        reader.read(
          method,
          path,
          tag,
          { ...operation, ...(servers === undefined ? {} : { servers }) },
          shared.parameters ?? [],
        ),
      ]
    })
  })
}

class CallReader {
  readonly #description: Description
  readonly #schemas: SchemaReader
  readonly #report: Report
  readonly #id: string

  constructor(description: Description, schemas: SchemaReader, report: Report, id: string) {
    this.#description = description
    this.#schemas = schemas
    this.#report = report
    this.#id = id
  }

  read(
    method: Method,
    path: string,
    tag: string,
    operation: Operation,
    shared: readonly (Parameter | Reference)[],
  ): Call {
    const parameters = this.#parametersOf(shared, operation.parameters ?? [])
    const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
    const { summary, operationId } = operation
    const search = parameters.filter((parameter) => parameter.in === 'query')
    const taken = new Set([...inPath, ...search.map(({ name }) => name)])
    const headers = parameters.filter(({ in: place, name }) => place === 'header' && !isOwnHeader(name))
    for (const { name } of headers)
      if (taken.has(name))
        this.#left(`has a header and another param "${name}": return the header from getHeaders.`)
    const cookies = parameters.filter(({ in: place }) => place === 'cookie').map(({ name }) => name)
    if (cookies.length > 0)
      this.#left(`reads the cookie ${cookies.join(', ')}: browsers send it, and let no code write it.`)
    if (operation.callbacks !== undefined)
      this.#left('has callbacks, which are requests to your server: nothing is written of them.')
    return {
      id: this.#id,
      method,
      path,
      operationId,
      name: operationName(operationId, method, path),
      tag,
      summary,
      description: operation.description,
      isDeprecated: operation.deprecated === true,
      pathParams: inPath.map((source) =>
        this.#pathParamOf(
          source,
          parameters.find(({ in: place, name }) => place === 'path' && name === source),
        ),
      ),
      searchParams: search.map((parameter) => this.#searchParamOf(parameter)),
      headerParams: headers
        .filter(({ name }) => !taken.has(name))
        .map((parameter) => this.#searchParamOf(parameter)),
      cookies,
      urlPrefix: operation.servers === undefined ? undefined : prefixOf(operation.servers),
      body: this.#bodyOf(method, operation.requestBody),
      ...this.#answersOf(operation),
    }
  }

  #left(text: string): void {
    this.#report.add('left', this.#id, text)
  }

  #parametersOf(
    shared: readonly (Parameter | Reference)[],
    own: readonly (Parameter | Reference)[],
  ): readonly Parameter[] {
    const byName = new Map<string, Parameter>()
    for (const given of [...shared, ...own]) {
      const parameter = dereference(this.#description, given, this.#id)
      byName.set(`${parameter.in} ${parameter.name}`, parameter)
    }
    return [...byName.values()]
  }

  #pathParamOf(source: string, found: Parameter | undefined): PathParam {
    const schema = found?.schema ?? Object.values(found?.content ?? {})[0]?.schema
    const type = this.#schemas.typeOf(schema, this.#id)
    const { style = 'simple', explode = false } = found ?? {}
    const { isList, isObject } = formOf(type)
    if (isObject || found?.content !== undefined)
      this.#left(`has an object in its path, ${source}: give it as text.`)
    const isExploded = explode && style !== 'simple'
    if (isList && (isExploded || style === 'label'))
      this.#left(`has a list in its path, ${source}, in the style ${style}: give it as text.`)
    return {
      source,
      type,
      description: found?.description,
      before: { matrix: `;${source}=`, label: '.' }[style] ?? '',
      isList: isList && !isObject && !isExploded && style !== 'label',
    }
  }

  #searchParamOf(parameter: Parameter): SearchParam {
    const { name, required = false, description } = parameter
    const [media, content] = Object.entries(parameter.content ?? {})[0] ?? []
    const type = this.#schemas.typeOf(parameter.schema ?? content?.schema, `${this.#id} ?${name}`)
    return {
      name,
      type,
      isRequired: required,
      isDeprecated: parameter.deprecated === true,
      description,
      style: this.#styleOf(parameter, type, media),
    }
  }

  #styleOf(parameter: Parameter, type: Type, media: string | undefined): ParamStyle | undefined {
    const { name, in: place } = parameter
    const form = formOf(type)
    const isJson = media !== undefined && jsonType.test(media)
    if (media !== undefined && !isJson && (form.isList || form.isObject))
      this.#left(`has the param ${name} as ${media}: give it as text.`)
    if (place === 'header') {
      if (isJson) return 'header json'
      if (form.isDay) return 'header date'
      return form.isObject && parameter.explode === true ? 'header explode' : 'header'
    }
    if (isJson) return 'json'
    return this.#styleIn(name, form, parameter) ?? (form.isDay ? 'date' : undefined)
  }

  /** The style of a list or an object in the address or a form. */
  #styleIn(
    name: string,
    { isList, isObject, holdsMore }: TypeForm,
    { style = 'form', explode = style === 'form' }: Pick<Parameter, 'style' | 'explode'>,
  ): ParamStyle | undefined {
    if (!isList && !isObject) return undefined
    if (holdsMore && style !== 'deepObject')
      this.#left(`has lists or objects inside of ${name}, for which the style ${style} has no form.`)
    if (style === 'form' && explode) return isObject ? 'spread' : undefined
    if (explode) return undefined
    return style === 'form'
      ? ','
      : style === 'spaceDelimited'
        ? ' '
        : style === 'pipeDelimited'
          ? '|'
          : undefined
  }

  #bodyOf(method: Method, given: RequestBody | Reference | undefined): Body | undefined {
    if (given === undefined) return undefined
    if (method === 'get' || method === 'head') {
      this.#left(`has a body, which no browser sends with ${method.toUpperCase()}.`)
      return undefined
    }
    const { content = {}, required = false } = dereference<RequestBody>(this.#description, given, this.#id)
    const types = Object.keys(content)
    const find = (pattern: RegExp) => types.find((type) => pattern.test(type))
    const json = find(/^application\/json\b/i) ?? find(jsonType)
    const multipart = find(/^multipart\/form-data/i) ?? find(/^multipart\//i)
    const form = find(/^application\/x-www-form-urlencoded/i)
    const any = find(/^\*\/\*/)
    const [first] = types
    const media = json ?? multipart ?? form ?? any ?? first
    if (media === undefined) return undefined
    const read = () => this.#schemas.typeOf(content[media]?.schema, `the body of ${this.#id}`)
    const [bare = ''] = media.split(';')
    const isOwn = /^application\/json$|[*]/i.test(bare.trim())
    const common = { isRequired: required, contentType: undefined, encodings: new Map<string, string>() }
    if (json !== undefined)
      return { ...common, kind: 'json', type: read(), contentType: isOwn ? undefined : media }
    if (multipart !== undefined || form !== undefined) {
      if (multipart !== undefined && !/^multipart\/form-data/i.test(multipart))
        this.#left(`wants ${bare}: it is sent as multipart/form-data.`)
      const kind = multipart === undefined ? 'form' : 'multipart'
      const type = read()
      return { ...common, kind, type, encodings: this.#encodingsOf(kind, type, content[media]) }
    }
    if (any !== undefined) return { ...common, kind: 'json', type: read() }
    const isText = /^text\/|[/+]xml/i.test(media)
    const [only, another] = types
    return {
      ...common,
      kind: isText ? 'text' : 'file',
      type: basic(isText ? 'string' : 'Blob'),
      contentType: isOwn || (!isText && another !== undefined) ? undefined : only,
    }
  }

  #encodingsOf(kind: 'form' | 'multipart', type: Type, media: MediaType | undefined): Map<string, string> {
    const found = new Map<string, string>()
    const body = resolveAlias(type)
    const fields =
      body.kind === 'object' ? body.fields : body.kind === 'named' ? allFields(body.declaration) : []
    for (const field of fields) {
      const { contentType, headers, ...style } = media?.encoding?.[field.name] ?? {}
      const form = formOf(field.type)
      if (headers !== undefined) this.#left(`has headers for the part ${field.name}, which no form sends.`)
      const isJson = contentType !== undefined && jsonType.test(contentType)
      if (kind === 'multipart') {
        if (form.isDay) found.set(field.name, 'date')
        if (contentType !== undefined && !/[*,]/.test(contentType)) found.set(field.name, contentType)
        if (style.style !== undefined || style.explode !== undefined)
          this.#left(`has a style for the part ${field.name}: each value is a part of its own.`)
        continue
      }
      const own =
        isJson || (form.isDay && !form.isObject)
          ? isJson
            ? 'json'
            : 'date'
          : style.style === undefined && style.explode === undefined
            ? undefined
            : this.#styleIn(field.name, form, style)
      if (own !== undefined) found.set(field.name, own)
      else if (form.isObject && style.style === undefined)
        this.#left(`does not say how the object ${field.name} is written: it is sent as ${field.name}[part].`)
    }
    return found
  }

  #answersOf(operation: Operation): Pick<Call, 'answer' | 'errors'> {
    const responses = Object.entries(operation.responses ?? {}).map(
      ([status, response]) =>
        [status.toUpperCase(), dereference<Response>(this.#description, response, this.#id)] as const,
    )
    const good = responses.filter(([status]) => isGood(status))
    const used = good.length > 0 ? good : responses.filter(([status]) => status === 'DEFAULT')
    const errors = responses
      .filter(
        ([status]) => !isGood(status) && !/^[13]/.test(status) && (good.length > 0 || status !== 'DEFAULT'),
      )
      .flatMap(([status, response]) => {
        const media = jsonOf(response.content)
        if (media?.schema === undefined) return []
        return [[status, this.#schemas.typeOf(media.schema, `the error ${status} of ${this.#id}`)] as const]
      })
    return { answer: this.#answerOf(used), errors }
  }

  #answerOf(good: readonly (readonly [string, Response])[]): Answer {
    const headers = good
      .flatMap(([, response]) => Object.keys(response.headers ?? {}))
      .map((name) => name.toLowerCase())
    const json = good.flatMap(([, { content }]) => jsonOf(content)?.schema ?? [])
    if (json.length > 0) {
      const types = json.map((schema) => this.#schemas.typeOf(schema, this.#id))
      const [only, another] = types
      const type = another === undefined && only !== undefined ? only : unionOf(types)
      return { kind: 'json', type, headers }
    }
    const media = good.flatMap(([, { content }]) => Object.keys(content ?? {}))
    const [first] = media
    if (first === undefined) return { kind: 'none', type: basic('unknown'), headers }
    if (jsonType.test(first)) return { kind: 'json', type: basic('unknown'), headers }
    if (/^text\/event-stream/i.test(first)) return { kind: 'stream', type: basic('unknown'), headers }
    const kind = /^text\/|[/+]xml/i.test(first) ? 'text' : 'blob'
    return { kind, type: basic(kind === 'text' ? 'string' : 'Blob'), headers }
  }
}

/** What a value may be, as far as that tells how it is written. */
interface TypeForm {
  readonly isList: boolean
  readonly isObject: boolean
  /** It is a `Date` that stands for a day. */
  readonly isDay: boolean
  /** It has lists or objects inside of it. */
  readonly holdsMore: boolean
}

function formOf(type: Type): TypeForm {
  const parts = (one: Type): readonly Type[] => {
    const found = resolveAlias(one)
    return found.kind === 'union' ? found.members.flatMap(parts) : [found]
  }
  const isComplex = ({ kind }: Type) => ['array', 'tuple', 'object', 'named', 'map'].includes(kind)
  const isDay = (one: Type): boolean =>
    one.kind === 'date' ? one.format === 'date' : one.kind === 'array' && parts(one.item).some(isDay)
  const all = parts(type)
  const inner = all.flatMap((one) =>
    one.kind === 'named' ? allFields(one.declaration).map((field) => field.type) : partsOf(one),
  )
  return {
    isList: all.some(({ kind }) => kind === 'array' || kind === 'tuple'),
    isObject: all.some(({ kind }) => kind === 'object' || kind === 'named' || kind === 'map'),
    isDay: all.some(isDay),
    holdsMore: inner.flatMap(parts).some(isComplex),
  }
}

const isGood = (status: string) => /^2(\d\d|XX)$/.test(status)

const jsonType = /^application\/(json|[\w.+-]*\+json)\b|^text\/json/i

function jsonOf(content: Readonly<Record<string, MediaType>> | undefined): MediaType | undefined {
  const types = Object.keys(content ?? {})
  const type = types.find((name) => jsonType.test(name)) ?? types.find((name) => name.startsWith('*/*'))
  return type === undefined ? undefined : content?.[type]
}

const isOwnHeader = (name: string) =>
  /^(accept|content-type|authorization|accept-encoding|content-length)$/i.test(name)

import { dereference, methods } from './description.js'
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
import { basic, unionOf } from './types.js'
import type { Type } from './types.js'

/** A search param. */
export interface SearchParam {
  readonly name: string
  readonly type: Type
  readonly isRequired: boolean
  readonly isDeprecated: boolean
  readonly description: string | undefined
  /** What stands between the values of a list that is sent as one text. */
  readonly separator: string | undefined
}

export interface PathParam {
  /** Its name in the description. */
  readonly source: string
  readonly type: Type
  readonly description: string | undefined
}

/** The body of a request. */
export interface Body {
  readonly kind: 'json' | 'form' | 'multipart' | 'file' | 'text'
  readonly type: Type
  readonly isRequired: boolean
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
  readonly headerParams: readonly Parameter[]
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
): readonly Call[] {
  const { tags: onlyTags, paths: onlyPaths } = corrections
  return Object.entries(description.paths ?? {}).flatMap(([path, item]) => {
    if (onlyPaths !== undefined && !onlyPaths.some((begin) => path.startsWith(begin))) return []
    const shared = dereference(description, item, path)
    return methods.flatMap((method) => {
      const operation = shared[method]
      if (operation === undefined || method === 'options') return []
      const tag =
        operation.tags?.[0] ?? toKebab(path.split('/').find((part) => /^[A-Za-z]{3}/.test(part)) ?? 'api')
      if (onlyTags !== undefined && !onlyTags.some((name) => operation.tags?.includes(name) === true))
        return []
      const reader = new CallReader(description, schemas, `${method.toUpperCase()} ${path}`)
      return [reader.read(method, path, tag, operation, shared.parameters ?? [])]
    })
  })
}

class CallReader {
  readonly #description: Description
  readonly #schemas: SchemaReader
  readonly #id: string

  constructor(description: Description, schemas: SchemaReader, id: string) {
    this.#description = description
    this.#schemas = schemas
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
      pathParams: inPath.map((source) => {
        const found = parameters.find(({ in: place, name }) => place === 'path' && name === source)
        return {
          source,
          type: this.#schemas.typeOf(found?.schema, this.#id),
          description: found?.description,
        }
      }),
      searchParams: search.map((parameter) => this.#searchParamOf(parameter)),
      headerParams: parameters.filter(({ in: place, name }) => place === 'header' && !isOwnHeader(name)),
      body: method === 'get' || method === 'head' ? undefined : this.#bodyOf(operation.requestBody),
      ...this.#answersOf(operation),
    }
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

  #searchParamOf(parameter: Parameter): SearchParam {
    const { name, required = false, description, style = 'form', explode = style === 'form' } = parameter
    const schema = parameter.schema ?? Object.values(parameter.content ?? {})[0]?.schema
    const separators: Readonly<Record<string, string>> = {
      form: ',',
      spaceDelimited: ' ',
      pipeDelimited: '|',
    }
    const type = this.#schemas.typeOf(schema, `${this.#id} ?${name}`)
    return {
      name,
      type,
      isRequired: required,
      isDeprecated: parameter.deprecated === true,
      description,
      separator: type.kind === 'array' && !explode ? separators[style] : undefined,
    }
  }

  #bodyOf(given: RequestBody | Reference | undefined): Body | undefined {
    if (given === undefined) return undefined
    const { content = {}, required = false } = dereference<RequestBody>(this.#description, given, this.#id)
    const types = Object.keys(content)
    const find = (pattern: RegExp) => types.find((type) => pattern.test(type))
    const read = (type: string) => this.#schemas.typeOf(content[type]?.schema, `the body of ${this.#id}`)
    const json = find(jsonType)
    if (json !== undefined) return { kind: 'json', type: read(json), isRequired: required }
    const multipart = find(/^multipart\//i)
    if (multipart !== undefined) return { kind: 'multipart', type: read(multipart), isRequired: required }
    const form = find(/^application\/x-www-form-urlencoded/i)
    if (form !== undefined) return { kind: 'form', type: read(form), isRequired: required }
    const any = find(/^\*\/\*/)
    if (any !== undefined) return { kind: 'json', type: read(any), isRequired: required }
    const [first] = types
    if (first === undefined) return undefined
    const isText = /^text\/|[/+]xml/i.test(first)
    return { kind: isText ? 'text' : 'file', type: basic(isText ? 'string' : 'Blob'), isRequired: required }
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

const isGood = (status: string) => /^2(\d\d|XX)$/.test(status)

const jsonType = /^application\/(json|[\w.+-]*\+json)\b|^text\/json/i

function jsonOf(content: Readonly<Record<string, MediaType>> | undefined): MediaType | undefined {
  const types = Object.keys(content ?? {})
  const type = types.find((name) => jsonType.test(name)) ?? types.find((name) => name.startsWith('*/*'))
  return type === undefined ? undefined : content?.[type]
}

const isOwnHeader = (name: string) =>
  /^(accept|content-type|authorization|accept-encoding|content-length)$/i.test(name)

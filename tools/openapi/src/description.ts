/** A schema of JSON, as OpenAPI 3.0 and 3.1 write it. */
export interface SchemaObject {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly nullable?: boolean
  readonly 'x-nullable'?: boolean
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly deprecated?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[] | boolean
  readonly additionalProperties?: Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping?: Readonly<Record<string, string>>
  }
  readonly contentMediaType?: string
  readonly contentEncoding?: string
}

export type Schema = SchemaObject | boolean

export interface Reference {
  readonly $ref: string
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly deprecated?: boolean
  readonly schema?: Schema
  readonly content?: Readonly<Record<string, MediaType>>
  readonly style?: string
  readonly explode?: boolean
}

export interface MediaType {
  readonly schema?: Schema
  /** How single fields of a form are sent. */
  readonly encoding?: Readonly<Record<string, Encoding>>
}

export interface Encoding {
  readonly contentType?: string
  readonly style?: string
  readonly explode?: boolean
  readonly headers?: Readonly<Record<string, unknown>>
}

export interface Server {
  readonly url: string
  readonly variables?: Readonly<Record<string, { readonly default?: string }>>
}

export interface RequestBody {
  readonly description?: string
  readonly required?: boolean
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface Response {
  readonly description?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags?: readonly string[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody | Reference
  readonly responses?: Readonly<Record<string, Response | Reference>>
  readonly servers?: readonly Server[]
  readonly callbacks?: Readonly<Record<string, unknown>>
}

export type PathItem = Readonly<Partial<Record<Method, Operation>>> & {
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly $ref?: string
  readonly servers?: readonly Server[]
}

export const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const
export type Method = (typeof methods)[number]

export interface SecurityScheme {
  readonly type: string
  readonly description?: string
  readonly scheme?: string
  readonly in?: string
  readonly name?: string
}

/** An API description in the form of OpenAPI 3. */
export interface Description {
  readonly openapi: string
  readonly info?: { readonly title?: string; readonly version?: string; readonly description?: string }
  readonly servers?: readonly Server[]
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths?: Readonly<Record<string, PathItem>>
  readonly webhooks?: Readonly<Record<string, unknown>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme | Reference>>
    readonly [kind: string]: Readonly<Record<string, unknown>> | undefined
  }
}

export const componentPrefix = '#/components/schemas/'

/** The name of the schema to which a reference leads; `undefined` for one to another place. */
export function componentName(reference: string): string | undefined {
  const name = reference.slice(componentPrefix.length)
  if (!reference.startsWith(componentPrefix) || name.includes('/')) return undefined
  return decodePart(name, reference, '').replaceAll('~1', '/').replaceAll('~0', '~')
}

/**
 * Returns what a local reference names.
 *
 * @param place - where the reference stands, for the error
 * @throws {Error} if there is nothing of that name
 */
function resolveReference(description: Description, reference: string, place?: string): unknown {
  const where = place === undefined ? '' : `: ${place}`
  let value: unknown = description
  for (const part of reference.replace(/^#\//, '').split('/')) {
    const name = decodePart(part, reference, where).replaceAll('~1', '/').replaceAll('~0', '~')
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined
  }
  if (value === undefined)
    throw new Error(`The description has nothing at ${reference}, but refers to it${where}.`)
  return value
}

function decodePart(part: string, reference: string, where: string): string {
  try {
    return decodeURIComponent(part)
  } catch (cause) {
    throw new Error(`The reference ${reference} cannot be decoded${where}. Write "%" as "%25".`, { cause })
  }
}

/**
 * Returns the schema that a reference names.
 *
 * @throws {Error} if there is nothing of that name, or something else
 */
export function resolveSchema(description: Description, reference: string, place: string): Schema {
  const found = resolveReference(description, reference, place)
  if (typeof found === 'boolean' || (typeof found === 'object' && found !== null && !Array.isArray(found)))
    return found as Schema
  throw new Error(
    `The reference ${reference} leads to ${JSON.stringify(found)}, which is no schema: ${place}.`,
  )
}

/** Follows references, also of references. @param place - where the first one stands, for the error */
export function dereference<T extends object>(
  description: Description,
  value: T | Reference,
  place?: string,
): T {
  let found: T | Reference = value
  const passed = new Set<unknown>()
  while ('$ref' in found && typeof found.$ref === 'string') {
    const reference = found.$ref
    if (passed.has(found)) throw new Error(`The reference ${reference} leads to itself.`)
    passed.add(found)
    const next = resolveReference(description, reference, place)
    if (typeof next === 'boolean') return {} as T
    if (typeof next !== 'object' || next === null)
      throw new Error(
        `The reference ${reference} leads to ${JSON.stringify(next)}, which is no object${place === undefined ? '' : `: ${place}`}.`,
      )
    found = next as T | Reference
  }
  return found as T
}

/** The beginning of all addresses: that of the first server. */
export function prefixOf(servers: readonly Server[] = []): string {
  const [server] = servers
  const url = (server?.url ?? '').replace(
    /\{([^{}]+)\}/g,
    (_, name: string) => server?.variables?.[name]?.default ?? name,
  )
  return url.replace(/[?#].*$/, '').replace(/\/$/, '')
}

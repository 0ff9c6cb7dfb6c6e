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
}

export type PathItem = Readonly<Partial<Record<Method, Operation>>> & {
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly $ref?: string
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
  readonly servers?: readonly {
    readonly url: string
    readonly variables?: Readonly<Record<string, { readonly default?: string }>>
  }[]
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths?: Readonly<Record<string, PathItem>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme | Reference>>
    readonly [kind: string]: Readonly<Record<string, unknown>> | undefined
  }
}

/**
 * Returns what a local reference names.
 *
 * @throws {Error} if there is nothing of that name
 */
export function resolveReference(description: Description, reference: string): unknown {
  let value: unknown = description
  for (const part of reference.replace(/^#\//, '').split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined
  }
  if (value === undefined) throw new Error(`The description has nothing at ${reference}, but refers to it.`)
  return value
}

/** Follows references, also of references. */
export function dereference<T extends object>(description: Description, value: T | Reference): T {
  let found: T | Reference = value
  for (let depth = 0; '$ref' in found && typeof found.$ref === 'string'; depth++) {
    if (depth > 50) throw new Error(`The reference ${found.$ref} leads to itself.`)
    found = resolveReference(description, found.$ref) as T | Reference
  }
  return found as T
}

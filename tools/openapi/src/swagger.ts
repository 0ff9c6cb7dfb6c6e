import type {
  Description,
  MediaType,
  Operation,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
  Response,
  Schema,
  SchemaObject,
  SecurityScheme,
} from './description.js'
import { methods } from './description.js'

/** A parameter of Swagger 2: it has the members of a schema itself. */
type OldParameter = Omit<Parameter, 'schema'> &
  SchemaObject & { readonly schema?: Schema; readonly collectionFormat?: string; readonly required?: boolean }

interface OldOperation extends Omit<Operation, 'responses'> {
  readonly consumes?: readonly string[]
  readonly produces?: readonly string[]
  readonly responses?: Readonly<Record<string, (Response & { readonly schema?: Schema }) | Reference>>
}

/** A description in the form of Swagger 2. */
interface OldDescription extends Omit<Description, 'components' | 'paths'> {
  readonly swagger: string
  readonly host?: string
  readonly basePath?: string
  readonly schemes?: readonly string[]
  readonly consumes?: readonly string[]
  readonly produces?: readonly string[]
  readonly definitions?: Readonly<Record<string, Schema>>
  readonly parameters?: Readonly<Record<string, OldParameter>>
  readonly responses?: Readonly<Record<string, Response & { readonly schema?: Schema }>>
  readonly securityDefinitions?: Readonly<Record<string, SecurityScheme & { readonly flow?: string }>>
  readonly paths?: Readonly<Record<string, PathItem>>
}

/** Returns `true` for a description of Swagger 2. */
export function isSwagger(description: object): boolean {
  return 'swagger' in description
}

/** Brings a description of Swagger 2 into the form of OpenAPI 3. */
export function fromSwagger(source: object): Description {
  const old = renameReferences(source) as OldDescription
  const toOperation = (operation: OldOperation, shared: readonly (OldParameter | Reference)[]): Operation => {
    const given = (operation.parameters ?? []) as readonly (OldParameter | Reference)[]
    const own = [...shared, ...given].map((parameter) =>
      '$ref' in parameter ? parameterOf(old, parameter.$ref as string) : parameter,
    )
    const consumes = operation.consumes ?? old.consumes ?? []
    const produces = operation.produces ?? old.produces ?? ['application/json']
    const body = bodyOf(own, consumes)
    return {
      ...operation,
      parameters: own
        .filter(({ in: place }) => place !== 'body' && place !== 'formData')
        .map((parameter) => toParameter(parameter)),
      ...(body === undefined ? {} : { requestBody: body }),
      responses: Object.fromEntries(
        Object.entries(operation.responses ?? {}).map(([status, response]) => {
          const found = '$ref' in response ? responseOf(old, response.$ref) : response
          return [status, toResponse(found, produces)]
        }),
      ),
    }
  }
  const paths = Object.entries(old.paths ?? {}).map(([path, item]) => {
    const shared = (item.parameters ?? []) as readonly (OldParameter | Reference)[]
    const operations = methods.flatMap((method) => {
      const operation = item[method] as OldOperation | undefined
      return operation === undefined ? [] : [[method, toOperation(operation, shared)] as const]
    })
    return [path, Object.fromEntries(operations) as PathItem] as const
  })
  const { info, tags } = old
  return {
    openapi: '3.0.3',
    ...(info === undefined ? {} : { info }),
    ...(tags === undefined ? {} : { tags }),
    servers: [{ url: serverOf(old) }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: old.definitions ?? {},
      securitySchemes: Object.fromEntries(
        Object.entries(old.securityDefinitions ?? {}).map(([name, scheme]) => [
          name,
          scheme.type === 'basic' ? { ...scheme, type: 'http', scheme: 'basic' } : scheme,
        ]),
      ),
    },
  }
}

const definitions = '#/definitions/'

/** References to definitions become references to components. */
function renameReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameReferences)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name === '$ref' && typeof inner === 'string' && inner.startsWith(definitions)
        ? [name, `#/components/schemas/${inner.slice(definitions.length)}`]
        : [name, renameReferences(inner)],
    ),
  )
}

function serverOf({ host, basePath = '', schemes = ['https'] }: OldDescription): string {
  const base = basePath.replace(/\/$/, '')
  if (host === undefined) return base
  return `${schemes.includes('https') ? 'https' : (schemes[0] ?? 'https')}://${host}${base}`
}

function parameterOf({ parameters = {} }: OldDescription, reference: string): OldParameter {
  const found = parameters[reference.replace('#/parameters/', '')]
  if (found === undefined) throw new Error(`The description has nothing at ${reference}, but refers to it.`)
  return found
}

function responseOf({ responses = {} }: OldDescription, reference: string): Response & { schema?: Schema } {
  const found = responses[reference.replace('#/responses/', '')]
  if (found === undefined) throw new Error(`The description has nothing at ${reference}, but refers to it.`)
  return found
}

function toParameter(parameter: OldParameter): Parameter {
  const { name, in: place, required = false, description, collectionFormat, ...schema } = parameter
  const isJoined = schema.type === 'array' && collectionFormat !== 'multi'
  const style = { ssv: 'spaceDelimited', pipes: 'pipeDelimited' }[collectionFormat ?? ''] ?? 'form'
  return {
    name,
    in: place,
    required: place === 'path' || required,
    ...(description === undefined ? {} : { description }),
    schema: schema.schema ?? schema,
    ...(place === 'query' ? { style, explode: !isJoined } : {}),
  }
}

function bodyOf(parameters: readonly OldParameter[], consumes: readonly string[]): RequestBody | undefined {
  const body = parameters.find(({ in: place }) => place === 'body')
  if (body !== undefined) {
    const { description, required = false, schema = {} } = body
    const types = consumes.length === 0 ? ['application/json'] : consumes
    return {
      ...(description === undefined ? {} : { description }),
      required,
      content: contentOf(types, schema),
    }
  }
  const fields = parameters.filter(({ in: place }) => place === 'formData')
  if (fields.length === 0) return undefined
  const schema: SchemaObject = {
    type: 'object',
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      fields.map((field) => {
        const { type, description, items, format, default: given } = field
        const isFile = type === 'file'
        return [
          field.name,
          {
            ...(type === undefined ? {} : { type: isFile ? 'string' : type }),
            ...(isFile ? { format: 'binary' } : format === undefined ? {} : { format }),
            ...(description === undefined ? {} : { description }),
            ...(items === undefined ? {} : { items }),
            ...(field.enum === undefined ? {} : { enum: field.enum }),
            ...(given === undefined ? {} : { default: given }),
          },
        ]
      }),
    ),
  }
  const hasFile = fields.some(({ type }) => type === 'file')
  const isForm = !hasFile && consumes.includes('application/x-www-form-urlencoded')
  return {
    required: fields.some(({ required }) => required),
    content: { [isForm ? 'application/x-www-form-urlencoded' : 'multipart/form-data']: { schema } },
  }
}

function toResponse(response: Response & { schema?: Schema }, produces: readonly string[]): Response {
  const { schema, ...rest } = response
  if (schema === undefined) return rest
  if (typeof schema === 'object' && schema.type === 'file')
    return { ...rest, content: contentOf(produces, { type: 'string', format: 'binary' }) }
  return { ...rest, content: contentOf(produces, schema) }
}

function contentOf(types: readonly string[], schema: Schema): Readonly<Record<string, MediaType>> {
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

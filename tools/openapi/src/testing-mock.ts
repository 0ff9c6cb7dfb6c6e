import type { Context, Operation } from 'openapi-backend'
import type { Exceptions } from './testing-exceptions.js'
import { backendOf, serve } from './testing-server.js'
import type { TestServer } from './testing-server.js'
import { startValidator } from './testing-validator.js'

type Fields = Record<string, unknown>

/** Where the records of one kind are, in the words of the description. */
export interface Records {
  /** The path of one record: `/pets/{petId}`. */
  readonly record: string
  /** The path of their list. @default `record` without its last param */
  readonly list?: string
  /** The field with the primary key. @default 'id' */
  readonly pk?: string
  /** The field of a response that holds the list. @default the response is the list */
  readonly listIn?: string
  /** The field of a response that holds the record. @default the response is the record */
  readonly recordIn?: string
  /** What the server has at first, each with its primary key. The other fields are made of the schema of a response. */
  readonly stored: readonly Fields[]
}

/**
 * Starts a server that is made from a description: two validators check requests, answers by the schemas, and checks what it answers. Records
 * are listed, read, created, changed and deleted; each other operation answers what its schema says.
 *
 * @param description - of OpenAPI 3
 * @param exceptions - what the validators cannot take of it
 */
export async function startMock(
  description: object,
  records: readonly Records[],
  exceptions?: Exceptions,
): Promise<TestServer> {
  const tables = records.map((one) => new Table(one))
  const backend = backendOf(withSamples(description), exceptions)
  backend.register({
    notImplemented: (context: Context) => {
      const { status: first, mock } = context.api.mockResponseForOperation(
        context.operation.operationId ?? '',
      )
      // Some descriptions tell what goes wrong alone.
      const status = first < 400 ? first : 204
      const [code, value] = tables.reduce<readonly [number, unknown] | undefined>(
        (found, table) => found ?? table.answer(context, status, mock),
        undefined,
      ) ?? [status, mock]
      const { errors } = context.api.validateResponse(value, context.operation, code)
      const isEmpty = context.operation.responses?.[code] === undefined || code === 204
      if (errors && !isEmpty) return [500, { message: `The mock is wrong: ${JSON.stringify(errors)}` }]
      return [code, isEmpty ? undefined : value]
    },
    validationFail: ({ validation }) => [422, { message: JSON.stringify(validation.errors) }],
    unauthorizedHandler: () => [401, { message: 'not signed' }],
    notFound: () => [404, { message: 'no such path' }],
  })
  const { securitySchemes = {} } =
    (description as { components?: { securitySchemes?: object } }).components ?? {}
  for (const name of Object.keys(securitySchemes))
    backend.registerSecurityHandler(name, ({ request }) => 'authorization' in request.headers)
  return serve(backend, await startValidator(description, exceptions))
}

/** The records of one kind. */
class Table {
  readonly #records: Records
  readonly #stored: Map<string, Fields>

  constructor(records: Records) {
    this.#records = records
    const { pk = 'id', stored } = records
    this.#stored = new Map(stored.map((fields) => [String(fields[pk]), fields]))
  }

  /** @returns `undefined` for an operation that is not one of these records */
  answer(
    { operation, request }: Context,
    status: number,
    sample: unknown,
  ): readonly [number, unknown] | undefined {
    const { record, list = record.replace(/\/?\{[^{}]+\}$/, ''), pk = 'id', listIn, recordIn } = this.#records
    const { method } = operation
    if (operation.path === list && method === 'get') {
      const [first] = (listIn === undefined ? sample : (sample as Fields)[listIn]) as Fields[]
      const members = [...this.#stored.values()].map((fields) => shown(first ?? {}, fields))
      return [status, listIn === undefined ? members : { ...(sample as Fields), [listIn]: members }]
    }
    const answer = (fields: Fields) =>
      [
        status,
        recordIn === undefined
          ? shown(sample as Fields, fields)
          : { ...(sample as Fields), [recordIn]: shown((sample as Fields)[recordIn] as Fields, fields) },
      ] as const
    if (operation.path === list && method === 'post') {
      const [last] = [...this.#stored.values()].slice(-1)
      const key = last?.[pk]
      const text = String(key)
      const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-/.test(text)
      const id = typeof key === 'number' ? key + 1 : isUuid ? text.replace(/^./, 'f') : `${text}-new`
      const fields = { ...(request.requestBody as Fields), [pk]: id }
      this.#stored.set(String(id), fields)
      return answer(fields)
    }
    if (operation.path !== record) return undefined
    const [key = ''] = Object.values(request.params).slice(-1) as string[]
    const found = this.#stored.get(key)
    if (found === undefined) return [404, { message: 'no such record' }]
    if (method === 'delete') {
      this.#stored.delete(key)
      return [status, shown(sample as Fields, { [pk]: found[pk] })]
    }
    if (method !== 'get') Object.assign(found, request.requestBody)
    return answer(found)
  }
}

/** A response of which a schema tells the fields. */
const shown = (sample: Fields, stored: Fields): Fields => ({
  ...sample,
  ...Object.fromEntries(Object.entries(stored).filter(([name]) => name in sample)),
})

/** A copy in which each operation has an id, and no path a slash at its end, as the router takes them. */
export function withIds(description: object): object {
  const copy = JSON.parse(JSON.stringify(description)) as {
    paths: Record<string, Record<string, Partial<Operation>>>
  }
  for (const [path, item] of Object.entries(copy.paths))
    for (const [method, operation] of Object.entries(item))
      if (!Array.isArray(operation)) operation.operationId ??= `${method} ${path}`
  const paths = Object.entries(copy.paths).map(([path, item]) => [path.replace(/(.)\/$/, '$1'), item])
  return { ...copy, paths: Object.fromEntries(paths) as object }
}

/** A copy of which responses are made up: each schema has the type that it implies, and no pattern, since no text that fits is made up. */
function withSamples(description: object): object {
  const copy = withIds(description)
  sayTypes(copy)
  return copy
}

function sayTypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const fields = value as Fields
  const isObject = isSchemaMap(fields['properties'])
  if (fields['type'] === undefined && (isObject || isSchemaMap(fields['items'])))
    fields['type'] = isObject ? 'object' : 'array'
  if (typeof fields['pattern'] === 'string') delete fields['pattern']
  for (const inner of Object.values(fields)) sayTypes(inner)
}

const isSchemaMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

import { dereference } from './description.js'
import type { Description, SecurityScheme } from './description.js'
import { toCamel, toMember } from './names.js'
import { literal } from './print-types.js'
import type { TypePrinter } from './print-types.js'
import type { Call } from './read-calls.js'
import type { Report } from './report.js'
import { docOf } from './source-file.js'
import type { SourceFile } from './source-file.js'
import { unionOf } from './types.js'
import type { Type } from './types.js'

/** How a security scheme signs requests. */
interface Signature {
  /** A member of `credentials`. */
  readonly member: string
  readonly doc: string
  readonly place: 'header' | 'query' | 'cookie'
  readonly name: string
  /** The value that is sent, as an expression. */
  readonly value: string
}

/** What adds relations by keys to a record. */
export const relateHelper = `${docOf(['Adds relations to a record that has the primary keys in other fields: `relate(record, { author: "authorId" })`.'])}export function relate(record: Record<string, unknown>, fields: Readonly<Record<string, string>>) {
  const found = Object.entries(fields).filter(([, field]) => record[field] !== undefined)
  return { ...record, ...Object.fromEntries(found.map(([name, field]) => [name, record[field]])) }
}`

/** The beginning of all addresses. */
export function prefixOf({ servers = [] }: Description): string {
  const [server] = servers
  const url = (server?.url ?? '').replace(
    /\{([^{}]+)\}/g,
    (_, name: string) => server?.variables?.[name]?.default ?? name,
  )
  return url.replace(/[?#].*$/, '').replace(/\/$/, '')
}

/** Writes the class of all endpoints: where they send, and how they sign. */
export function printBase(
  file: SourceFile,
  description: Description,
  urlPrefix: string,
  helpers: ReadonlySet<string>,
  report: Report,
): void {
  const signatures = signaturesOf(description, report)
  const useRest = (name: string, isType = false) => file.use(name, '@selfsame/core/rest', isType)
  file.add(`${docOf(['The beginning of every address.'])}export const urlPrefix = ${literal(urlPrefix)}`)
  const members = new Map(
    signatures.filter(({ place }) => place !== 'cookie').map(({ member, doc }) => [member, doc]),
  )
  if (members.size > 0) {
    const lines = [...members].map(([member, doc]) => `${docOf([doc])}${toMember(member)}: '',`)
    file.add(
      `${docOf([
        'What requests are signed with. Set it when a user signs in, and call `controller.resetAll()` then. An empty text is not sent.',
        'A server has many users at a time: there, send the headers of a request by `hookifyResource`, or by a Controller of its own.',
      ])}export const credentials = {\n${lines.join('\n')}\n}`,
    )
  }
  file.add(
    `${docOf(['The class of all endpoints. To change a step for all of them, derive from it, and pass your class as `Endpoint`.'])}` +
      `export class ApiEndpoint<const Options extends ${useRest('RestOptions', true)}> extends ${useRest('RestEndpoint')}<Options> {\n` +
      ['override readonly urlPrefix = urlPrefix', ...stepsOf(signatures)].join('\n\n') +
      '\n}',
  )
  if (helpers.has('typed')) {
    const schema = file.use('Schema', '@selfsame/core', true)
    const contract = file.use('SchemaContract', '@selfsame/core', true)
    file.add(
      `${docOf(['Gives a schema the type of its data. Without a schema the value is stored as it is sent.'])}` +
        `export const typed = <Data>(schema?: ${schema}) => schema as unknown as ${contract}<Data>`,
    )
  }
  if (helpers.has('relate')) file.add(relateHelper)
  if (helpers.has('joined'))
    file.add(
      `${docOf(['Writes the lists in these params as one text, with a separator between their values.'])}` +
        `export const joined = (separators: Readonly<Record<string, string>>) => (params: Readonly<Record<string, unknown>>) => {
  const texts = Object.entries(params).map(([name, value]) => {
    const separator = separators[name]
    return [name, separator !== undefined && Array.isArray(value) ? value.join(separator) : value]
  })
  return ApiEndpoint.prototype.searchToString(Object.fromEntries(texts))
}`,
    )
  const endpoint = '(this: RestEndpoint, body?: unknown): RequestInit | Promise<RequestInit>'
  if (helpers.has('asForm'))
    file.add(
      `${docOf(['Sends a body as a form, which may have files.'])}export function asForm${endpoint} {
  const form = body instanceof FormData ? body : new FormData()
  for (const [name, value] of form === body ? [] : Object.entries(body ?? {}))
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue
      if (item instanceof Blob) form.append(name, item)
      else form.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item))
    }
  return ApiEndpoint.prototype.getRequestInit.call(this, form)
}`,
    )
  if (helpers.has('asUrlEncoded'))
    file.add(
      `${docOf(['Sends a body as a form in one line of text.'])}export function asUrlEncoded${endpoint} {
  const isEncoded = body instanceof URLSearchParams || body === undefined
  const form = isEncoded ? body : new URLSearchParams(this.searchToString({ ...(body as object) }))
  return ApiEndpoint.prototype.getRequestInit.call(this, form)
}`,
    )
}

function signaturesOf(description: Description, report: Report): Signature[] {
  return Object.entries(description.components?.securitySchemes ?? {}).flatMap(([id, given]): Signature[] => {
    const scheme = dereference<SecurityScheme>(description, given)
    const doc = scheme.description ?? id
    const type = scheme.type === 'http' ? `http ${(scheme.scheme ?? '').toLowerCase()}` : scheme.type
    switch (type) {
      case 'http bearer':
      case 'oauth2':
      case 'openIdConnect':
        return [
          {
            member: 'token',
            doc,
            place: 'header',
            name: 'Authorization',
            value: '`Bearer ${credentials.token}`',
          },
        ]
      case 'http basic': {
        const value = '`Basic ${btoa(`${credentials.username}:${credentials.password}`)}`'
        const both = { doc, place: 'header', name: 'Authorization', value } as const
        return [
          { ...both, member: 'username' },
          { ...both, member: 'password', value: '' },
        ]
      }
      case 'apiKey': {
        const { name = id, in: place = 'header' } = scheme
        const member = toCamel(id)
        if (place !== 'header' && place !== 'query' && place !== 'cookie') return []
        const isBearer = place === 'header' && name.toLowerCase() === 'authorization'
        const value = `credentials.${isBearer ? 'authorization' : member}`
        return [{ member: isBearer ? 'authorization' : member, doc, place, name, value }]
      }
      default:
        report.add(
          'left',
          `the security scheme ${id}`,
          `is of the type "${type}", which getHeaders does not know: add it there.`,
        )
        return []
    }
  })
}

function stepsOf(signatures: readonly Signature[]): string[] {
  const unique = [...new Map(signatures.map((one) => [`${one.member}`, one])).values()]
  const headers = unique.filter(({ place, value }) => place === 'header' && value !== '')
  const queries = unique.filter(({ place }) => place === 'query')
  const steps: string[] = []
  if (headers.length > 0) {
    const lines = headers.map(
      ({ member, name, value }) => `if (credentials.${member} !== '') signed[${literal(name)}] = ${value}`,
    )
    steps.push(
      `override getHeaders(headers: Readonly<Record<string, string>>): HeadersInit | Promise<HeadersInit> {\nconst signed: Record<string, string> = { ...headers }\n${lines.join('\n')}\nreturn signed\n}`,
    )
  }
  if (unique.some(({ place }) => place === 'cookie'))
    steps.push(
      `${docOf(['The cookie of the session is sent to other origins, too.'])}override async getRequestInit(body?: unknown): Promise<RequestInit> {\nreturn { ...(await super.getRequestInit(body)), credentials: 'include' }\n}`,
    )
  if (queries.length > 0) {
    const lines = queries.map(
      ({ member, name }) =>
        `if (credentials.${member} !== '') signed.push(\`${encodeURIComponent(name)}=\${encodeURIComponent(credentials.${member})}\`)`,
    )
    steps.push(
      `${docOf(['The key is sent, but is no part of the cache key.'])}override fetchResponse(...[url, ...rest]: Parameters<RestEndpoint['fetchResponse']>): Promise<Response> {\nconst signed: string[] = []\n${lines.join('\n')}\nconst search = signed.join('&')\nreturn super.fetchResponse(search === '' ? url : \`\${url}\${url.includes('?') ? '&' : '?'}\${search}\`, ...rest)\n}`,
    )
  }
  return steps
}

/** Writes the types of errors, and what tells them apart. @returns `false` if the description has none */
export function printErrors(file: SourceFile, types: TypePrinter, calls: readonly Call[]): boolean {
  const byStatus = new Map<string, Type[]>()
  for (const { errors } of calls)
    for (const [status, type] of errors) {
      const name = /^\d{3}$/.test(status) ? status : 'default'
      const known = byStatus.get(name)
      if (known === undefined) byStatus.set(name, [type])
      else known.push(type)
    }
  if (byStatus.size === 0) return false
  const typeOf = (found: readonly Type[]) => types.type(unionOf(found), 'response')
  const statuses = [...byStatus]
    .filter(([status]) => status !== 'default')
    .sort(([a], [b]) => Number(a) - Number(b))
  const others = byStatus.get('default')
  const error = file.use('NetworkError', '@selfsame/core/rest')
  file.add(
    `${docOf(['The bodies of errors, by status.'])}export interface ErrorBodies {\n${statuses.map(([status, found]) => `${status}: ${typeOf(found)}`).join('\n')}\n}`,
  )
  file.add(
    `${docOf(['The body of an error with any other status.'])}export type DefaultError = ${others === undefined ? 'unknown' : typeOf(others)}`,
  )
  file.add(
    `${docOf(['Returns `true` for an error of this status, and types its body: `isError(error, 404) && error.body`.'])}` +
      `export function isError<const Status extends number>(error: unknown, status: Status): error is ${error} & {
  readonly status: Status
  readonly body: Status extends keyof ErrorBodies ? ErrorBodies[Status] : DefaultError
} {
  return error instanceof ${error} && error.status === status
}`,
  )
  return true
}

import { dereference } from './description.js'
import type { Description, SecurityScheme } from './description.js'
import { toCamel, toMember } from './names.js'
import { literal } from './print-types.js'
import type { TypePrinter } from './print-types.js'
import type { Call } from './read-calls.js'
import type { Report } from './report.js'
import { printRequestHelpers } from './print-requests.js'
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

/** Writes what types the lists of records, as a function: it is there before the classes that call it. */
export function addListOf(file: SourceFile): void {
  const schema = file.use('Schema', '@selfsame/core', true)
  const collection = file.use('CollectionSchema', '@selfsame/core', true)
  file.add(
    `${docOf(['A list of records in a record. A subclass may make a Collection of it.'])}` +
      `export function listOf<const Member extends ${schema}>(member: Member): readonly [Member] | ${collection}<readonly [Member]> {\nreturn [member]\n}`,
  )
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
      ['override readonly urlPrefix = urlPrefix', ...stepsOf(signatures, helpers.has('headers'))].join(
        '\n\n',
      ) +
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
  if (helpers.has('listOf')) addListOf(file)
  if (helpers.has('relate')) file.add(relateHelper)
  printRequestHelpers(file, helpers)
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

function stepsOf(signatures: readonly Signature[], hasHeaders: boolean): string[] {
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
  if (queries.length > 0 || hasHeaders) {
    const signed = queries.map(
      ({ member, name }) =>
        `if (credentials.${member} !== '') signed.push(\`${encodeURIComponent(name)}=\${encodeURIComponent(credentials.${member})}\`)`,
    )
    const doc = [
      ...(hasHeaders
        ? ['Params that are headers stand behind the `#` of the address, which is the cache key.']
        : []),
      ...(queries.length > 0 ? ['The key is sent, but is no part of the cache key.'] : []),
    ]
    const lines = [
      ...(hasHeaders
        ? ["const [address = '', aside = ''] = url.split('#')", "const plain = address.replace(/\\?$/, '')"]
        : ['const plain = url']),
      ...(hasHeaders
        ? [
            'const headers = new Headers(init.headers)',
            'for (const [name, value] of new URLSearchParams(aside)) headers.set(name, value)',
          ]
        : []),
      ...(queries.length > 0
        ? ['const signed: string[] = []', ...signed, "const search = signed.join('&')"]
        : []),
      `return super.fetchResponse(${queries.length > 0 ? "search === '' ? plain : `${plain}${plain.includes('?') ? '&' : '?'}${search}`" : 'plain'}, ${hasHeaders ? '{ ...init, headers }' : 'init'}, ...rest)`,
    ]
    steps.push(
      `${docOf(doc)}override fetchResponse(...[url, init, ...rest]: Parameters<RestEndpoint['fetchResponse']>): Promise<Response> {\n${lines.join('\n')}\n}`,
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
    `${docOf([
      'Returns `true` for an error of this status, and types its body: `isError(error, 404) && error.body`. An error that a server carried to the page has no body.',
    ])}` +
      `export function isError<const Status extends number>(error: unknown, status: Status): error is ${error} & {
  readonly status: Status
  readonly body: (Status extends keyof ErrorBodies ? ErrorBodies[Status] : DefaultError) | undefined
} {
  return error instanceof ${error} && error.status === status
}`,
  )
  return true
}

import { NetworkError } from '../endpoint/network-error.js'
import type { RequestName } from '../endpoint/response.js'
import { placeOf } from '../errors.js'
import { isPlainObject } from '../util/plain.js'

/** One error of a GraphQL answer. @see GraphQL specification (October 2021) 7.1.2 */
export interface GQLError {
  readonly message: string
  /** Where in the data it happened; absent when the request as a whole is at fault. */
  readonly path?: readonly (string | number)[] | undefined
  /** Where in the document. */
  readonly locations?: readonly { readonly line: number; readonly column: number }[] | undefined
  /** What the server adds, such as a `code`. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/**
 * A request that a GraphQL server answered with errors. Its message has those of all of them, with their places.
 *
 * `status` is that of the HTTP response, 200 included. `body` is the whole response, so that `body.data` is what the
 * server could give. The body of `response` has been read, unless the status says that the request failed.
 *
 * @see specification E18
 */
export class GQLNetworkError extends NetworkError {
  override name = 'GQLNetworkError'
  /** The errors, as the server sent them; at least one. */
  readonly errors: readonly GQLError[]

  constructor(
    message: string,
    details: {
      readonly errors: readonly GQLError[]
      readonly status: number
      readonly response: Response
      readonly body: unknown
    },
  ) {
    super(message, details)
    this.errors = details.errors
  }
}

/** The errors of a response; none where it is no GraphQL answer, or a good one. */
export function errorsOf(answer: unknown): readonly GQLError[] {
  return isPlainObject(answer) && Array.isArray(answer.errors) ? (answer.errors as readonly GQLError[]) : []
}

/** An error for a response that has errors. */
export function toGQLNetworkError(
  response: Response,
  body: unknown,
  { endpoint, method, url }: RequestName,
): GQLNetworkError {
  const list = errorsOf(body)
  const status = `${response.status} ${response.statusText}`.trim()
  const count = list.length === 1 ? '1 error' : `${list.length} errors`
  return new GQLNetworkError(
    `${endpoint} failed: ${status} with ${count} from ${method} ${url}.${list.map(describe).join('')}`,
    { errors: list, status: response.status, response, body },
  )
}

/** Servers that are not GraphQL's own, such as a gateway, leave out what the specification demands. */
function describe(error: unknown): string {
  const { message, path } = isPlainObject(error) ? error : {}
  const text = typeof message === 'string' && message !== '' ? message : 'an error without a message'
  const place = Array.isArray(path) && path.length > 0 ? ` (at ${placeOf(path as (string | number)[])})` : ''
  return `\n  ${text.trim().replaceAll('\n', '\n  ')}${place}`
}

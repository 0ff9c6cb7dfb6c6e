import type { RequestName } from '../endpoint/response.js'
import { NetworkError, displayOf, placeOf } from '../errors.js'
import { isPlainObject } from '../util/plain.js'

/** One error of a GraphQL response. @see GraphQL specification (October 2021) 7.1.2 */
export interface GQLError {
  readonly message: string
  /** The path in the data; absent if the whole request failed. */
  readonly path?: readonly (string | number)[] | undefined
  /** The places in the document. */
  readonly locations?: readonly { readonly line: number; readonly column: number }[] | undefined
  /** Additions of the server, such as a `code`. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The error of a GraphQL response with errors. Its message has their count, codes and places. Their texts are in `errors`,
 * which is not enumerable, because a server may write data of a user into them.
 *
 * `status` is the HTTP status, which can be 200. `body` is the whole response; `body.data` is the data beside the errors.
 * The body of `response` was read, unless the status is not 2xx.
 *
 * @see specification E18
 */
export class GQLNetworkError extends NetworkError {
  override name = 'GQLNetworkError'
  /** The errors of the response; at least one. */
  declare readonly errors: readonly GQLError[]

  constructor(
    message: string,
    details: {
      readonly errors: readonly GQLError[]
      readonly status: number
      readonly response: Response
      readonly body: unknown
      readonly method?: string
      readonly url?: string
    },
  ) {
    super(message, details)
    Object.defineProperty(this, 'errors', { value: details.errors })
  }
}

/** Returns the errors of a response; an empty list if there are none, or if it is not a GraphQL response. */
export function errorsIn(answer: unknown): readonly GQLError[] {
  return isPlainObject(answer) && Array.isArray(answer.errors) ? (answer.errors as readonly GQLError[]) : []
}

/** Makes the error for a response with errors. */
export function toGQLNetworkError(
  response: Response,
  body: unknown,
  { endpoint, method, url }: RequestName,
): GQLNetworkError {
  const list = errorsIn(body)
  const status = `${response.status} ${response.statusText}`.trim()
  const [count, places] = countAndPlaces(list)
  return new GQLNetworkError(
    `${endpoint} failed: ${status} with ${count} from ${method} ${displayOf(url)}${places}.`,
    { errors: list, status: response.status, method, url, response, body },
  )
}

/** Names errors: their count, codes and places. */
export const textOfErrors = (list: readonly unknown[]): string => countAndPlaces(list).join('')

function countAndPlaces(list: readonly unknown[]): readonly [count: string, places: string] {
  return [list.length === 1 ? '1 error' : `${list.length} errors`, list.map(messageOf).join('')]
}

/** Names an error by its code and its place, never by its text. Some servers leave out members that the specification requires. */
function messageOf(error: unknown): string {
  const { path, extensions } = isPlainObject(error) ? error : {}
  const code = isPlainObject(extensions) ? extensions.code : undefined
  const name = typeof code === 'string' && /^[\w-]{1,64}$/.test(code) ? ` ${code}` : ''
  const place = Array.isArray(path) && path.length > 0 ? ` at ${placeOf(path as (string | number)[])}` : ''
  return name + place === '' ? '' : `;${name}${place}`
}

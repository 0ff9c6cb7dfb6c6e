import { development } from '#development'
import { NetworkError, addressRelative, bodyUnexpected, describeThrown, displayOf } from '../errors.js'

/** A request as messages name it: `Article.get failed … from GET /article/5`. */
export interface RequestName {
  readonly endpoint: string
  readonly method: string
  readonly url: string
}

/** Makes the error for a response whose status is not 2xx, with its parsed body. */
export async function toStatusError(response: Response, request: RequestName): Promise<NetworkError> {
  const { endpoint, method, url } = request
  const status = `${response.status} ${response.statusText}`.trim()
  return new NetworkError(`${endpoint} failed: ${status} from ${method} ${displayOf(url)}.`, {
    status: response.status,
    method,
    url,
    response,
    body: await readErrorBody(response),
  })
}

/**
 * Makes the error for a request without a response, or with a response that broke off. `fetch` reports both by a
 * TypeError. Other errors are returned as they are: an abort, a time-out, an error of an own `fetchResponse`.
 *
 * The text of the cause is not shown: `fetch` quotes the value of a header that it refuses, and the address.
 */
export function toConnectionError(
  cause: unknown,
  { endpoint, method, url }: RequestName,
  hasResponse = false,
): unknown {
  if (cause instanceof Error && !isOfPlatform(cause)) return cause
  const reason = describeThrown(cause)
  if (development && !hasResponse && isRelative(url) && cause instanceof Error && /url/i.test(cause.message))
    return addressRelative(endpoint, displayOf(url), cause)
  const from = `${method} ${displayOf(url)}`
  const failure = hasResponse
    ? `the response from ${from} broke off (${reason}).${
        development
          ? '\n  The connection was lost while the body was read, or the body does not match its headers.'
          : ''
      }`
    : `no response from ${from} (${reason}).${
        development
          ? '\n  The server is not reachable, or it does not allow requests from this page (CORS).'
          : ''
      }`
  return new NetworkError(`${endpoint} failed: ${failure}`, { cause, method, url })
}

/**
 * Returns `true` for an error whose text the platform wrote: a TypeError, and what `XMLHttpRequest` throws. An abort and a
 * time-out are told apart by their names.
 */
export function isOfPlatform(error: Error): boolean {
  const isException = Object.prototype.toString.call(error) === '[object DOMException]'
  return error instanceof TypeError || (isException && !/^(Abort|Timeout)Error$/.test(error.name))
}

const answered = new WeakSet<object>()

/**
 * Notes that an error was thrown when the server had answered: by a step of the user, which may throw anything. A body that breaks off is
 * no answer.
 *
 * @param isParsing - `true` while the body may still be read
 * @returns the error
 */
export function afterAnswer(error: unknown, isParsing: boolean): unknown {
  const isBrokenOff = error instanceof NetworkError || (isParsing && error instanceof TypeError)
  if (error instanceof Error && !isBrokenOff) answered.add(error)
  return error
}

export function isAfterAnswer(error: Error): boolean {
  return answered.has(error)
}

/** Returns `true` if an address needs a page to be resolved, and there is none. */
function isRelative(url: string): boolean {
  return !/^[a-z][\w+.-]*:/i.test(url) && (globalThis as { location?: unknown }).location === undefined
}

/** Ways to read a body, other than by its content type. */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream'

/** The content types of text. A body of another type is damaged if it is read as text. */
const textType =
  /^text\/|charset=|[/+](xml|xhtml|html|yaml|toml|csv|sql|graphql|\w*script|x-www-form-urlencoded)\b|[/+-](nd|l)?json(l|5)?\b/i

/**
 * Reads the body of a response. By its content type: JSON is parsed, no body is `null`, other text is text, anything else is
 * a `Blob`. Without a content type: JSON or text.
 *
 * @param expectsJson - `true` makes a body that is not JSON an error (specification E9)
 * @param content - how to read the body, whatever its content type
 * @throws {SelfsameError} `body-unexpected`, status 400, naming address and content type
 */
export async function readBody(
  response: Response,
  expectsJson: boolean,
  request: RequestName,
  content?: Content,
): Promise<unknown> {
  if (response.status === 204 || response.status === 205 || request.method === 'HEAD') return null
  if (content === 'stream') return response.body
  const read = async <Kind extends 'text' | 'blob' | 'arrayBuffer'>(kind: Kind) => {
    try {
      return (await response[kind]()) as Awaited<ReturnType<Response[Kind]>>
    } catch (cause) {
      throw toConnectionError(cause, request, true)
    }
  }
  if (content !== undefined && content !== 'json') return read(content)
  const type = response.headers.get('content-type') ?? ''
  const isJson = content === 'json' || /[/+]json\b/i.test(type)
  if (!isJson && !expectsJson && type !== '' && !textType.test(type)) {
    const blob = await read('blob')
    return blob.size === 0 ? null : blob
  }
  const text = await read('text')
  if (text === '') return null
  const refuse = (found: string, cause?: unknown) =>
    bodyUnexpected(request.endpoint, found, request.method, displayOf(request.url), cause)
  if (isJson || type === '') {
    try {
      return JSON.parse(text) as unknown
    } catch (cause) {
      // A page for unknown addresses may come without a type, too.
      if (!isJson && !expectsJson && !/^\s*<(!doctype|html)\b/i.test(text)) return text
      throw refuse(`${type === '' ? 'text without a content type' : type} that is not valid JSON`, cause)
    }
  }
  if (expectsJson || /html\b/i.test(type)) throw refuse(`${type} instead of JSON`)
  return text
}

/** Reads a copy, so that the response stays readable. */
async function readErrorBody(response: Response): Promise<unknown> {
  let text = ''
  try {
    text = await response.clone().text()
    return JSON.parse(text) as unknown
  } catch {
    return text === '' ? undefined : text
  }
}

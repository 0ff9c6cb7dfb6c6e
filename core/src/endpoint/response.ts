import { SelfsameError, messageOf } from '../errors.js'
import { NetworkError } from './network-error.js'

/** The request that was answered, as messages name it: `Article.get failed … from GET /article/5`. */
export interface RequestName {
  readonly endpoint: string
  readonly method: string
  readonly url: string
}

/** An error for an answer whose status is not 2xx, with its body parsed. */
export async function toStatusError(response: Response, request: RequestName): Promise<NetworkError> {
  const status = `${response.status} ${response.statusText}`.trim()
  return new NetworkError(`${request.endpoint} failed: ${status} from ${request.method} ${request.url}.`, {
    status: response.status,
    response,
    body: await readErrorBody(response),
  })
}

/**
 * An error for a request that got no answer, which `fetch` reports by a TypeError. Anything else stays what it is:
 * an abort, a time-out, what an own `fetchResponse` throws.
 */
export function toConnectionError(cause: unknown, { endpoint, method, url }: RequestName): unknown {
  if (cause instanceof Error && !(cause instanceof TypeError)) return cause
  return new NetworkError(
    `${endpoint} failed: no answer from ${method} ${url} (${messageOf(cause)}).
  The server is not reachable, or it does not allow requests from this page (CORS).`,
    { cause },
  )
}

/** Ways to read a body, other than by its content type. */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream'

/**
 * Reads an answer's body. By its content type, JSON is parsed, nothing is `null`, other text is text.
 *
 * @param expectsJson - whether text that is not JSON is an error (specification E9)
 * @param content - how it is read whatever its content type
 * @throws {SelfsameError} `body-unexpected`, status 400, naming address and content type
 */
export async function readBody(
  response: Response,
  expectsJson: boolean,
  request: RequestName,
  content?: Content,
): Promise<unknown> {
  if (response.status === 204 || response.status === 205 || request.method === 'HEAD') return null
  switch (content) {
    case 'text':
      return readText(response, request)
    case 'blob':
      return receive(response.blob(), request)
    case 'arrayBuffer':
      return receive(response.arrayBuffer(), request)
    case 'stream':
      return response.body
    default:
      return readByType(response, expectsJson, request, content)
  }
}

async function readByType(
  response: Response,
  expectsJson: boolean,
  request: RequestName,
  content: 'json' | undefined,
): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (/[/+]json\b/i.test(type)) return parseJson(await readText(response, request), type, request)
  const text = await readText(response, request)
  if (text === '') return null
  if (type === '' || content === 'json') return parseJson(text, type, request)
  if (!expectsJson && !/html\b/i.test(type)) return text
  throw unexpectedBody(`${type} instead of JSON`, request)
}

function parseJson(text: string, type: string, request: RequestName): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw unexpectedBody(`${type === '' ? 'text of no type' : type} that is not valid JSON`, request, cause)
  }
}

function readText(response: Response, request: RequestName): Promise<string> {
  return receive(response.text(), request)
}

/** What has come of a body by the time that the connection breaks is nothing. */
async function receive<Body>(body: Promise<Body>, request: RequestName): Promise<Body> {
  try {
    return await body
  } catch (cause) {
    throw toConnectionError(cause, request)
  }
}

function unexpectedBody(
  found: string,
  { endpoint, method, url }: RequestName,
  cause?: unknown,
): SelfsameError {
  return new SelfsameError(
    'body-unexpected',
    `${endpoint} was answered with ${found} by ${method} ${url}.
  Check the address: a page that answers every unknown path, or a sign-in page, sends HTML with status 200.`,
    { status: 400, ...(cause === undefined ? {} : { cause }) },
  )
}

/** Parsed once, from a copy, so that the response stays readable. */
async function readErrorBody(response: Response): Promise<unknown> {
  try {
    const text = await response.clone().text()
    if (text === '') return undefined
    try {
      return JSON.parse(text) as unknown
    } catch {
      return text
    }
  } catch {
    return undefined
  }
}

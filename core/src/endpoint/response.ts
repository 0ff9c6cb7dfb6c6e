import { development } from '#development'
import { SelfsameError, addressRelative, messageOf } from '../errors.js'
import { NetworkError } from './network-error.js'

/** The request that was answered, as messages name it: `Article.get failed … from GET /article/5`. */
export interface RequestName {
  readonly endpoint: string
  readonly method: string
  readonly url: string
}

/** An error for a response whose status is not 2xx, with its body parsed. */
export async function toStatusError(response: Response, request: RequestName): Promise<NetworkError> {
  const status = `${response.status} ${response.statusText}`.trim()
  return new NetworkError(`${request.endpoint} failed: ${status} from ${request.method} ${request.url}.`, {
    status: response.status,
    response,
    body: await readErrorBody(response),
  })
}

/**
 * An error for a request that got no response, which `fetch` reports by a TypeError. Anything else stays what it is:
 * an abort, a time-out, what an own `fetchResponse` throws.
 */
export function toConnectionError(cause: unknown, { endpoint, method, url }: RequestName): unknown {
  if (!isConnectionFailure(cause)) return cause
  if (isRelative(url) && /url/i.test(messageOf(cause))) return addressRelative(endpoint, url, cause)
  return new NetworkError(
    `${endpoint} failed: no answer from ${method} ${url} (${messageOf(cause)}).${
      development
        ? '\n  The server is not reachable, or it does not allow requests from this page (CORS).'
        : ''
    }`,
    { cause },
  )
}

/** An error for a response whose body ended before it was whole. */
function toBodyError(cause: unknown, { endpoint, method, url }: RequestName): unknown {
  if (!isConnectionFailure(cause)) return cause
  return new NetworkError(
    `${endpoint} failed: the answer from ${method} ${url} broke off (${messageOf(cause)}).${
      development
        ? '\n  The connection was lost while its body was read, or the body is not what its headers say.'
        : ''
    }`,
    { cause },
  )
}

function isConnectionFailure(cause: unknown): boolean {
  return !(cause instanceof Error) || cause instanceof TypeError
}

/** Whether an address needs a page to be resolved, and there is none. */
function isRelative(url: string): boolean {
  return !/^[a-z][\w+.-]*:/i.test(url) && (globalThis as { location?: unknown }).location === undefined
}

/** Ways to read a body, other than by its content type. */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream'

/**
 * Reads a response's body. By its content type, JSON is parsed, nothing is `null`, other text is text, and what is no text a
 * `Blob`. Without a content type it is JSON or text.
 *
 * @param expectsJson - whether a body that is not JSON is an error (specification E9)
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
  if (content === undefined && !expectsJson && type !== '' && !isTextual(type)) {
    const blob = await receive(response.blob(), request)
    return blob.size === 0 ? null : blob
  }
  const text = await readText(response, request)
  if (text === '') return null
  if (content === 'json') return parseJson(text, type, request)
  if (type === '') return parseUntyped(text, expectsJson, request)
  if (!expectsJson && !/html\b/i.test(type)) return text
  throw unexpectedBody(`${type} instead of JSON`, request)
}

/** Whether the body of a content type is text. Read as text, anything else is damaged. */
function isTextual(type: string): boolean {
  return (
    /^text\/|charset=|[/+](xml|xhtml|html|yaml|toml|csv|sql|graphql|\w*script|x-www-form-urlencoded)\b/i.test(
      type,
    ) || /[/+-](nd|l)?json(l|5)?\b/i.test(type)
  )
}

function parseUntyped(text: string, expectsJson: boolean, request: RequestName): unknown {
  try {
    return parseJson(text, '', request)
  } catch (error) {
    // A page that stands for every address may come without a type, too.
    if (expectsJson || /^\s*<(!doctype|html)\b/i.test(text)) throw error
    return text
  }
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
    throw toBodyError(cause, request)
  }
}

function unexpectedBody(
  found: string,
  { endpoint, method, url }: RequestName,
  cause?: unknown,
): SelfsameError {
  return new SelfsameError(
    'body-unexpected',
    `${endpoint} was answered with ${found} by ${method} ${url}.${
      development
        ? '\n  Check the address: a page that answers every unknown path, or a sign-in page, sends HTML with status 200.'
        : ''
    }`,
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

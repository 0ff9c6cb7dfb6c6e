import { development } from '#development'

/** Names the kind of an error. A code never changes its meaning: branch on it instead of on the text. */
export type ErrorCode =
  | 'argument-invalid'
  | 'body-unexpected'
  | 'connection-lost'
  | 'controller-disposed'
  | 'create-failed'
  | 'data-missing'
  | 'definition-invalid'
  | 'fetch-failed'
  | 'hard-reset'
  | 'image-unusable'
  | 'message-unusable'
  | 'nesting-too-deep'
  | 'not-queryable'
  | 'outbox-dropped'
  | 'outbox-unwritten'
  | 'path-invalid'
  | 'path-param-missing'
  | 'path-param-unusable'
  | 'payload-unusable'
  | 'pk-missing'
  | 'provider-missing'
  | 'read-once'
  | 'controller-remade'
  | 'record-unusable'
  | 'request-unanswered'
  | 'search-param-unusable'
  | 'transport-missing'
  | 'value-unusable'
  | 'wait-timeout'

/**
 * Every error that this library throws itself. In development, `message` says what failed, where, what was found and what
 * to change; in production, it is the code and the names. Each `code` has a page in the documentation. `cause` is the
 * original error if there is one.
 */
export class SelfsameError extends Error {
  override name = 'SelfsameError'
  declare readonly code: ErrorCode
  /**
   * 400 if the client cannot use a response, and 404 for an id that no call can have, so that code which branches on a status works; else
   * `undefined`.
   */
  declare readonly status: number | undefined

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; status?: number } = {}) {
    // A console shows the message alone, so it starts with the code. The message of a hydrated error has it already.
    super(
      withoutAnyCredentials(development || message.startsWith(code) ? message : `${code}: ${message}`),
      options,
    )
    this.code = code
    const known = /^(body|nesting|payload|pk|record)-/.test(code) ? 400 : undefined
    this.status = options.status ?? (code === 'path-param-unusable' ? 404 : known)
  }
}

/**
 * The error of a failed request: a response whose status is not 2xx, or no response.
 *
 * `response` and `body` are not enumerable, and `toJSON` leaves them out, so that a log has neither headers nor bodies.
 *
 * @see specification 7, E10, E11
 */
export class NetworkError extends Error {
  override name = 'NetworkError'
  /** The HTTP status; `undefined` without a response. */
  declare readonly status: number | undefined
  /** The method of the request; `undefined` for an error that was made without one. */
  declare readonly method: string | undefined
  /** The path of the address, without its origin and search params; `undefined` as `method`. */
  declare readonly path: string | undefined
  /** The response, with a readable body; `undefined` without a response. */
  declare readonly response: Response | undefined
  /** The body of the response: parsed JSON, or text; `undefined` without a body. */
  declare readonly body: unknown

  constructor(
    message: string,
    details: {
      readonly status?: number | undefined
      readonly response?: Response | undefined
      readonly body?: unknown
      readonly cause?: unknown
      readonly method?: string | undefined
      readonly url?: string | undefined
    } = {},
  ) {
    if (development && typeof message !== 'string') throw networkErrorUnnamed()
    super(withoutAnyCredentials(message), details)
    const { status, method, url, response, body } = details
    const path = url === undefined ? url : displayOf(url).replace(/^([\w+.-]*:)?\/\/[^/]*/, '') || '/'
    Object.assign(this, { status, method, path })
    for (const [name, value] of Object.entries({ response, body }))
      Object.defineProperty(this, name, { value, writable: true, configurable: true })
  }

  /** The members that a log may have. `JSON.stringify` calls it. */
  toJSON(): object {
    const { name, status, message, method, path } = this
    return { name, status, message, method, path }
  }
}

/** Returns `true` for an error of this library: its message has no text of others. */
export function isOwnError(error: unknown): error is SelfsameError | NetworkError {
  return error instanceof SelfsameError || error instanceof NetworkError
}

/** Removes the credentials of all addresses in a text: `https://user:password@host` becomes `https://host`. */
function withoutAnyCredentials(text: string): string {
  return text.replace(/\/\/[^/?#\s]*@/g, '//')
}

/**
 * Returns an address without its credentials: `https://user:password@host/a` is `https://host/a`. They are as a header is:
 * the key of a call does not contain them. What the platform reads in the same way counts: space before the scheme, other
 * slashes or none. So does a password that had to be encoded, such as `a/b`: the platform refuses it, but it is secret.
 */
export function withoutCredentials(url: string): string {
  return url.replace(
    /^(\s*(?:[\w+.-]+:|(?=[/\\]{2}))[/\\]*)(?:[^/?#\\]*|[^/?#\\:[]*:(?!\d*[/?#\\])[^]*)@/,
    '$1',
  )
}

/** Returns an address as messages show it: without credentials, search params and fragment, which may be secret. */
export function displayOf(url: string): string {
  return withoutAnyCredentials(withoutCredentials(url).split(/[?#]/, 1)[0] ?? '')
}

/** The path of a value in a payload: `[3].author`; the empty string for the payload itself. */
export function placeOf(keys: readonly (string | number)[]): string {
  let place = ''
  for (const key of keys) {
    place +=
      typeof key === 'number' ? `[${key}]` : /^[\w$]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
  }
  return place.startsWith('.') ? place.slice(1) : place
}

/** The kind of a value, for a message: `null`, `an array`, `an object`, `text`. Never its content. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? 'text' : `a ${typeof value}`
}

/** The problem and the remedy: `['has 2 members.', 'Write one.']`. */
export type Explanation = readonly [problem: string, remedy: string]

/**
 * Makes the function that builds one kind of error.
 *
 * @param shown - the count of arguments that production shows, from the first: names and places, never content
 * @param explain - builds the whole text; `false` in production, also of checks in development: esbuild keeps a function that
 *   only dropped code calls
 * @param hasCause - `true` if the argument after those is the original error
 */
function define<Args extends readonly unknown[]>(
  code: ErrorCode,
  shown: number,
  explain: false | ((...args: Args) => string),
  hasCause = false,
): (...args: Args) => SelfsameError {
  return (...args) => {
    const cause = hasCause ? args[shown] : undefined
    const names = args.slice(0, shown).filter((name) => name !== '')
    return new SelfsameError(
      code,
      development && explain !== false ? explain(...args) : names.map(String).join(', ') || code,
      cause === undefined ? {} : { cause },
    )
  }
}

const inPayloadOf = (place: string, name: string) =>
  `in the payload of ${name}, at ${place === '' ? 'its root' : place}`

// Each call below is marked as pure, so that a bundler leaves out the errors that an application cannot raise.

export const imageUnusable = /* @__PURE__ */ define(
  'image-unusable',
  2,
  development &&
    ((endpoint: string, src: string, _cause: unknown) =>
      `${endpoint} could not load or decode the image ${src}.
  Check that the address returns an image, in a format that this browser supports.`),
  true,
)

export const credentialsNotOmitted = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  development &&
    ((url: string) =>
      `fetchByXhr() cannot send a request to ${url} without credentials: XMLHttpRequest sends cookies to the page's own origin.
  Send the request with fetch, or remove \`credentials: 'omit'\`.`),
)

/** `found` is the result of pk(). */
export const pkMissing = /* @__PURE__ */ define(
  'pk-missing',
  3,
  development &&
    ((entity: string, name: string, place: string, found: unknown, record: object) => {
      const fields = Object.keys(record)
      const id = fields.find((field) => {
        const value = (record as Readonly<Record<string, unknown>>)[field]
        const isUsable = (typeof value === 'string' && value !== '') || Number.isFinite(value)
        return value !== found && isUsable && /^(_?id|uuid|guid|pk|key|slug|code)$|(_id|Id|ID)$/.test(field)
      })
      return `Entity "${entity}" has no primary key ${inPayloadOf(place, name)}.
  pk() returned ${typeof found === 'string' ? JSON.stringify(found) : String(found)}; the record has ${
    fields.length === 0 ? 'no fields' : `the fields ${fields.join(', ')}`
  }.
  ${
    id === undefined
      ? 'No field looks like a primary key. Let the server send one, or build a non-empty string from other fields in pk().'
      : `Return a non-empty string from pk(), for example \`return String(this.${id})\`.`
  }`
    }),
)

/** `expected` is '' in production. */
export const unexpectedKind = /* @__PURE__ */ define(
  'payload-unusable',
  2,
  development &&
    ((name: string, place: string, expected: string, found: unknown) =>
      `${name} expected ${expected} at ${place === '' ? 'the root of its payload' : place}, but found ${kindOf(found)}.
  ${
    found === undefined
      ? 'The response was not stored. If the server may leave it out, write schema.Optional(…) around its schema; or set it in process().'
      : typeof found === 'string' && /^\s*[[{]/.test(found)
        ? 'The text looks like JSON. Parse it in parseResponse() or process(), or let the server send it as application/json.'
        : 'Change the schema to match the response, or change the value in process().'
  }`),
)

/** `why` is '' in production; the `cause` contains the reason. */
export const fieldUnusable = /* @__PURE__ */ define(
  'payload-unusable',
  4,
  development &&
    ((field: string, name: string, place: string, why: string, _cause?: unknown) =>
      `Field "${field}" does not fit its schema, ${inPayloadOf(place, name)}: ${why}.
  Change the value in process(), or change the schema of the field.`),
  true,
)

export const payloadFailed = /* @__PURE__ */ define(
  'payload-unusable',
  2,
  development &&
    ((name: string, place: string, cause: unknown) =>
      `The schema of ${name} threw an error at ${place === '' ? 'the root of the payload' : place}: ${describeThrown(cause)}
  The response was not stored. Correct pk(), process() or the method of the schema that threw.`),
  true,
)

export const nestingTooDeep = /* @__PURE__ */ define(
  'nesting-too-deep',
  2,
  development &&
    ((name: string, place: string, limit: number) =>
      `The payload of ${name} has more than ${limit} nested levels without a record between them, at ${place.slice(0, 80)}….
  Make the nested objects an Entity. Records can nest without a limit.`),
)

export const recordUnusable = /* @__PURE__ */ define(
  'record-unusable',
  4,
  development &&
    ((entity: string, pk: string, name: string, reason: string) =>
      `${name} received ${entity} "${pk}", which ${entity}.validate() rejects: ${reason}.
  The response was not stored. Let the server send the fields that the class needs, or read a summary through its own class with the same \`static key\`.`),
)

export const payloadRefused = /* @__PURE__ */ define(
  'payload-unusable',
  2,
  development &&
    ((name: string, reason: string | undefined) =>
      reason === undefined
        ? `process() of ${name} returned undefined, which its schema cannot read.
  The response was not stored. Return the value to store from process().`
        : `${name} received a payload that its \`validate\` rejects: ${reason}.
  The response was not stored. Change the value in process(), or change \`validate\`.`),
)

export const validateAsynchronous = /* @__PURE__ */ define(
  'definition-invalid',
  1,
  development &&
    ((name: string) => `The \`validate\` of ${name} returned a promise.
  Use only synchronous checks.`),
)

export const answerMissing = /* @__PURE__ */ define(
  'payload-unusable',
  1,
  development &&
    ((name: string, found: unknown) => `${name} received ${kindOf(found)}, but its schema reads a record.
  Let the server send the record, or remove the schema if there is nothing to read.`),
)

export const recordMissing = /* @__PURE__ */ define(
  'payload-unusable',
  3,
  development &&
    ((entity: string, pk: string, name: string) =>
      `${name} received only the primary key "${pk}" of ${entity}, and the cache has no such record.
  Let the server send the record, or change the schema to match the response.`),
)

export const answerUnreadable = /* @__PURE__ */ define(
  'payload-unusable',
  1,
  development &&
    ((name: string) => `${name} received a response, but its schema returns no data for it.
  Use schema.Delete only for endpoints with \`sideEffect: true\`. In a schema of your own, return the data from denormalize().`),
)

export const bodyUnexpected = /* @__PURE__ */ define(
  'body-unexpected',
  4,
  development &&
    ((endpoint: string, found: string, method: string, url: string, _cause?: unknown) =>
      `${endpoint} received ${found} from ${method} ${url}.\n  ${
        found.includes('json that')
          ? 'Look at the response: the server sent something else, or only a part of it.'
          : 'Check the address. A page for unknown addresses and a sign-in page send HTML with status 200.'
      }`),
  true,
)

export const fetchFailed = /* @__PURE__ */ define(
  'fetch-failed',
  2,
  development && ((name: string, reason: string, _cause: unknown) => `${name} failed: ${reason}`),
  true,
)

export const fetchReturnedNoPromise = /* @__PURE__ */ define(
  'fetch-failed',
  1,
  development &&
    ((name: string, found: unknown) =>
      `The fetch function of ${name} returned ${kindOf(found)} instead of a promise.
  Make it an async function.`),
)

export const temporaryIdSent = /* @__PURE__ */ define(
  'argument-invalid',
  2,
  development &&
    ((name: string, pk: string) =>
      `${name} was called with the temporary id "${pk}". The request was not sent, because the server does not know this id.
  The response of the mutation that created the record is missing. Fetch the lists of the record again, and use the record that they contain.`),
)

export const createFailed = /* @__PURE__ */ define(
  'create-failed',
  2,
  development &&
    ((name: string, pk: string, _cause: unknown) =>
      `${name} was not sent: the mutation with the temporary id "${pk}" failed, and it waits for that one.
  It names the record that was to be created, or fetchTogether() sends it after that mutation. Offer to do both again; the error of the mutation is the \`cause\`.`),
  true,
)

/** Why a mutation was taken out of the outbox. */
export type DropReason = 'dropped' | 'edited' | 'signed out' | 'conflict' | 'dependency'

export const outboxDropped = /* @__PURE__ */ define(
  'outbox-dropped',
  2,
  development &&
    ((name: string, why: DropReason) =>
      why === 'signed out'
        ? `${name} is not shown any more: its user has signed out.
  With a \`scope\` it waits in the outbox until that user signs in again. Without one it will not be sent.`
        : `${name} was removed from the outbox: ${
            {
              dropped: 'it was dropped',
              edited: 'it was changed',
              conflict: 'the server had another state',
              dependency: 'it names a record whose mutation was dropped',
            }[why]
          }.
  It will not be sent, and its optimistic change is rolled back. Tell the user, unless the user requested this.`),
)

export const outboxUnwritten = /* @__PURE__ */ define(
  'outbox-unwritten',
  1,
  development &&
    ((names: string, _cause: unknown) =>
      `The outbox cannot store ${names}, so closing the page loses it.
  It is sent while the page is open: ask the user to wait. The \`cause\` says what is wrong with the storage.`),
  true,
)

export const wasReset = /* @__PURE__ */ define(
  'hard-reset',
  1,
  development &&
    ((name: string) => `${name} was stopped because the Controller was reset. Its response is not stored.`),
)

export const controllerDisposed = /* @__PURE__ */ define(
  'controller-disposed',
  1,
  development && ((name: string) => `${name} was called on a disposed Controller. Create a new Controller.`),
)

export const expiryLengthInvalid = /* @__PURE__ */ define(
  'definition-invalid',
  3,
  development &&
    ((name: string, option: string, found: unknown) => `${name} has ${option} ${String(found)}.
  Use a number of milliseconds from 0 to Infinity.`),
)

export const optimisticUnusable = /* @__PURE__ */ define(
  'definition-invalid',
  2,
  development &&
    ((name: string, option: string, found: unknown) =>
      `The option \`${option}\` of ${name} is ${kindOf(found)}, which \`optimistic\` did not create.
  Import \`optimistic\` from '@selfsame/core/optimistic', and write ${option === 'optimistic' ? '`optimistic`' : `\`${option}: optimistic(…)\``}.`),
)

export const optimisticOfMember = /* @__PURE__ */ define(
  'definition-invalid',
  1,
  development &&
    ((name: string) => `${name} has the option \`optimistic\`, which is one of createResource().
  Write \`getOptimisticResponse: optimistic(…)\`, or give \`optimistic\` to createResource().`),
)

export const maxRecordsInvalid = /* @__PURE__ */ define(
  'definition-invalid',
  2,
  development &&
    ((name: string, found: unknown) => `${name} has maxRecords ${String(found)}.
  Use a number of records from 0 to Infinity.`),
)

export const pollFrequencyInvalid = /* @__PURE__ */ define(
  'definition-invalid',
  2,
  development &&
    ((name: string, found: unknown) => `${name} has pollFrequency ${String(found)}.
  Use a number of milliseconds above 0 and below 2147483648, the limit of timers.`),
)

export const policyOptionInvalid = /* @__PURE__ */ define(
  'argument-invalid',
  3,
  development &&
    ((policy: string, option: string, found: unknown, remedy: string) =>
      `${policy} received ${option} ${String(found)}.\n  ${remedy}`),
)

export const liveLengthInvalid = /* @__PURE__ */ define(
  'definition-invalid',
  3,
  development &&
    ((name: string, option: string, found: unknown) => `${name} has ${option} ${String(found)}.
  Use a number of milliseconds from 0 and below 2147483648, the limit of timers.`),
)

export const transportMissing = /* @__PURE__ */ define(
  'transport-missing',
  2,
  development &&
    ((name: string, constructorName: string, example: string) =>
      `${name} cannot connect: this platform has no ${constructorName}.
  Pass a compatible constructor: ${example}.`),
)

/** A text as `cause` is that of the connection; the text of another cause is not shown. */
export const connectionLost = /* @__PURE__ */ define(
  'connection-lost',
  1,
  development &&
    ((name: string, cause: unknown) =>
      `The connection of ${name} is lost and will not be opened again${cause === undefined ? '' : `: ${typeof cause === 'string' ? cause : describeThrown(cause)}`}.
  The data on screen is no longer kept fresh. The next reader that connects opens a new connection.`),
  true,
)

/** The text of the parser's error is not shown, because it contains a part of the message. */
export const messageUnparsable = /* @__PURE__ */ define(
  'message-unusable',
  1,
  development &&
    ((name: string, cause: unknown) =>
      `${name} received a message that it cannot parse (${cause instanceof Error ? cause.name : kindOf(cause)}), and ignored it.
  Pass a \`parse\` function for the messages of the server. It ignores a message by returning undefined.`),
  true,
)

export const messageUnusable = /* @__PURE__ */ define(
  'message-unusable',
  2,
  development &&
    ((name: string, endpoint: string, cause: unknown) =>
      `${name} received a message that it cannot store for ${endpoint}, and ignored it: ${describeThrown(cause)}
  Correct \`select\` or the schema of the stream. \`select\` ignores a message by returning undefined.`),
  true,
)

export const messageUnsendable = /* @__PURE__ */ define(
  'message-unusable',
  2,
  development &&
    ((name: string, endpoint: string, cause: unknown) =>
      `${name} cannot send a subscription of ${endpoint}: ${describeThrown(cause)}
  Correct \`subscribe\`, or pass a \`serialize\` function that turns its result into text.`),
  true,
)

/** For checks in development, and for the testing kit. */
export const definitionInvalid = /* @__PURE__ */ define(
  'definition-invalid',
  1,
  development && ((about: string, [problem, remedy]: Explanation) => `${about} ${problem}\n  ${remedy}`),
)

/** For a check in development. */
export const schemaRemade = /* @__PURE__ */ define(
  'definition-invalid',
  1,
  development &&
    ((
      key: string,
      count: number,
    ) => `The call ${key} is read with ${count} schemas: each read creates another Entity class or schema.
  Create classes, schemas and resources once, outside components.`),
)

export const schemaUndefined = /* @__PURE__ */ define(
  'definition-invalid',
  1,
  development &&
    ((schema: string) => `${schema} is undefined.
  Modules that import each other can see undefined. Give the class its own module, assign static schema after both classes are defined, or pass a function to schema.Lazy.`),
)

export const listMissing = /* @__PURE__ */ define(
  'definition-invalid',
  1,
  development &&
    ((name: string, path: readonly string[] | undefined) =>
      `${name} cannot be paginated: its schema has no list${path === undefined ? '' : ` at ${placeOf(path)}`}.
  Use a schema with a list, such as [Article], a Collection, or { results: [Article] }. If it has several lists, name the field of one.`),
)

/** The members that a Query has, and no other schema. */
function looksLikeQuery(found: unknown): boolean {
  const { key, process } = (found ?? {}) as { readonly key?: unknown; readonly process?: unknown }
  return typeof found === 'object' && typeof key === 'function' && typeof process === 'function'
}

export const notAnEndpoint = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  development &&
    ((call: string, found: unknown) =>
      looksLikeQuery(found)
        ? `${call} received a Query instead of an endpoint.
  A Query sends no request. Read it with useQuery, useCache, controller.get or controller.read.`
        : `${call} received ${kindOf(found)} instead of an endpoint.
  Pass an Endpoint, for example \`articleResource.get\`. An endpoint has the members key, schema and fetch.`),
)

/** `place` is the path of the member that is not a call; `undefined` if there are no members. */
export const notCalls = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  development &&
    ((place: string | undefined, found: unknown) => {
      const where = place === undefined ? '' : ` at ${/^\d+$/.test(place) ? `[${place}]` : place}`
      return `A hook of several calls received ${kindOf(found)}${where} instead of ${place === undefined ? 'a list or an object of calls' : 'a call'}.
  Write each call as a list that starts with the endpoint: \`useSuspenseAll([[userResource.get, { id }], [postResource.getList]])\`.`
    }),
)

const networkErrorUnnamed = /* @__PURE__ */ define(
  'argument-invalid',
  0,
  development &&
    (() => `new NetworkError() received no text as its first argument.
  Write new NetworkError('Todo.get failed: 404', { status: response.status, response }).`),
)

export const pagesMissing = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  development &&
    ((name: string) => `useInfinite received ${name}, which has no endpoint for further pages.
  Set the option \`paginationField\` of the endpoint to the param that names a page, or pass \`page: ${name}.paginated(…)\`.`),
)

export const previousPagesMissing = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  development &&
    ((
      name: string,
    ) => `useInfinite received the option \`previous\`, and ${name}, which has no endpoint for previous pages.
  Pass the endpoint that \`bidirectional(${name}, { previous: … })\` of @selfsame/core/rest returns, and extend it no further.`),
)

export const paramIsRef = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  development &&
    ((
      param: string,
    ) => `The argument of a composable has a ref as "${param}", so that later values would not be seen.
  Pass a getter that reads it: () => ({ ${param}: ${param}.value }).`),
)

export const argumentUntellable = /* @__PURE__ */ define(
  'argument-invalid',
  2,
  development &&
    ((name: string, place: string, found: unknown) =>
      `${name} cannot be read with ${place === '' ? 'an argument' : `argument ${place}`}: it contains ${describeValue(found)}, and two such values have the same key.
  Pass plain data, a Date, or an object with toJSON() or with fields of its own. Or set the option \`key\` of the endpoint.`),
)

export const endpointMadeAnew = /* @__PURE__ */ define(
  'definition-invalid',
  1,
  development &&
    ((name: string) =>
      `${name} is created again each time it is read: two Endpoints with its function were fetched, and neither response was shown.
  Create the Endpoint once, outside the component. Or set its \`name\` or \`key\`, so that the new Endpoint reads the response of the last one.`),
)

export const cannotReadMutation = /* @__PURE__ */ define(
  'argument-invalid',
  2,
  development &&
    ((call: string, name: string) => `${call} received ${name}, which is a mutation.
  Send it with controller.fetch(). If it only reads, set \`sideEffect: false\`.`),
)

export const cannotUpdateByRead = /* @__PURE__ */ define(
  'definition-invalid',
  1,
  development &&
    ((name: string) =>
      `${name} has the option \`update\`, but only a mutation can change the data of other calls.
  Remove \`update\`, or set \`sideEffect: true\` if the endpoint changes data on the server.`),
)

export const cannotConnect = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  development &&
    ((name: string) =>
      `${name} cannot connect: it has neither the option \`stream\` nor the option \`pollFrequency\`.
  Set one of them, or connect to \`endpoint.extend({ pollFrequency: 5000 })\`.`),
)

export const notQueryable = /* @__PURE__ */ define(
  'not-queryable',
  1,
  development &&
    ((schema: string) => `${schema} cannot be looked up by arguments.
  Use an Entity class, schema.All, a Collection, a Union, or an object of these. Read an array from a response through its endpoint.`),
)

export const endpointNotQueryable = /* @__PURE__ */ define(
  'not-queryable',
  1,
  development &&
    ((endpoint: string) => `The endpoint ${endpoint} was passed instead of a schema.
  Read the data of its call with controller.read(endpoint, ...args), or with a hook such as useCache. Or pass the schema of the endpoint.`),
)

export const stateUnusable = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  development &&
    ((found: string, _cause?: unknown) => `hydrate() received ${found} instead of a state.
  Pass the result of dehydrate() of the same version. Parse it with JSON.parse first if it is text.`),
  true,
)

export const recordingUnusable = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  development &&
    ((found: string, _cause?: unknown) => `replay() received ${found}.
  Pass the parsed file that the panel exported. Record what is missing again, or pass it to createMockController as a fixture.`),
  true,
)

export const stateUnreadable = /* @__PURE__ */ define(
  'argument-invalid',
  0,
  development &&
    ((cause: unknown, text: unknown) =>
      `deserialize() received ${typeof text === 'string' ? `text of ${text.length} characters` : kindOf(text)} instead of a state: ${describeThrown(cause)}.
  Pass the whole result of serialize() of the same version, unchanged.`),
  true,
)

export const valueNotCarried = /* @__PURE__ */ define(
  'value-unusable',
  1,
  development &&
    ((found: string) =>
      `serialize() cannot send ${found === 'function' || found === 'symbol' ? `a ${found}` : found} to a page.
  Return plain data from the endpoint. Convert it in the schema, or where it is shown.`),
)

export const valueHoldsItself = /* @__PURE__ */ define(
  'value-unusable',
  0,
  development &&
    (() => `dehydrate() cannot write an object that contains itself.
  Return plain data from the endpoint. Use Entities for records: they can refer to each other.`),
)

export const answerNotCarried = /* @__PURE__ */ define(
  'value-unusable',
  1,
  development &&
    ((key: string, cause: unknown) =>
      `The response to ${key} was left out of the state, so the page requests it again: ${describeThrown(cause)}`),
  true,
)

export const hydratedFieldUnusable = /* @__PURE__ */ define(
  'value-unusable',
  1,
  development &&
    ((field: string) =>
      `hydrate() left out ${field}, because it refers to data that its schema does not read.
  Hydrate only the result of \`dehydrate\` for the same entity classes.`),
)

export const setUnusable = /* @__PURE__ */ define(
  'value-unusable',
  1,
  development &&
    ((call: string, found: unknown) => `${call} received ${kindOf(found)} instead of fields.
  Pass an object of fields, or a function that returns one.`),
)

export const updateUnusable = /* @__PURE__ */ define(
  'value-unusable',
  2,
  development &&
    ((endpoint: string, why: string) => `The \`update\` of ${endpoint} failed: ${why}.
  Return an object of functions by key. Each function returns the new data of its call.`),
)

export const pathInvalid = /* @__PURE__ */ define(
  'path-invalid',
  2,
  development &&
    ((path: string, why: string) => `The path ${JSON.stringify(path)} is invalid: ${why}.
  Write a param as ":name" or "*name", for example "/article/:id". Put a backslash before a character that is text.`),
)

export const pathParamMissing = /* @__PURE__ */ define(
  'path-param-missing',
  3,
  development &&
    ((name: string, path: string, param: string, args: readonly unknown[]) =>
      `${name} (${path}) is missing "${param}"; it was called with ${describeArgument(args[0])}.
  Pass every ":name" of the path in the first argument.`),
)

export const pathParamUnusable = /* @__PURE__ */ define(
  'path-param-unusable',
  4,
  development &&
    ((name: string, path: string, param: string, why: string) =>
      `${name} (${path}) cannot put "${param}" into its path: ${why}.
  Pass a string or a number.`),
)

export const searchParamUnusable = /* @__PURE__ */ define(
  'search-param-unusable',
  4,
  development &&
    ((name: string, path: string, param: string, why: string) =>
      `${name} (${path}) cannot send the search param "${param}": ${why}.
  Pass text, a number, a boolean, a valid Date, or lists and objects of these.`),
)

export const initUnusable = /* @__PURE__ */ define(
  'definition-invalid',
  2,
  development &&
    ((name: string, found: string) =>
      `getRequestInit() of ${name} returned ${found}. The request was not sent.
  Return { ...super.getRequestInit(body) } with your additions. If getHeaders() is async, write \`await\` before super.`),
)

export const addressRelative = /* @__PURE__ */ define(
  'definition-invalid',
  2,
  development &&
    ((name: string, url: string, _cause: unknown) =>
      `${name} cannot send a request to ${url}: outside a page, a URL must be absolute.
  Set the option \`urlPrefix\` of the endpoint, for example to 'https://api.example.com'.`),
  true,
)

export const bodyMissing = /* @__PURE__ */ define(
  'argument-invalid',
  2,
  development &&
    ((name: string, path: string) =>
      `${name} (${path}) was called with one argument, but takes the params of its path and a body.
  Call it as ${name}(params, body).`),
)

export const answerNotGraphQL = /* @__PURE__ */ define(
  'body-unexpected',
  2,
  development &&
    ((name: string, url: string, found: unknown) =>
      `${name} received ${kindOf(found)} from POST ${url} instead of an object with data or errors.
  Check the address, and the result of parseResponse().`),
)

export const dataMissing = /* @__PURE__ */ define(
  'data-missing',
  1,
  development && ((call: string, remedy: string) => `${call} was read before its data arrived.\n  ${remedy}`),
)

export const requestUnanswered = /* @__PURE__ */ define(
  'request-unanswered',
  2,
  (name: string, key: string, known: readonly string[]) =>
    `${name} was called, but there is no response for ${key}.
  ${
    known.length === 0
      ? 'There is no fixture of this endpoint.'
      : `The fixtures of this endpoint are for ${known.map((args) => (args === '' ? 'no arguments' : args)).join(' and for ')}.`
  }
  Pass createMockController() a fixture for these arguments, an interceptor of the endpoint, or \`unanswered: 'fetch'\`.`,
)

export const clockCannotAdvance = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  (ms: unknown) => `A TestClock cannot advance by ${String(ms)}.
  Use a number of milliseconds from 0. Time does not run backwards.`,
)

export const timersWithoutEnd = /* @__PURE__ */ define(
  'argument-invalid',
  1,
  (now: number) => `A TestClock fired timers without end at ${now}: each set another for the same time.
  Look for a timer of 0 milliseconds that sets itself again.`,
)

export const waitTimeout = /* @__PURE__ */ define(
  'wait-timeout',
  1,
  (call: string, waitedMs: number) =>
    `${call} waited ${waitedMs} milliseconds, and its condition did not become true.
  If the condition depends on time, advance the clock of the Controller. If it depends on a call, look at \`requests\`.`,
)

export const providerMissing = /* @__PURE__ */ define(
  'provider-missing',
  1,
  development && ((call: string, remedy: string) => `${call} was called outside a DataProvider. ${remedy}`),
)

export const readOnce = /* @__PURE__ */ define(
  'read-once',
  1,
  development &&
    ((call: string, remedy: string) =>
      `${call} is read only once here: the component does not show later changes.\n  ${remedy}`),
)

/** `remedy` is the change to make, in the framework's words. */
export const controllerRemade = /* @__PURE__ */ define(
  'controller-remade',
  0,
  development &&
    ((tries: number, remedy: string) =>
      `DataProvider received ${tries} Controllers in a row, and lost each one with its responses. ${remedy}`),
)

/** Names a thrown value in a message. Only an error of this library shows its text: another text may hold a secret. */
export function describeThrown(thrown: unknown): string {
  if (isOwnError(thrown)) return thrown.message
  const kind = thrown instanceof Error ? thrown.name : development ? kindOf(thrown) : typeof thrown
  return development ? `${kind} was thrown, see the \`cause\`` : kind
}

/** Returns a thrown Error, or makes an Error of another thrown value, which is its `cause`. */
export function toError(thrown: unknown, name: string): Error {
  return thrown instanceof Error ? thrown : toFailure(thrown, name)
}

/** Makes the error of a call of which a thrown value is the `cause`. */
export function toFailure(thrown: unknown, name: string): SelfsameError {
  return fetchFailed(name, describeThrown(thrown), thrown)
}

function describeArgument(argument: unknown): string {
  if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) return kindOf(argument)
  const names = Object.entries(argument).map(([name, value]) =>
    value === undefined || value === null || value === ''
      ? `${name} (${value === '' ? 'empty' : value})`
      : name,
  )
  return names.length === 0 ? 'no properties' : `the properties ${names.join(', ')}`
}

/** A value that hides its content: `an object of the class Blob`, `an invalid Date`. */
function describeValue(value: unknown): string {
  if (value instanceof Date) return 'an invalid Date'
  if (typeof value !== 'object' || value === null) return kindOf(value)
  const { name } = (value as { constructor?: { name?: unknown } }).constructor ?? {}
  const isData = Array.isArray(value) || name === 'Object' || name === undefined
  return isData
    ? `${kindOf(value)} that is cyclic or nests too deep`
    : `an object of the class ${String(name)}`
}

/** The text of a warning: a mutation reports progress, which readers of other arguments do not show. */
export function progressUnseen(name: string): string {
  return `${name} reports progress, but the useProgress on screen has other params than the call, so it shows nothing. Pass the params of the call; the body can be left out. If the path has no params, a single argument is the body: pass \`undefined\` after the params. https://github.com/selfsame-data/selfsame/blob/main/docs/media.md`
}

/** The text of a warning: a Controller without readers is written to, and another one is on screen. */
export function controllersApart(name: string, key: string): string {
  return `Two Controllers on this page have records of "${key}". ${name} wrote to one without readers. What is on screen reads from the other, and does not show it.
  Make one Controller in a module, pass it to the provider, and use it, or that of useController(), for each call.`
}

/** Warns on the console, in development only. @param said - a text, or a thrown value */
export function warn(said: unknown): void {
  if (!development) return
  const cause = isOwnError(said) ? said.cause : said instanceof Error ? said : undefined
  const text = `[selfsame] ${said instanceof Error ? describeThrown(said) : String(said)}`
  // eslint-disable-next-line no-console
  console.warn(...(cause === undefined ? [text] : [text, cause]))
}

/** Returns a caught Error, or makes an Error of another caught value, which is its `cause`. */
export function toCaughtError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error(typeof thrown === 'string' ? thrown : `${kindOf(thrown)} was thrown`, { cause: thrown })
}

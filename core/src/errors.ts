import { development } from '#development'

/** What went wrong, as a name that never changes its meaning. Branch on it instead of on the text. */
export type ErrorCode =
  | 'argument-invalid'
  | 'body-unexpected'
  | 'connection-lost'
  | 'controller-disposed'
  | 'data-missing'
  | 'definition-invalid'
  | 'fetch-failed'
  | 'hard-reset'
  | 'image-unusable'
  | 'message-unusable'
  | 'nesting-too-deep'
  | 'not-queryable'
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
  | 'waited-in-vain'

/**
 * Every error that this library raises by itself. `message` names what failed, where, what was found and what
 * to change; in production it is the code and the names. `code` tells the kind, and has a page in the documentation; `cause` is the
 * original error where there is one.
 */
export class SelfsameError extends Error {
  override name = 'SelfsameError'
  readonly code: ErrorCode
  /** 400 where the client found an answer unusable, so that code which branches on a status works. */
  readonly status: number | undefined

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; status?: number } = {}) {
    // A console shows the message alone: there too the code has to lead to its page. An error that was hydrated has it already.
    super(
      development || message.startsWith(code) ? message : `${code}: ${message}`,
      'cause' in options ? { cause: options.cause } : undefined,
    )
    this.code = code
    this.status = options.status
  }
}

/** Where in a payload something stands: `[3].author`; the empty string for the payload itself. */
export function placeOf(keys: readonly (string | number)[]): string {
  let place = ''
  for (const key of keys) {
    place +=
      typeof key === 'number' ? `[${key}]` : /^[\w$]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
  }
  return place.startsWith('.') ? place.slice(1) : place
}

/** A value's kind, in the words of a message: `null`, `an array`, `an object`, `text`. Never its content. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  switch (typeof value) {
    case 'object':
      return 'an object'
    case 'string':
      return 'text'
    default:
      return `a ${typeof value}`
  }
}

/**
 * A message in production: what the error is about, without the sentence. The `code` names the kind; development has the
 * whole text.
 */
const brief = (...about: readonly string[]) => about.filter((text) => text !== '').join(', ')

/** What is wrong and what to change, for development alone: `development && ['has 2 members.', 'Write one.']`. */
export type Explanation = readonly [problem: string, remedy: string] | false

const explained = (about: string, explanation: Explanation) =>
  explanation === false ? about : `${about} ${explanation[0]}\n  ${explanation[1]}`

const inPayloadOf = (place: string, name: string) =>
  `in the payload of ${name}, at ${place === '' ? 'its root' : place}`

export function imageUnusable(endpoint: string, src: string, cause: unknown): SelfsameError {
  // A data URL is the image itself.
  const shown = src.length > 200 ? `${src.slice(0, 200)}…` : src
  return new SelfsameError(
    'image-unusable',
    `${endpoint} could not load or decode the image ${shown}.
  Check that the address answers with an image, in a format that this browser knows.`,
    { cause },
  )
}

export function credentialsNotOmitted(url: string): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    `fetchByXhr() cannot leave out the credentials of a request to ${url}: XMLHttpRequest sends cookies to the page's own origin.
  Send it by fetch, or leave \`credentials: 'omit'\` out.`,
  )
}

/** @param found - what pk() returned of it */
export function pkMissing(
  entity: string,
  name: string,
  place: string,
  found: unknown,
  record: object,
): SelfsameError {
  // No `if (development)` around it: esbuild takes away the branches of a condition, and leaves those of a statement.
  const fields = development ? Object.keys(record) : []
  const id = development
    ? fields.find((field) => {
        const value = (record as Readonly<Record<string, unknown>>)[field]
        const isUsable = (typeof value === 'string' && value !== '') || Number.isFinite(value)
        return value !== found && isUsable && /^(_?id|uuid|guid|pk|key|slug|code)$|(_id|Id|ID)$/.test(field)
      })
    : undefined
  return new SelfsameError(
    'pk-missing',
    development
      ? `Entity "${entity}" has no primary key ${inPayloadOf(place, name)}.
  pk() returned ${typeof found === 'string' ? JSON.stringify(found) : String(found)}; the record has ${
    fields.length === 0 ? 'no fields' : `the fields ${fields.join(', ')}`
  }.
  ${
    id === undefined
      ? 'No field looks like one: let the server send it, or put a non-empty string together in pk().'
      : `Return a non-empty string from pk(), for example \`return String(this.${id})\`.`
  }`
      : brief(entity, name, place),
    { status: 400 },
  )
}

export function unexpectedKind(expected: string, name: string, place: string, found: unknown): SelfsameError {
  const looksLikeJson = development && typeof found === 'string' && /^\s*[[{]/.test(found)
  const hint = !development
    ? ''
    : looksLikeJson
      ? 'The text looks like JSON: parse it in parseResponse() or process(), or send it as application/json.'
      : 'Change the schema to what the server sends, or the value in process().'
  return new SelfsameError(
    'payload-unusable',
    development
      ? `${name} expected ${expected} at ${place === '' ? 'the root of its payload' : place}, but found ${kindOf(found)}.
  ${hint}`
      : brief(name, place),
    { status: 400 },
  )
}

/** @param why - '' in production, where the `cause` says it */
export function fieldUnusable(
  field: string,
  name: string,
  place: string,
  why: string,
  cause?: unknown,
): SelfsameError {
  return new SelfsameError(
    'payload-unusable',
    development
      ? `Field "${field}" cannot be read as its schema says, ${inPayloadOf(place, name)}: ${why}.
  Correct the value in process(), or the field's schema.`
      : brief(name, field, place, why),
    { status: 400, ...(cause === undefined ? {} : { cause }) },
  )
}

export function payloadFailed(name: string, place: string, cause: unknown): SelfsameError {
  return new SelfsameError(
    'payload-unusable',
    development
      ? `A schema of ${name} failed ${inPayloadOf(place, name)}: ${messageOf(cause)}
  Nothing of the answer was stored. Correct pk(), process() or the schema that threw.`
      : brief(name, place),
    { status: 400, cause },
  )
}

export function nestingTooDeep(name: string, place: string, limit: number): SelfsameError {
  return new SelfsameError(
    'nesting-too-deep',
    development
      ? `The schema of ${name} nests more than ${limit} levels without a record between them, at ${place.slice(0, 80)}….
  Make the nested objects an Entity; records may nest without a limit.`
      : brief(name, place),
    { status: 400 },
  )
}

export function recordUnusable(entity: string, pk: string, name: string, reason: string): SelfsameError {
  return new SelfsameError(
    'record-unusable',
    development
      ? `${name} answered with ${entity} "${pk}", which ${entity}.validate() rejects: ${reason}.
  Nothing of the answer was stored. Let the server send what the class needs, or read a summary through a class of its own with the same \`static key\`.`
      : brief(entity, pk, name, reason),
    { status: 400 },
  )
}

export function payloadRefused(name: string, reason: string): SelfsameError {
  return new SelfsameError(
    'payload-unusable',
    development
      ? `${name} was answered with a payload that its validate rejects: ${reason}.
  Nothing of the answer was stored. Correct the value in process(), or validate.`
      : brief(name, reason),
    { status: 400 },
  )
}

export function validateAsynchronous(name: string): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    development
      ? `The validate of ${name} returned a promise.
  Let it answer at once: leave out checks that wait for something.`
      : brief(name),
  )
}

export function answerMissing(name: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'payload-unusable',
    development
      ? `${name} was answered with ${kindOf(found)} where its schema reads a record.
  Let the server answer with the record, or leave the schema out if there is nothing to read.`
      : brief(name),
    { status: 400 },
  )
}

export function recordMissing(entity: string, pk: string, name: string): SelfsameError {
  return new SelfsameError(
    'payload-unusable',
    development
      ? `${name} was answered with the primary key "${pk}" of ${entity} alone, and there is no such record in the cache.
  Let the server answer with the record, or change the schema to what the server sends.`
      : brief(name, entity, pk),
    { status: 400 },
  )
}

export function answerUnreadable(name: string): SelfsameError {
  return new SelfsameError(
    'payload-unusable',
    development
      ? `${name} was answered, but its schema shows nothing of the answer.
  schema.Delete is for endpoints with \`sideEffect: true\`; the denormalize() of a schema of your own has to return something.`
      : brief(name),
    { status: 400 },
  )
}

export function fetchFailed(name: string, cause: unknown): SelfsameError {
  return new SelfsameError('fetch-failed', `${name} failed: ${messageOf(cause)}`, { cause })
}

export function fetchReturnedNoPromise(name: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'fetch-failed',
    development
      ? `The fetch function of ${name} returned ${kindOf(found)} instead of a promise.
  Make it an async function.`
      : brief(name),
  )
}

export function temporaryIdSent(name: string, pk: string): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    development
      ? `${name} was called with "${pk}", the temporary id of a record that was created without an answer, and was not sent: no server knows it.
  Wait until the lists of the record are fetched again, and use the record that they bring.`
      : brief(pk, name),
  )
}

export function wasReset(name: string): SelfsameError {
  return new SelfsameError(
    'hard-reset',
    development
      ? `${name} was given up because the Controller was reset while it ran. Its answer is not stored.`
      : brief(name),
  )
}

export function controllerDisposed(name: string): SelfsameError {
  return new SelfsameError(
    'controller-disposed',
    development
      ? `${name} was called on a Controller that was disposed of. Create a new Controller.`
      : brief(name),
  )
}

export function expiryLengthInvalid(name: string, option: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    development
      ? `${name} has ${option} ${String(found)}.
  Give milliseconds from 0 to Infinity.`
      : brief(name, option, String(found)),
  )
}

export function optimisticUnusable(name: string, option: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    `${option} of ${name} is ${kindOf(found)} that can show nothing early.
  Import \`optimistic\` from '@selfsame/core/optimistic', and write ${option === 'optimistic' ? '`optimistic`' : `\`${option}: optimistic(…)\``}.`,
  )
}

export function maxRecordsInvalid(name: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    development
      ? `${name} has maxRecords ${String(found)}.
  Give a number of records from 0 to Infinity.`
      : brief(name, String(found)),
  )
}

export function pollFrequencyInvalid(name: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    development
      ? `${name} has pollFrequency ${String(found)}.
  Give milliseconds above 0 and below 2147483648, which is as long as a timer waits.`
      : brief(name, String(found)),
  )
}

export function policyOptionInvalid(
  policy: string,
  option: string,
  found: unknown,
  remedy: string,
): SelfsameError {
  return new SelfsameError('argument-invalid', `${policy} was given ${option} ${String(found)}.\n  ${remedy}`)
}

export function liveLengthInvalid(name: string, option: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    development
      ? `${name} has ${option} ${String(found)}.
  Give milliseconds from 0 and below 2147483648, which is as long as a timer waits.`
      : brief(name, option, String(found)),
  )
}

export function transportMissing(name: string, constructorName: string, example: string): SelfsameError {
  return new SelfsameError(
    'transport-missing',
    development
      ? `${name} cannot connect: this platform has no ${constructorName}.
  Pass one that has the interface of a browser's: ${example}.`
      : brief(name, constructorName),
  )
}

export function connectionLost(name: string, cause: unknown): SelfsameError {
  return new SelfsameError(
    'connection-lost',
    development
      ? `The connection of ${name} is lost and is not made again${cause === undefined ? '' : `: ${messageOf(cause)}`}.
  What is shown is not kept fresh any longer. Whoever connects next tries anew.`
      : brief(name),
    cause === undefined ? {} : { cause },
  )
}

export function messageUnparsable(name: string, cause: unknown): SelfsameError {
  return new SelfsameError(
    'message-unusable',
    // The text of a parser's error has a part of the message in it.
    development
      ? `A message of ${name} could not be parsed (${cause instanceof Error ? cause.name : kindOf(cause)}), and was left out.
  Give the \`parse\` that reads what the server sends; it leaves a message out by returning undefined.`
      : brief(name),
    { cause },
  )
}

export function messageUnusable(name: string, endpoint: string, cause: unknown): SelfsameError {
  return new SelfsameError(
    'message-unusable',
    development
      ? `A message of ${name} could not be stored for ${endpoint}, and was left out: ${messageOf(cause)}
  Correct \`select\` or the schema of the stream; \`select\` leaves a message out by returning undefined.`
      : brief(name, endpoint),
    { cause },
  )
}

export function messageUnsendable(name: string, endpoint: string, cause: unknown): SelfsameError {
  return new SelfsameError(
    'message-unusable',
    development
      ? `A subscription of ${endpoint} could not be sent to ${name}: ${messageOf(cause)}
  Correct \`subscribe\`, or give a \`serialize\` that makes text of what it returns.`
      : brief(name, endpoint),
    { cause },
  )
}

export function definitionInvalid(about: string, explanation: Explanation): SelfsameError {
  return new SelfsameError('definition-invalid', explained(about, explanation))
}

export function schemaUndefined(what: string): SelfsameError {
  return definitionInvalid(
    what,
    development && [
      'is undefined.',
      'Modules that import each other may see undefined: give the class a module of its own, assign static schema after both classes are defined, or give schema.Lazy a function.',
    ],
  )
}

export function listMissing(name: string, path: readonly string[] | undefined): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    development
      ? `${name} cannot be paginated: its schema has no list${path === undefined ? '' : ` at ${placeOf(path)}`}.
  Give it a schema with a list, such as [Article], a Collection, or { results: [Article] }; name the field of the list where there are several.`
      : brief(name),
  )
}

export function notAnEndpoint(call: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    development
      ? `${call} was given ${kindOf(found)} where it takes an endpoint.
  Pass an Endpoint, for example \`articleResource.get\`; it has the members key, schema and fetch.`
      : brief(call),
  )
}

/** @param place - of the member that is no call; `undefined` where there are no members */
export function notCalls(place: string | undefined, found: unknown): SelfsameError {
  const where = place === undefined ? '' : ` at ${/^\d+$/.test(place) ? `[${place}]` : place}`
  return new SelfsameError(
    'argument-invalid',
    development
      ? `useSuspenseAll was given ${kindOf(found)}${where} where it takes ${place === undefined ? 'a list or an object of calls' : 'a call'}.
  Each call is a list of its own, the endpoint first: \`useSuspenseAll([[userResource.get, { id }], [postResource.getList]])\`.`
      : brief('useSuspenseAll'),
  )
}

export function pagesMissing(name: string): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    development
      ? `useInfinite was given ${name}, which has no endpoint for further pages.
  Name the param of a page by the option \`paginationField\` of the endpoint, or pass \`page: ${name}.paginated(…)\`.`
      : brief('useInfinite', name),
  )
}

export function argumentUntellable(name: string, place: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    development
      ? `${name} cannot be read with ${place === '' ? 'an argument' : `argument ${place}`}: it holds ${describeValue(found)}, and two of those look alike in the key of a call.
  Pass plain data, a Date, or what has toJSON() or fields of its own; or give the endpoint a \`key\`.`
      : brief(name, place),
  )
}

export function endpointMadeAnew(name: string): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    development
      ? `${name} is made anew each time it is read: two Endpoints with its function were fetched, and neither answer was shown.
  Make the Endpoint once, outside of the component; or give it a \`name\`, or a \`key\`, so that the new one reads what the last one fetched.`
      : brief(name),
  )
}

export function cannotReadMutation(call: string, name: string): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    development
      ? `${call} was given ${name}, which changes data on the server.
  Send it with controller.fetch(). If it only reads, declare it with \`sideEffect: false\`.`
      : brief(name, call),
  )
}

export function cannotUpdateByRead(name: string): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    development
      ? `${name} only reads, but has an \`update\`: what a read brings changes the data of no other call.
  Remove the option, or declare the endpoint with \`sideEffect: true\` if it changes data on the server.`
      : brief(name),
  )
}

export function cannotConnect(name: string): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    development
      ? `${name} has neither a stream nor a pollFrequency, so that nothing keeps it fresh.
  Declare it with one, or connect to \`endpoint.extend({ pollFrequency: 5000 })\`.`
      : brief(name),
  )
}

export function notQueryable(schema: string): SelfsameError {
  return new SelfsameError(
    'not-queryable',
    development
      ? `${schema} cannot be looked up by arguments.
  Use an Entity class, or an object of them; an array that a request has answered is read through its endpoint.`
      : brief(schema),
  )
}

export function endpointNotQueryable(endpoint: string): SelfsameError {
  return new SelfsameError(
    'not-queryable',
    development
      ? `The endpoint ${endpoint} was given where a schema is looked up by arguments.
  Read what its call shows with controller.read(endpoint, ...args), or a hook such as useCache; or pass the schema of the endpoint.`
      : brief(endpoint),
  )
}

export function stateUnusable(found: string): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    development
      ? `hydrate() was given ${found} instead of a state.
  Pass what dehydrate() of the same version gave, after JSON.parse where it was text.`
      : brief(found),
  )
}

export function stateUnreadable(text: unknown, cause: unknown): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    development
      ? `deserialize() was given ${typeof text === 'string' ? `text of ${text.length} characters` : kindOf(text)} instead of a state: ${messageOf(cause)}.
  Pass the whole of what serialize() of the same version gave, unchanged.`
      : '',
    { cause },
  )
}

export function valueNotCarried(found: string): SelfsameError {
  return new SelfsameError(
    'value-unusable',
    development
      ? `serialize() cannot carry ${found === 'function' || found === 'symbol' ? `a ${found}` : found} to a page.
  Let the endpoint give plain data; make something else of it in the schema, or where it is shown.`
      : brief(found),
  )
}

export function valueHoldsItself(): SelfsameError {
  return new SelfsameError(
    'value-unusable',
    development
      ? `dehydrate() cannot write down an object that holds itself.
  Let the endpoint give plain data; relate records to each other by Entities, which may hold each other.`
      : '',
  )
}

export function answerNotCarried(key: string, cause: unknown): SelfsameError {
  return new SelfsameError(
    'value-unusable',
    development
      ? `The answer to ${key} was left out of the state, so the page asks for it: ${messageOf(cause)}`
      : brief(key),
    { cause },
  )
}

export function hydratedFieldUnusable(field: string): SelfsameError {
  return new SelfsameError(
    'value-unusable',
    development
      ? `What was hydrated for ${field} refers to something that its schema does not read, and was left out.
  Hydrate only what \`dehydrate\` gave for the same entity classes.`
      : brief(field),
  )
}

export function setUnusable(call: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'value-unusable',
    development
      ? `${call} was given ${kindOf(found)} instead of fields.
  Pass an object of fields, or a function that returns one.`
      : brief(call),
  )
}

export function updateUnusable(endpoint: string, why: string): SelfsameError {
  return new SelfsameError(
    'value-unusable',
    development
      ? `The update of ${endpoint} failed: ${why}.
  Return an object of functions by key, each of which returns the data that its call shows then.`
      : brief(endpoint, why),
  )
}

export function pathInvalid(path: string, why: string): SelfsameError {
  return new SelfsameError(
    'path-invalid',
    development
      ? `The path ${JSON.stringify(path)} cannot be read: ${why}.
  Write parameters as ":name" or "*name", for example "/article/:id"; escape what is meant as text with a backslash.`
      : brief(path, why),
  )
}

export function pathParamMissing(
  name: string,
  path: string,
  param: string,
  args: readonly unknown[],
): SelfsameError {
  return new SelfsameError(
    'path-param-missing',
    development
      ? `${name} (${path}) is missing "${param}"; it was called with ${describeArgument(args[0])}.
  Pass every ":name" of the path in the first argument.`
      : brief(name, path, param),
  )
}

export function pathParamUnusable(name: string, path: string, param: string, why: string): SelfsameError {
  return new SelfsameError(
    'path-param-unusable',
    development
      ? `${name} (${path}) cannot put "${param}" into its path: ${why}.
  Pass a string or a number.`
      : brief(name, path, param, why),
  )
}

export function searchParamUnusable(name: string, path: string, param: string, why: string): SelfsameError {
  return new SelfsameError(
    'search-param-unusable',
    development
      ? `${name} (${path}) cannot send the search param "${param}": ${why}.
  Pass text, a number, a boolean, a valid Date, or lists and objects of these.`
      : brief(name, path, param, why),
  )
}

export function initUnusable(name: string, found: string): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    development
      ? `getRequestInit() of ${name} returned ${found}. The request was not sent.
  Return { ...super.getRequestInit(body) } with what is added; write \`await\` before it where getHeaders() is async.`
      : brief(name, found),
  )
}

export function addressRelative(name: string, url: string, cause: unknown): SelfsameError {
  return new SelfsameError(
    'definition-invalid',
    development
      ? `${name} cannot be sent to ${url}: outside of a page an address has to be absolute.
  Give the endpoint a \`urlPrefix\`, such as 'https://api.example.com'.`
      : brief(name, url),
    { cause },
  )
}

export function bodyMissing(name: string, path: string): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    development
      ? `${name} (${path}) was called with one argument; it takes the params of its path and a body.
  Call it as ${name}(params, body).`
      : brief(name, path),
  )
}

export function answerNotGraphQL(name: string, url: string, found: unknown): SelfsameError {
  return new SelfsameError(
    'body-unexpected',
    development
      ? `${name} was answered with ${kindOf(found)} by POST ${url}, where GraphQL answers with an object that has data or errors.
  Check the address, and what parseResponse() returns.`
      : brief(name, url),
    { status: 400 },
  )
}

export function dataMissing(call: string, remedy: string): SelfsameError {
  return new SelfsameError('data-missing', `${call} was read before its data was there.\n  ${remedy}`)
}

export function requestUnanswered(name: string, key: string, known: readonly string[]): SelfsameError {
  return new SelfsameError(
    'request-unanswered',
    `${name} was called, and nothing answers ${key}.
  ${
    known.length === 0
      ? 'There is no fixture of this endpoint.'
      : `The fixtures of this endpoint are for ${known.map((args) => (args === '' ? 'no arguments' : args)).join(' and for ')}.`
  }
  Give createMockController() a fixture for these arguments, an interceptor of the endpoint, or \`unanswered: 'fetch'\`.`,
  )
}

export function clockCannotAdvance(ms: unknown): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    `A TestClock was told to advance by ${String(ms)}.
  Give milliseconds from 0; time does not run backwards.`,
  )
}

export function timersWithoutEnd(now: number): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    `A TestClock fired timers without end at ${now}: each set another for the same moment.
  Look for a timer of 0 milliseconds that sets itself again.`,
  )
}

export function waitedInVain(call: string, waitedMs: number): SelfsameError {
  return new SelfsameError(
    'waited-in-vain',
    `${call} waited ${waitedMs} milliseconds, and its condition did not become true.
  If it depends on time, advance the clock of the Controller; if on a call, look at \`requests\`.`,
  )
}

export function providerMissing(call: string, remedy: string): SelfsameError {
  return new SelfsameError(
    'provider-missing',
    development ? `${call} was called outside a DataProvider. ${remedy}` : brief(call),
  )
}

export function readOnce(call: string, remedy: string): SelfsameError {
  return new SelfsameError(
    'read-once',
    `${call} is read once here: what is shown does not change with it.\n  ${remedy}`,
  )
}

/** @param remedy - what to change, in the framework's words */
export function controllerRemade(tries: number, remedy: string): SelfsameError {
  return new SelfsameError(
    'controller-remade',
    development
      ? `DataProvider was given ${tries} Controllers in a row, each of which was answered and lost. ${remedy}`
      : '',
  )
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message
  return typeof thrown === 'string' ? thrown : `${kindOf(thrown)} was thrown`
}

/** Makes an Error of anything that was thrown; the original is its `cause`. */
export function toError(thrown: unknown, name: string): Error {
  return thrown instanceof Error ? thrown : fetchFailed(name, thrown)
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

/** A value whose content cannot be told: `a Blob`, `an invalid Date`. */
function describeValue(value: unknown): string {
  if (value instanceof Date) return 'an invalid Date'
  if (typeof value !== 'object' || value === null) return kindOf(value)
  const { name } = (value as { constructor?: { name?: unknown } }).constructor ?? {}
  const isData = Array.isArray(value) || name === 'Object' || name === undefined
  return isData ? `${kindOf(value)} that nests without end` : `an object of the class ${String(name)}`
}

/** Says something on the console, in development only. @param said - a text, or what was thrown */
export function warn(said: unknown): void {
  // eslint-disable-next-line no-console
  if (development) console.warn(`[selfsame] ${said instanceof Error ? said.message : String(said)}`)
}

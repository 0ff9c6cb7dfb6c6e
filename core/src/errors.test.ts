import { describe, expect, test, vi } from 'vitest'
import * as errors from './errors.js'
import {
  SelfsameError,
  describeThrown,
  kindOf,
  NetworkError,
  placeOf,
  toError,
  toFailure,
  warn,
} from './errors.js'

const cause = new RangeError('out of range.')

interface Case {
  readonly error: SelfsameError
  readonly code: string
  readonly status?: number
  readonly cause?: unknown
  readonly text: string
}

type Exported = typeof errors
/** The exports of errors.ts that build an error. */
type BuilderName = {
  [Name in keyof Exported]: Exported[Name] extends (...args: never) => SelfsameError ? Name : never
}[keyof Exported]

/** The other exports. */
const others: readonly Exclude<keyof Exported, BuilderName>[] = [
  'NetworkError',
  'SelfsameError',
  'controllersApart',
  'describeThrown',
  'displayOf',
  'isOwnError',
  'kindOf',
  'placeOf',
  'progressUnseen',
  'toCaughtError',
  'toError',
  'warn',
  'withoutCredentials',
]

/** Each message at least once, with each kind of argument. */
const unfinished = new SyntaxError('Unexpected end of JSON input')
const blobNotCarried = errors.valueNotCarried('an instance of Blob')

const cases: Readonly<Record<BuilderName, readonly Case[]>> = {
  imageUnusable: [
    {
      error: errors.imageUnusable('getImage', '/a.png', cause),
      code: 'image-unusable',
      cause,
      text: `getImage could not load or decode the image /a.png.
  Check that the address returns an image, in a format that this browser supports.`,
    },
  ],
  credentialsNotOmitted: [
    {
      error: errors.credentialsNotOmitted('/file'),
      code: 'argument-invalid',
      text: `fetchByXhr() cannot send a request to /file without credentials: XMLHttpRequest sends cookies to the page's own origin.
  Send the request with fetch, or remove \`credentials: 'omit'\`.`,
    },
  ],
  pkMissing: [
    {
      error: errors.pkMissing('Article', 'Article.getList (GET /article)', '[3]', undefined, {
        title: 'a',
        id: undefined,
        uuid: 'b',
      }),
      code: 'pk-missing',
      status: 400,
      text: `Entity "Article" has no primary key in the payload of Article.getList (GET /article), at [3].
  pk() returned undefined; the record has the fields title, id, uuid.
  Return a non-empty string from pk(), for example \`return String(this.uuid)\`.`,
    },
    {
      error: errors.pkMissing('Article', 'Article.get', '', '', {}),
      code: 'pk-missing',
      status: 400,
      text: `Entity "Article" has no primary key in the payload of Article.get, at its root.
  pk() returned ""; the record has no fields.
  No field looks like a primary key. Let the server send one, or build a non-empty string from other fields in pk().`,
    },
  ],
  unexpectedKind: [
    {
      error: errors.unexpectedKind('Article.getList', '', 'an array', { results: [] }),
      code: 'payload-unusable',
      status: 400,
      text: `Article.getList expected an array at the root of its payload, but found an object.
  Change the schema to match the response, or change the value in process().`,
    },
    {
      error: errors.unexpectedKind('Article.getList', 'data', 'an array', ' [{}]'),
      code: 'payload-unusable',
      status: 400,
      text: `Article.getList expected an array at data, but found text.
  The text looks like JSON. Parse it in parseResponse() or process(), or let the server send it as application/json.`,
    },
  ],
  fieldUnusable: [
    {
      error: errors.fieldUnusable('createdAt', 'Article.get', 'createdAt', 'it is not a date'),
      code: 'payload-unusable',
      status: 400,
      text: `Field "createdAt" does not fit its schema, in the payload of Article.get, at createdAt: it is not a date.
  Change the value in process(), or change the schema of the field.`,
    },
    {
      error: errors.fieldUnusable('price', 'Article.get', '', 'its serializer threw', cause),
      code: 'payload-unusable',
      status: 400,
      cause,
      text: `Field "price" does not fit its schema, in the payload of Article.get, at its root: its serializer threw.
  Change the value in process(), or change the schema of the field.`,
    },
  ],
  payloadFailed: [
    {
      error: errors.payloadFailed('Article.get', 'author', cause),
      code: 'payload-unusable',
      status: 400,
      cause,
      text: `The schema of Article.get threw an error at author: RangeError was thrown, see the \`cause\`
  The response was not stored. Correct pk(), process() or the method of the schema that threw.`,
    },
  ],
  nestingTooDeep: [
    {
      error: errors.nestingTooDeep('Article.get', 'a.'.repeat(60), 1000),
      code: 'nesting-too-deep',
      status: 400,
      text: `The payload of Article.get has more than 1000 nested levels without a record between them, at ${'a.'.repeat(40)}….
  Make the nested objects an Entity. Records can nest without a limit.`,
    },
  ],
  recordUnusable: [
    {
      error: errors.recordUnusable('Article', '5', 'Article.get', 'content is missing'),
      code: 'record-unusable',
      status: 400,
      text: `Article.get received Article "5", which Article.validate() rejects: content is missing.
  The response was not stored. Let the server send the fields that the class needs, or read a summary through its own class with the same \`static key\`.`,
    },
  ],
  answerMissing: [
    {
      error: errors.answerMissing('Article.get', null),
      code: 'payload-unusable',
      status: 400,
      text: `Article.get received null, but its schema reads a record.
  Let the server send the record, or remove the schema if there is nothing to read.`,
    },
  ],
  recordMissing: [
    {
      error: errors.recordMissing('Todo', '5', 'Todo.get (GET /todo/:id)'),
      code: 'payload-unusable',
      status: 400,
      text: `Todo.get (GET /todo/:id) received only the primary key "5" of Todo, and the cache has no such record.
  Let the server send the record, or change the schema to match the response.`,
    },
  ],
  answerUnreadable: [
    {
      error: errors.answerUnreadable('Todo.get'),
      code: 'payload-unusable',
      status: 400,
      text: `Todo.get received a response, but its schema returns no data for it.
  Use schema.Delete only for endpoints with \`sideEffect: true\`. In a schema of your own, return the data from denormalize().`,
    },
  ],
  bodyUnexpected: [
    {
      error: errors.bodyUnexpected('Todo.get', 'text/html instead of JSON', 'GET', '/todo/5'),
      code: 'body-unexpected',
      status: 400,
      text: `Todo.get received text/html instead of JSON from GET /todo/5.
  Check the address. A page for unknown addresses and a sign-in page send HTML with status 200.`,
    },
    {
      error: errors.bodyUnexpected('Todo.get', 'application/json that is not valid JSON', 'GET', '/a', cause),
      code: 'body-unexpected',
      status: 400,
      cause,
      text: `Todo.get received application/json that is not valid JSON from GET /a.
  Look at the response: the server sent something else, or only a part of it.`,
    },
  ],
  fetchFailed: [
    {
      error: errors.fetchFailed('getTodo', 'no', 'no'),
      code: 'fetch-failed',
      cause: 'no',
      text: 'getTodo failed: no',
    },
    {
      error: errors.fetchFailed('getTodo', describeThrown(null), null),
      code: 'fetch-failed',
      cause: null,
      text: 'getTodo failed: null was thrown, see the `cause`',
    },
  ],
  toFailure: [
    {
      error: toFailure('secret', 'getTodo'),
      code: 'fetch-failed',
      cause: 'secret',
      text: 'getTodo failed: text was thrown, see the `cause`',
    },
  ],
  createFailed: [
    {
      error: errors.createFailed('Todo.delete', 'new-a-5', cause),
      code: 'create-failed',
      cause,
      text: `Todo.delete was not sent: the mutation with the temporary id "new-a-5" failed, and it waits for that one.
  It names the record that was to be created, or fetchTogether() sends it after that mutation. Offer to do both again; the error of the mutation is the \`cause\`.`,
    },
  ],
  outboxDropped: [
    {
      error: errors.outboxDropped('Todo.update', 'dropped'),
      code: 'outbox-dropped',
      text: `Todo.update was removed from the outbox: it was dropped.
  It will not be sent, and its optimistic change is rolled back. Tell the user, unless the user requested this.`,
    },
  ],
  outboxUnwritten: [
    {
      error: errors.outboxUnwritten('Todo.update', cause),
      cause,
      code: 'outbox-unwritten',
      text: `The outbox cannot store Todo.update, so closing the page loses it.
  It is sent while the page is open: ask the user to wait. The \`cause\` says what is wrong with the storage.`,
    },
  ],
  fetchReturnedNoPromise: [
    {
      error: errors.fetchReturnedNoPromise('getTodo', undefined),
      code: 'fetch-failed',
      text: `The fetch function of getTodo returned nothing instead of a promise.
  Make it an async function.`,
    },
  ],
  temporaryIdSent: [
    {
      error: errors.temporaryIdSent('Todo.get', 'new Todo.create 5'),
      code: 'argument-invalid',
      text: `Todo.get was called with the temporary id "new Todo.create 5". The request was not sent, because the server does not know this id.
  The response of the mutation that created the record is missing. Fetch the lists of the record again, and use the record that they contain.`,
    },
  ],
  wasReset: [
    {
      error: errors.wasReset('Todo.get'),
      code: 'hard-reset',
      text: 'Todo.get was stopped because the Controller was reset. Its response is not stored.',
    },
  ],
  controllerDisposed: [
    {
      error: errors.controllerDisposed('Todo.get'),
      code: 'controller-disposed',
      text: 'Todo.get was called on a disposed Controller. Create a new Controller.',
    },
  ],
  expiryLengthInvalid: [
    {
      error: errors.expiryLengthInvalid('Todo.get', 'dataExpiryLength', -1),
      code: 'definition-invalid',
      text: `Todo.get has dataExpiryLength -1.
  Use a number of milliseconds from 0 to Infinity.`,
    },
  ],
  optimisticUnusable: [
    {
      error: errors.optimisticUnusable('Todo', 'optimistic', true),
      code: 'definition-invalid',
      text: `The option \`optimistic\` of Todo is a boolean, which \`optimistic\` did not create.
  Import \`optimistic\` from '@selfsame/core/optimistic', and write \`optimistic\`.`,
    },
    {
      error: errors.optimisticUnusable('vote', 'getOptimisticResponse', () => {}),
      code: 'definition-invalid',
      text: `The option \`getOptimisticResponse\` of vote is a function, which \`optimistic\` did not create.
  Import \`optimistic\` from '@selfsame/core/optimistic', and write \`getOptimisticResponse: optimistic(…)\`.`,
    },
  ],
  maxRecordsInvalid: [
    {
      error: errors.maxRecordsInvalid('The Controller', Number.NaN),
      code: 'definition-invalid',
      text: `The Controller has maxRecords NaN.
  Use a number of records from 0 to Infinity.`,
    },
  ],
  liveLengthInvalid: [
    {
      error: errors.liveLengthInvalid('webSocket wss://a.example/live', 'batchMs', -1),
      code: 'definition-invalid',
      text: `webSocket wss://a.example/live has batchMs -1.
  Use a number of milliseconds from 0 and below 2147483648, the limit of timers.`,
    },
  ],
  transportMissing: [
    {
      error: errors.transportMissing(
        'webSocket wss://a.example/live',
        'WebSocket',
        '`webSocket(url, { WebSocket })`',
      ),
      code: 'transport-missing',
      text: `webSocket wss://a.example/live cannot connect: this platform has no WebSocket.
  Pass a compatible constructor: \`webSocket(url, { WebSocket })\`.`,
    },
  ],
  connectionLost: [
    {
      error: errors.connectionLost('webSocket wss://a.example/live', cause),
      code: 'connection-lost',
      cause,
      text: `The connection of webSocket wss://a.example/live is lost and will not be opened again: RangeError was thrown, see the \`cause\`.
  The data on screen is no longer kept fresh. The next reader that connects opens a new connection.`,
    },
    {
      error: errors.connectionLost('webSocket wss://a.example/live', undefined),
      code: 'connection-lost',
      text: `The connection of webSocket wss://a.example/live is lost and will not be opened again.
  The data on screen is no longer kept fresh. The next reader that connects opens a new connection.`,
    },
    {
      error: errors.connectionLost('webSocket wss://a.example/live', 'closed with 4401'),
      code: 'connection-lost',
      cause: 'closed with 4401',
      text: `The connection of webSocket wss://a.example/live is lost and will not be opened again: closed with 4401.
  The data on screen is no longer kept fresh. The next reader that connects opens a new connection.`,
    },
  ],
  messageUnparsable: [
    {
      error: errors.messageUnparsable('webSocket wss://a.example/live', cause),
      code: 'message-unusable',
      cause,
      text: `webSocket wss://a.example/live received a message that it cannot parse (RangeError), and ignored it.
  Pass a \`parse\` function for the messages of the server. It ignores a message by returning undefined.`,
    },
    {
      error: errors.messageUnparsable('eventSource /events', 'secret'),
      code: 'message-unusable',
      cause: 'secret',
      text: `eventSource /events received a message that it cannot parse (text), and ignored it.
  Pass a \`parse\` function for the messages of the server. It ignores a message by returning undefined.`,
    },
  ],
  messageUnusable: [
    {
      error: errors.messageUnusable('webSocket wss://a.example/live', 'getPrice', cause),
      code: 'message-unusable',
      cause,
      text: `webSocket wss://a.example/live received a message that it cannot store for getPrice, and ignored it: RangeError was thrown, see the \`cause\`
  Correct \`select\` or the schema of the stream. \`select\` ignores a message by returning undefined.`,
    },
  ],
  messageUnsendable: [
    {
      error: errors.messageUnsendable('webSocket wss://a.example/live', 'getPrice', cause),
      code: 'message-unusable',
      cause,
      text: `webSocket wss://a.example/live cannot send a subscription of getPrice: RangeError was thrown, see the \`cause\`
  Correct \`subscribe\`, or pass a \`serialize\` function that turns its result into text.`,
    },
  ],
  definitionInvalid: [
    {
      error: errors.definitionInvalid('A list schema', ['has 2 members.', 'Write one.']),
      code: 'definition-invalid',
      text: `A list schema has 2 members.
  Write one.`,
    },
  ],
  payloadRefused: [
    {
      error: errors.payloadRefused('Todo.get', undefined),
      code: 'payload-unusable',
      status: 400,
      text: `process() of Todo.get returned undefined, which its schema cannot read.
  The response was not stored. Return the value to store from process().`,
    },
    {
      error: errors.payloadRefused('Todo.get (GET /todo/:id)', 'title: Invalid input'),
      code: 'payload-unusable',
      status: 400,
      text: `Todo.get (GET /todo/:id) received a payload that its \`validate\` rejects: title: Invalid input.
  The response was not stored. Change the value in process(), or change \`validate\`.`,
    },
  ],
  paramIsRef: [
    {
      error: errors.paramIsRef('page'),
      code: 'argument-invalid',
      text: `The argument of a composable has a ref as "page", so that later values would not be seen.
  Pass a getter that reads it: () => ({ page: page.value }).`,
    },
  ],
  optimisticOfMember: [
    {
      error: errors.optimisticOfMember('Todo.update'),
      code: 'definition-invalid',
      text: `Todo.update has the option \`optimistic\`, which is one of createResource().
  Write \`getOptimisticResponse: optimistic(…)\`, or give \`optimistic\` to createResource().`,
    },
  ],
  validateAsynchronous: [
    {
      error: errors.validateAsynchronous('Entity "Todo"'),
      code: 'definition-invalid',
      text: `The \`validate\` of Entity "Todo" returned a promise.
  Use only synchronous checks.`,
    },
  ],
  schemaRemade: [
    {
      error: errors.schemaRemade('GET /todo', 50),
      code: 'definition-invalid',
      text: `The call GET /todo is read with 50 schemas: each read creates another Entity class or schema.
  Create classes, schemas and resources once, outside components.`,
    },
  ],
  schemaUndefined: [
    {
      error: errors.schemaUndefined('Field "author" of the static schema of Entity "Article"'),
      code: 'definition-invalid',
      text: `Field "author" of the static schema of Entity "Article" is undefined.
  Modules that import each other can see undefined. Give the class its own module, assign static schema after both classes are defined, or pass a function to schema.Lazy.`,
    },
  ],
  listMissing: [
    {
      error: errors.listMissing('Todo.get', undefined),
      code: 'definition-invalid',
      text: `Todo.get cannot be paginated: its schema has no list.
  Use a schema with a list, such as [Article], a Collection, or { results: [Article] }. If it has several lists, name the field of one.`,
    },
    {
      error: errors.listMissing('Todo.getList', ['data', 'items']),
      code: 'definition-invalid',
      text: `Todo.getList cannot be paginated: its schema has no list at data.items.
  Use a schema with a list, such as [Article], a Collection, or { results: [Article] }. If it has several lists, name the field of one.`,
    },
  ],
  notAnEndpoint: [
    {
      error: errors.notAnEndpoint('controller.fetch', {}),
      code: 'argument-invalid',
      text: `controller.fetch received an object instead of an endpoint.
  Pass an Endpoint, for example \`articleResource.get\`. An endpoint has the members key, schema and fetch.`,
    },
    {
      error: errors.notAnEndpoint('controller.fetch', { key: () => '', process: () => 5 }),
      code: 'argument-invalid',
      text: `controller.fetch received a Query instead of an endpoint.
  A Query sends no request. Read it with useQuery, useCache, controller.get or controller.read.`,
    },
  ],
  notCalls: [
    {
      error: errors.notCalls(undefined, undefined),
      code: 'argument-invalid',
      text: `A hook of several calls received nothing instead of a list or an object of calls.
  Write each call as a list that starts with the endpoint: \`useSuspenseAll([[userResource.get, { id }], [postResource.getList]])\`.`,
    },
    {
      error: errors.notCalls('0', () => {}),
      code: 'argument-invalid',
      text: `A hook of several calls received a function at [0] instead of a call.
  Write each call as a list that starts with the endpoint: \`useSuspenseAll([[userResource.get, { id }], [postResource.getList]])\`.`,
    },
  ],
  pagesMissing: [
    {
      error: errors.pagesMissing('getFeed'),
      code: 'argument-invalid',
      text: `useInfinite received getFeed, which has no endpoint for further pages.
  Set the option \`paginationField\` of the endpoint to the param that names a page, or pass \`page: getFeed.paginated(…)\`.`,
    },
  ],
  previousPagesMissing: [
    {
      error: errors.previousPagesMissing('getFeed'),
      code: 'argument-invalid',
      text: `useInfinite received the option \`previous\`, and getFeed, which has no endpoint for previous pages.
  Pass the endpoint that \`bidirectional(getFeed, { previous: … })\` of @selfsame/core/rest returns, and extend it no further.`,
    },
  ],
  pollFrequencyInvalid: [
    {
      error: errors.pollFrequencyInvalid('getPrice', 0),
      code: 'definition-invalid',
      text: `getPrice has pollFrequency 0.
  Use a number of milliseconds above 0 and below 2147483648, the limit of timers.`,
    },
  ],
  policyOptionInvalid: [
    {
      error: errors.policyOptionInvalid('retry()', 'attempts', 0, 'Use a whole number above 0.'),
      code: 'argument-invalid',
      text: `retry() received attempts 0.
  Use a whole number above 0.`,
    },
  ],
  cannotConnect: [
    {
      error: errors.cannotConnect('getPrice'),
      code: 'argument-invalid',
      text: `getPrice cannot connect: it has neither the option \`stream\` nor the option \`pollFrequency\`.
  Set one of them, or connect to \`endpoint.extend({ pollFrequency: 5000 })\`.`,
    },
  ],
  argumentUntellable: [
    {
      error: errors.argumentUntellable('search', '[0].file', new Blob(['a'])),
      code: 'argument-invalid',
      text: `search cannot be read with argument [0].file: it contains an object of the class Blob, and two such values have the same key.
  Pass plain data, a Date, or an object with toJSON() or with fields of its own. Or set the option \`key\` of the endpoint.`,
    },
    ...[
      [new Date(Number.NaN), 'an invalid Date'],
      [() => 1, 'a function'],
      [Symbol('a'), 'a symbol'],
      [{}, 'an object that is cyclic or nests too deep'],
      [[], 'an array that is cyclic or nests too deep'],
    ].map(([found, kind]) => ({
      error: errors.argumentUntellable('search', '', found),
      code: 'argument-invalid',
      text: `search cannot be read with an argument: it contains ${String(kind)}, and two such values have the same key.
  Pass plain data, a Date, or an object with toJSON() or with fields of its own. Or set the option \`key\` of the endpoint.`,
    })),
  ],
  endpointMadeAnew: [
    {
      error: errors.endpointMadeAnew('getTodo'),
      code: 'definition-invalid',
      text: `getTodo is created again each time it is read: two Endpoints with its function were fetched, and neither response was shown.
  Create the Endpoint once, outside the component. Or set its \`name\` or \`key\`, so that the new Endpoint reads the response of the last one.`,
    },
  ],
  cannotReadMutation: [
    {
      error: errors.cannotReadMutation('useSuspense', 'Todo.create'),
      code: 'argument-invalid',
      text: `useSuspense received Todo.create, which is a mutation.
  Send it with controller.fetch(). If it only reads, set \`sideEffect: false\`.`,
    },
  ],
  cannotUpdateByRead: [
    {
      error: errors.cannotUpdateByRead('Todo.getList'),
      code: 'definition-invalid',
      text: `Todo.getList has the option \`update\`, but only a mutation can change the data of other calls.
  Remove \`update\`, or set \`sideEffect: true\` if the endpoint changes data on the server.`,
    },
  ],
  notQueryable: [
    {
      error: errors.notQueryable('A list schema'),
      code: 'not-queryable',
      text: `A list schema cannot be looked up by arguments.
  Use an Entity class, schema.All, a Collection, a Union, or an object of these. Read an array from a response through its endpoint.`,
    },
  ],
  endpointNotQueryable: [
    {
      error: errors.endpointNotQueryable('Todo.get'),
      code: 'not-queryable',
      text: `The endpoint Todo.get was passed instead of a schema.
  Read the data of its call with controller.read(endpoint, ...args), or with a hook such as useCache. Or pass the schema of the endpoint.`,
    },
  ],
  stateUnusable: [
    {
      error: errors.stateUnusable('text'),
      code: 'argument-invalid',
      text: `hydrate() received text instead of a state.
  Pass the result of dehydrate() of the same version. Parse it with JSON.parse first if it is text.`,
    },
    {
      error: errors.stateUnusable('a state with a value that cannot be read', unfinished),
      code: 'argument-invalid',
      cause: unfinished,
      text: `hydrate() received a state with a value that cannot be read instead of a state.
  Pass the result of dehydrate() of the same version. Parse it with JSON.parse first if it is text.`,
    },
  ],
  recordingUnusable: [
    {
      error: errors.recordingUnusable('no recording'),
      code: 'argument-invalid',
      text: `replay() received no recording.
  Pass the parsed file that the panel exported. Record what is missing again, or pass it to createMockController as a fixture.`,
    },
    {
      error: errors.recordingUnusable('a recording with no whole response of "a"', unfinished),
      code: 'argument-invalid',
      cause: unfinished,
      text: `replay() received a recording with no whole response of "a".
  Pass the parsed file that the panel exported. Record what is missing again, or pass it to createMockController as a fixture.`,
    },
  ],
  stateUnreadable: [
    {
      error: errors.stateUnreadable(unfinished, '{"version":'),
      code: 'argument-invalid',
      cause: unfinished,
      text: `deserialize() received text of 11 characters instead of a state: SyntaxError was thrown, see the \`cause\`.
  Pass the whole result of serialize() of the same version, unchanged.`,
    },
    {
      error: errors.stateUnreadable(unfinished, undefined),
      code: 'argument-invalid',
      cause: unfinished,
      text: `deserialize() received nothing instead of a state: SyntaxError was thrown, see the \`cause\`.
  Pass the whole result of serialize() of the same version, unchanged.`,
    },
  ],
  valueNotCarried: [
    {
      error: errors.valueNotCarried('an instance of Blob'),
      code: 'value-unusable',
      text: `serialize() cannot send an instance of Blob to a page.
  Return plain data from the endpoint. Convert it in the schema, or where it is shown.`,
    },
    {
      error: errors.valueNotCarried('function'),
      code: 'value-unusable',
      text: `serialize() cannot send a function to a page.
  Return plain data from the endpoint. Convert it in the schema, or where it is shown.`,
    },
  ],
  valueHoldsItself: [
    {
      error: errors.valueHoldsItself(),
      code: 'value-unusable',
      text: `dehydrate() cannot write an object that contains itself.
  Return plain data from the endpoint. Use Entities for records: they can refer to each other.`,
    },
  ],
  answerNotCarried: [
    {
      error: errors.answerNotCarried('GET /report/5', blobNotCarried),
      code: 'value-unusable',
      cause: blobNotCarried,
      text: `The response to GET /report/5 was left out of the state, so the page requests it again: serialize() cannot send an instance of Blob to a page.
  Return plain data from the endpoint. Convert it in the schema, or where it is shown.`,
    },
  ],
  hydratedFieldUnusable: [
    {
      error: errors.hydratedFieldUnusable('the field author of Post "1"'),
      code: 'value-unusable',
      text: `hydrate() left out the field author of Post "1", because it refers to data that its schema does not read.
  Hydrate only the result of \`dehydrate\` for the same entity classes.`,
    },
  ],
  setUnusable: [
    {
      error: errors.setUnusable('controller.set(Todo)', 'text'),
      code: 'value-unusable',
      text: `controller.set(Todo) received text instead of fields.
  Pass an object of fields, or a function that returns one.`,
    },
  ],
  updateUnusable: [
    {
      error: errors.updateUnusable('Todo.create', '"GET /todo" returned undefined'),
      code: 'value-unusable',
      text: `The \`update\` of Todo.create failed: "GET /todo" returned undefined.
  Return an object of functions by key. Each function returns the new data of its call.`,
    },
  ],
  pathInvalid: [
    {
      error: errors.pathInvalid('/{', '"{" at 1 is never closed'),
      code: 'path-invalid',
      text: `The path "/{" is invalid: "{" at 1 is never closed.
  Write a param as ":name" or "*name", for example "/article/:id". Put a backslash before a character that is text.`,
    },
  ],
  pathParamMissing: [
    ['the properties group, page', { group: 'secret', page: 2 }],
    ['the properties id (undefined), page (null), sort (empty)', { id: undefined, page: null, sort: '' }],
    ['no properties', {}],
    ['nothing', undefined],
    ['null', null],
    ['text', 'secret'],
    ['an array', [1]],
    ['a number', 5],
  ].map(([found, argument]) => ({
    error: errors.pathParamMissing('Todo.get', '/:group/:id', 'id', [argument]),
    code: 'path-param-missing',
    text: `Todo.get (/:group/:id) is missing "id"; it was called with ${String(found)}.
  Pass every ":name" of the path in the first argument.`,
  })),
  pathParamUnusable: [
    {
      error: errors.pathParamUnusable('Todo.get', '/:id', 'id', 'it is an object'),
      code: 'path-param-unusable',
      status: 404,
      text: `Todo.get (/:id) cannot put "id" into its path: it is an object.
  Pass a string or a number.`,
    },
  ],
  searchParamUnusable: [
    {
      error: errors.searchParamUnusable('Todo.getList', '/todo', 'since', 'it is an invalid Date'),
      code: 'search-param-unusable',
      text: `Todo.getList (/todo) cannot send the search param "since": it is an invalid Date.
  Pass text, a number, a boolean, a valid Date, or lists and objects of these.`,
    },
  ],
  initUnusable: [
    {
      error: errors.initUnusable('Todo.create', 'nothing'),
      code: 'definition-invalid',
      text: `getRequestInit() of Todo.create returned nothing. The request was not sent.
  Return { ...super.getRequestInit(body) } with your additions. If getHeaders() is async, write \`await\` before super.`,
    },
  ],
  addressRelative: [
    {
      error: errors.addressRelative('Todo.get', '/todo/5', cause),
      code: 'definition-invalid',
      cause,
      text: `Todo.get cannot send a request to /todo/5: outside a page, a URL must be absolute.
  Set the option \`urlPrefix\` of the endpoint, for example to 'https://api.example.com'.`,
    },
  ],
  bodyMissing: [
    {
      error: errors.bodyMissing('Todo.update', '/todo/:id'),
      code: 'argument-invalid',
      text: `Todo.update (/todo/:id) was called with one argument, but takes the params of its path and a body.
  Call it as Todo.update(params, body).`,
    },
  ],
  answerNotGraphQL: [
    {
      error: errors.answerNotGraphQL('GetArticle', '/graphql', [{ title: 'secret' }]),
      code: 'body-unexpected',
      status: 400,
      text: `GetArticle received an array from POST /graphql instead of an object with data or errors.
  Check the address, and the result of parseResponse().`,
    },
  ],
  dataMissing: [
    {
      error: errors.dataMissing('useSuspense(Todo.get)', 'Await it.'),
      code: 'data-missing',
      text: `useSuspense(Todo.get) was read before its data arrived.
  Await it.`,
    },
  ],
  requestUnanswered: [
    {
      error: errors.requestUnanswered('Todo.get (GET /todo/:id)', 'GET /todo/7', []),
      code: 'request-unanswered',
      text: `Todo.get (GET /todo/:id) was called, but there is no response for GET /todo/7.
  There is no fixture of this endpoint.
  Pass createMockController() a fixture for these arguments, an interceptor of the endpoint, or \`unanswered: 'fetch'\`.`,
    },
    {
      error: errors.requestUnanswered('getList', 'getList [7]', ['{"id":5}', '']),
      code: 'request-unanswered',
      text: `getList was called, but there is no response for getList [7].
  The fixtures of this endpoint are for {"id":5} and for no arguments.
  Pass createMockController() a fixture for these arguments, an interceptor of the endpoint, or \`unanswered: 'fetch'\`.`,
    },
  ],
  clockCannotAdvance: [
    {
      error: errors.clockCannotAdvance(-1),
      code: 'argument-invalid',
      text: `A TestClock cannot advance by -1.
  Use a number of milliseconds from 0. Time does not run backwards.`,
    },
  ],
  timersWithoutEnd: [
    {
      error: errors.timersWithoutEnd(5),
      code: 'argument-invalid',
      text: `A TestClock fired timers without end at 5: each set another for the same time.
  Look for a timer of 0 milliseconds that sets itself again.`,
    },
  ],
  waitTimeout: [
    {
      error: errors.waitTimeout('waitFor()', 1000),
      code: 'wait-timeout',
      text: `waitFor() waited 1000 milliseconds, and its condition did not become true.
  If the condition depends on time, advance the clock of the Controller. If it depends on a call, look at \`requests\`.`,
    },
  ],
  readOnce: [
    {
      error: errors.readOnce('useSuspense(Todo.get)', 'Read it as a store.'),
      code: 'read-once',
      text: `useSuspense(Todo.get) is read only once here: the component does not show later changes.
  Read it as a store.`,
    },
  ],
  providerMissing: [
    {
      error: errors.providerMissing('useSuspense(Todo.get)', 'Wrap the app in <DataProvider>.'),
      code: 'provider-missing',
      text: 'useSuspense(Todo.get) was called outside a DataProvider. Wrap the app in <DataProvider>.',
    },
  ],
  controllerRemade: [
    {
      error: errors.controllerRemade(10, 'Make it outside of components.'),
      code: 'controller-remade',
      text: 'DataProvider received 10 Controllers in a row, and lost each one with its responses. Make it outside of components.',
    },
  ],
}

const all = Object.entries(cases).flatMap(([name, list]) => list.map((each) => [name, each] as const))

describe('errors', () => {
  test.each(all)('%s has its text, code and status', (_, { error, code, status, text, ...rest }) => {
    expect(error).toBeInstanceOf(SelfsameError)
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe('SelfsameError')
    expect(error.message).toBe(text)
    expect(error.code).toBe(code)
    expect(error.status).toBe(status)
    expect('cause' in error).toBe('cause' in rest)
    expect(error.cause).toBe(rest.cause)
  })

  test('are all tested here', () => {
    expect([...Object.keys(cases), ...others].sort()).toEqual(Object.keys(errors).sort())
  })

  test.each(all)('%s has no line that ends in a space, and indents its remedy', (_, { error }) => {
    expect(error.message).not.toMatch(/ \n| $|\n(?! {2}\S)/)
  })

  test('name fields, and never what is in them (7, Messages)', () => {
    expect(all.map(([, { error }]) => error.message).join()).not.toContain('secret')
  })
})

describe('placeOf', () => {
  test.each([
    [[], ''],
    [[3], '[3]'],
    [['results', 3, 'author'], 'results[3].author'],
    [['a b', 'c'], '["a b"].c'],
    [['$a_1'], '$a_1'],
    [['x"y'], '["x\\"y"]'],
    [[''], '[""]'],
  ])('of %o is %s', (keys, place) => {
    expect(placeOf(keys)).toBe(place)
  })
})

describe('kindOf', () => {
  test.each([
    [null, 'null'],
    [undefined, 'nothing'],
    [[], 'an array'],
    [{}, 'an object'],
    [new Date(), 'an object'],
    ['secret', 'text'],
    [5, 'a number'],
    [true, 'a boolean'],
    [5n, 'a bigint'],
    [Symbol('secret'), 'a symbol'],
    [() => {}, 'a function'],
  ])('of %o is %s', (value, kind) => {
    expect(kindOf(value)).toBe(kind)
  })
})

describe('what was thrown', () => {
  test.each([
    [new RangeError('secret'), 'RangeError'],
    ['secret', 'text'],
    [null, 'null'],
    [undefined, 'nothing'],
    [{ status: 401 }, 'an object'],
  ])('%o is named by its kind, without its text', (thrown, kind) => {
    expect(describeThrown(thrown)).toBe(`${kind} was thrown, see the \`cause\``)
  })

  test('is named by its text if it is an error of this library', () => {
    expect(describeThrown(new NetworkError('No.', {}))).toBe('No.')
    expect(new NetworkError('No.').status).toBeUndefined()
    // As another generation is called.
    expect(() => new NetworkError(new Response(null, { status: 404 }) as never)).toThrow(
      'new NetworkError() received no text as its first argument.',
    )
    expect(describeThrown(errors.wasReset('getTodo'))).toContain('getTodo was stopped')
  })

  test('is an Error already, or the cause of one (E12)', () => {
    expect(toError(cause, 'getTodo')).toBe(cause)
    const error = toError('no', 'getTodo')
    expect(error).toMatchObject({
      code: 'fetch-failed',
      message: 'getTodo failed: text was thrown, see the `cause`',
      cause: 'no',
    })
  })
})

test('a warning is on the console in development', () => {
  const spy = vi.spyOn(console, 'warn').mockImplementation(() => {})
  try {
    warn('Two classes have one key.')
    expect(spy).toHaveBeenCalledExactlyOnceWith('[selfsame] Two classes have one key.')
  } finally {
    spy.mockRestore()
  }
})

describe('in production', () => {
  test('a message is the code, and what it is about', async () => {
    vi.resetModules()
    vi.doMock('#development', () => ({ development: false }))
    const production = await import('./errors.js')
    vi.doUnmock('#development')
    const missing = production.pkMissing('Article', 'Article.getList', '[3]', undefined, { uuid: 'b' })
    expect(missing).toMatchObject({
      code: 'pk-missing',
      message: 'pk-missing: Article, Article.getList, [3]',
      status: 400,
    })
    const param = production.pathParamMissing('Todo.get', '/todo/:id', 'id', [{}])
    expect(param).toMatchObject({
      code: 'path-param-missing',
      message: 'path-param-missing: Todo.get, /todo/:id, id',
    })
    expect(production.credentialsNotOmitted('/file').message).toBe('argument-invalid: /file')
    expect(production.imageUnusable('getImage', '/a.png', cause).message).toBe(
      'image-unusable: getImage, /a.png',
    )
    expect(production.toError('no network', 'Todo.get')).toMatchObject({
      message: 'fetch-failed: Todo.get, string',
      cause: 'no network',
    })
    const length = production.expiryLengthInvalid('Todo.get', 'dataExpiryLength', -1)
    expect(length.message).toBe('definition-invalid: Todo.get, dataExpiryLength, -1')
    expect(production.recordMissing('Todo', '5', 'Todo.get').message).toBe(
      'payload-unusable: Todo, 5, Todo.get',
    )
    const missingProvider = production.providerMissing('useCache()', '')
    expect(missingProvider.message).toBe('provider-missing: useCache()')
    // As hydration creates it in a page.
    const { code, message } = missingProvider
    expect(new production.SelfsameError(code, message).message).toBe('provider-missing: useCache()')
  })
})

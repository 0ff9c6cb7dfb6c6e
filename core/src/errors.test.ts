import { describe, expect, test, vi } from 'vitest'
import * as errors from './errors.js'
import { SelfsameError, kindOf, messageOf, placeOf, toError, warn } from './errors.js'

const cause = new RangeError('out of range.')

interface Case {
  readonly error: SelfsameError
  readonly code: string
  readonly status?: number
  readonly cause?: unknown
  readonly text: string
}

type Exported = typeof errors
/** Of what errors.ts exports, the functions that build an error. */
type BuilderName = {
  [Name in keyof Exported]: Exported[Name] extends (...args: never) => SelfsameError ? Name : never
}[keyof Exported]

/** The rest of it. */
const others: readonly Exclude<keyof Exported, BuilderName>[] = [
  'SelfsameError',
  'kindOf',
  'messageOf',
  'placeOf',
  'toError',
  'warn',
]

/** Each message once or more, with all that a caller can put into it. */
const unfinished = new SyntaxError('Unexpected end of JSON input')
const blobNotCarried = errors.valueNotCarried('an instance of Blob')

const cases: Readonly<Record<BuilderName, readonly Case[]>> = {
  imageUnusable: [
    {
      error: errors.imageUnusable('getImage', '/a.png', cause),
      code: 'image-unusable',
      cause,
      text: `getImage could not load or decode the image /a.png.
  Check that the address answers with an image, in a format that this browser knows.`,
    },
    {
      error: errors.imageUnusable('getImage', `data:${'a'.repeat(300)}`, cause),
      code: 'image-unusable',
      cause,
      text: `getImage could not load or decode the image data:${'a'.repeat(195)}….
  Check that the address answers with an image, in a format that this browser knows.`,
    },
  ],
  credentialsNotOmitted: [
    {
      error: errors.credentialsNotOmitted('/file'),
      code: 'argument-invalid',
      text: `fetchByXhr() cannot leave out the credentials of a request to /file: XMLHttpRequest sends cookies to the page's own origin.
  Send it by fetch, or leave \`credentials: 'omit'\` out.`,
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
  No field looks like one: let the server send it, or put a non-empty string together in pk().`,
    },
  ],
  unexpectedKind: [
    {
      error: errors.unexpectedKind('an array', 'Article.getList', '', { results: [] }),
      code: 'payload-unusable',
      status: 400,
      text: `Article.getList expected an array at the root of its payload, but found an object.
  Change the schema to what the server sends, or the value in process().`,
    },
    {
      error: errors.unexpectedKind('an array', 'Article.getList', 'data', ' [{}]'),
      code: 'payload-unusable',
      status: 400,
      text: `Article.getList expected an array at data, but found text.
  The text looks like JSON: parse it in parseResponse() or process(), or send it as application/json.`,
    },
  ],
  fieldUnusable: [
    {
      error: errors.fieldUnusable('createdAt', 'Article.get', 'createdAt', 'it is not a date'),
      code: 'payload-unusable',
      status: 400,
      text: `Field "createdAt" cannot be read as its schema says, in the payload of Article.get, at createdAt: it is not a date.
  Correct the value in process(), or the field's schema.`,
    },
    {
      error: errors.fieldUnusable('price', 'Article.get', '', 'its serializer threw', cause),
      code: 'payload-unusable',
      status: 400,
      cause,
      text: `Field "price" cannot be read as its schema says, in the payload of Article.get, at its root: its serializer threw.
  Correct the value in process(), or the field's schema.`,
    },
  ],
  payloadFailed: [
    {
      error: errors.payloadFailed('Article.get', 'author', cause),
      code: 'payload-unusable',
      status: 400,
      cause,
      text: `A schema of Article.get failed in the payload of Article.get, at author: out of range.
  Nothing of the answer was stored. Correct pk(), process() or the schema that threw.`,
    },
  ],
  nestingTooDeep: [
    {
      error: errors.nestingTooDeep('Article.get', 'a.'.repeat(60), 1000),
      code: 'nesting-too-deep',
      status: 400,
      text: `The schema of Article.get nests more than 1000 levels without a record between them, at ${'a.'.repeat(40)}….
  Make the nested objects an Entity; records may nest without a limit.`,
    },
  ],
  recordUnusable: [
    {
      error: errors.recordUnusable('Article', '5', 'Article.get', 'content is missing'),
      code: 'record-unusable',
      status: 400,
      text: `Article.get answered with Article "5", which Article.validate() rejects: content is missing.
  Nothing of the answer was stored. Let the server send what the class needs, or read a summary through a class of its own with the same \`static key\`.`,
    },
  ],
  answerMissing: [
    {
      error: errors.answerMissing('Article.get', null),
      code: 'payload-unusable',
      status: 400,
      text: `Article.get was answered with null where its schema reads a record.
  Let the server answer with the record, or leave the schema out if there is nothing to read.`,
    },
  ],
  recordMissing: [
    {
      error: errors.recordMissing('Todo', '5', 'Todo.get (GET /todo/:id)'),
      code: 'payload-unusable',
      status: 400,
      text: `Todo.get (GET /todo/:id) was answered with the primary key "5" of Todo alone, and there is no such record in the cache.
  Let the server answer with the record, or change the schema to what the server sends.`,
    },
  ],
  answerUnreadable: [
    {
      error: errors.answerUnreadable('Todo.get'),
      code: 'payload-unusable',
      status: 400,
      text: `Todo.get was answered, but its schema shows nothing of the answer.
  schema.Delete is for endpoints with \`sideEffect: true\`; the denormalize() of a schema of your own has to return something.`,
    },
  ],
  fetchFailed: [
    {
      error: errors.fetchFailed('getTodo', 'no'),
      code: 'fetch-failed',
      cause: 'no',
      text: 'getTodo failed: no',
    },
    {
      error: errors.fetchFailed('getTodo', null),
      code: 'fetch-failed',
      cause: null,
      text: 'getTodo failed: null was thrown',
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
      text: `Todo.get was called with "new Todo.create 5", the temporary id of a record that was created without an answer, and was not sent: no server knows it.
  Wait until the lists of the record are fetched again, and use the record that they bring.`,
    },
  ],
  wasReset: [
    {
      error: errors.wasReset('Todo.get'),
      code: 'hard-reset',
      text: 'Todo.get was given up because the Controller was reset while it ran. Its answer is not stored.',
    },
  ],
  controllerDisposed: [
    {
      error: errors.controllerDisposed('Todo.get'),
      code: 'controller-disposed',
      text: 'Todo.get was called on a Controller that was disposed of. Create a new Controller.',
    },
  ],
  expiryLengthInvalid: [
    {
      error: errors.expiryLengthInvalid('Todo.get', 'dataExpiryLength', -1),
      code: 'definition-invalid',
      text: `Todo.get has dataExpiryLength -1.
  Give milliseconds from 0 to Infinity.`,
    },
  ],
  optimisticUnusable: [
    {
      error: errors.optimisticUnusable('Todo', 'optimistic', true),
      code: 'definition-invalid',
      text: `optimistic of Todo is a boolean that can show nothing early.
  Import \`optimistic\` from '@selfsame/core/optimistic', and write \`optimistic\`.`,
    },
    {
      error: errors.optimisticUnusable('vote', 'getOptimisticResponse', () => {}),
      code: 'definition-invalid',
      text: `getOptimisticResponse of vote is a function that can show nothing early.
  Import \`optimistic\` from '@selfsame/core/optimistic', and write \`getOptimisticResponse: optimistic(…)\`.`,
    },
  ],
  maxRecordsInvalid: [
    {
      error: errors.maxRecordsInvalid('The Controller', Number.NaN),
      code: 'definition-invalid',
      text: `The Controller has maxRecords NaN.
  Give a number of records from 0 to Infinity.`,
    },
  ],
  liveLengthInvalid: [
    {
      error: errors.liveLengthInvalid('webSocket wss://a.example/live', 'batchMs', -1),
      code: 'definition-invalid',
      text: `webSocket wss://a.example/live has batchMs -1.
  Give milliseconds from 0 and below 2147483648, which is as long as a timer waits.`,
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
  Pass one that has the interface of a browser's: \`webSocket(url, { WebSocket })\`.`,
    },
  ],
  connectionLost: [
    {
      error: errors.connectionLost('webSocket wss://a.example/live', undefined),
      code: 'connection-lost',
      text: `The connection of webSocket wss://a.example/live is lost and is not made again.
  What is shown is not kept fresh any longer. Whoever connects next tries anew.`,
    },
    {
      error: errors.connectionLost('webSocket wss://a.example/live', 'closed with 4401 (signed out)'),
      code: 'connection-lost',
      cause: 'closed with 4401 (signed out)',
      text: `The connection of webSocket wss://a.example/live is lost and is not made again: closed with 4401 (signed out).
  What is shown is not kept fresh any longer. Whoever connects next tries anew.`,
    },
  ],
  messageUnparsable: [
    {
      error: errors.messageUnparsable('webSocket wss://a.example/live', cause),
      code: 'message-unusable',
      cause,
      text: `A message of webSocket wss://a.example/live could not be parsed (RangeError), and was left out.
  Give the \`parse\` that reads what the server sends; it leaves a message out by returning undefined.`,
    },
    {
      error: errors.messageUnparsable('eventSource /events', 'secret'),
      code: 'message-unusable',
      cause: 'secret',
      text: `A message of eventSource /events could not be parsed (text), and was left out.
  Give the \`parse\` that reads what the server sends; it leaves a message out by returning undefined.`,
    },
  ],
  messageUnusable: [
    {
      error: errors.messageUnusable('webSocket wss://a.example/live', 'getPrice', cause),
      code: 'message-unusable',
      cause,
      text: `A message of webSocket wss://a.example/live could not be stored for getPrice, and was left out: out of range.
  Correct \`select\` or the schema of the stream; \`select\` leaves a message out by returning undefined.`,
    },
  ],
  messageUnsendable: [
    {
      error: errors.messageUnsendable('webSocket wss://a.example/live', 'getPrice', cause),
      code: 'message-unusable',
      cause,
      text: `A subscription of getPrice could not be sent to webSocket wss://a.example/live: out of range.
  Correct \`subscribe\`, or give a \`serialize\` that makes text of what it returns.`,
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
      error: errors.payloadRefused('Todo.get (GET /todo/:id)', 'title: Invalid input'),
      code: 'payload-unusable',
      status: 400,
      text: `Todo.get (GET /todo/:id) was answered with a payload that its validate rejects: title: Invalid input.
  Nothing of the answer was stored. Correct the value in process(), or validate.`,
    },
  ],
  validateAsynchronous: [
    {
      error: errors.validateAsynchronous('Entity "Todo"'),
      code: 'definition-invalid',
      text: `The validate of Entity "Todo" returned a promise.
  Let it answer at once: leave out checks that wait for something.`,
    },
  ],
  schemaUndefined: [
    {
      error: errors.schemaUndefined('Field "author" of the static schema of Entity "Article"'),
      code: 'definition-invalid',
      text: `Field "author" of the static schema of Entity "Article" is undefined.
  Modules that import each other may see undefined: give the class a module of its own, assign static schema after both classes are defined, or give schema.Lazy a function.`,
    },
  ],
  listMissing: [
    {
      error: errors.listMissing('Todo.get', undefined),
      code: 'definition-invalid',
      text: `Todo.get cannot be paginated: its schema has no list.
  Give it a schema with a list, such as [Article], a Collection, or { results: [Article] }; name the field of the list where there are several.`,
    },
    {
      error: errors.listMissing('Todo.getList', ['data', 'items']),
      code: 'definition-invalid',
      text: `Todo.getList cannot be paginated: its schema has no list at data.items.
  Give it a schema with a list, such as [Article], a Collection, or { results: [Article] }; name the field of the list where there are several.`,
    },
  ],
  notAnEndpoint: [
    {
      error: errors.notAnEndpoint('controller.fetch', {}),
      code: 'argument-invalid',
      text: `controller.fetch was given an object where it takes an endpoint.
  Pass an Endpoint, for example \`articleResource.get\`; it has the members key, schema and fetch.`,
    },
  ],
  notCalls: [
    {
      error: errors.notCalls(undefined, undefined),
      code: 'argument-invalid',
      text: `useSuspenseAll was given nothing where it takes a list or an object of calls.
  Each call is a list of its own, the endpoint first: \`useSuspenseAll([[userResource.get, { id }], [postResource.getList]])\`.`,
    },
    {
      error: errors.notCalls('0', () => {}),
      code: 'argument-invalid',
      text: `useSuspenseAll was given a function at [0] where it takes a call.
  Each call is a list of its own, the endpoint first: \`useSuspenseAll([[userResource.get, { id }], [postResource.getList]])\`.`,
    },
  ],
  pagesMissing: [
    {
      error: errors.pagesMissing('getFeed'),
      code: 'argument-invalid',
      text: `useInfinite was given getFeed, which has no endpoint for further pages.
  Name the param of a page by the option \`paginationField\` of the endpoint, or pass \`page: getFeed.paginated(…)\`.`,
    },
  ],
  pollFrequencyInvalid: [
    {
      error: errors.pollFrequencyInvalid('getPrice', 0),
      code: 'definition-invalid',
      text: `getPrice has pollFrequency 0.
  Give milliseconds above 0 and below 2147483648, which is as long as a timer waits.`,
    },
  ],
  policyOptionInvalid: [
    {
      error: errors.policyOptionInvalid('retry()', 'attempts', 0, 'Give a whole number above 0.'),
      code: 'argument-invalid',
      text: `retry() was given attempts 0.
  Give a whole number above 0.`,
    },
  ],
  cannotConnect: [
    {
      error: errors.cannotConnect('getPrice'),
      code: 'argument-invalid',
      text: `getPrice has neither a stream nor a pollFrequency, so that nothing keeps it fresh.
  Declare it with one, or connect to \`endpoint.extend({ pollFrequency: 5000 })\`.`,
    },
  ],
  argumentUntellable: [
    {
      error: errors.argumentUntellable('search', '[0].file', new Blob(['a'])),
      code: 'argument-invalid',
      text: `search cannot be read with argument [0].file: it holds an object of the class Blob, and two of those look alike in the key of a call.
  Pass plain data, a Date, or what has toJSON() or fields of its own; or give the endpoint a \`key\`.`,
    },
    ...[
      [new Date(Number.NaN), 'an invalid Date'],
      [() => 1, 'a function'],
      [Symbol('a'), 'a symbol'],
      [{}, 'an object that nests without end'],
      [[], 'an array that nests without end'],
    ].map(([found, kind]) => ({
      error: errors.argumentUntellable('search', '', found),
      code: 'argument-invalid',
      text: `search cannot be read with an argument: it holds ${String(kind)}, and two of those look alike in the key of a call.
  Pass plain data, a Date, or what has toJSON() or fields of its own; or give the endpoint a \`key\`.`,
    })),
  ],
  endpointMadeAnew: [
    {
      error: errors.endpointMadeAnew('getTodo'),
      code: 'definition-invalid',
      text: `getTodo is made anew each time it is read: two Endpoints with its function were fetched, and neither answer was shown.
  Make the Endpoint once, outside of the component; or give it a \`name\`, or a \`key\`, so that the new one reads what the last one fetched.`,
    },
  ],
  cannotReadMutation: [
    {
      error: errors.cannotReadMutation('useSuspense', 'Todo.create'),
      code: 'argument-invalid',
      text: `useSuspense was given Todo.create, which changes data on the server.
  Send it with controller.fetch(). If it only reads, declare it with \`sideEffect: false\`.`,
    },
  ],
  cannotUpdateByRead: [
    {
      error: errors.cannotUpdateByRead('Todo.getList'),
      code: 'definition-invalid',
      text: `Todo.getList only reads, but has an \`update\`: what a read brings changes the data of no other call.
  Remove the option, or declare the endpoint with \`sideEffect: true\` if it changes data on the server.`,
    },
  ],
  notQueryable: [
    {
      error: errors.notQueryable('A list schema'),
      code: 'not-queryable',
      text: `A list schema cannot be looked up by arguments.
  Use an Entity class, or an object of them; an array that a request has answered is read through its endpoint.`,
    },
  ],
  endpointNotQueryable: [
    {
      error: errors.endpointNotQueryable('Todo.get'),
      code: 'not-queryable',
      text: `The endpoint Todo.get was given where a schema is looked up by arguments.
  Read what its call shows with controller.read(endpoint, ...args), or a hook such as useCache; or pass the schema of the endpoint.`,
    },
  ],
  stateUnusable: [
    {
      error: errors.stateUnusable('text'),
      code: 'argument-invalid',
      text: `hydrate() was given text instead of a state.
  Pass what dehydrate() of the same version gave, after JSON.parse where it was text.`,
    },
  ],
  stateUnreadable: [
    {
      error: errors.stateUnreadable('{"version":', unfinished),
      code: 'argument-invalid',
      cause: unfinished,
      text: `deserialize() was given text of 11 characters instead of a state: Unexpected end of JSON input.
  Pass the whole of what serialize() of the same version gave, unchanged.`,
    },
    {
      error: errors.stateUnreadable(undefined, unfinished),
      code: 'argument-invalid',
      cause: unfinished,
      text: `deserialize() was given nothing instead of a state: Unexpected end of JSON input.
  Pass the whole of what serialize() of the same version gave, unchanged.`,
    },
  ],
  valueNotCarried: [
    {
      error: errors.valueNotCarried('an instance of Blob'),
      code: 'value-unusable',
      text: `serialize() cannot carry an instance of Blob to a page.
  Let the endpoint give plain data; make something else of it in the schema, or where it is shown.`,
    },
    {
      error: errors.valueNotCarried('function'),
      code: 'value-unusable',
      text: `serialize() cannot carry a function to a page.
  Let the endpoint give plain data; make something else of it in the schema, or where it is shown.`,
    },
  ],
  valueHoldsItself: [
    {
      error: errors.valueHoldsItself(),
      code: 'value-unusable',
      text: `dehydrate() cannot write down an object that holds itself.
  Let the endpoint give plain data; relate records to each other by Entities, which may hold each other.`,
    },
  ],
  answerNotCarried: [
    {
      error: errors.answerNotCarried('GET /report/5', blobNotCarried),
      code: 'value-unusable',
      cause: blobNotCarried,
      text: `The answer to GET /report/5 was left out of the state, so the page asks for it: serialize() cannot carry an instance of Blob to a page.
  Let the endpoint give plain data; make something else of it in the schema, or where it is shown.`,
    },
  ],
  hydratedFieldUnusable: [
    {
      error: errors.hydratedFieldUnusable('the field author of Post "1"'),
      code: 'value-unusable',
      text: `What was hydrated for the field author of Post "1" refers to something that its schema does not read, and was left out.
  Hydrate only what \`dehydrate\` gave for the same entity classes.`,
    },
  ],
  setUnusable: [
    {
      error: errors.setUnusable('controller.set(Todo)', 'text'),
      code: 'value-unusable',
      text: `controller.set(Todo) was given text instead of fields.
  Pass an object of fields, or a function that returns one.`,
    },
  ],
  updateUnusable: [
    {
      error: errors.updateUnusable('Todo.create', '"GET /todo" returned undefined'),
      code: 'value-unusable',
      text: `The update of Todo.create failed: "GET /todo" returned undefined.
  Return an object of functions by key, each of which returns the data that its call shows then.`,
    },
  ],
  pathInvalid: [
    {
      error: errors.pathInvalid('/{', '"{" at 1 is never closed'),
      code: 'path-invalid',
      text: `The path "/{" cannot be read: "{" at 1 is never closed.
  Write parameters as ":name" or "*name", for example "/article/:id"; escape what is meant as text with a backslash.`,
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
  Return { ...super.getRequestInit(body) } with what is added; write \`await\` before it where getHeaders() is async.`,
    },
  ],
  addressRelative: [
    {
      error: errors.addressRelative('Todo.get', '/todo/5', cause),
      code: 'definition-invalid',
      cause,
      text: `Todo.get cannot be sent to /todo/5: outside of a page an address has to be absolute.
  Give the endpoint a \`urlPrefix\`, such as 'https://api.example.com'.`,
    },
  ],
  bodyMissing: [
    {
      error: errors.bodyMissing('Todo.update', '/todo/:id'),
      code: 'argument-invalid',
      text: `Todo.update (/todo/:id) was called with one argument; it takes the params of its path and a body.
  Call it as Todo.update(params, body).`,
    },
  ],
  answerNotGraphQL: [
    {
      error: errors.answerNotGraphQL('GetArticle', '/graphql', [{ title: 'secret' }]),
      code: 'body-unexpected',
      status: 400,
      text: `GetArticle was answered with an array by POST /graphql, where GraphQL answers with an object that has data or errors.
  Check the address, and what parseResponse() returns.`,
    },
  ],
  dataMissing: [
    {
      error: errors.dataMissing('useSuspense(Todo.get)', 'Await it.'),
      code: 'data-missing',
      text: `useSuspense(Todo.get) was read before its data was there.
  Await it.`,
    },
  ],
  requestUnanswered: [
    {
      error: errors.requestUnanswered('Todo.get (GET /todo/:id)', 'GET /todo/7', []),
      code: 'request-unanswered',
      text: `Todo.get (GET /todo/:id) was called, and nothing answers GET /todo/7.
  There is no fixture of this endpoint.
  Give createMockController() a fixture for these arguments, an interceptor of the endpoint, or \`unanswered: 'fetch'\`.`,
    },
    {
      error: errors.requestUnanswered('getList', 'getList [7]', ['{"id":5}', '']),
      code: 'request-unanswered',
      text: `getList was called, and nothing answers getList [7].
  The fixtures of this endpoint are for {"id":5} and for no arguments.
  Give createMockController() a fixture for these arguments, an interceptor of the endpoint, or \`unanswered: 'fetch'\`.`,
    },
  ],
  clockCannotAdvance: [
    {
      error: errors.clockCannotAdvance(-1),
      code: 'argument-invalid',
      text: `A TestClock was told to advance by -1.
  Give milliseconds from 0; time does not run backwards.`,
    },
  ],
  timersWithoutEnd: [
    {
      error: errors.timersWithoutEnd(5),
      code: 'argument-invalid',
      text: `A TestClock fired timers without end at 5: each set another for the same moment.
  Look for a timer of 0 milliseconds that sets itself again.`,
    },
  ],
  waitedInVain: [
    {
      error: errors.waitedInVain('waitFor()', 1000),
      code: 'waited-in-vain',
      text: `waitFor() waited 1000 milliseconds, and its condition did not become true.
  If it depends on time, advance the clock of the Controller; if on a call, look at \`requests\`.`,
    },
  ],
  readOnce: [
    {
      error: errors.readOnce('useSuspense(Todo.get)', 'Read it as a store.'),
      code: 'read-once',
      text: `useSuspense(Todo.get) is read once here: what is shown does not change with it.
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
      text: 'DataProvider was given 10 Controllers in a row, each of which was answered and lost. Make it outside of components.',
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
    [new Error('no'), 'no'],
    ['no', 'no'],
    [null, 'null was thrown'],
    [undefined, 'nothing was thrown'],
    [{ status: 401 }, 'an object was thrown'],
  ])('%o has the message "%s"', (thrown, message) => {
    expect(messageOf(thrown)).toBe(message)
  })

  test('is an Error already, or the cause of one (E12)', () => {
    expect(toError(cause, 'getTodo')).toBe(cause)
    const error = toError('no', 'getTodo')
    expect(error).toMatchObject({ code: 'fetch-failed', message: 'getTodo failed: no', cause: 'no' })
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
    const length = production.expiryLengthInvalid('Todo.get', 'dataExpiryLength', -1)
    expect(length.message).toBe('definition-invalid: Todo.get, dataExpiryLength, -1')
    expect(production.definitionInvalid('A list schema', false).message).toBe(
      'definition-invalid: A list schema',
    )
    expect(production.recordMissing('Todo', '5', 'Todo.get').message).toBe(
      'payload-unusable: Todo.get, Todo, 5',
    )
    const missingProvider = production.providerMissing('useCache()', '')
    expect(missingProvider.message).toBe('provider-missing: useCache()')
    // As hydration makes it anew on a page.
    const { code, message } = missingProvider
    expect(new production.SelfsameError(code, message).message).toBe('provider-missing: useCache()')
  })
})

import { development } from '#development'
import { EndpointBase, setMembers } from '../endpoint/endpoint.js'
import type { CallContext, EndpointLike } from '../endpoint/endpoint.js'
import { requireInit } from '../endpoint/init.js'
import { readBody, toConnectionError, toStatusError } from '../endpoint/response.js'
import type { RequestName } from '../endpoint/response.js'
import { sendRequest, withCall } from '../endpoint/transport.js'
import type { TransportInit } from '../endpoint/transport.js'
import * as errors from '../errors.js'
import { textOfArguments } from '../schema/argument-text.js'
import type { Schema } from '../schema/schema.js'
import { isPlainObject } from '../util/plain.js'
import type { ProgressListener } from '../util/progress.js'
import { stableStringify } from '../util/stable-stringify.js'
import { parseDocument, textOf } from './document.js'
import type { GQLDocument, ParsedDocument, ResultOf, UntypedDocument, VariablesOf } from './document.js'
import { errorsOf, toGQLNetworkError } from './gql-network-error.js'
import type { Declared, Extended, GQLArgs, GQLOptions, GQLRequestBody, GQLValue } from './gql-types.js'

/**
 * A GraphQL server, and each query and mutation that is declared with it: those are endpoints, called with their
 * variables. Their steps can each be overridden, in a subclass or by an option of the same name: `getRequestInit`
 * (with `getHeaders`) → `fetchResponse` → `parseResponse` → `process`.
 *
 * @see specification 1, rule 6; E18
 * @example
 * const gql = new GQLEndpoint('https://api.example.com/graphql')
 * const getArticle = gql.query(
 *   (_variables: { id: string }) => `query GetArticle($id: ID!) { article(id: $id) { id title } }`,
 *   { article: Article },
 * )
 * const { article } = await getArticle({ id: '5' })
 */
// The instance is a function, which a class cannot declare by itself.
// eslint-disable-next-line typescript/no-unsafe-declaration-merging
export interface GQLEndpoint<Options extends GQLOptions = GQLOptions> {
  (...args: GQLArgs<Options>): Promise<GQLValue<Options>>
}

// eslint-disable-next-line typescript/no-unsafe-declaration-merging
export class GQLEndpoint<const Options extends GQLOptions = GQLOptions> extends EndpointBase {
  declare readonly url: string
  /** As it was given to `query` or `mutation`. */
  declare readonly document: GQLDocument | undefined
  declare readonly operation: 'query' | 'mutation' | undefined
  declare readonly partialData: 'reject' | 'keep' | undefined
  declare readonly print: GQLOptions['print']
  declare readonly schema: Options extends { readonly schema: infer S extends Schema } ? S : undefined
  declare readonly sideEffect: Options extends { readonly sideEffect: infer Said extends boolean }
    ? Said
    : undefined
  /** Sends the request. Calling the endpoint calls it. */
  declare readonly fetch: (...args: GQLArgs<Options>) => Promise<GQLValue<Options>>
  declare protected readonly options: Options
  #parsed: ParsedDocument | undefined

  /**
   * @param url - where the server is
   * @param options - what all queries and mutations have in common
   * @throws {SelfsameError} `definition-invalid` for a negative expiry length
   */
  constructor(url: string, options?: Options) {
    super(request, { ...options, url })
    if (options?.name === undefined) {
      // A function has told the name of its operation only when it was called.
      const get = () => this.#parsed?.name ?? this.operation ?? 'GQLEndpoint'
      Object.defineProperty(this, 'name', { get, configurable: true, enumerable: true })
    }
    if (this.document !== undefined && typeof this.document !== 'function') this.#documentFor(undefined)
  }

  /**
   * Declares a read.
   *
   * @param document - its text; a function of the variables that returns the text, and so gives them a type; or a
   *   document node, such as a `TypedDocumentNode`
   * @param schema - what the data looks like, by the names of the fields: `{ article: Article }`
   * @throws {SelfsameError} `definition-invalid` for a document that does not hold exactly one query
   * @example
   * gql.query('{ users { id name } }', { users: [User] })
   * gql.query<{ id: string }>('query ($id: ID!) { user(id: $id) { name } }')
   */
  query<const Document extends GQLDocument, const S extends Schema | undefined = undefined>(
    document: Document,
    schema?: S,
  ): GQLEndpoint<Declared<Options, VariablesOf<Document>, ResultOf<Document>, S, undefined>>
  query<Variables extends object>(
    document: UntypedDocument,
  ): GQLEndpoint<Declared<Options, Variables, unknown, undefined, undefined>>
  query<Variables extends object, const S extends Schema>(
    document: UntypedDocument,
    schema: S,
  ): GQLEndpoint<Declared<Options, Variables, unknown, S, undefined>>
  query(document: GQLDocument, schema?: Schema): unknown {
    return this.#declare('query', document, schema)
  }

  /**
   * Declares a change of data on the server.
   *
   * @param document - as `query` takes it
   * @param schema - as `query` takes it; `{ deleteArticle: new schema.Delete(Article) }` removes a record
   * @throws {SelfsameError} `definition-invalid` for a document that does not hold exactly one mutation
   */
  mutation<const Document extends GQLDocument, const S extends Schema | undefined = undefined>(
    document: Document,
    schema?: S,
  ): GQLEndpoint<Declared<Options, VariablesOf<Document>, ResultOf<Document>, S, true>>
  mutation<Variables extends object>(
    document: UntypedDocument,
  ): GQLEndpoint<Declared<Options, Variables, unknown, undefined, true>>
  mutation<Variables extends object, const S extends Schema>(
    document: UntypedDocument,
    schema: S,
  ): GQLEndpoint<Declared<Options, Variables, unknown, S, true>>
  mutation(document: GQLDocument, schema?: Schema): unknown {
    return this.#declare('mutation', document, schema)
  }

  /** Makes an endpoint of the same class from this one. @param options - the options that differ */
  extend<const More extends GQLOptions>(options: More): GQLEndpoint<Extended<Options, More>> {
    // Each member was made with the options that its type names.
    return this.#derive({ ...this.options, ...options }) as never
  }

  /** Returns the key of a call. White space in the document and the order of the variables make no difference. */
  key(...args: GQLArgs<Options>): string {
    const [variables] = args as readonly unknown[]
    // First, because it may tell the name.
    const { compact } = this.#documentFor(variables)
    const given = variables ?? {}
    const text =
      this.sideEffect === true ? stableStringify(given) : textOfArguments(this.name, [given]).slice(1, -1)
    return `${this.name} ${this.url} ${compact} ${text}`
  }

  /**
   * Returns `true` for keys of this endpoint: of its document at its address, whatever the variables. Where a
   * function writes the document, that is the operation's name; it is called without variables if it was never
   * called. Override it together with `key`.
   */
  testKey(key: string): boolean {
    const { document } = this
    if (document === undefined) return false
    try {
      const { compact, name } = this.#parsed ?? this.#documentFor({})
      const isNamed = typeof document === 'function' && name !== undefined
      return key.startsWith(isNamed ? `${this.name} ${this.url} ` : `${this.name} ${this.url} ${compact} `)
    } catch {
      // A document that cannot be written without variables was never asked for.
      return false
    }
  }

  /** Adds headers. @param headers - those that every request needs */
  getHeaders(headers: Readonly<Record<string, string>>): HeadersInit | Promise<HeadersInit> {
    return headers
  }

  /** What `fetch` is called with besides the address. A promise where `getHeaders` gives one. @param body - sent as JSON */
  getRequestInit(body: GQLRequestBody): RequestInit | Promise<RequestInit> {
    const init = (given: HeadersInit) => ({ method: 'POST', headers: given, body: JSON.stringify(body) })
    const given = this.getHeaders(headers)
    return given instanceof Promise ? given.then(init) : init(given)
  }

  /**
   * Sends the request. Override it to use another transport, or to change `init` for `super.fetchResponse`.
   *
   * @param init - has the `transport` of a Controller with the option `fetch`
   * @param _onProgress - receives the progress, from transports that report it. Set when a Controller calls
   */
  fetchResponse(url: string, init: TransportInit, _onProgress?: ProgressListener): Promise<Response> {
    return sendRequest(url, init)
  }

  /**
   * Reads the body of a response with a 2xx status.
   *
   * @returns the whole response: `{ data, errors, extensions }`
   * @throws {SelfsameError} `body-unexpected`, with status 400
   */
  async parseResponse(response: Response): Promise<unknown> {
    return readBody(response, true, this.#requestName)
  }

  /** Changes the data of a response. @param _args - the arguments of the call */
  // Without an override the value is what the schema says that the server sends. An override names the types that
  // it knows, which a generic class could not check against the variables of all its operations.
  // eslint-disable-next-line typescript/no-explicit-any
  process(value: any, ..._args: any): unknown {
    return value
  }

  /** Returns `true` if one request can serve both endpoints: they make and process it by the same steps. */
  sharesRequestWith(other: EndpointLike): boolean {
    const gql: unknown = other
    return gql instanceof GQLEndpoint && steps.every((step) => gql[step] === this[step])
  }

  /** Whether the data of a response is the store's to keep: no step of the user's has seen it. */
  get ownsPayload(): boolean {
    return (
      this.parseResponse === GQLEndpoint.prototype.parseResponse &&
      this.process === GQLEndpoint.prototype.process
    )
  }

  /** Makes the request for a Controller. @internal */
  callWith(context: CallContext, args: GQLArgs<Options>): Promise<GQLValue<Options>> {
    // A `fetch` of the user's own is called as it is.
    return (this.fetch as unknown) === request ? this.send(args, context) : this.fetch(...args)
  }

  /** Makes the request. @internal */
  async send(args: GQLArgs<Options>, context: CallContext = {}): Promise<GQLValue<Options>> {
    const [variables] = args as readonly unknown[]
    const body = toBody(this.#documentFor(variables), variables)
    const own = await this.getRequestInit(body)
    requireInit(own, this.#requestName, body)
    const init = withCall(own, this.signal, context)
    let response: Response
    try {
      response = await this.fetchResponse(this.url, init, context.onProgress)
    } catch (cause) {
      throw toConnectionError(cause, this.#requestName)
    }
    if (!response.ok) throw await this.#toStatusError(response)
    const data = this.#dataOf(await this.parseResponse(response), response)
    // `process` is typed by the options that it came with.
    return (await this.process(data, ...(args as readonly unknown[]))) as GQLValue<Options>
  }

  /** A server may say with its status what it says in its errors. */
  async #toStatusError(response: Response): Promise<Error> {
    const error = await toStatusError(response, this.#requestName)
    if (errorsOf(error.body).length === 0) return error
    return toGQLNetworkError(response, error.body, this.#requestName)
  }

  #dataOf(answer: unknown, response: Response): unknown {
    const isFailed = errorsOf(answer).length > 0
    const data = isPlainObject(answer) ? answer.data : undefined
    if (data === undefined && !isFailed) throw errors.answerNotGraphQL(this.name, this.url, answer)
    if (isFailed && (this.partialData !== 'keep' || data === undefined || data === null)) {
      throw toGQLNetworkError(response, answer, this.#requestName)
    }
    return data
  }

  #documentFor(variables: unknown): ParsedDocument {
    const { document, operation } = this
    const where = `GQLEndpoint.${operation ?? 'query'}() of ${this.url}`
    if (document === undefined || operation === undefined) {
      throw errors.definitionInvalid(
        `The GQLEndpoint of ${this.url}`,
        development && [
          'was called without a document.',
          'Declare what to ask with query() or mutation(), and call what they return.',
        ],
      )
    }
    // A node is printed once; a function may return other text for other variables.
    if (this.#parsed !== undefined && typeof document !== 'function') return this.#parsed
    const text = textOf(document, variables, this.print)
    if (this.#parsed?.text !== text) this.#parsed = parseDocument(text, operation, where)
    return this.#parsed
  }

  get #requestName(): RequestName {
    return { endpoint: this.name, method: 'POST', url: this.url }
  }

  #declare(operation: 'query' | 'mutation', document: GQLDocument, schema: Schema | undefined): GQLEndpoint {
    const sideEffect = operation === 'mutation' ? true : undefined
    return this.#derive({ ...this.options, name: undefined, operation, document, schema, sideEffect })
  }

  #derive(options: GQLOptions): GQLEndpoint {
    const Class = this.constructor as new (url: string, options: GQLOptions) => GQLEndpoint
    const endpoint = new Class(options.url ?? this.url, options)
    // Options beat the fields that the class declares.
    setMembers(endpoint, options)
    return endpoint
  }
}

/** @see GraphQL over HTTP 4.1: media types; servers that are older than it answer with the second one */
const headers = {
  Accept: 'application/graphql-response+json, application/json;q=0.9',
  'Content-Type': 'application/json',
}

const steps = [
  'constructor',
  'url',
  'partialData',
  'getHeaders',
  'getRequestInit',
  'fetchResponse',
  'parseResponse',
  'process',
] as const

function toBody({ text, name }: ParsedDocument, variables: unknown): GQLRequestBody {
  return {
    query: text,
    ...(name === undefined ? {} : { operationName: name }),
    ...(variables === undefined || variables === null ? {} : { variables }),
  }
}

/** The fetch function of every GraphQL endpoint: its steps, one after the other. */
function request(this: GQLEndpoint, ...args: readonly unknown[]): Promise<unknown> {
  return this.send(args as never)
}

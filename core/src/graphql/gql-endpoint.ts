import { isSameStep } from '../endpoint/same-step.js'
import { development } from '#development'
import type { CheckedOptions, MisfitResponse, OptionsOfResource } from '../endpoint/checked-options.js'
import { EndpointBase, computeMember, keyed, refuseOptimistic, setMembers } from '../endpoint/endpoint.js'
import type { CallContext, EndpointLike } from '../endpoint/endpoint.js'
import { exchange } from '../endpoint/exchange.js'
import { afterAnswer, readBody, toStatusError } from '../endpoint/response.js'
import type { RequestName } from '../endpoint/response.js'
import { sendRequest } from '../endpoint/transport.js'
import type { TransportInit } from '../endpoint/transport.js'
import * as errors from '../errors.js'
import { withoutCredentials } from '../errors.js'
import { textOfArguments } from '../schema/argument-text.js'
import type { Schema } from '../schema/schema.js'
import { isPlainObject, jsonTextOf } from '../util/plain.js'
import type { ProgressListener } from '../util/progress.js'
import { stableStringify } from '../util/stable-stringify.js'
import { parseDocument, textOf } from './document.js'
import type { GQLDocument, ParsedDocument, ResultOf, UntypedDocument, VariablesOf } from './document.js'
import { errorsIn, toGQLNetworkError } from './gql-network-error.js'
import type { Declared, ExtendedOptions, GQLArgs, GQLOptions, GQLRequestBody, GQLValue } from './gql-types.js'

/**
 * Describes a GraphQL server. Declare endpoints with `query` and `mutation`, and call them with their variables. Override
 * each step in a subclass, or by the option of the same name: `getRequestInit` (with `getHeaders`) → `fetchResponse` →
 * `parseResponse` → `process`.
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
  /** The document of `query` or `mutation`. */
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
   * @param url - the address of the server
   * @param options - the options of all queries and mutations
   * @throws {SelfsameError} `definition-invalid` for a negative expiry length
   */
  constructor(url: string, options?: CheckedOptions<Options, GQLOptions>)
  constructor(url: string, options?: Options) {
    super(requestByPost, { ...options, url })
    // A document that is a function names its operation when it is called.
    if (options?.name === undefined)
      computeMember(this, 'name', () => this.#parsed?.name ?? this.operation ?? 'GQLEndpoint')
    if (this.document !== undefined && typeof this.document !== 'function') this.#documentFor(undefined)
  }

  /**
   * Declares a query.
   *
   * @param document - its text; a function from the variables to the text, which gives them a type; or a document node,
   *   such as a `TypedDocumentNode`
   * @param schema - the schema of the data, by the fields of the query: `{ article: Article }`
   * @throws {SelfsameError} `definition-invalid` for a document without exactly one query
   * @example
   * gql.query('{ users { id name } }', { users: [User] })
   * gql.query<{ id: string }>('query ($id: ID!) { user(id: $id) { name } }')
   */
  query<const Document extends GQLDocument, const S extends Schema | undefined = undefined>(
    document: Document,
    schema?: S,
  ): GQLEndpoint<Declared<Options, VariablesOf<Document>, ResultOf<Document>, S, undefined>>
  query<Variables extends object, const S extends Schema | undefined = undefined>(
    document: UntypedDocument,
    schema?: S,
  ): GQLEndpoint<Declared<Options, Variables, unknown, S, undefined>>
  query(document: GQLDocument, schema?: Schema): unknown {
    return this.#declare('query', document, schema)
  }

  /**
   * Declares a mutation.
   *
   * @param document - as for `query`
   * @param schema - as for `query`; `{ deleteArticle: new schema.Delete(Article) }` removes a record
   * @throws {SelfsameError} `definition-invalid` for a document without exactly one mutation
   */
  mutation<const Document extends GQLDocument, const S extends Schema | undefined = undefined>(
    document: Document,
    schema?: S,
  ): GQLEndpoint<Declared<Options, VariablesOf<Document>, ResultOf<Document>, S, true>>
  mutation<Variables extends object, const S extends Schema | undefined = undefined>(
    document: UntypedDocument,
    schema?: S,
  ): GQLEndpoint<Declared<Options, Variables, unknown, S, true>>
  mutation(document: GQLDocument, schema?: Schema): unknown {
    return this.#declare('mutation', document, schema)
  }

  /** Creates an endpoint of the same class with other options. @param options - the options that differ */
  extend<const More extends GQLOptions & OptionsOfResource>(
    options: CheckedOptions<
      More,
      GQLOptions & OptionsOfResource,
      MisfitResponse<ExtendedOptions<Options, More>, GQLArgs<ExtendedOptions<Options, More>>>
    >,
  ): GQLEndpoint<ExtendedOptions<Options, More>>
  extend(options: Omit<GQLOptions, 'getOptimisticResponse'>): unknown {
    refuseOptimistic(this.name, options)
    return this.#derive({ ...this.options, ...options })
  }

  /** Returns the key of a call. White space in the document and the order of the variables make no difference. */
  key(...args: GQLArgs<Options>): string {
    const [variables] = args as readonly unknown[]
    // First, because the document may contain the name.
    const { compact } = this.#documentFor(variables)
    const given = variables ?? {}
    const text =
      this.sideEffect === true ? stableStringify(given) : textOfArguments(this.name, [given]).slice(1, -1)
    const key = `${this.name} ${withoutCredentials(this.url)} ${compact} ${text}`
    keyed.calls?.set(key, { endpoint: this, args })
    return key
  }

  /**
   * Returns `true` for keys of this endpoint: its address and document, with any variables. If the document is a function,
   * the name of the operation is compared instead; a function that was not called yet is called with empty variables.
   * Override it together with `key`.
   */
  testKey(key: string): boolean {
    const { document } = this
    if (document === undefined) return false
    try {
      const { compact, name } = this.#parsed ?? this.#documentFor({})
      const isNamed = typeof document === 'function' && name !== undefined
      const address = `${this.name} ${withoutCredentials(this.url)} `
      return key.startsWith(isNamed ? address : `${address}${compact} `)
    } catch {
      // A function that throws without variables was not called yet, so there are no keys.
      return false
    }
  }

  /** Returns the headers of a request. Override it to add some. @param headers - the headers that each request needs */
  getHeaders(headers: Readonly<Record<string, string>>): HeadersInit | Promise<HeadersInit> {
    return headers
  }

  /** Returns the init of the request: a promise only if `getHeaders` returns one. @param body - sent as JSON */
  getRequestInit(body: GQLRequestBody): RequestInit | Promise<RequestInit> {
    const init = (given: HeadersInit) => ({ method: 'POST', headers: given, body: jsonTextOf(body) })
    const given = this.getHeaders(headers)
    return given instanceof Promise ? given.then(init) : init(given)
  }

  /**
   * Sends the request. Override it to use another transport, or to pass another `init` to `super.fetchResponse`.
   *
   * @param init - contains `transport`, the option `fetch` of the Controller
   * @param _onProgress - called with the progress by transports that report it. Set if a Controller calls
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

  /** Changes the data of a response before it is stored. @param _args - the arguments of the call */
  // An override names its own types, which a generic class cannot check against the variables of its operations.
  // eslint-disable-next-line typescript/no-explicit-any
  process(value: any, ..._args: any): unknown {
    return value
  }

  /** Returns `true` if one request can serve both endpoints, because they send and process it by the same steps. */
  sharesRequestWith(other: EndpointLike): boolean {
    const gql: unknown = other
    return gql instanceof GQLEndpoint && graphqlSteps.every((step) => gql[step] === this[step])
  }

  /** Returns `true` if two endpoints make the same of a response. @internal */
  readsAs(other: object): boolean {
    const steps = ['parseResponse', 'process'] as const
    return !(other instanceof GQLEndpoint) || steps.every((step) => isSameStep(this[step], other[step]))
  }

  /** `true` if no step of the user has seen the data of a response, so that the store can keep it without a copy. */
  get ownsPayload(): boolean {
    return (
      this.parseResponse === GQLEndpoint.prototype.parseResponse &&
      this.process === GQLEndpoint.prototype.process
    )
  }

  /** Makes the request for a Controller. @internal */
  callWith(context: CallContext, args: GQLArgs<Options>): Promise<GQLValue<Options>> {
    // A `fetch` of the user's own is called as it is.
    return (this.fetch as unknown) === requestByPost ? this.send(args, context) : this.fetch(...args)
  }

  /** Makes the request. @internal */
  async send(args: GQLArgs<Options>, context: CallContext = {}): Promise<GQLValue<Options>> {
    const [variables] = args as readonly unknown[]
    const body = toBody(this.#documentFor(variables), variables)
    const response = await exchange(this, this.#requestName, body, context, toResponseError)
    let data: unknown = response
    try {
      data = this.#dataOf(await this.parseResponse(response), response)
      // `process` is typed by the options that it came with.
      return (await this.process(data, ...(args as readonly unknown[]))) as GQLValue<Options>
    } catch (error) {
      throw afterAnswer(error, data === response)
    }
  }

  #dataOf(answer: unknown, response: Response): unknown {
    const isFailed = errorsIn(answer).length > 0
    const data = isPlainObject(answer) ? answer.data : undefined
    if (data === undefined && !isFailed)
      throw errors.answerNotGraphQL(this.name, errors.displayOf(this.url), answer)
    if (isFailed && (this.partialData !== 'keep' || data === undefined || data === null)) {
      throw toGQLNetworkError(response, answer, this.#requestName)
    }
    return data
  }

  #documentFor(variables: unknown): ParsedDocument {
    const { document, operation = 'query' } = this
    if (development && document === undefined) {
      throw errors.definitionInvalid(`The GQLEndpoint of ${this.url}`, [
        'was called without a document.',
        'Declare the document with query() or mutation(), and call the endpoint that they return.',
      ])
    }
    // A node is printed once. A function may return other text for other variables.
    if (this.#parsed !== undefined && typeof document !== 'function') return this.#parsed
    const text = textOf(document ?? '', variables, this.print)
    if (this.#parsed?.text !== text) {
      const where = `GQLEndpoint.${operation}() of ${this.url}`
      this.#parsed = parseDocument(text, operation, where)
    }
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
    // Options win over the fields that the class declares.
    setMembers(endpoint, options)
    return endpoint
  }
}

/** @see GraphQL over HTTP 4.1: media types; older servers respond with the second one */
const headers = {
  Accept: 'application/graphql-response+json, application/json;q=0.9',
  'Content-Type': 'application/json',
}

const graphqlSteps = [
  'constructor',
  'url',
  'partialData',
  'getHeaders',
  'getRequestInit',
  'fetchResponse',
  'parseResponse',
  'process',
] as const

/** A server may send GraphQL errors with a status that is not 2xx. */
async function toResponseError(response: Response, name: RequestName): Promise<Error> {
  const error = await toStatusError(response, name)
  return errorsIn(error.body).length === 0 ? error : toGQLNetworkError(response, error.body, name)
}

function toBody({ text, name }: ParsedDocument, variables: unknown): GQLRequestBody {
  return {
    query: text,
    ...(name === undefined ? {} : { operationName: name }),
    ...(variables === undefined || variables === null ? {} : { variables }),
  }
}

/** The fetch function of every GraphQL endpoint. */
function requestByPost(this: GQLEndpoint, ...args: readonly unknown[]): Promise<unknown> {
  return this.send(args as never)
}

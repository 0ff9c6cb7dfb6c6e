import { EndpointBase, bindLists, setMembers } from '../endpoint/endpoint.js'
import type { CallContext, EndpointLike, LoadedPages } from '../endpoint/endpoint.js'
import { requireInit } from '../endpoint/init.js'
import { readBody, toConnectionError, toStatusError } from '../endpoint/response.js'
import type { Content, RequestName } from '../endpoint/response.js'
import { sendRequest, withCall } from '../endpoint/transport.js'
import type { TransportInit } from '../endpoint/transport.js'
import * as errors from '../errors.js'
import { Page } from '../lists/page.js'
import type { CollectionChangeKind } from '../schema/delegates.js'
import { collectionIn, findList, valueAt, withValueAt } from '../schema/page.js'
import type { Schema } from '../schema/schema.js'
import type { ProgressListener } from '../util/progress.js'
import { encodeBody } from './body.js'
import type { EncodedBody } from './body.js'
import { fillPath, isFilled, joinUrl, parsePath } from './path.js'
import type { PathPattern } from './path.js'
import type {
  Extended,
  ListChangeOf,
  PageArgs,
  PageOf,
  RestArgs,
  RestOptions,
  RestSideEffect,
  RestValue,
} from './rest-types.js'
import { toSearchString } from './search-params.js'

/**
 * A call over HTTP. Its steps can each be overridden, in a subclass or by an option of the same name:
 * `url` → `getRequestInit` (with `getHeaders`) → `fetchResponse` → `parseResponse` → `process`.
 *
 * @see specification 2.1, 4
 * @example
 * const getTodo = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/todo/:id', schema: Todo })
 * const todo = await getTodo({ id: 5 }) // GET https://api.example.com/todo/5
 */
// The instance is a function, which a class cannot declare by itself.
// eslint-disable-next-line typescript/no-unsafe-declaration-merging
export interface RestEndpoint<Options extends RestOptions = RestOptions> {
  (...args: RestArgs<Options>): Promise<RestValue<Options>>
}

// eslint-disable-next-line typescript/no-unsafe-declaration-merging
export class RestEndpoint<const Options extends RestOptions = RestOptions> extends EndpointBase {
  declare readonly path: Options['path']
  declare readonly urlPrefix: string | undefined
  declare readonly method: Options extends { readonly method: infer Method extends string } ? Method : 'GET'
  declare readonly searchParams: Options['searchParams']
  declare readonly body: Options['body']
  declare readonly schema: Options extends { readonly schema: infer S extends Schema } ? S : undefined
  declare readonly sideEffect: RestSideEffect<Options>
  declare readonly paginationField: string | undefined
  declare readonly paginatedList: string | readonly string[] | undefined
  declare readonly memberPath: string | undefined
  declare readonly refetchPages: boolean | undefined
  declare readonly content: Content | undefined
  /** Sends the request. Calling the endpoint calls it. */
  declare readonly fetch: (...args: RestArgs<Options>) => Promise<RestValue<Options>>
  declare protected readonly options: Options
  #pattern: PathPattern | undefined
  #page: { readonly schema: unknown; readonly endpoint: RestEndpoint } | undefined

  /**
   * @throws {SelfsameError} `path-invalid` for a path that cannot be read, `definition-invalid` for a negative expiry
   *   length, and for a `paginationField` where the schema has no list
   */
  constructor(options: Options) {
    super(request, options)
    setMembers(this, { method: (options.method ?? 'GET').toUpperCase() })
    // Computed when asked for: a subclass may declare its method as a class field, which is set after this.
    if (options.sideEffect === undefined) {
      computeMember(this, 'sideEffect', () => (isReadMethod(this.method) ? undefined : true))
    }
    if (options.name === undefined) computeMember(this, 'name', () => `${this.method} ${this.path}`)
    bindLists(this)
    this.#pattern = parsePath(options.path)
    if (options.paginationField !== undefined && options.schema !== undefined) this.#listPath()
  }

  /** Makes an endpoint of the same class from this one. @param options - the options that differ */
  extend<const More extends Partial<RestOptions>>(options: More): RestEndpoint<Extended<Options, More>> {
    const Class = this.constructor as RestEndpointClass
    const { name, ...inherited } = this.options
    const before = withoutPages(inherited, options)
    const isRenamed = options.path !== undefined || options.method !== undefined
    // Each member was made with the options that its type names.
    return makeEndpoint(Class, { ...before, ...(isRenamed ? {} : { name }), ...options }) as never
  }

  /**
   * Makes an endpoint for further pages of the list that this one gets. It sends the same request with all that it is
   * called with; its response is appended to the list of the call without what names the page, and readers of that call
   * see it. `controller.fetch` resolves with the page alone.
   *
   * A record that the list has already stays where it is and is refreshed; fields beside the list, such as a token,
   * are those of the page that came last. When the list itself is fetched anew, further pages stay if its first page
   * holds the same records as before; else it starts over. A page before its list makes a list that is Stale.
   *
   * @param listArgs - from the arguments of a page's call to those of the list's: one params object, or none when
   *   nothing remains; or the name of the param that names a page
   * @param options - `list` names the field of the list, or the fields that lead to it. Default: the first list
   * @throws {SelfsameError} `definition-invalid` where the schema has no list, or none there
   * @see specification 4.4, E14, E15
   * @example
   * const getNextPage = getList.paginated(({ cursor, ...rest }: { cursor: string }) =>
   *   Object.keys(rest).length > 0 ? [rest] : [])
   * await controller.fetch(getNextPage, { cursor: last.id })
   */
  paginated<Args extends readonly unknown[]>(
    listArgs: (...args: Args) => RestArgs<Options> | readonly [],
    options?: PagedListOptions,
  ): RestEndpoint<PageOf<Options, Args>>
  paginated<const Field extends string>(
    field: Field,
    options?: PagedListOptions,
  ): RestEndpoint<PageOf<Options, PageArgs<Options, Field>>>
  paginated(
    named: string | ((...args: readonly unknown[]) => readonly unknown[]),
    options: PagedListOptions = {},
  ): unknown {
    const listArgs = typeof named === 'string' ? withoutParam(named) : named
    const path = this.#listPath(options.list)
    const schema = new Page(this.schema as unknown as Schema, path, (args) => {
      // What a call without params lacks is missed by `key`, as in any other call.
      const ofList = listArgs(...args) as RestArgs<Options>
      return { key: this.key(...ofList), args: ofList }
    })
    return this.extend({ schema, paginationField: undefined })
  }

  /** Gets further pages: `paginated`, by `paginationField`; `undefined` without that option. */
  get getPage(): PageEndpoint<Options> {
    // Typed by the options, which are not known here.
    return this.#pageEndpoint() as PageEndpoint<Options>
  }

  #pageEndpoint(): unknown {
    const { paginationField: field, schema } = this
    if (field === undefined) return undefined
    if (this.#page?.schema !== schema) {
      const endpoint: unknown = this.paginated(field)
      this.#page = { schema, endpoint: endpoint as RestEndpoint }
    }
    return this.#page?.endpoint
  }

  /** Adds records at the end of the lists that they belong to: `POST` to the address of the list. */
  get push(): ListEndpoint<Options, 'push'> {
    return this.#listEndpoint('push') as ListEndpoint<Options, 'push'>
  }

  /** Adds records at the beginning of the lists that they belong to: `POST` to the address of the list. */
  get unshift(): ListEndpoint<Options, 'unshift'> {
    return this.#listEndpoint('unshift') as ListEndpoint<Options, 'unshift'>
  }

  /** Sets entries of maps, by a response of keys and records: `POST` to the address of the map. */
  get assign(): ListEndpoint<Options, 'assign'> {
    return this.#listEndpoint('assign') as ListEndpoint<Options, 'assign'>
  }

  /** Changes a record, which moves to the lists that its fields then name: `PATCH` to the address of the record. */
  get move(): ListEndpoint<Options, 'move'> {
    return this.#listEndpoint('move') as ListEndpoint<Options, 'move'>
  }

  /** Changes a record, which leaves the lists that its fields then name: `PATCH` to the address of the record. */
  get remove(): ListEndpoint<Options, 'remove'> {
    return this.#listEndpoint('remove') as ListEndpoint<Options, 'remove'>
  }

  #listEndpoint(kind: CollectionChangeKind): unknown {
    const { paginatedList: list, path, memberPath = `${path}/:id`, name } = this
    const schema = collectionIn(this.schema, typeof list === 'string' ? [list] : list)?.[kind]
    if (schema === undefined) return undefined
    const isOfRecord = kind === 'move' || kind === 'remove'
    const own = { schema, name: `${name}.${kind}`, body: {}, sideEffect: true, ...ofListsOnly }
    // As for the mutations of a resource: what a read says of these is not meant for them.
    return this.extend(
      isOfRecord ? { ...own, method: 'PATCH', path: memberPath } : { ...own, method: 'POST' },
    )
  }

  #listPath(list = this.paginatedList): readonly string[] {
    const named = typeof list === 'string' ? [list] : list
    const path = findList(this.schema, named)
    if (path === undefined) throw errors.listMissing(this.name, named)
    return path
  }

  /** The address of a call. @throws {SelfsameError} `path-param-missing`, `path-param-unusable`, `search-param-unusable` */
  url(...args: RestArgs<Options>): string {
    const { params } = this.#split(args)
    const pattern = this.#parsedPath
    const path = fillPath(pattern, this.name, args, params)
    const search = this.searchToString(this.#searchOf(params, pattern))
    const url = joinUrl(this.urlPrefix ?? '', path)
    return search === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${search}`
  }

  /** Names a call: method and full address. */
  key(...args: RestArgs<Options>): string {
    return `${this.method} ${this.url(...args)}`
  }

  /** @internal */
  get keyBasis(): unknown {
    const { prototype } = RestEndpoint
    const isOwn =
      this.key === prototype.key &&
      this.url === prototype.url &&
      this.searchToString === prototype.searchToString
    // A prefix may be computed, or set when the application starts.
    return isOwn ? (this.urlPrefix ?? '') : undefined
  }

  /**
   * Returns `true` for keys of this endpoint: its method and an address that its path can become, whatever the
   * params and search params. Override it together with `key` or `url`.
   */
  testKey(key: string): boolean {
    const method = `${this.method} `
    return (
      key.startsWith(method) && isFilled(this.#parsedPath, this.urlPrefix ?? '', key.slice(method.length))
    )
  }

  /** Writes the search params as text, without `?`. */
  searchToString(params: Readonly<Record<string, unknown>>): string {
    return toSearchString(params, (param, why) => {
      throw errors.searchParamUnusable(this.name, this.path, param, why)
    })
  }

  /** Adds headers. @param headers - those that the body needs */
  getHeaders(headers: Readonly<Record<string, string>>): HeadersInit | Promise<HeadersInit> {
    return headers
  }

  /**
   * What `fetch` is called with besides the address.
   *
   * @param body - as given to the call; data becomes JSON
   * @returns a promise only where `getHeaders` gives one: an override spreads what `super.getRequestInit(body)` gives,
   *   after an `await` in that case
   */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const encoded = encodeBody(body)
    const headers = this.getHeaders(encoded.headers)
    return headers instanceof Promise
      ? headers.then((given) => initOf(this.method, given, encoded))
      : initOf(this.method, headers, encoded)
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
   * @returns what `content` says; without it parsed JSON, or where there is no schema, and for `DELETE`, also text, or a
   *   `Blob` of a type that is no text; `null` where there is no body
   * @throws {SelfsameError} `body-unexpected`, with status 400
   */
  async parseResponse(response: Response): Promise<unknown> {
    const url = response.url === '' ? this.path : response.url
    const answered = { endpoint: this.name, method: this.method, url }
    // The response to a delete may say anything: the params stand for it.
    const expectsJson = this.schema !== undefined && this.method !== 'DELETE'
    return readBody(response, expectsJson, answered, this.content)
  }

  /** Changes the parsed response. @param _args - the arguments of the call */
  // Without an override the value is what the schema says that the server sends. An override names the types that
  // it knows, which a generic class could not check against the arguments of all its endpoints.
  // eslint-disable-next-line typescript/no-explicit-any
  process(value: any, ..._args: any): unknown {
    return value
  }

  /** Returns `true` if one request can serve both endpoints: they make and process it by the same steps. */
  sharesRequestWith(other: EndpointLike): boolean {
    return takesSameSteps(this, other)
  }

  /** Whether the parsed response is the store's to keep: no step of the user's has seen it. */
  get ownsPayload(): boolean {
    return (
      this.parseResponse === RestEndpoint.prototype.parseResponse &&
      this.process === RestEndpoint.prototype.process
    )
  }

  get #parsedPath(): PathPattern {
    // A subclass may declare its path as a class field, which is there only after the constructor.
    if (this.#pattern?.path !== this.path) this.#pattern = parsePath(this.path)
    return this.#pattern as PathPattern
  }

  /** Makes the request for a Controller. @internal */
  callWith(context: CallContext, args: RestArgs<Options>): Promise<RestValue<Options>> {
    // A `fetch` of the user's own is called as it is.
    const call = (callArgs: RestArgs<Options>) =>
      (this.fetch as unknown) === request ? this.send(callArgs, context) : this.fetch(...callArgs)
    const { pages } = context
    return pages === undefined ? call(args) : callPages(call, args, pages)
  }

  /** Makes the request. @internal */
  async send(args: RestArgs<Options>, context: CallContext = {}): Promise<RestValue<Options>> {
    this.#requireBody(args)
    const url = this.url(...args)
    const { body } = this.#split(args)
    const name: RequestName = { endpoint: this.name, method: this.method, url }
    const own = await this.getRequestInit(body)
    requireInit(own, name, body)
    const init = withCall(own, this.signal, context)
    let response: Response
    try {
      response = await this.fetchResponse(url, init, context.onProgress)
    } catch (cause) {
      throw toConnectionError(cause, name)
    }
    if (!response.ok) throw await toStatusError(response, name)
    const payload = await this.parseResponse(response)
    // `process` is typed by the options that it came with.
    return (await this.process(payload, ...args)) as RestValue<Options>
  }

  /** One argument is the params where the path needs any, else the body of a method that has one (specification E2). */
  #split(args: readonly unknown[]): { params: Readonly<Record<string, unknown>>; body: unknown } {
    const [first, second] = args
    const takesBody = this.body !== undefined || (isBodyMethod(this.method) && !('body' in this.options))
    const isBodyAlone = takesBody && args.length === 1 && this.#parsedPath.required.length === 0
    if (isBodyAlone) return { params: {}, body: first }
    return { params: toRecord(first), body: second }
  }

  /** Only who sends it needs a body: address and name of a call have none. */
  #requireBody([first, ...rest]: readonly unknown[]): void {
    const { required } = this.#parsedPath
    if (this.body === undefined || rest.length > 0 || required.length === 0) return
    if (hasAll(first, required)) throw errors.bodyMissing(this.name, this.path)
  }

  #searchOf(params: Readonly<Record<string, unknown>>, { names }: PathPattern): Record<string, unknown> {
    const search = Object.create(null) as Record<string, unknown>
    for (const [name, value] of Object.entries(this.searchParams ?? {})) {
      if (value !== '' && value !== undefined) search[name] = value
    }
    for (const name of Object.keys(params)) {
      if (!names.has(name) && params[name] !== undefined) search[name] = params[name]
    }
    return search
  }
}

/** Options of a list that do not suit what changes it. */
const ofListsOnly = {
  searchParams: undefined,
  paginationField: undefined,
  paginatedList: undefined,
  refetchPages: undefined,
  process: undefined,
  key: undefined,
  testKey: undefined,
  url: undefined,
  retry: undefined,
  pauseOffline: undefined,
  pollFrequency: undefined,
  stream: undefined,
} as const

/** Which list of the schema pages are appended to. */
interface PagedListOptions {
  readonly list?: string | readonly string[] | undefined
}

/** An endpoint that changes lists of a Collection; `undefined` if there is none. */
type ListEndpoint<Options extends RestOptions, Kind extends CollectionChangeKind> =
  ListChangeOf<Options, Kind> extends infer Own
    ? Own extends RestOptions
      ? RestEndpoint<Own>
      : undefined
    : never

const steps = [
  'constructor',
  'url',
  'getHeaders',
  'getRequestInit',
  'fetchResponse',
  'parseResponse',
  'process',
  'content',
] as const

/** `getPage` of an endpoint with these options. */
type PageEndpoint<Options extends RestOptions> = Options extends {
  readonly paginationField: infer Field extends string
}
  ? RestEndpoint<PageOf<Options, PageArgs<Options, Field>>>
  : 'paginationField' extends keyof Options
    ? Options['paginationField'] extends undefined
      ? undefined
      : RestEndpoint | undefined
    : undefined

/** Whether two endpoints make and process a request by the same steps. @param except - a step that may differ @internal */
export function takesSameSteps(a: object, b: object, except?: (typeof steps)[number]): boolean {
  if (!(a instanceof RestEndpoint && b instanceof RestEndpoint)) return false
  return steps.every((step) => step === except || a[step] === b[step])
}

/** A class of REST endpoints, as `createResource` takes it. */
// Its members are typed by the options of each endpoint, which are not known here.
// eslint-disable-next-line typescript/no-explicit-any
export type RestEndpointClass = new (options: any) => RestEndpoint<any>

/**
 * Makes an endpoint whose options beat the fields that its class declares.
 *
 * @internal
 */
export function makeEndpoint(Class: RestEndpointClass, options: RestOptions): RestEndpoint {
  const endpoint: RestEndpoint = new Class(options)
  setMembers(endpoint, { ...options, method: options.method?.toUpperCase() })
  bindLists(endpoint)
  return endpoint
}

/** What an endpoint inherits: another schema has no list where one was, or has it elsewhere. */
function withoutPages(
  inherited: Omit<RestOptions, 'name'>,
  more: Partial<RestOptions>,
): Omit<RestOptions, 'name'> {
  if (more.schema === undefined || inherited.paginationField === undefined) return inherited
  const { paginationField, paginatedList: _, ...others } = inherited
  return findList(more.schema) === undefined ? others : { ...others, paginationField }
}

function initOf(method: string, headers: HeadersInit, { body }: EncodedBody): RequestInit {
  if (body === undefined) return { method, headers }
  // The Fetch standard demands it of a body whose length is not known, and lets no browser send one without it.
  return { method, headers, body, ...(body instanceof ReadableStream ? { duplex: 'half' } : {}) }
}

function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isBodyMethod(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

function computeMember(endpoint: object, name: string, get: () => unknown): void {
  Object.defineProperty(endpoint, name, { get, configurable: true, enumerable: true })
}

function hasAll(value: unknown, names: readonly string[]): boolean {
  const record = toRecord(value)
  return names.every((name) => record[name] !== undefined)
}

/** Asks for a list and its pages, in turn. @returns one response that holds all members; beside them it is the last page */
async function callPages<Args, Value>(
  call: (args: Args) => Promise<Value>,
  args: Args,
  { path, calls }: LoadedPages,
): Promise<Value> {
  let answer = await call(args)
  for (const pageArgs of calls) {
    const page = await call(pageArgs as Args)
    const lists = [valueAt(answer, path), valueAt(page, path)]
    // What is no list is the schema's to refuse.
    answer = (lists.every(Array.isArray) ? withValueAt(page, path, lists.flat()) : page) as typeof answer
  }
  return answer
}

/** From the arguments of a page to those of its list. */
function withoutParam(name: string): (...args: readonly unknown[]) => readonly unknown[] {
  return (params, ...others) => {
    const { [name]: _, ...rest } = toRecord(params)
    return Object.keys(rest).length > 0 || others.length > 0 ? [rest, ...others] : []
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

/** The fetch function of every REST endpoint: its steps, one after the other. */
function request(this: RestEndpoint, ...args: readonly unknown[]): Promise<unknown> {
  return this.send(args as never)
}

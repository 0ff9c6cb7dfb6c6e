import { isSameStep } from '../endpoint/same-step.js'
import { development } from '#development'
import {
  EndpointBase,
  bindLists,
  computeMember,
  keyed,
  refuseOptimistic,
  setMembers,
} from '../endpoint/endpoint.js'
import type { CallContext, EndpointLike } from '../endpoint/endpoint.js'
import { exchange, isReadMethod } from '../endpoint/exchange.js'
import { afterAnswer, readBody } from '../endpoint/response.js'
import type { Content } from '../endpoint/response.js'
import { sendRequest } from '../endpoint/transport.js'
import type { CheckedOptions, MisfitResponse, OptionsOfResource } from '../endpoint/checked-options.js'
import type { TransportInit } from '../endpoint/transport.js'
import * as errors from '../errors.js'
import { withoutCredentials } from '../errors.js'
import { Page } from '../lists/appended-page.js'
import type { CollectionChangeKind } from '../schema/delegates.js'
import { collectionIn, findList } from '../schema/page-schema.js'
import type { PageSchema } from '../schema/page-schema.js'
import type { Schema } from '../schema/schema.js'
import type { ProgressListener } from '../util/progress.js'
import { stableStringify } from '../util/stable-stringify.js'
import { encodeBody } from './body.js'
import { fillPath, isFilled, joinUrl, parsePath } from './path.js'
import type { PathPattern } from './path.js'
import type {
  Extended,
  ListChangeOf,
  MethodOf,
  PageArgs,
  PageOf,
  RestArgs,
  RestOptions,
  RestSideEffect,
  RestValue,
  SchemaOfOptions,
} from './rest-types.js'
import { toSearchString } from './search-params.js'

/**
 * Describes a call over HTTP. Override each step in a subclass, or by the option of the same name:
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
  declare readonly method: MethodOf<Options>
  declare readonly searchParams: Options['searchParams']
  declare readonly body: Options['body']
  declare readonly schema: Options extends { readonly schema: infer S extends Schema } ? S : undefined
  declare readonly sideEffect: RestSideEffect<Options>
  declare readonly mayBeEmpty: Options extends { readonly mayBeEmpty: true } ? true : undefined
  declare readonly paginationField: string | undefined
  declare readonly paginatedList: string | readonly string[] | undefined
  declare readonly memberPath: string | undefined
  declare readonly refetchPages: boolean | undefined
  declare readonly content: Content | undefined
  /** Sends the request. Calling the endpoint calls it. */
  declare readonly fetch: (...args: RestArgs<Options>) => Promise<RestValue<Options>>
  /** @internal */
  declare readonly parsedBy: object | undefined
  declare protected readonly options: Options
  /** The endpoint of further pages, for the schema that it had then. */
  #page: { readonly schema: PageSchema } | undefined

  /**
   * @throws {SelfsameError} in development `path-invalid` for an invalid path, `definition-invalid` for a negative expiry length, and for
   *   a `paginationField` if the schema has no list
   */
  constructor(
    options: CheckedOptions<
      Options,
      RestOptions,
      MisfitResponse<Options, RestArgs<Options>, SchemaOfOptions<Options>>
    >,
  )
  constructor(options: Options) {
    super(requestByPath, options)
    // Computed when read, because a subclass may declare its members as class fields, which are set after this.
    if (options.method === undefined)
      computeMember(this, 'method', () => (this.#changesData ? 'POST' : 'GET'))
    else setMembers(this, { method: options.method.toUpperCase() })
    if (options.sideEffect === undefined) {
      computeMember(this, 'sideEffect', () => (isReadMethod(this.method) ? undefined : true))
    }
    if (options.name === undefined) computeMember(this, 'name', () => `${this.method} ${this.path}`)
    bindLists(this)
    if (development) {
      parsePath(options.path)
      checkPrefix(this.name, options.urlPrefix)
      checkBody(this.name, options)
      // A subclass may have a `process` of its own as a class field.
      if (Object.getPrototypeOf(this) === RestEndpoint.prototype)
        checkContent(this as unknown as RestEndpoint)
    }
    if (development && options.paginationField !== undefined && options.schema !== undefined) this.#listPath()
  }

  /** `true` if there is a body, or `sideEffect` is set to `true`. */
  get #changesData(): boolean {
    const { value } = Object.getOwnPropertyDescriptor(this, 'sideEffect') ?? {}
    return value === true || 'body' in this.options || Object.hasOwn(this, 'body')
  }

  /** Creates an endpoint of the same class with other options. @param options - the options that differ */
  extend<const More extends OptionsBeside<Options>>(
    options: CheckedOptions<
      More,
      OptionsBeside<Options>,
      MisfitResponse<More, RestArgs<Extended<Options, More>>, SchemaOfOptions<Extended<Options, More>>>
    >,
  ): RestEndpoint<Extended<Options, More>>
  extend(options: Omit<Partial<RestOptions>, 'getOptimisticResponse'>): unknown {
    const Class = this.constructor as RestEndpointClass
    const { name, ...inherited } = this.options
    refuseOptimistic(this.name, options)
    const before = withoutPages(inherited, options)
    const isRenamed = options.path !== undefined || options.method !== undefined
    return makeEndpoint(Class, { ...before, ...(isRenamed ? {} : { name }), ...options })
  }

  /**
   * Creates an endpoint for further pages of this list. The response of a page is appended to the list, and the readers of
   * the list show it. `controller.fetch` resolves with the page only.
   *
   * A record that is already in the list keeps its place and is updated. Fields beside the list, such as a token, are
   * those of the last page. When the list itself is refetched, its pages stay if its first page has the same records
   * as before; otherwise the list starts over. A page that arrives before its list makes a Stale list.
   *
   * @param listArgs - the param that names a page; or a function from the arguments of a page to those of its list: one
   *   params object, or none
   * @param options - `list` is the field of the list, or the path of fields to it. Default: the first list
   * @throws {SelfsameError} in development `definition-invalid` if the schema has no list, or no list there
   * @see specification 4.4, E14, E15
   * @example
   * const getNextPage = getList.paginated(({ cursor, ...rest }: { cursor: string }) =>
   *   Object.keys(rest).length > 0 ? [rest] : [])
   * await controller.fetch(getNextPage, { cursor: last.id })
   */
  paginated<Args extends readonly unknown[]>(
    listArgs: (...args: Args) => Readonly<RestArgs<Options>> | readonly [],
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
      // `key` throws for a param that is missing.
      const ofList = listArgs(...args) as RestArgs<Options>
      return { key: this.key(...ofList), args: ofList }
    })
    return this.extend({ schema, paginationField: undefined, parsedBy: this })
  }

  /** Fetches further pages: `paginated(paginationField)`; `undefined` without the option `paginationField`. */
  get getPage(): PageEndpoint<Options> {
    const { paginationField: field, schema } = this
    if (field !== undefined && this.#page?.schema.list !== schema)
      this.#page = this.paginated(field) as unknown as { readonly schema: PageSchema }
    // Typed by the options, which are not known here.
    return this.#page as PageEndpoint<Options>
  }

  /** Adds records to the end of their lists: `POST` to the address of the list. */
  get push(): ListEndpoint<Options, 'push'> {
    return this.#listEndpoint('push') as ListEndpoint<Options, 'push'>
  }

  /** Adds records to the beginning of their lists: `POST` to the address of the list. */
  get unshift(): ListEndpoint<Options, 'unshift'> {
    return this.#listEndpoint('unshift') as ListEndpoint<Options, 'unshift'>
  }

  /** Sets entries of maps. The response is an object of records by key: `POST` to the address of the map. */
  get assign(): ListEndpoint<Options, 'assign'> {
    return this.#listEndpoint('assign') as ListEndpoint<Options, 'assign'>
  }

  /** Changes a record and moves it to the lists of its new fields: `PATCH` to the address of the record. */
  get move(): ListEndpoint<Options, 'move'> {
    return this.#listEndpoint('move') as ListEndpoint<Options, 'move'>
  }

  /** Changes a record and removes it from the lists of its new fields: `PATCH` to the address of the record. */
  get remove(): ListEndpoint<Options, 'remove'> {
    return this.#listEndpoint('remove') as ListEndpoint<Options, 'remove'>
  }

  #listEndpoint(kind: CollectionChangeKind): unknown {
    const { paginatedList: list, path, memberPath = `${path}/:id`, name } = this
    const { expected } = this.options
    const schema = collectionIn(this.schema, typeof list === 'string' ? [list] : list)?.[kind]
    if (schema === undefined) return undefined
    const isOfRecord = kind === 'move' || kind === 'remove'
    const own = {
      ...ofListsOnly,
      ...expected?.[isOfRecord ? 'partialUpdate' : 'create'],
      schema,
      name: `${name}.${kind}`,
      body: {},
      sideEffect: true,
    }
    const more = isOfRecord ? { ...own, method: 'PATCH', path: memberPath } : { ...own, method: 'POST' }
    return (this as unknown as RestEndpoint).extend<Partial<RestOptions>>(more)
  }

  #listPath(list = this.paginatedList): readonly string[] {
    const named = typeof list === 'string' ? [list] : list
    const path = findList(this.schema, named)
    if (development && path === undefined) throw errors.listMissing(this.name, named)
    return path ?? []
  }

  /** Returns the address of a call. @throws {SelfsameError} `path-param-missing`, `path-param-unusable`, `search-param-unusable` */
  url(...args: RestArgs<Options>): string {
    const { params } = split(this, this.options, args)
    const pattern = patternOf(this)
    if (development) checkPrefix(this.name, this.urlPrefix)
    const url = joinUrl(this.urlPrefix ?? '', fillPath(pattern, this.name, args, params))
    const sent = Object.create(null) as Record<string, unknown>
    for (const [name, value] of Object.entries(this.searchParams ?? {})) {
      if (value !== '' && value !== undefined) sent[name] = value
    }
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined && !pattern.names.has(name)) sent[name] = value
    }
    const search = this.searchToString(sent)
    return search === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${search}`
  }

  /**
   * Returns the key of a call: method and full address, without credentials; for a read by POST also its body, which says what
   * is read.
   */
  key(...args: RestArgs<Options>): string {
    const address = `${this.method} ${withoutCredentials(this.url(...args))}`
    const body = this.sideEffect === false ? split(this, this.options, args).body : undefined
    const key = body === undefined ? address : `${address} ${stableStringify(body)}`
    keyed.calls?.set(key, { endpoint: this, args })
    return key
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
   * Returns `true` for keys of this endpoint: its method, and any address of its path. Override it together with `key` or
   * `url`.
   */
  testKey(key: string): boolean {
    const method = `${this.method} `
    return key.startsWith(method) && isFilled(patternOf(this), this.urlPrefix ?? '', key.slice(method.length))
  }

  /** Writes the search params as text, without the `?`. */
  searchToString(params: Readonly<Record<string, unknown>>): string {
    return toSearchString(params, (param, why) => {
      throw errors.searchParamUnusable(this.name, this.path, param, why)
    })
  }

  /** Returns the headers of a request. Override it to add some. @param headers - the headers for the body */
  getHeaders(headers: Readonly<Record<string, string>>): HeadersInit | Promise<HeadersInit> {
    return headers
  }

  /**
   * Returns the init of the request, the second argument of `fetch`. To add to it, return
   * `{ ...super.getRequestInit(body), … }`, with `await` if `getHeaders` is async.
   *
   * @param body - the body of the call; data becomes JSON
   * @returns a promise only if `getHeaders` returns one
   */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const encoded = encodeBody(body)
    const headers = this.getHeaders(encoded.headers)
    const init = (given: HeadersInit): RequestInit => ({ method: this.method, ...encoded, headers: given })
    return headers instanceof Promise ? headers.then(init) : init(headers)
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
   * @returns the body in the form of the option `content`. By default parsed JSON; without a schema, and for `DELETE`, also
   *   text, or a `Blob` for a content type other than text. `null` without a body
   * @throws {SelfsameError} `body-unexpected`, with status 400, for a body that is not JSON but should be
   */
  async parseResponse(response: Response): Promise<unknown> {
    if (development) checkContent(this as unknown as RestEndpoint)
    const url = response.url === '' ? this.path : response.url
    const answered = { endpoint: this.name, method: this.method, url }
    // The body of a delete response may be anything, because it is not stored.
    const expectsJson = this.schema !== undefined && this.method !== 'DELETE'
    return readBody(response, expectsJson, answered, this.content)
  }

  /** Changes the parsed response before it is stored. @param _args - the arguments of the call */
  // An override names its own types, which a generic class cannot check against the arguments of its endpoints.
  // eslint-disable-next-line typescript/no-explicit-any
  process(value: any, ..._args: any): unknown {
    return value
  }

  /** Returns `true` if one request can serve both endpoints, because they send and process it by the same steps. */
  sharesRequestWith(other: EndpointLike): boolean {
    return takesSameSteps(this, other)
  }

  /** Returns `true` if two endpoints make the same of a response. @internal */
  readsAs(other: object): boolean {
    const steps = ['content', 'parseResponse', 'process'] as const
    return !(other instanceof RestEndpoint) || steps.every((step) => isSameStep(this[step], other[step]))
  }

  /** `true` if no step of the user has seen the parsed response, so that the store can keep it without a copy. */
  get ownsPayload(): boolean {
    return (
      this.parseResponse === RestEndpoint.prototype.parseResponse &&
      this.process === RestEndpoint.prototype.process
    )
  }

  /** Makes the request for a Controller. @internal */
  callWith(context: CallContext, args: RestArgs<Options>): Promise<RestValue<Options>> {
    const { signal = this.signal, transport, headers } = context
    if ((this.fetch as unknown) === requestByPath) return this.send(args, context)
    // A `fetch` of the user's own may call that of another endpoint with its `this`.
    return this.fetch.apply({ __proto__: this, signal, transport, headers } as unknown as this, args as never)
  }

  /** Makes the request. @internal */
  async send(args: RestArgs<Options>, context: CallContext = {}): Promise<RestValue<Options>> {
    const { params, body } = split(this, this.options, args)
    const { required } = patternOf(this)
    // Only the request needs a body: the address and the key do not.
    const hasParamsAlone = args.length < 2 && required.length > 0 && this.body !== undefined
    if (hasParamsAlone && required.every((name) => params[name] !== undefined))
      throw errors.bodyMissing(this.name, this.path)
    const named = { endpoint: this.name, method: this.method, url: this.url(...args) }
    const response = await exchange(this, named, body, context)
    let payload: unknown = response
    try {
      payload = await this.parseResponse.call(this.parsedBy ?? this, response)
      const value = await this.process(payload, ...args)
      if (development && value === undefined && payload !== undefined && this.schema !== undefined) {
        throw errors.payloadRefused(this.name, undefined)
      }
      // `process` is typed by the options that it came with.
      return value as RestValue<Options>
    } catch (error) {
      throw afterAnswer(error, payload === response)
    }
  }
}

/** A single argument is the params if the path needs some, else the body if the method has one (specification E2). */
function split(
  endpoint: CalledByPath,
  options: object,
  args: readonly unknown[],
): { params: Readonly<Record<string, unknown>>; body: unknown } {
  const [first, second] = args
  const takesBody = endpoint.body !== undefined || (isBodyMethod(endpoint.method) && !('body' in options))
  const isBodyAlone = takesBody && args.length === 1 && patternOf(endpoint).required.length === 0
  if (isBodyAlone) return { params: {}, body: first }
  return { params: toRecord(first), body: second }
}

/** An endpoint, or the `this` of a `fetch`, which has no private members. */
interface CalledByPath {
  readonly path: string
  readonly method: string
  readonly body?: unknown
}

const patterns = new WeakMap<object, PathPattern>()

/** Parsed when it is needed: a subclass may declare its path as a class field, which is there only after the constructor. */
function patternOf(endpoint: CalledByPath): PathPattern {
  const { path } = endpoint
  const known = patterns.get(endpoint)
  if (known?.path === path) return known
  const pattern = parsePath(path)
  patterns.set(endpoint, pattern)
  return pattern
}

/** @throws {SelfsameError} `definition-invalid` */
function checkPrefix(name: string, prefix: string | undefined): void {
  const found = /[?#]/.exec(prefix ?? '')?.[0]
  if (found === undefined) return
  throw errors.definitionInvalid(name, [
    `has a "${found}" in its urlPrefix, so its path would not be part of the address.`,
    'End the prefix before it. Search params go into `searchParams`.',
  ])
}

/** @throws {SelfsameError} `definition-invalid` */
function checkBody(name: string, { method = '', body }: RestOptions): void {
  if (body === undefined || !/^(get|head)$/i.test(method)) return
  throw errors.definitionInvalid(name, [
    `has a \`body\`, and ${method.toUpperCase()} sends none.`,
    'Remove it: the `push` of a list takes the fields of its records. Or set `method: "POST"`, for a read with `sideEffect: false`.',
  ])
}

/** Options of a list that its mutations do not inherit. */
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
  pollWhileHidden: undefined,
  stream: undefined,
  expected: undefined,
} as const

/** The options that an endpoint may be extended by: those of its class are known by those that it has. */
type OptionsBeside<Options> = Partial<RestOptions> &
  OptionsOfResource & {
    readonly [Name in Exclude<keyof Options, keyof RestOptions | keyof OptionsOfResource>]?: unknown
  }

/** The list of the schema to which pages are appended. */
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

const restSteps = [
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

/** Returns `true` if two endpoints send and process a request by the same steps. @param except - a step that may differ @internal */
export function takesSameSteps(a: object, b: object, except?: (typeof restSteps)[number]): boolean {
  if (!(a instanceof RestEndpoint && b instanceof RestEndpoint)) return false
  return restSteps.every((step) => step === except || a[step] === b[step])
}

/** A class of REST endpoints, for the option `Endpoint` of `createResource`. */
// What depends on the options of an endpoint is not compared: a subclass without type parameters knows no options.
// eslint-disable-next-line typescript/no-explicit-any
export type RestEndpointClass = new (options: any) => EndpointBase & Pick<RestEndpoint<any>, StepOfRequest>

type StepOfRequest =
  'url' | 'getHeaders' | 'getRequestInit' | 'fetchResponse' | 'parseResponse' | 'process' | 'testKey'

/**
 * Makes an endpoint whose options win over the fields that its class declares.
 *
 * @internal
 */
export function makeEndpoint(Class: RestEndpointClass, options: RestOptions): RestEndpoint {
  const endpoint = new Class(options) as RestEndpoint
  setMembers(endpoint, { ...options, method: options.method?.toUpperCase() })
  bindLists(endpoint)
  return endpoint
}

/** Drops the options of pages if another schema has no list, or has it elsewhere. */
function withoutPages(
  inherited: Omit<RestOptions, 'name'>,
  more: Partial<RestOptions>,
): Omit<RestOptions, 'name'> {
  if (more.schema === undefined || inherited.paginationField === undefined) return inherited
  const { paginationField, paginatedList: _, ...others } = inherited
  return findList(more.schema) === undefined ? others : { ...others, paginationField }
}

function isBodyMethod(method: string): boolean {
  return /^(POST|PUT|PATCH)$/.test(method)
}

/** Returns a function from the arguments of a page to those of its list. */
function withoutParam(name: string): (...args: readonly unknown[]) => readonly unknown[] {
  return (params, ...others) => {
    const { [name]: _, ...rest } = toRecord(params)
    return Object.keys(rest).length > 0 || others.length > 0 ? [rest, ...others] : []
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

/** The fetch function of every REST endpoint. */
function requestByPath(this: RestEndpoint & CallContext, ...args: readonly unknown[]): Promise<unknown> {
  // The `this` of a `fetch` of the user's own is the context of its call, too.
  return this.send(args as never, 'transport' in this ? this : undefined)
}

/** @throws {SelfsameError} `definition-invalid` if a schema is to read what is no JSON. Called in development */
function checkContent({ name, schema, content, process }: RestEndpoint): void {
  if (schema === undefined || content === undefined || content === 'json') return
  if (process !== RestEndpoint.prototype.process) return
  throw errors.definitionInvalid(name, [
    `has a schema beside \`content: '${content}'\`, which no schema can read.`,
    'Remove one of them, or convert it to data in process().',
  ])
}

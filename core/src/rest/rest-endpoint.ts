import { EndpointBase, setMembers } from '../endpoint/endpoint.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { errors } from '../errors.js'
import type { Schema } from '../schema/schema.js'
import { encodeBody } from './body.js'
import { fillPath, joinUrl, parsePath } from './path.js'
import type { PathPattern } from './path.js'
import { readBody, toConnectionError, toStatusError } from './response.js'
import type { RequestName } from './response.js'
import type { Extended, RestArgs, RestOptions, RestSideEffect, RestValue } from './rest-types.js'
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
  /** Makes the request. Calling the endpoint calls it. */
  declare readonly fetch: (...args: RestArgs<Options>) => Promise<RestValue<Options>>
  declare protected readonly options: Options
  #pattern: PathPattern | undefined

  /**
   * @throws {SelfsameError} `path-invalid` for a path that cannot be read, `definition-invalid` for a negative expiry length
   */
  constructor(options: Options) {
    super(request, options)
    setMembers(this, { method: (options.method ?? 'GET').toUpperCase() })
    // Computed when asked for: a subclass may declare its method as a class field, which is set after this.
    if (options.sideEffect === undefined) {
      computeMember(this, 'sideEffect', () => (isReadMethod(this.method) ? undefined : true))
    }
    if (options.name === undefined) computeMember(this, 'name', () => `${this.method} ${this.path}`)
    this.#pattern = parsePath(options.path)
  }

  /** Makes an endpoint like this one, of the same class. @param options - what differs */
  extend<const More extends Partial<RestOptions>>(options: More): RestEndpoint<Extended<Options, More>> {
    const Class = this.constructor as RestEndpointClass
    const { name, ...before } = this.options
    const isRenamed = options.path !== undefined || options.method !== undefined
    // Each member was made with the options that its type names.
    return makeEndpoint(Class, { ...before, ...(isRenamed ? {} : { name }), ...options }) as never
  }

  /** The address of a call. @throws {SelfsameError} `path-param-missing` or `path-param-unusable` */
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

  /** Writes the search params as text, without `?`. */
  searchToString(params: Readonly<Record<string, unknown>>): string {
    return toSearchString(params)
  }

  /** Adds headers. @param headers - those that the body needs */
  getHeaders(headers: Readonly<Record<string, string>>): HeadersInit | Promise<HeadersInit> {
    return headers
  }

  /** What `fetch` is called with besides the address. @param body - as given to the call; data becomes JSON */
  async getRequestInit(body?: unknown): Promise<RequestInit> {
    const encoded = encodeBody(body)
    const init: RequestInit = { method: this.method, headers: await this.getHeaders(encoded.headers) }
    return encoded.body === undefined ? init : { ...init, body: encoded.body }
  }

  /** Sends the request. Override it to use another transport. */
  fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return fetch(url, init)
  }

  /**
   * Reads the body of an answer with a 2xx status.
   *
   * @returns parsed JSON; text where the server sends text and there is no schema; `null` where there is no body
   * @throws {SelfsameError} `body-unexpected`, with status 400
   */
  async parseResponse(response: Response): Promise<unknown> {
    const url = response.url === '' ? this.path : response.url
    return readBody(response, this.schema !== undefined, { endpoint: this.name, method: this.method, url })
  }

  /** Changes the parsed answer. @param _args - the arguments of the call */
  // Without an override the value is what the schema says that the server sends. An override names the types that
  // it knows, which a generic class could not check against the arguments of all its endpoints.
  // eslint-disable-next-line typescript/no-explicit-any
  process(value: any, ..._args: any): unknown {
    return value
  }

  /** Whether one request answers both endpoints: they make and process it by the same steps. */
  sharesRequestWith(other: EndpointLike): boolean {
    const rest: unknown = other
    return rest instanceof RestEndpoint && steps.every((step) => rest[step] === this[step])
  }

  /** Whether the parsed answer is the store's to keep: no step of the user's has seen it. */
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

  /** Makes the request. @internal */
  async send(args: RestArgs<Options>): Promise<RestValue<Options>> {
    const url = this.url(...args)
    const { body } = this.#split(args)
    const name: RequestName = { endpoint: this.name, method: this.method, url }
    const init = await this.getRequestInit(body)
    let response: Response
    try {
      response = await this.fetchResponse(url, init)
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
    if (
      this.body !== undefined &&
      args.length < 2 &&
      this.#parsedPath.required.length > 0 &&
      hasAll(first, this.#parsedPath.required)
    ) {
      throw errors.bodyMissing(this.name, this.path)
    }
    return { params: toRecord(first), body: second }
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

const steps = [
  'constructor',
  'url',
  'getHeaders',
  'getRequestInit',
  'fetchResponse',
  'parseResponse',
  'process',
] as const

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
  return endpoint
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

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

/** The fetch function of every REST endpoint: its steps, one after the other. */
function request(this: RestEndpoint, ...args: readonly unknown[]): Promise<unknown> {
  return this.send(args as never)
}

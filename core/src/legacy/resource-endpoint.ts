import type { CallContext, Carries, DeclaresData, EndpointLike } from '../endpoint/endpoint.js'
import type { OptionsOfResource } from '../endpoint/checked-options.js'
import { withCall } from '../endpoint/transport.js'
import type { TransportInit } from '../endpoint/transport.js'
import { RestEndpoint } from '../rest/rest-endpoint.js'
import type { Extended, PageOf, RestOptions, RestValue } from '../rest/rest-types.js'
import type { Schema } from '../schema/schema.js'
import type { ProgressListener } from '../util/progress.js'
import { Remembered, internSchema } from './same.js'

/** The members of a class that its endpoints use. */
export interface ResourceRequests {
  // An override declares the types that it knows.
  // eslint-disable-next-line typescript/no-explicit-any
  fetch(urlOrMethod: string, initOrUrl: any, body?: any, context?: any): Promise<any>
  // An override declares the types that it knows.
  // eslint-disable-next-line typescript/no-explicit-any
  fetchResponse(urlOrMethod: string, initOrUrl: any, body?: any, context?: any): Promise<Response>
}

/** Options of a class member: those of every REST endpoint, and these. */
export interface MemberOptions extends RestOptions {
  readonly resource: ResourceRequests
  /** `Resource` itself, to find out what a class overrides. */
  readonly base: ResourceRequests
  /** Builds the URL by the class; `undefined` if `path` gives it. */
  readonly urlOf: ((args: readonly unknown[]) => string) | undefined
}

/** The changes that `extend` accepts. */
export interface EndpointChanges extends Omit<RestOptions, 'path' | 'url'>, OptionsOfResource {
  readonly path?: string | undefined
  /** Builds the URL from the arguments of the call. */
  // The arguments are those of the endpoint's calls.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly url?: ((...args: any) => string) | undefined
  /**
   * Sends the request in place of the steps of a REST endpoint. In a `function`, `this` has `signal` and `transport`.
   */
  // The arguments and the result are those of the endpoint's calls.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly fetch?: ((...args: any) => Promise<any>) | undefined
}

declare const options: unique symbol

/**
 * An endpoint of generation 5.1. Its type includes the data of its calls, but every such endpoint is assignable to
 * every other, so that a subclass may give a member another schema.
 */
export interface ResourceEndpoint<
  Options extends RestOptions = RestOptions,
  SideEffect extends boolean | undefined = boolean | undefined,
> extends DeclaresData<RestValue<Options>> {
  // `DataOf` derives the data. A return type here would prevent a subclass from changing it.
  // eslint-disable-next-line typescript/no-explicit-any
  (...args: MemberArgs<SideEffect>): Promise<any>
  readonly name: string
  readonly path: string
  readonly method: string
  readonly schema: Schema | undefined
  readonly sideEffect: SideEffect
  /** Returns the key of a call: method and full URL. */
  // The arguments depend on what a subclass overrides.
  // eslint-disable-next-line typescript/no-explicit-any
  key(params?: any, body?: any): string
  /** Returns the URL of a call. */
  // The arguments depend on what a subclass overrides.
  // eslint-disable-next-line typescript/no-explicit-any
  url(params?: any, body?: any): string
  testKey(key: string): boolean
  fetchResponse(url: string, init: TransportInit, onProgress?: ProgressListener): Promise<Response>
  parseResponse(response: Response): Promise<unknown>
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>
  /** Creates an endpoint with changes; the same one for equal changes. */
  extend: ExtendEndpoint
  /** Creates an endpoint for further pages of the list. @see RestEndpoint.paginated */
  paginated: PaginateEndpoint
  readonly [options]?: Carries<Options> | undefined
}

/** The arguments depend on `url` and `fetch`, which a subclass may override. */
type MemberArgs<SideEffect> = SideEffect extends true
  ? // A subclass declares the types that it knows.
    // eslint-disable-next-line typescript/no-explicit-any
    [params?: any, body?: any]
  : // The same for a call without a body.
    // eslint-disable-next-line typescript/no-explicit-any
    [params?: any]

/** The options of a class's endpoint. */
type OptionsIn<E> = E extends { readonly [options]?: Carries<infer Options> | undefined }
  ? Options extends RestOptions
    ? Options
    : RestOptions
  : RestOptions

/** Infers the endpoint's type from `this`, so that all endpoints share one type. */
export interface ExtendEndpoint {
  <This, const Changes extends EndpointChanges>(
    this: This,
    changes: Changes,
  ): ResourceEndpoint<OptionsAfter<OptionsIn<This>, Changes>, SideEffectAfter<This, Changes>>
}

export interface PaginateEndpoint {
  <This>(
    this: This,
    // The arguments are those of the list.
    // eslint-disable-next-line typescript/no-explicit-any
    list: string | ((...args: any) => readonly unknown[]),
    options?: { readonly list?: string | readonly string[] | undefined },
  ): ResourceEndpoint<PageOf<OptionsIn<This>, readonly unknown[]>, SideEffectAfter<This, object>>
}

/** Not derived from the options, because TypeScript does not resolve those of a class that is still generic. */
type SideEffectAfter<This, Changes> = Changes extends { readonly sideEffect: infer Said extends boolean }
  ? Said
  : Changes extends { readonly method: infer Method }
    ? Method extends 'GET' | 'HEAD'
      ? undefined
      : true
    : This extends { readonly sideEffect: infer Said extends boolean | undefined }
      ? Said
      : boolean | undefined

/** The changes that a REST endpoint knows. */
type RestChanges<Changes> = {
  readonly [Name in Extract<keyof Changes, Exclude<keyof RestOptions, 'url'>>]: Changes[Name]
}

type ChangedBy<Options extends RestOptions, Changes> =
  Changes extends Partial<RestOptions> ? Extended<Options, Changes> : never

type OptionsAfter<Options extends RestOptions, Changes extends EndpointChanges> =
  ChangedBy<Options, RestChanges<Changes>> extends infer After extends RestOptions
    ? After extends { readonly schema: Schema }
      ? After
      : Changes extends { readonly fetch: (...args: never) => Promise<infer Value> }
        ? Omit<After, 'process'> & { readonly path: string; readonly process: () => Value }
        : After
    : never

/** A class member at run time. `ResourceEndpoint` is its type. @internal */
export class MemberEndpoint extends RestEndpoint {
  declare readonly resource: MemberOptions['resource']
  declare readonly base: MemberOptions['base']
  declare readonly urlOf: MemberOptions['urlOf']
  readonly #derived = new Remembered<MemberEndpoint>()

  override extend(changes: Partial<RestOptions>): never {
    const interned =
      changes.schema === undefined ? changes : { ...changes, schema: internSchema(changes.schema) }
    // A new path replaces the URL of the class.
    const own = changes.path === undefined ? interned : { urlOf: undefined, ...interned }
    // The endpoint has the options that its type names.
    return this.#derived.get(own, () => super.extend(own) as unknown as MemberEndpoint) as never
  }

  override url(...args: readonly unknown[]): string {
    return this.urlOf === undefined ? super.url(...(args as [])) : this.urlOf(args)
  }

  /** Calls the class's `fetch` if it is overridden, so that the override sees the request of each endpoint. */
  override async send(args: readonly unknown[], context: CallContext = {}): Promise<unknown> {
    const { resource, base } = this
    if (resource.fetch === base.fetch) return super.send(args as [], context)
    const own = await this.getRequestInit(bodyOf(this, args))
    const value: unknown = await resource.fetch(this.url(...args), withCall(own, this.signal, context))
    return this.process(value, ...args)
  }

  override fetchResponse(url: string, init: TransportInit, onProgress?: ProgressListener): Promise<Response> {
    const { resource, base } = this
    return resource.fetchResponse === base.fetchResponse
      ? super.fetchResponse(url, init, onProgress)
      : resource.fetchResponse(url, init)
  }

  /** The keys are equal here. Functions may be new in each call, so only their source text can be compared. */
  override sharesRequestWith(other: EndpointLike): boolean {
    if (!(other instanceof MemberEndpoint) || other.resource !== this.resource) return false
    return legacySteps.every(
      (step) => this[step] === other[step] || String(this[step]) === String(other[step]),
    )
  }
}

const legacySteps = [
  'fetch',
  'getHeaders',
  'getRequestInit',
  'fetchResponse',
  'parseResponse',
  'process',
  'content',
] as const

/** The body of a call: its only argument, if the path names no record. */
function bodyOf({ method, path }: MemberEndpoint, args: readonly unknown[]): unknown {
  const isSending = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE'
  return isSending && args.length === 1 && !path.endsWith(recordPath) ? args[0] : args[1]
}

/** The end of a record's path. Only `urlOf` can fill it in. */
export const recordPath = '/:pk'

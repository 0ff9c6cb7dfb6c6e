import { development } from '#development'
import type { FetchContext } from '../endpoint/endpoint.js'
import { receive } from '../endpoint/exchange.js'
import { readBody } from '../endpoint/response.js'
import type { RequestName } from '../endpoint/response.js'
import { sendRequest, withCall } from '../endpoint/transport.js'
import type { TransportInit } from '../endpoint/transport.js'
import * as errors from '../errors.js'
import { Collection } from '../lists/collection-class.js'
import { encodeBody } from '../rest/body.js'
import { joinUrl } from '../rest/path.js'
import { toDeleted } from '../rest/resource.js'
import type { EndpointExtraOptions } from '../rest/resource.js'
import { makeEndpoint } from '../rest/rest-endpoint.js'
import type { RestEndpointClass } from '../rest/rest-endpoint.js'
import { toSearchString } from '../rest/search-params.js'
import type { CollectionChange, CollectionSchema } from '../schema/collection.js'
import { DeleteSchema } from '../schema/delete.js'
import { Entity } from '../schema/entity.js'
import { planOf } from '../schema/entity-plan.js'
import type { Schema } from '../schema/schema.js'
import { isPlainObject } from '../util/plain.js'
import { keepIds } from './keep-ids.js'
import { MemberEndpoint, recordPath } from './resource-endpoint.js'
import type { MemberOptions, ResourceEndpoint } from './resource-endpoint.js'
import { Remembered } from './same.js'
import type { MemberShape } from './shapes.js'
import { getOrMake } from '../util/get-or-make.js'

/** The record type of a class. */
type RecordOf<T> = T extends { readonly prototype: infer Record } ? Record : never

interface ReadShapes<S extends Schema> {
  readonly path: string
  readonly method: 'GET'
  readonly schema: S
}

interface Changes<T extends Schema, Method extends string> {
  readonly path: string
  readonly method: Method
  readonly schema: CollectionChange<readonly [T]>
}

interface Deletes<T extends typeof Resource> {
  readonly path: string
  readonly method: 'DELETE'
  readonly schema: DeleteSchema<T>
  readonly process: (value: unknown, params: unknown) => object
}

/**
 * A class of records with URLs, of generations 4.5 and 5.1. Its endpoints (`detail()`, `list()`…) join nested
 * records, like those of `createResource`; its shapes (`detailShape()`, `listShape()`…) show ids in their place. Both
 * read the same records.
 *
 * @see specification 4.6, 9
 * @example
 * class Todo extends Resource {
 *   id = 0
 *   title = ''
 *   static override urlRoot = 'https://api.example.com/todo'
 * }
 * const todo = useSuspense(Todo.detail(), { id: 5 }) // GET https://api.example.com/todo/5
 * const same = useResource(Todo.detailShape(), { id: 5 })
 */
export class Resource extends Entity {
  /** The URL of the list. The primary key follows it in the URL of a record. */
  static urlRoot: string

  /**
   * Returns the URL of a record.
   *
   * @param params - `params.url` is used unchanged; otherwise they identify the record by the fields that `pk()`
   *   needs
   * @returns the URL of the list, if the params identify no record
   * @throws {SelfsameError} in development `definition-invalid` without a `urlRoot`
   */
  // An override declares the params that it takes.
  // eslint-disable-next-line typescript/no-explicit-any
  static url(params?: any): string {
    const given = urlIn(params)
    if (given !== undefined) return given
    const pk = planOf(this).pkOfArgs([params])
    const root = rootOf(this)
    return pk === undefined ? root : joinUrl(root, encodeURIComponent(pk))
  }

  /**
   * Returns the URL of a list.
   *
   * @param params - `params.url` is used unchanged; otherwise they are the search params
   * @throws {SelfsameError} in development `definition-invalid` without a `urlRoot`; `search-param-unusable`
   */
  // An override declares the params that it takes.
  // eslint-disable-next-line typescript/no-explicit-any
  static listUrl(params?: any): string {
    const given = urlIn(params)
    if (given !== undefined) return given
    const root = rootOf(this)
    const search = toSearchString(isPlainObject(params) ? params : {}, (param, why) => {
      throw errors.searchParamUnusable(this.key, root, param, why)
    })
    return search === '' ? root : `${root}${root.includes('?') ? '&' : '?'}${search}`
  }

  /**
   * Sends a request and parses the response. Override it to change the requests of all members. Shapes call it with a
   * method, a URL, a body and a context; endpoints with a URL and the options of `fetch`. Pass all arguments on to
   * `super.fetch`, so that the request can be aborted and uses the Controller's transport.
   *
   * @returns the parsed body
   * @throws {NetworkError} for a status other than 2xx, and without a response; {SelfsameError} `body-unexpected`,
   *   status 400
   * @example
   * static override async fetch(...request: Parameters<typeof Resource.fetch>) {
   *   return camelCased(await super.fetch(...request))
   * }
   */
  // The parsed value is whatever the server sends.
  /* eslint-disable typescript/no-explicit-any */
  static async fetch(urlOrMethod: string, initOrUrl?: any, body?: any, context?: FetchContext): Promise<any> {
    const response = await this.fetchResponse(urlOrMethod, initOrUrl, body, context)
    const { name } = requestOf(this, urlOrMethod, initOrUrl)
    return readBody(response, name.method !== 'DELETE', name)
  }

  /**
   * Sends a request: `fetch` without parsing the response.
   *
   * @returns a response with a 2xx status
   * @throws {NetworkError} for any other status, and without a response
   */
  static async fetchResponse(
    urlOrMethod: string,
    initOrUrl?: any,
    body?: any,
    context?: FetchContext,
  ): Promise<Response> {
    const { name, init } = requestOf(this, urlOrMethod, initOrUrl, body, context)
    return receive(() => sendRequest(name.url, init), name)
  }
  /* eslint-enable typescript/no-explicit-any */

  /** Returns the options of all members, for example `dataExpiryLength`. @default none */
  static getEndpointExtra(): EndpointExtraOptions | undefined {
    return undefined
  }

  /** Returns the schema of a record. */
  static asSchema<T extends typeof Resource>(this: T): T {
    return this
  }

  // --- 5.1: endpoints, always the same object for each class ---

  /** Reads one record: `GET url(params)`. */
  static detail<T extends typeof Resource>(this: T): ResourceEndpoint<ReadShapes<T>, undefined> {
    return memoizedEndpoint(this, 'detail', 'GET', this)
  }

  /** Reads a list: `GET listUrl(params)`. */
  static list<T extends typeof Resource>(
    this: T,
  ): ResourceEndpoint<ReadShapes<CollectionSchema<readonly [T]>>, undefined> {
    return memoizedEndpoint(this, 'list', 'GET', listsOf(this).list)
  }

  /**
   * Adds a record: `POST listUrl(params)`, called with params and body, or with the body alone. The record joins the
   * matching lists.
   */
  static create<T extends typeof Resource>(this: T): ResourceEndpoint<Changes<T, 'POST'>, true> {
    return memoizedEndpoint(this, 'create', 'POST', listsOf(this).change.push)
  }

  /** Replaces a record: `PUT url(params)`. */
  static update<T extends typeof Resource>(this: T): ResourceEndpoint<Changes<T, 'PUT'>, true> {
    return memoizedEndpoint(this, 'update', 'PUT', listsOf(this).change.move)
  }

  /** Changes fields of a record: `PATCH url(params)`. */
  static partialUpdate<T extends typeof Resource>(this: T): ResourceEndpoint<Changes<T, 'PATCH'>, true> {
    return memoizedEndpoint(this, 'partialUpdate', 'PATCH', listsOf(this).change.move)
  }

  /**
   * Removes a record: `DELETE url(params)`. Resolves with the response if it is an object with members, otherwise
   * with the params.
   */
  static delete<T extends typeof Resource>(this: T): ResourceEndpoint<Deletes<T>, true> {
    return memoizedEndpoint(this, 'delete', 'DELETE', listsOf(this).remove)
  }

  // --- 4.5: shapes ---

  /** Reads one record: `GET url(params)`. */
  static detailShape<T extends typeof Resource>(this: T): MemberShape<'read', RecordOf<T>> {
    return memoizedShape(this, 'detail', 'read', 'GET', this)
  }

  /** Reads a list: `GET listUrl(params)`. */
  static listShape<T extends typeof Resource>(this: T): MemberShape<'read', RecordOf<T>[]> {
    return memoizedShape(this, 'list', 'read', 'GET', listsOf(keepIds(this)).list)
  }

  /** Adds a record: `POST listUrl(params)`. */
  static createShape<T extends typeof Resource>(this: T): MemberShape<'mutate', RecordOf<T>> {
    return memoizedShape(this, 'create', 'mutate', 'POST', listsOf(keepIds(this)).change.push)
  }

  /** Replaces a record: `PUT url(params)`. */
  static updateShape<T extends typeof Resource>(this: T): MemberShape<'mutate', RecordOf<T>> {
    return memoizedShape(this, 'update', 'mutate', 'PUT', listsOf(keepIds(this)).change.move)
  }

  /** Changes fields of a record: `PATCH url(params)`. */
  static partialUpdateShape<T extends typeof Resource>(this: T): MemberShape<'mutate', RecordOf<T>> {
    return memoizedShape(this, 'partialUpdate', 'mutate', 'PATCH', listsOf(keepIds(this)).change.move)
  }

  /** Removes the record that the params identify, whatever the server responds: `DELETE url(params)`. */
  static deleteShape<T extends typeof Resource>(this: T): MemberShape<'delete', unknown> {
    return memoizedShape(this, 'delete', 'delete', 'DELETE', this)
  }
}

type LegacyMember = 'detail' | 'list' | 'create' | 'update' | 'partialUpdate' | 'delete'

const memberEndpoints = new WeakMap<object, Remembered<unknown>>()
const memberShapes = new WeakMap<object, Remembered<unknown>>()

/** The endpoint of a member: the same one until the class's definition changes. */
function memoizedEndpoint<Endpoint>(
  Class: typeof Resource,
  member: LegacyMember,
  method: string,
  schema: Schema,
): Endpoint {
  const extra = Class.getEndpointExtra()
  const root = rootOf(Class)
  const make = () => {
    const made: MemberOptions = {
      ...extraOf(Class, method),
      ...(method === 'DELETE' && { process: toDeleted }),
      name: `${Class.key}.${member}`,
      path: isOfList(member) ? root : joinUrl(root, recordPath),
      method,
      schema,
      resource: Class,
      base: Resource,
      urlOf: (args) => addressOf(Class, member, args),
    }
    return makeEndpoint(MemberEndpoint as unknown as RestEndpointClass, made)
  }
  // The endpoint has the options that its type names.
  return getOrMake(memberEndpoints, Class, () => new Remembered()).get(
    [member, root, extra],
    make,
  ) as Endpoint
}

function memoizedShape<Shape>(
  Class: typeof Resource,
  member: LegacyMember,
  type: 'read' | 'mutate' | 'delete',
  method: string,
  schema: Schema,
): Shape {
  const extra = Class.getEndpointExtra()
  const options = extraOf(Class, method)
  const make = () => ({
    type,
    schema,
    options,
    name: `${Class.key}.${member}Shape`,
    getFetchKey: (params: unknown) => `${method} ${addressOf(Class, member, [params])}`,
    fetch(this: FetchContext | undefined, params: unknown, body?: unknown) {
      const url = addressOf(Class, member, [params, body])
      return Class.fetch(method.toLowerCase(), url, body, {
        signal: this?.signal,
        transport: this?.transport,
      })
    },
  })
  return getOrMake(memberShapes, Class, () => new Remembered()).get([member, extra], make) as Shape
}

function isOfList(member: LegacyMember): boolean {
  return member === 'list' || member === 'create'
}

/** The options of a member. Those that would retry or delay a mutation are left out: it needs them in its own options. */
function extraOf(Class: typeof Resource, method: string): EndpointExtraOptions | undefined {
  const extra = Class.getEndpointExtra()
  if (extra === undefined || method === 'GET') return extra
  const { retry: _retry, pauseOffline: _pauseOffline, ...others } = extra
  return others
}

/** The URL that a class builds for a call. `create` may be called without params. */
function addressOf(Class: typeof Resource, member: LegacyMember, args: readonly unknown[]): string {
  if (member === 'create' && args.length === 1) return Class.listUrl({})
  const [params = {}] = args
  return isOfList(member) ? Class.listUrl(params) : Class.url(params)
}

interface ListsOfClass<T extends Schema> {
  readonly list: CollectionSchema<readonly [T]>
  /** A Collection of no endpoint, so that added records reach the lists of all endpoints. */
  readonly change: CollectionSchema<readonly [T]>
  readonly remove: Schema
}

const listsByClass = new WeakMap<object, ListsOfClass<Schema>>()

function listsOf<T extends typeof Resource>(Class: T): ListsOfClass<T> {
  let made = listsByClass.get(Class)
  if (made === undefined) {
    const options = { joinsAcrossPaths: true }
    made = {
      list: new Collection([Class] as const, options),
      change: new Collection([Class] as const, options),
      remove: new DeleteSchema(Class),
    }
    listsByClass.set(Class, made)
    bindToRoot(Class, made.list)
  }
  return made as ListsOfClass<T>
}

/** Binds the list to the endpoint even if a shape reads it first, so that both are one call. */
function bindToRoot(Class: typeof Resource, list: CollectionSchema<readonly [Schema]>): void {
  const { urlRoot: path } = Class
  if (path === undefined) return
  const key = (params: unknown) => `GET ${addressOf(Class, 'list', [params])}`
  list.withHome({ id: `GET  ${path}`, place: '', path, key })
}

function rootOf({ urlRoot, key }: typeof Resource): string {
  if (development && typeof urlRoot !== 'string') {
    throw errors.definitionInvalid(`The Resource class "${key}"`, [
      'has no urlRoot.',
      'Set it to the address of the list: static urlRoot = "https://api.example.com/todo".',
    ])
  }
  return urlRoot
}

function urlIn(params: unknown): string | undefined {
  const { url } = (typeof params === 'object' && params !== null ? params : {}) as { readonly url?: unknown }
  return typeof url === 'string' ? url : undefined
}

/** A request in the form of either generation. */
function requestOf(
  { key }: typeof Resource,
  urlOrMethod: string,
  initOrUrl: unknown,
  body?: unknown,
  context: FetchContext = {},
): { readonly name: RequestName; readonly init: TransportInit } {
  if (typeof initOrUrl === 'string') {
    const method = urlOrMethod.toUpperCase()
    const init = withCall({ method, ...encodeBody(body) }, undefined, context)
    return { name: { endpoint: key, method, url: initOrUrl }, init }
  }
  const init = (initOrUrl ?? {}) as TransportInit
  const method = (init.method ?? 'GET').toUpperCase()
  return { name: { endpoint: key, method, url: urlOrMethod }, init }
}

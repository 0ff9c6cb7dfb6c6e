import { development } from '#development'
import type { RefusedSchema, UndeclaredFields } from '../endpoint/checked-options.js'
import type { EndpointOptions } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { CallCollection } from '../lists/call-collection.js'
import { isPlainObject } from '../util/plain.js'
import { defaultPlaces } from '../schema/collection.js'
import type {
  CollectionChange,
  CollectionOptions,
  CollectionSchema,
  ListOptions,
} from '../schema/collection.js'
import type { Denormalize } from '../schema/denormalized.js'
import { DeleteSchema, isDeletable } from '../schema/delete.js'
import type { Deletable } from '../schema/delete.js'
import { isEntityClass } from '../schema/schema.js'
import type { Schema } from '../schema/schema.js'
import { toListPath } from './path.js'
import type { ListPath } from './path-types.js'
import { RestEndpoint, makeEndpoint } from './rest-endpoint.js'
import type { RestEndpointClass } from './rest-endpoint.js'
import type { AnySearchParams, OptimisticMembers, ParamsOf, RecordBody, RestOptions } from './rest-types.js'

/**
 * The options that all members of a resource receive. Options that differ between the members are not among them: `path`,
 * `schema`, `method`, `body`, `sideEffect`, `key`, `url`, `process`, `validate`. `retry` and `pauseOffline` apply to `get` and
 * `getList` only. Set them on a mutation itself: `resource.update.extend({ retry: true })`.
 */
export type EndpointExtraOptions = Omit<
  EndpointOptions,
  | 'key'
  | 'testKey'
  | 'update'
  | 'validate'
  | 'schema'
  | 'sideEffect'
  | 'name'
  | 'getOptimisticResponse'
  | 'stream'
> &
  Pick<
    RestOptions,
    'searchToString' | 'getHeaders' | 'getRequestInit' | 'fetchResponse' | 'parseResponse' | 'content'
  >

/** The options of `createResource`. */
export interface ResourceOptions<
  Path extends string,
  S extends Schema,
  Search extends object = AnySearchParams,
  Field extends string = 'cursor',
> extends ResourceSettings<Path, S, Search, Field> {
  /** The schema of one record. */
  readonly schema: S
}

/** The option `schema`. It is refused where it is written if its class names fields that it does not declare. */
export type DeclaredSchema<S> = [UndeclaredFields<S>] extends [never]
  ? { readonly schema: S }
  : RefusedSchema<UndeclaredFields<S>>

/** The options of `createResource` beside `schema`. */
export interface ResourceSettings<
  Path extends string,
  S extends Schema,
  Search extends object = AnySearchParams,
  Field extends string = 'cursor',
>
  extends EndpointExtraOptions, ListOptions<Denormalize<S>, ListParams<Path, Uninferred<Search>>> {
  /** The path of one record: `/article/:id`. The path of the list is the part before the last param. */
  readonly path: Path
  /** The beginning of every address: a base address, or the protocol-relative form `//host`. @default '' */
  readonly urlPrefix?: string | undefined
  /** The class of the members. @default RestEndpoint */
  readonly Endpoint?: RestEndpointClass | undefined
  /**
   * `optimistic` of `@selfsame/core/optimistic` shows mutations at once, until the response or an error arrives.
   *
   * @default mutations are shown with their response
   */
  readonly optimistic?: ImportedOptimistic | undefined
  /** The name of the resource in messages: its members are `name.get` and so on. @default the `key` of the schema, else the path */
  readonly name?: string | undefined
  /**
   * The search params of `getList`, with types and defaults: `{ author: 0, sort: 'date' }`. A default of `''` or
   * `undefined` is not sent. The other members do not have these params.
   *
   * @default every param that is not in the path is sent
   */
  readonly searchParams?: Search | undefined
  /** The param that names a page, for `getList.getPage`. @default 'cursor' */
  readonly paginationField?: Field | undefined
  /** The class of the lists: a subclass of `schema.Collection`, made with the same two arguments. @default schema.Collection */
  readonly Collection?: CollectionClass | undefined
}

/** `optimistic` of `@selfsame/core/optimistic`. */
export interface ImportedOptimistic {
  /** Returns the expected responses of the mutations of a resource. */
  readonly membersOf: (schema: Schema) => OptimisticMembers
}

/** The params of the list of a resource; any if it does not name its search params. */
type ListParams<Path extends string, Search extends object> = string extends keyof Search
  ? // A rule of a list then declares the params that it reads.
    // eslint-disable-next-line typescript/no-explicit-any
    any
  : WithoutUndefined<ParamsOf<{ readonly path: ListPath<Path>; readonly searchParams: Search }>>

/** A rule may declare `{ state?: string }` where params that are `undefined` have another type than missing ones. */
type WithoutUndefined<Params> = { [Name in keyof Params]: Exclude<Params[Name], undefined> }

/** Infers nothing: the params of a list are not those that a rule reads. */
type Uninferred<Type> = [Type][Type extends unknown ? 0 : never]

/** A Collection class, for the option `Collection` of `createResource`. */
export type CollectionClass = new (
  content: readonly [Schema],
  options?: CollectionOptions,
) => CollectionSchema<readonly [Schema]>

// Not an interface: the declarations of an application could not name it. Not the endpoint either: the alias of a class is another type than
// the class, and the compiler would look at both.
type MutationOptions<Path extends string, S extends Schema, Method extends string> = {
  readonly path: Path
  readonly schema: CollectionChange<readonly [S]>
  readonly method: Method
  readonly body: RecordBody<S>
}

/** A resource whose endpoints can be extended. */
export interface Extendable<Members extends object> {
  /**
   * Creates a resource with more or other members. This resource does not change.
   *
   * @param members - endpoints by name, or a function that makes them from the resource
   * @example
   * const articles = createResource({ path: '/article/:id', schema: Article }).extend(({ getList }) => ({
   *   getPopular: getList.extend({ path: '/article/popular' }),
   * }))
   */
  extend<More extends object>(
    members: More | ((resource: Members & Extendable<Members>) => More),
  ): ExtendedMembers<Members, More> & Extendable<ExtendedMembers<Members, More>>
}

type ExtendedMembers<Members, More> = Omit<Members, keyof More> & More

/** Six endpoints that share one path pattern and one schema, and `extend`. @see specification 4.1 */
export type Resource<
  Path extends string,
  S extends Schema,
  Search extends object = AnySearchParams,
  Field extends string = 'cursor',
> = ResourceMembers<Path, S, Search, Field> & Extendable<ResourceMembers<Path, S, Search, Field>>

/** The members of a resource. */
export interface ResourceMembers<
  Path extends string,
  S extends Schema,
  Search extends object = AnySearchParams,
  Field extends string = 'cursor',
> {
  /** Reads one record: `GET path`. */
  readonly get: RestEndpoint<{ readonly path: Path; readonly schema: S; readonly method: 'GET' }>
  /**
   * Reads the list: `GET` of the path without its last parameter. Other params are sent as search params.
   *
   * `getList.getPage({ cursor, …params })` fetches a further page and appends it to the list of `getList(params)`.
   * `getList.push`, `unshift`, `move` and `remove` are endpoints that change lists.
   */
  readonly getList: RestEndpoint<{
    readonly path: ListPath<Path>
    readonly schema: CollectionSchema<readonly [S]>
    readonly method: 'GET'
    readonly searchParams: Search
    readonly paginationField: Field
    readonly memberPath: Path
    /** For the types alone: a body of `push`, `unshift` and `move` is one of the record, also if `extend` gives the list a summary. */
    readonly memberSchema: S
  }>
  /** Adds a record: `POST` to the path of the list. It joins, at the end, the stored lists that it belongs to. */
  readonly create: RestEndpoint<MutationOptions<ListPath<Path>, S, 'POST'>>
  /** Replaces a record: `PUT path`. It leaves lists that its fields no longer name, and joins those that they do. */
  readonly update: RestEndpoint<MutationOptions<Path, S, 'PUT'>>
  /** Changes fields of a record: `PATCH path`. Moves it between lists as `update` does. */
  readonly partialUpdate: RestEndpoint<MutationOptions<Path, S, 'PATCH'>>
  /** Deletes a record: `DELETE path`. Resolves with the response if it is an object with members, else with the params. */
  readonly delete: RestEndpoint<{
    readonly path: Path
    readonly schema: DeleteSchema<S extends Deletable ? S : never>
    readonly method: 'DELETE'
    readonly process: (value: unknown, params: unknown) => object
  }>
}

/**
 * Declares the six endpoints of a REST resource.
 *
 * @throws {SelfsameError} in development `path-invalid` for a path that cannot be read, `definition-invalid` for a negative expiry length
 *   and for no schema
 * @see specification 2.2, 4.1
 * @example
 * const articleResource = createResource({ urlPrefix: 'https://api.example.com', path: '/article/:id', schema: Article })
 * await articleResource.get({ id: 5 })          // GET    /article/5
 * await articleResource.getList({ author: 2 })  // GET    /article?author=2
 * await articleResource.create({ title: 'Hi' }) // POST   /article
 * await articleResource.getList.getPage({ cursor: 20, author: 2 }) // GET /article?author=2&cursor=20
 */
export function createResource<
  const Path extends string,
  const S extends Schema,
  const Search extends object = AnySearchParams,
  const Field extends string = 'cursor',
>(options: ResourceSettings<Path, S, Search, Field> & DeclaredSchema<S>): Resource<Path, S, Search, Field> {
  const {
    path,
    schema,
    Endpoint = RestEndpoint as RestEndpointClass,
    name = resourceNameOf(schema, path),
    searchParams,
    paginationField = 'cursor',
    optimistic,
    nonFilterArgumentKeys,
    placeArgumentKeys = [...defaultPlaces, paginationField],
    orderArgumentKeys,
    limitArgumentKeys,
    filter,
    orderBy,
    Collection = CallCollection as unknown as CollectionClass,
    retry,
    pauseOffline,
    ...shared
  } = options as ResourceOptions<Path, S, Search, Field>
  // The types forbid it, but a circular import gives `undefined`.
  if (development && (schema as Schema | undefined) === undefined)
    throw errors.schemaUndefined(`The schema of the resource ${name}`)
  const listPath = toListPath(path)
  const list = new Collection([schema], {
    nonFilterArgumentKeys,
    placeArgumentKeys,
    orderArgumentKeys,
    limitArgumentKeys,
    filter,
    orderBy,
  })
  if (development && 'endpoint' in shared)
    throw errors.definitionInvalid(`The resource ${name}`, [
      'has the option `endpoint`, which nothing reads, so that its requests are those of RestEndpoint.',
      'Write `Endpoint`.',
    ])
  if (development && optimistic !== undefined && typeof optimistic !== 'function')
    throw errors.optimisticUnusable(name, 'optimistic', optimistic)
  const expected = optimistic?.membersOf(schema)
  const make = (member: string, own: Omit<RestOptions, 'name'>) =>
    makeEndpoint(Endpoint, {
      ...shared,
      ...own,
      ...expected?.[member as keyof OptimisticMembers],
      name: `${name}.${member}`,
    })
  const read = { method: 'GET', retry, pauseOffline } as const
  const change = { path, schema: list.move, body: {} }
  return toExtendable(
    {
      get: make('get', { ...read, path, schema }),
      getList: make('getList', {
        ...read,
        path: listPath,
        schema: list,
        searchParams,
        paginationField,
        memberPath: path,
        expected,
      }),
      create: make('create', { path: listPath, schema: list.push, method: 'POST', body: {} }),
      update: make('update', { ...change, method: 'PUT' }),
      partialUpdate: make('partialUpdate', { ...change, method: 'PATCH' }),
      delete: make('delete', { path, schema: toDeleteSchema(schema), method: 'DELETE', process: toDeleted }),
      // Each member was made with the options that its type names.
    } as unknown as ResourceMembers<Path, S, Search, Field>,
    name,
  )
}

function toExtendable<Members extends object>(members: Members, name: string): Members & Extendable<Members> {
  const resource = { ...members } as Members & Extendable<Members>
  const extend = <More extends object>(more: More | ((from: typeof resource) => More)) => {
    if (development) checkExtension(name, members, more)
    const added: More =
      typeof more === 'function' ? (more as (from: typeof resource) => More)(resource) : more
    if (development) checkExtension(name, members, added)
    return toExtendable({ ...members, ...added }, name)
  }
  // Not enumerable, so that code that iterates over the endpoints of a resource does not see it.
  return Object.defineProperty(resource, 'extend', { value: extend })
}

/** @throws {SelfsameError} `definition-invalid` for options in the place of an endpoint */
function checkExtension(name: string, members: object, more: unknown): void {
  const remedy = 'Pass a function: `extend(({ get }) => ({ get: get.extend({ … }) }))`.'
  if (typeof more === 'string') {
    throw errors.definitionInvalid(`extend() of the resource ${name}`, [
      `received the name "${more}".`,
      remedy,
    ])
  }
  for (const [member, endpoint] of Object.entries(more ?? {})) {
    if (!(member in members) || !isPlainObject(endpoint)) continue
    throw errors.definitionInvalid(`extend() of the resource ${name}`, [
      `received an object of options as "${member}", which is not an endpoint.`,
      remedy.replaceAll('get', member),
    ])
  }
}

/** Returns the schema that deletes the record: that of the schema itself, or of the only record in `{ data: Article }`. */
function toDeleteSchema(schema: Schema): DeleteSchema | undefined {
  if (isDeletable(schema)) return new DeleteSchema(schema)
  const [only, another] = isPlainObject(schema) ? Object.values(schema).filter(isDeletable) : []
  return only !== undefined && another === undefined ? new DeleteSchema(only) : undefined
}

/** The delete result rule (specification 4.1, E13): an object with members is the result, else the params are. */
export function toDeleted(value: unknown, params: unknown): unknown {
  return isPlainObject(value) && Object.keys(value).length > 0 ? value : params
}

function resourceNameOf(schema: Schema, path: string): string {
  return isEntityClass(schema) ? schema.key : path
}

import type { DeclaresData, EndpointOptions } from '../endpoint/endpoint.js'
import type { Schema } from '../schema/schema.js'

/** Options of a shape, except those of its request. */
export type ShapeOptions = Omit<
  EndpointOptions,
  'name' | 'schema' | 'sideEffect' | 'key' | 'testKey' | 'update' | 'stream'
>

/**
 * The smallest description of a request, of generation 4.5. Each member can be overridden. Hooks identify calls by
 * `getFetchKey`, so shapes may be new objects in each render.
 *
 * @see specification 4.6
 * @example
 * static userShape<T extends typeof Resource>(this: T) {
 *   return {
 *     ...this.detailShape(),
 *     schema: this.asSchema(),
 *     getFetchKey: () => '/current_user/',
 *     fetch: () => this.fetch('get', '/current_user/'),
 *   }
 * }
 */
// Any params, body and schema.
// eslint-disable-next-line typescript/no-explicit-any
export interface FetchShape<S extends Schema | undefined = any, Params = any, Body = any> {
  /** A call reads, changes data, or deletes the record that its params identify. */
  readonly type: 'read' | 'mutate' | 'delete'
  /** The schema of the response. Nested records are read as their ids. */
  readonly schema: S
  /** Returns the key of a call: calls with equal responses have equal keys. */
  getFetchKey(params: Params): string
  /** Sends the request. In a `function`, `this` has `signal` and `transport`. */
  // A shape decides what its `this` and its response are.
  // eslint-disable-next-line typescript/no-explicit-any
  fetch(this: any, params: Params, body?: Body): Promise<any>
  /** Options such as `dataExpiryLength`. @default those of the entity, then of the Controller */
  readonly options?: ShapeOptions | undefined
  /** The name in error messages. @default `FetchShape` */
  readonly name?: string | undefined
}

/** A shape that reads, for `useResource`, `useCache` and `useRetrieve`. */
// Any params and schema.
// eslint-disable-next-line typescript/no-explicit-any
export interface ReadShape<S extends Schema | undefined = any, Params = any> extends FetchShape<S, Params> {
  readonly type: 'read'
}

/** A shape that changes data, for `useFetcher`. */
// Any params, body and schema.
// eslint-disable-next-line typescript/no-explicit-any
export interface MutateShape<S extends Schema | undefined = any, Params = any, Body = any> extends FetchShape<
  S,
  Params,
  Body
> {
  readonly type: 'mutate'
}

/** A shape that deletes the record that its params identify, whatever the server responds. */
// Any params and schema.
// eslint-disable-next-line typescript/no-explicit-any
export interface DeleteShape<S extends Schema | undefined = any, Params = any> extends FetchShape<S, Params> {
  readonly type: 'delete'
}

/** The params of a class member. */
export type ShapeParams = Readonly<object>

/** A shape of a class. Its type includes the data of its calls; a subclass may give it another schema. */
export interface MemberShape<Type extends FetchShape['type'], Data>
  extends
    FetchShape<
      // A subclass may give it any schema.
      // eslint-disable-next-line typescript/no-explicit-any
      any,
      ShapeParams,
      Readonly<object> | string
    >,
    DeclaresData<Data> {
  readonly type: Type
}

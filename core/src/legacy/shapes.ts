import type { DeclaresData, EndpointOptions } from '../endpoint/endpoint.js'
import type { Schema } from '../schema/schema.js'

/** What a shape may be told, besides how it is requested. */
export type ShapeOptions = Omit<
  EndpointOptions,
  'name' | 'schema' | 'sideEffect' | 'key' | 'testKey' | 'update' | 'stream'
>

/**
 * The least that describes a request, of the 4.5 generation. Each member may be overridden. Hooks tell calls apart by
 * `getFetchKey`, so that shapes may be made anew each time.
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
// Shapes of all params, bodies and schemas are shapes.
// eslint-disable-next-line typescript/no-explicit-any
export interface FetchShape<S extends Schema | undefined = any, Params = any, Body = any> {
  /** Whether a call reads, changes data, or deletes the record that its params name. */
  readonly type: 'read' | 'mutate' | 'delete'
  /** What the answer looks like. Nested records are read as their ids. */
  readonly schema: S
  /** Names a call: equal for calls with equal answers. */
  getFetchKey(params: Params): string
  /** Makes the request. A `function` finds `this.signal` and `this.transport`. */
  // eslint-disable-next-line typescript/no-explicit-any
  fetch(this: any, params: Params, body?: Body): Promise<any>
  /** How long an answer is Valid, and the like. @default what the entity, then the Controller says */
  readonly options?: ShapeOptions | undefined
  /** Names the shape in messages. @default `FetchShape` */
  readonly name?: string | undefined
}

/** A shape that reads: what `useResource`, `useCache` and `useRetrieve` take. */
// eslint-disable-next-line typescript/no-explicit-any
export interface ReadShape<S extends Schema | undefined = any, Params = any> extends FetchShape<S, Params> {
  readonly type: 'read'
}

/** A shape that changes data: what `useFetcher` takes. */
// eslint-disable-next-line typescript/no-explicit-any
export interface MutateShape<S extends Schema | undefined = any, Params = any, Body = any> extends FetchShape<
  S,
  Params,
  Body
> {
  readonly type: 'mutate'
}

/** A shape that deletes the record that its params name, whatever the server answers. */
// eslint-disable-next-line typescript/no-explicit-any
export interface DeleteShape<S extends Schema | undefined = any, Params = any> extends FetchShape<S, Params> {
  readonly type: 'delete'
}

/** The params of a member of a class. */
export type ShapeParams = Readonly<object>

/** A shape of a class. Its type says what its calls give; a subclass may give it another schema. */
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

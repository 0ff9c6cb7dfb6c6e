import type { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import type {
  DataOf,
  EndpointLike,
  FetchContext,
  FetchFunction,
  ReadEndpoint,
  Updates,
} from '../endpoint/endpoint.js'
import { contractOf } from '../schema/contract-of.js'
import { CollectionChange, CollectionSchema } from '../schema/collection.js'
import { DeleteSchema, isDeletable } from '../schema/delete.js'
import type { StoreNormalizeDelegate } from '../schema/delegates.js'
import type { Denormalize } from '../schema/denormalized.js'
import { planOf } from '../schema/entity-plan.js'
import { MembersSchema } from '../schema/members-schema.js'
import { ObjectSchema } from '../schema/object.js'
import { isEntityClass } from '../schema/schema.js'
import type { EntityClass, NormalizeDelegate, PayloadKey, Schema, SchemaContract } from '../schema/schema.js'
import { isPlainObject } from '../util/plain.js'
import { keepIds } from './keep-ids.js'
import { internSchema } from './same.js'
import type { FetchShape, ReadShape } from './shapes.js'
import { getOrMake } from '../util/get-or-make.js'

/** A shape, or an endpoint in its place, for the hooks of generation 4.5. */
export type ShapeLike = FetchShape | EndpointLike

/** A shape or an endpoint that reads. */
export type ReadShapeLike = ReadShape | ReadEndpoint

/** The data of a shape, or of an endpoint. */
export type DataOfShape<S> = S extends { readonly getFetchKey: unknown; readonly schema: infer Declared }
  ? 0 extends 1 & Declared
    ? DataOf<S>
    : Declared extends Schema
      ? Denormalize<Declared>
      : S extends { fetch(...args: never): Promise<infer Value> }
        ? Value
        : unknown
  : DataOf<S>

/** The params of a shape, or of an endpoint. */
export type ParamsOfShape<S> = S extends { getFetchKey(params: infer Params): string }
  ? Params
  : S extends (...args: infer Args) => unknown
    ? Args extends readonly []
      ? Readonly<object>
      : Args[0]
    : never

/** The data of a hook, for a shape and params that may be `null`. */
export type ShapeData<S, Params> = 0 extends 1 & Params
  ? DataOfShape<S>
  : [Params] extends [null]
    ? undefined
    : null extends Params
      ? DataOfShape<S> | undefined
      : DataOfShape<S>

/** The body of a shape, or of an endpoint. */
export type BodyOfShape<S> = S extends {
  readonly getFetchKey: unknown
  fetch(params: never, body?: infer Body): unknown
}
  ? Body
  : // An endpoint checks its body itself.
    // eslint-disable-next-line typescript/no-explicit-any
    any

/**
 * A result that changes with a mutation: its shape and params, and a function that returns its new ids, given the ids
 * of the response and its current ids. Results that were never fetched are skipped.
 */
export type UpdateParam = readonly [
  shape: ShapeLike,
  params: Readonly<object>,
  // The form of ids depends on the schemas of both shapes.
  // eslint-disable-next-line typescript/no-explicit-any
  update: (source: any, destination: any) => unknown,
]

/**
 * The function that `useFetcher` returns: sends the request, and resolves with the response as read from the cache.
 */
export type ShapeFetcher<S> = (
  params: ParamsOfShape<S>,
  body?: BodyOfShape<S>,
  updates?: readonly UpdateParam[],
) => Promise<DataOfShape<S>>

/** A call of `useResource` with several shapes. */
export type ShapeCall = readonly [shape: ReadShapeLike, params: Readonly<object> | null]

/** Checks each of several calls. */
export type CheckedShapeCalls<Calls extends readonly ShapeCall[]> = {
  readonly [Index in keyof Calls]: Calls[Index] extends readonly [infer S, unknown]
    ? readonly [shape: S, params: ParamsOfShape<S> | null]
    : never
}

/** The data of several calls. */
export type DataOfShapeCalls<Calls extends readonly (readonly [unknown, unknown])[]> = {
  readonly [Index in keyof Calls]: ShapeData<Calls[Index][0], Calls[Index][1]>
}

/** The endpoint of a shape. It sends requests by the shape that it was last given. */
class ShapeEndpoint extends Endpoint<FetchFunction, { readonly sideEffect: boolean }> {
  get isPartial(): boolean {
    return true
  }

  /** The key identifies the call, whatever function sends the request. */
  override sharesRequestWith(other: EndpointLike): boolean {
    return other instanceof ShapeEndpoint
  }
}

const endpoints = new WeakMap<FetchShape, EndpointLike>()
/** The current shape of each endpoint. */
const asking = new WeakMap<EndpointLike, { shape: FetchShape }>()

/** Returns the endpoint of a shape, the same one for the same shape. Returns an endpoint unchanged. */
export function toEndpoint(shape: ShapeLike): EndpointLike {
  // The hook that reads it rejects any other value.
  if (typeof (shape as Partial<FetchShape> | undefined)?.getFetchKey !== 'function')
    return shape as EndpointLike
  return getOrMake(endpoints, shape as FetchShape, () => endpointOfShape(shape as FetchShape))
}

/**
 * Returns the endpoint of a shape that may be a new object in each render. If it names the same call as the last
 * shape, the last endpoint is returned, which now uses the new shape (L1).
 */
export function toEndpointAfter(
  last: EndpointLike | undefined,
  shape: ShapeLike,
  params: unknown,
): EndpointLike {
  const next = toEndpoint(shape)
  const from = last === undefined ? undefined : asking.get(last)
  if (last === undefined || from === undefined || !isSameFetch(last, next, params)) return next
  from.shape = shape as FetchShape
  return last
}

function isSameFetch(last: EndpointLike, next: EndpointLike, params: unknown): boolean {
  if (last === next) return true
  if (last.schema !== next.schema || last.sideEffect !== next.sideEffect || !asking.has(next)) return false
  return params !== null && last.key(params) === next.key(params)
}

function endpointOfShape(shape: FetchShape): EndpointLike {
  const current = { shape }
  const fetch = function (this: FetchContext, params: unknown, body?: unknown) {
    const { signal, transport } = this
    return current.shape.fetch.call({ __proto__: current.shape, signal, transport }, params, body)
  }
  const { type, options, name = 'FetchShape' } = shape
  const schema = shape.schema as Schema | undefined
  const endpoint = new ShapeEndpoint(
    fetch as FetchFunction,
    {
      ...options,
      name,
      key: (params: unknown) => current.shape.getFetchKey(params),
      testKey: () => false,
      schema: internSchema(type === 'delete' ? toDeletedSchema(schema) : keepIds(schema)),
      sideEffect: type !== 'read',
    } as object as { readonly sideEffect: boolean },
  )
  asking.set(endpoint as unknown as EndpointLike, current)
  return endpoint as unknown as EndpointLike
}

const deleted = new WeakMap<object, DeletedByParams>()

/** The schema that a delete removes: that of the record, also if it is in a wrapper. */
function toDeletedSchema(schema: Schema | undefined): Schema | undefined {
  const named = schema instanceof DeleteSchema ? (schema.entity as unknown) : schema
  const entity = isPlainObject(named) ? Object.values(named).find(isEntityClass) : named
  if (!isEntityClass(entity)) return isDeletable(named) ? new DeleteSchema(named) : schema
  return getOrMake(deleted, entity, () => new DeletedByParams(entity))
}

/** The schema of a delete shape: removes the record that the params identify, whatever the server responds (L4). */
class DeletedByParams implements SchemaContract {
  /** @internal */
  readonly isRemoving = true
  readonly entity: EntityClass<{ pk(): unknown }>

  constructor(entity: EntityClass<{ pk(): unknown }>) {
    this.entity = entity
  }

  normalize(_input: unknown, _parent: unknown, _key: PayloadKey, delegate: NormalizeDelegate): unknown {
    return (delegate as StoreNormalizeDelegate).remove(planOf(this.entity), delegate.args[0])
  }

  denormalize(): undefined {
    return undefined
  }
}

/**
 * Sends the request of a shape; the function of `useFetcher`.
 *
 * @param updates - the results to change in the same commit as the response
 * @returns the promise of `controller.fetch`
 */
export function fetchShape(
  controller: Controller,
  shape: ShapeLike,
  params: unknown,
  body?: unknown,
  updates?: readonly UpdateParam[],
): Promise<unknown> {
  const endpoint = toEndpoint(shape)
  const isUpdating = updates !== undefined && updates.length > 0
  const changing = isUpdating ? withUpdates(endpoint, updates) : endpoint
  const args = changing.sideEffect === true || body !== undefined ? [params, body] : [params]
  return controller.fetch(changing, ...args)
}

interface ExtendableEndpoint {
  extend(options: object): EndpointLike
}

/** A read that changes other results becomes a mutation: its response is not stored as the result of its own call. */
function withUpdates(endpoint: EndpointLike, updates: readonly UpdateParam[]): EndpointLike {
  const update = (value: unknown, ...args: readonly unknown[]): Updates => {
    const own = endpoint.update?.(value, ...args) ?? {}
    const source = endpoint.schema === undefined ? value : toIds(endpoint.schema, value, args[0])
    const named = updates.map(([shape, params, change]) => {
      const changed = toEndpoint(shape)
      const apply = (data: unknown) => change(source, toIds(changed.schema, data, params))
      return [changed.key(params), apply] as const
    })
    return mergeUpdates(own, named)
  }
  return (endpoint as EndpointLike & ExtendableEndpoint).extend({ update, sideEffect: true })
}

/** Runs several functions for one result one after the other. */
function mergeUpdates(
  own: Updates,
  named: readonly (readonly [string, (data: unknown) => unknown])[],
): Updates {
  const merged: Record<string, (data: unknown) => unknown> = { ...own }
  for (const [key, apply] of named) {
    const before = merged[key]
    merged[key] = before === undefined ? apply : (data) => apply(before(data))
  }
  return merged
}

/** Replaces records in data by ids, by its schema. Ids stay unchanged. */
function toIds(schema: Schema | undefined, data: unknown, params: unknown): unknown {
  if (schema === undefined || data === null || data === undefined) return data
  if (schema instanceof DeletedByParams) return planOf(schema.entity).pkOfArgs([params])
  if (schema instanceof CollectionSchema) return toIds(schema.content, data, params)
  if (schema instanceof CollectionChange) return toIds(schema.recordSchema, data, params)
  if (isEntityClass(schema))
    return typeof data === 'object' ? planOf(schema).pkOf(data, undefined, undefined, [params]) : data
  const contract = contractOf(schema)
  if (contract instanceof MembersSchema) {
    const { member } = contract
    if (Array.isArray(data)) return data.map((item) => toIds(member, item, params))
    return isPlainObject(data) ? mapFields(data, (value) => toIds(member, value, params)) : data
  }
  if (contract instanceof ObjectSchema && isPlainObject(data)) {
    const nested = new Map(contract.nested)
    return mapFields(data, (value, name) => toIds(nested.get(name), value, params))
  }
  return data
}

function mapFields(
  data: Readonly<Record<string, unknown>>,
  map: (value: unknown, name: string) => unknown,
): object {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, map(value, name)]))
}

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
import { MembersSchema } from '../schema/members.js'
import { ObjectSchema } from '../schema/object.js'
import { isEntityClass } from '../schema/schema.js'
import type { EntityClass, NormalizeDelegate, PayloadKey, Schema, SchemaContract } from '../schema/schema.js'
import { isPlainObject } from '../util/plain.js'
import { keepIds } from './keep-ids.js'
import { internSchema } from './same.js'
import type { FetchShape, ReadShape } from './shapes.js'

/** A shape, or an endpoint in its place: what the hooks of the 4.5 generation take. */
export type ShapeLike = FetchShape | EndpointLike

/** A shape that reads, or such an endpoint. */
export type ReadShapeLike = ReadShape | ReadEndpoint

/** What the calls of a shape, or of an endpoint, give. */
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

/** What a hook gives for a shape and params, which may be `null`. */
export type ShapeData<S, Params> = [Params] extends [null]
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
  : // What an endpoint sends is checked by itself.
    // eslint-disable-next-line typescript/no-explicit-any
    any

/**
 * Which result changes with a mutation: its shape and params, and a function from the ids of the answer and the ids that the
 * result holds to those that it holds then. What nobody fetched is left out.
 */
export type UpdateParam = readonly [
  shape: ShapeLike,
  params: Readonly<object>,
  // Ids have the form of the schemas of both shapes.
  // eslint-disable-next-line typescript/no-explicit-any
  update: (source: any, destination: any) => unknown,
]

/** What `useFetcher` gives: makes the request, and resolves with the answer as it is read from the cache. */
export type ShapeFetcher<S> = (
  params: ParamsOfShape<S>,
  body?: BodyOfShape<S>,
  updates?: readonly UpdateParam[],
) => Promise<DataOfShape<S>>

/** A call of `useResource` with several. */
export type ShapeCall = readonly [shape: ReadShapeLike, params: Readonly<object> | null]

/** What several calls have to be, one by one. */
export type CheckedShapeCalls<Calls extends readonly ShapeCall[]> = {
  readonly [Index in keyof Calls]: Calls[Index] extends readonly [infer S, unknown]
    ? readonly [shape: S, params: ParamsOfShape<S> | null]
    : never
}

/** The data of several calls. */
export type DataOfShapeCalls<Calls extends readonly (readonly [unknown, unknown])[]> = {
  readonly [Index in keyof Calls]: ShapeData<Calls[Index][0], Calls[Index][1]>
}

/** The endpoint of a shape, which asks as the shape does that it was given last. */
class ShapeEndpoint extends Endpoint<FetchFunction, { readonly sideEffect: boolean }> {
  /** The key names the call, whatever function makes the request. */
  override sharesRequestWith(other: EndpointLike): boolean {
    return other instanceof ShapeEndpoint
  }
}

const endpoints = new WeakMap<FetchShape, EndpointLike>()
/** Of each endpoint, the shape that it asks by. */
const asking = new WeakMap<EndpointLike, { shape: FetchShape }>()

/**
 * The endpoint of a shape: the same one for the same shape. An endpoint is its own.
 */
export function toEndpoint(shape: ShapeLike): EndpointLike {
  // Whatever else is given is refused by who reads it.
  if (typeof (shape as Partial<FetchShape> | undefined)?.getFetchKey !== 'function')
    return shape as EndpointLike
  let endpoint = endpoints.get(shape as FetchShape)
  if (endpoint === undefined)
    endpoints.set(shape as FetchShape, (endpoint = makeEndpoint(shape as FetchShape)))
  return endpoint
}

/**
 * The endpoint of a shape that may have been made anew: that of the last one, where both name the same call (L1). It asks
 * as the shape does.
 */
export function toEndpointAfter(
  last: EndpointLike | undefined,
  shape: ShapeLike,
  params: unknown,
): EndpointLike {
  const next = toEndpoint(shape)
  const from = last === undefined ? undefined : asking.get(last)
  if (last === undefined || from === undefined || !isSameCall(last, next, params)) return next
  from.shape = shape as FetchShape
  return last
}

function isSameCall(last: EndpointLike, next: EndpointLike, params: unknown): boolean {
  if (last === next) return true
  if (last.schema !== next.schema || last.sideEffect !== next.sideEffect || !asking.has(next)) return false
  return params !== null && last.key(params) === next.key(params)
}

function makeEndpoint(shape: FetchShape): EndpointLike {
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
      schema: internSchema(type === 'delete' ? toDeleted(schema) : keepIds(schema)),
      sideEffect: type !== 'read',
    } as object as { readonly sideEffect: boolean },
  )
  asking.set(endpoint as unknown as EndpointLike, current)
  return endpoint as unknown as EndpointLike
}

const deleted = new WeakMap<object, DeletedByParams>()

/** What a delete removes: the record, or the one in a wrapper. */
function toDeleted(schema: Schema | undefined): Schema | undefined {
  const named = schema instanceof DeleteSchema ? (schema.entity as unknown) : schema
  const entity = isPlainObject(named) ? Object.values(named).find(isEntityClass) : named
  if (!isEntityClass(entity)) return isDeletable(named) ? new DeleteSchema(named) : schema
  let made = deleted.get(entity)
  if (made === undefined) deleted.set(entity, (made = new DeletedByParams(entity)))
  return made
}

/** The answer of a delete shape: the record that the params name goes, whatever the server says of another (L4). */
class DeletedByParams implements SchemaContract {
  /** @internal */
  readonly isRemoving = true
  readonly entity: EntityClass<{ pk(): unknown }>

  constructor(entity: EntityClass<{ pk(): unknown }>) {
    this.entity = entity
  }

  normalize(_input: unknown, _parent: unknown, _key: PayloadKey, delegate: NormalizeDelegate): unknown {
    return (delegate as StoreNormalizeDelegate).remove([planOf(this.entity)], delegate.args[0])
  }

  denormalize(): undefined {
    return undefined
  }
}

/**
 * Makes the request of a shape, as the function that `useFetcher` gives.
 *
 * @param updates - which results change with the answer, in the same commit
 * @returns what `controller.fetch` gives
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

interface Extendable {
  extend(options: object): EndpointLike
}

/** A read that changes other results does what a mutation does: its answer is not that of its own call. */
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
  return (endpoint as EndpointLike & Extendable).extend({ update, sideEffect: true })
}

/** Several functions for one result run one after the other. */
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

/** Data with ids in the place of its records, by its schema. What is an id already stays one. */
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

import { queryOf } from '@selfsame/core/bindings'
import type {
  Denormalize,
  FetchFunction,
  NoEndpoint,
  NullableArgs,
  Queryable,
  SchemaArgs,
} from '@selfsame/core'
import { toGetter } from './arguments.js'
import type { GivenQueryArgs, QueryableIn, Reactive, ReactiveArgs } from './arguments.js'
import type { ValueHandle } from './use-observer.svelte.js'
import { useCached } from './use-suspense.js'
import { controllerOf } from './with-options.svelte.js'

/** The result of `useQuery`. As a store it has the value of `current`. */
export interface QueryHandle<Value> extends ValueHandle<Value | undefined> {
  /** The value, the same object until its content changes; `undefined` if there is no data. */
  readonly current: Value | undefined
}

/**
 * Reads data from the cache without an endpoint: the value of a `Query`, a record, a list. Never fetches, and needs
 * no boundary.
 *
 * @param queryable - a `Query`, an Entity class, or a schema that arguments can identify (All, Collection, Union).
 *   Pass a getter or a store if it changes
 * @param args - the arguments of the Query, or those that identify the record or list, or `null` to read nothing:
 *   values, getters or stores. A single getter that returns a list supplies all arguments
 * @returns a handle; its `current` is the result of `controller.get`
 * @throws what the function of a Query throws, until the data that it read changes.
 *   {SelfsameError} `provider-missing` outside a `DataProvider`; when it is read, `not-queryable` for a schema
 *   that arguments cannot identify
 * @see specification 2.1, 4.5
 * @example
 * const todo = useQuery(Todo, () => ({ id }))
 * const open = useQuery(openTodos, { userId: 1 })
 * // {#each open.current ?? [] as todo (todo.id)}<li>{todo.title}</li>{/each}
 */
export function useQuery<
  const Q extends Reactive<Queryable> | FetchFunction,
  const A extends ReactiveArgs<NullableArgs<SchemaArgs<QueryableIn<Q>>>>,
>(queryable: Q & NoEndpoint<Q>, ...args: GivenQueryArgs<Q, A>): QueryHandle<Denormalize<QueryableIn<Q>>> {
  const read = toGetter(queryable)
  // `queryOf` rejects anything but a queryable.
  const endpoint = () => queryOf(read() as Queryable)
  const controller = controllerOf(queryable)
  return useCached<Denormalize<QueryableIn<Q>>, {}>('useQuery', endpoint, args, controller)
}

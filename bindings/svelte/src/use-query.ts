import { queryOf } from '@selfsame/core/bindings'
import type { Denormalize, NullableArgs, Queryable, SchemaArgs } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { toGetter } from './arguments.js'
import type { QueryableIn, Reactive, ReactiveArgs, WithOptions } from './arguments.js'
import { toHandle, useObserver } from './use-observer.svelte.js'
import type { ValueHandle } from './use-observer.svelte.js'

/** What `useQuery` gives. As a store it gives the same as `current`. */
export interface QueryHandle<Value> extends ValueHandle<Value | undefined> {
  /** The value, the same object until something inside it changes; `undefined` when there is nothing. */
  readonly current: Value | undefined
}

const readCached = <Data>(observer: Observer<Data>): Data | undefined => observer.cached()

/**
 * Reads what arguments name from the cache, without an endpoint: the value of a `Query`, a record, a list. Never
 * fetches, and needs no boundary.
 *
 * @param queryable - a `Query`, an Entity class, or a schema that arguments can name (All, Collection, Union). A getter
 *   or a store of one, where it changes
 * @param args - the arguments of the Query, or what names the record or list, or `null` to read nothing: values,
 *   getters or stores. A lone getter that gives a list gives all arguments
 * @returns a handle, whose `current` is what `controller.get` gives
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`; where it is read, `not-queryable` for a schema that
 *   arguments cannot identify
 * @see specification 2.1, 4.5
 * @example
 * const todo = useQuery(Todo, () => ({ id }))
 * const open = useQuery(openTodos, { userId: 1 })
 * // {#each open.current ?? [] as todo (todo.id)}<li>{todo.title}</li>{/each}
 */
export function useQuery<
  const Q extends Reactive<Queryable>,
  const A extends WithOptions<ReactiveArgs<NullableArgs<SchemaArgs<QueryableIn<Q>>>>>,
>(queryable: Q, ...args: A): QueryHandle<Denormalize<QueryableIn<Q>>> {
  const read = toGetter(queryable)
  // What is no queryable is refused there.
  const endpoint = () => queryOf(read() as Queryable)
  return toHandle(useObserver('useQuery', endpoint, args, readCached<Denormalize<QueryableIn<Q>>>))
}

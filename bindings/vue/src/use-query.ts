import { queryOf } from '@selfsame/core/bindings'
import type {
  Denormalize,
  FetchFunction,
  NoEndpoint,
  NullableArgs,
  Queryable,
  SchemaArgs,
} from '@selfsame/core'
import type { Ref } from 'vue'
import { sourceOf } from './arguments.js'
import type { QueryableIn, ReactiveArgs, Source, GivenQueryArgs } from './arguments.js'
import { useCached } from './use-suspense.js'

/**
 * Reads data from the cache without an endpoint, and updates with it: the value of a `Query`, a record, a list. Never
 * fetches.
 *
 * @param queryable - a `Query`, an Entity class, or a schema that arguments can identify (All, Collection, Union); or
 *   a ref or getter of one
 * @param args - the arguments of the Query, or those that identify the record or list, each a value, a ref or a
 *   getter, or one getter that returns the list of all; a first argument of `null` reads nothing
 * @returns a readonly shallow ref of the result of `controller.get`: one object until its content changes;
 *   `undefined` if there is no data, and for `null`
 * @throws what the function of a Query throws, until the data that it read changes.
 *   {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`; `not-queryable` for a schema
 *   that arguments cannot identify
 * @see specification 2.1, 4.5
 * @example
 * const todo = useQuery(Todo, () => ({ id: props.id }))
 * const open = useQuery(openTodos, { userId: 1 })
 */
export function useQuery<
  const Q extends Source<Queryable> | FetchFunction,
  const Args extends ReactiveArgs<NullableArgs<SchemaArgs<QueryableIn<Q>>>>,
>(
  queryable: Q & NoEndpoint<Q>,
  ...args: GivenQueryArgs<Q, Args>
): Readonly<Ref<Denormalize<QueryableIn<Q>> | undefined>> {
  type Data = Denormalize<QueryableIn<Q>>
  return useCached<Data>('useQuery', () => queryOf(sourceOf<Queryable>(queryable)), args)
}

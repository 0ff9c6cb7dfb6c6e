import { queryOf } from '@selfsame/core/bindings'
import type {
  Denormalize,
  KnownArgs,
  NullableArgs,
  Queryable,
  QueryableOnly,
  Schema,
  SchemaArgs,
} from '@selfsame/core'
import { useCached } from './use-suspense.js'

/**
 * Reads data from the cache without an endpoint: the value of a `Query`, a record, a list. Never fetches and never
 * suspends.
 *
 * @param queryable - a `Query`, an Entity class, or a schema that arguments can identify (All, Collection, Union).
 *   Create it outside components: one that is created in a render is a new queryable each time
 * @param args - the arguments of the Query, or those that identify the record or list; `null` to read nothing
 * @returns the same as `controller.get`: one object until its content changes; `undefined` if there is no data, and for
 *   `null`
 * @throws what the function of a Query throws, until the data that it read changes.
 *   {SelfsameError} `provider-missing` outside a `DataProvider`; `not-queryable` for a schema that arguments cannot
 *   identify
 * @see specification 2.1, 4.5
 * @example
 * const todo = useQuery(Todo, { id: 5 })
 * const open = useQuery(openTodos, { userId: 1 })
 */
export function useQuery<const Q extends Schema, const A extends NullableArgs<SchemaArgs<Q>>>(
  queryable: Q & QueryableOnly<Q>,
  ...args: KnownArgs<A, NullableArgs<SchemaArgs<Q>>>
): Denormalize<Q> | undefined {
  return useCached('useQuery', queryOf(queryable as Queryable), args)
}

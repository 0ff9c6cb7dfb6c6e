import { withOptionsBy } from '@selfsame/core/bindings'
import type { CacheableEndpoint, Queryable, ReaderOptions } from '@selfsame/core'
import { toValue, watch } from 'vue'
import type { MaybeRefOrGetter } from 'vue'

/** Options of one reader, each a value, a ref or a getter. */
export type ReactiveOptions = {
  readonly [Name in keyof ReaderOptions]: MaybeRefOrGetter<ReaderOptions[Name]>
}

/**
 * Sets options for one reader. They travel with the endpoint, because composables take any number of arguments: the call,
 * its key, its request and its data are those of the endpoint itself. A changed option requests nothing.
 *
 * @param endpoint - an endpoint, a `Query` or another queryable
 * @param options - values, refs or getters; options that the endpoint has already are kept, where these do not name them
 * @returns a value to pass to a composable in place of the endpoint, and to nothing else
 * @see specification 4.5, Options of one reader
 * @example
 * const todos = await useSuspense(withOptions(todoResource.getList, { keepPrevious: true }), () => ({ page: page.value }))
 */
export function withOptions<E extends CacheableEndpoint | Queryable>(
  endpoint: E,
  options: ReactiveOptions,
): E {
  return withOptionsBy(endpoint, options, toValue, (get, tell) => watch(get, tell))
}

import { keepingPrevious } from '@selfsame/core/bindings'
import type { ReadEndpoint } from '@selfsame/core'
import { toGetter } from './arguments.js'
import type { HookArgs, HookData, Reactive, GivenArgs } from './arguments.js'
import { useDLE } from './use-dle.js'
import type { DLEHandle } from './use-dle.js'
import { withController } from './with-options.svelte.js'

/**
 * Is `useDLE` with the option `keepPrevious`: the previous data stays on screen while the call of other arguments is fetched.
 * Meanwhile `isLast` is `true`.
 *
 * @param endpoint - an endpoint that reads; pass a getter or a store if it changes
 * @param args - its arguments, or `null` to read nothing: values, getters or stores. A single getter that returns a
 *   list supplies all arguments
 * @returns the handle of `useDLE`
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5, Options of one reader
 * @example
 * const todos = useLast(todoResource.getList, () => ({ page }))
 * // <ul class:dimmed={todos.isLast}>{#each todos.data ?? [] as todo (todo.id)}<li>{todo.title}</li>{/each}</ul>
 */
export function useLast<E extends Reactive<ReadEndpoint>, const A extends HookArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, A>
): DLEHandle<HookData<E, A>> {
  const now = toGetter(endpoint)
  // A getter of an endpoint is an endpoint of a hook like any other.
  const source = withController(() => keepingPrevious(now()), endpoint) as unknown as E
  return useDLE<E, A>(source, ...args)
}

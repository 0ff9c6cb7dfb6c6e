import { withOptionsBy } from '@selfsame/core/bindings'
import type { CacheableEndpoint, Controller, Queryable, ReaderOptions } from '@selfsame/core'
import { isReactive, toGetter } from './arguments.js'
import type { Reactive } from './arguments.js'

/** Options of one reader, each a value, a store or a getter. */
export type ReactiveOptions = {
  readonly [Name in keyof ReaderOptions]: Reactive<ReaderOptions[Name]>
} & {
  /**
   * The Controller to use outside components, which have no provider: in a `.svelte.ts` module or `$effect.root`.
   */
  readonly controller?: Controller | undefined
}

const controllers = new WeakMap<object, Controller>()

/** The Controller that `withOptions` gave to an endpoint. */
export function controllerOf(endpoint: unknown): Controller | undefined {
  return controllers.get(Object(endpoint) as object)
}

/** Gives the Controller of an endpoint to what replaces it. */
export function withController<Made extends object>(made: Made, endpoint: unknown): Made {
  const controller = controllerOf(endpoint)
  if (controller !== undefined) controllers.set(made, controller)
  return made
}

/**
 * Sets options for one reader. They travel with the endpoint, because hooks take any number of arguments: the call, its
 * key, its request and its data are those of the endpoint itself. A changed option requests nothing.
 *
 * @param endpoint - an endpoint, a `Query` or another queryable
 * @param options - values, stores or getters; options that the endpoint has already are kept, where these do not name them
 * @returns a value to pass to a hook in place of the endpoint, and to nothing else
 * @see specification 4.5, Options of one reader
 * @example
 * const todos = useSuspense(withOptions(todoResource.getList, { keepPrevious: true }), () => ({ page }))
 * @example
 * // In a module, where there is no component
 * export const todo = useSuspense(withOptions(todoResource.get, { controller }), { id: 5 })
 */
export function withOptions<E extends CacheableEndpoint | Queryable>(
  endpoint: E,
  options: ReactiveOptions,
): E {
  const { controller = controllerOf(endpoint) } = options
  const made = withOptionsBy(endpoint, options, currentOf, follow)
  if (controller !== undefined) controllers.set(made as object, controller)
  return made
}

function currentOf(value: unknown): unknown {
  return isReactive(value) ? toGetter(value)() : value
}

function follow(get: () => unknown, tell: () => void): () => void {
  return $effect.root(() => {
    $effect(() => {
      get()
      tell()
    })
  })
}

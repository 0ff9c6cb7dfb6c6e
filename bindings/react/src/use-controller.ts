import { development, errors } from '@selfsame/core/bindings'
import type { Controller } from '@selfsame/core'
import { ProvidedContext, providedContexts } from './context.js'
import type { Provided } from './context.js'
import { use } from './use.js'

/**
 * Returns the Controller of the nearest `DataProvider`, to fetch, change and invalidate data.
 *
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`
 * @see specification 4.5
 * @example
 * const controller = useController()
 * const complete = () => controller.fetch(todoResource.partialUpdate, { id }, { completed: true })
 */
export function useController(): Controller {
  return useControllerFor('useController()')
}

/** @param call - the hook as the error names it: `useDebounce()` */
export function useControllerFor(call: string): Controller {
  return useProvided(String, call).controller
}

/**
 * Takes a function and its arguments, because a closure would be an object of each reader.
 *
 * @param name - returns the hook as the error names it: `useSuspense(Todo.get)`
 */
export function useProvided<Of>(name: (hook: string, of?: Of) => string, hook: string, of?: Of): Provided {
  const provided = use(ProvidedContext)
  if (provided !== undefined) return provided
  throw errors.providerMissing(name(hook, of), development ? remedy() : '')
}

function remedy(): string {
  const isOfCopy = [...providedContexts()].some((context) => use(context) !== undefined)
  return isOfCopy ? remedyForCopies : 'Wrap the app in <DataProvider>.'
}

/** The hook and its endpoint, as an error names them. */
export const nameOfReader = (hook: string, endpoint?: { readonly name?: string }): string =>
  `${hook}(${endpoint?.name ?? ''})`

const remedyForCopies = `There is a <DataProvider>, but it comes from another copy of @selfsame/react.
  Load only one copy: look at \`npm ls @selfsame/react\`, or add the package to \`resolve.dedupe\` of the bundler.`

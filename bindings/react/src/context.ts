import type { Controller } from '@selfsame/core'
import type { Boundary, Calls } from '@selfsame/core/bindings'
import { createContext } from 'react'
import type { Context } from 'react'

/** What a `DataProvider` gives to the hooks below it: a new object after each reset of the Controller. */
export interface Provided {
  readonly controller: Controller
  readonly calls: Calls
  /** `true` if a server rendered the provider, so that readers below it may render what the server did. */
  readonly isServed: boolean
}

export const ProvidedContext = createContext<Provided | undefined>(undefined)

/** The nearest `AsyncBoundary`; readers report their errors to it. */
export const BoundaryContext = createContext<Boundary | undefined>(undefined)

/**
 * The contexts of all copies of this package that rendered a provider. A hook without a provider uses them to say
 * whether another copy has one (specification B7). The global object is the one thing that all copies share. It holds
 * no Controller.
 */
export function providedContexts(): Set<Context<Provided | undefined>> {
  const shared = globalThis as { [key: symbol]: Set<Context<Provided | undefined>> | undefined }
  return (shared[Symbol.for('@selfsame/react')] ??= new Set())
}

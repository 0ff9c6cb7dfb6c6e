import type { Controller } from '@selfsame/core'
import type { Boundary } from '@selfsame/core/bindings'
import { createContext } from 'react'
import type { Context } from 'react'

/** The Controller of the nearest `DataProvider`. */
export const ControllerContext = createContext<Controller | undefined>(undefined)

/** The number of resets of that Controller. */
export const ResetsContext = createContext(0)

/** The nearest `AsyncBoundary`; readers report their errors to it. */
export const BoundaryContext = createContext<Boundary | undefined>(undefined)

/**
 * The contexts of all copies of this package that rendered a provider. A hook without a provider uses them to say
 * whether another copy has one (specification B7). The global object is the one thing that all copies share. It holds
 * no Controller.
 */
export function providedContexts(): Set<Context<Controller | undefined>> {
  const shared = globalThis as { [key: symbol]: Set<Context<Controller | undefined>> | undefined }
  return (shared[Symbol.for('@selfsame/react')] ??= new Set())
}

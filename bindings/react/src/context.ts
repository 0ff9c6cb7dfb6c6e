import type { Controller } from '@selfsame/core'
import type { Boundary } from '@selfsame/core/bindings'
import { createContext } from 'react'
import type { Context } from 'react'

/** The Controller of the nearest `DataProvider`. */
export const ControllerContext = createContext<Controller | undefined>(undefined)

/** How often that Controller was reset. */
export const ResetsContext = createContext(0)

/** What the nearest `AsyncBoundary` knows of the errors thrown inside of it. */
export const BoundaryContext = createContext<Boundary | undefined>(undefined)

/**
 * The contexts of all copies of this package whose provider was rendered, so that a hook that finds no provider can
 * say whether there is one of another copy (specification B7). The one thing that copies have in common is the
 * global object. No Controller is in it.
 */
export function providedContexts(): Set<Context<Controller | undefined>> {
  const shared = globalThis as { [key: symbol]: Set<Context<Controller | undefined>> | undefined }
  return (shared[Symbol.for('@selfsame/react')] ??= new Set())
}

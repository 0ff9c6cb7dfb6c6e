import { Controller } from '@selfsame/core'
import { errors } from '@selfsame/core/bindings'
import type { Boundary } from '@selfsame/core/bindings'
import { hasInjectionContext, inject, ssrContextKey } from 'vue'
import type { InjectionKey } from 'vue'

/** Registered, so that two copies of this package find one provider (specification B7). */
export const controllerKey: InjectionKey<Controller> = Symbol.for('@selfsame/vue controller')
export const boundaryKey: InjectionKey<BoundaryContext | undefined> = Symbol.for('@selfsame/vue boundary')

/** Whom a reader tells what it does. */
export interface BoundaryContext {
  /** Of the nearest `AsyncBoundary`: it shows its fallback. */
  readonly waiting: Boundary
  /** Of the nearest `AsyncBoundary` that has an `error` slot; `undefined` when there is none. */
  readonly failing: Boundary | undefined
  /** Counts how often the nearest `AsyncBoundary` made its content. */
  readonly attempt: number
  /** Says that a reader is gone which waited: the content of its attempt may wait for nothing now. */
  giveUp(attempt: number): void
}

/**
 * The Controller of the provider around.
 *
 * @param call - says who asks, for the message: `useCache(Todo.get)`
 * @throws {SelfsameError} `provider-missing`
 */
export function injectController(call: () => string): Controller {
  if (!hasInjectionContext())
    throw errors.providerMissing(call(), errors.development ? remedyForLateCalls : '')
  const controller = inject(controllerKey, undefined)
  if (controller === undefined) throw errors.providerMissing(call(), errors.development ? remedy : '')
  if (!(controller instanceof Controller))
    throw errors.providerMissing(call(), errors.development ? remedyForCopies : '')
  return controller
}

const serverControllers = new WeakSet<Controller>()

/** Says that a Controller is one of a request to a server. */
export function markAsServer(controller: Controller): void {
  serverControllers.add(controller)
}

/** Whether this runs on a server: in a render, or before it, in a store or guard of a request. */
export function isOnServer(controller: Controller): boolean {
  return inject(ssrContextKey, undefined) !== undefined || serverControllers.has(controller)
}

const remedy = 'Wrap the app in <DataProvider>, or call app.use(dataPlugin).'
const remedyForLateCalls = 'Call it in setup(), before the first await, or in app.runWithContext().'
const remedyForCopies = `There is one, but with a Controller of another copy of @selfsame/core.
  Let one copy be loaded: look at \`npm ls @selfsame/core\`, or name the package in the bundler's \`resolve.dedupe\`.`

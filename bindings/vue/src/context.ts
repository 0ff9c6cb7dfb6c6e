import { Controller } from '@selfsame/core'
import { development, errors, markShared } from '@selfsame/core/bindings'
import type { Boundary, Watched } from '@selfsame/core/bindings'
import { hasInjectionContext, inject, ssrContextKey } from 'vue'
import type { InjectionKey } from 'vue'

// Vue leaves shared data alone: a record that is kept in a `ref`, in `reactive` or in Pinia stays the record. Unlike by `markRaw`, the
// mark can be replaced, because a payload may have a field of its name, and nothing is thrown for an object that an application has frozen.
markShared((value) => {
  const isFirst =
    !Object.hasOwn(value, '__v_skip') &&
    Reflect.defineProperty(value, '__v_skip', { value: true, writable: true })
  // Pinia's `$patch` merges objects into those of its state, but replaces one that has `toJSON`.
  if (isFirst && !Array.isArray(value) && !('toJSON' in value))
    Reflect.defineProperty(value, 'toJSON', { value: copyOf, writable: true })
  return isFirst
})

function copyOf(this: object): object {
  return { ...this }
}

/** A registered symbol, so that two copies of this package share one provider (specification B7). */
export const controllerKey: InjectionKey<Controller> = Symbol.for('@selfsame/vue controller')
export const boundaryKey: InjectionKey<BoundaryContext | undefined> = Symbol.for('@selfsame/vue boundary')

/** The readers of errors that refs throw: another component may read the ref, inside of another boundary. */
export const thrownBy = new WeakMap<Error, Watched>()

/** The boundaries around a reader, which it reports its state to. */
export interface BoundaryContext {
  /** The nearest `AsyncBoundary`, which shows its fallback. */
  readonly waiting: Boundary
  /** The nearest `AsyncBoundary` with an `error` slot; `undefined` if there is none. */
  readonly failing: Boundary | undefined
  /** How many times the nearest `AsyncBoundary` mounted its content. */
  readonly attempt: number
  /** A waiting reader was removed, so the content of its attempt may have no other reason to wait. */
  giveUp(attempt: number): void
}

/**
 * Returns the Controller of the nearest provider.
 *
 * @param call - the call for the error message: `useCache(Todo.get)`
 * @throws {SelfsameError} `provider-missing`
 */
export function injectController(call: () => string): Controller {
  if (!hasInjectionContext()) throw errors.providerMissing(call(), development ? remedyForLateCalls : '')
  const controller = inject(controllerKey, undefined)
  if (controller === undefined) throw errors.providerMissing(call(), development ? remedy : '')
  if (!(controller instanceof Controller))
    throw errors.providerMissing(call(), development ? remedyForCopies : '')
  return controller
}

const serverControllers = new WeakSet<Controller>()

/** Marks a Controller as one of a server request. */
export function markAsServer(controller: Controller): void {
  serverControllers.add(controller)
}

/** True on a server: during a render, or in a store or guard of a request before it. */
export function isOnServer(controller: Controller): boolean {
  return inject(ssrContextKey, undefined) !== undefined || serverControllers.has(controller)
}

const remedy = 'Wrap the app in <DataProvider>, or call app.use(dataPlugin).'
const remedyForLateCalls = 'Call it in setup(), before the first await, or in app.runWithContext().'
const remedyForCopies = `There is a DataProvider, but its Controller comes from another copy of @selfsame/core.
  Load only one copy: look at \`npm ls @selfsame/core\`, or add the package to \`resolve.dedupe\` of the bundler.`

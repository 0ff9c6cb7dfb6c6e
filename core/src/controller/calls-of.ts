import type { Calls } from './calls.js'

/**
 * The key of a Controller's calls. It is a symbol, so that applications do not meet it, and the same one in each copy
 * of this module, because a server may load a binding from a bundle and the application's Controller from a package.
 */
export const callsKey: unique symbol = Symbol.for('selfsame.calls')

/** The part of a Controller that has its calls. */
export interface CallsOwner {
  /** @internal */
  readonly [callsKey]: Calls
}

/** Returns the calls of a Controller, for observers, connections and hydration. */
export function callsOf(controller: CallsOwner): Calls {
  return controller[callsKey]
}

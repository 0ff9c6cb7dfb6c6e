import type { Calls } from './calls.js'

/**
 * Where a Controller keeps its calls. No name, so that an application does not meet them; the same symbol in each copy of this
 * module, because a server may load a binding from a bundle and the application's Controller from a package.
 */
export const callsKey: unique symbol = Symbol.for('selfsame.calls')

/** What has calls: a Controller. */
export interface CallsOwner {
  /** @internal */
  readonly [callsKey]: Calls
}

/** What a Controller has for observers, connections and hydration. */
export function callsOf(controller: CallsOwner): Calls {
  return controller[callsKey]
}

import type { Calls } from './calls.js'

/** Where a Controller keeps its calls. No name, so that an application does not meet them. */
export const callsKey = Symbol('calls')

/** What has calls: a Controller. */
export interface CallsOwner {
  /** @internal */
  readonly [callsKey]: Calls
}

/** What a Controller has for observers, connections and hydration. */
export function callsOf(controller: CallsOwner): Calls {
  return controller[callsKey]
}

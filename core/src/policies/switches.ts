import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { Occasion } from '../controller/tracer.js'
import type { EndpointLike, PolicySwitches } from '../endpoint/endpoint.js'

/** Options of every policy. */
export interface SwitchOptions {
  /** If `false`, the policy acts only on endpoints that turn it on, by the option with its name. @default true */
  readonly byDefault?: boolean | undefined
}

/** Development only: the Controllers whose `pauseOffline` was listed already. */
export const pausing = /* @__PURE__ */ new WeakSet<Controller>()

/** True if a policy acts on an endpoint. */
export function isOn(endpoint: PolicySwitches, name: keyof PolicySwitches, byDefault: boolean): boolean {
  const own = endpoint[name]
  return own === undefined ? byDefault : own !== false
}

/** Refetches Stale data of mounted readers. In development it says why, for devtools. */
export function refetchOn(
  occasion: Occasion,
  controller: Controller,
  isMeant: (endpoint: EndpointLike) => boolean,
  isOver?: (error: Error) => boolean,
): void {
  if (!development) return controller.refetchStale(isMeant, isOver)
  const calls = callsOf(controller)
  calls.occasion = occasion
  try {
    controller.refetchStale(isMeant, isOver)
  } finally {
    calls.occasion = undefined
  }
}

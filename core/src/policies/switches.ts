import type { PolicySwitches } from '../endpoint/endpoint.js'

/** Options of every policy. */
export interface SwitchOptions {
  /** If `false`, the policy acts only on endpoints that turn it on, by the option with its name. @default true */
  readonly byDefault?: boolean | undefined
}

/** True if a policy acts on an endpoint. */
export function isOn(endpoint: PolicySwitches, name: keyof PolicySwitches, byDefault: boolean): boolean {
  const own = endpoint[name]
  return own === undefined ? byDefault : own !== false
}

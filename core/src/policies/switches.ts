import type { PolicySwitches } from '../endpoint/endpoint.js'

/** Options of every policy. */
export interface SwitchOptions {
  /** Whether it acts on endpoints that do not say so themselves, by the option of its name. @default true */
  readonly byDefault?: boolean | undefined
}

/** Whether a policy acts on an endpoint. */
export function isOn(endpoint: PolicySwitches, name: keyof PolicySwitches, byDefault: boolean): boolean {
  const own = endpoint[name]
  return own === undefined ? byDefault : own !== false
}

import type { Middleware } from '../controller/controller.js'
import { browserNetwork } from './network-state.js'
import type { NetworkState } from './network-state.js'
import { isNetworkError } from './transient-errors.js'
import { isOn } from './switches.js'
import type { SwitchOptions } from './switches.js'

/** What `refetchOnReconnect` may be told. */
export interface ReconnectOptions extends SwitchOptions {
  /** What it watches. @default the network of a browser */
  readonly network?: NetworkState | undefined
}

/**
 * Fetches what readers on screen show and is Stale, and what failed because there was no response, when the network is
 * back. Boundaries that show such an error show the data once it is there.
 *
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [refetchOnReconnect()] })
 */
export function refetchOnReconnect({
  network = browserNetwork,
  byDefault = true,
}: ReconnectOptions = {}): Middleware {
  return (controller) => ({
    activate() {
      let wasOnline = network.isOnline()
      return network.subscribe(() => {
        const isBack = network.isOnline() && !wasOnline
        wasOnline = network.isOnline()
        if (!isBack) return
        controller.refetchStale((endpoint) => isOn(endpoint, 'refetchOnReconnect', byDefault), isNetworkError)
      })
    },
  })
}

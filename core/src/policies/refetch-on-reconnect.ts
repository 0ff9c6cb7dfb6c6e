import type { Middleware } from '../controller/controller.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { browserNetwork } from '../util/network-state.js'
import type { NetworkState } from '../util/network-state.js'
import { isNetworkError } from '../controller/transient-errors.js'
import { isOn, refetchOn } from './switches.js'
import type { SwitchOptions } from './switches.js'

/** Options of `refetchOnReconnect`. */
export interface ReconnectOptions extends SwitchOptions {
  /** The network to watch. @default the network of a browser */
  readonly network?: NetworkState | undefined
}

/**
 * When the platform is online again, refetches Stale data of mounted readers, and calls that failed without a
 * response. A boundary that shows such an error shows the data once it has arrived.
 *
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [refetchOnReconnect()] })
 */
export function refetchOnReconnect({
  network = browserNetwork,
  byDefault = true,
}: ReconnectOptions = {}): Middleware {
  const isMeant = (endpoint: EndpointLike) => isOn(endpoint, 'refetchOnReconnect', byDefault)
  return (controller) => ({
    activate() {
      let wasOnline = network.isOnline()
      return network.subscribe(() => {
        const isBack = network.isOnline() && !wasOnline
        wasOnline = network.isOnline()
        if (!isBack) return
        refetchOn('reconnect', controller, isMeant, isNetworkError)
      })
    },
  })
}

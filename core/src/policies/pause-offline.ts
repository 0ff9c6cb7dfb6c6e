import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import type { Controller, Middleware } from '../controller/controller.js'
import type { RequestCall } from '../controller/middleware.js'
import { waitUnlessAborted } from '../util/wait.js'
import { browserNetwork } from '../util/network-state.js'
import type { NetworkState } from '../util/network-state.js'
import { isOn, pausing } from './switches.js'
import type { SwitchOptions } from './switches.js'
import { signalOf } from './request-signal.js'

/** Options of `pauseOffline`. */
export interface PauseOptions extends SwitchOptions {
  /** Tells whether the platform is online. @default the network of a browser */
  readonly network?: NetworkState | undefined
}

/**
 * Delays reads while the platform is offline, instead of letting them fail. Meanwhile readers show stored data or
 * wait, and `fetching` is `true`. A read that loses all its readers is cancelled.
 *
 * A mutation is sent and fails, so that its caller gets the error, unless its endpoint has `pauseOffline: true`.
 * Delayed mutations are sent in the order of their calls, without waiting for each other's response. They are kept in
 * memory only: closing the page loses them. List it after `retry`: before it, further attempts are sent offline, of which
 * development warns.
 *
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [retry(), pauseOffline()] })
 */
export function pauseOffline({ network = browserNetwork, byDefault = true }: PauseOptions = {}): Middleware {
  const isMeant = ({ kind, endpoint }: RequestCall) =>
    isOn(endpoint, 'pauseOffline', kind === 'read' && byDefault)
  return (controller) => {
    if (development) pausing.add(controller)
    return {
      passesOn: true,
      async request(call, next) {
        if (isMeant(call) && !network.isOnline()) {
          countPaused(controller, call.key, 1)
          await untilOnline(call, network).finally(() => countPaused(controller, call.key, -1))
        }
        return next()
      },
    }
  }
}

function untilOnline(call: RequestCall, network: NetworkState): Promise<void> {
  let end: (() => void) | undefined
  const wait = waitUnlessAborted((go) => {
    // Some platforms call the listener immediately, with a newer state than `isOnline` returned.
    end = network.subscribe(() => {
      if (network.isOnline()) go()
    })
    return end
  }, signalOf(call))
  return wait.finally(() => end?.())
}

/**
 * Counts the paused requests of a call, which readers show. The caller may be rendering, so readers are notified in a
 * microtask.
 */
function countPaused(controller: Controller, key: string, change: 1 | -1): void {
  const calls = callsOf(controller)
  const { store } = calls
  const paused = (calls.paused ??= new Map<string, number>())
  const count = (paused.get(key) ?? 0) + change
  if (count > 0) paused.set(key, count)
  else paused.delete(key)
  for (const call of store.results.get(key) ?? []) store.touch(call)
  queueMicrotask(() => store.notify())
}

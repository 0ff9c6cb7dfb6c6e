import { callsOf } from '../controller/calls-of.js'
import type { Controller, Middleware } from '../controller/controller.js'
import type { RequestCall } from '../controller/middleware.js'
import { waitFor } from '../util/wait.js'
import { browserNetwork } from './network-state.js'
import type { NetworkState } from './network-state.js'
import { isOn } from './switches.js'
import type { SwitchOptions } from './switches.js'
import { signalOf } from './wait.js'

/** What `pauseOffline` may be told. */
export interface PauseOptions extends SwitchOptions {
  /** What says whether there is a network. @default the network of a browser */
  readonly network?: NetworkState | undefined
}

/**
 * Lets reads wait while there is no network, instead of failing. Their readers show the data that is there, or wait;
 * `fetching` is `true` meanwhile. A read without readers is dropped.
 *
 * A mutation is sent and fails, so that its caller gets the error, unless its endpoint says `pauseOffline: true`. Those
 * that wait are sent in the order in which they were made, none of them waiting for the response of another. They wait in
 * memory only: a page that is closed loses them.
 *
 * @see specification 4.5, Policies
 * @example new Controller({ middleware: [retry(), pauseOffline()] })
 */
export function pauseOffline({ network = browserNetwork, byDefault = true }: PauseOptions = {}): Middleware {
  const isMeant = ({ kind, endpoint }: RequestCall) =>
    isOn(endpoint, 'pauseOffline', kind === 'read' && byDefault)
  return (controller) => ({
    passesOn: true,
    async request(call, next) {
      if (isMeant(call) && !network.isOnline()) {
        countPaused(controller, call.key, 1)
        await untilOnline(call, network).finally(() => countPaused(controller, call.key, -1))
      }
      return next()
    },
  })
}

function untilOnline(call: RequestCall, network: NetworkState): Promise<void> {
  let end: (() => void) | undefined
  const wait = waitFor((go) => {
    // Some platforms say at once how things are, and it may be another way than was known.
    end = network.subscribe(() => {
      if (network.isOnline()) go()
    })
    return end
  }, signalOf(call))
  return wait.finally(() => end?.())
}

/** Lets readers show that a call waits. Somebody may be rendering: they are told after that. */
function countPaused(controller: Controller, key: string, change: 1 | -1): void {
  const calls = callsOf(controller)
  const { store } = calls
  const paused = (calls.paused ??= new Map<string, number>())
  const count = (paused.get(key) ?? 0) + change
  if (count > 0) paused.set(key, count)
  else paused.delete(key)
  for (const row of store.results.get(key) ?? []) store.touch(row)
  queueMicrotask(() => store.notify())
}

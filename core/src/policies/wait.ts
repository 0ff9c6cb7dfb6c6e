import type { RequestCall } from '../controller/middleware.js'
import { anySignal } from '../util/any-signal.js'
import type { Clock } from '../util/clock.js'

/** The longest time that a timer of the platform waits: milliseconds. One that is told to wait longer fires at once. */
export const longestWait = 2 ** 31 - 1

/**
 * Lets a request that is not under way wait.
 *
 * @param begin - begins the waiting; calls `go`, later than at once, when it is over
 * @param begin.returns - what ends it before
 * @returns a promise that rejects, with the reason, when the request is not wanted any more
 */
export function waitFor(call: RequestCall, begin: (go: () => void) => () => void): Promise<void> {
  const signal = anySignal(call.signal, call.endpoint.signal) ?? call.signal
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const end = begin(() => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    })
    function giveUp(): void {
      end()
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** Lets a request wait some milliseconds. A Node process does not end meanwhile: somebody awaits the answer. */
export function pass(call: RequestCall, clock: Clock, delayMs: number): Promise<void> {
  return waitFor(call, (go) => {
    const timer = clock.setTimeout(go, delayMs, { keepsAlive: true })
    return () => clock.clearTimeout(timer)
  })
}

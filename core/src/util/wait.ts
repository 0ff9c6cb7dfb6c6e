import type { Clock } from './clock.js'

/** Waits by a clock, for somebody who awaits it. @throws the signal's reason, as soon as it is aborted */
export function wait(delayMs: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    const timer = clock.setTimeout(end, delayMs, { keepsAlive: true })
    const abort = () => {
      clock.clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}

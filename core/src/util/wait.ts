import type { Clock } from './clock.js'

/**
 * Waits for something to happen.
 *
 * @param begin - begins the waiting; calls `go` when it is over
 * @param begin.returns - what ends it before
 * @param signal - ends the waiting when it is aborted, also when it was before
 * @returns a promise that rejects with the reason of the signal
 */
export function waitFor(
  begin: (go: () => void) => () => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    let isOver = false
    const end = begin(() => {
      isOver = true
      signal?.removeEventListener('abort', giveUp)
      resolve()
    })
    function giveUp(): void {
      end()
      reject(signal?.reason as Error)
    }
    if (!isOver) signal?.addEventListener('abort', giveUp, { once: true })
  })
}

/** Waits some milliseconds by a clock. A Node process does not end meanwhile: somebody awaits what follows. */
export function wait(delayMs: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return waitFor((go) => {
    const timer = clock.setTimeout(go, delayMs, { keepsAlive: true })
    return () => clock.clearTimeout(timer)
  }, signal)
}

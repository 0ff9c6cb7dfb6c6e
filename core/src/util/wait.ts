import type { Clock } from './clock.js'

/**
 * Waits for an event.
 *
 * @param begin - starts to wait, and calls `go` at the event
 * @param begin.returns - a function that stops waiting
 * @param signal - stops waiting when it is aborted, or if it already is
 * @returns a promise that rejects with the reason of the signal
 */
export function waitUnlessAborted(
  begin: (go: () => void) => () => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    let isOver = false
    const end = begin(() => {
      isOver = true
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    function onAbort(): void {
      end()
      reject(signal?.reason as Error)
    }
    if (!isOver) signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Waits some milliseconds by a clock. The timer keeps a Node process alive, because the caller awaits it. */
export function wait(delayMs: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return waitUnlessAborted((go) => {
    const timer = clock.setTimeout(go, delayMs, { keepsAlive: true })
    return () => clock.clearTimeout(timer)
  }, signal)
}

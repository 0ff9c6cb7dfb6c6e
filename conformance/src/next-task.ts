const { setImmediate } = globalThis as { readonly setImmediate?: (run: () => void) => unknown }

/**
 * Resolves in a task of its own, after all promises that are settled. Sooner than by a timer, which waits for a millisecond in Node,
 * and for four in a browser if a timer starts it.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate !== undefined) setImmediate(resolve)
    else {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => {
        port1.close()
        resolve()
      })
      port1.start()
      port2.postMessage(undefined)
    }
  })
}

/** Resolves after the timers of the platform that are due now. */
export function dueTimers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

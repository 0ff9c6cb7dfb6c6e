/** The platform's timers, even if a test replaces them later. */
const { setTimeout, clearTimeout } = globalThis

/** Resolves in the next task, after everything that is due in this one. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve)
  })
}

/** Starts a real timer, in milliseconds. @returns functions to check whether it is over and to stop it */
export function startTimeout(ms: number): { isOver(): boolean; stop(): void } {
  let isOver = false
  const timer = setTimeout(() => (isOver = true), ms)
  return { isOver: () => isOver, stop: () => clearTimeout(timer) }
}

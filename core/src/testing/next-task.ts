/** The platform's, whatever a test puts in their place later. */
const { setTimeout, clearTimeout } = globalThis

/** Waits until everything that is due in this task is done, and the next one begins. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve)
  })
}

/** Begins to measure time, in milliseconds. @returns a function that says whether it is over, and one to stop */
export function startTimeout(ms: number): { isOver(): boolean; stop(): void } {
  let isOver = false
  const timer = setTimeout(() => (isOver = true), ms)
  return { isOver: () => isOver, stop: () => clearTimeout(timer) }
}

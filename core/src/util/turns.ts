/** Runs an operation after those before it. */
export type InTurn = <Value>(run: () => Promise<Value>) => Promise<Value>

/** Makes a line of operations: each begins when those before it have ended, also by an error. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const after = last.then(run)
    last = after.catch(() => {})
    return after
  }
}

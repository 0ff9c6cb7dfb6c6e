/** Calls user code. Its error does not stop the caller: it is thrown in a microtask, so that the platform reports it. */
export function report(run: () => void): void {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

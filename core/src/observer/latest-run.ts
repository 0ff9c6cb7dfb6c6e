import { isAbort } from '../controller/error-policy.js'
import { toCaughtError } from './boundary.js'

/** What is known of the latest run of a function. Immutable. */
export interface RunState<Args extends readonly unknown[]> {
  /** Whether it is under way. */
  readonly loading: boolean
  /** Why it failed; `undefined` when it did not, was aborted, or is under way. Anything but an Error is its `cause`. */
  readonly error: Error | undefined
  /** What it was called with; `undefined` before the first run. */
  readonly lastArgs: Args | undefined
}

const neverRun: RunState<never> = Object.freeze({ loading: false, error: undefined, lastArgs: undefined })

/**
 * Runs an asynchronous function for `useLoading`, and tells of its latest run: one that began earlier and ends later
 * changes nothing.
 */
export class LatestRun<Args extends readonly unknown[], Result> {
  #call: (...args: Args) => Result | Promise<Result>
  #state: RunState<Args> = neverRun
  #runs = 0
  readonly #listeners = new Set<() => void>()

  constructor(call: (...args: Args) => Result | Promise<Result>) {
    this.#call = call
  }

  /** What is run from now on: what a function closes over is that of the last render. */
  use(call: (...args: Args) => Result | Promise<Result>): void {
    this.#call = call
  }

  readonly getSnapshot = (): RunState<Args> => this.#state

  /** Calls a function after each change of the state. @returns a function that ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** @returns what the function returns. Its rejection is handled: who does not await it reads `error` */
  readonly run = (...args: Args): Promise<Result> => {
    const run = ++this.#runs
    const end = (error: Error | undefined) => {
      if (run === this.#runs) this.#set({ loading: false, error, lastArgs: args })
    }
    this.#set({ loading: true, error: undefined, lastArgs: args })
    const promise = (async () => this.#call(...args))()
    promise.then(
      () => end(undefined),
      (thrown: unknown) => end(isAbort(thrown) ? undefined : toCaughtError(thrown)),
    )
    return promise
  }

  #set(state: RunState<Args>): void {
    this.#state = Object.freeze(state)
    for (const listener of [...this.#listeners]) listener()
  }
}

import { isAbort } from '../controller/error-policy.js'
import { SelfsameError } from '../errors.js'
import { toCaughtError } from '../errors.js'

/** The state of the latest run of a function. Immutable. */
export interface RunState<Args extends readonly unknown[]> {
  /** `true` until the run ends. */
  readonly loading: boolean
  /**
   * The error of the run; `undefined` if it did not fail, was aborted or dropped by `resetAll`, or has not ended. A thrown
   * value that is not an Error becomes the `cause` of one.
   */
  readonly error: Error | undefined
  /** The arguments of the run; `undefined` before the first run. */
  readonly lastArgs: Args | undefined
}

const neverRun: RunState<never> = Object.freeze({ loading: false, error: undefined, lastArgs: undefined })

/**
 * Runs an asynchronous function for `useLoading`, and keeps the state of its latest run. The end of an earlier run
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

  /** Replaces the function: each render passes its own, which closes over the current values. */
  use(call: (...args: Args) => Result | Promise<Result>): void {
    this.#call = call
  }

  readonly getSnapshot = (): RunState<Args> => this.#state

  /** Calls a function after each change of the state. @returns a function that ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Runs the function.
   *
   * @returns its result. A rejection that the caller ignores is not reported as unhandled, because `error` has it
   */
  readonly run = (...args: Args): Promise<Result> => {
    const run = ++this.#runs
    const end = (error: Error | undefined) => {
      if (run === this.#runs) this.#set({ loading: false, error, lastArgs: args })
    }
    this.#set({ loading: true, error: undefined, lastArgs: args })
    const promise = (async () => this.#call(...args))()
    promise.then(
      () => end(undefined),
      (thrown: unknown) => end(isDropped(thrown) ? undefined : toCaughtError(thrown)),
    )
    return promise
  }

  #set(state: RunState<Args>): void {
    this.#state = Object.freeze(state)
    for (const listener of [...this.#listeners]) listener()
  }
}

/** Returns `true` if the run was ended on purpose. What `resetAll` dropped was the last user's: the next does not see it. */
function isDropped(thrown: unknown): boolean {
  return isAbort(thrown) || (thrown instanceof SelfsameError && thrown.code === 'hard-reset')
}

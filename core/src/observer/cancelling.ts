import type { EndpointLike } from '../endpoint/endpoint.js'
import { anySignal } from '../util/any-signal.js'

/**
 * An endpoint whose calls are aborted when nobody keeps it any more, for `useCancelling`.
 */
export class Cancelling<E extends EndpointLike> {
  readonly endpoint: E
  readonly #abort = new AbortController()
  #keepers = 0

  constructor(endpoint: E) {
    const { extend } = endpoint as unknown as { extend(options: object): E }
    this.endpoint = extend.call(endpoint, { signal: anySignal(endpoint.signal, this.#abort.signal) })
  }

  get isOver(): boolean {
    return this.#abort.signal.aborted
  }

  /**
   * @returns a function that gives it up: unless somebody keeps it until the end of the task, as a framework does that
   *   mounts twice, its calls are aborted
   */
  keep(): () => void {
    this.#keepers++
    let isKept = true
    return () => {
      if (!isKept) return
      isKept = false
      this.#keepers--
      queueMicrotask(() => {
        if (this.#keepers === 0) this.#abort.abort()
      })
    }
  }
}

import type { EndpointLike } from '../endpoint/endpoint.js'
import { anySignal } from '../util/any-signal.js'

/** For `useCancelling`: an endpoint whose requests are aborted when its last component is unmounted. */
export class Cancelling<E extends EndpointLike> {
  /** The endpoint that was given. */
  readonly source: E
  readonly endpoint: E
  readonly #abort = new AbortController()
  #keepers = 0

  constructor(source: E) {
    this.source = source
    const { extend } = source as unknown as { extend(options: object): E }
    this.endpoint = extend.call(source, { signal: anySignal(source.signal, this.#abort.signal) })
  }

  get isOver(): boolean {
    return this.#abort.signal.aborted
  }

  /**
   * Keeps the requests alive.
   *
   * @returns a function that stops keeping them. The requests are aborted in a microtask, unless they are kept again
   *   until then: a framework may unmount a component and mount it again at once
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

import type { EndpointLike } from '../endpoint/endpoint.js'
import { notAnEndpoint } from '../errors.js'
import { anySignal } from '../util/any-signal.js'

/** For `useCancelling`: an endpoint whose requests are aborted when its last component is unmounted. */
export class Cancelling<E extends EndpointLike> {
  /** The endpoint that was given. */
  readonly source: E
  readonly endpoint: E
  /** Of the call whose requests are aborted; `undefined` for all calls. */
  readonly key: string | undefined
  readonly #abort = new AbortController()
  #keepers = 0

  /**
   * Returns the one of a call that is there already, otherwise a new one.
   *
   * @param find - returns the last one for the key of the call
   * @throws {SelfsameError} `argument-invalid` if the source is no endpoint
   */
  static follow<E extends EndpointLike>(
    source: E,
    args: readonly unknown[],
    find: (key: string | undefined) => Cancelling<E> | undefined,
  ): Cancelling<E> {
    if (typeof source?.key !== 'function') throw notAnEndpoint('useCancelling', source)
    const key = args[0] === null ? undefined : source.key(...args)
    const last = find(key)
    const isKept = last?.source === source && last.key === key && !last.isOver
    return isKept ? last : new Cancelling(source, key)
  }

  constructor(source: E, key?: string) {
    this.source = source
    this.key = key
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

import type { Inspect, Observer } from './observer.js'

/** What a screen shows of a call beside its data. Immutable: the same object until one of its members changes. */
export interface CallStatus {
  /** Whether a request is under way, whatever is on screen meanwhile; also while it waits for a network. */
  readonly fetching: boolean
  /** Whether that request waits until there is a network (`pauseOffline`). */
  readonly pausedOffline: boolean
  /** Whether data is there that should be fetched again. */
  readonly stale: boolean
  /** When the data was received: milliseconds since the epoch; `undefined` when there is none. */
  readonly updatedAt: number | undefined
  /**
   * When the data becomes Stale, or became: milliseconds since the epoch; `undefined` when there is none. `-Infinity` for
   * what was made Stale by `expireAll`.
   */
  readonly expiresAt: number | undefined
  /** Why the last fetch failed, also where older data is still shown; `undefined` when it did not. */
  readonly error: Error | undefined
}

/** What is shown of a call of which nothing is known, and on a server. */
export const unknownStatus: CallStatus = Object.freeze({
  fetching: false,
  pausedOffline: false,
  stale: false,
  updatedAt: undefined,
  expiresAt: undefined,
  error: undefined,
})

const known = new WeakMap<Observer, CallStatus>()

/** What a screen shows of a call now. Causes no request. */
export function statusOfCall(observer: Observer): CallStatus {
  const last = known.get(observer) ?? unknownStatus
  const next = observer.inspect(readStatus) ?? unknownStatus
  const names = Object.keys(next) as (keyof CallStatus)[]
  if (names.every((name) => Object.is(last[name], next[name]))) return last
  known.set(observer, Object.freeze(next))
  return next
}

const readStatus: Inspect<CallStatus> = (calls, call, endpoint) => {
  const { error, fetching, isReadable } = call.snapshot(calls.store.graph)
  return {
    fetching,
    pausedOffline: calls.paused?.has(call.key) === true,
    stale: isReadable && calls.status(endpoint, call) !== 'Valid',
    updatedAt: isReadable ? call.age.fetchedAt : undefined,
    expiresAt: isReadable ? calls.expiresAt(endpoint, call) : undefined,
    error,
  }
}

/**
 * Tells those who read a call when its data becomes Stale, which only time does. A timer runs while somebody shows the
 * status.
 *
 * @returns a function that ends it
 */
export function watchExpiry(observer: Observer): () => void {
  const end = observer.inspect(({ clock, store }, call) => {
    let timer: unknown
    const arm = () => {
      clock.clearTimeout(timer)
      const { expiresAt = -Infinity } = statusOfCall(observer)
      const waitMs = expiresAt - clock.now()
      if (waitMs > 0 && waitMs < Infinity) timer = clock.setTimeout(look, waitMs)
    }
    const look = () => {
      store.touch(call)
      store.notify()
      // It may have been too long for one timer.
      arm()
    }
    const unsubscribe = observer.subscribe(arm, (current) => statusOfCall(current).expiresAt)
    arm()
    return () => {
      unsubscribe()
      clock.clearTimeout(timer)
    }
  })
  return end ?? (() => {})
}

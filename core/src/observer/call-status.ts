import { isSameMembers } from '../util/plain.js'
import type { Inspect, Observer } from './observer.js'

/** The status of a call, beside its data. Immutable: the same object until one of its members changes. */
export interface CallStatus {
  /** `true` while a request is in flight, whatever is on screen; also while it waits for a network. */
  readonly fetching: boolean
  /** `true` while that request waits for a network (`pauseOffline`). */
  readonly pausedOffline: boolean
  /** `true` while that request waits for what an earlier visit has kept (`persist`). */
  readonly restoring: boolean
  /** `true` if there is data and it has expired. */
  readonly stale: boolean
  /** When the data was received: milliseconds since the epoch; `undefined` without data. */
  readonly updatedAt: number | undefined
  /**
   * When the data becomes Stale, or became Stale: milliseconds since the epoch; `undefined` without data. `-Infinity`
   * after `expireAll`.
   */
  readonly expiresAt: number | undefined
  /** The error of the last request, even while older data is still shown; `undefined` if it did not fail. */
  readonly error: Error | undefined
}

/** The status of an unknown call, and of every call on a server. */
export const unknownStatus: CallStatus = Object.freeze({
  fetching: false,
  pausedOffline: false,
  restoring: false,
  stale: false,
  updatedAt: undefined,
  expiresAt: undefined,
  error: undefined,
})

const statusByObserver = new WeakMap<Observer, CallStatus>()

/** Returns the current status of a call. Sends no request. */
export function statusOfCall(observer: Observer): CallStatus {
  const last = statusByObserver.get(observer) ?? unknownStatus
  const next = observer.inspect(readStatus) ?? unknownStatus
  if (isSameMembers(last, next)) return last
  statusByObserver.set(observer, Object.freeze(next))
  return next
}

const readStatus: Inspect<CallStatus> = (calls, call, endpoint) => {
  const { error, fetching, isReadable } = call.snapshot()
  return {
    fetching,
    pausedOffline: calls.paused?.has(call.key) === true,
    restoring: calls.restoring?.has(call.key) === true,
    stale: isReadable && calls.status(endpoint, call) !== 'Valid',
    updatedAt: isReadable ? call.age.fetchedAt : undefined,
    expiresAt: isReadable ? calls.expiresAt(endpoint, call) : undefined,
    error,
  }
}

/**
 * Notifies the readers of a call when its data becomes Stale: that is no change of the store, so a timer runs while the
 * status is on screen.
 *
 * @returns a function that ends it
 */
export function watchExpiry(observer: Observer): () => void {
  const end = observer.inspect(({ clock, store }, call) => {
    let timer: unknown
    /** Readers show the status of this time, or of a later one. */
    let lookedAt = -Infinity
    const arm = () => {
      clock.clearTimeout(timer)
      const { expiresAt = -Infinity } = statusOfCall(observer)
      if (expiresAt > lookedAt && expiresAt < Infinity)
        timer = clock.setTimeout(look, Math.max(0, expiresAt - clock.now()))
    }
    const look = () => {
      lookedAt = clock.now()
      store.touch(call)
      store.notify()
      // A timer that fired early, and an expiry further away than the limit of timers, need another one.
      arm()
    }
    const unsubscribe = observer.subscribe(arm, (current) => statusOfCall(current).expiresAt)
    // Time may have passed since the reader was rendered.
    look()
    return () => {
      unsubscribe()
      clock.clearTimeout(timer)
    }
  })
  return end ?? (() => {})
}

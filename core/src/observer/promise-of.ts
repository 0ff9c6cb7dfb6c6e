import { createSettleable } from '../util/settleable.js'
import type { Settleable, TaggedPromise } from '../util/settleable.js'
import type { Observer, Reading } from './observer.js'

interface GivenPromise<Data> {
  /** The last promise, with the functions that settle it. */
  readonly outcome: Settleable<Data>
  /** The promise after which the reader is checked again; `undefined` without one. */
  followed: TaggedPromise<undefined> | undefined
}

/** By reader, because few readers are read as a promise. */
const givenBy = new WeakMap<object, GivenPromise<unknown>>()

/**
 * Returns the data of a reader as a promise: pending while it suspends, fulfilled with its data, or rejected with the
 * error of `reading`.
 *
 * @param asks - `true` to fetch Stale data @default true
 * @returns a tagged promise: the same one until the data or the error changes, or the reader suspends again;
 *   `undefined` without arguments. A rejection that the caller ignores is not reported as unhandled
 */
export function promiseOf<Data>(observer: Observer<Data>, asks = true): TaggedPromise<Data> | undefined {
  if (observer.inspect(() => true) === undefined) return undefined
  const reading = observer.readOrFetch()
  if (asks) observer.fetchIfDue()
  const given = givenFor(observer, reading)
  const { outcome } = given
  if (reading.state === 'success') outcome.resolve(reading.data)
  else if (reading.state === 'error') outcome.reject(reading.error)
  else settleAfter(reading.promise, observer, given)
  return outcome.promise
}

/** Returns the last promise if it still agrees with the reading, else a new one. */
function givenFor<Data>(observer: Observer<Data>, reading: Reading<Data>): GivenPromise<Data> {
  // The map has the promise of this reader, so its type is that of the reader's data.
  const last = givenBy.get(observer) as GivenPromise<Data> | undefined
  if (last !== undefined && isOutcomeOf(last.outcome.promise, reading)) return last
  const outcome = createSettleable<Data>()
  outcome.promise.catch(() => {})
  const next: GivenPromise<Data> = { outcome, followed: last?.followed }
  givenBy.set(observer, next as GivenPromise<unknown>)
  return next
}

/**
 * Settles the promise when the wait ends: a reader that is not mounted has no subscription. A reader that was given up
 * sends no further request.
 */
function settleAfter<Data>(
  promise: TaggedPromise<undefined>,
  observer: Observer<Data>,
  given: GivenPromise<Data>,
): void {
  if (promise === given.followed) return
  given.followed = promise
  const look = () => {
    if (observer.isWanted || !observer.state().loading) promiseOf(observer)
  }
  // A disposed Controller throws.
  promise.then(look).catch((error: Error) => given.outcome.reject(error))
}

/** Returns `true` if the promise agrees with the reading, or is pending. */
function isOutcomeOf(promise: TaggedPromise<unknown>, reading: Reading): boolean {
  if (promise.status === 'pending') return true
  if (promise.status === 'fulfilled') return reading.state === 'success' && reading.data === promise.value
  return reading.state === 'error' && reading.error === promise.reason
}

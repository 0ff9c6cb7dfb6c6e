import { createSettleable } from '../util/settleable.js'
import type { Settleable, TaggedPromise } from '../util/settleable.js'
import type { Observer, Reading } from './observer.js'

interface Given<Data> {
  /** What was given last. */
  readonly outcome: Settleable<Data>
  /** The end of the wait after which the reader looks again; `undefined` while there is none. */
  followed: TaggedPromise<undefined> | undefined
}

/** By reader, which few are read as a promise. */
const givenBy = new WeakMap<object, Given<unknown>>()

/**
 * What `load` shows, as a promise: pending while the reader waits, fulfilled with the data that is there, rejected
 * with the error that `reading` fails with.
 *
 * @param asks - whether Stale data is fetched anew @default true
 * @returns tagged, and the same until there is other data or another error, or it has to wait again; `undefined`
 *   without arguments. Its rejection is handled
 */
export function promiseOf<Data>(observer: Observer<Data>, asks = true): TaggedPromise<Data> | undefined {
  if (observer.inspect(() => true) === undefined) return undefined
  const reading = observer.reading()
  if (asks) observer.ask()
  const given = givenFor(observer, reading)
  const { outcome } = given
  if (reading.state === 'success') outcome.resolve(reading.data)
  else if (reading.state === 'error') outcome.reject(reading.error)
  else settleAfter(reading.promise, observer, given)
  return outcome.promise
}

/** What was given last, where that still says what a reading says. */
function givenFor<Data>(observer: Observer<Data>, reading: Reading<Data>): Given<Data> {
  // It was kept for this reader.
  const last = givenBy.get(observer) as Given<Data> | undefined
  if (last !== undefined && isOutcomeOf(last.outcome.promise, reading)) return last
  const outcome = createSettleable<Data>()
  outcome.promise.catch(() => {})
  const next: Given<Data> = { outcome, followed: last?.followed }
  givenBy.set(observer, next as Given<unknown>)
  return next
}

/** A reader that was never on screen listens to nothing. One that was given up does not ask again. */
function settleAfter<Data>(
  promise: TaggedPromise<undefined>,
  observer: Observer<Data>,
  given: Given<Data>,
): void {
  if (promise === given.followed) return
  given.followed = promise
  const look = () => {
    if (observer.isWanted || observer.cached() !== undefined || observer.failure()) promiseOf(observer)
  }
  // A Controller that was disposed of cannot be asked.
  promise.then(look).catch((error: Error) => given.outcome.reject(error))
}

/** Whether a promise says what a reading says, or can still be settled by it. */
function isOutcomeOf(promise: TaggedPromise<unknown>, reading: Reading): boolean {
  if (promise.status === 'pending') return true
  if (promise.status === 'fulfilled') return reading.state === 'success' && reading.data === promise.value
  return reading.state === 'error' && reading.error === promise.reason
}

import { isSameMembers } from '../util/same-members.js'
import type { CallState, Observer } from './observer.js'

/**
 * The state of `useLast`, which shows the last data while the call of other arguments is fetched: the state of
 * `useDLE`, or with `isLast` the data of the previous call. Immutable: the same object until one of its members
 * changes.
 */
export type LastState<Data = unknown> =
  | (CallState<Data> & { readonly isLast: false })
  | { readonly data: Data; readonly loading: false; readonly error: undefined; readonly isLast: true }

/** The state without data. */
export const lastStateOfLoading = Object.freeze({
  data: undefined,
  loading: true,
  error: undefined,
  isLast: false,
} as const)

const known = new WeakMap<object, LastState>()

/**
 * Fetches Stale or Invalid data, and returns the state. An Observer that succeeds another has the data that the other
 * showed.
 */
export function loadLast<Data>(observer: Observer<Data>): LastState<Data> {
  const state = observer.load()
  const reading = state.loading ? observer.reading() : undefined
  const last = reading?.state === 'pending' ? reading.last?.data : undefined
  if (last === undefined) return keep<Data>(observer, { ...state, isLast: false } as LastState<Data>)
  return keep<Data>(observer, { data: last, loading: false, error: undefined, isLast: true })
}

/** Returns what `loadLast` returns, without a request: for a server. */
export function lastState<Data>(observer: Observer<Data>): LastState<Data> {
  return keep<Data>(observer, { ...observer.state(), isLast: false } as LastState<Data>)
}

function keep<Data>(observer: object, next: LastState<Data>): LastState<Data> {
  if (next.loading) return lastStateOfLoading
  // The state that is kept for an Observer is of its data type.
  const last = known.get(observer) as LastState<Data> | undefined
  if (last !== undefined && isSameMembers(last, next)) return last
  known.set(observer, Object.freeze(next))
  return next
}

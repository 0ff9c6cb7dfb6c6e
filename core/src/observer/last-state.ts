import type { CallState, Observer } from './observer.js'

/**
 * What a reader shows that leaves the last data on screen while the call of other arguments is fetched: what `useDLE`
 * shows, or with `isLast` the data of the call before. Immutable: the same object until one of its members changes.
 */
export type LastState<Data = unknown> =
  | (CallState<Data> & { readonly isLast: false })
  | { readonly data: Data; readonly loading: false; readonly error: undefined; readonly isLast: true }

/** What is shown without data. */
export const lastStateOfLoading = Object.freeze({
  data: undefined,
  loading: true,
  error: undefined,
  isLast: false,
} as const)

const known = new WeakMap<object, LastState>()

/** Fetches what is due. An Observer that succeeds another knows what that showed. */
export function loadLast<Data>(observer: Observer<Data>): LastState<Data> {
  const state = observer.load()
  const reading = state.loading ? observer.reading() : undefined
  const last = reading?.state === 'pending' ? reading.last?.data : undefined
  if (last === undefined) return keep<Data>(observer, { ...state, isLast: false } as LastState<Data>)
  return keep<Data>(observer, { data: last, loading: false, error: undefined, isLast: true })
}

/** What `loadLast` gives, without a fetch: on a server. */
export function lastState<Data>(observer: Observer<Data>): LastState<Data> {
  return keep<Data>(observer, { ...observer.state(), isLast: false } as LastState<Data>)
}

function keep<Data>(observer: object, next: LastState<Data>): LastState<Data> {
  if (next.loading) return lastStateOfLoading
  // What is kept for an Observer is of its data.
  const last = known.get(observer) as LastState<Data> | undefined
  if (
    last !== undefined &&
    last.data === next.data &&
    last.error === next.error &&
    last.isLast === next.isLast
  )
    return last
  known.set(observer, Object.freeze(next))
  return next
}

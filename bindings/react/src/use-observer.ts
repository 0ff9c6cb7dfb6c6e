import { Hold, Observer, callsOf, endRepeat, errors, repeat } from '@selfsame/core/bindings'
import type { CacheableEndpoint, EndpointLike } from '@selfsame/core'
import type { Followed } from '@selfsame/core/bindings'
import { useEffect, useId, useMemo, useReducer, useSyncExternalStore } from 'react'
import { ResetsContext } from './context.js'
import { useBeforePaint } from './server.js'
import { updateQuietly } from './transition.js'
import { useController, useControllerFor } from './use-controller.js'
import { use } from './use.js'

/**
 * Passed to `use()` by a render that does not suspend. React matches calls of `use()` by their order: with one call
 * less than in the suspended render, the next `use()` of the component would get the promise of this one. It is tagged
 * as fulfilled, so it never suspends.
 */
export const fulfilled = Object.assign(Promise.resolve(), { status: 'fulfilled' as const, value: undefined })

/** The result of `useObserver`, on which all reading hooks are built. */
export interface Observed<Shown, Of extends Followed = Followed> {
  readonly observer: Of
  /** The result of `read` for the state of the store that this render shows. */
  readonly shown: Shown
  /** `true` while another call of the same endpoint is on screen. */
  readonly isOther: boolean
}

/**
 * The state of a component that lasts from its first commit on. A component that suspends may create further Observers,
 * which share this hold, so that the request for its previous arguments is not kept in flight.
 */
export class Memory extends Hold {
  /** The value of the current or the next render. */
  #told: unknown
  /** The Observer of the call on screen. */
  #observer: Followed | undefined
  #endpoint: unknown

  /** The Observer on screen; `undefined` before the first commit. */
  get observer(): Followed | undefined {
    return this.#observer
  }

  show(observer: Followed, endpoint: unknown): void {
    this.#observer = observer
    this.#endpoint = endpoint
  }

  /** Returns `true` if another call of the endpoint is on screen. */
  hasOther(observer: Followed, endpoint: unknown): boolean {
    return endpoint === this.#endpoint && observer !== this.#observer
  }

  /** @returns `true` if the component has to be rendered */
  tell(now: unknown): boolean {
    if (now === this.#told) return false
    this.#told = now
    return true
  }
}

/** The React state of a reader: a new object makes it read again. */
interface Moment {
  readonly memory: Memory
}

const begin = (): Moment => ({ memory: new Memory() })
const renew = ({ memory }: Moment): Moment => ({ memory })

/**
 * Watches a call for a component, with one Observer for each call: new objects for the same endpoint options and
 * arguments do not replace it.
 *
 * @param hook - the name of the hook, for messages
 * @param read - returns what the hook shows; the same function in each render
 * @param onShown - called when the component is mounted with another call, or shown again
 */
export function useObserver<Data, Shown>(
  hook: string,
  endpoint: CacheableEndpoint & Partial<EndpointLike>,
  args: readonly unknown[],
  read: (observer: Observer<Data>) => Shown,
  onShown?: (observer: Observer<Data>) => void,
): Observed<Shown, Observer<Data>> {
  const controller = useControllerFor(`${hook}(${endpoint?.name ?? ''})`)
  if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint(hook, endpoint)
  const call = args[0] === null ? undefined : callsOf(controller).call(endpoint, args)
  const { dataExpiryLength, invalidIfStale, policy } = endpoint
  const make = (memory: Memory) => {
    const observer = new Observer<Data>(controller, endpoint, args, memory, call)
    const before = memory.observer
    // `useLast` shows the data of the previous call of the endpoint.
    if (before instanceof Observer && memory.hasOther(observer, endpoint)) observer.succeed(before)
    return observer
  }
  const follow = (observer: Observer<Data>) => observer.follow(endpoint, args)
  const key = [controller, call, dataExpiryLength, invalidIfStale, policy]
  return useWatched(make, key, follow, read, onShown, endpoint)
}

/**
 * Watches the observer that `make` creates, for as long as the key stays the same.
 *
 * A change of the store becomes a React state update with the priority of its cause. A change made in a transition is
 * therefore part of that transition: the old screen stays while the new one suspends. `useSyncExternalStore` would
 * render it immediately, and a deferred value would come one render late, which loses the caret of an input that edits
 * a record. Only a reset is an external store, in `DataProvider`.
 *
 * @param key - has the same length in each render
 * @param follow - passes the current render on to the observer
 * @param endpoint - of the call, to detect whether another call of it is on screen
 */
export function useWatched<Of extends Followed, Shown>(
  make: (memory: Memory) => Of,
  key: readonly unknown[],
  follow: (observer: Of) => void,
  read: (observer: Of) => Shown,
  onShown?: (observer: Of) => void,
  endpoint?: unknown,
): Observed<Shown, Of> {
  const resets = use(ResetsContext)
  // The lint rules assume that dependencies are values that the function uses. Here they say when the store has other
  // data, and that new objects for endpoint and arguments are the same call.
  /* eslint-disable react/use-memo, react/memo-dependencies, react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps */
  const [moment, update] = useReducer(renew, undefined, begin)
  const { memory } = moment
  const observer = useMemo(() => make(memory), key)
  follow(observer)

  const shown = useMemo(() => read(observer), [observer, moment, resets])

  const tell = () => {
    if (memory.tell(read(observer))) updateQuietly(update)
  }
  // Changes between this render and its commit, or while an Activity was hidden, notified no listener. Compare before
  // the browser paints, so that no frame shows two values of one record. Only compare: React runs the cleanup of a
  // layout effect when a boundary shows its fallback.
  useBeforePaint(() => {
    memory.show(observer, endpoint)
    memory.tell(shown)
    tell()
  }, [observer])
  useEffect(() => {
    const end = observer.subscribe(tell)
    const release = observer.retain()
    tell()
    onShown?.(observer)
    return () => {
      end()
      release()
      observer.leave()
    }
  }, [observer])
  return { observer, shown, isOther: memory.hasOther(observer, endpoint) }
}

/**
 * Watches a call for a hook that does not suspend. In the first render of a server-rendered page it shows nothing if it
 * showed nothing on the server.
 *
 * @param blank - the state without data
 */
export function useUnawaited<Data, Shown>(
  hook: string,
  endpoint: CacheableEndpoint & Partial<EndpointLike>,
  args: readonly unknown[],
  read: (observer: Observer<Data>) => Shown,
  blank: Shown,
): Observed<Shown, Observer<Data>> {
  return useRepeated(useObserver(hook, endpoint, args, read), blank)
}

/** Shows nothing in the first render of a page if the server showed nothing. */
export function useRepeated<Shown, Of extends Followed>(
  observed: Observed<Shown, Of>,
  blank: Shown,
): Observed<Shown, Of> {
  const controller = useController()
  const place = useId()
  const isFirst = useSyncExternalStore(listenToNothing, isLater, isFirstRender)
  if (isFirst) return { ...observed, shown: repeat(controller, place, observed.shown, blank) }
  endRepeat(controller, place)
  return observed
}

const listenToNothing = () => () => {}
const isLater = () => false
const isFirstRender = () => true

import { Hold, Observer, callsOf, errors } from '@selfsame/core/bindings'
import type { CacheableEndpoint, EndpointLike } from '@selfsame/core'
import type { Followed } from '@selfsame/core/bindings'
import { useEffect, useId, useMemo, useReducer, useSyncExternalStore } from 'react'
import { ResetsContext } from './context.js'
import { useBeforePaint } from './server.js'
import { updateQuietly } from './transition.js'
import { useControllerFor } from './use-controller.js'
import { use } from './use.js'

/**
 * Used by a render that does not wait, because React counts the calls of `use()`: one less than when the component
 * suspended, and the next `use()` of the component gets what this one waited for. Tagged, so that it makes nobody wait.
 */
export const fulfilled = Object.assign(Promise.resolve(), { status: 'fulfilled' as const, value: undefined })

/** What every reading hook is made of. */
export interface Observed<Shown, Of extends Followed = Followed> {
  readonly observer: Of
  /** What `read` gave for the state of the store that this render shows. */
  readonly shown: Shown
  /** Whether another call of the same endpoint is on screen. */
  readonly isOther: boolean
}

/**
 * What lasts from the first commit on, unlike an Observer, of which a component that suspends makes others meanwhile:
 * so the request for arguments that it had before is not kept in flight.
 */
export class Memory extends Hold {
  /** What the component shows, or is about to. */
  #told: unknown
  /** Of the call on screen. */
  #observer: Followed | undefined
  #endpoint: unknown

  /** What is on screen; `undefined` before the first commit. */
  get observer(): Followed | undefined {
    return this.#observer
  }

  show(observer: Followed, endpoint: unknown): void {
    this.#observer = observer
    this.#endpoint = endpoint
  }

  /** Whether another call of an endpoint is on screen. */
  hasOther(observer: Followed, endpoint: unknown): boolean {
    return endpoint === this.#endpoint && observer !== this.#observer
  }

  /** @returns whether the component has to be rendered for that */
  tell(now: unknown): boolean {
    if (now === this.#told) return false
    this.#told = now
    return true
  }
}

/** The state of a reader: another object when it has to look again. */
interface Moment {
  readonly memory: Memory
}

const begin = (): Moment => ({ memory: new Memory() })
const renew = ({ memory }: Moment): Moment => ({ memory })

/**
 * Watches a call for a component: one Observer for each call, whatever the identity of endpoint and arguments.
 *
 * @param hook - the name of the hook, for messages
 * @param read - takes from the observer what the hook shows; a function that is the same in each render
 * @param onShown - called when the component is on screen with another call, or again
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
    // `useLast` goes on showing what another call of the endpoint gave.
    if (before instanceof Observer && memory.hasOther(observer, endpoint)) observer.succeed(before)
    return observer
  }
  const follow = (observer: Observer<Data>) => observer.follow(endpoint, args)
  const key = [controller, call, dataExpiryLength, invalidIfStale, policy]
  return useWatched(make, key, follow, read, onShown, endpoint)
}

/**
 * Watches what a function makes an observer of, for as long as a key stays the same.
 *
 * A change of the store becomes a change of React state, in the lane of whoever made it. So a change made in a
 * transition is part of that transition: the old screen stays while the new one waits. An external store would be
 * rendered at once, and a deferred value would come a render late, which loses the caret of an input that edits a
 * record. Only a reset is one, which `DataProvider` watches for all of them.
 *
 * @param key - of one length in each render
 * @param follow - tells the observer of a render
 * @param endpoint - of the call, to tell whether another call of it is on screen
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
  // The rules for dependencies know values only. Here they say when the store has another answer, and that endpoint
  // and arguments made anew are the same call as before.
  /* eslint-disable react/use-memo, react/memo-dependencies, react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps */
  const [moment, update] = useReducer(renew, undefined, begin)
  const { memory } = moment
  const observer = useMemo(() => make(memory), key)
  follow(observer)

  const shown = useMemo(() => read(observer), [observer, moment, resets])

  const tell = () => {
    if (memory.tell(read(observer))) updateQuietly(update)
  }
  // What changed since this was rendered, or while an Activity was hidden, was told to nobody. It is compared before the
  // page is painted, so that no frame shows two values of one record. Only here: what a layout effect keeps is dropped
  // when a boundary shows its fallback.
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
 * Watches a call for a hook that does not wait. In the first render of a page that a server rendered it shows nothing
 * where it showed nothing there.
 *
 * @param blank - what it shows without data
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

/** Shows nothing in the first render of a page where the server showed nothing. */
export function useRepeated<Shown, Of extends Required<Followed>>(
  observed: Observed<Shown, Of>,
  blank: Shown,
): Observed<Shown, Of> {
  const { observer, shown } = observed
  const place = useId()
  const isFirst = useSyncExternalStore(listenToNothing, isLater, isFirstRender)
  if (isFirst) return { ...observed, shown: observer.repeat(place, shown, blank) }
  observer.endRepeat(place)
  return observed
}

const listenToNothing = () => () => {}
const isLater = () => false
const isFirstRender = () => true

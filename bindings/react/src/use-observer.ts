import { Hold, Observer, development, endRepeat, endpointOf, errors, repeat } from '@selfsame/core/bindings'
import type { CacheableEndpoint, CallState, EndpointLike } from '@selfsame/core'
import type { Followed, Reading, Watched } from '@selfsame/core/bindings'
import { useEffect, useId, useMemo, useReducer, useSyncExternalStore } from 'react'
import type { Provided } from './context.js'
import { isNotServed, nothing, useBeforePaint, useServed } from './server.js'
import { updateQuietly } from './transition.js'
import { nameOfReader, useProvided } from './use-controller.js'

/**
 * Passed to `use()` by a render that does not suspend. React matches calls of `use()` by their order: with one call
 * less than in the suspended render, the next `use()` of the component would get the promise of this one. It is tagged
 * as fulfilled, so it never suspends.
 */
export const fulfilled = Object.assign(Promise.resolve(), { status: 'fulfilled' as const, value: undefined })

/**
 * The dependencies of a reading: the React state of the reader and what its provider gives, then what tells the calls of
 * a hook from each other, with the options for expiry. A call belongs to one Controller.
 */
type Key = readonly [
  moment: Moment,
  provided: Provided,
  call: unknown,
  dataExpiryLength: unknown,
  invalidIfStale: unknown,
  policy: unknown,
]

/**
 * What a reader has read of one state of the store. It is the payload of the reader's React update, so that each render
 * shows the state of its own updates, and not what another transition has written meanwhile.
 */
interface Shot<Shown, Of extends Followed = Followed> {
  readonly observer: Of
  /** The result of `read`. */
  readonly shown: Shown
  /** The store's count of changes, and that of resets, when it was read. */
  readonly at: number
  readonly resets: number
  /** The data, once a suspending hook has asked for it. */
  ready?: Reading | undefined
}

/** The result of `useObserver`, on which all reading hooks are built: one object for what one render of a reader shows. */
export interface Observed<Shown, Of extends Followed = Followed> {
  readonly observer: Of
  readonly shot: Shot<Shown, Of>
  /** The result of `read` for the state of the store that this render shows. */
  readonly shown: Shown
  readonly memory: Memory
  readonly provided: Provided
  readonly endpoint: unknown
  readonly key: Key
  /** The reading of that state, once a suspending hook has asked for it. */
  reading?: Reading
}

/**
 * The state of a component that lasts from its first commit on. A component that suspends may create further Observers,
 * which share this hold, so that the request for its previous arguments is not kept in flight.
 */
export class Memory extends Hold {
  /** What is on screen; `undefined` before the first commit. */
  onScreen: Observed<unknown> | undefined
  /** The value of the current or the next render. */
  told: unknown
  /** What the current or the next render shows; `undefined` before the first commit. */
  latest: Shot<unknown> | undefined
  /** Renders what it shows latest now. */
  showLatest: () => void = () => {}
  /** `true` while the component is hidden. When it is shown again, it checks expiry, which is no change of the store. */
  isHidden = false
  /** Itself: the first React state of its reader. */
  readonly memory = this
  readonly shot = undefined

  /** Replaces the value that the next one is compared with, unless a newer one is already on its way to the screen. */
  shows({ shot }: Observed<unknown>, value: unknown): void {
    if (this.latest === undefined || this.latest === shot) this.told = value
  }

  /** Returns `true` if another call of the endpoint is on screen. */
  hasOther(observer: Followed, endpoint: unknown): boolean {
    return endpoint === this.onScreen?.endpoint && observer !== this.onScreen?.observer
  }

  /** Returns the Observer on screen if it has the call and the options of the key. */
  kept(key: Key): Followed | undefined {
    const { onScreen } = this
    const isKept = onScreen?.key.every((part, index) => index < 2 || Object.is(part, key[index]))
    return isKept ? onScreen?.observer : undefined
  }

  /** Returns `false` if the Observer would show the same: most mounts, where a reading takes longer than this look. */
  isOutdated({ shot: { at }, provided }: Observed<unknown>): boolean {
    return this.isHidden || at !== provided.calls.store.changes
  }
}

/** The React state of a reader. */
interface Moment {
  readonly memory: Memory
  /** What it shows; `undefined` if its render reads: the first, and those of what is deleted. */
  readonly shot: Shot<unknown> | undefined
}

const begin = (): Moment => new Memory()
const renew = ({ memory }: Moment, shot: Shot<unknown> | undefined): Moment => ({ memory, shot })

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
  given: CacheableEndpoint & Partial<EndpointLike>,
  args: readonly unknown[],
  read: (observer: Observer<Data>) => Shown,
  onShown?: (observer: Observer<Data>) => void,
): Observed<Shown, Observer<Data>> {
  const endpoint = endpointOf(given)
  const page = useProvided(nameOfReader, hook, endpoint)
  if (development && typeof endpoint?.key !== 'function') throw errors.notAnEndpoint(hook, endpoint)
  const provided = useServed(page, endpoint, args)
  const { controller, calls } = provided
  const call = args[0] === null ? undefined : calls.call(endpoint, args)
  const follow = (memory: Memory, kept?: Observer<Data>) => {
    const observer = kept ?? new Observer<Data>(controller, given, args, memory, call)
    // The previous data may stay. Each is of a hook that has Observers only.
    if (kept === undefined && memory.onScreen !== undefined)
      observer.succeed(memory.onScreen.observer as Observer<Data>)
    observer.follow(given, args)
    return observer
  }
  return useWatched(provided, call, follow, read, onShown, endpoint)
}

/**
 * Watches the observer that `follow` creates, for as long as the call and the options for expiry stay the same.
 *
 * A change of the store becomes a React state update with the priority of its cause. A change made in a transition is
 * therefore part of that transition: the old screen stays while the new one suspends. `useSyncExternalStore` would
 * render it immediately, and a deferred value would come one render late, which loses the caret of an input that edits
 * a record. Only a reset is an external store, in `DataProvider`. The update carries what the reader shows: a render
 * that read the store itself would show what another transition writes while it goes on.
 *
 * @param follow - passes the current render on to the observer, which it creates if there is none
 * @param endpoint - of the call: its options for expiry, and to detect whether another call of it is on screen
 */
export function useWatched<Of extends Followed, Shown>(
  provided: Provided,
  call: unknown,
  follow: (memory: Memory, observer?: Of) => Of,
  read: (observer: Of) => Shown,
  onShown?: (observer: Of) => void,
  endpoint: Partial<EndpointLike> = {},
): Observed<Shown, Of> {
  const [moment, update] = useReducer(renew, undefined, begin)
  const { memory, shot: told } = moment
  const { dataExpiryLength, invalidIfStale, policy } = endpoint
  const key = [moment, provided, call, dataExpiryLength, invalidIfStale, policy] as const
  // The lint rules assume that dependencies are values that the function uses. Here they say when the store has other
  // data, and that new objects for endpoint and arguments are the same call.
  /* eslint-disable react/use-memo, react/memo-dependencies, react-hooks/exhaustive-deps */
  const observed = useMemo((): Observed<Shown, Of> => {
    // An Observer of the same key is of the same type.
    const kept = memory.onScreen && (memory.kept(key) as Of | undefined)
    const observer = follow(memory, kept)
    // Its own changes are of the type that it reads.
    const isTold = told?.observer === observer && told.resets === provided.calls.resets
    const shot = isTold ? (told as Shot<Shown, Of>) : shoot(observer, provided, read(observer))
    if (memory.onScreen === undefined && onShown !== undefined) noteFirst(() => onShown(observer))
    return { observer, shot, shown: shot.shown, memory, provided, endpoint, key }
  }, key)
  /* eslint-enable react/use-memo, react/memo-dependencies, react-hooks/exhaustive-deps */
  if (observed.key !== key) follow(memory, observed.observer)
  useMounted(observed, read, update, onShown)
  return observed
}

function shoot<Shown, Of extends Followed>(observer: Of, provided: Provided, shown: Shown): Shot<Shown, Of> {
  const { store, resets } = provided.calls
  return { observer, shown, at: store.changes, resets }
}

/** What the readers do when they are mounted that were rendered for the first time in this task. */
let first: (() => void)[] = []
let hasThrown = false

function noteFirst(onShown: () => void): void {
  if (first.push(onShown) > 1) return
  queueMicrotask(() => {
    const rendered = first
    first = []
    if (hasThrown) for (const each of rendered) each()
    hasThrown = false
  })
}

/**
 * A render throws, so what was rendered with it is not mounted. A Stale list whose row fails fetches nevertheless: it may not have
 * that row any more. React renders what throws once more, in a single task.
 */
export function noteThrow(): void {
  hasThrown ||= first.length > 0
}

/** The effects of a reader. A function of its own, so that they retain nothing that only its render needs. */
function useMounted<Of extends Followed, Shown>(
  observed: Observed<Shown, Of>,
  read: (observer: Of) => Shown,
  update: (shot: Shot<unknown> | undefined) => void,
  onShown: ((observer: Of) => void) | undefined,
): void {
  const { observer, memory, provided, shot } = observed
  const onceForEach = [observer]
  const show = (next: Shot<unknown>) => {
    memory.latest = next
    updateQuietly(() => update(next))
  }
  const readInRender = () => {
    isRendered(memory, observed)
    memory.latest = undefined
    updateQuietly(() => update(undefined))
  }
  const tell = () => {
    const { latest, onScreen } = memory
    // Another call was rendered, whose effects have not run yet: they catch up.
    if (onScreen?.observer !== observer) return
    // The provider renders after a reset: what is still on screen reads anew.
    if ((latest ?? onScreen?.shot)?.resets !== provided.calls.resets) return
    // What it shows is deleted. A read now would fetch it, also where a list renders first and removes this reader.
    if (latest === undefined || provided.calls.store.isReleasing) return readInRender()
    const now = read(observer)
    const ready = latest?.ready && readyOf(observer)
    if (now !== memory.told) {
      memory.told = now
      show({ ...shoot(observer, provided, now), ready })
      waitsForRender(memory, observed)
    } else if (latest?.observer === observer && ready !== undefined) {
      // The same part of other data: the next selector selects from these.
      latest.ready = ready
    }
  }
  /** Shows what was changed since its render. @returns `true` if that was deleted, so that the next render fetches it */
  const catchUp = () => {
    const isDeleted = observer.members.some((each) => each.isDeleted)
    if (isDeleted) readInRender()
    else tell()
    return isDeleted
  }
  /* eslint-disable react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps */
  // Changes between this render and its commit, or while an Activity was hidden, notified no listener. Compare before
  // the browser paints, so that no frame shows two values of one record. Only compare: React runs the cleanup of a
  // layout effect when a boundary shows its fallback.
  useBeforePaint(() => {
    const isNew = memory.onScreen?.observer !== observer
    memory.onScreen = observed
    memory.showLatest = () => show(memory.latest ?? shot)
    if (isNew || memory.latest?.resets !== shot.resets) {
      memory.latest = shot
      memory.told = observed.shown
    }
    if (memory.latest === shot) isRendered(memory, observed)
    if (memory.isOutdated(observed)) catchUp()
    if (isNew) renderOthers(memory, observed)
  }, [observer, provided, shot])
  useEffect(() => {
    const release = observer.retain(tell)
    const isDeleted = memory.isOutdated(observed) && catchUp()
    memory.isHidden = false
    if (!isDeleted) onShown?.(observer)
    return () => {
      release()
      observer.leave()
      isRendered(memory, observed)
      memory.isHidden = true
    }
  }, onceForEach)
  /* eslint-enable react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps */
}

/** The mounted readers of a call whose last update React has not rendered yet, because it belongs to a transition. */
const unrendered = new WeakMap<object, Set<Memory>>()

function waitsForRender(memory: Memory, { key: [, , call] }: Observed<unknown>): void {
  if (typeof call !== 'object' || call === null) return
  const waiting = unrendered.get(call) ?? new Set()
  unrendered.set(call, waiting.add(memory))
}

function isRendered(memory: Memory, { key: [, , call] }: Observed<unknown>): void {
  unrendered.get(call as object)?.delete(memory)
}

/**
 * Renders the readers of a call that another render has overtaken: a new reader shows the newest data, whatever render
 * mounts it. Readers that would suspend keep waiting for their transition.
 */
function renderOthers(memory: Memory, { key: [, , call] }: Observed<unknown>): void {
  for (const other of unrendered.get(call as object) ?? []) {
    const suspends = other.onScreen?.shot.ready !== undefined && other.latest?.ready === undefined
    if (other !== memory && !suspends) other.showLatest()
  }
}

/** The data of a suspending reader; `undefined` if it has to suspend or to throw. Sends no request. */
function readyOf(observer: Followed): Reading | undefined {
  // Only suspending readers have asked for a reading.
  const watched = observer as Watched
  const {
    error,
    loading,
    states = [{ loading }],
  } = watched.state() as Partial<CallState> & {
    readonly states?: readonly Pick<CallState, 'loading'>[]
  }
  return error === undefined && !states.some((state) => state.loading) ? watched.readOrFetch() : undefined
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
  const { calls, controller, isServed } = observed.provided
  // It never changes for a provider, so the order of hooks does not.
  /* eslint-disable react-hooks/rules-of-hooks */
  if (!isServed) return observed
  calls.onServer?.(observed.observer)
  const place = useId()
  const { shown } = observed
  // Only a reader that shows something else than the server did is rendered once more: React hydrates no part that is still on its way
  // below what is rendered again.
  const isBlank = useSyncExternalStore(
    nothing,
    isNotServed,
    () => repeat(controller, place, shown, blank) !== shown,
  )
  useEffect(() => endRepeat(controller, place), [controller, place])
  /* eslint-enable react-hooks/rules-of-hooks */
  return isBlank ? { ...observed, shown: blank } : observed
}

import { nextTask } from '@selfsame/conformance/next-task'
import {
  Boundary,
  Observer,
  ObserverGroup,
  PagesObserver,
  StatesGroup,
  endpointOf,
  isFetching,
  keepingPrevious,
  promiseOf,
  queryOf,
  refetch,
} from '@selfsame/core/bindings'
import type {
  CacheableEndpoint,
  Controller,
  EndpointLike,
  PagesOptions,
  Queryable,
  ReadCalls,
  ReadEndpoint,
} from '@selfsame/core'
import { connectCall } from '@selfsame/core/live'
import { argsNow, remade } from '@selfsame/conformance'
import type {
  App,
  Driver,
  HookArgs,
  LegacyHook,
  OnScreen,
  ReadHook,
  ReadTarget,
  Reader,
  SmallHook,
} from '@selfsame/conformance'
import { createLegacyReader, toReading } from './legacy-hooks-driver.js'
import { createSmallReader } from './small-hooks-driver.js'
import type { SmallReader } from './small-hooks-driver.js'

/**
 * The bare Controller, used as a framework would use it: a component is a function that runs again after each change, a
 * frame is a macrotask, and the screen is an object. It is the shortest correct binding.
 */
export const controllerDriver: Driver = {
  name: 'controller',
  knownGaps: {},
  open: (controller) => new ObjectApp(controller),
}

class ObjectApp implements App {
  readonly #controller: Controller
  readonly #readers = new Set<ObjectReader>()

  constructor(controller: Controller) {
    this.#controller = controller
  }

  readonly failures: unknown[] = []

  async mount(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<Reader> {
    const reader = new ObjectReader(this.#controller, hook, endpoint, argsNow(args))
    this.#readers.add(reader)
    await frame()
    return reader
  }

  async mountBare(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<Reader> {
    const onError = (error: unknown) => this.failures.push(error)
    const reader = new ObjectReader(this.#controller, hook, endpoint, args, onError)
    this.#readers.add(reader)
    await frame()
    return reader
  }

  async settle(): Promise<void> {
    await frame()
    await frame()
  }

  async close(): Promise<void> {
    for (const reader of this.#readers) await reader.unmount()
  }
}

const stateOf = (observer: { state(): unknown }): unknown => observer.state()

/** What each hook selects, so that other changes do not notify it. */
const selectors: Readonly<
  Record<Exclude<ReadHook, SmallHook | LegacyHook>, (observer: Observer) => unknown>
> = {
  useSuspense: stateOf,
  useCache: (observer) => observer.readCached(),
  useFetch: (observer) => promiseOf(observer),
  useDLE: (observer) => observer.load(),
  'useDLE with fetching': (observer) => `${observer.load().loading} ${isFetching(observer)}`,
  useQuery: (observer) => observer.readCached(),
  useProgress: (observer) => observer.getSnapshot().progress,
  useSubscription: () => undefined,
  useLive: stateOf,
  'useSuspense and useDLE': stateOf,
  'useSubscription and useSuspense': stateOf,
  'useSuspense unread': stateOf,
  useSuspenseAll: stateOf,
  useDLEAll: stateOf,
  useInfinite: stateOf,
}

/** The hooks that connect their call. */
const connecting: ReadonlySet<ReadHook> = new Set([
  'useSubscription',
  'useSubscription and useSuspense',
  'useLive',
])

class ObjectReader implements Reader {
  renders = 0
  fallbacks = 0
  readonly #controller: Controller
  /** The hook that the suite named. */
  readonly #named: ReadHook
  readonly #hook: ReadHook
  readonly #small: SmallReader | undefined
  readonly #boundary = new Boundary()
  readonly #onError: (error: unknown) => void
  /** The target and the arguments that the suite passed. */
  #target: ReadTarget
  #given: HookArgs
  #endpoint: CacheableEndpoint
  #args: HookArgs
  #observer: Observer
  /** Replaces `#observer` for a reader of several calls. */
  #group: ObserverGroup | undefined
  /** Replaces `#observer` for a list that is loaded page by page. */
  #pages: PagesObserver | undefined
  #screen: OnScreen = { state: 'gone' }
  #isMounted = true
  #isScheduled = false
  /** Ends the subscriptions of a mounted reader; `undefined` while it is not mounted. */
  #end: (() => void) | undefined
  /** Ends the connection of a reader that is on screen. */
  #connection: (() => void) | undefined

  constructor(
    controller: Controller,
    hook: ReadHook,
    target: ReadTarget,
    args: HookArgs,
    onError: (error: unknown) => void = () => {},
  ) {
    this.#onError = onError
    this.#controller = controller
    this.#named = hook
    this.#target = target
    this.#given = args
    const reading = toReading(hook, target, args)
    this.#hook = reading.hook
    this.#small = createSmallReader(hook, controller) ?? createLegacyReader(hook, controller)
    this.#endpoint = toEndpoint(reading.hook, reading.target)
    this.#args = reading.args
    this.#observer = this.#observe()
    this.#render()
  }

  current(): OnScreen {
    return this.#screen
  }

  change(...args: HookArgs): Promise<void> {
    return this.changeEndpoint(this.#target, ...args)
  }

  changeEndpoint(target: ReadTarget, ...args: HookArgs): Promise<void> {
    this.#target = target
    this.#given = args
    const reading = toReading(this.#named, target, args, this.#endpoint)
    return this.#follow(toEndpoint(this.#hook, reading.target), reading.args)
  }

  async #follow(endpoint: CacheableEndpoint, args: HookArgs): Promise<void> {
    const isSame =
      this.#group?.isOf(args[0] as ReadCalls) ??
      this.#pages?.isOf(endpoint as ReadEndpoint, args[0]) ??
      (endpointOf(endpoint) === endpointOf(this.#endpoint) &&
        keyOf(endpoint, args) === keyOf(this.#endpoint, this.#args))
    this.#endpoint = endpoint
    this.#args = args
    if (isSame) {
      // It takes the options of the reader.
      this.#observer.isOf(endpoint, args)
      this.#pages?.follow(endpoint as ReadEndpoint, args[0], args[1] as PagesOptions<unknown, object>)
    } else {
      this.#leave()
      const next = this.#observe()
      next.succeed(this.#observer)
      this.#observer = next
    }
    this.#render()
    await frame()
  }

  rerender(): Promise<void> {
    return this.change(...remade(this.#given))
  }

  async reset(): Promise<void> {
    this.#boundary.reset()
    this.#render()
    await frame()
  }

  async tryAgain(): Promise<void> {
    this.#render()
    await frame()
  }

  async hide(): Promise<void> {
    this.#leave()
    await frame()
  }

  async show(): Promise<void> {
    // A reader that returns to the screen checks expiry, before its state is read.
    this.#enter()
    this.#render()
    await frame()
  }

  async unmount(): Promise<void> {
    this.#isMounted = false
    this.#leave()
    await frame()
  }

  #observe(): Observer {
    if (this.#hook === 'useInfinite') {
      const [params, options] = this.#args as [object, PagesOptions<unknown, object>]
      const last = this.#pages
      this.#pages = new PagesObserver(this.#controller, this.#endpoint as ReadEndpoint, params, options)
      if (last !== undefined) this.#pages.succeed(last)
      return new Observer(this.#controller, this.#endpoint, [null])
    }
    if (this.#hook === 'useSuspenseAll' || this.#hook === 'useDLEAll') {
      const Kind = this.#hook === 'useDLEAll' ? StatesGroup : ObserverGroup
      this.#group = new Kind(this.#controller, this.#args[0] as ReadCalls, this.#group)
      return new Observer(this.#controller, this.#endpoint, [null])
    }
    const isOfNoCall = this.#small !== undefined && this.#small.select === undefined
    return new Observer(this.#controller, this.#endpoint, isOfNoCall ? [null] : this.#args)
  }

  #leave(): void {
    this.#end?.()
    this.#end = undefined
    this.#connection?.()
    this.#connection = undefined
    this.#boundary.leave(this)
    this.#screen = { state: 'gone' }
  }

  #render(): void {
    if (!this.#isMounted) return
    this.renders++
    const last = this.#screen
    const wasFallback = last.state === 'fallback'
    this.#screen = this.#read()
    const { state } = this.#screen
    if (state === 'error' && (last.state !== 'error' || last.error !== this.#screen.error))
      this.#onError(this.#screen.error)
    if (this.#screen.state === 'fallback' && !wasFallback) this.fallbacks++
    if (this.#end === undefined) this.#enter()
    if (state === 'ready' && connecting.has(this.#hook))
      this.#connection ??= this.#observer.connect(connectCall)
  }

  #enter(): void {
    const observer = this.#observer
    const schedule = () => this.#schedule()
    const group = this.#group
    const small = this.#small
    const ends: (() => void)[] = []
    if (group !== undefined) ends.push(group.subscribe(schedule, stateOf), group.retain())
    if (small?.enter !== undefined) ends.push(small.enter(observer, schedule))
    const pages = this.#pages
    if (pages !== undefined)
      ends.push(
        pages.subscribe(schedule, (each) => each.load()),
        pages.retain(),
      )
    if (small === undefined || small.select !== undefined) {
      const select = small?.select ?? selectors[this.#hook as keyof typeof selectors]
      if (group === undefined && pages === undefined) ends.push(observer.subscribe(schedule, select))
      if (this.#hook !== 'useSubscription') ends.push(observer.retain())
    }
    this.#end = () => ends.forEach((end) => end())
  }

  #read(): OnScreen {
    const observer = this.#observer
    if (this.#small !== undefined) {
      // The suite passes a callable endpoint to these hooks.
      const data = this.#small.read(observer, this.#endpoint as EndpointLike, this.#args)
      return { state: 'ready', data }
    }
    switch (this.#hook as Exclude<ReadHook, SmallHook | LegacyHook>) {
      case 'useInfinite':
        return {
          state: 'ready',
          data: {
            ...this.#pages?.load(),
            fetching: this.#pages && isFetching(this.#pages),
            fetchNext: this.#pages?.fetchNext,
            fetchPrevious: this.#pages?.fetchPrevious,
          },
        }
      case 'useDLEAll': {
        const group = this.#group as StatesGroup
        const asked = { fetching: isFetching(group), refetch: () => refetch(group) }
        return { state: 'ready', data: { ...group.load(), ...asked } }
      }
      case 'useDLE': {
        const { data, loading, error } = observer.load()
        return { state: 'ready', data: { data, loading, error } }
      }
      case 'useDLE with fetching': {
        const asked = { fetching: isFetching(observer), refetch: () => refetch(observer) }
        return { state: 'ready', data: { ...observer.load(), ...asked } }
      }
      case 'useCache':
      case 'useQuery': {
        const reading = observer.readCached()
        this.#boundary.report(this, observer, reading)
        return reading.state === 'error' ? reading : { state: 'ready', data: reading.data }
      }
      case 'useFetch':
        return { state: 'ready', data: promiseOf(observer) }
      case 'useProgress':
        return { state: 'ready', data: observer.getSnapshot().progress }
      case 'useSubscription':
        return { state: 'ready', data: undefined }
      case 'useLive':
      case 'useSubscription and useSuspense':
      case 'useSuspense and useDLE':
      case 'useSuspense unread':
      case 'useSuspenseAll':
      case 'useSuspense': {
        const watched = this.#group ?? observer
        const reading = watched.readOrFetch()
        this.#boundary.report(this, watched, reading)
        if (reading.state === 'error') return { state: 'error', error: reading.error }
        if (reading.state === 'pending') {
          // A response that changes nothing ends the suspension without a notification.
          void reading.promise.then(() => this.#schedule())
          return { state: 'fallback' }
        }
        watched.fetchIfDue()
        if (this.#hook === 'useSuspense unread') return { state: 'ready', data: undefined }
        if (this.#hook !== 'useSuspense and useDLE') return { state: 'ready', data: reading.data }
        const { data, loading, error } = observer.state()
        return { state: 'ready', data: [reading.data, { data, loading, error }] }
      }
    }
  }

  /** Renders once for several changes in one frame. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      if (this.#end !== undefined) this.#render()
    })
  }
}

function toEndpoint(hook: ReadHook, target: ReadTarget): CacheableEndpoint {
  // The suite passes an endpoint to every other hook.
  if (hook === 'useQuery') return queryOf(target as Queryable)
  const endpoint = target as CacheableEndpoint
  return hook === 'useLast' ? keepingPrevious(endpoint) : endpoint
}

function keyOf(endpoint: CacheableEndpoint, args: HookArgs): string | undefined {
  return args[0] === null ? undefined : endpointOf(endpoint).key(...args)
}

/** Waits until all settled promises, and their consequences, are done. */
function frame(): Promise<void> {
  return nextTask()
}

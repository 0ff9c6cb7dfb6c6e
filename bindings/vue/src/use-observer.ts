import {
  Hold,
  Observer,
  callsOf,
  development,
  endRepeat,
  endpointOf,
  errors,
  repeat,
} from '@selfsame/core/bindings'
import type { CacheableEndpoint, Controller } from '@selfsame/core'
import type { Followed } from '@selfsame/core/bindings'
import {
  computed,
  getCurrentInstance,
  getCurrentScope,
  onActivated,
  onDeactivated,
  onMounted,
  onScopeDispose,
  onServerPrefetch,
  queuePostFlushCb,
  shallowRef,
  triggerRef,
  useId as createId,
  watch,
} from 'vue'
import type { ComputedRef, EffectScope } from 'vue'
import { argsOf, describeCall, sourceOf } from './arguments.js'
import { injectController, isOnServer } from './context.js'
import { watchPlainArgs } from './plain-args.js'

/** The options of a composable that reads one call. */
interface Reader<Data, Shown> extends Watching<Shown, Observer<Data>> {
  /** The name of the composable, for messages. */
  readonly name: string
  /** The endpoint, or a ref or getter of it. */
  readonly endpoint: unknown
  /** The arguments, or refs or getters of them. */
  readonly args: readonly unknown[]
}

/**
 * Returns a Controller that has what the server showed of a call, while a component hydrates after something was written.
 *
 * @param endpoint - of the call; `undefined` for several calls, which are the members of `args`
 */
export type Served = (endpoint: CacheableEndpoint | undefined, args: object) => Controller | undefined

/** How a composable reads an observer. */
export interface Watching<Shown, Of extends Followed> {
  /** Returns what the composable shows: the same value until that changes. It may fetch. */
  readonly read: (observer: Of) => Shown
  /** The same on a server, where composables that do not suspend send no requests. @default `read` */
  readonly readOnServer?: (observer: Of) => Shown
  /**
   * The state without data of a composable that does not suspend: its first render in a page repeats that of the
   * server.
   */
  readonly blank?: (observer: Of) => Shown
  /** Keeps the call while the component is mounted. @default retains its data */
  readonly keep?: (observer: Of) => () => void
  /** Called after a change of what the composable shows. */
  readonly tell?: (shown: Shown) => void
  /** Called when the component is unmounted, or deactivated by `KeepAlive`. */
  readonly leave?: (isForGood: boolean) => void
}

/** The result of `useObserver`, on which all composables are built. */
export interface Observed<Shown, Of extends Followed> {
  readonly observer: ComputedRef<Of>
  /** What the composable shows: derived from the arguments and the store, in the tick of their change. */
  readonly shown: ComputedRef<Shown>
  /** A part of what the composable shows, tracked separately. */
  part<Value>(read: (observer: Of) => Value): ComputedRef<Value>
  /** Reads again, unless the component is deactivated. */
  update(): void
}

/**
 * Watches one call with reactive arguments until the scope is disposed. When the endpoint or the arguments change to
 * another call, a new Observer checks expiry; equal arguments change nothing (specification B1).
 *
 * @throws {SelfsameError} `provider-missing`; errors of `endpoint.key`
 */
export function useObserver<Data, Shown>({
  name,
  endpoint,
  args,
  ...watching
}: Reader<Data, Shown>): Observed<Shown, Observer<Data>> {
  const call = () => describeCall(name, endpoint)
  const controller = injectController(call)
  if (development && isScopeOfComponent()) watchPlainArgs(call, args)
  const hold = new Hold()
  const make = (last: Observer<Data> | undefined, served: Served) => {
    const called = sourceOf<CacheableEndpoint>(endpoint)
    const values = argsOf(args)
    if (last?.isOf(called, values) === true) return last
    const from = served(endpointOf(called), values) ?? controller
    const next = new Observer<Data>(from, called, values, hold)
    if (last !== undefined) next.succeed(last)
    return next
  }
  return useWatched(controller, call, make, watching)
}

/**
 * Watches the observer that `make` creates, until the scope is disposed. `make` receives the last observer, and a function
 * that returns the Controller to read instead while the component hydrates.
 *
 * Without a scope it reads once, because nothing would end the subscription. On a server it reads at each access. In
 * both cases it subscribes to nothing and retains nothing.
 *
 * @param call - returns the name of the call, for messages
 */
export function useWatched<Shown, Of extends Followed>(
  controller: Controller,
  call: () => string,
  make: (last: Of | undefined, served: Served) => Of,
  {
    read,
    readOnServer = read,
    blank,
    keep = (observer) => observer.retain(),
    tell,
    leave,
  }: Watching<Shown, Of>,
): Observed<Shown, Of> {
  const changes = shallowRef(0)
  let isAway = false

  const isServer = isOnServer(controller)
  const isInComponent = isScopeOfComponent()
  const isHydrated = isInComponent && !isServer && isHydrating()
  // A component that hydrates shows what the server showed, until it is mounted.
  let find = isHydrated ? callsOf(controller).served : undefined
  let isOfCopy = false
  const hydration = shallowRef(0)
  const served: Served = (called, values) => {
    // It is of the form of what a provider of React gives.
    const copy = find?.(called, values) as { readonly controller: Controller } | undefined
    isOfCopy = copy !== undefined
    return copy?.controller
  }
  const observer = computed<Of>((last) => {
    void hydration.value
    const before = isOfCopy ? undefined : last
    isOfCopy = false
    return make(before, served)
  })
  const part = <Value>(readPart: (observer: Of) => Value) =>
    computed<Value>((last) => {
      void changes.value
      // A server subscribes to nothing, so computed values that use this one must be evaluated at each access.
      if (isServer) triggerRef(changes)
      return isAway ? (last as Value) : readPart(observer.value)
    })
  let place = blank !== undefined && isInComponent && (isServer || isHydrated) ? createId() : undefined
  // Also in a page, where nothing calls it: below a component with this hook, Vue counts ids anew.
  if (place !== undefined) awaitOnServer(() => callsOf(controller).onServer?.(() => observer.value))
  const shown = part((current) => {
    const now = isServer ? readOnServer(current) : read(current)
    if (place === undefined || blank === undefined) return now
    return repeat(controller, place, now, blank(current))
  })

  let told: Shown | undefined = shown.value
  const update = (isReset = false) => {
    if (isAway) return
    triggerRef(changes)
    // Components around this one may wait and unmount it first.
    if (isReset && (tell === undefined || blank !== undefined) && isInComponent)
      return queuePostFlushCb(update)
    if (shown.value === told) return
    told = shown.value
    tell?.(told)
  }
  const observed = { observer, shown, part, update }
  if (isServer) return observed
  if (getCurrentScope() === undefined) {
    if (development) warnOnce(controller, call())
    return observed
  }

  /** `false` until the component is mounted; a store is always active. */
  let isOnScreen = !isInComponent
  let end: (() => void) | undefined
  let release: (() => void) | undefined
  const start = () => {
    const watched = observer.value
    const unsubscribe = watched.subscribe(update)
    if (isOnScreen) release = keep(watched)
    end = () => {
      watched.leave()
      unsubscribe()
      release?.()
      release = undefined
    }
  }
  const goAway = (isForGood: boolean) => {
    isAway = true
    end?.()
    leave?.(isForGood)
    told = undefined
  }
  const restart = () => {
    if (isAway) return
    end?.()
    start()
    update()
  }
  onScopeDispose(() => goAway(true))
  start()
  watch(observer, restart)
  if (isInComponent) {
    onMounted(() => {
      isOnScreen = true
      find = undefined
      if (isOfCopy) triggerRef(hydration)
      if (!isAway) release ??= keep(observer.value)
      if (place === undefined) return
      endRepeat(controller, place)
      place = undefined
      update()
    })
    onDeactivated(() => goAway(false))
    onActivated(() => {
      if (!isAway) return
      isAway = false
      // Retaining again checks expiry.
      restart()
    })
  }
  return observed
}

/** Nuxt takes calls of it by its own name out of its pages. */
const awaitOnServer = onServerPrefetch

/** Returns `true` in the scope of a component. A store that is created in a `setup()` has a scope of its own. */
export function isScopeOfComponent(): boolean {
  // Vue's types omit `scope`.
  const instance = getCurrentInstance() as { readonly scope?: EffectScope } | null
  return instance !== null && instance.scope === getCurrentScope()
}

/** Returns `true` if the component hydrates server-rendered HTML: its vnode has an element before its first render. */
function isHydrating(): boolean {
  const element = getCurrentInstance()?.vnode.el
  return element !== null && element !== undefined
}

const warned = new WeakMap<Controller, Set<string>>()

/** Warns once for each call, because a router guard runs at each navigation. */
function warnOnce(controller: Controller, call: string): void {
  const calls = warned.get(controller) ?? new Set()
  warned.set(controller, calls)
  if (!calls.has(call)) errors.warn(errors.readOnce(call, remedy))
  calls.add(call)
}

const remedy = 'There is no effect scope here. Call it in effectScope().run(), or use controller.fetch().'

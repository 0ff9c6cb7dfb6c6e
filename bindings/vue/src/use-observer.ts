import { Hold, Observer, errors } from '@selfsame/core/bindings'
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
  shallowRef,
  triggerRef,
  useId as createId,
  watch,
} from 'vue'
import type { ComputedRef, EffectScope } from 'vue'
import { argsOf, describeCall, sourceOf } from './arguments.js'
import { injectController, isOnServer } from './context.js'

/** What a composable tells of itself that reads one call. */
interface Reader<Data, Shown> extends Watching<Shown, Observer<Data>> {
  /** Its name, as messages say it. */
  readonly name: string
  /** The endpoint, or a ref or getter of it. */
  readonly endpoint: unknown
  /** The arguments, or refs or getters of them. */
  readonly args: readonly unknown[]
}

/** What a composable tells of what it shows. */
export interface Watching<Shown, Of extends Followed> {
  /** Gives what it shows: the same value until that changes. Fetches, where the composable does. */
  readonly read: (observer: Of) => Shown
  /** The same on a server, where what waits for nothing fetches nothing. @default `read` */
  readonly readOnServer?: (observer: Of) => Shown
  /** What it shows without data, if it does not wait: then the first render in a page repeats that of the server. */
  readonly blank?: readonly [Shown]
  /** Keeps the call while it is on screen. @default its data is kept */
  readonly keep?: (observer: Of) => () => void
  /** Called when what it shows has changed. */
  readonly tell?: (shown: Shown) => void
  /** Called when it leaves the screen: for good, or until `KeepAlive` activates it again. */
  readonly leave?: (isForGood: boolean) => void
}

/** What every composable is made of. */
export interface Observed<Shown, Of extends Followed> {
  readonly observer: ComputedRef<Of>
  /** What is shown: derived from the arguments and the store, in the tick in which they change. */
  readonly shown: ComputedRef<Shown>
  /** A part of what is shown, which is followed by itself. */
  part<Value>(read: (observer: Of) => Value): ComputedRef<Value>
  /** Looks again, unless the reader is off the screen. */
  update(): void
}

/**
 * Watches one call with reactive arguments for as long as the scope lives. A change of endpoint or arguments that makes
 * another call makes another Observer, which is a moment at which the clock is looked at; equal arguments make none
 * (specification B1).
 *
 * @throws {SelfsameError} `provider-missing`; what `endpoint.key` throws
 */
export function useObserver<Data, Shown>({
  name,
  endpoint,
  args,
  ...watching
}: Reader<Data, Shown>): Observed<Shown, Observer<Data>> {
  const call = () => describeCall(name, endpoint)
  const controller = injectController(call)
  const hold = new Hold()
  const make = (last: Observer<Data> | undefined) => {
    const called = sourceOf<CacheableEndpoint>(endpoint)
    const values = argsOf(args)
    if (last?.isOf(called, values) === true) return last
    const next = new Observer<Data>(controller, called, values, hold)
    if (last !== undefined) next.succeed(last)
    return next
  }
  return useWatched(controller, call, make, watching)
}

/**
 * Watches what a function makes an observer of for as long as the scope lives; the function is given the last one.
 *
 * Where no scope would end it, it reads once. On a server it looks whenever it is read. Both listen to nothing and keep
 * nothing.
 *
 * @param call - names what is read, for messages
 */
export function useWatched<Shown, Of extends Followed>(
  controller: Controller,
  call: () => string,
  make: (last: Of | undefined) => Of,
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

  const observer = computed<Of>(make)
  const isServer = isOnServer(controller)
  const part = <Value>(readPart: (observer: Of) => Value) =>
    computed<Value>((last) => {
      void changes.value
      // Nobody tells of changes there: what is derived from this is out of date at once.
      if (isServer) triggerRef(changes)
      return isAway ? (last as Value) : readPart(observer.value)
    })
  const isInComponent = isScopeOfComponent()
  let place = blank !== undefined && isInComponent && (isServer || isHydrating()) ? createId() : undefined
  const shown = part((current) => {
    const now = isServer ? readOnServer(current) : read(current)
    if (place === undefined || blank === undefined || current.repeat === undefined) return now
    return current.repeat(place, now, blank[0])
  })

  let told: Shown | undefined = shown.value
  const update = () => {
    if (isAway) return
    triggerRef(changes)
    if (shown.value === told) return
    told = shown.value
    tell?.(told)
  }
  const observed = { observer, shown, part, update }
  if (isServer) return observed
  if (getCurrentScope() === undefined) {
    warnOnce(controller, call())
    return observed
  }

  /** A component is on screen from its mount on, anything else (a store) at once. */
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
      if (!isAway) release ??= keep(observer.value)
      if (place === undefined) return
      observer.value.endRepeat?.(place)
      place = undefined
      update()
    })
    onDeactivated(() => goAway(false))
    onActivated(() => {
      if (!isAway) return
      isAway = false
      // Being retained again is a moment at which the clock is looked at.
      restart()
    })
  }
  return observed
}

/** Whether the reader lives as long as a component. A store may be made in a `setup()`, and lives in a scope of its own. */
export function isScopeOfComponent(): boolean {
  // Vue's types leave the member out.
  const instance = getCurrentInstance() as { readonly scope?: EffectScope } | null
  return instance !== null && instance.scope === getCurrentScope()
}

/** Whether a component takes over what a server rendered: it has its element before it is rendered. */
function isHydrating(): boolean {
  const element = getCurrentInstance()?.vnode.el
  return element !== null && element !== undefined
}

const warned = new WeakMap<Controller, Set<string>>()

/** Once for a call: a router guard runs at each navigation. */
function warnOnce(controller: Controller, call: string): void {
  const calls = warned.get(controller) ?? new Set()
  warned.set(controller, calls)
  if (!calls.has(call)) errors.warn(errors.readOnce(call, remedy))
  calls.add(call)
}

const remedy =
  'There is no effect scope here that could end it. Call it in effectScope().run(), or use controller.fetch().'

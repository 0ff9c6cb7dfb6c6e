import { Observer } from '@selfsame/core'
import type { Facet } from '@selfsame/core'
import {
  computed,
  getCurrentInstance,
  getCurrentScope,
  inject,
  onActivated,
  onDeactivated,
  onMounted,
  onScopeDispose,
  ssrContextKey,
  watch,
} from 'vue'
import type { EffectScope } from 'vue'
import { argsOf, describeCall, endpointOf } from './arguments.js'
import { injectController } from './context.js'

/** What a composable tells of itself. */
interface Reader<Data> {
  /** Its name, as messages say it. */
  readonly name: string
  /** The endpoint, or a ref or getter of it. */
  readonly endpoint: unknown
  /** The arguments, or refs or getters of them. */
  readonly args: readonly unknown[]
  /** What it shows: it is told of no other changes. */
  readonly facets?: readonly Facet[]
  /** Called at once, and after each change of the call or of what is asked for. */
  readonly show: (observer: Observer<Data>) => void
  /** Keeps the call while it is on screen. @default its data is kept */
  readonly keep?: (observer: Observer<Data>) => () => void
  /** Called when it leaves the screen: for good, or until `KeepAlive` activates it again. */
  readonly leave?: (isForGood: boolean) => void
}

/** A reader that was made. */
export interface Watched {
  /** Calls `show` again, unless the reader is off the screen. */
  update(): void
  /** Whether the reader is off the screen. */
  isAway(): boolean
}

/**
 * Watches one call with reactive arguments for as long as the scope lives: what every composable is made of. A
 * change of endpoint or arguments that makes another call makes another Observer, which is a moment at which the
 * clock is looked at; equal arguments make none (specification B1).
 *
 * On a server it reads once: it listens to nothing and keeps nothing, because nothing there would end it.
 *
 * @throws {SelfsameError} `provider-missing`; what `endpoint.key` throws
 */
export function useObserver<Data>({
  name,
  endpoint,
  args,
  facets,
  show,
  keep = (observer) => observer.retain(),
  leave,
}: Reader<Data>): Watched {
  const controller = injectController(() => describeCall(name, endpoint))
  const isServer = inject(ssrContextKey, undefined) !== undefined
  const isInComponent = isScopeOfComponent()

  const current = computed<Observer<Data>>((last) => {
    const called = endpointOf(endpoint)
    const values = argsOf(args)
    return last?.isOf(called, values) === true ? last : new Observer(controller, called, values, facets)
  })

  /** A component is on screen from its mount on, anything else (a store) at once. */
  let isOnScreen = !isInComponent
  let isAway = false
  let watching: Observer<Data> | undefined
  let unsubscribe: (() => void) | undefined
  let release: (() => void) | undefined

  const update = () => {
    if (!isAway) show(current.value)
  }
  const listen = () => {
    watching = current.value
    unsubscribe = watching.subscribe(update)
    if (isOnScreen) release = keep(watching)
  }
  const stop = () => {
    watching?.leave()
    unsubscribe?.()
    release?.()
    watching = unsubscribe = release = undefined
  }

  const watched: Watched = { update, isAway: () => isAway }
  if (isServer) {
    update()
    return watched
  }
  onScopeDispose(() => {
    isAway = true
    stop()
    leave?.(true)
  })
  // Listens before it reads, so that no change is lost between the two.
  listen()
  update()
  watch(current, () => {
    if (isAway) return
    stop()
    listen()
    update()
  })
  if (isInComponent) {
    onMounted(() => {
      isOnScreen = true
      if (!isAway) release ??= keep(current.value)
    })
    onDeactivated(() => {
      isAway = true
      stop()
      leave?.(false)
    })
    onActivated(() => {
      if (!isAway) return
      isAway = false
      // Being retained again is a moment at which the clock is looked at.
      listen()
      update()
    })
  }
  return watched
}

/** Whether the reader lives as long as a component. A store may be made in a `setup()`, and lives in a scope of its own. */
function isScopeOfComponent(): boolean {
  // Vue's types leave the member out.
  const instance = getCurrentInstance() as { readonly scope?: EffectScope } | null
  return instance !== null && instance.scope === getCurrentScope()
}

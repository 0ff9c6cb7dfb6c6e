import { Observer, development, errors } from '@selfsame/core/bindings'
import type { Followed } from '@selfsame/core/bindings'
import { BROWSER, DEV } from 'esm-env'
import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import type { Readable } from 'svelte/store'
import { nameOf, toCall } from './arguments.js'
import {
  boundaryHere,
  findController,
  isInComponent,
  isInLegacyComponent,
  serverRenderHere,
} from './context.js'
import { Suspension } from './suspension.js'
import { controllerOf } from './with-options.svelte.js'

/** The result of `useWatched`, on which all hooks are built. */
export type Observed<Shown, Of extends Followed = Followed> = ReturnType<typeof useWatched<Shown, Of>>

/** The result of a hook with a single value. As a store it has the value of `current`. */
export interface ValueHandle<Value> extends Readable<Value> {
  readonly current: Value
}

/**
 * Watches a call for one hook. In the script of a component it lasts until the component is unmounted; in `$derived`
 * and outside components, while an effect reads it.
 *
 * @param hook - the name of the hook, for messages
 * @param read - returns what the hook shows: the same value until it changes. It may fetch
 * @param keep - keeps the call in another way than retaining its data, until the component is unmounted; outside
 *   components, forever. Returns a function that ends it
 * @param givenController - the Controller of the option @default that of the endpoint
 */
export function useObserver<Data, Shown>(
  hook: string,
  endpoint: unknown,
  args: readonly unknown[],
  read: (observer: Observer<Data>) => Shown,
  keep?: (observer: Observer<Data>) => () => void,
  givenController = controllerOf(endpoint),
): Observed<Shown, Observer<Data>> {
  const name = nameOf(hook, endpoint)
  const controller = findController(name, givenController)
  const call = toCall(endpoint, args)
  const open = (last: Observer<Data> | undefined) => {
    const called = call()
    // New objects with equal arguments are the same call.
    if (last?.isOf(called.endpoint, called.args) === true) return last
    // Another call needs another Observer, which checks expiry.
    const next = new Observer<Data>(controller, called.endpoint, called.args)
    if (last !== undefined) next.succeed(last)
    return next
  }
  return useWatched(name, open, read, keep)
}

/**
 * Watches the observer that `open` creates, as `useObserver` does.
 *
 * @param name - the name of the call, for messages
 * @param open - receives the last observer, and may return it again
 */
export function useWatched<Shown, Of extends Followed>(
  name: string,
  open: (last: Of | undefined) => Of,
  read: (observer: Of) => Shown,
  keep?: (observer: Of) => () => void,
) {
  const serverRender = BROWSER ? undefined : serverRenderHere()
  const stores = new Set<() => void>()
  const tell = () => {
    for (const tellStore of stores) tellStore()
  }
  let hasWarned = false
  const isLegacy = DEV && BROWSER && isInLegacyComponent()
  let isOwned = false
  /** `true` while the component is removed. */
  let isLeaving = false
  let last: Of | undefined

  /** Returns the observer without a `$derived`, which would end with the component that created it. */
  const peek = (): Of => (last = open(last))
  const current = $derived.by(peek)

  /**
   * Returns a function that reads a part of what the hook shows. An effect that calls it runs again only when that part
   * changes. While there is such an effect, the call has a subscription and its data is retained.
   *
   * `createSubscriber` guarantees this for effects that are pending, failed, or destroyed before their mount, and never
   * subscribes on a server. No state is written here, so it is safe inside `$derived`.
   */
  const part = <Value>(
    readPart: (observer: Of) => Value,
    onChange?: () => void,
    notify?: (update: () => void, observer: Of) => unknown,
  ) => {
    let followed: Of | undefined
    let follow: (() => void) | undefined
    return (observer = current): Value => {
      if (observer !== followed) {
        followed = observer
        const left = boundaryHere()?.left
        follow = createSubscriber((update) => {
          const release = observer.retain()
          const end =
            notify === undefined
              ? observer.subscribe((isReset) => {
                  update()
                  // After a reset the effects read.
                  if (!isReset) onChange?.()
                }, readPart)
              : subscribeAtOnce(observer, readPart, () => void notify(update, observer))
          return () => {
            end()
            if (left === undefined) release()
            else left.leave(release)
          }
        })
      }
      follow?.()
      const value = readPart(observer)
      serverRender?.note(value, () => readPart(observer), observer)
      return value
    }
  }

  const observed = {
    /** The name of the call, for messages: `useSuspense(Todo.get)`. */
    name,
    /** The current Observer; effects that read it run again when the call changes. */
    get observer() {
      return current
    },
    peek,
    part,
    /**
     * Returns a function that reads a member of the handle. Svelte finishes what it computes when it removes a component: if the
     * arguments were made of data that another reader waits for now, that would fetch with the last ones.
     *
     * @param label - the name of the member, for a warning @default `current`
     */
    member<Value>(readMember: (observer: Of) => Value, label?: string): () => Value {
      let hasValue = false
      let value: Value
      return () => {
        observed.warnIfStatic(label)
        const watched = current
        if (isLeaving && hasValue) return value
        value = readMember(watched)
        hasValue = true
        return value
      }
    },
    shown: part(read, tell),
    isAwaited: false,
    /**
     * Returns the `subscribe` of a store. The effect of the component notifies it. An effect that is created at the
     * subscription would not do: Svelte 5.57 skips an effect that is created while a template is rendered if both are
     * due.
     */
    store<Value>(toValue: (shown: Shown) => Value): Readable<Value>['subscribe'] {
      const readStore = () => toValue(untrack(() => read(current)))
      return (run) => {
        let told = readStore()
        serverRender?.note(told, readStore, current)
        run(told)
        const tellStore = () => {
          const now = readStore()
          if (now === told) return
          told = now
          untrack(() => run(now))
        }
        stores.add(tellStore)
        let end: (() => void) | undefined
        // Without a component, use a separate effect, created when no template is being rendered.
        if (BROWSER && !isOwned) {
          queueMicrotask(() => {
            if (!stores.has(tellStore)) return
            end = $effect.root(() => {
              $effect.pre(attend)
            })
          })
        }
        return () => {
          stores.delete(tellStore)
          end?.()
        }
      }
    },
    /**
     * Svelte compiles a component without runes to read the members of a constant once. With runes, a script may read
     * data once, such as the initial state of a form, but never `loading`. In development, warns of both.
     */
    warnIfStatic(member?: string) {
      if (
        development &&
        DEV &&
        BROWSER &&
        !hasWarned &&
        (isLegacy || member === 'loading') &&
        !$effect.tracking()
      ) {
        if (!isInComponent()) return
        hasWarned = true
        errors.warn(errors.readOnce(name, isLegacy ? remedyInLegacyComponents : remedyForParts))
      }
    },
  }

  function attend() {
    isLeaving = false
    const end = keepShown()
    return () => {
      isLeaving = true
      queueMicrotask(() => (isLeaving = false))
      end?.()
    }
  }

  function keepShown() {
    // An awaited handle without stores is tracked by the code that awaits it. In async mode, effects are run once more
    // with arguments that were already replaced.
    if (observed.isAwaited && stores.size === 0) return
    try {
      observed.shown()
      tell()
      const watched = current
      return untrack(() => keep?.(watched))
    } catch (error) {
      // If the handle is read, it throws the error there.
      if (!follows(error) && keep !== undefined) throw error
    }
  }

  const start = () => {
    $effect(attend)
  }
  // Also on a server: all requests that the hooks of a component suspend for are sent immediately.
  if (BROWSER ? keep !== undefined || !$effect.tracking() : isInComponent()) {
    try {
      untrack(() => read(current))
    } catch {
      // The error is thrown again where the handle is read. The arguments may also read another handle that is
      // suspended.
    }
    if (BROWSER) begin()
  }
  return observed

  function begin() {
    try {
      start()
      isOwned = true
    } catch {
      // Outside of components `$effect` throws: the call is tracked where it is read.
      if (keep !== undefined) $effect.root(start)
    }
  }
}

/**
 * Subscribes an awaited handle, which reads after a reset, too: its effects may run once more with arguments that were
 * replaced.
 */
function subscribeAtOnce<Of extends Followed>(
  observer: Of,
  readPart: (observer: Of) => unknown,
  listener: () => void,
): () => void {
  let last = readPart(observer)
  return observer.subscribe(() => {
    const now = readPart(observer)
    if (now === last) return
    last = now
    listener()
  })
}

/**
 * Returns a handle. As a store it has the value of `current`.
 *
 * @param reads - return the further members of the handle, each tracked separately @default none
 * @param toValue - returns `current` of what the hook shows @default itself
 */
export function toHandle<
  Shown,
  Of extends Followed,
  Reads extends Record<string, (observer: Of) => unknown>,
  Value = Shown,
>(
  observed: Observed<Shown, Of>,
  reads: Reads = {} as Reads,
  toValue = (shown: Shown, _observer: Of): Value => shown as unknown as Value,
): ValueHandle<Value> & { readonly [Name in keyof Reads]: ReturnType<Reads[Name]> } {
  const handle = { subscribe: observed.store((shown) => toValue(shown, observed.observer)) }
  const add = (name: string, part: (observer: Of) => unknown) =>
    Object.defineProperty(handle, name, { get: observed.member(part, name), enumerable: true })
  add('current', (observer) => toValue(observed.shown(observer), observer))
  for (const [name, read] of Object.entries(reads)) add(name, observed.part(read))
  return handle as ReturnType<typeof toHandle<Shown, Of, Reads, Value>>
}

const remedyInLegacyComponents = `The component has no runes. Read the handle as a store, $todo instead of todo.current,
  or write the component with runes ($props() instead of \`export let\`).`

const remedyForParts = `A destructured handle does not update. Keep the handle, \`const todo = useDLE(…)\`, and read
  \`todo.loading\` in markup or in $derived.`

/** If a suspension was thrown, makes the current effect run again when it is over. @returns `true` for a suspension */
function follows(thrown: unknown): boolean {
  if (!(thrown instanceof Suspension)) return false
  thrown.waiting.isOver()
  return true
}

import { Observer, errors } from '@selfsame/core/bindings'
import type { Followed } from '@selfsame/core/bindings'
import { BROWSER, DEV } from 'esm-env'
import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import type { Readable } from 'svelte/store'
import { nameOf, optionsOf, toCall } from './arguments.js'
import {
  boundaryHere,
  findController,
  isInComponent,
  isInLegacyComponent,
  serverRenderHere,
} from './context.js'
import { Suspension } from './suspension.js'

/** What every hook is made of: the call as it is now, and what is shown of it. */
export type Observed<Shown, Of extends Followed = Followed> = ReturnType<typeof useWatched<Shown, Of>>

/** What a hook gives of which one value is read. As a store it gives the same as `current`. */
export interface ValueHandle<Value> extends Readable<Value> {
  readonly current: Value
}

/**
 * Reads a call for one hook, as long as the component is on screen whose script calls the hook; in `$derived` and
 * outside of components, as long as what is read is followed.
 *
 * @param hook - its name, as messages say it
 * @param read - gives what it shows: the same value until it changes. Fetches, where the hook does
 * @param keep - keeps the call in another way than by its data while the component is on screen, outside of components
 *   for ever. @returns a function that ends it
 */
export function useObserver<Data, Shown>(
  hook: string,
  endpoint: unknown,
  args: readonly unknown[],
  read: (observer: Observer<Data>) => Shown,
  keep?: (observer: Observer<Data>) => () => void,
): Observed<Shown, Observer<Data>> {
  const { given, controller: givenController } = optionsOf(args)
  const name = nameOf(hook, endpoint)
  const controller = findController(name, givenController)
  const call = toCall(endpoint, given)
  const open = (last: Observer<Data> | undefined) => {
    const called = call()
    // Equal arguments are one call, however often they are made anew.
    if (last?.isOf(called.endpoint, called.args) === true) return last
    // Another call has another Observer, which looks at the clock.
    const next = new Observer<Data>(controller, called.endpoint, called.args)
    if (last !== undefined) next.succeed(last)
    return next
  }
  return useWatched(name, open, read, keep)
}

/**
 * Watches what a function makes an observer of, as `useObserver` does.
 *
 * @param name - of the call, for messages
 * @param open - is given the last one, which it may give again
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
  let last: Of | undefined

  /** The observer, without a `$derived`, which ends with the component that it was made in. */
  const peek = (): Of => (last = open(last))
  const current = $derived.by(peek)

  /**
   * Makes a function that reads a part of what is shown. An effect that calls it runs again when that changes, and only
   * then. While there is one, the call is listened to and its data kept.
   *
   * `createSubscriber` is what makes this hold whatever becomes of the effect: pending, failed, destroyed before it
   * was mounted, or on a server, where nothing is ever listened to. Nothing here writes state, so that it is safe
   * inside `$derived`.
   */
  const part = <Value>(readPart: (observer: Of) => Value, onChange?: () => void) => {
    let followed: Of | undefined
    let follow: (() => void) | undefined
    return (observer = current): Value => {
      if (observer !== followed) {
        followed = observer
        const left = boundaryHere()?.left
        follow = createSubscriber((update) => {
          const release = observer.retain()
          const end = observer.subscribe(() => {
            update()
            onChange?.()
          }, readPart)
          return () => {
            end()
            if (left === undefined) release()
            else left.leave(release)
          }
        })
      }
      follow?.()
      const value = readPart(observer)
      serverRender?.note(value, () => readPart(observer))
      return value
    }
  }

  const observed = {
    /** For messages: `useSuspense(Todo.get)`. */
    name,
    /** The Observer of the call; effects that read it run again when there is another call. */
    get observer() {
      return current
    },
    peek,
    part,
    shown: part(read, tell),
    isAwaited: false,
    /**
     * Makes a store. It is told by the effect of the component, not by one that is made when it is subscribed to: an
     * effect that is made while a template is rendered is passed over as soon as both are to run (Svelte 5.57).
     */
    store<Value>(toValue: (shown: Shown) => Value): Readable<Value>['subscribe'] {
      const readStore = () => toValue(untrack(() => read(current)))
      return (run) => {
        let told = readStore()
        serverRender?.note(told, readStore)
        run(told)
        const tellStore = () => {
          const now = readStore()
          if (now === told) return
          told = now
          untrack(() => run(now))
        }
        stores.add(tellStore)
        let end: (() => void) | undefined
        // Where no component owns it: in an effect of its own, made when no template is being rendered.
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
     * Svelte compiles what a component without runes reads of a constant to be read once. With runes a script may read
     * data once, as the initial state of a form, but never `loading`. In development it warns of both.
     */
    warnIfStatic(member?: string) {
      if (DEV && BROWSER && !hasWarned && (isLegacy || member === 'loading') && !$effect.tracking()) {
        if (!isInComponent()) return
        hasWarned = true
        errors.warn(errors.readOnce(name, isLegacy ? remedyInLegacyComponents : remedyForParts))
      }
    },
  }

  function attend() {
    // Then what awaits it follows it. In async mode effects see arguments once more that are replaced already.
    if (observed.isAwaited && stores.size === 0) return
    try {
      observed.shown()
      tell()
      const watched = current
      return untrack(() => keep?.(watched))
    } catch (error) {
      // It is thrown again where the handle is read, if there is one.
      if (!follows(error) && keep !== undefined) throw error
    }
  }

  const start = () => {
    $effect(attend)
  }
  // On a server as well, so that what the hooks of a component wait for is asked for at once.
  if (BROWSER ? keep !== undefined || !$effect.tracking() : isInComponent()) {
    try {
      untrack(() => read(current))
    } catch {
      // What fails will fail again where it is read; the arguments may need another handle that waits.
    }
    if (BROWSER) begin()
  }
  return observed

  function begin() {
    try {
      start()
      isOwned = true
    } catch {
      // Outside of components there is no effect: it is followed where it is read.
      if (keep !== undefined) $effect.root(start)
    }
  }
}

/**
 * Makes a handle. As a store it gives the same as `current`.
 *
 * @param reads - give the members that it has beside that; each is followed by itself. @default none
 */
export function toHandle<Shown, Of extends Followed, Reads extends Record<string, (observer: Of) => unknown>>(
  observed: Observed<Shown, Of>,
  reads: Reads = {} as Reads,
): ValueHandle<Shown> & { readonly [Name in keyof Reads]: ReturnType<Reads[Name]> } {
  const handle = { subscribe: observed.store((shown) => shown) }
  const add = (name: string, part: () => unknown) => {
    const get = () => {
      observed.warnIfStatic(name)
      return part()
    }
    Object.defineProperty(handle, name, { get, enumerable: true })
  }
  add('current', observed.shown)
  for (const [name, read] of Object.entries(reads)) add(name, observed.part(read))
  return handle as ReturnType<typeof toHandle<Shown, Of, Reads>>
}

const remedyInLegacyComponents = `Svelte compiles a component without runes so. Read the handle as a store there,
  $todo instead of todo.current, or write the component with runes ($props() instead of \`export let\`).`

const remedyForParts = `A handle that is taken apart is not followed. Keep it, as in \`const todo = useDLE(…)\`, and read
  \`todo.loading\` in markup or in $derived.`

/** Has an effect run again when what its arguments need is there. @returns whether that is what was thrown */
function follows(thrown: unknown): boolean {
  if (!(thrown instanceof Suspension)) return false
  thrown.waiting.isOver()
  return true
}

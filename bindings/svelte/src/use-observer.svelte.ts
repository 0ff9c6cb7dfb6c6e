import { Observer, errors } from '@selfsame/core'
import type { Controller, Facet } from '@selfsame/core'
import { BROWSER, DEV } from 'esm-env'
import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import type { Readable } from 'svelte/store'
import { nameOf, optionsOf, toCall } from './arguments.js'
import type { Call } from './arguments.js'
import { findController, isInComponent, isInLegacyComponent } from './context.js'
import { Suspension } from './suspension.js'

/** What a hook gives of which one value is read. As a store it gives the same as `current`. */
export interface ValueHandle<Value> extends Readable<Value> {
  readonly current: Value
}

/**
 * Reads a call for one hook, as long as the component is on screen whose script calls the hook; in `$derived` and
 * outside of components, as long as what is read is followed.
 *
 * @param hook - its name, as messages say it
 * @param facets - what it shows: it is told of no other changes
 * @param read - gives what it shows: the same value until it changes. Fetches, where the hook does
 * @param keep - keeps the call in another way than by its data @returns a function that ends it
 */
export function useObserver<Data, Shown>(
  hook: string,
  endpoint: unknown,
  args: readonly unknown[],
  facets: readonly Facet[],
  read: (observer: Observer<Data>) => Shown,
  keep?: (observer: Observer<Data>) => () => void,
): Observed<Data, Shown> {
  const { given, controller } = optionsOf(args)
  const name = nameOf(hook, endpoint)
  const observed = new Observed<Data, Shown>(
    findController(name, controller),
    name,
    toCall(endpoint, given),
    facets,
    read,
  )
  observed.start()
  if (keep !== undefined) observed.own(keep)
  return observed
}

/** What is shown, and nothing beside it. */
export function toValueHandle<Data, Value>(observed: Observed<Data, Value>): ValueHandle<Value> {
  const { shown } = observed
  return {
    subscribe: observed.store((value) => value),
    get current() {
      return shown.current
    },
  }
}

/** What every hook is made of: the call as it is now, and what is shown of it. */
export class Observed<Data, Shown> {
  /** For messages: `useSuspense(Todo.get)`. */
  readonly name: string
  readonly shown: Part<Data, Shown>
  isAwaited = false
  readonly #controller: Controller
  readonly #call: () => Call
  readonly #facets: readonly Facet[]
  readonly #isInLegacyComponent: boolean
  readonly #stores = new Set<() => void>()
  #last: Observer<Data> | undefined
  #isOwned = false
  #hasWarned = false
  readonly #current = $derived.by(() => this.peek())

  constructor(
    controller: Controller,
    name: string,
    call: () => Call,
    facets: readonly Facet[],
    read: (observer: Observer<Data>) => Shown,
  ) {
    this.name = name
    this.#controller = controller
    this.#call = call
    this.#facets = facets
    this.#isInLegacyComponent = DEV && BROWSER && isInLegacyComponent()
    this.shown = new Part(this, read, () => this.#tell())
  }

  /** The Observer of the call; effects that read it run again when there is another call. */
  get observer(): Observer<Data> {
    return this.#current
  }

  /** The same, without a `$derived`, which ends with the component that it was made in. */
  peek(): Observer<Data> {
    const { endpoint, args } = this.#call()
    const last = this.#last
    // Equal arguments are one call, however often they are made anew.
    if (last?.isOf(endpoint, args) === true) return last
    // Another call has another Observer, which looks at the clock.
    this.#last = new Observer<Data>(this.#controller, endpoint, args, this.#facets)
    if (last !== undefined) this.#last.succeed(last)
    return this.#last
  }

  /** A part of what is shown, which is followed by itself. */
  part<Value>(read: (observer: Observer<Data>) => Value): Part<Data, Value> {
    return new Part(this, read)
  }

  /** Starts what the hook starts, and goes on with it while its component is on screen. */
  start(): void {
    if (!BROWSER || $effect.tracking()) return
    try {
      untrack(() => this.shown.now)
    } catch {
      // What fails will fail again where it is read; the arguments may need another handle that waits.
    }
    try {
      $effect(() => this.#attend())
      this.#isOwned = true
    } catch {
      // Outside of components there is no effect: it is followed where it is read.
    }
  }

  /** What is shown by now; followed in `$derived`. */
  first(): Shown {
    return $effect.tracking() ? this.shown.current : untrack(() => this.shown.now)
  }

  /** Keeps the call while the component is on screen; outside of components, for ever. */
  own(keep: (observer: Observer<Data>) => () => void): void {
    const effect = () => {
      $effect(() => {
        try {
          const { observer } = this
          return untrack(() => keep(observer))
        } catch (error) {
          if (!follows(error)) throw error
        }
      })
    }
    try {
      effect()
    } catch {
      $effect.root(effect)
    }
  }

  /**
   * Makes a store. It is told by the effect of the component, not by one that is made when it is subscribed to: an
   * effect that is made while a template is rendered is passed over as soon as both are to run (Svelte 5.57).
   */
  store<Value>(toValue: (shown: Shown) => Value): Readable<Value>['subscribe'] {
    const read = () => toValue(untrack(() => this.shown.now))
    return (run) => {
      let told = read()
      run(told)
      const tell = () => {
        const now = read()
        if (now === told) return
        told = now
        untrack(() => run(now))
      }
      this.#stores.add(tell)
      if (!this.#isOwned) this.#followForStores()
      return () => {
        this.#stores.delete(tell)
        if (this.#stores.size === 0) this.#endOfStores?.()
      }
    }
  }

  #endOfStores: (() => void) | undefined

  /** In an effect of its own, made when no template is being rendered. */
  #followForStores(): void {
    queueMicrotask(() => {
      if (this.#stores.size === 0 || this.#endOfStores !== undefined) return
      const end = $effect.root(() => {
        $effect.pre(() => this.#attend())
      })
      this.#endOfStores = () => {
        this.#endOfStores = undefined
        end()
      }
    })
  }

  #attend(): void {
    // Then what awaits it follows it. In async mode effects see arguments once more that are replaced already.
    if (this.isAwaited && this.#stores.size === 0) return
    try {
      this.shown.follow()
      this.#tell()
    } catch (error) {
      // It is thrown again where the handle is read.
      follows(error)
    }
  }

  #tell(): void {
    for (const tell of this.#stores) tell()
  }

  /** Svelte compiles what a component without runes reads of a constant to be read once. In development it warns of that. */
  warnIfStatic(): void {
    if (!this.#isInLegacyComponent || this.#hasWarned || $effect.tracking() || !isInComponent()) return
    this.#hasWarned = true
    errors.warn(errors.readOnce(this.name, remedyInLegacyComponents))
  }
}

const remedyInLegacyComponents = `Svelte compiles a component without runes so. Read the handle as a store there,
  $todo instead of todo.current, or write the component with runes ($props() instead of \`export let\`).`

/** Has an effect run again when what its arguments need is there. @returns whether that is what was thrown */
function follows(thrown: unknown): boolean {
  if (!(thrown instanceof Suspension)) return false
  thrown.waiting.isOver()
  return true
}

/** A part of what a hook shows: effects that read it run again when it changes, and only then. */
export class Part<Data, Value> {
  readonly #observed: Observed<Data, unknown>
  readonly #read: (observer: Observer<Data>) => Value
  readonly #onChange: (() => void) | undefined
  #followed: { readonly observer: Observer<Data>; readonly follow: () => void } | undefined

  constructor(
    observed: Observed<Data, unknown>,
    read: (observer: Observer<Data>) => Value,
    onChange?: () => void,
  ) {
    this.#observed = observed
    this.#read = read
    this.#onChange = onChange
  }

  /** As it is now: effects that read it run again for another call only. */
  get now(): Value {
    return this.#read(this.#observed.observer)
  }

  get current(): Value {
    this.#observed.warnIfStatic()
    this.follow()
    return this.now
  }

  /**
   * Has the effect that calls it run again. While there is one, the call is listened to and its data kept.
   *
   * `createSubscriber` is what makes this hold whatever becomes of the effect: pending, failed, destroyed before it
   * was mounted, or on a server, where nothing is ever listened to. Nothing here writes state, so that it is safe
   * inside `$derived`.
   */
  follow(observer: Observer<Data> = this.#observed.observer): void {
    if (this.#followed?.observer !== observer) {
      this.#followed = { observer, follow: createSubscriber((update) => this.#listen(observer, update)) }
    }
    this.#followed.follow()
  }

  #listen(observer: Observer<Data>, update: () => void): () => void {
    const release = observer.retain()
    let told = this.#read(observer)
    const end = observer.subscribe(() => {
      const now = this.#read(observer)
      if (now === told) return
      told = now
      update()
      this.#onChange?.()
    })
    return () => {
      end()
      release()
    }
  }
}

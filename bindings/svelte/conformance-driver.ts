import { dueTimers, nextTask } from '@selfsame/conformance/next-task'
import { PageAround, remade } from '@selfsame/conformance'
import type {
  App,
  Arrangement,
  Driver,
  HookArgs,
  OnScreen,
  ReadHook,
  ReadTarget,
  Reader as MountedReader,
} from '@selfsame/conformance'
import type { Controller } from '@selfsame/core'
import { render } from '@testing-library/svelte'
import { flushSync, tick } from 'svelte'
import type { Component } from 'svelte'
import { SvelteSet } from 'svelte/reactivity'
import AppComponent from './testing/App.svelte'
import Reader from './testing/Reader.svelte'
import { ReaderState } from './testing/reader-state.svelte.js'
import type { ReaderProps } from './testing/reader-state.svelte.js'

/** @param SuspendingReader - calls `useSuspense`; one reads `current`, another awaits */
export function createDriver(
  name: string,
  SuspendingReader: Component<ReaderProps>,
  knownGaps: Driver['knownGaps'],
): Driver {
  return {
    name,
    knownGaps,
    hasPages: true,
    open: (controller, arrangement) => new SvelteApp(controller, SuspendingReader, arrangement),
  }
}

/** Svelte as it is by default: without its `experimental.async`. */
export const svelteDriver: Driver = createDriver('svelte', Reader, {})

class SvelteApp implements App {
  readonly #readers = new SvelteSet<ReaderState>()
  readonly #target = document.body.appendChild(document.createElement('main'))
  readonly #unmount: () => void
  readonly #arrangement: Arrangement | undefined

  constructor(controller: Controller, SuspendingReader: Component<ReaderProps>, arrangement?: Arrangement) {
    this.#arrangement = arrangement
    const props = { controller, readers: this.#readers, SuspendingReader }
    this.#unmount = render(AppComponent, { target: this.#target, props }).unmount
  }

  readonly failures: unknown[] = []

  mount(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<MountedReader> {
    const page = this.#arrangement === 'in a page' ? new PageAround() : undefined
    return this.#mount(new ReaderState(hook, endpoint, args, undefined, page))
  }

  mountBare(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<MountedReader> {
    return this.#mount(new ReaderState(hook, endpoint, args, (error) => this.failures.push(error)))
  }

  async #mount(state: ReaderState): Promise<MountedReader> {
    this.#readers.add(state)
    await frame()
    if (state.page !== undefined) {
      state.page.type()
      state.page.open()
      await frame()
    }
    return new SvelteReader(state, () => this.#readers.delete(state))
  }

  async settle(): Promise<void> {
    await frame(dueTimers)
    await frame()
    // A fallback that came in the second frame is counted in the third. A browser has other tasks between two timers.
    if (isBrowser) await new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
  }

  async close(): Promise<void> {
    this.#unmount()
    this.#target.remove()
    await frame()
  }
}

class SvelteReader implements MountedReader {
  readonly #state: ReaderState
  readonly #remove: () => void

  constructor(state: ReaderState, remove: () => void) {
    this.#state = state
    this.#remove = remove
  }

  get page(): PageAround | undefined {
    return this.#state.page
  }

  current(): OnScreen {
    return this.#state.current()
  }

  get renders(): number {
    return this.#state.renders
  }

  get fallbacks(): number {
    return this.#state.fallbacks
  }

  change(...args: HookArgs): Promise<void> {
    this.#state.args = args
    return frame()
  }

  changeEndpoint(endpoint: ReadTarget, ...args: HookArgs): Promise<void> {
    this.#state.endpoint = endpoint
    return this.change(...args)
  }

  rerender(): Promise<void> {
    return this.change(...remade(this.#state.args))
  }

  reset(): Promise<void> {
    this.#state.reset()
    return frame()
  }

  tryAgain(): Promise<void> {
    this.#state.resetKey++
    return frame()
  }

  hide(): Promise<void> {
    this.#state.isShown = false
    return frame()
  }

  show(): Promise<void> {
    this.#state.isShown = true
    return frame()
  }

  unmount(): Promise<void> {
    this.#remove()
    return frame()
  }
}

/** happy-dom paints nothing: its frames are timers. */
const isBrowser = !('happyDOM' in globalThis)

/** Lets effects, and all promises that are settled, finish. */
async function frame(wait: () => Promise<void> = nextTask): Promise<void> {
  flushSync()
  await tick()
  await wait()
}

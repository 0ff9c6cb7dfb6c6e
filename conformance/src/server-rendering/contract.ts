import type { Controller, ControllerOptions } from '@selfsame/core'
import type { HookArgs, LegacyHook, ReadHook, ReadTarget, SmallHook } from '../contract.js'

/** The hooks that stand in pages which a server renders. */
export type ServerHook = Exclude<
  ReadHook,
  SmallHook | LegacyHook | 'useSuspense and useDLE' | 'useSuspense unread'
>

/** One component of a page: it calls one hook, and shows text made of what that gives. */
export interface ScreenPart {
  readonly hook: ServerHook
  readonly endpoint: ReadTarget
  readonly args: HookArgs
  /**
   * What the component shows.
   *
   * @param value - what the hook gives, without the refs or handles of the framework; for `useFetch` what its promise gives;
   *   for `useDLE` and `useInfinite` an object of `data`, `loading` and `error`
   */
  show(value: unknown): string
}

/**
 * A page: components below each other, each in an `AsyncBoundary` of its own that shows `Loading` while it waits, and
 * `Failed: ` with the message of the error. Each is `<p data-part="0">…</p>`, by its place, whatever it shows.
 */
export type Screen = readonly ScreenPart[]

/** A page as a server sends it. */
export interface ServedPage {
  /** All that stands in `<body>`, state included, as it is when the whole of it has arrived. */
  readonly html: string
  /** That of the request, which has ended. */
  readonly controller: Controller
}

/** A page that was hydrated. */
export interface HydratedPage {
  /** What the framework reports of hydration: a mismatch, an error that it recovered from. */
  readonly failures: readonly unknown[]
  /** Lets the framework and all promises that are settled finish. */
  settle(): Promise<void>
  /** Resets the boundary around a part, as its retry button does. */
  retry(part: number): Promise<void>
  /** Unmounts everything, and takes it off the page. */
  close(): Promise<void>
}

/** How the suite speaks to one framework about rendering on a server. Each driver lives with its binding. */
export interface ServerDriver {
  /** `react`, `vue`, `svelte` or `controller`. */
  readonly name: string
  /** Scenarios that this framework cannot satisfy, by name, each with its cause. They are expected to fail. */
  readonly knownGaps: Readonly<Record<string, string>>
  /** What is written to the console only because server and page run in one place here. @default nothing */
  readonly noise?: RegExp
  /**
   * Renders a page on a server, with a Controller of its own, and ends the request. Waits for what can be waited for.
   *
   * @param options - those of the Controller
   */
  serve(screen: Screen, options: ControllerOptions): Promise<ServedPage>
  /**
   * Shows such a page in `document`: takes the state that is in it, and hydrates it.
   *
   * @param container - holds `html` already
   */
  hydrate(container: HTMLElement, screen: Screen, controller: Controller): Promise<HydratedPage>
}

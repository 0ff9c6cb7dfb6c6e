import type { Controller, ControllerOptions } from '@selfsame/core'
import type { HookArgs, LegacyHook, ReadHook, ReadTarget, SmallHook } from '../contract.js'

/** The hooks that server-rendered pages use. */
export type ServerHook =
  | Exclude<
      ReadHook,
      | SmallHook
      | LegacyHook
      | 'useSuspense and useDLE'
      | 'useSubscription and useSuspense'
      | 'useSuspense unread'
    >
  | 'useLast'

/** A component of a page. It calls one hook, and shows its result as text. */
export interface ScreenPart {
  readonly hook: ServerHook
  readonly endpoint: ReadTarget
  readonly args: HookArgs
  /** The page hydrates the component after this promise, as if its code arrived late. @default with the others */
  readonly until?: Promise<unknown> | undefined
  /**
   * The text of the component.
   *
   * @param value - the result of the hook, without the framework's refs or handles; for `useFetch` the value of the
   *   promise; for `useDLE`, `useLast` and `useInfinite` an object of `data`, `loading` and `error`
   */
  show(value: unknown): string
}

/**
 * A page: a list of components, each in an `AsyncBoundary` that shows `Loading` while it waits, and `Failed: ` with
 * the message of an error. Each is a `<p data-part="0">…</p>` with its index, in every state.
 */
export type Screen = readonly ScreenPart[]

/** A page from the server. */
export interface ServedPage {
  /** The content of `<body>`, including the state, once the page has fully arrived. */
  readonly html: string
  /** The Controller of the request, which has ended. */
  readonly controller: Controller
}

/** A hydrated page. */
export interface HydratedPage {
  /** Errors of hydration that the framework reports: a mismatch, or an error that it recovered from. */
  readonly failures: readonly unknown[]
  /** Waits until the framework and all settled promises are done. */
  settle(): Promise<void>
  /** Resets the boundary of a part, like its retry button. */
  retry(part: number): Promise<void>
  /** Unmounts everything, and removes it from the page. */
  close(): Promise<void>
}

/** The suite's interface to one framework's server rendering. Each binding implements it. */
export interface ServerDriver {
  /** `react`, `vue`, `svelte` or `controller`. */
  readonly name: string
  /** Scenarios that this framework cannot satisfy, by name, with the cause. They are expected to fail. */
  readonly knownGaps: Readonly<Record<string, string>>
  /** Console messages that appear only because server and page run in one process here. @default none */
  readonly noise?: RegExp
  /** `true` if a part can be hydrated later than others, and then must match the HTML. @default false */
  readonly hydratesLate?: boolean
  /**
   * Renders a page on a server, with a Controller of its own, and ends the request. Waits for the data of hooks that
   * can wait.
   *
   * @param options - the options of the Controller
   */
  serve(screen: Screen, options: ControllerOptions): Promise<ServedPage>
  /**
   * Hydrates such a page in `document` from the state that it contains.
   *
   * @param container - contains the `html` of the page
   */
  hydrate(container: HTMLElement, screen: Screen, controller: Controller): Promise<HydratedPage>
}

import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { createMockController } from './mock-controller.js'
import type { MockController, MockOptions } from './mock-controller.js'
import type { MockRequest } from './mock-network.js'
import { settle, waitFor } from './settle.js'
import type { WaitOptions } from './settle.js'

/** Options of every binding's `renderDataHook`: those of a mock Controller, and these. */
export interface RenderOptions<
  FixtureEndpoints extends readonly unknown[] = readonly EndpointLike[],
  Intercepted extends readonly unknown[] = readonly EndpointLike[],
  State = unknown,
> extends MockOptions<FixtureEndpoints, Intercepted, State> {
  /**
   * The Controller. Give fixtures and all other options to it instead.
   *
   * @default a new one, disposed of on `unmount`
   */
  readonly controller?: MockController | undefined
}

/** The state of a hook on screen. */
export interface HookResult<Value> {
  /**
   * The current result of the hook.
   *
   * @throws the error, while the boundary shows one; {SelfsameError} `data-missing` during the fallback and after
   *   `unmount`
   */
  readonly current: Value
  /** The error that the boundary shows; `undefined` if there is none. */
  readonly error: Error | undefined
  /** `true` while the fallback is on screen, because the hook waits for data. */
  readonly pending: boolean
}

/** A mounted hook, inside a provider and a boundary. `Props` is `undefined` for a hook without props. */
export interface RenderedHook<Value, Props> {
  readonly result: HookResult<Value>
  /** Renders again, with new props if the hook has props. Waits for the framework, not for responses. */
  rerender(...props: Props extends undefined ? readonly [] : readonly [props: Props]): Promise<void>
  /** Waits until promises, responses and due timers are handled. Does not wait for timers of a later time. */
  settle(): Promise<void>
  /**
   * Waits until a condition neither throws nor returns `false`.
   *
   * @throws the last error of the condition; {SelfsameError} `wait-timeout` if it returned `false`
   */
  waitFor(condition: () => unknown, options?: WaitOptions): Promise<void>
  /** Clears the shown error, as a "Try again" button does. Does nothing if there is none. */
  reset(): Promise<void>
  /** Unmounts the hook, and disposes of the Controller if it was created for the hook. */
  unmount(): Promise<void>
  readonly controller: MockController
  /** The requests so far. */
  readonly requests: readonly MockRequest[]
}

/** The state of the screen. */
export type OnScreen<Value> =
  | { readonly state: 'success'; readonly value: Value }
  | { readonly state: 'pending' }
  | { readonly state: 'error'; readonly error: Error; readonly reset: () => void }
  | { readonly state: 'gone' }

/** Functions that unmount what is mounted now. */
const mounted = new Set<() => Promise<void>>()

/**
 * Unmounts everything that `renderDataHook` and `render` have mounted, the latest first. It is called after each test where the
 * test runner has a global `afterEach`: Jest, and Vitest with `globals: true`.
 *
 * @example afterEach(cleanup)
 */
export async function cleanup(): Promise<void> {
  for (const unmount of [...mounted].reverse()) await unmount()
}

;(globalThis as { readonly afterEach?: (after: () => Promise<void>) => void }).afterEach?.(cleanup)

/** The framework's part of a mounted hook; each binding implements it. */
export interface Stage<Value, Props> {
  screen(): OnScreen<Value>
  /** Renders with new props, without waiting for responses. */
  rerender(props: Props): unknown
  unmount(): unknown
  /** Runs a change, and waits until the framework has applied it. */
  flush(change: () => unknown): Promise<void>
}

/**
 * Mounts a hook on a binding's stage.
 *
 * @param open - creates the stage
 * @throws {SelfsameError} `definition-invalid` for mock options next to a given Controller, which exists already
 */
export function openHook<Value, Props>(
  options: RenderOptions,
  open: (controller: MockController) => Stage<Value, Props>,
): RenderedHook<Value, Props> {
  const { controller: given, ...mockOptions } = options
  const [unused] = Object.entries(mockOptions).find(([, value]) => value !== undefined) ?? []
  if (given !== undefined && unused !== undefined) {
    throw errors.definitionInvalid('renderDataHook()', [
      `received both a controller and ${unused}, which is for a Controller of its own.`,
      `Pass ${unused} to createMockController().`,
    ])
  }
  const controller = given ?? createMockController(mockOptions as MockOptions)
  const stage = open(controller)
  let isMounted = true
  const unmount = async () => {
    if (!isMounted) return
    isMounted = false
    mounted.delete(unmount)
    await stage.flush(() => stage.unmount())
    if (given === undefined) controller.dispose()
    // Requests without readers are aborted in the next task.
    await settleOnce()
  }
  mounted.add(unmount)
  const settleOnce = () => settle(controller, (change) => stage.flush(change))
  const screen = (): OnScreen<Value> => (isMounted ? stage.screen() : { state: 'gone' })
  return {
    controller,
    requests: controller.requests,
    result: {
      get current() {
        const shown = screen()
        if (shown.state === 'success') return shown.value
        if (shown.state === 'error') throw shown.error
        throw errors.dataMissing(
          'result.current',
          shown.state === 'gone'
            ? 'The hook was unmounted. Read the result before that.'
            : 'Await settle() or waitFor(). If the response has a delayMs, advance the clock.',
        )
      },
      get error() {
        const shown = screen()
        return shown.state === 'error' ? shown.error : undefined
      },
      get pending() {
        return screen().state === 'pending'
      },
    },
    async rerender(...[props]) {
      await stage.rerender(props as Props)
    },
    settle: settleOnce,
    waitFor: (condition, waitOptions) => waitFor(condition, settleOnce, waitOptions),
    async reset() {
      const shown = screen()
      if (shown.state === 'error') await stage.flush(shown.reset)
    },
    unmount,
  }
}

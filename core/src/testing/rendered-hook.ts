import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { createMockController } from './mock-controller.js'
import type { MockController, MockOptions } from './mock-controller.js'
import type { MockRequest } from './mock-network.js'
import { settle, waitFor } from './settle.js'
import type { WaitOptions } from './settle.js'

/** What `renderDataHook` of each binding may be told, besides what a mock Controller may. */
export interface RenderOptions<
  FixtureEndpoints extends readonly unknown[] = readonly EndpointLike[],
  Intercepted extends readonly unknown[] = readonly EndpointLike[],
  State = unknown,
> extends MockOptions<FixtureEndpoints, Intercepted, State> {
  /**
   * The Controller, which then has the fixtures and all other options.
   *
   * @default one of its own, which ends with the hook
   */
  readonly controller?: MockController | undefined
}

/** What a hook shows. */
export interface HookResult<Value> {
  /**
   * What the hook gives on screen.
   *
   * @throws the error, while one is shown; {SelfsameError} `data-missing` while the fallback is, and after `unmount`
   */
  readonly current: Value
  /** The error that the boundary around shows; `undefined` while it shows none. */
  readonly error: Error | undefined
  /** Whether the fallback is on screen: the hook waits for data. */
  readonly pending: boolean
}

/** A hook on screen, inside a provider and a boundary. Props is `undefined` for a hook that takes none. */
export interface RenderedHook<Value, Props> {
  readonly result: HookResult<Value>
  /** Renders again, with other props where the hook takes any. Waits for the framework, not for answers. */
  rerender(...props: Props extends undefined ? readonly [] : readonly [props: Props]): Promise<void>
  /** Lets promises, answers, and timers that are due now finish. What waits for time goes on waiting. */
  settle(): Promise<void>
  /**
   * Waits until a condition holds: until it neither throws nor returns `false`.
   *
   * @throws what the condition threw last; {SelfsameError} `waited-in-vain` where it returned `false`
   */
  waitFor(condition: () => unknown, options?: WaitOptions): Promise<void>
  /** Takes the error that is shown back, as a "Try again" does. Does nothing while none is shown. */
  reset(): Promise<void>
  /** Takes the hook off the screen, and ends the Controller if it was made for it. */
  unmount(): Promise<void>
  readonly controller: MockController
  /** The requests made until now. */
  readonly requests: readonly MockRequest[]
}

/** What stands on screen. */
export type OnScreen<Value> =
  | { readonly state: 'success'; readonly value: Value }
  | { readonly state: 'pending' }
  | { readonly state: 'error'; readonly error: Error; readonly reset: () => void }
  | { readonly state: 'gone' }

/** What a binding does for a hook on screen. */
export interface Stage<Value, Props> {
  screen(): OnScreen<Value>
  /** Applies other props, without waiting for answers. */
  rerender(props: Props): unknown
  unmount(): unknown
  /** Runs a change, and lets the framework finish what is due. */
  flush(change: () => unknown): Promise<void>
}

/**
 * Puts a hook on screen by what a binding does.
 *
 * @param open - makes the stage
 * @throws {SelfsameError} `definition-invalid` for options that a given Controller cannot have any more
 */
export function openHook<Value, Props>(
  options: RenderOptions,
  open: (controller: MockController) => Stage<Value, Props>,
): RenderedHook<Value, Props> {
  const { controller: given, ...mockOptions } = options
  const [unused] = Object.entries(mockOptions).find(([, value]) => value !== undefined) ?? []
  if (given !== undefined && unused !== undefined) {
    throw errors.definitionInvalid('renderDataHook()', [
      `was given a controller, and ${unused} for one of its own.`,
      'Give it to createMockController().',
    ])
  }
  const controller = given ?? createMockController(mockOptions as MockOptions)
  const stage = open(controller)
  let isMounted = true
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
            ? 'The hook was unmounted: read it before.'
            : 'Await settle() or waitFor(); advance the clock if the answer has a delayMs.',
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
    async unmount() {
      if (!isMounted) return
      isMounted = false
      await stage.flush(() => stage.unmount())
      if (given === undefined) controller.dispose()
      // A request that nobody waits for any more is aborted in the next task.
      await settleOnce()
    },
  }
}

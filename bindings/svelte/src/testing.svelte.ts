import type { EndpointLike } from '@selfsame/core'
import { openHook } from '@selfsame/core/testing'
import type { RenderOptions, RenderedHook } from '@selfsame/core/testing'
import { flushSync, mount, tick, unmount } from 'svelte'
import TestStage from './TestStage.svelte'
import { Screen } from './test-screen.js'

export type { HookResult, RenderedHook } from '@selfsame/core/testing'

/** Options of `renderDataHook`: those of `createMockController`, and these. */
export interface RenderDataHookOptions<
  FixtureEndpoints extends readonly unknown[] = readonly EndpointLike[],
  Intercepted extends readonly unknown[] = readonly EndpointLike[],
  State = unknown,
> extends RenderOptions<FixtureEndpoints, Intercepted, State> {
  /** Other contexts for the hook. @default none */
  readonly context?: ReadonlyMap<unknown, unknown> | undefined
}

/** The result of a hook: the `current` of a handle, any other value itself. */
export type Shown<Value> = Value extends { readonly current: infer Inner } ? Inner : Value

/**
 * Calls a hook in the script of a component inside a `DataProvider` and an `AsyncBoundary`. For a handle, the
 * component shows its `current`, and `result.current` is the same. Works with and without `experimental.async`.
 *
 * @param hook - calls hooks. It receives reactive props; read them in getters
 * @returns the state after the first render: a hook without data is pending until `settle` or `waitFor`
 * @throws {SelfsameError} what `createMockController` throws; `definition-invalid` for a controller together with
 *   options of one
 * @see specification 4.5, Testing
 * @example
 * const { result, settle, unmount } = renderDataHook(() => useSuspense(todoResource.get, { id: 5 }), {
 *   fixtures: [{ endpoint: todoResource.get, args: [{ id: 5 }], response: { id: 5, title: 'Write tests' } }],
 * })
 * await settle()
 * expect(result.current.title).toBe('Write tests')
 */
export function renderDataHook<
  Value,
  Props extends object,
  const FixtureEndpoints extends readonly unknown[] = readonly [],
  const Intercepted extends readonly unknown[] = readonly [],
  State = undefined,
>(
  hook: (props: Readonly<Props>) => Value,
  options: RenderDataHookOptions<FixtureEndpoints, Intercepted, State> & {
    /** The props of the hook. `rerender` changes them. */
    readonly props: Props
  },
): RenderedHook<Shown<Value>, Props>
export function renderDataHook<
  Value,
  const FixtureEndpoints extends readonly unknown[] = readonly [],
  const Intercepted extends readonly unknown[] = readonly [],
  State = undefined,
>(
  hook: () => Value,
  options?: RenderDataHookOptions<FixtureEndpoints, Intercepted, State>,
): RenderedHook<Shown<Value>, undefined>
export function renderDataHook<Value, Props extends object>(
  hook: (props: Readonly<Props>) => Value,
  given: object = {},
): RenderedHook<Shown<Value>, Props> {
  const {
    props: firstProps,
    context,
    ...options
  } = given as RenderDataHookOptions & { readonly props?: Props }
  return openHook<Shown<Value>, Props>(options, (controller) => {
    let props = $state.raw({ ...firstProps } as Props)
    // A Proxy that reads each prop from the state, so that a hook tracks the props that it reads even if `rerender`
    // replaces all of them.
    const current = new Proxy({} as Props, {
      get: (_, name) => Reflect.get(props, name) as unknown,
      has: (_, name) => Reflect.has(props, name),
      ownKeys: () => Reflect.ownKeys(props),
      getOwnPropertyDescriptor: (_, name) => {
        const descriptor = Reflect.getOwnPropertyDescriptor(props, name)
        return descriptor && { ...descriptor, configurable: true }
      },
    })
    const screen = new Screen<Shown<Value>>()
    const component = mount(TestStage, {
      target: document.createElement('div'),
      props: { controller, screen, hook: () => hook(current) },
      ...(context === undefined ? {} : { context: new Map(context) }),
    })
    flushSync()
    return {
      screen: () => screen.shown,
      async rerender(next) {
        props = { ...next }
        flushSync()
        await tick()
      },
      unmount: () => unmount(component),
      async flush(change) {
        await change()
        flushSync()
        await tick()
      },
    }
  })
}

import type { EndpointLike } from '@selfsame/core'
import { openHook } from '@selfsame/core/testing'
import type { RenderOptions, RenderedHook } from '@selfsame/core/testing'
import { flushSync, mount, tick, unmount } from 'svelte'
import TestStage from './TestStage.svelte'
import { Screen } from './test-screen.js'

export type { HookResult, RenderedHook } from '@selfsame/core/testing'

/** What `renderDataHook` may be told, besides what `createMockController` may. */
export interface RenderDataHookOptions<
  FixtureEndpoints extends readonly unknown[] = readonly EndpointLike[],
  Intercepted extends readonly unknown[] = readonly EndpointLike[],
  State = unknown,
> extends RenderOptions<FixtureEndpoints, Intercepted, State> {
  /** The contexts of others that the hook finds. @default none */
  readonly context?: ReadonlyMap<unknown, unknown> | undefined
}

/** What a hook shows: of a handle its `current`, of anything else itself. */
export type Shown<Value> = Value extends { readonly current: infer Inner } ? Inner : Value

/**
 * Puts a hook on screen: in the script of a component inside a `DataProvider` and an `AsyncBoundary`. Where it gives a
 * handle, the component shows what its `current` is, and so does `result.current`. Works with and without
 * `experimental.async`.
 *
 * @param hook - calls hooks. It is given reactive props, to be read in getters
 * @returns at once, as the first frame shows it: what waits for data is pending until `settle` or `waitFor`
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
    /** What the hook is called with. `rerender` changes it. */
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
    // Read one by one, so that a hook follows those that it reads, whenever they are replaced.
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

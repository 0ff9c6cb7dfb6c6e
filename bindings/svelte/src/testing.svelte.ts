import type { EndpointLike } from '@selfsame/core'
import { openHook } from '@selfsame/core/testing'
import type { RenderOptions, RenderedHook } from '@selfsame/core/testing'
import { flushSync, mount, tick, unmount } from 'svelte'
import type { Component } from 'svelte'
import TestPage from './TestPage.svelte'
import TestStage from './TestStage.svelte'
import { Screen } from './test-screen.js'

export { cleanup } from '@selfsame/core/testing'
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

/** The result of `render`. */
export interface RenderedPage<Props> extends Pick<
  RenderedHook<Element, undefined>,
  'controller' | 'requests' | 'settle' | 'waitFor' | 'unmount'
> {
  /** The element that the component is rendered into, the last child of the body. `unmount` removes it. */
  readonly container: HTMLElement
  /** Replaces the props, and settles. */
  rerender(props: Props): Promise<void>
}

/**
 * Renders a component in a provider with a mock Controller and an `AsyncBoundary`, which shows nothing while it waits, and
 * settles.
 *
 * @param given - the options of `createMockController`, `context`, and the `props` of the component
 * @throws what the component throws outside a boundary of its own
 * @see specification 4.5, Testing
 * @example
 * const { container, settle } = await render(TodoPage, { props: { id: 5 }, fixtures: [{ endpoint: getTodo, args: [{ id: 5 }], response }] })
 * expect(container.textContent).toBe('Write')
 */
export async function render<
  Props extends Record<string, unknown>,
  const FixtureEndpoints extends readonly unknown[] = readonly [],
  const Intercepted extends readonly unknown[] = readonly [],
  State = undefined,
>(
  component: Component<Props>,
  given: RenderDataHookOptions<FixtureEndpoints, Intercepted, State> & {
    /** The props of the component. @default none */
    readonly props?: Props | undefined
  } = {},
): Promise<RenderedPage<Props>> {
  const { props: firstProps, context, ...options } = given
  const container = document.body.appendChild(document.createElement('div'))
  const failures: unknown[] = []
  const page = openHook<HTMLElement, Props>(options as RenderOptions, (controller) => {
    let props = $state.raw<object>({ ...firstProps })
    const mounted = mount(TestPage, {
      target: container,
      props: {
        controller,
        component: component as Component<Record<string, unknown>>,
        get props() {
          return props as Record<string, unknown>
        },
        fail: (error: unknown) => void failures.push(error),
      },
      ...(context === undefined ? {} : { context: new Map(context) }),
    })
    flushSync()
    return {
      screen: () => ({ state: 'success', value: container }),
      async rerender(next) {
        props = { ...next }
        flushSync()
        await tick()
      },
      async unmount() {
        await unmount(mounted)
        container.remove()
      },
      async flush(change) {
        await change()
        flushSync()
        await tick()
        if (failures.length > 0) throw failures.pop()
      },
    }
  })
  const { controller, requests, settle, waitFor } = page
  await settle()
  const rerender = async (next: Props) => {
    await (page as unknown as RenderedHook<HTMLElement, object>).rerender(next)
    await settle()
  }
  return { container, controller, requests, rerender, settle, waitFor, unmount: page.unmount }
}

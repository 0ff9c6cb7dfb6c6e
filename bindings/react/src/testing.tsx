import type { EndpointLike } from '@selfsame/core'
import { openHook } from '@selfsame/core/testing'
import type { OnScreen, RenderOptions, RenderedHook } from '@selfsame/core/testing'
import { StrictMode, act, useLayoutEffect } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { AsyncBoundary } from './AsyncBoundary.js'
import type { ErrorFallbackProps } from './AsyncBoundary.js'
import { DataProvider } from './DataProvider.js'

export { cleanup } from '@selfsame/core/testing'
export type { HookResult, RenderedHook } from '@selfsame/core/testing'

/** Options of `renderDataHook`: those of `createMockController`, and these. */
export interface RenderDataHookOptions<
  FixtureEndpoints extends readonly unknown[] = readonly EndpointLike[],
  Intercepted extends readonly unknown[] = readonly EndpointLike[],
  State = unknown,
> extends RenderOptions<FixtureEndpoints, Intercepted, State> {
  /**
   * Rendered between the provider and the boundary around the hook, for example to provide other contexts.
   *
   * @default nothing
   */
  readonly wrapper?: ComponentType<{ readonly children: ReactNode }> | undefined
  /** If `true`, wraps the hook in `<StrictMode>`, which renders and mounts it twice. @default false */
  readonly isStrict?: boolean | undefined
}

/**
 * Renders a hook in a component inside a `DataProvider` and an `AsyncBoundary`. Requires React's `act`, which the
 * production build of React lacks.
 *
 * @param hook - calls hooks; its return value becomes `result.current`
 * @returns the state after the first render: a hook that suspends is pending until `settle` or `waitFor`
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
  hook: (props: Props) => Value,
  options: RenderDataHookOptions<FixtureEndpoints, Intercepted, State> & {
    /** The props of the next render; `rerender` replaces them. */
    readonly props: Props
  },
): RenderedHook<Value, Props>
export function renderDataHook<
  Value,
  const FixtureEndpoints extends readonly unknown[] = readonly [],
  const Intercepted extends readonly unknown[] = readonly [],
  State = undefined,
>(
  hook: () => Value,
  options?: RenderDataHookOptions<FixtureEndpoints, Intercepted, State>,
): RenderedHook<Value, undefined>
export function renderDataHook<Value, Props>(
  hook: (props: Props) => Value,
  given: object = {},
): RenderedHook<Value, Props> {
  const {
    props: firstProps,
    wrapper: Wrapper = Unwrapped,
    isStrict = false,
    ...options
  } = given as RenderDataHookOptions & { readonly props: Props }
  return openHook<Value, Props>(options, (controller) => {
    let screen: OnScreen<Value> = { state: 'pending' }
    const show = (next: OnScreen<Value>) => (screen = next)

    function Probe({ props }: { readonly props: Props }) {
      const value = hook(props)
      useLayoutEffect(() => {
        show({ state: 'success', value })
      })
      return null
    }
    function Waiting() {
      useLayoutEffect(() => {
        show({ state: 'pending' })
      })
      return null
    }
    function Failed({ error, reset }: ErrorFallbackProps) {
      useLayoutEffect(() => {
        show({ state: 'error', error, reset })
      })
      return null
    }

    // The result holds caught errors; without this handler React would also log them.
    const root = createRoot(document.createElement('div'), { onCaughtError: () => {} })
    let page: ReactNode
    const renderHook = (props: Props) => {
      const content = (
        <DataProvider controller={controller}>
          <Wrapper>
            <AsyncBoundary fallback={<Waiting />} errorFallback={Failed}>
              <Probe props={props} />
            </AsyncBoundary>
          </Wrapper>
        </DataProvider>
      )
      page = isStrict ? <StrictMode>{content}</StrictMode> : content
      // Outside of `act`, so that the test can see the pending state of a hook that suspends.
      const restore = expectAct(false)
      try {
        flushSync(() => root.render(page))
      } finally {
        restore()
      }
    }
    renderHook(firstProps)
    return {
      screen: () => screen,
      rerender: renderHook,
      unmount() {
        page = undefined
        root.unmount()
      },
      async flush(change) {
        const restore = expectAct(true)
        try {
          await act(async () => {
            await change()
            // React delays content that became ready outside `act`, unless it is rendered again.
            if (screen.state === 'pending' && page !== undefined) root.render(page)
          })
        } finally {
          restore()
        }
      },
    }
  })
}

/** The result of `render`. */
export interface RenderedPage extends Pick<
  RenderedHook<Element, undefined>,
  'controller' | 'requests' | 'settle' | 'waitFor' | 'unmount'
> {
  /** The element that the page is rendered into, the last child of the body. `unmount` removes it. */
  readonly container: HTMLElement
  /** Renders another element, and settles. */
  rerender(element: ReactNode): Promise<void>
}

/**
 * Renders an element in a page of its own, inside a `DataProvider`. Renders inside an awaited `act`, as React asks
 * for components that suspend. Requires React's `act`, which the production build of React lacks.
 *
 * @returns a promise that resolves when promises, responses and due timers are handled; readers that wait for a later
 *   time show their fallback
 * @throws {SelfsameError} what `createMockController` throws; `definition-invalid` for a controller together with
 *   options of one
 * @see specification 4.5, Testing
 * @example
 * const { container } = await render(<TodoList />, {
 *   fixtures: [{ endpoint: todoResource.getList, args: [], response: [{ id: 5, title: 'Write tests' }] }],
 * })
 * expect(container.textContent).toBe('Write tests')
 */
export async function render<
  const FixtureEndpoints extends readonly unknown[] = readonly [],
  const Intercepted extends readonly unknown[] = readonly [],
  State = undefined,
>(
  element: ReactNode,
  options: RenderDataHookOptions<FixtureEndpoints, Intercepted, State> = {},
): Promise<RenderedPage> {
  const { wrapper: Wrapper = Unwrapped, isStrict = false, ...mocks } = options
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  // The next step shows what a test does between two steps, such as a fetch, so React has nothing to warn of.
  const restoreAct = expectAct(false)
  const page = openHook<HTMLElement, { readonly element: ReactNode }>(
    mocks as RenderOptions,
    (controller) => {
      return {
        screen: () => ({ state: 'success', value: container }),
        rerender: ({ element: next }) => {
          const content = (
            <DataProvider controller={controller}>
              <Wrapper>{next}</Wrapper>
            </DataProvider>
          )
          return flushByAct(() => root.render(isStrict ? <StrictMode>{content}</StrictMode> : content))
        },
        unmount() {
          root.unmount()
          container.remove()
          restoreAct()
        },
        flush: flushByAct,
      }
    },
  )
  const rerender = async (next: ReactNode) => {
    await page.rerender({ element: next })
    await page.settle()
  }
  await rerender(element)
  const { controller, requests, settle, waitFor, unmount } = page
  return { container, controller, requests, rerender, settle, waitFor, unmount }
}

async function flushByAct(change: () => unknown): Promise<void> {
  const restore = expectAct(true)
  try {
    await act(async () => {
      await change()
    })
  } finally {
    restore()
  }
}

function Unwrapped({ children }: { readonly children: ReactNode }): ReactNode {
  return children
}

/** Sets whether React expects changes to happen inside `act`. @returns a function that restores the old value */
function expectAct(isExpected: boolean): () => void {
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined }
  const before = environment.IS_REACT_ACT_ENVIRONMENT
  environment.IS_REACT_ACT_ENVIRONMENT = isExpected
  return () => (environment.IS_REACT_ACT_ENVIRONMENT = before)
}

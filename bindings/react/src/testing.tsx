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

export type { HookResult, RenderedHook } from '@selfsame/core/testing'

/** What `renderDataHook` may be told, besides what `createMockController` may. */
export interface RenderDataHookOptions<
  FixtureEndpoints extends readonly unknown[] = readonly EndpointLike[],
  Intercepted extends readonly unknown[] = readonly EndpointLike[],
  State = unknown,
> extends RenderOptions<FixtureEndpoints, Intercepted, State> {
  /** Stands between the provider and the boundary around the hook, as for the contexts of others. @default nothing */
  readonly wrapper?: ComponentType<{ readonly children: ReactNode }> | undefined
  /** Whether the hook is in a `<StrictMode>`, which renders and mounts it twice. @default false */
  readonly isStrict?: boolean | undefined
}

/**
 * Puts a hook on screen: in a component inside a `DataProvider` and an `AsyncBoundary`. Needs React's `act`, which
 * its production build does not have.
 *
 * @param hook - calls hooks, and gives what `result.current` is then
 * @returns at once, as the first frame shows it: a hook that suspends is pending until `settle` or `waitFor`
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
    /** What the hook is called with, until `rerender` says otherwise. */
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
        show({ state: 'ready', value })
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
        show({ state: 'failed', error, reset })
      })
      return null
    }

    // Caught errors are in the result; React would write them to the console as well.
    const root = createRoot(document.createElement('div'), { onCaughtError: () => {} })
    let page: ReactNode
    const render = (props: Props) => {
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
      // Outside of `act`, so that what suspends is seen to be pending.
      const restore = expectAct(false)
      try {
        flushSync(() => root.render(page))
      } finally {
        restore()
      }
    }
    render(firstProps)
    return {
      screen: () => screen,
      rerender: render,
      unmount() {
        page = undefined
        root.unmount()
      },
      async flush(change) {
        const restore = expectAct(true)
        try {
          await act(async () => {
            await change()
            // What became ready outside of `act` is held back by React for a moment, unless it is rendered again.
            if (screen.state === 'pending' && page !== undefined) root.render(page)
          })
        } finally {
          restore()
        }
      },
    }
  })
}

function Unwrapped({ children }: { readonly children: ReactNode }): ReactNode {
  return children
}

/** Says whether React expects changes to be made inside of `act`. @returns a function that takes it back */
function expectAct(isExpected: boolean): () => void {
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined }
  const before = environment.IS_REACT_ACT_ENVIRONMENT
  environment.IS_REACT_ACT_ENVIRONMENT = isExpected
  return () => (environment.IS_REACT_ACT_ENVIRONMENT = before)
}

import type { EndpointLike } from '@selfsame/core'
import { openHook } from '@selfsame/core/testing'
import type { OnScreen, RenderOptions, RenderedHook } from '@selfsame/core/testing'
import {
  createApp,
  defineComponent,
  h,
  isRef,
  nextTick,
  onBeforeUnmount,
  onMounted,
  shallowReactive,
  shallowReadonly,
  shallowRef,
  unref,
} from 'vue'
import type { App, Component, PropType, Ref } from 'vue'
import { AsyncBoundary } from './AsyncBoundary.js'
import type { ErrorSlotProps } from './AsyncBoundary.js'
import { dataPlugin } from './DataProvider.js'
import { isOfEvent } from './is-of-event.js'

export { cleanup } from '@selfsame/core/testing'
export type { HookResult, RenderedHook } from '@selfsame/core/testing'

/** Options of `renderDataHook`: those of `createMockController`, and these. */
export interface RenderDataHookOptions<
  FixtureEndpoints extends readonly unknown[] = readonly EndpointLike[],
  Intercepted extends readonly unknown[] = readonly EndpointLike[],
  State = unknown,
> extends RenderOptions<FixtureEndpoints, Intercepted, State> {
  /** Called with the app before it is mounted, for example to install other plugins. @default nothing */
  readonly configure?: ((app: App) => void) | undefined
}

/** The result of a composable, awaited if possible: the value of a ref, anything else unchanged. */
export type Shown<Value> = Awaited<Value> extends Readonly<Ref<infer Inner>> ? Inner : Awaited<Value>

/**
 * Runs a composable in the `setup()` of a component inside an `AsyncBoundary`, in an app with `dataPlugin`. A result
 * that is a promise, or a ref that can be awaited like that of `useSuspense`, is awaited. `result.current` is then
 * the value of a ref, or any other result itself.
 *
 * @param hook - calls composables, before its first `await`. It receives reactive props; read them in getters
 * @returns the state after the first render: an awaited result is pending until `settle` or `waitFor`
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
    /** The props of the composable. `rerender` changes them. */
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
    configure = () => {},
    ...options
  } = given as RenderDataHookOptions & { readonly props?: Props }
  return openHook<Shown<Value>, Props>(options, (controller) => {
    const props = shallowReactive({ ...firstProps })
    let value: unknown
    let isReady = false
    let failure: ErrorSlotProps | undefined
    let waiting = 0

    const Probe = defineComponent({
      async setup() {
        isReady = false
        const hooked: unknown = hook(shallowReadonly(props) as Readonly<Props>)
        // Awaits only if there is a reason to wait, so that everything else is on screen immediately.
        value = hooked
        if (isThenable(hooked)) value = await hooked
        isReady = true
        return () => undefined
      },
    })
    const Waiting = defineComponent({
      setup() {
        onMounted(() => waiting++)
        onBeforeUnmount(() => waiting--)
        return () => undefined
      },
    })
    const Failed = defineComponent({
      props: { shown: { type: Object as PropType<ErrorSlotProps>, required: true } },
      setup(shownProps) {
        onBeforeUnmount(() => (failure = undefined))
        return () => void (failure = shownProps.shown)
      },
    })
    const app = createApp({
      render: () =>
        h(AsyncBoundary, null, {
          default: () => h(Probe),
          fallback: () => h(Waiting),
          error: (shown: ErrorSlotProps) => h(Failed, { shown }),
        }),
    })
    app.use(dataPlugin, { controller })
    configure(app)
    app.mount(document.createElement('div'))
    return {
      screen(): OnScreen<Shown<Value>> {
        if (failure !== undefined) return { state: 'error', ...failure }
        if (waiting > 0 || !isReady) return { state: 'pending' }
        // The type of the composable says so.
        return { state: 'success', value: (isRef(value) ? unref(value) : value) as Shown<Value> }
      },
      rerender(next) {
        for (const name of Object.keys(props)) {
          if (!Object.hasOwn(next, name)) delete (props as Record<string, unknown>)[name]
        }
        Object.assign(props, next)
        return nextTick()
      },
      unmount: () => app.unmount(),
      async flush(change) {
        await change()
        await nextTick()
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
 * @param options - those of `createMockController`, `configure`, and the `props` of the component
 * @throws what the component throws outside a boundary of its own
 * @see specification 4.5, Testing
 * @example
 * const { container, settle } = await render(TodoPage, { props: { id: 5 }, fixtures: [{ endpoint: getTodo, args: [{ id: 5 }], response }] })
 * expect(container.textContent).toBe('Write')
 */
export async function render<
  Props extends object = Record<string, unknown>,
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
  const { props: firstProps, configure = () => {}, ...options } = given
  const container = document.body.appendChild(document.createElement('div'))
  const shown = shallowRef<object>({ ...firstProps })
  const content = () => h(component as Component, shown.value)
  const failures: unknown[] = []
  const page = openHook<HTMLElement, Props>(options as RenderOptions, (controller) => {
    const app = createApp({ render: () => h(AsyncBoundary, null, content) })
    app.use(dataPlugin, { controller })
    app.config.errorHandler = (error, _component, info) => {
      // Vue logs what this throws.
      if (isOfEvent(info)) throw error
      failures.push(error)
    }
    configure(app)
    app.mount(container)
    return {
      screen: () => ({ state: 'success', value: container }),
      rerender(next) {
        shown.value = { ...next }
        return nextTick()
      },
      unmount() {
        app.unmount()
        container.remove()
      },
      async flush(change) {
        await change()
        await nextTick()
        if (failures.length > 0) throw failures.pop()
      },
    }
  })
  const { controller, requests, settle, waitFor, unmount } = page
  await settle()
  const rerender = async (next: Props) => {
    await (page as RenderedHook<HTMLElement, object>).rerender(next)
    await settle()
  }
  return { container, controller, requests, rerender, settle, waitFor, unmount }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function'
}

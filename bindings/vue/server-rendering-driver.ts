import type { Controller, ControllerOptions, PagesOptionsOf, Queryable, ReadEndpoint } from '@selfsame/core'
import { hydrateFromPage } from '@selfsame/core/hydration'
import type { HydratedPage, Screen, ScreenPart, ServedPage, ServerDriver } from '@selfsame/conformance'
import { createSSRApp, defineAsyncComponent, defineComponent, h } from 'vue'
import type { App, PropType } from 'vue'
import {
  AsyncBoundary,
  dataPlugin,
  useCache,
  useDLE,
  useDLEAll,
  useFetch,
  useInfinite,
  useLast,
  useLive,
  useProgress,
  useQuery,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from './src/index.js'
import type { ErrorSlotProps } from './src/index.js'
import { createServerRequest } from './src/ssr.js'
import { settle } from './test-support.js'

/** Calls the hook of a part. @returns a getter of its value; a promise of it if the hook suspends */
function useHook({ hook, endpoint, args }: ScreenPart): (() => unknown) | Promise<() => unknown> {
  // The suite passes only what the types of hooks allow.
  const [any, anyArgs] = [endpoint as unknown as ReadEndpoint, args as readonly [unknown]]
  if (hook === 'useSuspense' || hook === 'useLive') {
    const handle = hook === 'useLive' ? useLive(any, ...anyArgs) : useSuspense(any, ...anyArgs)
    return handle.then((ref) => () => ref.value) as Promise<() => unknown>
  }
  if (hook === 'useSuspenseAll') {
    const calls = () => args[0] as readonly [[ReadEndpoint, null]]
    return useSuspenseAll(calls).then((ref) => () => ref.value) as Promise<() => unknown>
  }
  if (hook === 'useDLEAll') {
    const { state } = useDLEAll(() => args[0] as readonly [[ReadEndpoint, null]])
    return () => state.value
  }
  if (hook === 'useInfinite') {
    const options = args[1] as PagesOptionsOf<ReadEndpoint, ReadEndpoint>
    const { state } = useInfinite(any, args[0] as object, options)
    return () => state.value
  }
  if (hook === 'useFetch') {
    const promise = useFetch(any, ...anyArgs)
    // A component shows the awaited data first, and then the record by another hook.
    const cached = useCache(any, ...anyArgs)
    return Promise.resolve(promise.value).then((first) => () => cached.value ?? first)
  }
  if (hook === 'useDLE' || hook === 'useLast') {
    const { state } = (hook === 'useLast' ? useLast : useDLE)(any, ...anyArgs)
    return () => state.value
  }
  if (hook === 'useSubscription') {
    useSubscription(any, ...anyArgs)
    return () => undefined
  }
  const read = (): { readonly value: unknown } => {
    if (hook === 'useCache') return useCache(any, ...anyArgs)
    if (hook === 'useProgress') return useProgress(any, ...anyArgs)
    return useQuery(endpoint as Queryable, ...(args as readonly [null]))
  }
  const ref = read()
  return () => ref.value
}

const Part = defineComponent({
  props: {
    part: { type: Object as PropType<ScreenPart>, required: true },
    index: { type: Number, required: true },
  },
  setup({ part, index }) {
    const render = (read: () => unknown) => () => h('p', { 'data-part': index }, part.show(read()))
    const read = useHook(part)
    return read instanceof Promise ? (read.then(render) as never) : render(read)
  },
})

const shown = (index: number, text: string) => h('p', { 'data-part': index }, text)

function createPage(screen: Screen, controller: Controller, resets: (() => void)[]): App {
  const boundaries = screen.map((part, index) => {
    const { until } = part
    const Shown = until === undefined ? Part : defineAsyncComponent(() => until.then(() => Part))
    const slots = {
      default: () => h(Shown, { part, index }),
      fallback: () => shown(index, 'Loading'),
      error: ({ error, reset }: ErrorSlotProps) => {
        resets[index] = reset
        return shown(index, `Failed: ${error.message}`)
      },
    }
    return () => h(AsyncBoundary, { key: index }, slots)
  })
  return createSSRApp(() => boundaries.map((render) => render())).use(dataPlugin, { controller })
}

async function serve(screen: Screen, options: ControllerOptions): Promise<ServedPage> {
  const request = createServerRequest(options)
  const { html, script } = await request.renderToString(createPage(screen, request.controller, []))
  return { html: `<div>${html}</div>${script}`, controller: request.controller }
}

async function hydrate(
  container: HTMLElement,
  screen: Screen,
  controller: Controller,
): Promise<HydratedPage> {
  const failures: unknown[] = []
  const resets: (() => void)[] = []
  hydrateFromPage(controller)
  const app = createPage(screen, controller, resets)
  app.config.warnHandler = (message) => failures.push(message)
  app.config.errorHandler = (error) => failures.push(error)
  app.mount(container.firstElementChild as Element)
  await settle()
  return {
    failures,
    settle,
    async retry(part) {
      resets[part]?.()
      await settle()
    },
    close: () => Promise.resolve(app.unmount()),
  }
}

export const serverDriver: ServerDriver = { name: 'vue', knownGaps: {}, hydratesLate: true, serve, hydrate }

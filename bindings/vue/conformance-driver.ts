import { dueTimers, nextTask } from '@selfsame/conformance/next-task'
import { PageAround, argsNow, latestPages, remade } from '@selfsame/conformance'
import type {
  App,
  Arrangement,
  Driver,
  HookArgs,
  OnScreen,
  ReadHook,
  ReadTarget,
  Reader,
  SmallHook,
} from '@selfsame/conformance'
import type { Controller, Queryable, ReadEndpoint } from '@selfsame/core'
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useDLE,
  useDLEAll,
  useFetch,
  useInfinite,
  useLive,
  useProgress,
  useQuery,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from '@selfsame/vue'
import { mount as mountApp } from '@vue/test-utils'
import {
  KeepAlive,
  Suspense,
  defineComponent,
  h,
  nextTick,
  onMounted,
  shallowReactive,
  shallowRef,
} from 'vue'
import { awaitedLegacyHooks, legacyHooks } from './legacy-hooks-driver.js'
import { smallHooks } from './small-hooks-driver.js'

/** The input and the state of a mounted reader. */
interface State {
  readonly hook: ReadHook
  /** `true` in a plain `<Suspense>`, without an `AsyncBoundary`. */
  readonly isBare: boolean
  resetKey: number
  endpoint: ReadTarget
  args: HookArgs
  /** Changed to render the component again. */
  version: number
  isHidden: boolean
  isMounted: boolean
  readonly counts: { renders: number; fallbacks: number }
  /** The last rendered value. */
  shown: unknown
  error: unknown
  reset: (() => void) | undefined
  readonly page: PageAround | undefined
}

export const driver: Driver = { name: 'vue', knownGaps: {}, hasPages: true, open }

function open(controller: Controller, arrangement?: Arrangement): App {
  const readers = shallowReactive(new Map<string, State>())
  const container = document.body.appendChild(document.createElement('div'))
  let mounted = 0
  const render = () => [...readers].map(([id, state]) => h(View, { id, key: id, state }))
  const failures: unknown[] = []
  // The boundary of a reader catches its errors. Any other error is logged, and fails the scenario.
  const errorHandler = (error: unknown) => void failures.push(error)
  const app = mountApp(() => h(DataProvider, { controller }, render), {
    attachTo: container,
    global: { config: { errorHandler }, stubs: { transition: false } },
  })

  const mount = async (isBare: boolean, hook: ReadHook, endpoint: ReadTarget, args: HookArgs) => {
    const id = `reader-${++mounted}`
    const state: State = shallowReactive({
      hook,
      isBare,
      resetKey: 0,
      endpoint,
      args,
      version: 0,
      isHidden: false,
      isMounted: true,
      counts: { renders: 0, fallbacks: 0 },
      shown: undefined,
      error: undefined,
      reset: undefined,
      page: !isBare && arrangement === 'in a page' ? new PageAround() : undefined,
    })
    readers.set(id, state)
    await flush()
    if (state.page !== undefined) {
      state.page.type()
      state.page.open()
      await flush()
    }
    return createReader(container, id, state, () => readers.delete(id))
  }
  return {
    settle,
    failures,
    mount: (hook, endpoint, ...args) => mount(false, hook, endpoint, args),
    mountBare: (hook, endpoint, ...args) => mount(true, hook, endpoint, args),
    async close() {
      app.unmount()
      container.remove()
      await flush()
    },
  }
}

function createReader(container: Element, id: string, state: State, remove: () => void): Reader {
  return {
    page: state.page,
    current: () => look(container.querySelector(`#${id}`), state),
    get renders() {
      return state.counts.renders
    },
    get fallbacks() {
      return state.counts.fallbacks
    },
    async change(...args) {
      state.args = args
      await flush()
    },
    async changeEndpoint(endpoint, ...args) {
      state.endpoint = endpoint
      state.args = args
      await flush()
    },
    async rerender() {
      state.args = remade(state.args)
      state.version++
      await flush()
    },
    async reset() {
      state.reset?.()
      await flush()
    },
    async tryAgain() {
      state.resetKey++
      await flush()
    },
    async hide() {
      state.isHidden = true
      await flush()
    },
    async show() {
      state.isHidden = false
      await flush()
    },
    async unmount() {
      remove()
      await flush()
    },
  }
}

/** Returns the visible state of a reader, read from the DOM. */
function look(place: Element | null, state: State): OnScreen {
  const visible = [...(place?.querySelectorAll('[data-screen]') ?? [])].filter(isVisible)
  if (visible.length > 1) throw new Error(`On screen at once: ${place?.innerHTML}`)
  switch (visible[0]?.getAttribute('data-screen')) {
    case 'content':
      return { state: 'ready', data: state.shown }
    case 'fallback':
      return { state: 'fallback' }
    case 'error':
      return { state: 'error', error: state.error }
    default:
      return { state: 'gone' }
  }
}

function isVisible(element: Element): boolean {
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    if (getComputedStyle(each).display === 'none') return false
  }
  return true
}

/** The boundary of one reader, inside a `KeepAlive`. */
const View = defineComponent({
  props: ['id', 'state'],
  setup({ id, state }: { id: string; state: State }) {
    const Bounded = () =>
      h(
        AsyncBoundary,
        { resetKeys: [state.resetKey] },
        {
          default: () => {
            const reader = () => h(suspends(state.hook) ? SuspendingReader : PlainReader, { state })
            return state.page === undefined ? reader() : h(Page, { page: state.page }, reader)
          },
          fallback: () => h(Fallback, { state }),
          error: ({ error, reset }: { error: unknown; reset: () => void }) => {
            Object.assign(state, { error, reset })
            return h('p', { 'data-screen': 'error' }, String(error))
          },
        },
      )
    const Bare = () =>
      h(Suspense, null, {
        default: () => h(suspends(state.hook) ? SuspendingReader : PlainReader, { state }),
        fallback: () => h(Fallback, { state }),
      })
    if (state.isBare) return () => h('section', { id }, [Bare()])
    const Kept = defineComponent({ setup: () => Bounded })
    return () => h('section', { id }, [h(KeepAlive, () => (state.isHidden ? undefined : h(Kept)))])
  },
})

/** The parent of a reader, with state and a text field. */
const Page = defineComponent({
  props: ['page'],
  setup({ page }: { page: PageAround }, { slots }) {
    const isOpen = shallowRef(page.enter())
    page.onOpen(() => (isOpen.value = true))
    const ref = (field: unknown) => page.attach(field as HTMLInputElement | null)
    return () => [h('input', { ref }), isOpen.value ? slots['default']?.() : undefined]
  },
})

const Fallback = defineComponent({
  props: ['state'],
  setup({ state }: { state: State }) {
    onMounted(() => state.counts.fallbacks++)
    return () => h('p', { 'data-screen': 'fallback' }, 'Loading')
  },
})

const suspends = (hook: ReadHook) =>
  [
    'useSuspense',
    'useSuspenseAll',
    'useLive',
    'useSuspense and useDLE',
    'useSubscription and useSuspense',
  ].includes(hook) || hook in awaitedLegacyHooks

const SuspendingReader = defineComponent({
  props: ['state'],
  async setup({ state }: { state: State }) {
    if (state.hook in awaitedLegacyHooks) {
      const useLegacy = awaitedLegacyHooks[state.hook as keyof typeof awaitedLegacyHooks]
      const old = await useLegacy(
        () => state.endpoint,
        () => state.args,
      )
      return () => renderContent(state, old.value)
    }
    const use = state.hook === 'useLive' ? useLive : useSuspense
    const sources = [() => state.endpoint as ReadEndpoint, () => argsNow(state.args)] as const
    const beside = state.hook === 'useSuspense and useDLE' ? createRead(state, 'useDLE') : undefined
    if (state.hook === 'useSubscription and useSuspense') useSubscription(...sources)
    const data =
      state.hook === 'useSuspenseAll'
        ? await useSuspenseAll(() => state.args[0] as readonly [[ReadEndpoint, null]])
        : await use(...sources)
    return () => renderContent(state, beside === undefined ? data.value : [data.value, beside()])
  },
})

const PlainReader = defineComponent({
  props: ['state'],
  setup({ state }: { state: State }) {
    const read = createRead(state)
    return () => renderContent(state, read())
  },
})

/** Calls the hook of a reader. @returns a getter of its value */
function createRead(state: State, hook: ReadHook = state.hook): () => unknown {
  const args = () => argsNow(state.args)
  const useSmall = smallHooks[hook as SmallHook]
  if (useSmall !== undefined) return useSmall(() => state.endpoint as ReadEndpoint, args)
  const useLegacy = legacyHooks[hook as keyof typeof legacyHooks]
  if (useLegacy !== undefined) return useLegacy(() => state.endpoint, args)
  if (hook === 'useQuery') {
    const data = useQuery(() => state.endpoint as Queryable, args as () => readonly [null])
    return () => data.value
  }
  // The suite passes an endpoint to every other hook.
  const sources = [() => state.endpoint as ReadEndpoint, args] as const
  switch (hook) {
    case 'useDLE': {
      const { data, loading, error } = useDLE(...sources)
      return () => ({ data: data.value, loading: loading.value, error: error.value })
    }
    case 'useDLE with fetching': {
      const { state: whole, fetching, refetch } = useDLE(...sources)
      return () => ({ ...whole.value, fetching: fetching.value, refetch })
    }
    case 'useDLEAll': {
      const all = useDLEAll(() => state.args[0] as readonly [[ReadEndpoint, null]])
      return () => ({ ...all.state.value, fetching: all.fetching.value, refetch: all.refetch })
    }
    case 'useInfinite': {
      const options = latestPages(() => state.args[1])
      const list = useInfinite(sources[0], () => state.args[0] as object, options)
      const { fetchNext, fetchPrevious } = list
      return () => ({ ...list.state.value, fetching: list.fetching.value, fetchNext, fetchPrevious })
    }
    case 'useFetch': {
      const promise = useFetch(...sources)
      return () => promise.value
    }
    case 'useSuspense unread':
      void useSuspense(...sources)
      return () => undefined
    case 'useSubscription':
      useSubscription(...sources)
      return () => undefined
    default: {
      const data = hook === 'useProgress' ? useProgress(...sources) : useCache(...sources)
      return () => data.value
    }
  }
}

function renderContent(state: State, data: unknown) {
  state.counts.renders++
  state.shown = data
  return h('p', { 'data-screen': 'content', 'data-version': state.version }, describe(data))
}

function describe(data: unknown): string {
  return data === undefined ? 'nothing' : typeof data
}

/** Waits for promises and the flush of Vue. */
async function flush(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await nextTask()
    await nextTick()
  }
}

/** Waits for timers too, as that of a boundary which shows its fallback: then a frame is on screen. */
async function settle(): Promise<void> {
  await flush()
  await dueTimers()
  await nextTick()
}

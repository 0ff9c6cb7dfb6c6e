import { Boundary, keepPlace } from '@selfsame/core/bindings'
import {
  Comment,
  Fragment,
  Suspense,
  computed,
  defineComponent,
  h,
  inject,
  onActivated,
  onDeactivated,
  onErrorCaptured,
  onMounted,
  onScopeDispose,
  onUpdated,
  provide,
  shallowRef,
  watch,
} from 'vue'
import type { ComponentPublicInstance, EffectScope, PropType, SlotsType, VNode, VNodeChild } from 'vue'
import { boundaryKey, thrownBy } from './context.js'
import type { BoundaryContext } from './context.js'
import { isOfEvent } from './is-of-event.js'

/** Props of the `error` slot of an `AsyncBoundary`. */
export interface ErrorSlotProps {
  /** The error. A thrown value that is not an Error is wrapped in one, as its `cause`. */
  readonly error: Error
  /** Clears the errors of the readers inside, fetches again and shows the content. */
  readonly reset: () => void
}

/**
 * Shows a fallback while readers inside wait for data, and another when one fails.
 *
 * - Slots: `default` is the content; `fallback` is shown while a reader inside waits; `error`, with
 *   `{ error, reset }`, is shown after an error. Without an `error` slot, errors go to the boundary around this one.
 * - A `<Suspense>` around the content waits for its first data. Vue cannot suspend mounted content again, so from
 *   then on the boundary hides the content while a reader waits, and the content keeps its state. It is inside an
 *   element without a box of its own (`display: contents`; hidden: `display: none`). Set `tag` where a `div` is not
 *   allowed, for example in a table.
 * - A reader's error disappears when other code fetches or resets its call, and when the content no longer reads that
 *   call. Any other error stays until `reset`, or until one of `resetKeys` changes.
 * - Errors of other code are caught too: of `setup`, a render function, a watcher or a lifecycle hook. After such an
 *   error, and after `controller.resetAll()`, the content is remounted. Errors of event handlers are not caught.
 *
 * @see specification 3 (mounted readers that turn Invalid), 7
 * @example
 * <AsyncBoundary>
 *   <TodoDetail :id="id" />
 *   <template #fallback>Loading…</template>
 *   <template #error="{ error, reset }">{{ error.message }} <button @click="reset">Try again</button></template>
 * </AsyncBoundary>
 */
export const AsyncBoundary = defineComponent({
  name: 'AsyncBoundary',
  props: {
    /**
     * If `true`, the last data stays on screen while a reader waits for other data, and so does the last component when
     * another takes its place as the only content.
     *
     * @default false
     */
    keepPrevious: Boolean,
    /** The tag of the element around the content. @default 'div' */
    tag: { type: String, default: 'div' },
    /**
     * Values that the content depends on although Vue does not track them. When one of them changes, the content is
     * rendered again.
     *
     * @default none
     */
    resetKeys: { type: Array as PropType<readonly unknown[]>, default: () => [] },
  },
  slots: Object as SlotsType<{
    default?: () => VNodeChild
    fallback?: () => VNodeChild
    error?: (props: ErrorSlotProps) => VNodeChild
  }>,
  setup(props, { slots }) {
    const boundary = new Boundary()
    const outer = inject(boundaryKey, undefined)
    const state = shallowRef(boundary.getSnapshot())
    boundary.subscribe(() => (state.value = boundary.getSnapshot()))
    /** The attempt that is rendered. */
    let rendered = 0
    /**
     * The last attempt whose `<Suspense>` resolved. From then on this component hides the content, because Vue cannot
     * suspend again.
     */
    const complete = shallowRef<number>()
    /** The same, for code that must not follow it. */
    let resolved: number | undefined

    let exit: (() => void) | undefined
    const enter = () => (exit ??= boundary.enter())
    const leave = () => {
      exit?.()
      exit = undefined
    }
    onMounted(enter)
    onActivated(enter)
    onDeactivated(leave)
    onScopeDispose(leave)
    watch(
      () => [...props.resetKeys],
      (keys) => boundary.depend(keys),
      { immediate: true },
    )
    onUpdated(() => boundary.endTrial())

    let takeBack: (() => void) | undefined
    const reset = () => boundary.reset((later) => (takeBack = later))
    /**
     * Rendered before the content, but after the old content was unmounted, whose readers would fetch their calls
     * otherwise.
     */
    const TakeBack = () => {
      takeBack?.()
      takeBack = undefined
    }
    provide(boundaryKey, {
      waiting: boundary,
      get failing() {
        return slots.error === undefined ? outer?.failing : boundary
      },
      get attempt() {
        return rendered
      },
      giveUp(which) {
        // The removed component's `async setup` would keep Suspense pending.
        if (which === attempt.value && which !== complete.value) boundary.renew()
      },
    })

    /** The only component or element of the content; `undefined` if there are several. */
    let root: VNode | undefined
    let branch = 0
    /**
     * Renders the content. With `keepPrevious`, another root is another branch of the `<Suspense>`, which shows the
     * previous branch until it is ready.
     */
    const renderContent = () => {
      // Vue makes an array of what a slot returns.
      const nodes = (slots.default?.() ?? []) as VNode[]
      const [only, ...others] = nodes.filter(({ type }) => type !== Comment)
      const next = others.length > 0 ? undefined : only
      const isSame = !root || !next || (root.type === next.type && root.key === next.key)
      if (!isSame && props.keepPrevious && resolved === rendered) branch++
      root = next
      return h(Fragment, { key: branch }, [h(TakeBack), nodes])
    }

    /** True while an error from outside the content passes through. */
    let isPassing = false
    const place: Place = { boundary, outer, pass: () => (isPassing = true) }
    onErrorCaptured((thrown: unknown, instance, info) => {
      if (isGone(instance)) return false
      const isOfContent = !isPassing && !isOfEvent(info)
      isPassing = false
      if (slots.error === undefined || !isOfContent) return true
      const reader = thrownBy.get(thrown as Error)
      if (reader !== undefined)
        boundary.report(reader, reader, { state: 'error', error: thrown as Error }, true)
      boundary.catch(thrown)
      return false
    })

    // A computed value, so that a reader that waits during the first load causes no render.
    const attempt = computed(() => state.value.attempt)
    const failure = computed(() => state.value.error)
    const isWaiting = computed(
      () => state.value.show === 'fallback' && complete.value === attempt.value && !props.keepPrevious,
    )
    const isHidden = computed(() => isWaiting.value || failure.value !== undefined)
    const element = shallowRef<HTMLElement>()
    let giveBack: (() => void) | undefined
    watch(isHidden, (isHiddenNow) => {
      if (isHiddenNow) giveBack = element.value && keepPlace(element.value)
    })
    watch(
      isHidden,
      (isHiddenNow) => {
        if (isHiddenNow) return
        giveBack?.()
        giveBack = undefined
      },
      { flush: 'post' },
    )
    return () => {
      const error = failure.value
      rendered = attempt.value
      const content = h(
        Suspense,
        { key: rendered, onResolve: () => (complete.value = resolved = rendered) },
        {
          default: renderContent,
          fallback: () => h(FirstFallback, { place }, slots.fallback),
        },
      )
      const display = isHidden.value ? 'none' : 'contents'
      const around = h(props.tag, { ref: element, style: { display } }, [content])
      if (error !== undefined) return [around, h(Beside, { place }, () => slots.error?.({ error, reset }))]
      return [around, isHidden.value ? h(Beside, { place }, slots.fallback) : undefined]
    }
  },
})

/** The position of a fallback in the component tree. */
interface Place {
  readonly boundary: Boundary
  /** The context around the boundary. */
  readonly outer: BoundaryContext | undefined
  /** Marks the current error as one from outside the content. */
  readonly pass: () => void
}
const place = { type: Object as PropType<Place>, required: true } as const

/** Rendered beside the content. Its readers wait and fail in the outer boundary, like readers around this one. */
const Beside = defineComponent({
  name: 'AsyncBoundaryBeside',
  props: { place },
  setup(props, { slots }) {
    provide(boundaryKey, props.place.outer)
    onErrorCaptured(() => props.place.pass())
    return () => slots.default?.()
  },
})

/**
 * The fallback of the first load. An `async setup` takes some microtasks even if its data is stored, so nothing is
 * shown before the next task, unless a reader waits (specification B4).
 */
const FirstFallback = defineComponent({
  name: 'AsyncBoundaryFirstFallback',
  props: { place },
  setup(props, { slots }) {
    const { boundary } = props.place
    const isShown = shallowRef(boundary.getSnapshot().show === 'fallback')
    const show = () => (isShown.value = true)
    const unsubscribe = boundary.subscribe(() => boundary.getSnapshot().show === 'fallback' && show())
    const timer = setTimeout(show)
    onScopeDispose(() => {
      unsubscribe()
      clearTimeout(timer)
    })
    return () => (isShown.value ? h(Beside, { place: props.place }, slots) : undefined)
  },
})

/** True if a component was removed. Its `async setup` may fail after that. */
function isGone(component: ComponentPublicInstance | null): boolean {
  // Vue's types omit `scope`.
  const scope = (component?.$ as { readonly scope?: EffectScope } | undefined)?.scope
  return scope?.active === false
}

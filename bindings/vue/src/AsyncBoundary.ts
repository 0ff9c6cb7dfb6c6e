import { Boundary } from '@selfsame/core/bindings'
import {
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
import type { ComponentPublicInstance, EffectScope, PropType, SlotsType, VNodeChild } from 'vue'
import { boundaryKey } from './context.js'
import type { BoundaryContext } from './context.js'

/** What the `error` slot of an `AsyncBoundary` is given. */
export interface ErrorSlotProps {
  /** The error. A thrown value that is not an Error is the `cause` of one. */
  readonly error: Error
  /** Takes back the errors of the readers inside, fetches again and shows the content. */
  readonly reset: () => void
}

/**
 * Handles the waiting and the errors of all readers inside of it, in one place.
 *
 * - Slot `default`: the content. Slot `fallback`: shown while a reader inside waits. Slot `error`, with
 *   `{ error, reset }`: shown after an error; without this slot, errors go to the boundary around this one.
 * - The content is in a `<Suspense>`, which waits for the first data of what it is made of. Vue cannot suspend again,
 *   so from then on the content is hidden while a reader inside waits, and keeps its state: it stands in an element
 *   of its own that takes no part in the layout (`display: contents`, while hidden `display: none`). `tag` names
 *   that element where a `div` may not stand, as inside a table.
 * - An error of a reader goes away by itself when somebody else fetches or resets its call, and when the content does not
 *   name that call any more; any other stays until `reset`, or until one of `resetKeys` changes.
 * - Also errors that are none of this library are shown: of a `setup`, a render function, a watcher or a hook. Then,
 *   and after `controller.resetAll()`, the content is made anew. Errors of event handlers are not caught.
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
    /** Whether what was shown last stays on screen while a reader waits for something else. @default false */
    keepPrevious: Boolean,
    /** The element around the content. @default 'div' */
    tag: { type: String, default: 'div' },
    /**
     * What the content depends on that Vue does not follow: it is tried again when one of them changes.
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
    /** The attempt that is on the page. */
    let rendered = 0
    /** The one whose content was complete, so that from now on this component hides it. */
    const complete = shallowRef<number>()

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
    /** Stands before the content: it is made after what was there is gone, which would ask for what it names. */
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
        // Suspense would wait for the `async setup` of a component that is gone.
        if (which === attempt.value && which !== complete.value) boundary.renew()
      },
    })

    /** Set while an error that was thrown beside the content is on its way outwards. */
    let isPassing = false
    const place: Place = { boundary, outer, pass: () => (isPassing = true) }
    onErrorCaptured((thrown: unknown, instance, info) => {
      if (isGone(instance)) return false
      const isOfContent = !isPassing && !isOfEvent(info)
      isPassing = false
      if (slots.error === undefined || !isOfContent) return true
      boundary.catch(thrown)
      return false
    })

    // Computed, so that a reader which waits in the first load renders nothing anew.
    const attempt = computed(() => state.value.attempt)
    const failure = computed(() => state.value.error)
    const isWaiting = computed(
      () => state.value.show === 'fallback' && complete.value === attempt.value && !props.keepPrevious,
    )
    return () => {
      const error = failure.value
      rendered = attempt.value
      const content = h(
        Suspense,
        { key: rendered, onResolve: () => (complete.value = rendered) },
        {
          default: () => h(Fragment, [h(TakeBack), slots.default?.()]),
          fallback: () => h(FirstFallback, { place }, slots.fallback),
        },
      )
      const isHidden = isWaiting.value || error !== undefined
      const element = h(props.tag, { style: { display: isHidden ? 'none' : 'contents' } }, [content])
      if (error !== undefined) return [element, h(Beside, { place }, () => slots.error?.({ error, reset }))]
      return [element, isHidden ? h(Beside, { place }, slots.fallback) : undefined]
    }
  },
})

/** Where in the tree a fallback stands. */
interface Place {
  readonly boundary: Boundary
  /** What is around the boundary. */
  readonly outer: BoundaryContext | undefined
  /** Says that the error which is thrown now is none of the content. */
  readonly pass: () => void
}
const place = { type: Object as PropType<Place>, required: true } as const

/** What stands beside the content: it waits and fails where the boundary itself does, in the boundary around. */
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
 * The fallback of the first load. An `async setup` takes some microtasks also when its data is there: until the next
 * task nothing is shown, unless a reader waits (specification B4).
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

/** Whether a component was removed: its `async setup` may fail later than that. */
function isGone(component: ComponentPublicInstance | null): boolean {
  // Vue's types leave the member out.
  const scope = (component?.$ as { readonly scope?: EffectScope } | undefined)?.scope
  return scope?.active === false
}

/** Whether Vue says that an event handler threw; a production build says so by number. */
function isOfEvent(info: string): boolean {
  return info.endsWith('event handler') || /#runtime-[56]$/.test(info)
}

import { Boundary, areSameKeys, toCaughtError } from '@selfsame/core'
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
  onScopeDispose,
  onUpdated,
  provide,
  shallowRef,
  ssrContextKey,
  watch,
} from 'vue'
import type { ComponentPublicInstance, EffectScope, PropType, SlotsType, VNodeChild } from 'vue'
import { boundaryKey } from './context.js'
import type { BoundaryContext } from './context.js'

/** What the `error` slot of an `AsyncBoundary` is given. */
export interface ErrorSlotProps {
  /** What was thrown. Anything but an Error is wrapped in one, as its `cause`. */
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
    const known = shallowRef(boundary.getSnapshot())
    boundary.subscribe(() => (known.value = boundary.getSnapshot()))
    /** Counts how often the content was made. */
    const attempt = shallowRef(0)
    /** The attempt that is on the page. */
    let rendered = 0
    /** Whether the content was complete once, so that from now on this component hides it. */
    const isComplete = shallowRef(false)
    const caught = shallowRef<Error>()
    const isServer = inject(ssrContextKey, undefined) !== undefined
    let unwatch: (() => void) | undefined

    /** Shows an error, until its call is answered after all if it is one of a reader inside. */
    const show = (error: Error) => {
      caught.value = error
      if (isServer) return
      unwatch?.()
      unwatch = boundary.watch(error, (other) => (other === undefined ? renew() : show(other)))
    }
    const forget = () => {
      unwatch?.()
      unwatch = undefined
      caught.value = undefined
    }
    const renew = () => {
      forget()
      isComplete.value = false
      attempt.value++
    }
    /** Whether the content is made anew beside the error that is shown, to see whether it still names what failed. */
    let isTrying = false
    const tryAgain = () => {
      if (caught.value === undefined) return
      if (unwatch === undefined) return renew()
      isTrying = true
      boundary.beginTrial()
      isComplete.value = false
      attempt.value++
    }
    watch(
      () => [...props.resetKeys],
      (now, before) => areSameKeys(before, now) || tryAgain(),
    )
    onUpdated(() => {
      if (!isTrying) return
      isTrying = false
      if (!boundary.endTrial()) forget()
    })
    let isActive = true
    const isNamed = () =>
      !isActive || isTrying || unwatch === undefined || boundary.failures(caught.value).length > 0
    // A reader that names another call, or is gone, takes its error with it.
    watch(known, () => isNamed() || renew(), { flush: 'post' })
    const reset = () => {
      if (caught.value === undefined) return boundary.reset()
      takeBack = boundary.prepareReset()
      renew()
    }
    let takeBack: (() => void) | undefined
    /** Stands before the content: it is made after what was there is gone, which would ask for what it names. */
    const TakeBack = () => {
      takeBack?.()
      takeBack = undefined
    }
    onScopeDispose(() => {
      boundary.endTrial()
      unwatch?.()
    })
    onDeactivated(() => {
      isActive = false
      unwatch?.()
    })
    onActivated(() => {
      isActive = true
      if (caught.value === undefined || unwatch === undefined) return
      // The readers inside, which are activated first, have said by now what they do.
      show(caught.value)
      if (unwatch === undefined) renew()
    })
    provide(boundaryKey, {
      waiting: boundary,
      get failing() {
        return slots.error === undefined ? outer?.failing : boundary
      },
      get attempt() {
        return rendered
      },
      renew,
      giveUp(which) {
        // Suspense would wait for the `async setup` of a component that is gone.
        if (which === attempt.value && !isComplete.value) renew()
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
      if (caught.value === undefined || isTrying) show(toCaughtError(thrown))
      return false
    })

    // Computed, so that a reader which waits in the first load renders nothing anew.
    const failure = computed(() => caught.value ?? known.value.error)
    const isWaiting = computed(() => isComplete.value && known.value.isWaiting && !props.keepPrevious)
    return () => {
      const error = failure.value
      rendered = attempt.value
      const content = h(
        Suspense,
        { key: rendered, onResolve: () => (isComplete.value = true) },
        {
          default: () => h(Fragment, [h(TakeBack), slots.default?.()]),
          fallback: () => h(FirstFallback, { place }, slots.fallback),
        },
      )
      const isHidden = error !== undefined || isWaiting.value
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
    const isShown = shallowRef(boundary.getSnapshot().isWaiting)
    const show = () => (isShown.value = true)
    const unsubscribe = boundary.subscribe(() => boundary.getSnapshot().isWaiting && show())
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

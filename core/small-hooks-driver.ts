import {
  Cancelling,
  LatestRun,
  Prefetch,
  Selection,
  activityOf,
  outboxOf,
  statusOfCall,
  watchExpiry,
} from '@selfsame/core/bindings'
import type { CallState, Controller, EndpointLike, MutationState, RequestFilter } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import type { HookArgs, SmallHook } from '@selfsame/conformance'

/** The reader of a small hook. */
export interface SmallReader {
  /** The value that the reader shows. */
  read(observer: Observer, endpoint: EndpointLike, args: HookArgs): unknown
  /** The value that it compares; `undefined` if it reads no call. */
  readonly select?: (observer: Observer) => unknown
  /** Called when the reader is mounted. @returns a function that ends it */
  enter?(observer: Observer, schedule: () => void): () => void
}

/** Creates the reader of a small hook; `undefined` for any other hook. */
export function createSmallReader(hook: string, controller: Controller): SmallReader | undefined {
  return makers[hook as SmallHook]?.(controller)
}

const makers: Readonly<Record<SmallHook, (controller: Controller) => SmallReader>> = {
  useLast: () => ({
    select: (observer) => observer.load(),
    read: (observer) => observer.load(),
  }),
  useStatus: () => ({
    select: statusOfCall,
    read: (observer) => statusOfCall(observer),
    enter: (observer) => watchExpiry(observer),
  }),
  useSelect() {
    const selection = new Selection(selectTitle)
    return { select: selection.read, read: (observer) => partOf(observer.load(), selection) }
  },
  useLoading() {
    let endpoint: EndpointLike
    const latest = new LatestRun((...args: readonly unknown[]) => endpoint(...args))
    return {
      read(_, called) {
        endpoint = called
        return { run: latest.run, ...latest.getSnapshot() }
      },
      enter: (_, schedule) => latest.subscribe(schedule),
    }
  },
  useDebounce({ clock }) {
    let tell: (() => void) | undefined
    let timer: unknown
    let shown: unknown
    let isBegun = false
    return {
      read(_observer, _endpoint, [value, delayMs]) {
        if (!isBegun) shown = value
        isBegun = true
        clock.clearTimeout(timer)
        const show = () => {
          shown = value
          tell?.()
        }
        if (value !== shown) timer = clock.setTimeout(show, delayMs as number)
        return { debounced: shown, pending: value !== shown }
      },
      enter(_, schedule) {
        tell = schedule
        return () => clock.clearTimeout(timer)
      },
    }
  },
  usePrefetch(controller) {
    const prefetch = new Prefetch()
    return {
      read(_, endpoint, args) {
        prefetch.aim(controller, endpoint, args)
        return prefetch
      },
    }
  },
  useFetching(controller) {
    const activity = activityOf(controller)
    return {
      read: (_observer, _endpoint, [filter]) => activity.count(filter as RequestFilter),
      enter: (_, schedule) => activity.subscribe(schedule),
    }
  },
  useMutations(controller) {
    const activity = activityOf(controller)
    let last: readonly MutationState[] = []
    let of: RequestFilter | undefined
    return {
      read(_observer, _endpoint, [filter]) {
        of = filter as RequestFilter | undefined
        return (last = activity.mutations(of, last))
      },
      enter(_, schedule) {
        const ends = [activity.subscribe(schedule), activity.attend(of)]
        return () => ends.forEach((end) => end())
      },
    }
  },
  useOutbox: (controller) => ({
    read: () => outboxOf(controller).state,
    enter: (_, schedule) => outboxOf(controller).subscribe(schedule),
  }),
  useCancelling() {
    let cancelling: Cancelling<EndpointLike> | undefined
    let giveUp: (() => void) | undefined
    let named: string | undefined
    return {
      read(_, endpoint, args) {
        const key = endpoint.key(...args)
        if (key !== named) {
          giveUp?.()
          cancelling = new Cancelling(endpoint)
          giveUp = cancelling.keep()
        }
        named = key
        return cancelling?.endpoint
      },
      enter: () => () => giveUp?.(),
    }
  },
}

const selectTitle = (todo: unknown): string | undefined =>
  (todo as { readonly title: string } | undefined)?.title

function partOf(state: CallState, selection: Selection<unknown, string | undefined>): string | undefined {
  return state.loading ? undefined : selection.of(state.data, selectTitle)
}

import type {
  CacheableEndpoint,
  Controller,
  EndpointLike,
  PagesOptions,
  PagesOptionsOf,
  Queryable,
  ReadEndpoint,
} from '@selfsame/core'
import type { FetchShape } from '@selfsame/core/legacy'

/** The hooks that read a call. Tests of the Controller itself cover `useController`. */
export type ReadHook =
  | 'useSuspense'
  | 'useCache'
  | 'useFetch'
  | 'useDLE'
  | 'useQuery'
  | 'useProgress'
  | 'useSubscription'
  | 'useLive'
  /** Calls both hooks in one component, on the same call: shows a list of their results. */
  /** Shows `fetching`, `refetch` and `isLast` too. */
  | 'useDLE with fetching'
  | 'useSuspense and useDLE'
  /** Calls both, and shows the result of `useSuspense`. */
  | 'useSubscription and useSuspense'
  /** A component that does not show the hook's result, as if only an event handler read it. */
  | 'useSuspense unread'
  /** Ignores its endpoint: the only argument is the list or object of calls. */
  | 'useSuspenseAll'
  /** The same; shows the state, `fetching` and `refetch`. */
  | 'useDLEAll'
  /** Its arguments are the params of the list and the options. Shows an object of the state and `fetchNext`. */
  | 'useInfinite'
  | SmallHook
  | LegacyHook

/**
 * The other hooks, and what their readers show: `useLast` - `data`, `loading`, `error`, `isLast`; `useStatus` - its
 * result; `useSelect` - the title of the data; `useLoading` - `run` (which calls the endpoint), `loading`, `error`,
 * `lastArgs`; `useDebounce` - `debounced` and `pending` of the first argument, with the second as milliseconds;
 * `usePrefetch` - its functions; `useCancelling` - its endpoint.
 */
export type SmallHook =
  | 'useLast'
  | 'useStatus'
  | 'useSelect'
  | 'useLoading'
  | 'useDebounce'
  | 'usePrefetch'
  | 'useCancelling'
  /** The first argument is the filter. */
  | 'useFetching'
  | 'useMutations'
  | 'useOutbox'

/**
 * The hooks of generation 4.5. Their target is a shape, an endpoint, or a function that returns a new one in each
 * render; then params. Their readers show the function of `useFetcher`, `useInvalidator` and `useResetter`, and the
 * data of the others. The only argument of `useResource of several` is a list of pairs of shape and params.
 */
export type LegacyHook =
  | 'useResource'
  | 'useResource of several'
  | 'useCache of a shape'
  | 'useRetrieve'
  | 'useError'
  | 'useFetcher'
  | 'useInvalidator'
  | 'useResetter'

/** A shape, or an endpoint in its place; or a function that returns one. */
export type ShapeTarget = FetchShape | EndpointLike | (() => FetchShape | EndpointLike)

/** The target of a hook: an endpoint; for `useQuery` a Query or a schema; for the hooks of 4.5 a shape. */
export type ReadTarget = EndpointLike | CacheableEndpoint | Queryable | ShapeTarget

/** The shape of a 4.5 hook in this render. */
export function shapeOf(target: ReadTarget): FetchShape {
  const isMaker = typeof target === 'function' && !('key' in target)
  // Hooks also accept an endpoint in place of a shape.
  return (isMaker ? (target as () => unknown)() : target) as FetchShape
}

/** The arguments of a hook after the endpoint; `[null]` reads nothing. */
export type HookArgs = readonly unknown[]

/** An argument that a component makes anew in each render, as an expression in it does. */
export class InEachRender {
  readonly make: () => unknown

  constructor(make: () => unknown) {
    this.make = make
  }
}

/** The arguments as a component passes them now. */
export function argsNow(args: HookArgs): HookArgs {
  return args.some((arg) => arg instanceof InEachRender)
    ? args.map((arg) => (arg instanceof InEachRender ? arg.make() : arg))
    : args
}

/** Options of `useInfinite` that call those that a component has now. */
export function latestPages(now: () => unknown): PagesOptionsOf<ReadEndpoint, ReadEndpoint> {
  const latest = () => now() as PagesOptions<unknown, object>
  const { page, next, previous } = latest()
  // The suite passes endpoints without types.
  return {
    page,
    next: next && ((...seen: Parameters<typeof next>) => latest().next?.(...seen)),
    previous: previous && ((...seen: Parameters<typeof previous>) => latest().previous?.(...seen)),
  } as PagesOptionsOf<ReadEndpoint, ReadEndpoint>
}

/** What a user sees of one reader, after the framework has rendered. */
export type OnScreen =
  /**
   * The reader shows the result of its hook; for `useFetch` the promise, for `useDLE` an object of `data`, `loading`
   * and `error`.
   */
  | { readonly state: 'ready'; readonly data: unknown }
  /** The reader's boundary shows its fallback. */
  | { readonly state: 'fallback' }
  /** The reader's boundary shows its error fallback. */
  | { readonly state: 'error'; readonly error: unknown }
  /** Nothing is on screen: the reader is hidden or unmounted. */
  | { readonly state: 'gone' }

/**
 * A mounted component that calls one hook, in an `AsyncBoundary` of its own, in a `DataProvider`. Methods that change
 * something resolve when the framework has rendered.
 */
export interface Reader {
  /** The current state of the DOM; for the bare Controller, of its reader. */
  current(): OnScreen
  /** How many times the component has rendered (React), or its value has reached the view. */
  readonly renders: number
  /** How many times the fallback was mounted. */
  readonly fallbacks: number
  /** Passes other arguments to the hook. */
  change(...args: HookArgs): Promise<void>
  /** Passes another endpoint and arguments to the hook. */
  changeEndpoint(endpoint: ReadTarget, ...args: HookArgs): Promise<void>
  /** Renders again with equal arguments that are new objects. */
  rerender(): Promise<void>
  /** Resets the boundary, like its retry button. */
  reset(): Promise<void>
  /** Changes one of the boundary's `resetKeys`. */
  tryAgain(): Promise<void>
  /** Hides the subtree and keeps its state: React `Activity`, Vue `KeepAlive`; in Svelte it is unmounted. */
  hide(): Promise<void>
  show(): Promise<void>
  unmount(): Promise<void>
  /** The page that the reader stands in; `undefined` if it stands alone in its boundary. */
  readonly page?: PageAround | undefined
}

/** A mounted application: a provider of one Controller. */
export interface App {
  mount(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<Reader>
  /** Mounts a reader without `AsyncBoundary`, in the framework's own element for readers that wait. */
  mountBare(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<Reader>
  /** The errors that reached the application's outermost error handler. */
  readonly failures: readonly unknown[]
  /** Waits until the framework and all settled promises are done, and the page is rendered. */
  settle(): Promise<void>
  /** Unmounts everything. */
  close(): Promise<void>
}

/**
 * A page in the boundary of a reader: a parent component with state, and a text field. The reader is added once the page
 * is mounted. None of it may be lost when the reader waits.
 */
export class PageAround {
  /** Shows the reader: changes the parent's state. */
  open: () => void = () => {}
  /** Called by the parent. */
  onOpen(open: () => void): void {
    this.open = open
  }
  /** Called for each instance of the parent. @returns `true` if the reader is shown from the first render on */
  readonly enter = (): boolean => {
    this.#parents++
    return this.#hasText
  }
  /** Called by the parent with the text field. */
  readonly attach = (field: HTMLInputElement | null): void => {
    this.#field = field ?? this.#field
  }
  #field: HTMLInputElement | undefined
  #parents = 0
  #hasText = false
  #typedInto: HTMLInputElement | undefined

  /** Types a text into the field, when the page is mounted. */
  type(): void {
    this.#typedInto = this.#field
    if (this.#field) this.#field.value = 'typed'
    this.#hasText = true
  }

  /** `true` while the parent and the text field are those that were mounted first, with the text. */
  get isKept(): boolean {
    return this.#parents === 1 && this.#field === this.#typedInto && this.#field?.value === 'typed'
  }
}

/** Where readers stand: each alone in its boundary, or with a page around it. */
export type Arrangement = 'alone' | 'in a page'

/** The suite's interface to one framework. Each binding implements it. */
export interface Driver {
  /** `react`, `vue`, `svelte` or `controller`. */
  readonly name: string
  /** Scenarios that this framework cannot satisfy, by name, with the cause. They are expected to fail. */
  readonly knownGaps: Readonly<Record<string, string>>
  /** `true` if the framework has components, so that readers can stand in a page. @default false */
  readonly hasPages?: boolean
  /** Mounts an application. */
  open(controller: Controller, arrangement?: Arrangement): App
}

/** Equal arguments as new objects: lists and objects are copied, endpoints are not. */
export function remade(args: HookArgs): HookArgs {
  return args.map(copy)
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copy)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copy(field)]))
}

import type { CacheableEndpoint, Controller, EndpointLike, Queryable } from '@selfsame/core'
import type { FetchShape } from '@selfsame/core/legacy'

/** The hooks that read a call. `useController` is exercised by what tests do with the Controller itself. */
export type ReadHook =
  | 'useSuspense'
  | 'useCache'
  | 'useFetch'
  | 'useDLE'
  | 'useQuery'
  | 'useProgress'
  | 'useSubscription'
  | 'useLive'
  /** Both in one component, on the same call: shows a list of what they give. */
  | 'useSuspense and useDLE'
  /** A component that shows nothing of what the hook gives, and would read it in an event handler. */
  | 'useSuspense unread'
  /** Its endpoint does not count: its only argument is the list or object of calls. */
  | 'useSuspenseAll'
  /** Its arguments are the params of the list and the options. Shows an object of the state and `fetchNext`. */
  | 'useInfinite'
  | SmallHook
  | LegacyHook

/**
 * The hooks that say more of a call, or of something else. What their readers show:
 * `useLast` - `data`, `loading`, `error`, `isLast`; `useStatus` - its object; `useSelect` - the title of what is read;
 * `useLoading` - `run` (of the endpoint as a function), `loading`, `error`, `lastArgs`; `useDebounce` - `debounced` and
 * `pending` of the first argument, with the second as milliseconds; `usePrefetch` - its functions; `useCancelling` - the
 * endpoint that it gives.
 */
export type SmallHook =
  'useLast' | 'useStatus' | 'useSelect' | 'useLoading' | 'useDebounce' | 'usePrefetch' | 'useCancelling'

/**
 * The hooks of the 4.5 generation. They are given a shape or an endpoint, or a function that makes one at each render, and
 * params. What their readers show: `useFetcher`, `useInvalidator` and `useResetter` - the function that they give; the others
 * - what they read. The only argument of `useResource of several` is a list of pairs of shape and params.
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

/** A shape, or an endpoint in its place; or a function that makes one. */
export type ShapeTarget = FetchShape | EndpointLike | (() => FetchShape | EndpointLike)

/** What a hook reads: an endpoint; of `useQuery` a Query or a schema; of the hooks of 4.5 a shape. */
export type ReadTarget = EndpointLike | CacheableEndpoint | Queryable | ShapeTarget

/** The shape of a hook of 4.5, as this render has it. */
export function shapeOf(target: ReadTarget): FetchShape {
  const isMaker = typeof target === 'function' && !('key' in target)
  // Hooks take an endpoint in the place of a shape.
  return (isMaker ? (target as () => unknown)() : target) as FetchShape
}

/** The arguments of a hook after the endpoint; `[null]` reads nothing. */
export type HookArgs = readonly unknown[]

/** What a user sees of one reader, after the framework has settled a frame. */
export type OnScreen =
  /**
   * The reader is on screen with the value that its hook gave; for `useFetch` the promise, for `useDLE` an object of
   * `data`, `loading` and `error`.
   */
  | { readonly state: 'ready'; readonly data: unknown }
  /** The fallback of the boundary around the reader is on screen instead of it. */
  | { readonly state: 'fallback' }
  /** The error fallback of the boundary around the reader is on screen instead of it. */
  | { readonly state: 'error'; readonly error: unknown }
  /** Nothing of the reader is on screen: it was hidden or unmounted. */
  | { readonly state: 'gone' }

/**
 * One mounted component that calls one hook, inside an `AsyncBoundary` of its own, inside a `DataProvider`. Every
 * method that changes something resolves when the framework has settled the frame.
 */
export interface Reader {
  /** What is on screen now, as the DOM says (the bare Controller: as its reader says). */
  current(): OnScreen
  /** How often the component that calls the hook has rendered (React), or its value was delivered to the view. */
  readonly renders: number
  /** How often the fallback came on screen. */
  readonly fallbacks: number
  /** Gives the hook other arguments. */
  change(...args: HookArgs): Promise<void>
  /** Gives the hook another endpoint, and arguments. */
  changeEndpoint(endpoint: ReadTarget, ...args: HookArgs): Promise<void>
  /** Renders the component again with equal, newly made arguments. */
  rerender(): Promise<void>
  /** Resets the boundary, as its retry button does. */
  reset(): Promise<void>
  /** Changes one of the boundary's `resetKeys`. */
  tryAgain(): Promise<void>
  /** Hides the subtree without ending it: React `Activity`, Vue `KeepAlive`; in Svelte it is unmounted. */
  hide(): Promise<void>
  show(): Promise<void>
  unmount(): Promise<void>
}

/** An application that is on the page: one provider over one Controller. */
export interface App {
  mount(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<Reader>
  /** Mounts a reader without an `AsyncBoundary`, in what the framework itself has for those that wait. */
  mountBare(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<Reader>
  /** What reached the application's outermost handler of errors. */
  readonly failures: readonly unknown[]
  /** Lets the framework, and all promises that are settled, finish: afterwards a frame is on screen. */
  settle(): Promise<void>
  /** Unmounts everything. */
  close(): Promise<void>
}

/** How the suite speaks to one framework. Each driver lives with its binding. */
export interface Driver {
  /** `react`, `vue`, `svelte` or `controller`. */
  readonly name: string
  /** Scenarios that this framework cannot satisfy, by name, each with its cause. They are expected to fail. */
  readonly knownGaps: Readonly<Record<string, string>>
  /** Puts an application on the page. */
  open(controller: Controller): App
}

/** Equal arguments, newly made: lists and objects are copied, endpoints are not. */
export function remade(args: HookArgs): HookArgs {
  return args.map(copy)
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copy)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copy(field)]))
}

import { Controller } from '@selfsame/core'
import { Boundary, development, errors } from '@selfsame/core/bindings'
import { beforeUpdate, getContext, hasContext, onDestroy, setContext } from 'svelte'
import type { FindCarried, ServerRender } from './server-render.js'
import { LeftCalls } from './suspension.js'
import type { Waiting } from './suspension.js'

// Registered symbols, so that a provider and hooks of two copies of this package find each other (specification B7).
const controllerKey = Symbol.for('@selfsame/svelte/controller')
const boundaryKey = Symbol.for('@selfsame/svelte/boundary')
const carriedKey = Symbol.for('@selfsame/svelte/carried')
const serverRenderKey = Symbol.for('@selfsame/svelte/server-render')

/**
 * Provides a Controller to the hooks of this component's descendants. Call it while the component is being set up.
 *
 * @param controller - the Controller; on a server, one for each request. @default a new one, disposed of when the
 *   component unmounts
 * @returns the Controller
 * @see specification 4.5, Bindings
 * @example
 * // +layout.svelte
 * const controller = provideController()
 */
export function provideController(controller?: Controller): Controller {
  const provided = controller ?? new Controller()
  if (controller === undefined) onDestroy(() => provided.dispose())
  return setContext(controllerKey, provided)
}

/**
 * Returns the Controller of the nearest provider.
 *
 * @param call - the call for the error message: `useSuspense(Todo.get)`
 * @param given - a Controller that was passed to the hook; used in place of the provider's
 * @throws {SelfsameError} `provider-missing`
 */
export function findController(call: string, given?: Controller): Controller {
  if (given !== undefined) return given
  if (!isInComponent()) throw errors.providerMissing(call, development ? remedyOutside : '')
  if (hasContext(controllerKey)) return getContext(controllerKey)
  throw errors.providerMissing(call, development ? remedy : '')
}

const remedy = 'Wrap the app in <DataProvider>, or call provideController() in a component above this one.'
const remedyOutside = `There is no component here.
  Call it in the script of a component. In a .svelte.ts module or $effect.root, pass withOptions(endpoint, { controller }) for the endpoint.`

/** True while a component is set up or rendered. */
export function isInComponent(): boolean {
  try {
    hasContext(controllerKey)
    return true
  } catch {
    // Svelte throws in event handlers and other code outside components.
    return false
  }
}

/** True while a component without runes is set up: only there Svelte allows `beforeUpdate`. */
export function isInLegacyComponent(): boolean {
  try {
    beforeUpdate(() => {})
    return true
  } catch {
    return false
  }
}

/** The boundaries around a reader, which it reports its state to. */
export interface BoundaryContext {
  /** The nearest `AsyncBoundary`, which shows its fallback. */
  readonly waiting: Boundary
  /** The nearest `AsyncBoundary` with an `errorFallback`; `undefined` if there is none. */
  readonly failing: Boundary | undefined
  /** The calls of the content that the fallback of the nearest `AsyncBoundary` replaced. */
  readonly left: LeftCalls
  /** The element around the content of the nearest `AsyncBoundary` while that is mounted, and can be hidden. */
  content: HTMLElement | undefined
  /** What parts of the content wait for that stayed when they threw, with the calls. */
  readonly waits: Map<Waiting, unknown>
  /** The boundaries around this one. */
  readonly outer: BoundaryContext | undefined
  /** `true` on a server that renders the page once, without waiting: what is fetched now is shown nowhere. */
  isRenderedOnce?: boolean
}

/** `true` if the content is mounted: from then on it is hidden while a reader in it waits. */
export function isMounted({ content }: Pick<BoundaryContext, 'content'>): boolean {
  // Svelte renders content whose first promises are pending in a fragment of its own.
  const root = content?.getRootNode()
  return root !== undefined && (!(root instanceof DocumentFragment) || root instanceof ShadowRoot)
}

/** @param showsErrors - returns true if the boundary that is set up has an `errorFallback` */
export function provideBoundary(showsErrors: () => boolean): BoundaryContext {
  const waiting = new Boundary()
  const outer = boundaryHere()
  return setContext<BoundaryContext>(boundaryKey, {
    waiting,
    get failing() {
      return showsErrors() ? waiting : outer?.failing
    },
    left: new LeftCalls(),
    content: undefined,
    waits: new Map(),
    outer,
  })
}

/**
 * The boundary around the position that is being rendered, which may be inside the component that called a hook;
 * `undefined` if there is none, and outside a render.
 */
export function boundaryHere(): BoundaryContext | undefined {
  return isInComponent() ? getContext(boundaryKey) : undefined
}

/** The context for the render of a page on a server, and for its hydration. */
export function contextOf(
  controller: Controller,
  others: ReadonlyMap<unknown, unknown> | undefined,
  findCarried: FindCarried,
  serverRender?: ServerRender,
): Map<unknown, unknown> {
  return new Map<unknown, unknown>([
    ...(others ?? []),
    [controllerKey, controller],
    [carriedKey, findCarried],
    [serverRenderKey, serverRender],
  ])
}

/**
 * The function that finds errors that the server showed; `undefined` if no server rendered the page. Call it while a
 * component is set up.
 */
export function findCarriedHere(): FindCarried | undefined {
  return getContext(carriedKey)
}

/** The current render on a server; `undefined` outside `@selfsame/svelte/ssr`. */
export function serverRenderHere(): ServerRender | undefined {
  return isInComponent() ? getContext(serverRenderKey) : undefined
}

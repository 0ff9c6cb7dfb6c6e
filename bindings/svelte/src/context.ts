import { Controller } from '@selfsame/core'
import { Boundary, errors } from '@selfsame/core/bindings'
import { beforeUpdate, getContext, hasContext, onDestroy, setContext } from 'svelte'
import type { FindCarried, ServerRender } from './server-render.js'
import { LeftCalls } from './suspension.js'

// Registered symbols, so that a provider and hooks of two copies of this package find each other (specification B7).
const controllerKey = Symbol.for('@selfsame/svelte/controller')
const boundaryKey = Symbol.for('@selfsame/svelte/boundary')
const carriedKey = Symbol.for('@selfsame/svelte/carried')
const serverRenderKey = Symbol.for('@selfsame/svelte/server-render')

/**
 * Gives a Controller to the hooks of this component's descendants. Call it while the component is set up.
 *
 * @param controller - the cache to use; on a server, one for each request.
 *   @default a new one, which ends with the component
 * @returns the Controller
 * @see specification 6 (bindings)
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
 * The Controller of the nearest provider.
 *
 * @param call - who asks, for the message
 * @param given - what a hook was given instead
 * @throws {SelfsameError} `provider-missing`
 */
export function findController(call: string, given?: Controller): Controller {
  if (given !== undefined) return given
  if (!isInComponent()) throw errors.providerMissing(call, errors.development ? remedyOutside : '')
  if (hasContext(controllerKey)) return getContext(controllerKey)
  throw errors.providerMissing(call, errors.development ? remedy : '')
}

const remedy = 'Wrap the app in <DataProvider>, or call provideController() in a component above this one.'
const remedyOutside = `There is no component here.
  Call it in a component's script; in a .svelte.ts module or $effect.root, give it { controller } as its last argument.`

/** Whether a component is being set up or rendered. */
export function isInComponent(): boolean {
  try {
    hasContext(controllerKey)
    return true
  } catch {
    // Svelte says so of an event handler and the like.
    return false
  }
}

/** Whether the component that is being set up is compiled without runes: Svelte has this for such components only. */
export function isInLegacyComponent(): boolean {
  try {
    beforeUpdate(() => {})
    return true
  } catch {
    return false
  }
}

/** Whom a reader tells what it does. */
export interface BoundaryContext {
  /** Of the nearest `AsyncBoundary`: it shows its fallback. */
  readonly waiting: Boundary
  /** Of the nearest `AsyncBoundary` that has an `errorFallback`; `undefined` when there is none. */
  readonly failing: Boundary | undefined
  /** Of the nearest `AsyncBoundary`: the calls of content that its fallback replaced. */
  readonly left: LeftCalls
}

/** @param showsErrors - whether the boundary that is being set up has an `errorFallback` */
export function provideBoundary(showsErrors: () => boolean): BoundaryContext {
  const waiting = new Boundary()
  const outer = boundaryHere()
  return setContext<BoundaryContext>(boundaryKey, {
    waiting,
    get failing() {
      return showsErrors() ? waiting : outer?.failing
    },
    left: new LeftCalls(),
  })
}

/**
 * The boundary around the place that is being rendered, which may be inside of the component that called a hook;
 * `undefined` when there is none, and when nothing is being rendered.
 */
export function boundaryHere(): BoundaryContext | undefined {
  return isInComponent() ? getContext(boundaryKey) : undefined
}

/** The context of a page that a server renders, or that it rendered. */
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

/** Finds errors that the server showed; `undefined` where the page was not rendered by one. Called while a component is set up. */
export function findCarriedHere(): FindCarried | undefined {
  return getContext(carriedKey)
}

/** The rendering on a server; `undefined` where it is not one of `@selfsame/svelte/ssr`. */
export function serverRenderHere(): ServerRender | undefined {
  return isInComponent() ? getContext(serverRenderKey) : undefined
}

import { untrack } from 'svelte'
import type { BoundaryContext } from './context.js'
import { Suspension } from './suspension.js'
import type { Waiting } from './suspension.js'

/** What a server sends in place of a Suspension: the page mounts the content, which fetches. */
const waitsInPage = { selfsame: '' }

const inPage: Waiting = {
  boundary: undefined,
  call: () => undefined,
  isOver: () => true,
  report: () => {},
  dropsContent: false,
}

/**
 * What content waits for, by what a boundary caught: an error may be due to what a boundary around waits for.
 *
 * @returns `undefined` for an error
 */
export function waitingFor(caught: unknown, around: BoundaryContext | undefined): Waiting | undefined {
  if (caught instanceof Suspension) return caught.waiting
  if ((caught as Partial<typeof waitsInPage> | undefined)?.selfsame === '') return inPage
  if (around === undefined) return undefined
  for (const [waiting, call] of around.waits) {
    if (untrack(() => waiting.call() === call && !waiting.isOver())) return waiting
    around.waits.delete(waiting)
  }
  return waitingFor(caught, around.outer)
}

/** What is used of the renderer of `svelte/server`, which is the first argument of each snippet, as it is in Svelte 5.57. */
interface ServerRenderer {
  readonly global?: {
    /** `sync` where nothing can be awaited. */
    readonly mode?: 'async' | 'sync'
    transformError?: (error: unknown) => unknown
  }
}

const catching = new WeakSet<object>()

/**
 * Returns a snippet for the begin of a boundary. Without the option `transformError` of `render`, which SvelteKit does not
 * set, Svelte fails the whole page for one reader without data. This lets the nearest boundary with a `failed` snippet have
 * it; anything else fails as before.
 */
export function catchOnServer(boundary: BoundaryContext): (renderer: ServerRenderer) => void {
  return ({ global }) => {
    boundary.isRenderedOnce = global?.mode === 'sync'
    if (typeof global?.transformError !== 'function' || catching.has(global)) return
    catching.add(global)
    const { transformError } = global
    global.transformError = (error) =>
      error instanceof Suspension ? waitsInPage : transformError.call(global, error)
  }
}

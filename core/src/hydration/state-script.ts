import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { hydrate } from './hydrate.js'
import { deserialize, serialize } from './serialize.js'

/** The default id of the elements that hold state. */
const defaultId = 'selfsame'

/** Options of `stateScript`. */
export interface StateScriptOptions {
  /** The `id` of the element; pass the same one to `hydrateFromPage`. @default 'selfsame' */
  readonly id?: string | undefined
  /**
   * The nonce of the page's Content-Security-Policy. The element runs no script, so it needs none.
   *
   * @default no attribute
   */
  readonly nonce?: string | undefined
}

/**
 * Returns the HTML of an element that holds a state: `<script type="application/json" id="selfsame">…</script>`. It
 * is a data block, which a browser does not run.
 *
 * @param state - the result of `dehydrate`, called after the HTML that needs the data was rendered
 * @throws {SelfsameError} `value-unusable` for a value that `serialize` rejects
 * @see specification 4.5, B8
 * @example response.end(`<body>${html}${stateScript(dehydrate(controller))}</body>`)
 */
export function stateScript(
  state: DehydratedState,
  { id = defaultId, nonce }: StateScriptOptions = {},
): string {
  const attribute = nonce === undefined ? '' : ` nonce="${escapeAttribute(nonce)}"`
  return `<script type="application/json" id="${escapeAttribute(id)}"${attribute}>${serialize(state)}</script>`
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"<]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Options of `hydrateFromPage`. */
export interface PageOptions {
  /** The `id` of the elements. @default 'selfsame' */
  readonly id?: string | undefined
  /** The document that contains them. @default the page's */
  readonly document?: Document | undefined
  /**
   * Set it to `true` while further parts of the page arrive. Readers of calls that the server still fetches then send no
   * request: they wait for a later part, or for a call without this option.
   *
   * @default false
   */
  readonly isArriving?: boolean | undefined
}

/**
 * Stores the state that `stateScript` wrote into the page, and removes its elements, so that it can be called again
 * as parts of a page arrive. Without such elements it does nothing. An element that has not fully arrived is left for
 * the next call.
 *
 * @throws {SelfsameError} `argument-invalid` for a damaged element, which is removed, so that it throws once
 * @see specification 4.5, B8
 * @example
 * const controller = new Controller()
 * hydrateFromPage(controller)
 */
export function hydrateFromPage(
  controller: Controller,
  { id = defaultId, document = globalThis.document, isArriving = false }: PageOptions = {},
): void {
  const calls = callsOf(controller)
  const scripts = document.querySelectorAll('script[type="application/json"]')
  for (const script of scripts) {
    if (script.id !== id || !isWhole(script, document)) continue
    script.remove()
    const state = deserialize(script.textContent)
    hydrate(controller, state, { isOfPage: true })
    if (isArriving) calls.store.hydration?.waitFor(state.pending ?? [])
  }
  if (!isArriving) for (const call of calls.store.hydration?.stopWaiting() ?? []) calls.reads.renew(call)
}

/** True if the parser has passed the element: another node follows it, or the page is loaded. */
function isWhole(element: Element, { readyState }: Document): boolean {
  if (readyState !== 'loading') return true
  for (let node: Node | null = element; node !== null; node = node.parentNode) {
    if (node.nextSibling !== null) return true
  }
  return false
}

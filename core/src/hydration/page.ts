import type { Controller } from '../controller/controller.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { hydrate } from './hydrate.js'
import { deserialize, serialize } from './serialize.js'

/** Names the elements that carry state, where neither side names them. */
const defaultId = 'selfsame'

/** What `stateScript` may be told. */
export interface StateScriptOptions {
  /** The `id` of the element, by which `hydrateFromPage` finds it. @default 'selfsame' */
  readonly id?: string | undefined
  /** For a Content-Security-Policy that names one. The element runs nothing, so it needs none. @default no attribute */
  readonly nonce?: string | undefined
}

/**
 * Writes an element that carries a state in a page: `<script type="application/json" id="selfsame">…</script>`. It is a
 * block of data, which a browser does not run.
 *
 * @param state - what `dehydrate` gave, after what needed it was rendered
 * @throws {SelfsameError} `value-unusable` for what `serialize` refuses
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

/** What `hydrateFromPage` may be told. */
export interface PageOptions {
  /** The `id` of the elements. @default 'selfsame' */
  readonly id?: string | undefined
  /** Where they are. @default the page's */
  readonly document?: Document | undefined
}

/**
 * Lets a Controller take the state that `stateScript` wrote into the page, and removes the elements that carried it, so
 * that it can be called again as parts of a page arrive. Where there are none, nothing happens. One that has not arrived as
 * a whole is left for the next time.
 *
 * @throws {SelfsameError} `argument-invalid` for one that is damaged; it is removed, so it fails once
 * @see specification 4.5, B8
 * @example
 * const controller = new Controller()
 * hydrateFromPage(controller)
 */
export function hydrateFromPage(
  controller: Controller,
  { id = defaultId, document = globalThis.document }: PageOptions = {},
): void {
  const scripts = document.querySelectorAll('script[type="application/json"]')
  for (const script of scripts) {
    if (script.id !== id || !isWhole(script, document)) continue
    script.remove()
    hydrate(controller, deserialize(script.textContent), { isOfPage: true })
  }
}

/** Whether the parser is beyond an element: then something follows it, or the page is there. */
function isWhole(element: Element, { readyState }: Document): boolean {
  if (readyState !== 'loading') return true
  for (let node: Node | null = element; node !== null; node = node.parentNode) {
    if (node.nextSibling !== null) return true
  }
  return false
}

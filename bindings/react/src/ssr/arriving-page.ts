import type { Controller } from '@selfsame/core'
import { hydrateFromPage } from '@selfsame/core/hydration'
import type { PageOptions } from '@selfsame/core/hydration'

/**
 * Lets a Controller take the state that is in the page, and what arrives later while the page is being sent. Call it before
 * `hydrateRoot`: what a boundary needs is taken before React shows and hydrates it.
 *
 * @param options - of `hydrateFromPage`
 * @returns a function that ends it; it ends by itself when the page has arrived
 * @throws {SelfsameError} `argument-invalid` for a state that is damaged
 * @see specification 4.5, Hooks on a server
 * @example
 * const controller = new Controller()
 * hydrateAsItArrives(controller)
 * hydrateRoot(document, <DataProvider controller={controller}><App /></DataProvider>)
 */
export function hydrateAsItArrives(controller: Controller, options: PageOptions = {}): () => void {
  const { document = globalThis.document } = options
  hydrateFromPage(controller, options)
  if (document.readyState !== 'loading') return () => {}
  // Called before the script runs that shows the HTML which follows the state.
  const observer = new MutationObserver(() => hydrateFromPage(controller, options))
  const end = () => {
    observer.disconnect()
    document.removeEventListener('DOMContentLoaded', takeLast)
  }
  const takeLast = () => {
    end()
    hydrateFromPage(controller, options)
  }
  observer.observe(document, { childList: true, subtree: true })
  document.addEventListener('DOMContentLoaded', takeLast)
  return end
}

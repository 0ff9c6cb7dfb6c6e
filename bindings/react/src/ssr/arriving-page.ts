import type { Controller } from '@selfsame/core'
import { hydrateFromPage } from '@selfsame/core/hydration'
import type { PageOptions } from '@selfsame/core/hydration'

/**
 * Hydrates a Controller from the state in the page, and from the state that arrives later while the page is streamed.
 * Call it before `hydrateRoot`, so that the state of a boundary is stored before React shows and hydrates the
 * boundary.
 *
 * @param options - those of `hydrateFromPage`
 * @returns a function that stops listening; listening stops by itself when the page has loaded
 * @throws {SelfsameError} `argument-invalid` for a state that is damaged
 * @see specification 4.5, Hooks on a server
 * @example
 * const controller = new Controller()
 * hydrateAsItArrives(controller)
 * hydrateRoot(document, <DataProvider controller={controller}><App /></DataProvider>)
 */
export function hydrateAsItArrives(controller: Controller, options: PageOptions = {}): () => void {
  const { document = globalThis.document } = options
  const isArriving = document.readyState === 'loading'
  const take = () => hydrateFromPage(controller, { ...options, isArriving })
  take()
  if (!isArriving) return () => {}
  // Called before the script that shows the HTML after the state runs.
  const observer = new MutationObserver(take)
  const end = () => {
    observer.disconnect()
    document.removeEventListener('DOMContentLoaded', end)
    // Takes what is left, and lets those fetch that waited in vain.
    hydrateFromPage(controller, options)
  }
  observer.observe(document, { childList: true, subtree: true })
  document.addEventListener('DOMContentLoaded', end)
  return end
}

import type { Controller } from '@selfsame/core'
import type { Line } from './told.js'
import { watch } from './watch.js'

/** Shows the panel of `@selfsame/devtools`. Each application has its own: the component of its binding. */
export interface PanelModule {
  openPanel(controller: Controller): void
}

/**
 * A thin strip below each screen, which tells what the library did last: served from cache, one request, shared, refetched because
 * of what. Its button opens the panel, whose code is loaded then.
 *
 * It is an element of the page and not of a framework, so that three applications have the same. Its rows and colours are in
 * `styles.css`.
 */
class ActivityStrip extends HTMLElement {
  #end: (() => void) | undefined

  /** @param loadPanel - imports the module with the panel */
  start(controller: Controller, loadPanel: () => Promise<PanelModule>): void {
    const status = document.createElement('p')
    status.setAttribute('role', 'status')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Panel'
    button.title = 'Open the panel of @selfsame/devtools'
    button.addEventListener('click', () => {
      // From now on the button of the panel itself opens it.
      button.hidden = true
      void loadPanel().then(({ openPanel }) => openPanel(controller))
    })
    this.replaceChildren(status, button)
    this.#end?.()
    this.#end = watch(controller, document, (line) => show(status, line))
  }
}

function show(status: HTMLElement, { sign, title, text }: Line): void {
  const strong = document.createElement('strong')
  strong.textContent = title
  status.dataset['sign'] = sign
  status.title = text
  status.replaceChildren(strong, ` ${text}`)
}

customElements.define('activity-strip', ActivityStrip)

/** Starts the strip of the page, which `index.html` has. Called once, before anything is read. */
export function startStrip(controller: Controller, loadPanel: () => Promise<PanelModule>): void {
  const strip = document.querySelector('activity-strip')
  if (strip instanceof ActivityStrip) strip.start(controller, loadPanel)
}

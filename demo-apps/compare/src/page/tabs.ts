import { libraries } from '../libraries.js'
import { elementById } from './element-by-id.js'

/** Where there is no room for both sides, tabs choose one. The styles decide where that is. */
export function startTabs(): void {
  const tabs = libraries.map(({ id }) => elementById(`tab-${id}`))
  const choose = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen))
      tab.tabIndex = tab === chosen ? 0 : -1
      elementById(tab.getAttribute('aria-controls') ?? '').dataset['chosen'] = String(tab === chosen)
    }
  }
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(tab))
    tab.addEventListener('keydown', ({ key }) => {
      if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
      const next = tabs[(index + 1) % tabs.length] ?? tab
      choose(next)
      next.focus()
    })
  }
}

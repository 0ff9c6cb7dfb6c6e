/** The state of a pane that the URL contains. */
export interface PaneState {
  /** The article on show; `undefined` for none. */
  readonly id: number | undefined
  readonly filter: string
}

type ShowListener = (id: number) => void

const showListeners = new Set<ShowListener>()

/** Calls a function when a pane is about to show an article. */
export function onShow(listener: ShowListener): void {
  showListeners.add(listener)
}

/** Shows an article in each pane, if no pane shows any. */
export function showEverywhere(panes: readonly string[], id: number): void {
  const params = new URLSearchParams(location.search)
  if (panes.some((name) => params.has(name))) return
  for (const name of panes) params.set(name, String(id))
  history.replaceState(null, '', `?${params}`)
  dispatchEvent(new PopStateEvent('popstate'))
}

/**
 * Stores the state of a pane in the URL of the page: `?vue=5&vue.filter=ada`. So it survives a reload, works with
 * Back, and can be shared.
 */
export class PaneAddress {
  readonly #name: string
  readonly #listeners = new Set<() => void>()
  #state: PaneState = { id: undefined, filter: '' }

  constructor(name: string) {
    this.#name = name
  }

  /** The same object until it changes. */
  readonly read = (): PaneState => {
    const params = new URLSearchParams(location.search)
    const id = Number(params.get(this.#name)) || undefined
    const filter = params.get(`${this.#name}.filter`) ?? ''
    if (id !== this.#state.id || filter !== this.#state.filter) this.#state = { id, filter }
    return this.#state
  }

  /** Calls a function after each change. @returns a function that ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    addEventListener('popstate', listener)
    return () => {
      this.#listeners.delete(listener)
      removeEventListener('popstate', listener)
    }
  }

  /** Shows an article, or none. Adds a history entry. */
  show(id: number | undefined): void {
    if (id !== this.read().id) {
      if (id !== undefined) for (const listener of showListeners) listener(id)
      history.pushState(null, '', this.#with(this.#name, String(id ?? '')))
    }
    this.#notify()
  }

  /** Filters the list. Replaces the history entry, so that Back does not undo letter by letter. */
  filterBy(text: string): void {
    history.replaceState(null, '', this.#with(`${this.#name}.filter`, text))
    this.#notify()
  }

  #with(param: string, value: string): string {
    const params = new URLSearchParams(location.search)
    if (value === '') params.delete(param)
    else params.set(param, value)
    return params.size === 0 ? location.pathname : `?${params}`
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

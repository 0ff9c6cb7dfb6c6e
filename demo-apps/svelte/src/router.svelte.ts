import { createContext } from 'svelte'

export const [getRouter, setRouter] = createContext<Router>()

/**
 * The current route. Not a module variable, because a server renders many pages at once.
 *
 * Links are ordinary links. Clicks on those below the base change what is shown, without loading a page, unless they have
 * `rel="external"`.
 */
export class Router {
  readonly #base: string
  #url = $state.raw() as URL
  /** True if the user has navigated since the page was loaded. */
  hasMoved = false

  /** @param base - the path that all URLs of the application start with: `/` or `/svelte/` */
  constructor(base: string, url: URL) {
    this.#base = base
    this.#url = url
  }

  /** The path below the base, as routes match it: `/articles/5`. */
  get path(): string {
    return `/${this.#url.pathname.slice(this.#base.length)}`
  }

  get search(): URLSearchParams {
    return this.#url.searchParams
  }

  /** Returns the URL of a path, for `<a href>`. */
  href(path: string): string {
    return this.#base + path.slice(1)
  }

  navigate(path: string, { replace = false } = {}): void {
    this.#go(new URL(this.href(path), this.#url), replace)
    scrollTo(0, 0)
  }

  /** Sets a search parameter of the URL. @param options - without `replace`, Back restores the one before. @default replaces */
  setParam(name: string, value: string | undefined, { replace = true } = {}): void {
    const url = new URL(this.#url)
    if (value === undefined || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    if (url.href !== this.#url.href) this.#go(url, replace)
  }

  /** Handles clicks on links, Back and Forward. @returns a function that removes the listeners */
  listen(): () => void {
    const ended = new AbortController()
    const { signal } = ended
    document.addEventListener('click', (event) => this.#followLink(event), { signal })
    addEventListener(
      'popstate',
      () => {
        this.hasMoved = true
        this.#url = new URL(location.href)
      },
      { signal },
    )
    return () => ended.abort()
  }

  #followLink(event: MouseEvent): void {
    const { button, ctrlKey, metaKey, shiftKey, altKey, target } = event
    if (event.defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
    const link = target instanceof Element && target.closest('a')
    if (!link || link.target !== '' || link.rel === 'external') return
    const isOurs = link.origin === location.origin && link.pathname.startsWith(this.#base)
    if (!isOurs || link.hash !== '') return
    event.preventDefault()
    this.navigate(`/${link.pathname.slice(this.#base.length)}${link.search}`)
  }

  #go(url: URL, isReplaced: boolean): void {
    this.hasMoved = true
    if (isReplaced) history.replaceState(null, '', url)
    else history.pushState(null, '', url)
    this.#url = url
  }
}

import { createContext } from 'svelte'

export const [getRouter, setRouter] = createContext<Router>()

/**
 * Where the user is. It belongs to one page, not to the module: a server renders many at once.
 *
 * Links are ordinary links. Clicks on those below the base change what is shown, without loading a page, unless they have
 * `rel="external"`.
 */
export class Router {
  readonly #base: string
  #url = $state.raw() as URL
  /** Whether the user went somewhere since the page was loaded. */
  hasMoved = false

  /** @param base - what all addresses of the application begin with: `/` or `/svelte/` */
  constructor(base: string, url: URL) {
    this.#base = base
    this.#url = url
  }

  /** Below the base, as routes know it: `/articles/5`. */
  get path(): string {
    return `/${this.#url.pathname.slice(this.#base.length)}`
  }

  get search(): URLSearchParams {
    return this.#url.searchParams
  }

  /** The address of a path, for `<a href>`. */
  href(path: string): string {
    return this.#base + path.slice(1)
  }

  navigate(path: string, { replace = false } = {}): void {
    this.#go(new URL(this.href(path), this.#url), replace)
    scrollTo(0, 0)
  }

  /** Writes a parameter into the address, where it stays when the user leaves and comes back. */
  setParam(name: string, value: string | undefined): void {
    const url = new URL(this.#url)
    if (value === undefined || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    if (url.href !== this.#url.href) this.#go(url, true)
  }

  /** Follows clicks on links, and back and forward. @returns a function that ends it */
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

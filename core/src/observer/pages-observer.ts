import { callsOf } from '../controller/calls-of.js'
import type { Controller } from '../controller/controller.js'
import type { Hold } from '../controller/request.js'
import type { ReadEndpoint } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { stableStringify } from '../util/stable-stringify.js'
import { Observer, stateOfLoading } from './observer.js'
import type { CallState } from './observer.js'
import type { Followed } from './observer-group.js'

/** What names further pages of a list. */
export interface PagesOptions<Data, PageParams> {
  /**
   * What names the page after what is loaded; nothing at its end. It is asked when the list changes, and has to be pure. A
   * page that is loaded already is none: what names it by the last record, or by how many there are, needs no end.
   *
   * @param data - the list, with what stands beside it of the page that came last
   * @param seen.pages - how many pages are loaded, the first included
   */
  readonly next: (
    data: Data,
    seen: { readonly pages: number },
  ) => PageParams | null | undefined | false | '' | 0
  /** The endpoint for further pages, as `paginated` makes it. @default `getPage` of the list's endpoint */
  readonly page?: ReadEndpoint | undefined
}

/** A list that is loaded page by page, as it is shown. Immutable. */
export type PagesState<Data = unknown> = CallState<Data> & {
  /** Whether there is a further page; `false` while there is no data. */
  readonly hasNext: boolean
  /** Whether that page is on its way, whoever asked for it. */
  readonly isFetchingNext: boolean
}

/** What the state is while there is neither data nor an error. */
export const pagesOfLoading = Object.freeze({
  ...stateOfLoading,
  hasNext: false,
  isFetchingNext: false,
} as const)

/**
 * A list that is loaded page by page, watched by one reader. It keeps nothing of its own: the list is that of its call, and
 * what is under way is the call of the next page, so that all readers of the list show the same.
 */
export class PagesObserver<Data = unknown> implements Followed {
  readonly #controller: Controller
  #endpoint: ReadEndpoint
  #args: readonly unknown[]
  #options: PagesOptions<Data, object>
  readonly #list: Observer<Data>
  #next: { readonly name: string; readonly args: readonly unknown[]; readonly observer: Observer } | undefined
  #told: { readonly list: CallState<Data>; readonly state: PagesState<Data> } | undefined

  /**
   * @param params - of the list; `undefined` for none, `null` to read nothing
   * @throws {SelfsameError} `argument-invalid` for what is not an endpoint, or has none for further pages
   */
  constructor(
    controller: Controller,
    endpoint: ReadEndpoint,
    params: unknown,
    options: PagesOptions<Data, object>,
    hold?: Hold,
  ) {
    this.#controller = controller
    this.#endpoint = endpoint
    this.#args = argsOf(params)
    this.#options = options
    this.#list = new Observer(controller, endpoint, this.#args, hold)
    if (this.#page === undefined) throw errors.pagesMissing(endpoint.name)
  }

  /** Asks for the next page, unless it is on its way or there is none. @returns fulfilled when that is over, also when it failed */
  readonly fetchNext = async (): Promise<void> => {
    const next = this.#follow()
    const page = this.#page
    if (next === undefined || page === undefined) return
    try {
      await this.#controller.fetch(page, ...(next.args as never[]))
    } catch {
      // It is shown as the error of the page.
    }
  }

  isOf(endpoint: ReadEndpoint, params: unknown): boolean {
    return this.#list.isOf(endpoint, argsOf(params))
  }

  /** The reader renders, with what may be made anew and names the same list. */
  follow(endpoint: ReadEndpoint, params: unknown, options: PagesOptions<Data, object>): void {
    this.#endpoint = endpoint
    this.#args = argsOf(params)
    this.#options = options
    this.#list.follow(endpoint, this.#args)
  }

  /** What is shown; fetches the list where `useDLE` does. The same object until one of its members changes. */
  load(): PagesState<Data> {
    this.#list.load()
    return this.state()
  }

  /** What `load` gives, without a fetch. */
  state(): PagesState<Data> {
    const list = this.#list.state()
    if (list === stateOfLoading) return pagesOfLoading
    const next = this.#follow()?.observer.getSnapshot()
    const shown = {
      error: list.error ?? next?.error,
      hasNext: next !== undefined,
      isFetchingNext: next?.fetching === true,
    }
    const told = this.#told
    const isSame =
      told?.list === list &&
      told.state.error === shown.error &&
      told.state.hasNext === shown.hasNext &&
      told.state.isFetchingNext === shown.isFetchingNext
    // An error beside data, as in the state of one call.
    if (!isSame) this.#told = { list, state: Object.freeze({ ...list, ...shown }) as PagesState<Data> }
    return this.#told?.state as PagesState<Data>
  }

  subscribe(listener: () => void, select?: (observer: this) => unknown): () => void {
    let last = select?.(this)
    let followed: Observer | undefined
    let end: (() => void) | undefined
    const follow = () => {
      const next = this.#follow()?.observer
      if (next === followed) return
      end?.()
      followed = next
      end = next?.subscribe(tell)
    }
    const tell = () => {
      follow()
      const now = select?.(this)
      if (select !== undefined && now === last) return
      last = now
      listener()
    }
    const endList = this.#list.subscribe(tell)
    follow()
    return () => {
      endList()
      end?.()
    }
  }

  retain(): () => void {
    return this.#list.retain()
  }

  leave(): void {
    this.#list.leave()
  }

  repeat<Shown>(place: string, shown: Shown, blank: Shown): Shown {
    return this.#list.repeat(place, shown, blank)
  }

  endRepeat(place: string): void {
    this.#list.endRepeat(place)
  }

  get #page(): ReadEndpoint | undefined {
    return this.#options.page ?? (this.#endpoint as { readonly getPage?: ReadEndpoint }).getPage
  }

  /** The call of the next page; `undefined` when there is none. */
  #follow() {
    const page = this.#page
    const data = this.#list.cached()
    if (page === undefined || data === undefined) return undefined
    const [params] = this.#args
    const { loaded } = callsOf(this.#controller).call(this.#endpoint, this.#args)
    const more = this.#options.next(data, { pages: loaded.length + 1 })
    if (!more || Object.values(more).every((value) => value === undefined)) return undefined
    const args = [{ ...(params as object | undefined), ...more }]
    const name = stableStringify(args)
    if (loaded.some((each) => stableStringify(each) === name)) return undefined
    if (this.#next?.name !== name) {
      this.#next = { name, args, observer: new Observer(this.#controller, page, args) }
    }
    return this.#next
  }
}

function argsOf(params: unknown): readonly unknown[] {
  return params === undefined ? [] : [params]
}

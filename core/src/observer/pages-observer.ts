import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { Hold } from '../controller/reads.js'
import type { ReadEndpoint } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { PageSchema } from '../schema/page-schema.js'
import { stableStringify } from '../util/stable-stringify.js'
import { Observer, stateOfLoading, tellChanges } from './observer.js'
import type { CallState, ReaderListener } from './observer.js'
import type { Followed } from './observer-group.js'
import { endpointOf } from './reader-options.js'

/** How a list loads further pages. */
export interface PagesOptions<Data, PageParams> {
  /**
   * Returns the params of the next page; a falsy value at the end of the list. Called when the list changes and when the
   * component is rendered, so it may use its current values; it must be pure. The list also ends if the `paginationField` has no
   * value (`undefined`, `null`, `''`), and with the params of a page that is already loaded. So a cursor of the response, of the last
   * record or of the count of records needs no check of its own.
   *
   * @param data - the list; the fields beside it are those of the last page
   * @param seen.pages - the number of loaded pages, including the first
   */
  readonly next: (
    data: Data,
    seen: { readonly pages: number },
  ) => PageParams | null | undefined | false | '' | 0
  /** The endpoint of further pages, created by `paginated`. @default `getPage` of the list's endpoint */
  readonly page?: ReadEndpoint | undefined
}

/** The state of a list that is loaded page by page. Immutable. */
export type PagesState<Data = unknown> = CallState<Data> & {
  /** `true` if there is a next page; `false` while there is no data. */
  readonly hasNext: boolean
  /** `true` while any reader fetches that page. */
  readonly isFetchingNext: boolean
}

/** The state while there is neither data nor an error. */
export const pagesOfLoading = Object.freeze({
  ...stateOfLoading,
  hasNext: false,
  isFetchingNext: false,
} as const)

/**
 * Watches a list that is loaded page by page, for one reader. It has no data of its own: the list belongs to its call,
 * and the request in flight to the call of the next page, so that all readers of the list show the same.
 */
export class PagesObserver<Data = unknown> implements Followed {
  readonly #controller: Controller
  #endpoint: ReadEndpoint
  #args: readonly unknown[]
  #options: PagesOptions<Data, object>
  readonly #list: Observer<Data>
  #next: { readonly name: string; readonly args: readonly unknown[]; readonly observer: Observer } | undefined
  /** Called when another page is next: subscriptions follow it. */
  readonly #followers = new Set<() => void>()
  #isTold = false
  #told: { readonly list: CallState<Data>; readonly state: PagesState<Data> } | undefined

  /**
   * @param params - the params of the list; `undefined` for none, `null` to read nothing
   * @throws {SelfsameError} `argument-invalid` if `endpoint` is not an endpoint, or has no endpoint for further pages
   */
  constructor(
    controller: Controller,
    endpoint: ReadEndpoint,
    params: unknown,
    options: PagesOptions<Data, object>,
    hold?: Hold,
  ) {
    this.#controller = controller
    this.#endpoint = endpointOf(endpoint)
    this.#args = argsOf(params)
    this.#options = options
    this.#list = new Observer(controller, endpoint, this.#args, hold)
    if (this.#page === undefined) throw errors.pagesMissing(endpoint.name)
  }

  /** Takes over from the Observer of the previous params. */
  succeed(previous: PagesObserver<Data>): void {
    this.#list.succeed(previous.#list)
  }

  /**
   * Fetches the next page, unless there is none. Joins a request in flight.
   *
   * @returns a promise that is fulfilled when the request ends, even if it failed
   */
  readonly fetchNext = async (): Promise<void> => {
    const next = this.#follow()
    const page = this.#page
    if (next === undefined || page === undefined) return
    try {
      await this.#controller.fetch(page, ...(next.args as never[]))
    } catch {
      // The state of the list has the error of the page.
    }
  }

  isOf(endpoint: ReadEndpoint, params: unknown): boolean {
    return this.#list.isOf(endpoint, argsOf(params))
  }

  /** Passes the endpoint, params and options of the current render on. They may be new objects for the same list. */
  follow(endpoint: ReadEndpoint, params: unknown, options: PagesOptions<Data, object>): void {
    this.#endpoint = endpointOf(endpoint)
    this.#args = argsOf(params)
    this.#options = options
    this.#list.follow(endpoint, this.#args)
  }

  /**
   * Returns the state, and fetches the list under the conditions of `useDLE`. The same object until one of its members
   * changes.
   */
  load(): PagesState<Data> {
    this.#list.load()
    return this.state()
  }

  /** Returns what `load` returns, without a request. */
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
    // The error may stand beside data, as in the state of one call.
    if (!isSame) this.#told = { list, state: Object.freeze({ ...list, ...shown }) as PagesState<Data> }
    return this.#told?.state as PagesState<Data>
  }

  subscribe(listener: ReaderListener, select?: (observer: this) => unknown): () => void {
    const tellChange = tellChanges(this, listener, select)
    let end: (() => void) | undefined
    const follow = () => {
      end?.()
      end = this.#next?.observer.subscribe(tell)
    }
    const tell: ReaderListener = (isReset) => {
      this.#follow()
      tellChange(isReset)
    }
    const endList = this.#list.subscribe(tell)
    this.#follow()
    follow()
    this.#followers.add(follow)
    return () => {
      this.#followers.delete(follow)
      endList()
      end?.()
    }
  }

  retain(listener?: () => void): () => void {
    const end = listener && this.subscribe(listener)
    const release = this.#list.retain()
    return () => {
      end?.()
      release()
    }
  }

  /** Checks expiry, as `Observer.refetchIfStale` does: the list and its loaded pages are one call. */
  refetchIfStale(...meant: Parameters<Observer['refetchIfStale']>): void {
    this.#list.refetchIfStale(...meant)
  }

  leave(): void {
    this.#list.leave()
  }

  /** The Observer of the list. */
  get members(): readonly Observer[] {
    return this.#list.members
  }

  /** `true` while the next page is in flight. */
  get isFetchingNext(): boolean {
    return this.#follow()?.observer.getSnapshot().fetching === true
  }

  get #page(): ReadEndpoint | undefined {
    return this.#options.page ?? (this.#endpoint as { readonly getPage?: ReadEndpoint }).getPage
  }

  /** The call of the next page now; `undefined` when there is none. `next` may be another function than before. */
  #follow() {
    const page = this.#page
    const args = page && this.#nextArgs()
    const name = args && stableStringify(args)
    if (this.#next?.name === name) return this.#next
    this.#next =
      page && args && name !== undefined
        ? { name, args, observer: new Observer(this.#controller, page, args) }
        : undefined
    if (development && page && args) this.#checkList(page, args)
    for (const follow of this.#followers) follow()
    return this.#next
  }

  /** Warns once if the next page belongs to another list. Development only. */
  #checkList({ schema }: ReadEndpoint, args: readonly unknown[]): void {
    const list = schema instanceof PageSchema ? schema.callOf(args) : undefined
    const { key } = callsOf(this.#controller).call(this.#endpoint, this.#args)
    if (this.#isTold || list === undefined || list.key === key) return
    this.#isTold = true
    const { name } = this.#endpoint
    const [params] = list.args as readonly [object?]
    const own = this.#args[0] ?? {}
    const field = Object.keys(params ?? {}).find((each) => !Object.hasOwn(own, each)) ?? 'page'
    errors.warn(
      `The next page of ${name} belongs to another list, so it will not be appended: its "${field}" does not name a page. Pass \`page: ${name}.paginated('${field}')\` to useInfinite(), or set \`paginationField: '${field}'\` of the endpoint.`,
    )
  }

  /** The arguments of the next page; `undefined` at the end of the list, and without data. */
  #nextArgs(): readonly unknown[] | undefined {
    const { data } = this.#list.getSnapshot()
    if (data === undefined) return undefined
    const [params] = this.#args
    const { loaded } = callsOf(this.#controller).call(this.#endpoint, this.#args)
    const more = this.#options.next(data, { pages: loaded.length + 1 })
    if (!more) return undefined
    const { paginationField = '' } = this.#endpoint as { readonly paginationField?: string | undefined }
    const args = [{ ...(params as object | undefined), ...more }]
    const name = pageNameOf(args)
    const isLoaded = [this.#args, ...loaded].some((each) => pageNameOf(each) === name)
    return isLoaded || (paginationField in more && !(paginationField in valuesIn(more))) ? undefined : args
  }
}

/** Params without a value name no page. */
function pageNameOf([params]: readonly unknown[]): string {
  return stableStringify(valuesIn(params as object | undefined))
}

function valuesIn(params: object = {}): object {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== '' && (value ?? undefined) !== undefined),
  )
}

function argsOf(params: unknown): readonly unknown[] {
  return params === undefined ? [] : [params]
}

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

/** Returns the params of a further page; a falsy value if there is none. */
export type FurtherParams<Data, PageParams> = (
  data: Data,
  seen: { readonly pages: number },
) => PageParams | null | undefined | false | '' | 0

/** How a list loads further pages. */
export interface PagesOptions<Data, PageParams, PreviousParams = PageParams> {
  /**
   * Returns the params of the next page; a falsy value at the end of the list. Called when the list changes and when the
   * component is rendered, so it may use its current values; it must be pure. The list also ends if the `paginationField` has no
   * value (`undefined`, `null`, `''`), and with the params of a page that is already loaded. So a cursor of the response, of the last
   * record or of the count of records needs no check of its own.
   *
   * @param data - the list; the fields beside it are those of the last page
   * @param seen.pages - the number of loaded pages, including the first; previous pages do not count
   */
  readonly next?: FurtherParams<Data, PageParams> | undefined
  /**
   * Returns the params of the previous page, as `next` does for the next one. For an endpoint of `bidirectional`.
   *
   * @param data - the list; the fields beside it are those of the page that comes first
   * @param seen.pages - the number of loaded pages, including the first; next pages do not count
   */
  readonly previous?: FurtherParams<Data, PreviousParams> | undefined
  /** The endpoint of further pages, created by `paginated`. @default `getPage` of the list's endpoint */
  readonly page?: ReadEndpoint | undefined
}

/** The state of a list that is loaded page by page. Immutable. */
export type PagesState<Data = unknown> = CallState<Data> & {
  /** `true` if there is a next page; `false` while there is no data. */
  readonly hasNext: boolean
  /** `true` while any reader fetches that page. */
  readonly isFetchingNext: boolean
  /** `true` if there is a previous page; `false` while there is no data, and without the option `previous`. */
  readonly hasPrevious: boolean
  /** `true` while any reader fetches that page. */
  readonly isFetchingPrevious: boolean
}

/** The state while there is neither data nor an error. */
export const pagesOfLoading = Object.freeze({
  ...stateOfLoading,
  hasNext: false,
  isFetchingNext: false,
  hasPrevious: false,
  isFetchingPrevious: false,
} as const)

/** A page that is not loaded. */
interface FurtherPage {
  readonly name: string
  readonly page: ReadEndpoint
  readonly args: readonly unknown[]
  readonly observer: Observer
}

const sides = ['next', 'previous'] as const
type Side = (typeof sides)[number]

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
  readonly #further: { [Name in Side]?: FurtherPage | undefined } = {}
  /** Called when another page is next or previous: subscriptions follow it. */
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
    if (development) this.#list.isOfPages = true
    const isMissing = (side: Side) => options[side] !== undefined && this.#page(side) === undefined
    if (isMissing('next')) throw errors.pagesMissing(endpoint.name)
    if (isMissing('previous')) throw errors.previousPagesMissing(endpoint.name)
  }

  /** Takes over from the Observer of the previous params. */
  succeed(previous: PagesObserver<Data>): void {
    this.#list.succeed(previous.#list)
  }

  /**
   * Fetches the next page, unless there is none; the list itself, if its last request failed. Joins a request in flight.
   *
   * @returns a promise that is fulfilled when the request ends, even if it failed
   */
  readonly fetchNext = (): Promise<void> => this.#fetch('next')

  /** Fetches the previous page, as `fetchNext` does the next one. */
  readonly fetchPrevious = (): Promise<void> => this.#fetch('previous')

  async #fetch(side: Side): Promise<void> {
    const hasFailed = this.#list.getSnapshot().error !== undefined
    const { page, args } = hasFailed ? { page: this.#endpoint, args: this.#args } : (this.#follow(side) ?? {})
    if (page === undefined) return
    // Of a list in both directions, the first page is not the one that names the others.
    if (side === 'next' && sideOf(page) === undefined)
      callsOf(this.#controller).call(this.#endpoint, this.#args).further = (response, pages) => {
        try {
          return this.#argsBehind(side, page, response as Data, pages)
        } catch {
          // It needs more than a response has, such as a method of a record.
          return undefined
        }
      }
    try {
      await this.#controller.fetch(page, ...(args as never[]))
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
    const [next, previous] = sides.map((side) => this.#follow(side)?.observer.getSnapshot())
    const shown = {
      error: list.error ?? this.#errorOf('next') ?? this.#errorOf('previous'),
      hasNext: next !== undefined,
      isFetchingNext: next?.fetching === true,
      hasPrevious: previous !== undefined,
      isFetchingPrevious: previous?.fetching === true,
    }
    const told = this.#told
    const names = Object.keys(shown) as (keyof typeof shown)[]
    const isSame = told?.list === list && names.every((name) => told.state[name] === shown[name])
    // The error may stand beside data, as in the state of one call.
    if (!isSame) this.#told = { list, state: Object.freeze({ ...list, ...shown }) as PagesState<Data> }
    return this.#told?.state as PagesState<Data>
  }

  subscribe(listener: ReaderListener, select?: (observer: this) => unknown): () => void {
    const tellChange = tellChanges(this, listener, select)
    let ends: readonly (() => void)[] = []
    const unfollow = () => ends.forEach((end) => end())
    const follow = () => {
      unfollow()
      ends = sides.flatMap((side) => this.#further[side]?.observer.subscribe(tell) ?? [])
    }
    const tell: ReaderListener = (isReset) => {
      for (const side of sides) this.#follow(side)
      tellChange(isReset)
    }
    const endList = this.#list.subscribe(tell)
    for (const side of sides) this.#follow(side)
    follow()
    this.#followers.add(follow)
    return () => {
      this.#followers.delete(follow)
      endList()
      unfollow()
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

  /** `true` while a further page is in flight. */
  get isFetchingFurther(): boolean {
    return sides.some((side) => this.#follow(side)?.observer.getSnapshot().fetching === true)
  }

  #page(side: Side): ReadEndpoint | undefined {
    const { getPage, getPreviousPage } = this.#endpoint as FurtherEndpoints
    return side === 'previous' ? getPreviousPage : (this.#options.page ?? getPage)
  }

  /** The error of a further page, until the list itself is fetched again. */
  #errorOf(side: Side): Error | undefined {
    const further = this.#further[side]
    const calls = callsOf(this.#controller)
    const failure = further && calls.call(further.page, further.args).state.failure
    const { sequence } = calls.call(this.#endpoint, this.#args).stamp
    return failure !== undefined && failure.start > sequence ? failure.error : undefined
  }

  /** The call of a further page now; `undefined` when there is none. `next` may be another function than before. */
  #follow(side: Side): FurtherPage | undefined {
    const page = this.#page(side)
    const args = page && this.#argsOf(side, page)
    const name = args && stableStringify(args)
    if (this.#further[side]?.name === name) return this.#further[side]
    this.#further[side] =
      page && args && name !== undefined
        ? { name, page, args, observer: new Observer(this.#controller, page, args) }
        : undefined
    if (development && page && args) this.#checkList(page, args)
    for (const follow of this.#followers) follow()
    return this.#further[side]
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

  /** The arguments of a further page; `undefined` at the end of the list, and without data. */
  #argsOf(side: Side, page: ReadEndpoint): readonly unknown[] | undefined {
    const { data } = this.#list.getSnapshot()
    if (data === undefined) return undefined
    const call = callsOf(this.#controller).call(this.#endpoint, this.#args)
    const { loaded } = call
    // The place of the list's own page.
    const first = Math.max(
      0,
      loaded.findIndex((each) => this.#endpoint.key(...each) === call.key),
    )
    const own = sideOf(page)
    const pages = side === 'next' ? loaded.length - first || 1 : first + 1
    const shown = own ? (own.dataOf(call, callsOf(this.#controller).store) as Data) : data
    const args = this.#argsBehind(side, page, shown, pages)
    const name = args && pageNameOf(args)
    return [this.#args, ...loaded].some((each) => pageNameOf(each) === name) ? undefined : args
  }

  /** The arguments of the page behind some loaded ones; `undefined` at the end of the list. */
  #argsBehind(side: Side, page: ReadEndpoint, data: Data, pages: number): readonly unknown[] | undefined {
    const more = this.#options[side]?.(data, { pages })
    if (!more) return undefined
    const names = sideOf(page)?.names ?? [(this.#endpoint as FurtherEndpoints).paginationField ?? '']
    const isEnd = names.some((field) => field in more && !(field in valuesIn(more)))
    return isEnd ? undefined : [{ ...(this.#args[0] as object | undefined), ...more }]
  }
}

/** The side to which a page of a list in both directions is added. */
function sideOf(page: ReadEndpoint) {
  return (page.schema as Partial<PageSchema> | undefined)?.side
}

/** The endpoints of further pages that an endpoint may have. */
interface FurtherEndpoints {
  readonly getPage?: ReadEndpoint
  readonly getPreviousPage?: ReadEndpoint
  readonly paginationField?: string | undefined
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

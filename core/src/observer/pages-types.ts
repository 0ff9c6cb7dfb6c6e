import type { ArgsOf, DataOf, ReadEndpoint } from '../endpoint/endpoint.js'
import type { FurtherParams } from './pages-observer.js'

/** The params of a list; `null` reads nothing. */
export type PagesParams<E> = ArgsOf<E>[0] | null

/**
 * The options of a list, see `PagesOptions`: `next` returns params of its `getPage`, or of the option `page`; `previous` those of its
 * `getPreviousPage`. A list in both directions may have no `next`, as a chat that starts at its end.
 */
export type PagesOptionsOf<E, Page> = E extends { readonly getPreviousPage: infer Previous }
  ? Partial<NextOf<E, Page>> & {
      /** Returns the params of the previous page from the loaded data, and `undefined` at the beginning: see `PagesOptions`. */
      readonly previous: FurtherParams<DataOf<E>, FirstParamsOf<Previous>>
      readonly page?: Page | undefined
    }
  : NextOf<E, Page> &
      (E extends { readonly getPage: ReadEndpoint }
        ? { readonly page?: Page | undefined }
        : TheEndpointHasNoPaginationField<Page>)

interface NextOf<E, Page> {
  /** Returns the params of the next page from the loaded data, and `undefined` at the end: see `PagesOptions`. */
  readonly next: FurtherParams<DataOf<E>, PageParamsOf<E, Page>>
}

/** Without a `paginationField` of the endpoint, the endpoint of further pages is passed. */
interface TheEndpointHasNoPaginationField<Page> {
  /** The endpoint of further pages: `getList.paginated('page')`. */
  readonly page: Page
}

type PageParamsOf<E, Page> = ReadEndpoint extends Page
  ? E extends { readonly getPage: infer Own }
    ? FirstParamsOf<Own>
    : object
  : FirstParamsOf<Page>

/** A param that is `undefined` or `null` is the same as none. */
type FirstParamsOf<E> = OptionalParams<NonNullable<ArgsOf<E>[0]>>
type OptionalParams<Params> = { readonly [Name in keyof Params]?: Params[Name] | null | undefined }

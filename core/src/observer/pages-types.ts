import type { ArgsOf, DataOf, ReadEndpoint } from '../endpoint/endpoint.js'
import type { PagesOptions } from './pages-observer.js'

/** The params of a list; `null` reads nothing. */
export type PagesParams<E> = ArgsOf<E>[0] | null

/** The options of a list: `next` returns params of its `getPage`, or of the option `page`. */
export type PagesOptionsOf<E, Page> = Omit<PagesOptions<DataOf<E>, PageParamsOf<E, Page>>, 'page'> &
  (E extends { readonly getPage: ReadEndpoint }
    ? { readonly page?: Page | undefined }
    : { readonly page: Page })

type PageParamsOf<E, Page> = ReadEndpoint extends Page
  ? E extends { readonly getPage: infer Own }
    ? FirstParamsOf<Own>
    : object
  : FirstParamsOf<Page>

/** A param that is `undefined` or `null` is the same as none. */
type FirstParamsOf<E> = OptionalParams<NonNullable<ArgsOf<E>[0]>>
type OptionalParams<Params> = { readonly [Name in keyof Params]?: Params[Name] | null | undefined }

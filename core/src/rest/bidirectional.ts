import { development } from '#development'
import * as errors from '../errors.js'
import { DirectedPage } from '../lists/directed-page.js'
import { findList } from '../schema/page-schema.js'
import type { Schema } from '../schema/schema.js'
import type { RestEndpoint } from './rest-endpoint.js'
import type { Extended, PageArgs, PageOf, RestOptions } from './rest-types.js'

/** The params of a list that is loaded in both directions. */
export interface BidirectionalOptions<Previous extends string, Next extends string | undefined> {
  /** The param that names a previous page; or several that belong to it, such as `['cursor', 'direction']`. */
  readonly previous: Previous | readonly Previous[]
  /** The param that names a next page. @default the `paginationField` of the list */
  readonly next?: Next | undefined
  /**
   * The param that says where the list starts, such as `from` or `around`. Lists that start elsewhere are other lists. Pages have it
   * among their params, too, but do not send it.
   *
   * @default none: the server decides where the list starts, for example at its newest records
   */
  readonly start?: string | undefined
}

/** An endpoint of a list that is loaded in both directions. */
export type BidirectionalEndpoint<
  Options extends RestOptions,
  Previous extends string,
  Next extends string | undefined = undefined,
> = RestEndpoint<Next extends string ? Extended<Options, { readonly paginationField: Next }> : Options> & {
  /** Fetches a page that comes before those that are loaded. It is put in front of the list. */
  readonly getPreviousPage: RestEndpoint<PageOf<Options, PageArgs<Options, Previous>>>
}

/**
 * Creates an endpoint of the same list that is loaded in both directions: `getPreviousPage` fetches a page that comes before the
 * loaded ones, as `getPage` does one that comes after them. `useInfinite` with the option `previous` reads it. Extend the list
 * before, not the endpoint that this returns.
 *
 * @param list - an endpoint whose schema has a list, such as `getList` of a resource
 * @throws {SelfsameError} in development `definition-invalid` if the schema has no list
 * @see specification 4.4, Both directions
 * @example
 * const getMessages = bidirectional(messageResource.getList, { previous: 'before', next: 'after', start: 'around' })
 * const messages = await controller.fetch(getMessages, { room: 7 })
 * await controller.fetch(getMessages.getPreviousPage, { room: 7, before: messages[0]?.id })
 */
export function bidirectional<
  Options extends RestOptions,
  const Previous extends string,
  const Next extends string | undefined = undefined,
>(
  list: RestEndpoint<Options>,
  { previous, next, start }: BidirectionalOptions<Previous, Next>,
): BidirectionalEndpoint<Options, Previous, Next> {
  const names: readonly string[] = [previous].flat()
  const nextName = next ?? list.paginationField
  const { paginatedList } = list
  const path = findList(list.schema, typeof paginatedList === 'string' ? [paginatedList] : paginatedList)
  if (development && path === undefined) throw errors.listMissing(list.name, undefined)
  const ends = nextName === undefined ? names : [...names, nextName]
  const isOfPage = (params: object) => ends.some((name) => isGiven(params, name))
  // Only the request differs: the params of a page say to which list it belongs.
  const sent =
    start !== undefined &&
    ({
      searchToString: (params) => list.searchToString(isOfPage(params) ? without(params, [start]) : params),
    } satisfies Partial<RestOptions>)
  const own = (list as unknown as RestEndpoint).extend({
    ...sent,
    paginationField: nextName,
  } as Partial<RestOptions>)
  const pageOf = (params: readonly string[], isFront: boolean) => {
    const callOf = (args: readonly unknown[]) => {
      const ofList = withoutParams(args, params)
      return { key: own.key(...(ofList as never)), args: ofList }
    }
    const side = { names: params, isFront, start }
    const schema = new DirectedPage(own.schema as unknown as Schema, path ?? [], callOf, side)
    return own.extend({ schema, paginationField: undefined } as Partial<RestOptions>)
  }
  const pages = {
    getPreviousPage: pageOf(names, true),
    getPage: nextName === undefined ? undefined : pageOf([nextName], false),
  }
  // An endpoint has its options as members.
  return own.extend(pages as Partial<RestOptions>) as never
}

function withoutParams(
  [params, ...others]: readonly unknown[],
  names: readonly string[],
): readonly unknown[] {
  const left = without(params ?? {}, names)
  return Object.keys(left).length > 0 || others.length > 0 ? [left, ...others] : []
}

function without(params: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
}

function isGiven(params: object, name: string): boolean {
  const value = Object.hasOwn(params, name) ? params[name as keyof typeof params] : undefined
  return value !== '' && (value ?? undefined) !== undefined
}

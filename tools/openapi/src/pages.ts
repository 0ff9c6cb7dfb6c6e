import type { Call } from './read-calls.js'
import type { Shape } from './model.js'

/** Params of lists, by what they do, in the order in which one is chosen. */
const cursors =
  /^(cursor|after|starting_after|startingAfter|page_?token|next_?token|continuation(_?token)?|marker|start_?cursor|after_?cursor|next_?cursor|position)$/i
const pages = /^(page|page_?number|page_?no|page_?index|p)$/i
const offsets = /^(offset|skip|start_?index)$/i
const limits =
  /^(limit|per_?page|page_?size|size|first|count|max_?results|max_?items|take|top|\$top|results_?per_?page)$/i
const orders = /^(sort|order|sort_?by|order_?by|sort_?order|direction|ordering|sort_?dir(ection)?)$/i
const backwards = /^(before|ending_before|endingBefore|last|prev(ious)?_?cursor)$/i
const shapes = /^(expand|include|includes|embed|fields|select|with|populate)(\[\])?$/i

/** Fields of a response that name the next page. */
const nextFields =
  /^(next|next_?cursor|next_?page(_?(token|cursor|url|uri|link))?|next_?token|next_?link|end_?cursor|cursor|continuation(_?token)?|has_?more|has_?next(_?page)?|links|_links|paging|pagination|page_?info|response_metadata|meta)$/i

/** What the params of a list do. */
export interface Paging {
  /** The param that names a page. */
  readonly field: string | undefined
  readonly places: readonly string[]
  readonly limits: readonly string[]
  readonly orders: readonly string[]
  /** Params that change the form of the members only. */
  readonly shapes: readonly string[]
  /** What to tell the reader. */
  readonly comment: string | undefined
}

/**
 * Recognizes how a list comes in pages: by the names of its params, of the fields beside it and of its headers.
 *
 * @param told - the param that the options name; `false` if there are no pages
 */
export function pagingOf(call: Call, shape: Shape, told?: string | false): Paging {
  const names = call.searchParams.map(({ name }) => name)
  const find = (pattern: RegExp) => names.filter((name) => pattern.test(name))
  const [cursor] = find(cursors)
  const [page] = find(pages)
  const [offset] = find(offsets)
  const field = told === false ? undefined : (told ?? cursor ?? page ?? offset)
  const isList = shape.item !== undefined
  const next = shape.fields?.find(({ name }) => name !== shape.field && nextFields.test(name))?.name
  return {
    field: isList ? field : undefined,
    places: [
      ...(typeof told === 'string' ? [told] : []),
      ...find(cursors),
      ...find(pages),
      ...find(offsets),
      ...find(backwards),
    ],
    limits: find(limits),
    orders: find(orders),
    shapes: find(shapes),
    comment:
      isList && told !== false
        ? commentOf({
            cursor: told ?? cursor,
            page,
            offset,
            next,
            hasLink: call.answer.headers.includes('link'),
          })
        : undefined,
  }
}

function commentOf(found: {
  readonly cursor: string | undefined
  readonly page: string | undefined
  readonly offset: string | undefined
  readonly next: string | undefined
  readonly hasLink: boolean
}): string | undefined {
  const { cursor, page, offset, next, hasLink } = found
  const way =
    cursor !== undefined
      ? `by cursor: \`${cursor}\` names one`
      : page !== undefined
        ? `by number: \`${page}\` counts them`
        : offset !== undefined
          ? `by offset: \`${offset}\` says how many members come before`
          : undefined
  const told = [
    ...(hasLink ? ['the header `Link`'] : []),
    ...(next === undefined ? [] : [`\`${next}\` of the response`]),
  ]
  const tells = told.length > 0 ? `${told.join(' or ')} tells whether there is a next one` : undefined
  if (way === undefined) return hasLink ? 'Pages: the header `Link` names the next one.' : undefined
  return `Pages ${[way, tells].filter((part) => part !== undefined).join('; ')}.`
}

import type { CacheableEndpoint, EndpointLike } from '../endpoint/endpoint.js'
import { warn } from '../errors.js'
import type { Call } from '../store/call.js'
import { getOrMake } from '../util/get-or-make.js'

/** How readers read a call: as the list with its pages, or as the page that an argument names. */
const readings = new WeakMap<Call, Set<'list' | 'page'>>()

/**
 * Warns once for each call that is read as a page by one reader, and page by page by another: that page then grows with the list.
 * Development only.
 *
 * @param isList - `true` for a reader that loads further pages
 */
export function noteReading(
  call: Call,
  endpoint: CacheableEndpoint,
  args: readonly unknown[],
  isList: boolean,
): void {
  const { name, paginationField: field = '' } = endpoint as Partial<EndpointLike> & {
    readonly paginationField?: string
  }
  const [params] = args as readonly [Readonly<Record<string, unknown>>?]
  if (!isList && (params?.[field] ?? '') === '') return
  const known = getOrMake(readings, call, () => new Set())
  if (known.size === 2 || known.add(isList ? 'list' : 'page').size < 2) return
  warn(
    `${String(name)} is read with "${field}" by one component, and page by page by useInfinite(): both read one call, so that page shows all that useInfinite() has loaded. Leave "${field}" out of the params of useInfinite(), and let it have no default: \`searchParams: { ${field}: '' }\`. Then the list is another call than its first page.`,
  )
}

import type { RouteLocation } from 'vue-router'

/** The search parameters of an address, as the tracker reads them. */
export function paramsOf({ query }: Pick<RouteLocation, 'query'>): URLSearchParams {
  const entries = Object.entries(query).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return new URLSearchParams(entries)
}

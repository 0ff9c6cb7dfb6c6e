/** What can be sent as a search param. `undefined` and `null` are left out. */
export type SearchValue =
  | string
  | number
  | boolean
  | bigint
  | Date
  | null
  | undefined
  | readonly SearchValue[]
  | { readonly [name: string]: SearchValue }

/**
 * Writes search params, sorted by name so that equal params make one address. An array repeats its name, an
 * object becomes `name[part]`, a date its ISO text.
 *
 * @returns text without the leading `?`; empty when nothing is sent
 * @see specification 4, E5
 * @example toSearchString({ tag: ['a', 'b'], page: 2 }) // 'page=2&tag=a&tag=b'
 */
export function toSearchString(params: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const name of Object.keys(params).sort()) append(search, name, params[name])
  return search.toString()
}

function append(search: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (value instanceof Date) search.append(name, value.toISOString())
  else if (Array.isArray(value)) for (const item of value) append(search, name, item)
  else if (typeof value === 'object') {
    const parts = value as Readonly<Record<string, unknown>>
    for (const part of Object.keys(parts).sort()) append(search, `${name}[${part}]`, parts[part])
  } else search.append(name, String(value))
}

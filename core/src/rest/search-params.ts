import { development } from '#development'
import { kindOf } from '../errors.js'
import { isWellFormed } from '../util/well-formed.js'

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
 * @param refuse - what happens to a param that cannot be sent; it throws
 * @returns text without the leading `?`; empty when nothing is sent
 * @see specification 4, E5
 * @example toSearchString({ tag: ['a', 'b'], page: 2 }) // 'page=2&tag=a&tag=b'
 */
export function toSearchString(
  params: Readonly<Record<string, unknown>>,
  refuse: (param: string, why: string) => never,
): string {
  const search = new URLSearchParams()
  for (const name of Object.keys(params).sort()) append(search, name, params[name], refuse, 0)
  return search.toString()
}

/** Beyond this nesting a param is refused: it may hold itself. */
const deepestNesting = 50

function append(
  search: URLSearchParams,
  name: string,
  value: unknown,
  refuse: (param: string, why: string) => never,
  depth: number,
): void {
  if (value === undefined || value === null) return
  if (depth > deepestNesting) refuse(name.slice(0, 80), development ? 'it nests without end' : '')
  if (typeof value !== 'object') addText(search, name, value, refuse)
  else if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) refuse(name, development ? 'it is an invalid Date' : '')
    search.append(name, value.toISOString())
  } else if (Array.isArray(value)) for (const item of value) append(search, name, item, refuse, depth + 1)
  else {
    const parts = value as Readonly<Record<string, unknown>>
    for (const part of Object.keys(parts).sort()) {
      append(search, `${name}[${part}]`, parts[part], refuse, depth + 1)
    }
  }
}

function addText(
  search: URLSearchParams,
  name: string,
  value: unknown,
  refuse: (param: string, why: string) => never,
): void {
  if (Number.isNaN(value)) refuse(name, development ? 'it is NaN' : '')
  if (typeof value === 'function' || typeof value === 'symbol')
    refuse(name, development ? `it is ${kindOf(value)}` : '')
  const text = String(value)
  if (!isWellFormed(text)) refuse(name, development ? 'it holds half of a character (a lone surrogate)' : '')
  search.append(name, text)
}

import { development } from '#development'
import { addressText } from './address-text.js'

/** A value of a search param. `undefined` and `null` are left out. */
export type SearchValue =
  | string
  | number
  | boolean
  | bigint
  | Date
  | null
  | undefined
  | readonly SearchValue[]
  | ReadonlySet<SearchValue>
  | ReadonlyMap<string, SearchValue>
  | { readonly [name: string]: SearchValue }

/** Deeper values are refused, because they may contain themselves. */
const deepestParams = 50

/** More values are refused: an object that occurs several times is written each time, so a few objects can be any number. */
const mostValues = 100_000

/**
 * Writes search params, sorted by name, so that equal params result in one address. An array repeats its name, an object
 * becomes `name[part]`, a date its ISO text. A `Set` is sent like an array, a `Map` like an object.
 *
 * @param refuse - called for a param that cannot be sent; throws
 * @returns text without the leading `?`; empty if nothing is sent
 * @see specification 4, E5
 * @example toSearchString({ tag: ['a', 'b'], page: 2 }) // 'page=2&tag=a&tag=b'
 */
export function toSearchString(
  params: Readonly<Record<string, unknown>>,
  refuse: (param: string, why: string) => never,
): string {
  const search = new URLSearchParams()
  let count = 0
  const append = (name: string, value: unknown, depth: number): void => {
    if (value === undefined || value === null) return
    if (depth > deepestParams || ++count > mostValues)
      refuse(
        name.slice(0, 80),
        development
          ? `it is cyclic, nests too deep or has more than ${mostValues.toLocaleString('en')} values`
          : '',
      )
    if (typeof value !== 'object')
      search.append(
        name,
        addressText(value, (why) => refuse(name, why)),
      )
    else if (Array.isArray(value) || value instanceof Set)
      for (const item of value) append(name, item, depth + 1)
    else if (value instanceof Date) {
      if (Number.isNaN(value.getTime())) refuse(name, development ? 'it is an invalid Date' : '')
      search.append(name, value.toISOString())
    } else
      appendSorted(
        value instanceof Map ? Object.fromEntries(value) : value,
        (part) => `${name}[${part}]`,
        depth + 1,
      )
  }
  const appendSorted = (fields: object, toName: (field: string) => string, depth: number): void => {
    for (const field of Object.keys(fields).sort())
      append(toName(field), (fields as Readonly<Record<string, unknown>>)[field], depth)
  }
  appendSorted(params, (name) => name, 0)
  return search.toString()
}

import { isPlainObject } from './plain.js'

/** Called for a value that hides its content, so that two of them would give the same text. It throws. */
export type Refusal = (value: unknown) => never

/** Deeper values are refused, because they may contain themselves. */
const deepestNesting = 200

/**
 * Writes a value as text that is equal for equal arguments: properties are sorted, `undefined` properties are left out,
 * numbers and numeric strings are alike (specification S20). An object with `toJSON`, such as a `Date`, is written as its
 * result; an object with entries, such as a `Map` or `URLSearchParams`, as its entries; any other object as its own
 * enumerable fields.
 *
 * @param refuse - called for a value that hides its content: a function, a symbol, an invalid date, an object of a class
 *   without fields (`Blob`, `ArrayBuffer`), an iterator, a value that contains itself. @default they give the same text
 * @example
 * stableStringify({ b: 1, a: '1', c: undefined }) // '{"a":"1","b":"1"}'
 */
export function stableStringify(value: unknown, refuse?: Refusal, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number' || typeof value === 'bigint') return `"${value}"`
  if (value === undefined || value === null || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object') return refuse?.(value) ?? 'undefined'
  if (depth >= deepestNesting) refuse?.(value)
  // By index, and without a closure: each first reader builds a key, before this is compiled.
  let text = ''
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      text += `${index === 0 ? '' : ','}${stableStringify(value[index], refuse, depth + 1)}`
    }
    return `[${text}]`
  }
  const fields = value as Record<string | symbol, unknown>
  if (typeof fields.toJSON === 'function') {
    if (value instanceof Date && Number.isNaN(value.getTime())) refuse?.(value)
    return stableStringify(fields.toJSON(), refuse, depth + 1)
  }
  const entries = fields[Symbol.iterator]
  // Its content is not in its properties. An iterator gives its entries only once.
  if (typeof entries === 'function' && entries.call(value) !== value)
    return stableStringify([...(value as Iterable<unknown>)], refuse, depth + 1)
  const names = Object.keys(fields)
  if (names.length > 1) names.sort()
  if (names.length === 0 && !isPlainObject(value)) refuse?.(value)
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string
    const field = fields[name]
    if (field === undefined) continue
    // Most keys have an id: a number saves a call.
    const part = typeof field === 'number' ? `"${field}"` : stableStringify(field, refuse, depth + 1)
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${part}`
  }
  return `{${text}}`
}

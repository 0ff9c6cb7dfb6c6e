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
  if (value === null) return 'null'
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
    case 'bigint':
      return `"${value}"`
    case 'boolean':
      return String(value)
    case 'object':
      return stringifyObject(value, refuse, depth + 1)
    case 'undefined':
      return 'undefined'
    default:
      return refuse?.(value) ?? 'undefined'
  }
}

function stringifyObject(value: object, refuse: Refusal | undefined, depth: number): string {
  if (depth > deepestNesting) refuse?.(value)
  if (Array.isArray(value)) {
    // Most calls have one argument.
    if (value.length === 1) return `[${stableStringify(value[0], refuse, depth)}]`
    return `[${value.map((item) => stableStringify(item, refuse, depth)).join()}]`
  }
  const fields = value as Record<string, unknown>
  if (typeof fields.toJSON === 'function') {
    if (value instanceof Date && Number.isNaN(value.getTime())) refuse?.(value)
    return stableStringify((value as { toJSON(): unknown }).toJSON(), refuse, depth)
  }
  const isPlain = isPlainObject(value)
  // The content of such a value is not in its properties.
  if (!isPlain && isRepeatable(value)) return stableStringify([...value], refuse, depth)
  const names = Object.keys(fields).sort()
  if (!isPlain && names.length === 0) refuse?.(value)
  let text = ''
  for (const name of names) {
    const field = fields[name]
    if (field === undefined) continue
    // Most keys have an id: a number saves a call for each first reader.
    const part = typeof field === 'number' ? `"${field}"` : stableStringify(field, refuse, depth)
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${part}`
  }
  return `{${text}}`
}

/** Returns `true` if a value gives its entries each time. An iterator gives them once. */
function isRepeatable(value: object): value is Iterable<unknown> {
  const { [Symbol.iterator]: iterator } = value as Partial<Iterable<unknown>>
  return typeof iterator === 'function' && iterator.call(value) !== (value as unknown)
}

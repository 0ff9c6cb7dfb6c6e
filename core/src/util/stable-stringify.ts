import { isPlainObject } from './plain.js'

/** Called for a value that hides its content, so that two of them would give the same text. It throws. */
export type Refusal = (value: unknown) => never

/** Deeper values are refused, because they may contain themselves. */
const deepestArgument = 200

/**
 * Writes a value as text that is equal for equal arguments: properties are sorted, `undefined` properties are left out,
 * numbers and numeric strings are alike (specification S20). An object with `toJSON`, such as a `Date`, is written as its
 * result; an object with entries, such as a `Map` or `URLSearchParams`, as its entries; any other object as its own
 * enumerable fields.
 *
 * In a long text a part that occurs again is written as its number, so that the length is linear in the count of the
 * distinct objects.
 *
 * @param refuse - called for a value that hides its content: a function, a symbol, an invalid date, an object of a class
 *   without fields (`Blob`, `ArrayBuffer`), an iterator, a value that contains itself. @default they give the same text
 * @example
 * stableStringify({ b: 1, a: '1', c: undefined }) // '{"a":"1","b":"1"}'
 */
export function stableStringify(value: unknown, refuse?: Refusal): string {
  try {
    return write(value, refuse, 0, undefined)
  } catch (thrown) {
    if (thrown !== tooLong) throw thrown
    const table: Table = { texts: new Map(), places: new Map() }
    return expand(write(value, refuse, 0, table), [...table.places.keys()], new Set())
  }
}

/** Beyond this length, in characters, a text is written by its parts: an object may occur in it any number of times. */
const longText = 10_000

/** In such a text, the length of a part from which on it is written once. */
const longPart = 64

const tooLong = Symbol()

/** The parts of a long text. Equal parts have one place, whether they are one object or several. */
interface Table {
  /** By object, so that each is read once. */
  readonly texts: Map<object, string>
  /** By text, in which a long part is its place between two null characters. */
  readonly places: Map<string, number>
}

function write(value: unknown, refuse: Refusal | undefined, depth: number, table: Table | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number' || typeof value === 'bigint') return `"${value}"`
  if (value === undefined || value === null || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object') return refuse?.(value) ?? 'undefined'
  if (depth >= deepestArgument) refuse?.(value)
  if (table === undefined) {
    const text = writeObject(value, refuse, depth + 1, table)
    // eslint-disable-next-line typescript/only-throw-error
    if (text.length > longText) throw tooLong
    return text
  }
  let text = table.texts.get(value)
  if (text === undefined) {
    text = writeObject(value, refuse, depth + 1, table)
    if (text.length > longPart) {
      const place = table.places.get(text) ?? table.places.size
      table.places.set(text, place)
      text = `\0${place}\0`
    }
    table.texts.set(value, text)
  }
  return text
}

/** Writes each part where it first occurs, and its number after that: the length stays that of the distinct parts. */
function expand(text: string, parts: readonly string[], written: Set<string>): string {
  // JSON has no null characters.
  // eslint-disable-next-line no-control-regex
  return text.replace(/\0(\d+)\0/g, (_, place: string) => {
    if (written.has(place)) return `#${place}`
    written.add(place)
    return expand(parts[Number(place)] ?? '', parts, written)
  })
}

function writeObject(
  value: object,
  refuse: Refusal | undefined,
  depth: number,
  table: Table | undefined,
): string {
  // By index, and without a closure: each first reader builds a key, before this is compiled.
  let text = ''
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      text += `${index === 0 ? '' : ','}${write(value[index], refuse, depth, table)}`
    }
    return `[${text}]`
  }
  const fields = value as Record<string | symbol, unknown>
  if (typeof fields.toJSON === 'function') {
    if (value instanceof Date && Number.isNaN(value.getTime())) refuse?.(value)
    return write(fields.toJSON(), refuse, depth, table)
  }
  const entries = fields[Symbol.iterator]
  // Its content is not in its properties. An iterator gives its entries only once.
  if (typeof entries === 'function' && entries.call(value) !== value)
    return write([...(value as Iterable<unknown>)], refuse, depth, table)
  const names = Object.keys(fields)
  if (names.length > 1) names.sort()
  if (names.length === 0 && !isPlainObject(value)) refuse?.(value)
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string
    const field = fields[name]
    if (field === undefined) continue
    // Most keys have an id: a number saves a call.
    const part = typeof field === 'number' ? `"${field}"` : write(field, refuse, depth, table)
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${part}`
  }
  return `{${text}}`
}

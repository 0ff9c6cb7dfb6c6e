/** Called for a value whose content cannot be told, so that two of them would look alike. It throws. */
export type Refusal = (value: unknown) => never

/** Beyond this nesting a value is refused: it may hold itself. */
const deepestNesting = 200

/**
 * Writes a value as text that is equal for equal arguments: properties sorted, `undefined` properties left
 * out, numbers and numeric strings alike (specification S20). What has a `toJSON`, as a `Date`, is what that gives; what
 * can be gone through, as a `Map` or `URLSearchParams`, its entries; any other object its own enumerable fields.
 *
 * @param refuse - what happens to a value that hides its content: a function, a symbol, an invalid date, an object of a
 *   class without fields (`Blob`, `ArrayBuffer`), an iterator, a value that holds itself. Without it they look alike
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
      return refuse === undefined ? 'undefined' : refuse(value)
  }
}

function stringifyObject(value: object, refuse: Refusal | undefined, depth: number): string {
  if (refuse !== undefined && depth > deepestNesting) refuse(value)
  if (Array.isArray(value)) {
    // Most calls have one argument.
    if (value.length === 1) return `[${stableStringify(value[0], refuse, depth)}]`
    return `[${value.map((item) => stableStringify(item, refuse, depth)).join()}]`
  }
  const fields = value as Record<string, unknown>
  if (typeof fields.toJSON === 'function') {
    if (refuse !== undefined && value instanceof Date && Number.isNaN(value.getTime())) refuse(value)
    return stableStringify((value as { toJSON(): unknown }).toJSON(), refuse, depth)
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null
  // What such a value holds is not in its properties: two of them must not look alike.
  if (!isPlain && isRepeatable(value)) return stableStringify([...value], refuse, depth)
  const names = Object.keys(fields).sort()
  if (refuse !== undefined && !isPlain && names.length === 0) refuse(value)
  let text = ''
  for (const name of names) {
    if (fields[name] === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${stableStringify(fields[name], refuse, depth)}`
  }
  return `{${text}}`
}

/** Whether a value gives its entries each time that it is asked. An iterator gives them once. */
function isRepeatable(value: object): value is Iterable<unknown> {
  const { [Symbol.iterator]: iterator } = value as Partial<Iterable<unknown>>
  return typeof iterator === 'function' && iterator.call(value) !== (value as unknown)
}

/**
 * Writes a value as text that is equal for equal arguments: properties sorted, `undefined` properties left
 * out, numbers and numeric strings alike (specification S20). A `Date` and its kin are what their `toJSON` gives.
 *
 * @example
 * stableStringify({ b: 1, a: '1', c: undefined }) // '{"a":"1","b":"1"}'
 */
export function stableStringify(value: unknown): string {
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
      return stringifyObject(value)
    default:
      return 'undefined'
  }
}

function stringifyObject(value: object): string {
  if (Array.isArray(value)) {
    // Most calls have one argument.
    return value.length === 1 ? `[${stableStringify(value[0])}]` : `[${value.map(stableStringify).join()}]`
  }
  // What such a value holds is not in its properties: two of them must not look alike.
  if (value instanceof Map || value instanceof Set) return stableStringify([...value])
  const fields = value as Record<string, unknown>
  if (typeof fields.toJSON === 'function') return stableStringify((value as { toJSON(): unknown }).toJSON())
  let text = ''
  for (const name of Object.keys(fields).sort()) {
    if (fields[name] === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${stableStringify(fields[name])}`
  }
  return `{${text}}`
}

/**
 * Writes a value as text that is equal for equal arguments: properties sorted, `undefined` properties left
 * out, numbers and numeric strings alike (specification S20).
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
  if (Array.isArray(value)) return `[${value.map(stableStringify).join()}]`
  if (value instanceof Date) return JSON.stringify(value)
  const fields = value as Record<string, unknown>
  const parts: string[] = []
  for (const name of Object.keys(fields).sort()) {
    if (fields[name] !== undefined) parts.push(`${JSON.stringify(name)}:${stableStringify(fields[name])}`)
  }
  return `{${parts.join()}}`
}

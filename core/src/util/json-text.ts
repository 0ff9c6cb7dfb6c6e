/** Writes data as JSON, in which a Map is an object and a Set a list: `JSON.stringify` makes empty objects of both. */
export function jsonTextOf(data: unknown): string {
  return JSON.stringify(data, withEntries)
}

function withEntries(_name: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value as Map<string, unknown>)
  return value instanceof Set ? [...(value as Set<unknown>)] : value
}

import type { Fields } from '../schema/fields.js'
import { shareStructure } from '../util/plain.js'

/**
 * A record that was received meets the stored one: what was sent replaces, what was not sent stays, and what
 * has the content of the stored value stays that value.
 *
 * @returns `stored` itself when nothing differs
 */
export function mergeFields(stored: Fields, received: Fields): Fields {
  let merged: Record<string, unknown> | undefined
  for (const name in received) {
    const before = stored[name]
    const value = received[name]
    if (before === value || value === undefined) continue
    const shared = typeof value === 'object' ? shareStructure(before, value) : value
    if (Object.is(shared, before) && before !== undefined) continue
    merged ??= { ...stored }
    merged[name] = shared
  }
  return merged ?? stored
}

/**
 * A record that was received too late adds what the stored one lacks and replaces nothing.
 *
 * @returns `stored` itself when it lacks nothing
 */
export function fillFields(stored: Fields, received: Fields): Fields {
  let filled: Record<string, unknown> | undefined
  for (const name in received) {
    if (stored[name] !== undefined || received[name] === undefined) continue
    filled ??= { ...stored }
    filled[name] = received[name]
  }
  return filled ?? stored
}

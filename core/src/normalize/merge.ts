import type { Fields } from '../schema/fields.js'
import { shareStructure } from '../util/plain.js'

/** Takes apart what is nested in a record, on the way. */
export interface FieldVisitor {
  /** @param before - what is stored in the field @returns what stands for the value; the value itself where it is no nested one */
  visitField(name: string, value: unknown, before: unknown): unknown
}

/**
 * A record that was received meets the stored one: what was sent replaces, what was not sent stays, and what
 * has the content of the stored value stays that value.
 *
 * @param visitor - is handed what differs, where `received` is not taken apart yet
 * @returns `stored` itself when nothing differs
 */
export function mergeFields(stored: Fields, received: Fields, visitor?: FieldVisitor): Fields {
  let merged: Record<string, unknown> | undefined
  // The one look at each field of a record that is received again: in this order a field that is the same costs least.
  for (const name in received) {
    const before = stored[name]
    const sent = received[name]
    if (before === sent || sent === undefined) continue
    const value = visitor === undefined ? sent : visitor.visitField(name, sent, before)
    if (before === value || name === '__proto__') continue
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
    // What every object inherits, as `constructor`, is no field.
    if ((Object.hasOwn(stored, name) && stored[name] !== undefined) || received[name] === undefined) continue
    filled ??= { ...stored }
    filled[name] = received[name]
  }
  return filled ?? stored
}

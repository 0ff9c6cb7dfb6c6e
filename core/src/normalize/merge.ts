import type { FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import { shareStructure } from '../util/plain.js'

/** Normalizes the values of a record during the merge. */
export interface FieldVisitor {
  /**
   * Called for a value that differs from the stored one.
   *
   * @param nested - the fields of the record that have a schema
   * @param before - the stored value
   */
  visitField(nested: readonly FieldPlan[], name: string, value: unknown, before: unknown): unknown
}

/**
 * Merges a received record into the stored one: sent fields replace, other fields stay, and a value that is equal to
 * the stored value keeps the identity of the stored value.
 *
 * @param visitor - normalizes the values that differ, if `received` is not normalized yet
 * @returns `stored` itself if nothing differs
 */
export function mergeFields(
  stored: Fields,
  received: Fields,
  visitor?: FieldVisitor,
  nested: readonly FieldPlan[] = [],
): Fields {
  let merged: Record<string, unknown> | undefined
  // The only comparison of each field of a record that is received again: in this order an equal field costs least.
  for (const name in received) {
    const before = stored[name]
    const sent = received[name]
    if (before === sent || sent === undefined) continue
    const value = visitor === undefined ? sent : visitor.visitField(nested, name, sent, before)
    if (before === value || name === '__proto__') continue
    const shared = typeof value === 'object' ? shareStructure(before, value) : value
    if (Object.is(shared, before) && before !== undefined) continue
    merged ??= { ...stored }
    merged[name] = shared
  }
  return merged ?? stored
}

import * as errors from '../errors.js'
import { placeOf } from '../errors.js'
import { stableStringify } from '../util/stable-stringify.js'

/**
 * Writes the arguments of a read as text for its key. Equal arguments give equal text (specification S20).
 *
 * @param call - the endpoint's name, for messages
 * @throws {SelfsameError} `argument-invalid` for an argument whose content is hidden
 */
export function textOfArguments(call: string, args: readonly unknown[]): string {
  return stableStringify(args, (found) => {
    throw errors.argumentUntellable(call, placeOf(placeIn(args, found) ?? []), found)
  })
}

/** Returns the path of a value; `undefined` if it is not found. Searches a few levels only, so that a cycle ends. */
function placeIn(value: unknown, found: unknown, depth = 0): (string | number)[] | undefined {
  if (value === found) return []
  if (typeof value !== 'object' || value === null || depth > 5) return undefined
  for (const [name, part] of Object.entries(value)) {
    const place = placeIn(part, found, depth + 1)
    if (place !== undefined) return [Array.isArray(value) ? Number(name) : name, ...place]
  }
  return undefined
}

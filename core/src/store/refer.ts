import { normalizeInto } from '../normalize/normalize.js'
import { contractOf } from '../schema/contract-of.js'
import type { StoreQueryDelegate } from '../schema/delegates.js'
import type { Schema } from '../schema/schema.js'

/**
 * Converts primary keys to references by a schema. Stores nothing.
 *
 * @param name - the owner of the keys, for error messages
 */
export function refer(
  source: Pick<StoreQueryDelegate, 'reference'>,
  schema: Schema,
  keys: unknown,
  name = 'A lazy relation',
): unknown {
  const sink = {
    reference: source.reference.bind(source),
    fieldsOf: () => [],
    write: () => undefined,
  }
  return normalizeInto(sink, contractOf(schema), keys, { args: [], name, isOwned: false, isPartial: true })
}

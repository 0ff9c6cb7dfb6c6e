import { pack, unpack } from '../storage/pack.js'
import type { Storable } from '../storage/row-storage.js'

/**
 * Writes kept data as a row: as JSON, one text, which a browser stores in a fraction of the time of a structure. What JSON cannot hold is taken
 * apart, as earlier versions did with all rows.
 *
 * @param isJson - `true` if JSON gives the data back as it is
 * @throws {TypeError} naming the place, for data that cannot be taken apart
 */
export async function keptToRow(kept: unknown, isJson: boolean): Promise<Storable> {
  return isJson ? JSON.stringify(kept) : pack(kept)
}

/** Reads a row of this or an earlier version. @throws {Error} for anything else */
export function rowToKept(row: Storable): unknown {
  return typeof row === 'string' ? JSON.parse(row) : unpack(row)
}

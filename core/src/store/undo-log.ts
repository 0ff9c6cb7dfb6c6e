import type { Fields } from '../schema/fields.js'
import type { RecordNode } from './records.js'
import type { Stamp } from './stamp.js'

/**
 * What a transaction found, to be put back on failure. Three entries of one array for each record, because an object
 * for each would double what an unchanged answer leaves to be collected.
 */
export class UndoLog {
  readonly #entries: unknown[] = []

  note(node: RecordNode, fields: Fields | undefined, stamp: Stamp): void {
    this.#entries.push(node, fields, stamp)
  }

  /** The records, the earliest first; one that was written several times may be there several times. */
  each(use: (node: RecordNode, fields: Fields | undefined) => void): void {
    const entries = this.#entries
    for (let index = 0; index < entries.length; index += 3) {
      use(entries[index] as RecordNode, entries[index + 1] as Fields | undefined)
    }
  }

  /** The records, the latest first, each of which is forgotten. */
  takeBack(restore: (node: RecordNode, fields: Fields | undefined, stamp: Stamp) => void): void {
    const entries = this.#entries
    while (entries.length > 0) {
      const [node, fields, stamp] = entries.splice(-3)
      restore(node as RecordNode, fields as Fields | undefined, stamp as Stamp)
    }
  }
}

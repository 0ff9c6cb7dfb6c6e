import type { Fields } from '../schema/fields.js'
import type { RecordNode } from './records.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'

/** The state of records before a transaction, restored on failure. */
export class UndoLog {
  /** Records that the transaction created. */
  readonly made: RecordNode[] = []
  // Parallel arrays avoid one object per record, because even an unchanged response touches every record in it.
  readonly #nodes: RecordNode[] = []
  readonly #fields: (Fields | undefined)[] = []
  /** The earlier stamps, each with the index of the first record that had it: most records share one. */
  readonly #stamps: { readonly stamp: Stamp; readonly from: number }[] = []
  #lastStamp: Stamp | undefined

  /** Saves a record whose fields or stamp are about to change. */
  note(node: RecordNode): void {
    const { stamp } = node
    if (stamp !== this.#lastStamp) this.#stamps.push({ stamp, from: this.#nodes.length })
    this.#lastStamp = stamp
    this.#nodes.push(node)
    this.#fields.push(node.fields)
  }

  /** Visits the saved states, latest first: if a record was saved several times, its last visit has the original state. */
  each(use: (node: RecordNode, stamp: Stamp, fields: Fields | undefined) => void): void {
    let index = this.#nodes.length
    for (const { stamp, from } of [...this.#stamps].reverse())
      while (index > from) {
        index--
        use(this.#nodes[index] as RecordNode, stamp, this.#fields[index])
      }
    for (const node of this.made) use(node, neverWritten, undefined)
  }
}

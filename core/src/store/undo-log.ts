import type { Fields } from '../schema/fields.js'
import type { RecordNode } from './records.js'
import type { Stamp } from './stamp.js'

/**
 * What a transaction found, to be put back on failure. Kept small, because an unchanged answer touches every record in
 * it: records in a call mostly had one stamp, which is noted once, and few get other fields.
 */
export class UndoLog {
  readonly #stamped: RecordNode[] = []
  /** The stamps that the records had, each with the position in `#stamped` of the first that had it. */
  readonly #stamps: { readonly stamp: Stamp; readonly from: number }[] = []
  #lastStamp: Stamp | undefined = undefined
  readonly #replaced: { readonly node: RecordNode; readonly fields: Fields | undefined }[] = []

  /** A record gets another stamp. */
  noteStamp(node: RecordNode, stamp: Stamp): void {
    if (stamp !== this.#lastStamp) {
      this.#stamps.push({ stamp, from: this.#stamped.length })
      this.#lastStamp = stamp
    }
    this.#stamped.push(node)
  }

  /** A record gets other fields. */
  noteFields(node: RecordNode, fields: Fields | undefined): void {
    this.#replaced.push({ node, fields })
  }

  /** The records with the stamps that they had, the latest first. */
  eachStamp(use: (node: RecordNode, stamp: Stamp) => void): void {
    let end = this.#stamped.length
    for (const { stamp, from } of [...this.#stamps].reverse()) {
      for (const node of this.#stamped.slice(from, end).reverse()) use(node, stamp)
      end = from
    }
  }

  /** The records with the fields that they had, the latest first. */
  eachReplaced(use: (node: RecordNode, fields: Fields | undefined) => void): void {
    for (const { node, fields } of [...this.#replaced].reverse()) use(node, fields)
  }
}

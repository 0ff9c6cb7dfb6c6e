import type { ResultNode } from './results.js'

/** Rows, from the one that was used last to the one that was not used for longest: a binary heap. */
export class RecentRows {
  readonly #rows: { readonly row: ResultNode; readonly usedAt: number }[] = []

  add(row: ResultNode): void {
    const added = { row, usedAt: row.usedAt }
    const rows = this.#rows
    let at = rows.length
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = rows[above]
      if (parent === undefined || parent.usedAt >= added.usedAt) break
      rows[at] = parent
      at = above
    }
    rows[at] = added
  }

  /** Takes the row that was used last; `undefined` when none is left. */
  take(): ResultNode | undefined {
    const rows = this.#rows
    const top = rows[0]
    const last = rows.pop()
    if (top === undefined || last === undefined || rows.length === 0) return top?.row
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const below =
        (rows[left + 1]?.usedAt ?? -Infinity) > (rows[left]?.usedAt ?? -Infinity) ? left + 1 : left
      const child = rows[below]
      if (child === undefined || child.usedAt <= last.usedAt) break
      rows[at] = child
      at = below
    }
    rows[at] = last
    return top.row
  }
}

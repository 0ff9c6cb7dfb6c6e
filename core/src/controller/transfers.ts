import type { ResultNode } from '../store/results.js'

/**
 * The mutations under way whose transport says how far it is, each with the row of its call: there readers see that
 * it runs. A mutation is named by where it started.
 */
export class Transfers {
  readonly #rows = new Map<number, ResultNode>()

  begin(start: number, row: ResultNode): void {
    this.#rows.set(start, row)
  }

  /** @returns the row on which the mutation was shown; `undefined` for one that never said how far it is */
  end(start: number): ResultNode | undefined {
    const row = this.#rows.get(start)
    this.#rows.delete(start)
    return row
  }

  has(start: number): boolean {
    return this.#rows.has(start)
  }

  isRunning(row: ResultNode): boolean {
    return this.#latest(row) !== undefined
  }

  /** The row that shows a mutation: of several at once a row shows the one that started last. */
  shownBy(start: number): ResultNode | undefined {
    const row = this.#rows.get(start)
    return row !== undefined && this.#latest(row) === start ? row : undefined
  }

  #latest(row: ResultNode): number | undefined {
    const starts = [...this.#rows].flatMap(([start, shown]) => (shown === row ? start : []))
    return starts.length === 0 ? undefined : Math.max(...starts)
  }
}

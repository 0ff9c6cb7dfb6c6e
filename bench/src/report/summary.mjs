import { median } from '../statistics.mjs'

/**
 * @typedef {import('../catalogue.mjs').Row} Row
 *
 * One figure after all rounds.
 * @typedef {object} Cell
 * @property {number} [value] - the median of the rounds
 * @property {number} [lowest]
 * @property {number} [highest]
 * @property {string} [missing] - the reason if there is no value
 * @property {string} [note]
 */

/** The combined rounds of a run. */
export class Summary {
  /** @type {Map<string, Row[]>} */
  #rows = new Map()

  /** @param {readonly Row[]} rows */
  constructor(rows) {
    for (const row of rows) {
      const key = keyOf(row)
      const rounds = this.#rows.get(key)
      if (rounds === undefined) this.#rows.set(key, [row])
      else rounds.push(row)
    }
  }

  /** @param {string} scenario @param {string} metric @param {string} library @param {number} size @returns {Cell | undefined} */
  cell(scenario, metric, library, size) {
    const rounds = this.#rows.get(keyOf({ scenario, metric, library, size }))
    if (rounds === undefined) return undefined
    const values = rounds.flatMap(({ value }) => (value === undefined ? [] : [value]))
    const { note } = rounds.find((row) => row.note !== undefined) ?? {}
    const { missing } = rounds.find((row) => row.missing !== undefined) ?? {}
    if (values.length === 0) return { missing: missing ?? 'Not measured.', note }
    return { value: median(values), lowest: Math.min(...values), highest: Math.max(...values), note }
  }

  /** @param {string} scenario @param {string} metric @param {string} library @param {number} size @returns {number | undefined} */
  value(scenario, metric, library, size) {
    return this.cell(scenario, metric, library, size)?.value
  }

  /** True if a scenario has rows of a library. @param {string} scenario @param {string} library @returns {boolean} */
  hasLibrary(scenario, library) {
    return [...this.#rows.values()].flat().some((row) => row.scenario === scenario && row.library === library)
  }

  /** The sizes at which a scenario was measured, ascending. @param {string} scenario @returns {number[]} */
  sizesOf(scenario) {
    const rows = [...this.#rows.values()].flat().filter((row) => row.scenario === scenario)
    return [...new Set(rows.map(({ size }) => size))].sort((a, b) => a - b)
  }
}

function keyOf({ scenario, metric, library, size }) {
  return `${scenario} ${metric} ${library} ${size}`
}

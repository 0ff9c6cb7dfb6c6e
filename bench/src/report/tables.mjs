import { libraries as storeLibraries } from '../libraries.mjs'
import { formatRatio, formatSize, formatValue } from './format.mjs'
import { Summary } from './summary.mjs'

/**
 * The content of a report, for all formats.
 *
 * @typedef {import('../catalogue.mjs').Scenario} Scenario
 * @typedef {import('../catalogue.mjs').Metric} Metric
 *
 * @typedef {object} Machine
 * @property {string} cpu
 * @property {number} cores
 * @property {number} memoryGb
 * @property {string} system
 * @property {string} node
 *
 * @typedef {object} Run what the JSON file holds
 * @property {string} startedAt - ISO
 * @property {number} seconds
 * @property {Machine} machine
 * @property {string} commit
 * @property {string} [remark] - a remark on this run, for readers
 * @property {Record<string, string>} versions - by package
 * @property {{ isQuick: boolean, rounds: number, sizes: number[], libraries: string[], load: number }} plan - load: of the
 *   machine over the minute before it began
 * @property {import('../catalogue.mjs').Row[]} rows
 *
 * @typedef {object} TableCell
 * @property {string} text
 * @property {string} [ratio] - to Selfsame
 * @property {'faster' | 'failed' | 'missing'} [mark] - faster: than Selfsame
 * @property {string} [title] - more of it
 *
 * @typedef {object} Table
 * @property {Metric} metric
 * @property {string[]} columns - sizes
 * @property {{ id: string, name: string, cells: TableCell[] }[]} rows - by library
 *
 * @typedef {object} Block
 * @property {Scenario} scenario
 * @property {Table[]} tables
 * @property {string[]} notes - of all its tables; cells refer to them by number, from 1
 * @property {TargetLine[]} targets
 *
 * @typedef {{ title: string, limit: string, figures: { size: string, text: string, isMet: boolean }[] }} TargetLine
 */

/** The library that all others are compared with. */
const ours = 'selfsame'
/** A difference smaller than this is noise. */
const clearly = 0.95

/** @param {Run} run @param {import('../section.mjs').Section} section @returns {Block[]} */
export function blocksOf(run, section) {
  const summary = new Summary(run.rows)
  return section.scenarios.flatMap((scenario) => {
    const sizes = summary.sizesOf(scenario.id)
    if (sizes.length === 0) return []
    const comparable = section.libraries ?? storeLibraries.filter(({ id }) => run.plan.libraries.includes(id))
    const libraries = comparable.filter(({ id }) => summary.hasLibrary(scenario.id, id))
    const notes = []
    const tables = scenario.metrics.map((metric) =>
      tableOf(summary, scenario, metric, { sizes, libraries, notes }),
    )
    return [{ scenario, tables, notes, targets: targetsOf(summary, scenario, sizes) }]
  })
}

/** @returns {Table} */
function tableOf(summary, scenario, metric, { sizes, libraries, notes }) {
  const isFirst = metric === scenario.metrics[0]
  const rows = libraries.map(({ id, name }) => ({
    id,
    name,
    cells: sizes.map((size) => {
      const cell = summary.cell(scenario.id, metric.id, id, size)
      if (cell === undefined) return { text: '' }
      // The note of the first figure applies to the others too.
      const note = cell.missing ?? (isFirst ? cell.note : undefined)
      const mark = note === undefined ? '' : ` [${numberOf(note, notes)}]`
      if (cell.value === undefined) return { text: `n/a${mark}`, mark: 'missing', title: note }
      const reference = summary.value(scenario.id, metric.id, ours, size)
      const spread = `${formatValue(cell.lowest, metric.unit)} to ${formatValue(cell.highest, metric.unit)}`
      const text = formatValue(cell.value, metric.unit) + mark
      if (metric.isFact || id === ours || !reference) return { text, title: spread }
      const ratio = cell.value / reference
      const isFaster = ratio < clearly && metric.isReference !== true
      return { text, ratio: formatRatio(ratio), title: spread, ...(isFaster ? { mark: 'faster' } : {}) }
    }),
  }))
  return { metric, columns: sizes.map(formatSize), rows }
}

/** @param {string} note @param {string[]} notes */
function numberOf(note, notes) {
  if (!notes.includes(note)) notes.push(note)
  return notes.indexOf(note) + 1
}

/** @returns {TargetLine[]} */
function targetsOf(summary, scenario, sizes) {
  return (scenario.targets ?? []).flatMap(({ title, limit, unit, figure, appliesTo, isExact }) => {
    const figures = sizes
      .filter((size) => appliesTo?.(size) ?? true)
      .flatMap((size) => {
        const value = figure((id, metric, library = ours) => summary.value(id, metric, library, size))
        if (value === undefined) return []
        const isMet = isExact ? value === limit : value <= limit
        return [{ size: formatSize(size), text: formatValue(value, unit), isMet }]
      })
    if (figures.length === 0) return []
    return [{ title, limit: `${isExact ? '' : 'at most '}${formatValue(limit, unit)}`, figures }]
  })
}

/** Explains how to read the comparisons in which others are ahead. @param {Run} run @returns {string} a sentence; empty if there are none */
export function aboutAnswers(run) {
  const names = storeLibraries
    .filter(({ id, keeps }) => keeps === 'answers' && run.plan.libraries.includes(id))
    .map(({ name }) => name)
  if (names.length === 0) return ''
  return `Of those compared, ${names.join(', ')} keep each answer as it came, rather than each record once: to store an answer costs them little, and the same record in two answers is two objects, which an application keeps alike by hand.`
}

/**
 * The comparisons in which others are better than Selfsame, as sentences.
 *
 * @param {Run} run
 * @param {import('../section.mjs').Section} section
 * @param {Block[]} blocks - of that section
 * @returns {string[]}
 */
export function whereOthersWin(run, section, blocks) {
  return section.whoIsAhead?.(run.rows) ?? clearlyBetter(blocks)
}

/** @param {Block[]} blocks */
function clearlyBetter(blocks) {
  return blocks.flatMap(({ scenario, tables }) =>
    tables.flatMap(({ metric, columns, rows }) => {
      const winners = rows.flatMap(({ id, name, cells }) => {
        // Other uses of Selfsame and hand-written pages are not other libraries.
        if (id.startsWith('floor') || id.startsWith(ours)) return []
        const at = cells.flatMap(({ mark, ratio }, index) =>
          mark === 'faster' ? [columns[index] === '' ? ratio : `${ratio} at ${columns[index]}`] : [],
        )
        return at.length === 0 ? [] : [`${name} (${at.join(', ')})`]
      })
      if (winners.length === 0) return []
      return [`${scenario.id}, ${scenario.title.toLowerCase()}, ${metric.title}: ${winners.join('; ')}.`]
    }),
  )
}

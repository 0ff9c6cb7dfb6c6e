import { median } from '../src/statistics.mjs'
import { pages } from './pages.mjs'

/**
 * @param {readonly import('./measure.mjs').Figures[]} rows
 * @param {readonly { framework: string, library: string, missing: string }[]} missing
 * @returns {string} a table for each framework, in Markdown
 */
export function toTables(rows, missing) {
  const frameworks = [...new Set(rows.map(({ framework }) => framework))]
  const tables = frameworks.map((framework) =>
    toTable(
      framework,
      rows.filter((row) => row.framework === framework),
    ),
  )
  const notes = missing.map((page) => `Left out: ${page.framework} ${page.library} (${page.missing}).`)
  return [...tables, ...notes].join('\n\n')
}

function toTable(framework, rows) {
  const libraries = [...new Set(rows.map(({ library }) => library))].sort((a, b) => placeOf(a) - placeOf(b))
  const steps = [...new Set(rows.map(({ step }) => step))]
  const lines = steps.map((step) => {
    return `| ${[step, ...libraries.map((library) => toCell(rows, step, library))].join(' | ')} |`
  })
  return [
    `### ${framework}\n`,
    `| ms to the DOM (x hand-written), rows + views rendered | ${libraries.map(nameOf).join(' | ')} |`,
    `| --- |${libraries.map(() => ' ---: |').join('')}`,
    ...lines,
  ].join('\n')
}

function toCell(rows, step, library) {
  const own = rows.filter((row) => row.step === step && row.library === library)
  const middle = (metric) => median(own.map((row) => row[metric]))
  const renders = `${middle('rows')} + ${middle('views')}`
  if (step.startsWith('unrelated')) return renders
  const ratio = ratioToFloor(rows, step, library)
  const time = middle('committed').toFixed(2)
  return ratio === undefined ? `${time}, ${renders}` : `${time} (${ratio.toFixed(2)}), ${renders}`
}

/**
 * @returns {number | undefined} the median of the rounds' ratios: a slow round slows both pages down
 */
function ratioToFloor(rows, step, library) {
  const floors = new Map(
    rows
      .filter((row) => row.step === step && row.library === 'floor')
      .map((row) => [row.round, row.committed]),
  )
  const ratios = rows
    .filter((row) => row.step === step && row.library === library && floors.has(row.round))
    .map((row) => row.committed / floors.get(row.round))
  return ratios.length === 0 ? undefined : median(ratios)
}

const placeOf = (library) => pages.findIndex((page) => page.library === library)
const nameOf = (library) => pages.find((page) => page.library === library)?.name ?? library

// The five bar charts of docs/benchmarks.md, drawn from bench/tables.md: node bench/src/report/charts.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/**
 * A chart: a column of a table of a scenario.
 *
 * @typedef {{ name: string, title: string, scenario: string, table: string, column: string, rows?: Readonly<Record<string, string>> }} Chart
 */

/** @type {readonly Chart[]} */
export const charts = [
  {
    name: 'bench-first-response',
    title: 'From the text of 1,000 records to the list in hand',
    scenario: 'C',
    table: 'parse, store and read',
    column: '1,000',
  },
  {
    name: 'bench-memory',
    title: 'Memory for each of 1,000 records',
    scenario: 'H',
    table: 'after ingest, read, poll and read',
    column: '1,000',
  },
  {
    name: 'bench-size',
    title: 'A typical React application, compressed, without React',
    scenario: 'J',
    table: 'compressed',
    column: '',
    rows: {
      'react: the typical application': 'Selfsame',
      'TanStack Query, React': 'TanStack Query',
      'Apollo Client, React': 'Apollo Client',
      'urql, React': 'urql',
      'urql with graphcache, React': 'urql with graphcache',
      'SWR, React': 'SWR',
      'RTK Query, React': 'RTK Query',
    },
  },
  {
    name: 'bench-first-mount',
    title: 'React: from the response to 1,000 rows in the DOM',
    scenario: 'I react',
    table: 'first mount',
    column: '1,000',
  },
  {
    name: 'bench-one-change',
    title: 'The response to one edit, among 10,000 records',
    scenario: 'E',
    table: 'parse, store and read',
    column: '10,000',
  },
]

const leftOut = new Set(['hand-written, list', 'Selfsame, rows read'])
const units = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, B: 1, kB: 1000 }

const cells = (/** @type {string} */ line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replace(/\*\*/g, '').trim())

/** The bars of a chart, in the order of the table. @param {Chart} chart @param {string} tables @returns {{ name: string, label: string, value: number, ratio: string | undefined }[]} */
export function barsOf({ scenario, table, column, rows }, tables) {
  const section = tables.split(/^### /m).find((part) => part.startsWith(`${scenario}: `)) ?? ''
  const lines = section.split('\n')
  const start = lines.findIndex((line) => cells(line)[0] === table)
  const at = cells(lines[start] ?? '').indexOf(column, 1)
  if (start < 0 || at < 0)
    throw new Error(`bench/tables.md has no column "${column}" of "${table}" in ${scenario}.`)
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines.slice(start + 2, end).flatMap((line) => {
    const row = cells(line)
    const name = rows === undefined ? (row[0] ?? '') : (rows[row[0] ?? ''] ?? '')
    const [, number, unit] = /^([\d.,]+) (ns|us|ms|s|B|kB)\b/.exec(row[at] ?? '') ?? []
    if (name === '' || leftOut.has(name) || number === undefined) return []
    const value = Number(number.replaceAll(',', '')) * units[/** @type {keyof typeof units} */ (unit)]
    const [, ratio] = /\(([\d.,]+)x\)/.exec(row[at] ?? '') ?? []
    return [{ name, label: `${number} ${unit}`.replace('us', 'µs'), value, ratio }]
  })
}

const left = 220
const longest = 400
const step = 30
/** A bar that is longer than this many times ours is cut. */
const most = 5

/** @param {Chart} chart @param {string} tables @returns {string} SVG */
export function drawChart(chart, tables) {
  const bars = barsOf(chart, tables).toSorted((a, b) => a.value - b.value)
  const ours = bars.find(({ name }) => name === 'Selfsame')?.value ?? 0
  const scale = longest / Math.min(Math.max(...bars.map(({ value }) => value)), ours * most)
  const height = 50 + bars.length * step
  const drawn = bars.map(({ name, label, value, ratio }, index) => {
    const y = 44 + index * step
    const width = Math.min(value * scale, longest)
    const isCut = value * scale > longest + 1
    const kind = name === 'Selfsame' ? 'd-ours' : 'd-bar'
    const end = isCut
      ? `<path class="d-cut" d="M ${left + longest - 22} ${y + 22} l 8 -24 h 6 l -8 24 z" />`
      : ''
    return `  <text class="d-text" x="${left - 12}" y="${y + 15}" text-anchor="end"${name === 'Selfsame' ? ' font-weight="600"' : ''}>${name}</text>
  <rect class="${kind}" x="${left}" y="${y}" width="${width.toFixed(1)}" height="20" rx="3" />${end}
  <text class="d-note" x="${(left + width + 10).toFixed(1)}" y="${y + 15}">${label}${isCut && ratio !== undefined ? `, ${ratio}×` : ''}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${height}" font-family="Inter, system-ui, sans-serif" font-size="14">
  <style>
    text { font: 14px Inter, system-ui, sans-serif; }
    .d-text { fill: #1f2328; }
    .d-note { fill: #4d4d55; font-size: 13px; }
    .d-bar { fill: #a5a9b3; }
    .d-ours { fill: #4a3fe0; }
    .d-cut { fill: #ffffff; }
    @media (prefers-color-scheme: dark) {
      .d-text { fill: #f0f6fc; }
      .d-note { fill: #b4b4bd; }
      .d-bar { fill: #6b6f7a; }
      .d-ours { fill: #a9a6ff; }
      .d-cut { fill: #0c0c10; }
    }
  </style>
  <text class="d-text" x="20" y="22" font-weight="600">${chart.title}</text>
${drawn.join('\n')}
</svg>
`
}

const pathOf = (/** @type {Chart} */ { name }) => join(root, `docs/drawings/${name}.svg`)
const readTables = () => readFileSync(join(root, 'bench/tables.md'), 'utf8')

/** What the files have, and what they should have. @returns {{ name: string, written: string, drawn: string }[]} */
export function compareCharts() {
  const tables = readTables()
  return charts.map((chart) => ({
    name: chart.name,
    written: readFileSync(pathOf(chart), 'utf8'),
    drawn: drawChart(chart, tables),
  }))
}

export function writeCharts() {
  const tables = readTables()
  for (const chart of charts) writeFileSync(pathOf(chart), drawChart(chart, tables))
}

if (process.argv[1] === import.meta.filename) writeCharts()

import { readFile, writeFile } from 'node:fs/promises'
import { features, type FeatureFile } from './lines.js'
import type { Measured } from './measure.js'

const readme = new URL('../../README.md', import.meta.url)
const start = '<!-- measured: compare -->'
const end = '<!-- /measured: compare -->'

type Lines = ReadonlyMap<FeatureFile, number>

/** What was counted, as tables of the README. */
export function toTables(measured: Measured, tanstack: Lines, selfsame: Lines): string {
  return `${workTable(measured)}\n\n${linesTable(tanstack, selfsame)}`
}

function workTable(measured: Measured): string {
  const rows: [string, ...number[]][] = []
  for (const [title, works] of measured) {
    const [tanstack, selfsame] = [works.get('TanStack Query'), works.get('Selfsame')]
    if (tanstack === undefined || selfsame === undefined) throw new Error(`"${title}" was not measured.`)
    rows.push([title, tanstack.requests, selfsame.requests, tanstack.renders, selfsame.renders])
  }
  return table(
    ['', 'requests, TanStack Query', 'requests, Selfsame', 'renders, TanStack Query', 'renders, Selfsame'],
    [...rows, ['all', ...sums(rows)]],
  )
}

function linesTable(tanstack: Lines, selfsame: Lines): string {
  const rows = (Object.keys(features) as FeatureFile[]).map((file): [string, ...number[]] => [
    features[file],
    tanstack.get(file) ?? 0,
    selfsame.get(file) ?? 0,
  ])
  return table(['lines of data code', 'TanStack Query', 'Selfsame'], [...rows, ['all', ...sums(rows)]])
}

function sums(rows: readonly [string, ...number[]][]): number[] {
  const [, ...columns] = rows[0] ?? ['']
  return columns.map((_, index) => rows.reduce((sum, row) => sum + Number(row[index + 1]), 0))
}

/** As prettier writes it: the first column is text, the others are numbers. */
function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [header, ...rows].map((row) => row.map(String))
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [head = [], ...body] = cells
  return [line(head), `| ${rule.join(' | ')} |`, ...body.map(line)].join('\n')
}

/** The tables that are in the README. */
export async function readTables(): Promise<string> {
  const { tables } = split(await readFile(readme, 'utf8'))
  return tables
}

export async function writeTables(tables: string): Promise<void> {
  const { before, after } = split(await readFile(readme, 'utf8'))
  await writeFile(readme, `${before}${start}\n\n${tables}\n\n${end}${after}`)
}

function split(text: string): { before: string; tables: string; after: string } {
  const [before = '', rest = ''] = text.split(start)
  const [tables, after] = rest.split(end)
  if (tables === undefined || after === undefined)
    throw new Error(`demo-apps/README.md has no ${start} … ${end}.`)
  return { before, tables: tables.trim(), after }
}

import { readFile, writeFile } from 'node:fs/promises'
import { applicationFolders, linesOfApplication, type ApplicationLines } from './application-lines.js'
import { features, type FeatureFile } from './lines.js'
import type { Measured } from './measure.js'

const readme = new URL('../../README.md', import.meta.url)

/** The place of a table in the README: between `<!-- measured: compare -->` and `<!-- /measured: compare -->`. */
export type Place = 'compare' | 'applications'

type Lines = ReadonlyMap<FeatureFile, number>

/** The counts, as tables for the README. */
export function toTables(measured: Measured, tanstack: Lines, selfsame: Lines): string {
  return `${workTable(measured)}\n\n${linesTable(tanstack, selfsame)}`
}

function workTable(measured: Measured): string {
  const rows: [string, ...number[]][] = []
  for (const [title, works] of measured) {
    const [tanstack, selfsame] = [works.get('tanstack'), works.get('selfsame')]
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

/** The lines of the applications by feature, as a table for the README. */
export async function applicationTable(): Promise<string> {
  const folders = applicationFolders()
  const counted = await Promise.all(folders.map(linesOfApplication))
  const rows = [...(counted[0]?.keys() ?? [])].map((feature) => toRow(feature, counted))
  const names = folders.map((folder) => folder.charAt(0).toUpperCase() + folder.slice(1))
  return table(['lines of data code', ...names], [...rows, ['all', ...sums(rows)]])
}

function toRow(feature: string, counted: readonly ApplicationLines[]): [string, ...number[]] {
  return [feature, ...counted.map((lines) => lines.get(feature) ?? 0)]
}

function sums(rows: readonly [string, ...number[]][]): number[] {
  const [, ...columns] = rows[0] ?? ['']
  return columns.map((_, index) => rows.reduce((sum, row) => sum + Number(row[index + 1]), 0))
}

/** A table in prettier's format: the first column is text, the others are numbers. */
function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [header, ...rows].map((row) => row.map(String))
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [head = [], ...body] = cells
  return [line(head), `| ${rule.join(' | ')} |`, ...body.map(line)].join('\n')
}

/** Reads the current table at a place of the README. */
export async function readTables(place: Place): Promise<string> {
  const { tables } = split(await readFile(readme, 'utf8'), place)
  return tables
}

export async function writeTables(place: Place, tables: string): Promise<void> {
  const { before, after } = split(await readFile(readme, 'utf8'), place)
  await writeFile(readme, `${before}\n\n${tables}\n\n${after}`)
}

function split(text: string, place: Place): { before: string; tables: string; after: string } {
  const [start, end] = [`<!-- measured: ${place} -->`, `<!-- /measured: ${place} -->`]
  const [before = '', rest = ''] = text.split(start)
  const [tables, after] = rest.split(end)
  if (tables === undefined || after === undefined) {
    throw new Error(`demo-apps/README.md has no ${start} … ${end}.`)
  }
  return { before: before + start, tables: tables.trim(), after: end + after }
}

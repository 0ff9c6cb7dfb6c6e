import { readFile, writeFile } from 'node:fs/promises'
import { measureBundle } from './bundle.mjs'
import { pieces } from './pieces.mjs'

const file = new URL('budgets.json', import.meta.url)

/**
 * The maximum sizes of pieces. Change a budget only for a reason: `node bench/size/run.mjs --record` records the current sizes.
 *
 * @typedef {object} Budgets
 * @property {Record<string, number>} brotli - the maximum number of bytes, by piece: of the bundler that makes most
 * @property {Record<string, number>} sources - minified bytes of each source file, from the piece that contains most
 * of it, at the time of the budgets: so that a report can say which files have grown
 */

/** The share by which a piece may exceed its recorded size. */
const slack = 0.01

/** @returns {Promise<Budgets>} */
export async function readBudgets() {
  return JSON.parse(await readFile(file, 'utf8'))
}

/** @returns {Promise<Map<string, import('./bundle.mjs').Size>>} by piece */
export async function measurePieces() {
  const sizes = new Map()
  for (const piece of pieces) sizes.set(piece.name, await measureBundle(piece))
  return sizes
}

/** Records the current sizes as budgets, with some slack. @param {Map<string, import('./bundle.mjs').Size>} sizes */
export async function recordBudgets(sizes) {
  const brotli = Object.fromEntries([...sizes].map(([name, size]) => [name, withSlack(size.brotli)]))
  /** @type {Budgets} */
  const budgets = { brotli, sources: Object.fromEntries(largestBySource(sizes.values())) }
  await writeFile(file, `${JSON.stringify(budgets, undefined, 2)}\n`)
}

/**
 * Finds the pieces above their budget, by how much, and which sources have grown.
 *
 * @param {Map<string, import('./bundle.mjs').Size>} sizes
 * @param {Budgets} budgets
 * @returns {string[]} a text for each; empty if there are none
 */
export function findExcess(sizes, budgets) {
  const excess = []
  for (const [name, size] of sizes) {
    const budget = budgets.brotli[name]
    if (budget === undefined) excess.push(`"${name}" has no budget.\n  ${remedy}`)
    else if (size.brotli > budget) excess.push(describe(name, size, budget, budgets.sources))
  }
  for (const name of Object.keys(budgets.brotli)) {
    if (!sizes.has(name)) excess.push(`"${name}" has a budget, and is measured no more.\n  ${remedy}`)
  }
  return excess
}

const withSlack = (bytes) => Math.ceil((bytes * (1 + slack)) / 10) * 10

const remedy =
  'If it has to be so, record new budgets with `node bench/size/run.mjs --record`, and say why in the commit.'

function describe(name, size, budget, recorded) {
  const grown = [...size.sources]
    .map(([source, length]) => ({ source, growth: length - (recorded[source] ?? 0) }))
    .filter(({ growth }) => growth > 0)
    .sort((a, b) => b.growth - a.growth)
    .slice(0, 5)
    .map(({ source, growth }) => `${source} by ${growth}`)
  const what =
    grown.length === 0
      ? 'No source grew; more of them is used.'
      : `Grown, in minified bytes: ${grown.join(', ')}.`
  const bundlers = Object.entries(size.byBundler).map(([bundler, bytes]) => `${bundler} ${bytes}`)
  return `"${name}" is ${size.brotli} bytes, compressed with brotli: ${size.brotli - budget} over its budget of ${budget}.
  By bundler: ${bundlers.join(', ')}.
  ${what}
  ${remedy}`
}

/** @param {Iterable<import('./bundle.mjs').Size>} sizes */
function largestBySource(sizes) {
  const largest = new Map()
  for (const { sources } of sizes) {
    for (const [source, length] of sources) largest.set(source, Math.max(length, largest.get(source) ?? 0))
  }
  return [...largest].sort(([a], [b]) => (a < b ? -1 : 1))
}

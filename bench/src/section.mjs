import { existsSync } from 'node:fs'

/**
 * A part of the benchmark with a method of its own: the store in child processes, rendering in a browser, sizes by a
 * bundler. A section is the default export of one file; `sections` lists the files.
 *
 * @typedef {object} Section
 * @property {string} id - the name for `--sections`
 * @property {string} title
 * @property {string} text - how it measures, for readers of the results
 * @property {import('./catalogue.mjs').Scenario[]} scenarios - each has a table; their ids are unique in all sections
 * @property {readonly import('./libraries.mjs').Library[]} [libraries] - the compared libraries. @default those of libraries.mjs
 * @property {boolean} [namesLibraries] - true if the page says how each of `libraries` is used. @default false
 * @property {(rows: readonly import('./catalogue.mjs').Row[]) => string[]} [whoIsAhead] - where others are better than Selfsame,
 *   as sentences. @default what its tables say
 * @property {(plan: Plan, say: (text: string) => void) => AsyncIterable<import('./catalogue.mjs').Row>} run -
 * measures, and yields each result immediately; `say` shows the current step
 *
 * @typedef {object} Plan
 * @property {readonly string[]} libraries - the ids of the libraries to measure
 * @property {readonly number[]} sizes
 * @property {number} rounds - each round has another order of the libraries
 * @property {boolean} isQuick
 * @property {number} slowMs - one scenario of one library at one size that takes longer is measured in one round only
 * @property {number} limitMs - one scenario of one library at one size that takes longer is aborted
 * @property {readonly string[] | undefined} scenarios - the ids of the scenarios to run; `undefined`: all
 */

const files = [
  './store-section.mjs',
  './cold-section.mjs',
  './garbage-section.mjs',
  './maintained-section.mjs',
  '../browser/section.mjs',
  '../offline/section.mjs',
  '../size/section.mjs',
]

/** @returns {Promise<Section[]>} */
export async function loadSections() {
  const there = files.map((file) => new URL(file, import.meta.url)).filter((url) => existsSync(url))
  const modules = await Promise.all(there.map((url) => import(url.href)))
  return modules.map((module) => module.default)
}

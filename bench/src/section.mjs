import { existsSync } from 'node:fs'

/**
 * A part of the benchmark that measures in a way of its own: the store in child processes, rendering in a browser, sizes by
 * a bundler. A section is the default export of one file; `sections` lists the files.
 *
 * @typedef {object} Section
 * @property {string} id - as `--sections` names it
 * @property {string} title
 * @property {string} text - how it measures, for a reader of the results
 * @property {import('./catalogue.mjs').Scenario[]} scenarios - a table each; their ids are unique in all sections
 * @property {readonly import('./libraries.mjs').Library[]} [libraries] - what it compares. @default those of libraries.mjs
 * @property {(rows: readonly import('./catalogue.mjs').Row[]) => string[]} [whoIsAhead] - where others are better than Selfsame,
 *   as sentences. @default what its tables say
 * @property {(plan: Plan, say: (text: string) => void) => AsyncIterable<import('./catalogue.mjs').Row>} run - measures, and
 *   tells at once what it found; `say` shows what it is about to do
 *
 * @typedef {object} Plan
 * @property {readonly string[]} libraries - the ids of those that take part
 * @property {readonly number[]} sizes
 * @property {number} rounds - the order of the libraries changes from one to the next
 * @property {boolean} isQuick
 * @property {number} slowMs - what takes longer, one scenario of one library at one size, is measured in one round
 * @property {number} limitMs - how long one scenario of one library may take at one size before it is given up
 * @property {readonly string[] | undefined} scenarios - the ids of those that are asked for; `undefined`: all
 */

const files = ['./store-section.mjs', './cold-section.mjs', '../browser/section.mjs', '../size/section.mjs']

/** @returns {Promise<Section[]>} */
export async function loadSections() {
  const there = files.map((file) => new URL(file, import.meta.url)).filter((url) => existsSync(url))
  const modules = await Promise.all(there.map((url) => import(url.href)))
  return modules.map((module) => module.default)
}

import { chromium } from 'playwright'
import { tsImport } from 'tsx/esm/api'
import { median } from '../src/statistics.mjs'
import { buildPage } from './build.mjs'
import { serve } from './serve.mjs'

// Imports the one TypeScript file that is needed here; Node cannot.
const { chromiumArgs, chromiumPath } = await tsImport('../../conformance/src/chromium.ts', import.meta.url)

/**
 * @typedef {object} Effort
 * @property {number} rounds - each round opens every page again, in another order
 * @property {number} warmUps - samples to discard, in each page
 * @property {number} samples - in each page
 * @property {number} size - the number of issues in the list
 *
 * @typedef {object} Figures of one step of one page in one round
 * @property {string} framework
 * @property {string} library
 * @property {string} step
 * @property {number} round - counted from 1
 * @property {number} size
 * @property {number} committed - milliseconds from the action to the DOM; the median of the samples
 * @property {number} rows - the number of rendered rows
 * @property {number} views - the number of rendered views
 */

/** @param {boolean} isQuick @returns {Effort} enough samples for reliable ratios, or few for a first look */
export function effortOf(isQuick) {
  return isQuick
    ? { rounds: 1, warmUps: 2, samples: 4, size: 1000 }
    : { rounds: 3, warmUps: 4, samples: 12, size: 1000 }
}

/** The steps of each sample, in order. A quiet step changes nothing on screen: it only counts renders. */
export const steps = [
  { name: 'first mount', isQuiet: false },
  { name: 'warm mount', isQuiet: false },
  { name: 'change one', isQuiet: false },
  { name: 'change one, flat', isQuiet: false },
  { name: 'unrelated write', isQuiet: true },
  { name: 'change the shared user', isQuiet: false },
  { name: 'show a detail', isQuiet: false },
  { name: 'back to the list', isQuiet: false },
  { name: 'show the sorted view', isQuiet: false },
  { name: 'change one in the sorted view', isQuiet: false },
  { name: 'move one in the sorted view', isQuiet: false },
  { name: 'unrelated write, sorted view', isQuiet: true },
]

/**
 * @param {readonly import('./pages.mjs').Page[]} pages - pages whose packages are installed
 * @param {Effort} effort
 * @param {(text: string) => void} say - shows the current step
 * @returns {AsyncIterable<Figures>}
 */
export async function* measurePages(pages, effort, say) {
  const scripts = new Map()
  for (const page of pages) {
    say(`Builds ${nameOf(page)}`)
    scripts.set(nameOf(page), await buildPage(page))
  }
  const { url, close } = await serve(scripts)
  const browser = await launch()
  try {
    for (let round = 1; round <= effort.rounds; round++) {
      for (const page of rotated(pages, round)) {
        say(`round ${round} of ${effort.rounds}: ${nameOf(page)}`)
        const samples = await visit(browser, `${url}/${nameOf(page)}`, effort)
        yield* summarize(samples, { page, round, size: effort.size })
      }
    }
  } finally {
    await browser.close()
    close()
  }
}

/** Debian's Chromium, with garbage collection exposed, so that pages can run it before they measure. */
export function launch() {
  return chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs, '--js-flags=--expose-gc'] })
}

async function visit(browser, address, { warmUps, samples, size }) {
  const page = await browser.newPage()
  try {
    const errors = []
    page.on('pageerror', (error) => errors.push(error))
    await page.goto(address)
    const taken = []
    for (let sample = 0; sample < warmUps + samples; sample++) {
      const options = { size, sample, checks: sample === 0 }
      const figures = await page
        .evaluate((given) => globalThis.runSample(given), options)
        .catch((error) => {
          throw new Error(`${address.split('/').at(-1)}: ${error.message}`, { cause: errors[0] ?? error })
        })
      if (sample >= warmUps) taken.push(figures)
    }
    return taken
  } finally {
    await page.close()
  }
}

function summarize(samples, { page: { framework, library }, round, size }) {
  return steps.map(({ name: step }) => {
    const middle = (metric) => median(samples.map((figures) => figures[step][metric]))
    return {
      framework,
      library,
      step,
      round,
      size,
      committed: middle('committed'),
      rows: middle('rows'),
      views: middle('views'),
    }
  })
}

/** Rotates a list by round, so that no page is always first or always follows the same one. */
function rotated(list, round) {
  const first = ((round - 1) * Math.ceil(list.length / 3 + 1)) % list.length
  return [...list.slice(first), ...list.slice(0, first)]
}

/** @param {import('./pages.mjs').Page} page */
function nameOf({ framework, library }) {
  return `${framework}-${library}`
}

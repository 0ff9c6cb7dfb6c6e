import { Dataset } from './data.mjs'
import { libraries } from './libraries.mjs'
import { runWarm } from './scenarios.mjs'

/**
 * A process that measures one library at one size, in some scenarios one after the other.
 *
 * @typedef {object} Job
 * @property {string} library
 * @property {number} size
 * @property {number} round
 * @property {string[]} scenarios
 * @property {import('./measure.mjs').Effort} effort
 *
 * Its messages.
 * @typedef {{ started: string }
 *   | { finished: string, figures: Record<string, number>, note?: string }
 *   | { finished: string, missing: string, isFailure?: boolean }} Message
 */

process.once('message', async (/** @type {Job} */ { library, size, scenarios, effort }) => {
  const { adapter } = await libraries.find(({ id }) => id === library).load()
  const data = new Dataset(size, { hasTypenames: adapter.hasTypenames === true })
  for (const scenario of scenarios) {
    say({ started: scenario })
    try {
      const outcome = await runWarm(adapter, scenario, data, effort)
      if ('missing' in outcome) say({ finished: scenario, missing: outcome.missing })
      else say({ finished: scenario, figures: outcome, note: adapter.notes?.[scenario] })
    } catch (error) {
      say({ finished: scenario, missing: `Failed: ${firstLine(error)}`, isFailure: true })
      if (process.env.BENCH_DEBUG !== undefined) console.error(library, size, scenario, error)
    }
  }
  process.disconnect()
  // Exits although a library may have timers.
  process.exit()
})

/** @param {Message} message */
function say(message) {
  process.send(message)
}

function firstLine(error) {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.split('\n', 1)[0].slice(0, 200)
}

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { coldScenarios, coldSize } from './catalogue.mjs'
import { coldParts } from './cold.mjs'

const child = fileURLToPath(new URL('./cold-child.mjs', import.meta.url))
const [scenario] = coldScenarios

/** The number of samples of each library in a round. */
const samplesInRound = 5

/** @type {import('./section.mjs').Section} */
export default {
  id: 'cold',
  title: 'A fresh process',
  text: `In Node, without rendering. Each sample uses two processes that run each step once, with ${coldSize.toLocaleString('en')} issues. The libraries take turns; a round has ${samplesInRound} samples of each.`,
  scenarios: coldScenarios,
  run,
}

/** @param {import('./section.mjs').Plan} plan @param {(text: string) => void} say @returns {AsyncIterable<import('./catalogue.mjs').Row>} */
async function* run(plan, say) {
  if (plan.scenarios !== undefined && !plan.scenarios.includes(scenario.id)) return
  const samples = plan.rounds * samplesInRound
  for (let sample = 1; sample <= samples; sample++) {
    for (const library of plan.libraries) {
      say(`A fresh process, ${sample} of ${samples}: ${library}`)
      const outcomes = []
      for (const part of coldParts) outcomes.push(await measureOnce(library, part, plan.limitMs))
      yield* rowsOf(library, sample, outcomes)
    }
  }
}

/**
 * @param {string} library
 * @param {string} part
 * @param {number} limitMs
 * @returns {Promise<import('./cold-child.mjs').Outcome>}
 */
function measureOnce(library, part, limitMs) {
  return new Promise((resolve) => {
    const worker = fork(child, [library, String(coldSize), part], {
      execArgv: ['--conditions=production'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    /** @type {import('./cold-child.mjs').Outcome} */
    let outcome = { missing: 'Failed: the process ended without a figure.' }
    const timer = setTimeout(() => worker.kill('SIGKILL'), limitMs)
    worker.on('message', (message) => (outcome = /** @type {typeof outcome} */ (message)))
    worker.on('exit', () => {
      clearTimeout(timer)
      resolve(outcome)
    })
  })
}

/** Each process counts as a round, so the figure is the median of all processes. */
function rowsOf(library, round, outcomes) {
  const figures = Object.assign(
    {},
    ...outcomes.map((outcome) => ('figures' in outcome ? outcome.figures : {})),
  )
  const failed = outcomes.find((outcome) => 'missing' in outcome)
  const missing = failed?.missing ?? 'The library does not do this.'
  const common = { scenario: scenario.id, library, size: coldSize, round }
  return scenario.metrics.map(({ id: metric }) => {
    const value = figures[metric]
    return Object.assign({ metric }, common, value === undefined ? { missing } : { value })
  })
}

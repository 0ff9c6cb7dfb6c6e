import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { garbageParts, garbageScenarios, garbageSize } from './catalogue.mjs'
import { libraries } from './libraries.mjs'

const child = fileURLToPath(new URL('./garbage-child.mjs', import.meta.url))
const [scenario] = garbageScenarios
const ours = 'selfsame'

/** @type {import('./section.mjs').Section} */
export default {
  id: 'garbage',
  title: 'Long sessions',
  text: 'In Node, without rendering. Each sample runs in its own process. Only Selfsame is measured: the others keep no records, or drop them in another way.',
  scenarios: garbageScenarios,
  libraries: libraries.filter(({ id }) => id === ours),
  run,
}

/** @param {import('./section.mjs').Plan} plan @param {(text: string) => void} say @returns {AsyncIterable<import('./catalogue.mjs').Row>} */
async function* run(plan, say) {
  if (plan.scenarios !== undefined && !plan.scenarios.includes(scenario.id)) return
  if (!plan.libraries.includes(ours)) return
  for (let round = 1; round <= plan.rounds; round++) {
    for (const part of Object.keys(garbageParts)) {
      say(`Garbage collection, ${round} of ${plan.rounds}: ${part} of the pages`)
      const figures = await measureOnce(part)
      for (const [metric, value] of Object.entries(figures)) {
        yield { scenario: scenario.id, metric, library: ours, size: garbageSize, round, value }
      }
    }
  }
}

/** @param {string} part @returns {Promise<Record<string, number>>} */
function measureOnce(part) {
  return new Promise((resolve, reject) => {
    const worker = fork(child, [String(garbageSize), part], {
      execArgv: ['--conditions=production', '--expose-gc'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    let figures
    worker.on('message', (message) => (figures = message))
    worker.on('exit', () =>
      figures === undefined ? reject(new Error(`The process for ${part} pages failed.`)) : resolve(figures),
    )
  })
}

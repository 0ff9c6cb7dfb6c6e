import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { storeScenarios } from './catalogue.mjs'
import { cycleSize } from './scenarios.mjs'

const child = fileURLToPath(new URL('./child.mjs', import.meta.url))

/** From this size on, which takes most of the time, there are only two rounds. */
const manyIssues = 100_000
const roundsWithMany = 2

/** @type {import('./section.mjs').Section} */
export default {
  id: 'store',
  title: 'The store',
  text: 'In Node, without rendering. Each library runs in its own process for each size and round, one process after the other. Each round begins with another library. A process first runs each scenario with little data, so that the code is compiled. Then it takes samples and reports their median. Preparation and checks are not timed. If a scenario takes a library more than 3 s in total, it is measured in one round, and stopped after 15 s (1.5 s and 5 s in a quick run). With 100,000 issues there are at most two rounds, and anything that takes longer than 2 s is sampled once per round.',
  scenarios: storeScenarios,
  run,
}

/**
 * @typedef {import('./catalogue.mjs').Row} Row
 * @typedef {import('./section.mjs').Plan} Plan
 */

/** @param {Plan} plan @param {(text: string) => void} say @returns {AsyncIterable<Row>} */
async function* run(plan, say) {
  /** Aborted scenarios, which are not repeated, and not run with more data. @type {Map<string, number>} */
  const givenUp = new Map()
  /** Slow combinations of library, scenario and size, which are measured in one round only. @type {Set<string>} */
  const slow = new Set()
  const asked = storeScenarios.map(({ id }) => id).filter((id) => plan.scenarios?.includes(id) ?? true)
  const sizes = [...plan.sizes].sort((a, b) => a - b)
  const cycleAt = sizes.find((size) => size >= 1000) ?? sizes.at(-1)
  const jobs = Array.from({ length: plan.rounds }, (_, index) => index + 1).flatMap((round) =>
    sizes.filter((size) => size < manyIssues || round <= roundsWithMany).map((size) => ({ round, size })),
  )
  const jobCount = jobs.length * plan.libraries.length
  let done = 0
  for (const { round, size } of jobs) {
    for (const library of rotated(plan.libraries, round - 1)) {
      done++
      const ids = asked.filter(
        (id) => (id !== 'cycle' || size === cycleAt) && !slow.has(`${library} ${id} ${size}`),
      )
      const progress = `${done}/${jobCount} round ${round} of ${plan.rounds}, ${size.toLocaleString('en')} issues`
      yield* runLibrary({ library, size, round, ids, plan, givenUp, slow }, (scenario) =>
        say(`${progress}: ${library} ${scenario}`),
      )
    }
  }
}

/** Runs the scenarios in a process. If one takes too long, continues with the next one in a new process. */
async function* runLibrary({ library, size, round, ids, plan, givenUp, slow }, say) {
  let left = ids
  while (left.length > 0) {
    const skipped = left.filter((id) => size >= (givenUp.get(`${library} ${id}`) ?? Infinity))
    for (const id of skipped) yield* missingRows(library, size, round, id, tooLong(plan.limitMs))
    left = left.filter((id) => !skipped.includes(id))
    if (left.length === 0) return
    const { rows, finished, stuckAt, slowIds } = await runJob(
      { library, size, round, scenarios: left, effort: effortFor(size, plan) },
      plan,
      say,
    )
    yield* rows
    for (const id of slowIds) slow.add(`${library} ${id} ${size}`)
    left = left.filter((id) => !finished.has(id))
    if (stuckAt !== undefined) givenUp.set(`${library} ${stuckAt.id}`, size)
    if (stuckAt?.reason !== undefined) {
      yield* missingRows(library, size, round, stuckAt.id, stuckAt.reason)
      left = left.filter((id) => id !== stuckAt.id)
    }
  }
}

/**
 * @param {import('./child.mjs').Job} job
 * @param {Plan} plan
 * @param {(scenario: string) => void} say
 * @returns {Promise<{ rows: Row[], finished: Set<string>, slowIds: string[], stuckAt: { id: string, reason?: string } | undefined }>}
 */
function runJob(job, { limitMs, slowMs }, say) {
  const { library, size, round } = job
  return new Promise((resolve) => {
    const worker = fork(child, {
      execArgv: ['--expose-gc', '--max-old-space-size=4096', '--conditions=production'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    /** @type {Row[]} */
    const rows = []
    /** @type {Set<string>} */
    const finished = new Set()
    /** @type {string[]} */
    const slowIds = []
    let startedAt = performance.now()
    let [current] = job.scenarios
    let stuckAt
    let timer = setTimeout(giveUp, limitMs)
    function giveUp() {
      stuckAt = { id: current }
      worker.kill('SIGKILL')
    }
    worker.on('message', (/** @type {import('./child.mjs').Message} */ message) => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, limitMs)
      if ('started' in message) {
        current = message.started
        startedAt = performance.now()
        say(current)
        return
      }
      finished.add(message.finished)
      if (performance.now() - startedAt > slowMs) slowIds.push(message.finished)
      if ('missing' in message)
        rows.push(...missingRows(library, size, round, message.finished, message.missing))
      else rows.push(...figureRows(library, size, round, message))
    })
    worker.on('exit', (code) => {
      clearTimeout(timer)
      const left = job.scenarios.filter((id) => !finished.has(id))
      if (stuckAt === undefined && left.length > 0) {
        // The process ended by itself: it ran out of memory, or failed to load.
        stuckAt = { id: left[0], reason: `Failed: the process ended with ${code}.` }
      }
      resolve({ rows, finished, slowIds, stuckAt })
    })
    worker.send(job)
  })
}

function figureRows(library, size, round, { finished: scenario, figures, note }) {
  const { metrics } = storeScenarios.find(({ id }) => id === scenario)
  const shownSize = scenario === 'cycle' ? cycleSize : size
  return metrics.map(({ id: metric }) => {
    const { [metric]: value } = figures
    const missing = value === undefined ? 'The library does not do this.' : undefined
    return { scenario, metric, library, size: shownSize, round, value, missing, note }
  })
}

function missingRows(library, size, round, scenario, missing) {
  const { metrics } = storeScenarios.find(({ id }) => id === scenario)
  const shownSize = scenario === 'cycle' ? cycleSize : size
  return metrics.map(({ id: metric }) => ({ scenario, metric, library, size: shownSize, round, missing }))
}

/** @param {number} limitMs */
function tooLong(limitMs) {
  return `Given up after ${limitMs / 1000} s.`
}

/** @template Item @param {readonly Item[]} list @param {number} by @returns {Item[]} */
function rotated(list, by) {
  const start = by % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

/** @param {number} size @param {Plan} plan @returns {import('./measure.mjs').Effort} */
function effortFor(size, { isQuick }) {
  const budgetMs = isQuick ? 50 : 100
  if (size >= manyIssues) return { budgetMs: 2 * budgetMs, minSamples: 7, maxSamples: 200 }
  return { budgetMs, minSamples: size > 1000 ? 7 : 25, maxSamples: 3000 }
}

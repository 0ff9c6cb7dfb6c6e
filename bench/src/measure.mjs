import { setImmediate } from 'node:timers/promises'

/** How much of its time one look at the clock takes: a figure of a microsecond is made of it to a twentieth. */
const clockCost = calibrate()

/**
 * How long one scenario is measured for in one process.
 *
 * @typedef {object} Effort
 * @property {number} budgetMs - samples are taken until so much time has passed in all
 * @property {number} minSamples
 * @property {number} maxSamples
 */

/** Enough for a look whether everything is done right. @type {Effort} */
export const once = { budgetMs: 0, minSamples: 1, maxSamples: 1 }

/** A time in microseconds below which nothing can be said. */
const shortest = 0.01

/**
 * Calls a function again and again. It measures by itself what it is about, so that preparing and checking count for
 * nothing. Where a call takes very long, there are fewer of them.
 *
 * @param {Effort} effort
 * @param {(index: number) => void | Promise<void>} sample
 */
export async function repeat({ budgetMs, minSamples, maxSamples }, sample) {
  const start = performance.now()
  for (let index = 0; index < maxSamples; index++) {
    const passedMs = performance.now() - start
    if (index >= minSamples && passedMs > budgetMs) return
    if (index >= 1 && passedMs > 10 * budgetMs && budgetMs > 0) return
    await sample(index)
  }
}

/**
 * The time that a step takes, in microseconds. A synchronous step is not awaited: a turn of the microtask queue would
 * count for it.
 *
 * @param {() => unknown} step
 * @returns {Promise<number>}
 */
export async function time(step) {
  const start = performance.now()
  const outcome = step()
  if (outcome instanceof Promise) await outcome
  return Math.max(shortest, (performance.now() - start) * 1000 - clockCost)
}

/** As `time`, of a step that is synchronous and so short that the clock must be close. @param {() => unknown} step @returns {number} */
export function timeNow(step) {
  const start = performance.now()
  step()
  return Math.max(shortest, (performance.now() - start) * 1000 - clockCost)
}

/**
 * The time of one call of a function that may take nanoseconds and changes nothing, in microseconds. Measured by mitata,
 * which calls it in batches.
 *
 * @param {() => unknown} step
 * @param {Effort} effort
 */
export async function timeBatched(step, { budgetMs }) {
  if (budgetMs === 0) return timeNow(step)
  const { do_not_optimize: keep, measure } = await import('mitata')
  const { p50 } = await measure(() => keep(step()), { min_cpu_time: budgetMs * 1e6, min_samples: 2 })
  return p50 / 1000
}

/**
 * Frees what nobody holds. Not to be called before each sample, or where code was just compiled: the hidden classes of objects that are gone are freed as
 * well, and the code that was compiled for them; what is measured next is then the compiler. Without `--expose-gc` it does nothing.
 */
export function collectGarbage() {
  globalThis.gc?.()
}

/** Bytes in use, after all that can be freed was freed: weak references and finalizers need turns of the event loop. */
export async function heapInUse() {
  for (let turn = 0; turn < 3; turn++) {
    collectGarbage()
    await setImmediate()
  }
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Lets timers and microtasks that are due run. */
export async function settle() {
  await setImmediate()
  await setImmediate()
}

function calibrate() {
  const costs = Array.from({ length: 2000 }, () => {
    const start = performance.now()
    return (performance.now() - start) * 1000
  })
  return costs.sort((a, b) => a - b)[costs.length / 2]
}

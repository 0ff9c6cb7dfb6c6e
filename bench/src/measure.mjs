import { setImmediate } from 'node:timers/promises'

/** The cost of reading the clock, which is subtracted: it is a twentieth of a figure of one microsecond. */
const clockCost = calibrate()

/**
 * How long to measure one scenario in one process.
 *
 * @typedef {object} Effort
 * @property {number} budgetMs - takes samples until this much time has passed in all
 * @property {number} minSamples
 * @property {number} maxSamples
 */

/** Enough to check that everything works. @type {Effort} */
export const once = { budgetMs: 0, minSamples: 1, maxSamples: 1 }

/** The shortest measurable time, in microseconds. */
const shortest = 0.01

/**
 * Calls a function repeatedly, fewer times if a call takes long. The function itself measures, so that preparations
 * and checks do not count.
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
 * Measures a step, in microseconds. A synchronous step is not awaited, because a turn of the microtask queue would
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

/** Like `time`, for a synchronous step that is so short that nothing may come between it and the clock. @param {() => unknown} step @returns {number} */
export function timeNow(step) {
  const start = performance.now()
  step()
  return Math.max(shortest, (performance.now() - start) * 1000 - clockCost)
}

/**
 * Measures one call of a function that may take nanoseconds and has no effects, in microseconds. mitata calls it in
 * batches.
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
 * Collects garbage. Do not call it before each sample, or right after code was compiled: it also frees the hidden
 * classes of collected objects and the code compiled for them, and the next sample would measure the compiler. Does
 * nothing without `--expose-gc`.
 */
export function collectGarbage() {
  globalThis.gc?.()
}

/** Bytes in use after garbage collection: weak references and finalizers need turns of the event loop. */
export async function heapInUse() {
  for (let turn = 0; turn < 3; turn++) {
    collectGarbage()
    await setImmediate()
  }
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Runs due timers and microtasks. */
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

import * as errors from '../errors.js'
import type { MockController } from './mock-controller.js'
import { nextTask, startTimeout } from './next-task.js'

/** The number of quiet tasks in a row that count as settled: reading and showing a response takes some tasks. */
const quietTasks = 3
/** The limit, for interceptors that never respond in order to hold a call. */
const mostTasks = 50

/**
 * Waits until promises, responses and due timers are handled. Does not wait for timers of a later time.
 *
 * @param flush - runs a function that may change the screen, and waits for the framework
 */
export async function settle(
  controller: MockController,
  flush: (change: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { testClock } = controller
  let isQuiet = false
  const next = async () => {
    await nextTask()
    const fired = testClock?.advance(0) ?? 0
    isQuiet = fired === 0 && controller.busy === 0
  }
  for (let task = 0, quiet = 0; task < mostTasks && quiet < quietTasks; task++) {
    await flush(next)
    quiet = isQuiet ? quiet + 1 : 0
  }
}

/** Options of `waitFor`. */
export interface WaitOptions {
  /** The limit, in milliseconds of real time, whatever the Controller's clock. @default 1000 */
  readonly timeoutMs?: number | undefined
}

/**
 * Waits until a condition neither throws nor returns `false`.
 *
 * @param settleOnce - runs between two checks
 * @throws the last error of the condition; {SelfsameError} `wait-timeout` if it returned `false`
 */
export async function waitFor(
  condition: () => unknown,
  settleOnce: () => Promise<void>,
  { timeoutMs = 1000 }: WaitOptions = {},
): Promise<void> {
  const timeout = startTimeout(timeoutMs)
  try {
    for (;;) {
      const isLast = timeout.isOver()
      try {
        if (condition() !== false) return
        if (isLast) throw errors.waitTimeout('waitFor()', timeoutMs)
      } catch (error) {
        if (isLast) throw error
      }
      await settleOnce()
    }
  } finally {
    timeout.stop()
  }
}

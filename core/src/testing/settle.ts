import * as errors from '../errors.js'
import type { MockController } from './mock-controller.js'
import { nextTask, startTimeout } from './next-task.js'

/** How many tasks in a row nothing has to happen in: a response takes a page some of them to read and to show. */
const quietTasks = 3
/** An interceptor may never answer, to hold a call: that is not waited for. */
const mostTasks = 50

/**
 * Lets promises, answers, and timers that are due now finish. What waits for time goes on waiting.
 *
 * @param flush - runs what may change the screen, and lets the framework finish
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

/** How long `waitFor` waits. */
export interface WaitOptions {
  /** Real time, whatever the clock of the Controller: milliseconds. @default 1000 */
  readonly timeoutMs?: number | undefined
}

/**
 * Waits until a condition holds: until it neither throws nor returns `false`.
 *
 * @param settleOnce - lets things happen between two looks
 * @throws what the condition threw last; {SelfsameError} `waited-in-vain` where it returned `false`
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
        if (isLast) throw errors.waitedInVain('waitFor()', timeoutMs)
      } catch (error) {
        if (isLast) throw error
      }
      await settleOnce()
    }
  } finally {
    timeout.stop()
  }
}

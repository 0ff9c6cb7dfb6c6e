import { errors } from '../errors.js'
import type { MockController } from './mock-controller.js'
import { nextTask, startTimeout } from './next-task.js'
import { TestClock } from './test-clock.js'

/** How many tasks in a row nothing has to happen in: an answer takes a page some of them to read and to show. */
const quietTasks = 3
/** An interceptor may never answer, to hold a call: that is not waited for. */
const mostTasks = 50

/**
 * Lets promises, answers, and timers that are due now finish. What waits for time goes on waiting.
 *
 * @param flush - lets the framework finish
 */
export async function settle(controller: MockController, flush: () => unknown): Promise<void> {
  const { clock } = controller
  for (let task = 0, quiet = 0; task < mostTasks && quiet < quietTasks; task++) {
    await nextTask()
    await flush()
    const fired = clock instanceof TestClock ? clock.advance(0) : 0
    quiet = fired > 0 || controller.busy > 0 ? 0 : quiet + 1
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

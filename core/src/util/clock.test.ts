import { expect, test, vi } from 'vitest'
import { longestWait, systemClock } from './clock.js'

test.each([2 ** 31, 2 ** 40, Infinity])(
  'the clock of the platform waits %d ms as long as its timers can, instead of not at all',
  (delayMs) => {
    vi.useFakeTimers()
    try {
      const callback = vi.fn()
      systemClock.setTimeout(callback, delayMs)
      vi.advanceTimersByTime(longestWait - 1)
      expect(callback).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      expect(callback).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  },
)

import { expect, test } from 'vitest'
import { Once } from '../view/view.js'
import { ShownBefore } from './shown-before.js'

declare const gc: (options?: { type: 'minor' }) => void

test('what was shown before optimistic writes is freed with what is young, once they have settled', () => {
  const shown = new ShownBefore()
  const view = new Once(() => undefined)
  const write = (count: number) => {
    for (; count > 0; count--) {
      view.value = Array<number>(2000).fill(count + 0.5)
      shown.keep(count, [view])
      shown.drop(count)
      shown.clear()
    }
  }
  write(50)
  gc()
  const { heapUsed: before } = process.memoryUsage()
  for (let round = 0; round < 20; round++) {
    write(50)
    gc({ type: 'minor' })
    gc({ type: 'minor' })
  }
  const { heapUsed: after } = process.memoryUsage()
  // Each of 1,000 has some 16 kB.
  expect(after - before).toBeLessThan(5_000_000)
})

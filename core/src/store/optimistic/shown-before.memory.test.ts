import { expect, test } from 'vitest'
import { Once } from '../view/view.js'
import { ShownBefore } from './shown-before.js'
import { heldAfter } from '../testing-memory.js'

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
  // Each of 1,000 has some 16 kB.
  expect(heldAfter(write)).toBeLessThan(5_000_000)
})

import { expect, test } from 'vitest'
import { TestClock } from './test-clock.js'

test('fires due timers in the order of their moments, each at its own', () => {
  const clock = new TestClock(0)
  const fired: string[] = []
  clock.setTimeout(() => fired.push(`b at ${clock.now()}`), 20)
  clock.setTimeout(() => fired.push(`a at ${clock.now()}`), 10)
  clock.setTimeout(() => fired.push('later'), 31)
  clock.advance(30)
  expect(fired).toEqual(['a at 10', 'b at 20'])
  expect(clock.now()).toBe(30)
  expect(clock.timers).toBe(1)
})

test('fires a timer that a timer sets within the step', () => {
  const clock = new TestClock(0)
  const fired: number[] = []
  clock.setTimeout(() => clock.setTimeout(() => fired.push(clock.now()), 5), 10)
  expect(clock.advance(15)).toBe(2)
  expect(fired).toEqual([15])
})

test('keeps the order of timers of one moment', () => {
  const clock = new TestClock()
  const fired: string[] = []
  clock.setTimeout(() => fired.push('first'), 0)
  clock.setTimeout(() => fired.push('second'), 0)
  clock.advance(0)
  expect(fired).toEqual(['first', 'second'])
})

test('forgets a cleared timer', () => {
  const clock = new TestClock()
  const timer = clock.setTimeout(() => expect.fail('it was cleared'), 10)
  clock.clearTimeout(timer)
  expect(clock.advance(10)).toBe(0)
})

test('does not run backwards, nor for ever', () => {
  const clock = new TestClock(5)
  expect(() => clock.advance(-1)).toThrow('cannot advance by -1')
  expect(() => clock.advance(Number.NaN)).toThrow('cannot advance by NaN')
  const again = () => void clock.setTimeout(again, 0)
  again()
  expect(() => clock.advance(1)).toThrow('fired timers without end at 5')
})

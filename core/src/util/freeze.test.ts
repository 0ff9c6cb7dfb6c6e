import { expect, test } from 'vitest'
import { freezeDeep } from './freeze.js'

class Point {
  parts = [{ x: 1 }]
}

test('freezes objects and lists of any depth, and what frozen instances hold', () => {
  const point = Object.freeze(new Point())
  const value = { list: [{ a: { b: 1 } }], point }
  freezeDeep(value)
  expect([value, value.list, value.list[0], value.list[0]?.a, point.parts[0]].every(Object.isFrozen)).toBe(
    true,
  )
})

test('leaves instances, dates and functions as they are', () => {
  const value = { point: new Point(), at: new Date(5), call: () => {} }
  freezeDeep(value)
  expect([value.point, value.point.parts, value.at, value.call].some(Object.isFrozen)).toBe(false)
})

test('ends for cycles, and is not recursive', () => {
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  let nested: unknown = cycle
  for (let depth = 0; depth < 100_000; depth++) nested = [nested]
  freezeDeep(nested)
  expect(Object.isFrozen(cycle)).toBe(true)
})

import { expect, test } from 'vitest'
import { Controller, Endpoint } from '../index.js'
import { Observer } from '../observer/observer.js'
import { Issue, getIssues, issuesOf } from '../store/testing-issues.js'
import { countCalls, totalOf } from '../util/testing-calls.js'
import { callsOf } from './calls.js'

const readers = 200

/** A store of issues that no reader has read yet. */
function received(count = readers) {
  const issue = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
    name: 'issue',
    schema: Issue,
  })
  const controller = new Controller()
  controller.setResponse(getIssues, issuesOf(count + 1))
  const mount = (id: number): void => void controller.subscribe(issue, { id }, () => {})
  /** As a component of a binding does. */
  const observe = (id: number) => {
    const observer = new Observer(controller, issue, [{ id }])
    observer.readOrFetch()
    observer.subscribe(() => {})
    observer.retain()
    observer.fetchIfDue()
  }
  // The first reader compiles the functions.
  mount(count)
  const mountAll = (reader = mount) => {
    for (let id = 0; id < count; id++) reader(id)
  }
  return { controller, mountAll, observe }
}

// In a fresh process each call is interpreted and each function compiled, so both counts are costs of the first screen.
test('the first reader of a record calls few functions, and computes its views and no other', () => {
  const { controller, mountAll } = received()
  const { graph } = callsOf(controller).store
  const before = graph.computed
  const calls = countCalls(() => mountAll(), readers)
  const total = totalOf(calls)
  expect(calls.size).toBeGreaterThan(0)
  expect(total / readers).toBeLessThanOrEqual(68)
  expect(calls.size).toBeLessThanOrEqual(53)
  // The call and its record; the users and labels are shared.
  expect((graph.computed - before) / readers).toBeLessThan(2.5)
})

test('an Observer of a record calls few functions', () => {
  const { mountAll, observe } = received()
  const calls = countCalls(() => mountAll(observe), readers)
  expect(totalOf(calls) / readers).toBeLessThanOrEqual(114)
  expect(calls.size).toBeLessThanOrEqual(87)
})

test('a reader of a record allocates little', () => {
  // 3,329 were measured: development freezes what is read at any depth.
  const limit = 3500
  // The heap may grow by a part of a page in each round: little beside what so many allocate.
  const count = 2000
  let least = Infinity
  // The first round allocates what the engine knows of the code.
  for (let round = 0; round < 20 && least >= limit; round++) {
    const { mountAll } = received(count)
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    mountAll()
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / count)
  }
  expect(least).toBeLessThan(limit)
})

import assert from 'node:assert/strict'
import { settle } from '../measure.mjs'
import { median } from '../statistics.mjs'
import { issueAt, issuesOf, userCount, users } from './data.mjs'
import { adapter as floor } from './floor.mjs'

/** By part: what is measured in one process. */
export const parts = /** @type {const} */ (['list', 'window', 'join', 'groups', 'readers'])

/**
 * How often each step of a part is taken. All libraries take the same steps in the same order.
 *
 * @typedef {object} Steps
 * @property {number} stores - the new stores, of each of which the first query is read
 * @property {number} queries - the further queries of the last store
 * @property {number} unmeasured - the changes before the measured ones
 * @property {number} measured - the measured changes
 */

/** In a new process, before anything is compiled. @type {Steps} */
const early = { stores: 1, queries: 0, unmeasured: 0, measured: 60 }
/** With little data, so that the code is compiled: the engine does so after some thousand calls of a function. @type {Steps} */
const compiling = { stores: 15, queries: 15, unmeasured: 0, measured: 3000 }
/** @type {Steps} */
const compiled = { stores: 7, queries: 7, unmeasured: 60, measured: 200 }

const compilingSize = 2000

/** The steps of a test: one of each kind. @type {Steps} */
export const once = { stores: 1, queries: 1, unmeasured: 0, measured: 60 }

/**
 * Measures one part with one library, in a process that has done nothing else.
 *
 * @param {import('./data.mjs').MaintainedAdapter<any>} adapter
 * @param {number} size
 * @param {typeof parts[number]} part
 * @param {number} limitMs - no further sample of a step is taken after it
 * @returns {Promise<Record<string, number>>} microseconds of processor time
 */
export async function measureMaintained(adapter, size, part, limitMs) {
  const before = await measureSteps(adapter, { size, part, steps: early, limitMs })
  await measureSteps(adapter, { size: compilingSize, part, steps: compiling, limitMs })
  const figures = await measureSteps(adapter, { size, part, steps: compiled, limitMs })
  const isRead = before.first !== undefined
  return { ...figures, 'early-change': before.change, ...(isRead ? { 'early-first': before.first } : {}) }
}

/**
 * @param {import('./data.mjs').MaintainedAdapter<any>} adapter
 * @param {{ size: number, part: typeof parts[number], steps: Steps, limitMs: number }} given
 * @returns {Promise<Record<string, number>>} `change`; except for readers also `first` and, with further queries, `another`
 */
export async function measureSteps(adapter, { size, part, steps, limitMs }) {
  if (part === 'readers') {
    const store = await adapter.create(issuesOf(size), users())
    return { change: await measureReaders(adapter, store, { size, steps, limitMs }) }
  }
  let store
  const first = await medianOf(steps.stores, limitMs, async () => {
    store = await adapter.create(issuesOf(size), users())
    return measureFirstRead(adapter, store, part)
  })
  const another = await medianOf(steps.queries, limitMs, () => measureFirstRead(adapter, store, part))
  const change = await measureChanges(adapter, store, { size, part, steps, limitMs })
  return { change, first, ...(steps.queries === 0 ? {} : { another }) }
}

/** The first read of a new query. */
async function measureFirstRead(adapter, store, part) {
  // What making the store left behind is not collected during the read. A full collection would discard compiled code.
  for (let run = 0; run < 2; run++) globalThis.gc?.({ type: 'minor' })
  let query
  const micros = await timeProcessor(() => {
    query = adapter.query(store, part)
    const { ready, read } = query
    return ready === undefined ? void read() : ready.then(read)
  })
  // A change is measured with one query: nobody reads this one any more.
  await query.end?.()
  await settle()
  return micros
}

async function measureChanges(adapter, store, { size, part, steps, limitMs }) {
  const { ready, read } = adapter.query(store, part)
  await ready
  read()
  const expected = floor.create(issuesOf(size), users())
  const change = await measureTurns(steps, limitMs, async (turn) => {
    const issue = issueAt((turn * 104_729) % size, turn)
    floor.change(expected, issue)
    return timeProcessor(() => {
      adapter.change(store, issue)
      read()
    })
  })
  assert.deepEqual(shownBy(read()), shownBy(floor.query(expected, part).read()))
  return change
}

/** The ids of a list; the counts of groups, in any order. */
function shownBy(value) {
  if (value.length === 0 || 'id' in value[0]) return value.map(({ id }) => id)
  return value.map(({ key, value: number }) => [key, number]).sort((a, b) => a[0] - b[0])
}

/** Each user has a reader of his issues; an issue goes from one to another, and both readers are told. */
async function measureReaders(adapter, store, { size, steps, limitMs }) {
  const told = new Map()
  for (let userId = 1; userId <= userCount; userId++)
    await adapter.watchUser(store, userId, (issues) => told.set(userId, issues))
  await settle()
  return measureTurns(steps, limitMs, async (turn) => {
    told.clear()
    const issue = issueAt((turn * 104_729) % size, turn)
    const micros = await timeProcessor(async () => {
      adapter.change(store, issue)
      await undefined
    })
    await settle()
    assert.ok(told.size <= 2, 'only readers of both users are told')
    assert.ok(told.get(issue.userId).some(({ id }) => id === issue.id))
    return micros
  })
}

/** Takes the unmeasured changes, for half of the time at most, and then those that are measured. */
async function measureTurns({ unmeasured, measured }, limitMs, change) {
  let turn = 0
  await medianOf(unmeasured, limitMs / 2, () => change(++turn))
  return medianOf(measured, limitMs / 2, () => change(++turn))
}

/** @param {number} count @param {number} limitMs @param {() => Promise<number>} sample @returns {Promise<number>} the median of the samples */
async function medianOf(count, limitMs, sample) {
  const samples = []
  const end = performance.now() + limitMs
  while (samples.length < count && (samples.length < 2 || performance.now() < end))
    samples.push(await sample())
  return samples.length === 0 ? NaN : median(samples)
}

/** Measures the processor time of a step, in microseconds: what else the machine does is not in it. @param {() => unknown} step */
async function timeProcessor(step) {
  const before = process.cpuUsage()
  const outcome = step()
  if (outcome instanceof Promise) await outcome
  const { user, system } = process.cpuUsage(before)
  return user + system
}

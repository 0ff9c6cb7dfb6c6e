import assert from 'node:assert/strict'
import { settle, time } from '../measure.mjs'
import { median } from '../statistics.mjs'
import { issueAt, issuesOf, userCount, users } from './data.mjs'
import { adapter as floor } from './floor.mjs'

/** By part: what is measured in one process. */
export const parts = /** @type {const} */ (['list', 'window', 'join', 'groups', 'readers'])

/** The changes that are measured after those with which the code is compiled. */
const changes = { warm: 60, measured: 60 }
/** The number of first reads, each of a new query. */
const coldReads = 7

/**
 * Measures one part with one library.
 *
 * @param {import('./data.mjs').MaintainedAdapter<any>} adapter
 * @param {number} size
 * @param {typeof parts[number]} part
 * @param {number} limitMs - no further sample is taken after it
 * @returns {Promise<Record<string, number>>} microseconds
 */
export async function measureMaintained(adapter, size, part, limitMs) {
  const store = await adapter.create(issuesOf(size), users())
  const end = performance.now() + limitMs
  if (part === 'readers') return { change: await measureReaders(adapter, store, size, end) }
  const cold = await measureCold(adapter, store, part, end)
  return { change: await measureChanges(adapter, store, { size, part, end }), cold }
}

async function measureCold(adapter, store, part, end) {
  const samples = []
  for (let sample = 0; sample < coldReads && (sample < 2 || performance.now() < end); sample++) {
    let query
    samples.push(
      await time(() => {
        query = adapter.query(store, part)
        const { ready, read } = query
        return ready === undefined ? void read() : ready.then(read)
      }),
    )
    // A change is measured with one query: nobody reads this one any more.
    await query.end?.()
    await settle()
  }
  return median(samples)
}

async function measureChanges(adapter, store, { size, part, end }) {
  const { ready, read } = adapter.query(store, part)
  await ready
  read()
  const expected = floor.create(issuesOf(size), users())
  const samples = []
  const all = changes.warm + changes.measured
  for (let turn = 1; turn <= all; turn++) {
    const issue = issueAt((turn * 104_729) % size, turn)
    const micros = await time(() => {
      adapter.change(store, issue)
      read()
    })
    floor.change(expected, issue)
    if (turn > changes.warm || performance.now() > end - 100) samples.push(micros)
    if (performance.now() > end) break
  }
  assert.deepEqual(shownBy(read()), shownBy(floor.query(expected, part).read()))
  return median(samples)
}

/** The ids of a list; the counts of groups, in any order. */
function shownBy(value) {
  if (value.length === 0 || 'id' in value[0]) return value.map(({ id }) => id)
  return value.map(({ key, value: number }) => [key, number]).sort((a, b) => a[0] - b[0])
}

/** Each user has a reader of his issues; an issue goes from one to another, and both readers are told. */
async function measureReaders(adapter, store, size, end) {
  const told = new Map()
  for (let userId = 1; userId <= userCount; userId++)
    await adapter.watchUser(store, userId, (issues) => told.set(userId, issues))
  await settle()
  const samples = []
  const all = changes.warm + changes.measured
  for (let turn = 1; turn <= all; turn++) {
    told.clear()
    const index = (turn * 104_729) % size
    const issue = issueAt(index, turn)
    const micros = await time(async () => {
      adapter.change(store, issue)
      await undefined
    })
    await settle()
    assert.ok(told.size <= 2, 'only readers of both users are told')
    assert.ok(told.get(issue.userId).some(({ id }) => id === issue.id))
    if (turn > changes.warm || performance.now() > end - 100) samples.push(micros)
    if (performance.now() > end) break
  }
  return median(samples)
}

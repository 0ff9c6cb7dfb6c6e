import assert from 'node:assert/strict'
import { PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Controller, Endpoint, Entity } from '@selfsame/core'
import { garbageParts } from './catalogue.mjs'
import { collectGarbage } from './measure.mjs'

class Item extends Entity {
  id = 0
  title = ''
  body = ''
  static key = 'Item'
}

const getPage = new Endpoint(async (_params) => [], { name: 'getPage', schema: [Item] })

const itemsPerPage = 10
/** A turn of the event loop below this time, in milliseconds, did nothing that a user could notice. */
const idleMs = 0.1
/** The time for the second run, in milliseconds. */
const slackMs = 3000

/**
 * Stores pages of records, of which some have no reader, and measures each turn of the event loop until these are
 * collected. A turn is what keeps a user's click waiting.
 *
 * @param {number} size - the number of records
 * @param {keyof typeof garbageParts} part
 * @param {number} [keepLength] - milliseconds, long enough to store all
 * @returns {Promise<Record<string, number>>} milliseconds
 */
export async function measureGarbage(size, part, keepLength = 4000) {
  const controller = new Controller({ keepLength })
  const pages = size / itemsPerPage
  const unread = pages * garbageParts[part]
  const started = performance.now()
  for (let page = 0; page < pages; page++) {
    const first = page * itemsPerPage
    const items = Array.from({ length: itemsPerPage }, (_, index) => item(first + index))
    controller.setResponse(getPage, { page }, items)
    if (page >= unread) controller.subscribe(getPage, { page }, () => {})
  }
  // The engine collects what storing all in one task left.
  collectGarbage()
  // The first run comes `keepLength` after the first page was stored, the second one as long after it.
  const turns = await turnsUntil(started + 2 * keepLength + slackMs)
  const isStored = (page) => controller.get(Item, { id: page * itemsPerPage }) !== undefined
  for (let page = 0; page < pages; page++) assert.equal(isStored(page), page >= unread)
  controller.dispose()
  const working = turns.map(({ ms }) => ms).sort((a, b) => a - b)
  return {
    [`longest-${part}`]: working.at(-1) ?? 0,
    [`own-${part}`]: Math.max(0, ...turns.map(({ ms, pausedMs }) => ms - pausedMs)),
    [`median-${part}`]: working[working.length >> 1] ?? 0,
  }
}

/** @param {number} id */
function item(id) {
  return { id, title: `Item ${id}`, body: 'The same for all.' }
}

/**
 * The turns of the event loop that did something, with the time of each in which the engine collected its own garbage.
 *
 * @param {number} end - a time of `performance.now()`
 */
async function turnsUntil(end) {
  const pauses = []
  const observer = new PerformanceObserver((list) => pauses.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  const turns = []
  let start = performance.now()
  while (start < end) {
    await nextTurn()
    const now = performance.now()
    if (now - start > idleMs) turns.push({ start, ms: now - start })
    start = now
  }
  // The observer hears of a pause in a later turn.
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  observer.disconnect()
  return turns.map(({ start: from, ms }) => {
    const inside = pauses.filter(({ startTime }) => startTime >= from && startTime < from + ms)
    return { ms, pausedMs: inside.reduce((sum, { duration }) => sum + duration, 0) }
  })
}

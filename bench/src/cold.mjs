import assert from 'node:assert/strict'
import { settle, time } from './measure.mjs'

/** The parts to measure, each in a fresh process. */
export const coldParts = /** @type {const} */ (['answer', 'readers'])

/**
 * Measures the first screen of an application. Each step runs once, and no code that it uses may have run before.
 *
 * @param {import('./adapters/adapter.mjs').Adapter} adapter
 * @param {import('./data.mjs').Dataset} data
 * @param {typeof coldParts[number]} part
 * @returns {Promise<Record<string, number>>} microseconds; `mount` is that of one reader
 */
export async function measureCold(adapter, data, part) {
  if (part === 'readers') return await measureReaders(adapter, data)
  const store = adapter.create()
  let list
  const hand = await time(async () => {
    await adapter.ingest(store, data.listText)
    list = adapter.readList(store)
  })
  assert.equal(list.length, data.size)
  assert.equal(list[data.size - 1].user.login, data.issue(data.size - 1).user.login)
  return { hand }
}

/** A socket delivers the records, and the mounting readers read them for the first time. */
async function measureReaders(adapter, data) {
  const store = adapter.create()
  const push = await time(() => (adapter.push ?? adapter.ingest)(store, data.listText))
  if (adapter.watchIssue === undefined || adapter.missing?.F !== undefined) return { push }
  const ids = Array.from({ length: data.size }, (_, index) => data.idAt(index))
  let calls = 0
  let shown
  let told
  const isTold = new Promise((resolve) => (told = resolve))
  const tell = (issue) => {
    calls++
    shown = issue
    told(undefined)
  }
  const mount = await time(() => {
    adapter.prepareReaders?.(store, ids)
    for (const id of ids) adapter.watchIssue(store, id, tell)
  })
  await settle()
  calls = 0
  const text = data.issueText(3, { title: 'Changed' })
  const write = await time(async () => {
    await adapter.changeIssue(store, text)
    await isTold
  })
  await settle()
  assert.equal(calls, 1, 'the one reader of the changed issue is told')
  assert.equal(shown.title, 'Changed')
  return { push, mount: mount / data.size, write }
}

import { expect, test, vi } from 'vitest'
import { memoryStorage } from '../storage.js'
import type { RowStorage, Storable } from '../storage.js'
import { Entries } from './entries.js'
import { RowLog } from './row-log.js'

/** Rows in a storage that fails as often as is said, and what other tabs are told. */
function createLog() {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const inner = memoryStorage()
  const fault = { times: 0 }
  const storage: RowStorage = {
    ...inner,
    write: async (rows, isStrict) => {
      if (fault.times-- > 0) throw new Error('The connection was lost.')
      await inner.write(rows, isStrict)
    },
  }
  const log = new RowLog(storage, new Entries(() => {}))
  const told: Storable[][] = []
  log.channel = {
    onmessage: null,
    // What other tabs read then.
    postMessage: () => void inner.list('').then((rows) => told.push(rows.map(([key]) => key))),
    close: () => {},
  }
  return { log, fault, told }
}

test('other tabs are told of a row, and not of one that is forgotten', async () => {
  const { log, told } = createLog()
  log.set('a', 1)
  await log.flush()
  log.forget('a')
  await log.flush()
  expect(told).toEqual([['a']])
})

test('of a row that could not be written at first they are told when it is written, though that write is for another', async () => {
  const { log, fault, told } = createLog()
  fault.times = 2
  log.set('a', 1)
  expect(await log.flush()).toBe(false)
  log.forget('b')
  expect(await log.flush()).toBe(false)
  log.forget('c')
  expect(await log.flush()).toBe(true)
  expect(told).toEqual([['a']])
})

test('of a row that a write takes along which was asked for before, they are told', async () => {
  const { log, told } = createLog()
  log.forget('b')
  const forgetting = log.flush()
  log.set('a', 1)
  await Promise.all([forgetting, log.flush()])
  expect(told).toEqual([['a']])
})

test('of a row that is set anew after it was forgotten they are told', async () => {
  const { log, told } = createLog()
  log.set('a', 1)
  log.forget('a')
  log.set('a', 2)
  await log.flush()
  expect(told).toEqual([['a']])
})

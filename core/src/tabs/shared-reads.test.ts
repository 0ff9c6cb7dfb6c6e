import { expect, test } from 'vitest'
import type { RequestCall } from '../controller/middleware.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { TestClock } from '../testing/test-clock.js'
import { SharedReads } from './shared-reads.js'
import type { TabLocks } from './tab-options.js'

const endpoint = new Endpoint(() => Promise.resolve([]), { name: 'getTodos' })

test('a read of several pages has a lock for each, which it leaves together, and was sent once', async () => {
  const held = new Set<string>()
  const locks = {
    async request(name: string, _options: object, hold: (lock: object | null) => Promise<unknown>) {
      held.add(name)
      await hold({})
      held.delete(name)
    },
  } as unknown as TabLocks
  const sent: number[] = []
  const clock = new TestClock()
  const onSend = (id: number) => void sent.push(id)
  const reads = new SharedReads({ locks, clock, lockOf: (call) => call, waitMs: 100, onSend })
  const { signal } = new AbortController()
  const ask = (key: string) =>
    reads.request({ kind: 'read', id: 7, endpoint, args: [], key, signal } as unknown as RequestCall, () =>
      Promise.resolve(key),
    )
  expect([await ask('first'), await ask('second')]).toEqual(['first', 'second'])
  expect(held.size).toBe(2)
  reads.leave(7)
  await Promise.resolve()
  await Promise.resolve()
  expect([...held]).toEqual([])
  expect(sent).toEqual([7])
})

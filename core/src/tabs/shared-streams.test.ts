import { expect, test, vi } from 'vitest'
import { BrowserLocks } from '../../../conformance/src/browser-tabs.js'
import { Endpoint } from '../index.js'
import type { StreamSink } from '../index.js'
import { SharedStreams } from './shared-streams.js'
import type { TabLocks } from './tab-options.js'

/** Gives locks back a moment after they are given up, as browsers do. */
function slowLocks(): TabLocks {
  const locks = new BrowserLocks().of(1)
  return {
    request: (name, options, run) =>
      locks.request(name, options, async (lock) => {
        const result = await run(lock)
        if (lock !== null) await new Promise((resolve) => setTimeout(resolve, 5))
        return result
      }),
  }
}

test('a stream that is closed and opened again, as by a reset, has missed nothing', async () => {
  const locks = slowLocks()
  const streams = new SharedStreams({
    locks,
    lockOf: (call) => call,
    bring: (_key, run) => run(),
    expire: () => {},
  })
  const opened = vi.fn(() => () => {})
  const feed = new Endpoint(() => Promise.resolve(null), { name: 'feed', stream: opened })
  const expire = vi.fn()
  const open = () => streams.open(feed, { hasGap: false, expire } as unknown as StreamSink, [], 'feed')
  const close = open()
  await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(1))
  close()
  open()
  await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(2))
  expect(expire).not.toHaveBeenCalled()
})

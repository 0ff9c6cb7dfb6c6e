import { ManualClock } from '@selfsame/conformance'
import { describe, expect, test } from 'vitest'
import { Controller, Endpoint } from '../index.js'
import type { Clock } from '../index.js'
import { connect } from '../live.js'
import { systemClock } from '../util/clock.js'
import { refetchOnInterval } from './refetch-on-interval.js'
import { retry } from './retry.js'

/** Advances a clock. For the platform's clock, waits that long. */
const passOn = (clock: Clock, ms: number) =>
  clock instanceof ManualClock
    ? void clock.advance(ms)
    : new Promise<void>((resolve) => clock.setTimeout(resolve, ms, { keepsAlive: true }))

/** Waits until a condition is true, for any time. */
async function until(clock: Clock, hasHappened: () => boolean): Promise<void> {
  while (!hasHappened()) {
    await passOn(clock, 5)
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}

// Asserts only the final state, not times: on a busy machine, timers of the platform fire at any time.
describe.each<[string, () => Clock]>([
  ['an injected clock', () => new ManualClock()],
  ['the clock of the platform', () => systemClock],
])('B11: under %s', (_, createClock) => {
  test('a read is retried until it is answered', async () => {
    const clock = createClock()
    const controller = new Controller({ clock, middleware: [retry({ delayMs: () => 10 })] })
    let requests = 0
    const get = new Endpoint(
      () => (++requests < 3 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve('answer')),
      { name: 'get' },
    )
    let answer: unknown
    void controller.fetch(get).then((value) => (answer = value))
    await until(clock, () => answer !== undefined)
    expect([answer, requests]).toEqual(['answer', 3])
    controller.dispose()
  })

  test('a call is polled until nobody is connected to it any more', async () => {
    const clock = createClock()
    const controller = new Controller({ clock, middleware: [refetchOnInterval(10)] })
    let requests = 0
    const get = new Endpoint(() => Promise.resolve(++requests), { name: 'get', pollFrequency: 10 })
    const end = connect(controller, get)
    await until(clock, () => requests >= 3)
    end()
    const before = requests
    let others = 0
    connect(
      controller,
      new Endpoint(() => Promise.resolve(++others), { name: 'getOther', pollFrequency: 10 }),
    )
    await until(clock, () => others >= 3)
    expect([controller.read(get).data, requests]).toEqual([before, before])
    controller.dispose()
  })

  test('data gets Stale by its age, and an error expires', async () => {
    const clock = createClock()
    const controller = new Controller({ clock, dataExpiryLength: 10, errorExpiryLength: 10 })
    const get = new Endpoint(() => Promise.resolve('answer'), { name: 'get' })
    const lasting = get.extend({ name: 'lasting', dataExpiryLength: Infinity })
    await Promise.all([controller.fetch(get), controller.fetch(lasting)])
    await until(clock, () => controller.read(get).status !== 'Valid')
    expect(controller.read(get)).toMatchObject({ status: 'Stale', data: 'answer' })
    expect(controller.read(lasting)).toMatchObject({ status: 'Valid', data: 'answer' })
    controller.dispose()
  })
})

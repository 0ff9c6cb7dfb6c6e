import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from '@selfsame/conformance'
import { callsOf } from '../controller/calls.js'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { connect } from './connect.js'

function createStage() {
  const clock = new ManualClock()
  const controller = new Controller({ clock })
  let requests = 0
  let isFailing = false
  const get = new Endpoint(
    async ({ id }: { id: number }) => {
      requests++
      if (isFailing) throw new TypeError('Failed to fetch')
      return `${id}, answer ${requests}`
    },
    { name: 'getPrice', pollFrequency: 5000 },
  )
  const pass = async (ms: number) => {
    clock.advance(ms)
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return { clock, controller, get, pass, requests: () => requests, fail: (is: boolean) => (isFailing = is) }
}

describe('connect to an endpoint with a pollFrequency', () => {
  test('fetches at once, then each pollFrequency, shared, until the last one ends', async () => {
    const { clock, controller, get, pass, requests } = createStage()
    const ends = [connect(controller, get, { id: 5 }), connect(controller, get, { id: 5 })]
    await pass(0)
    expect(requests()).toBe(1)
    await pass(5000)
    await pass(5000)
    expect(requests()).toBe(3)
    ends[0]!()
    ends[0]!()
    await pass(5000)
    expect(requests()).toBe(4)
    ends[1]!()
    await pass(50_000)
    expect(requests()).toBe(4)
    controller.dispose()
    expect(clock.timers).toBe(0)
  })

  test('counts from the last answer, whoever asked for it', async () => {
    const { controller, get, pass, requests } = createStage()
    connect(controller, get, { id: 5 })
    await pass(3000)
    await controller.fetch(get, { id: 5 })
    await pass(4999)
    expect(requests()).toBe(2)
    await pass(1)
    expect(requests()).toBe(3)
  })

  test('rests while the page is hidden, if its endpoint says so, and fetches what is due when it is shown', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    vi.stubGlobal('document', page)
    onTestFinished(() => void vi.unstubAllGlobals())
    const show = (visibilityState: 'hidden' | 'visible') => {
      page.visibilityState = visibilityState
      page.dispatchEvent(new Event('visibilitychange'))
    }
    const { clock, controller, get, pass, requests } = createStage()
    const ends = [
      connect(controller, get, { id: 5 }),
      connect(controller, get.extend({ pollWhileHidden: false }), { id: 6 }),
    ]
    await pass(0)
    expect(requests()).toBe(2)
    show('hidden')
    await pass(5000)
    await pass(5000)
    expect(requests()).toBe(4)
    show('visible')
    await pass(0)
    expect(requests()).toBe(5)
    show('hidden')
    await pass(2000)
    show('visible')
    await pass(0)
    expect(requests()).toBe(5)
    await pass(3000)
    expect(requests()).toBe(7)
    show('hidden')
    await pass(5000)
    ends.forEach((end) => end())
    show('visible')
    await pass(0)
    expect(requests()).toBe(8)
    expect(clock.timers).toBeLessThanOrEqual(1)
  })

  test('goes on after a failure, which leaves the data', async () => {
    const { controller, get, pass, requests, fail } = createStage()
    connect(controller, get, { id: 5 })
    await pass(0)
    fail(true)
    await pass(5000)
    await pass(5000)
    expect(requests()).toBe(3)
    expect(controller.read(get, { id: 5 }).data).toBe('5, answer 1')
    fail(false)
    await pass(5000)
    expect(controller.read(get, { id: 5 })).toMatchObject({ data: '5, answer 4', error: undefined })
  })

  test('fetches anew after invalidate and resetAll, and ends with dispose', async () => {
    const { clock, controller, get, pass, requests } = createStage()
    connect(controller, get, { id: 5 })
    await pass(0)
    controller.invalidate(get, { id: 5 })
    await pass(0)
    expect(requests()).toBe(2)
    controller.resetAll()
    await pass(0)
    expect(requests()).toBe(3)
    controller.dispose()
    expect(clock.timers).toBe(0)
    await pass(50_000)
    expect(requests()).toBe(3)
  })

  test('fetches at once what was made Stale, and counts from that answer', async () => {
    const { controller, get, pass, requests } = createStage()
    connect(controller, get, { id: 5 })
    connect(controller, get, { id: 5 })
    await pass(0)
    await pass(3000)
    controller.expireAll(get)
    await pass(0)
    expect(requests()).toBe(2)
    await pass(4999)
    expect(requests()).toBe(2)
    await pass(1)
    expect(requests()).toBe(3)
  })

  test('does not fetch what was made Stale if Stale data is good enough', async () => {
    const { controller, get, pass, requests } = createStage()
    connect(controller, get.extend({ policy: 'cache-first' }), { id: 5 })
    await pass(0)
    await pass(3000)
    controller.expireAll(get)
    await pass(0)
    expect(requests()).toBe(1)
    await pass(2000)
    expect(requests()).toBe(2)
  })

  test('waits for a request that was under way before, and counts from its answer', async () => {
    const { controller, pass } = createStage()
    const answers: (() => void)[] = []
    const get = new Endpoint(() => new Promise<void>((resolve) => answers.push(resolve)), {
      name: 'get',
      pollFrequency: 5000,
    })
    controller.setResponse(get, undefined)
    void controller.fetch(get)
    await pass(0)
    connect(controller, get)
    await pass(1000)
    answers[0]!()
    await pass(0)
    await pass(4999)
    expect(answers).toHaveLength(1)
    await pass(1)
    expect(answers).toHaveLength(2)
  })

  test('of many on one call one asks, after each answer and each invalidation', async () => {
    const { clock, controller, get, pass, requests } = createStage()
    const slow = get.extend({ pollFrequency: 60_000 })
    const ends = Array.from({ length: 20 }, (_, index) =>
      connect(controller, index % 2 === 0 ? get : slow, { id: 5 }),
    )
    await pass(0)
    for (const expected of [2, 3]) {
      await pass(5000)
      expect(requests()).toBe(expected)
    }
    controller.invalidate(get, { id: 5 })
    await pass(0)
    expect(requests()).toBe(4)
    for (const end of ends) end()
    await pass(60_000)
    expect(requests()).toBe(4)
    controller.dispose()
    expect(clock.timers).toBe(0)
  })

  test('leaves nothing behind of a call that cannot be asked for', () => {
    const { clock, controller, get } = createStage()
    const wrong = get.extend({ update: () => ({}) })
    expect(() => connect(controller, wrong, { id: 5 })).toThrow('getPrice has the option `update`')
    expect(callsOf(controller).call(wrong, [{ id: 5 }]).retainers).toBe(0)
    controller.dispose()
    expect(clock.timers).toBe(0)
  })

  test('refuses an endpoint without pollFrequency, and one that is no length', () => {
    const { controller, get } = createStage()
    const plain = new Endpoint(async () => 1, { name: 'plain' })
    expect(() => connect(controller, plain)).toThrow('plain cannot connect: it has neither')
    for (const pollFrequency of [0, -1, Number.NaN, Infinity]) {
      expect(() => get.extend({ pollFrequency })).toThrow(`getPrice has pollFrequency ${pollFrequency}`)
    }
  })
})

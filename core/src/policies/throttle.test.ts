import { describe, expect, test } from 'vitest'
import { Endpoint } from '../index.js'
import { retry } from './retry.js'
import { createStage, reply } from './testing-stage.js'
import { throttle } from './throttle.js'

/** Endpoints whose responses the test sends. */
function createQueue(...[options]: Parameters<typeof throttle>) {
  const stage = createStage(throttle(options))
  const sent: number[] = []
  const answers = new Map<number, { resolve: (value: number) => void; reject: (error: Error) => void }>()
  const ask = new Endpoint(
    (id: number) =>
      new Promise<number>((resolve, reject) => {
        sent.push(id)
        answers.set(id, { resolve, reject })
      }),
    { name: 'ask' },
  )
  const answer = async (id: number) => {
    answers.get(id)?.resolve(id)
    await stage.settle()
  }
  const fail = async (id: number) => {
    answers.get(id)?.reject(new Error('no'))
    await stage.settle()
  }
  return { ...stage, ask, send: ask.extend({ name: 'send', sideEffect: true }), sent, answer, fail }
}

describe('throttle', () => {
  test('makes at most so many requests at once, the rest in the order of asking', async () => {
    const { answer, ask, controller, fail, send, sent } = createQueue({ concurrency: 2 })
    const asked = [1, 2, 3].map((id) => controller.fetch(ask, id))
    const saved = controller.fetch(send, 4)
    const last = controller.fetch(ask, 5)
    expect(sent).toEqual([1, 2])
    await answer(2)
    expect(sent).toEqual([1, 2, 3])
    asked[0]?.catch(() => {})
    await fail(1)
    expect(sent).toEqual([1, 2, 3, 4])
    await answer(3)
    await answer(4)
    await answer(5)
    expect(await Promise.allSettled([...asked, saved, last])).toMatchObject([
      { status: 'rejected' },
      { value: 2 },
      { value: 3 },
      { value: 4 },
      { value: 5 },
    ])
    // Both slots are free again.
    controller.fetch(ask, 6).catch(() => {})
    controller.fetch(ask, 7).catch(() => {})
    controller.fetch(ask, 8).catch(() => {})
    expect(sent.slice(5)).toEqual([6, 7])
  })

  test('a read that nobody waits for any more gives up its place', async () => {
    const { answer, ask, controller, mount, pass, sent } = createQueue({ concurrency: 1 })
    controller.fetch(ask, 1).catch(() => {})
    const reader = await mount(ask, 2)
    controller.fetch(ask, 3).catch(() => {})
    reader.unmount()
    await pass(0)
    await answer(1)
    expect(sent).toEqual([1, 3])
  })

  test('one that is dropped in the moment in which it is its turn passes it on', async () => {
    const { answer, ask, clock, controller, mount, settle, sent } = createQueue({ concurrency: 1 })
    controller.fetch(ask, 1).catch(() => {})
    const reader = await mount(ask, 2)
    controller.fetch(ask, 3).catch(() => {})
    await settle()
    reader.unmount()
    const answered = answer(1)
    clock.advance(0)
    await answered
    await settle()
    expect(sent.at(-1)).toBe(3)
  })

  test('a reset frees what waits; what was sent keeps its place until it is over', async () => {
    const { answer, ask, controller, sent } = createQueue({ concurrency: 1 })
    const dropped = [controller.fetch(ask, 1), controller.fetch(ask, 2)]
    controller.resetAll()
    for (const { reason } of (await Promise.allSettled(dropped)) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 'hard-reset' })
    }
    controller.fetch(ask, 3).catch(() => {})
    expect(sent).toEqual([1])
    await answer(1)
    expect(sent).toEqual([1, 3])
  })

  test.each([
    [undefined, undefined, [1]],
    [undefined, false, [1, 2]],
    [false, undefined, [1, 2]],
    [false, true, [1]],
  ])('byDefault %s, endpoint %s: sends %s', (byDefault, own, expected) => {
    const { ask, controller, sent } = createQueue({ concurrency: 1, byDefault })
    const endpoint = ask.extend({ throttle: own })
    controller.fetch(endpoint, 1).catch(() => {})
    controller.fetch(endpoint, 2).catch(() => {})
    expect(sent).toEqual(expected)
  })

  test('a request that waits to be made again is not under way', async () => {
    const { api, controller, pass, server, settle } = createStage(
      retry({ delayMs: () => 10 }),
      throttle({ concurrency: 1 }),
    )
    let isFailing = true
    server.route('GET /todo/5', () => (isFailing ? reply.status(503) : { id: 5, title: '' }))
    const first = controller.fetch(api.get, { id: 5 })
    await settle()
    await controller.fetch(api.get, { id: 6 })
    isFailing = false
    await pass(10)
    await first
    expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/6', 'GET /todo/5'])
  })

  test('a concurrency that is no whole number above 0 is refused', () => {
    for (const concurrency of [0, -1, 1.5, Number.NaN, Infinity]) {
      expect(() => throttle({ concurrency })).toThrow(`throttle() received concurrency ${concurrency}`)
    }
  })
})

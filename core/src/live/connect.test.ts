import { callsOf } from '../controller/calls.js'
import { ManualClock } from '@selfsame/conformance'
import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint } from '../index.js'
import { Observer } from '../bindings.js'
import { connect, connectCall } from './connect.js'

function createStage() {
  const clock = new ManualClock()
  const controller = new Controller({ clock })
  const close = vi.fn()
  const stream = vi.fn(() => close)
  const get = new Endpoint(({ id }: { id: number }) => Promise.resolve(id), { name: 'get', stream })
  const poll = vi.fn(({ id }: { id: number }) => Promise.resolve(id))
  const polled = new Endpoint(poll, { name: 'getPolled', pollFrequency: 1000 })
  const pass = async (ms: number) => {
    clock.advance(ms)
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return { clock, close, controller, get, pass, poll, polled, stream }
}

describe('connect', () => {
  test('serves a Controller that was in use before, and its readers, from then on', async () => {
    const { clock, close, controller, get, pass, stream } = createStage()
    controller.setResponse(get, { id: 1 }, 1)
    const observer = new Observer(controller, get, [{ id: 1 }])
    observer.retain()
    controller.resetAll()
    expect(callsOf(controller).live).toBe(undefined)
    const end = connect(controller, get, { id: 1 })
    const endOfReader = observer.connect(connectCall)
    expect(stream).toHaveBeenCalledTimes(1)
    controller.resetAll()
    await pass(0)
    expect([stream.mock.calls.length, close.mock.calls.length]).toEqual([2, 1])
    end()
    expect(close).toHaveBeenCalledTimes(1)
    endOfReader()
    expect(close).toHaveBeenCalledTimes(2)
    controller.dispose()
    expect(clock.timers).toBe(0)
  })

  test('does nothing after dispose, which ended streams and polls', async () => {
    const { clock, close, controller, get, pass, poll, polled, stream } = createStage()
    const observer = new Observer(controller, get, [{ id: 2 }])
    const ends = [connect(controller, get, { id: 1 }), connect(controller, polled, { id: 1 })]
    await pass(0)
    controller.dispose()
    expect([close.mock.calls.length, clock.timers]).toEqual([1, 0])
    connect(controller, get, { id: 2 })()
    observer.connect(connectCall)()
    connect(controller, polled, { id: 2 })()
    for (const end of ends) end()
    await pass(5000)
    expect([stream.mock.calls.length, poll.mock.calls.length, clock.timers]).toEqual([1, 1, 0])
  })

  test('refuses a mutation', () => {
    const { controller, get } = createStage()
    const mutation = get.extend({ sideEffect: true })
    // @ts-expect-error a mutation cannot be connected
    expect(() => connect(controller, mutation, { id: 1 })).toThrow(
      'connect() received get, which is a mutation.',
    )
    expect(callsOf(controller).live).toBe(undefined)
  })
})

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from '../../../conformance/src/clock.js'
import { callsOf } from '../controller/calls.js'
import { Controller, Endpoint, Entity } from '../index.js'
import type { StreamSink } from '../index.js'
import { connect } from './connect.js'

class Price extends Entity {
  symbol = ''
  amount = 0
  override pk() {
    return this.symbol
  }
  static override key = 'Price'
}

/** An endpoint whose stream the test controls. */
function streamed(respond = (symbol: string) => Promise.resolve({ symbol, amount: 0 })) {
  const opened: { sink: StreamSink; symbol: string; isClosed: boolean }[] = []
  const endpoint = new Endpoint(({ symbol }: { symbol: string }) => respond(symbol), {
    name: 'getPrice',
    schema: Price,
    stream: (sink, { symbol }) => {
      const stream = { sink, symbol, isClosed: false }
      opened.push(stream)
      return () => {
        stream.isClosed = true
      }
    },
  })
  return { endpoint, opened }
}

describe('an endpoint with a stream', () => {
  test('is opened once for all who are connected to a call, and closed with the last', () => {
    const { endpoint, opened } = streamed()
    const controller = new Controller()
    const first = connect(controller, endpoint, { symbol: 'A' })
    const second = connect(controller, endpoint, { symbol: 'A' })
    connect(controller, endpoint, { symbol: 'B' })
    expect(opened.map(({ symbol }) => symbol)).toEqual(['A', 'B'])
    first()
    first()
    expect(opened[0]?.isClosed).toBe(false)
    second()
    expect(opened[0]?.isClosed).toBe(true)
    connect(controller, endpoint, { symbol: 'A' })
    expect(opened.length).toBe(3)
  })

  test('stores what it receives as the answer to the call, and makes no request', () => {
    const { endpoint, opened } = streamed()
    const controller = new Controller()
    connect(controller, endpoint, { symbol: 'A' })
    opened[0]!.sink.receive({ symbol: 'A', amount: 1 })
    expect(controller.read(endpoint, { symbol: 'A' })).toMatchObject({ data: { amount: 1 }, status: 'Valid' })
    opened[0]!.sink.fail(new Error('broken'))
    expect(controller.read(endpoint, { symbol: 'A' })).toMatchObject({
      data: { amount: 1 },
      error: { message: 'broken' },
    })
  })

  test('tells readers once of what it stores in one batch', () => {
    const { endpoint, opened } = streamed()
    const controller = new Controller()
    const heard = vi.fn()
    controller.subscribe(endpoint, { symbol: 'A' }, heard)
    connect(controller, endpoint, { symbol: 'A' })
    const { sink } = opened[0]!
    sink.batch(() => {
      for (let amount = 1; amount <= 100; amount++) sink.set(Price, { symbol: 'A' }, { amount })
    })
    expect(heard).toHaveBeenCalledTimes(1)
    expect(controller.get(Price, { symbol: 'A' })?.amount).toBe(100)
  })

  test('makes its call Stale where messages may have been missed', async () => {
    const { endpoint, opened } = streamed()
    const controller = new Controller({ clock: new ManualClock() })
    await controller.fetch(endpoint, { symbol: 'A' })
    connect(controller, endpoint, { symbol: 'A' })
    expect(controller.read(endpoint, { symbol: 'A' }).status).toBe('Valid')
    opened[0]!.sink.expire()
    expect(controller.read(endpoint, { symbol: 'A' }).status).toBe('Stale')
  })

  test('stores nothing once it was closed', () => {
    const { endpoint, opened } = streamed()
    const controller = new Controller()
    const end = connect(controller, endpoint, { symbol: 'A' })
    const { sink } = opened[0]!
    end()
    expect(sink.isOpen).toBe(false)
    sink.receive({ symbol: 'A', amount: 1 })
    sink.set(Price, { symbol: 'A' }, { amount: 1 })
    sink.fail(new Error('broken'))
    expect(controller.get(Price, { symbol: 'A' })).toBeUndefined()
    expect(controller.read(endpoint, { symbol: 'A' }).error).toBeUndefined()
  })

  test('is closed by a reset, and opened anew for those who are still connected (F18)', () => {
    const { endpoint, opened } = streamed()
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    connect(controller, endpoint, { symbol: 'A' })
    const leave = connect(controller, endpoint, { symbol: 'B' })
    const { sink } = opened[0]!
    controller.resetAll()
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true])
    sink.receive({ symbol: 'A', amount: 1 })
    expect(controller.get(Price, { symbol: 'A' })).toBeUndefined()
    leave()
    clock.advance(0)
    expect(opened.slice(2).map(({ symbol }) => symbol)).toEqual(['A'])
  })

  test('is closed by dispose, and keeps its call from being collected until then', () => {
    const { endpoint, opened } = streamed()
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    connect(controller, endpoint, { symbol: 'A' })
    opened[0]!.sink.receive({ symbol: 'A', amount: 1 })
    clock.advance(600_000)
    expect(controller.get(Price, { symbol: 'A' })?.amount).toBe(1)
    controller.dispose()
    expect(opened[0]?.isClosed).toBe(true)
    expect(connect(controller, endpoint, { symbol: 'A' })).toBeTypeOf('function')
    expect(opened.length).toBe(1)
  })

  test('belongs to a session, which a reset and dispose end', () => {
    const { endpoint, opened } = streamed()
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    connect(controller, endpoint, { symbol: 'A' })
    connect(controller, endpoint, { symbol: 'B' })
    const [first, second] = opened.map(({ sink }) => sink.session)
    expect(first).toBe(second)
    controller.resetAll()
    expect(first?.aborted).toBe(true)
    clock.advance(0)
    const { session } = opened[2]!.sink
    expect([session === first, session.aborted]).toEqual([false, false])
    controller.dispose()
    expect([session.aborted, clock.timers]).toEqual([true, 0])
  })

  test('has a gap for one who comes back, until somebody has asked (B9), and none in StrictMode (B12)', async () => {
    const { endpoint, opened } = streamed()
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    await controller.fetch(endpoint, { symbol: 'A' })
    connect(controller, endpoint, { symbol: 'A' })()
    const leave = connect(controller, endpoint, { symbol: 'A' })
    clock.advance(0)
    expect(opened.map(({ sink }) => sink.hasGap)).toEqual([false, false])
    leave()
    clock.advance(5000)
    connect(controller, endpoint, { symbol: 'A' })
    const { sink } = opened[2]!
    expect([sink.name, sink.hasGap]).toEqual(['getPrice', true])
    const answered = controller.fetch(endpoint, { symbol: 'A' })
    expect(sink.hasGap).toBe(false)
    await answered
    expect(sink.hasGap).toBe(false)
  })

  test.each(['before it returns', 'afterwards'])(
    'has a gap for one who comes back, if what was asked for before is answered %s',
    async (when) => {
      const answers: ((price: { symbol: string; amount: number }) => void)[] = []
      const { endpoint, opened } = streamed(() => new Promise((resolve) => answers.push(resolve)))
      const clock = new ManualClock()
      const controller = new Controller({ clock })
      const leave = connect(controller, endpoint, { symbol: 'A' })
      const loaded = controller.fetch(endpoint, { symbol: 'A' })
      clock.advance(1)
      leave()
      clock.advance(5000)
      const answer = async () => {
        answers[0]?.({ symbol: 'A', amount: 1 })
        await loaded
      }
      if (when === 'before it returns') await answer()
      connect(controller, endpoint, { symbol: 'A' })
      expect(opened[1]?.sink.hasGap).toBe(true)
      opened[1]?.sink.expire()
      if (when === 'afterwards') await answer()
      expect(controller.read(endpoint, { symbol: 'A' }).status).toBe('Stale')
    },
  )

  test('that cannot be opened throws to whoever connects, and is tried anew by the next', () => {
    const open = vi.fn((): (() => void) => {
      throw new Error('no socket')
    })
    const endpoint = new Endpoint(async () => 1, { name: 'getOne', stream: open })
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    expect(() => connect(controller, endpoint)).toThrow('no socket')
    expect(() => connect(controller, endpoint)).toThrow('no socket')
    expect(open).toHaveBeenCalledTimes(2)
    controller.dispose()
    expect(clock.timers).toBe(0)
  })

  test('that cannot be opened after a reset fails its call, and the others are opened', () => {
    let isBroken = false
    const broken = new Endpoint(async () => 1, {
      name: 'getOne',
      stream: () => {
        if (isBroken) throw new Error('no socket')
        return () => {}
      },
    })
    const { endpoint, opened } = streamed()
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    connect(controller, broken)
    connect(controller, endpoint, { symbol: 'A' })
    isBroken = true
    controller.resetAll()
    clock.advance(0)
    expect(controller.read(broken).error).toMatchObject({ message: 'no socket' })
    expect(opened.length).toBe(2)
  })

  test('that could not be opened after a reset is tried anew by whoever joins, and by the next reset', () => {
    const { endpoint, opened } = streamed()
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    let isBroken = false
    const stream: typeof endpoint.stream = (sink, params) => {
      if (isBroken) throw new Error('broken')
      return endpoint.stream!(sink, params)
    }
    const fragile = endpoint.extend({ stream: stream as NonNullable<typeof stream> })
    connect(controller, fragile, { symbol: 'A' })
    const reset = () => {
      controller.resetAll()
      clock.advance(0)
    }
    isBroken = true
    reset()
    expect(controller.read(fragile, { symbol: 'A' }).error?.message).toBe('broken')
    isBroken = false
    connect(controller, fragile, { symbol: 'A' })
    expect(opened.length).toBe(2)
    isBroken = true
    reset()
    isBroken = false
    reset()
    expect(opened.length).toBe(3)
    expect(opened[2]?.isClosed).toBe(false)
  })

  test('whose close throws is reported, and keeps no other stream open', async () => {
    const reported = vi.fn()
    process.on('uncaughtException', reported)
    onTestFinished(() => void process.off('uncaughtException', reported))
    const { endpoint, opened } = streamed()
    const clock = new ManualClock()
    const controller = new Controller({ clock })
    const broken = new Endpoint(async () => 1, {
      name: 'getOne',
      stream: () => () => {
        throw new Error('not closed')
      },
    })
    const end = connect(controller, broken)
    connect(controller, endpoint, { symbol: 'A' })
    controller.resetAll()
    expect(opened[0]?.isClosed).toBe(true)
    clock.advance(0)
    expect(opened.length).toBe(2)
    end()
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(reported.mock.calls.map(([error]) => (error as Error).message)).toEqual([
      'not closed',
      'not closed',
    ])
    expect([callsOf(controller).call(broken, []).retainers, opened[1]?.isClosed]).toEqual([0, false])
    controller.dispose()
    expect(opened[1]?.isClosed).toBe(true)
  })

  test.each(['resetAll', 'dispose'] as const)(
    'is closed where a listener of its first message calls %s (F18)',
    async (end) => {
      const { endpoint, opened } = streamed()
      const clock = new ManualClock()
      const controller = new Controller({ clock })
      const eager = endpoint.extend({
        stream: (sink: StreamSink, params: { symbol: string }) => {
          const close = endpoint.stream!(sink, params)
          sink.receive({ ...params, amount: 1 })
          sink.receive({ ...params, amount: 2 })
          return close
        },
      })
      const stop = controller.subscribe(eager, { symbol: 'A' }, () => {
        stop()
        controller[end]()
      })
      const leave = connect(controller, eager, { symbol: 'A' })
      expect([opened.length, opened[0]?.isClosed, opened[0]?.sink.isOpen]).toEqual([1, true, false])
      expect(controller.get(Price, { symbol: 'A' })?.amount).toBe(end === 'dispose' ? 1 : undefined)
      clock.advance(0)
      expect(opened.map(({ isClosed }) => isClosed)).toEqual(end === 'dispose' ? [true] : [true, false])
      leave()
      expect(opened.at(-1)?.isClosed).toBe(true)
      expect(callsOf(controller).call(eager, [{ symbol: 'A' }]).retainers).toBe(0)
    },
  )

  test('null arguments open nothing', () => {
    const { endpoint, opened } = streamed()
    connect(new Controller(), endpoint, null as never)()
    expect(opened.length).toBe(0)
  })

  test('a mutation cannot be connected to', () => {
    const { endpoint } = streamed()
    const mutation = endpoint.extend({ sideEffect: true })
    // @ts-expect-error hooks and `connect` take reads only
    expect(() => connect(new Controller(), mutation, { symbol: 'A' })).toThrow('getPrice')
  })
})

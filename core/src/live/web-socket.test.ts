import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from '../../../conformance/src/clock.js'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { Observer } from '../bindings.js'
import type { SelfsameError } from '../index.js'
import { connect, connectCall } from './connect.js'
import { createSockets } from './testing-fakes.js'
import { webSocket } from './web-socket.js'
import type { SocketStreamOptions, WebSocketOptions } from './web-socket.js'

class Price extends Entity {
  symbol = ''
  amount = 0
  override pk() {
    return this.symbol
  }
  static override readonly key = 'Price'
}

interface PriceMessage {
  readonly symbol: string
  readonly amount: number
}

type Args = [{ symbol: string }]

/** A fixed spread: the whole second half of a wait. */
const reconnect = { random: () => 1 }

function createStage(
  options: WebSocketOptions<PriceMessage> = {},
  streamOptions: SocketStreamOptions<PriceMessage, Args> = {},
) {
  const clock = new ManualClock()
  const controller = new Controller({ clock })
  const { Socket, sockets, last } = createSockets()
  let requests = 0
  const socket = webSocket<PriceMessage>('wss://a.example/live?token=secret', {
    WebSocket: Socket,
    reconnect,
    topicOf: ({ symbol }) => symbol,
    ...options,
  })
  const get = new Endpoint(
    async ({ symbol }: { symbol: string }) => {
      requests++
      return { symbol, amount: 0 }
    },
    {
      name: 'getPrice',
      schema: Price,
      stream: socket.stream<Args>({
        topic: ({ symbol }) => symbol,
        subscribe: ({ symbol }) => ({ subscribe: symbol }),
        unsubscribe: ({ symbol }) => ({ unsubscribe: symbol }),
        ...streamOptions,
      } as SocketStreamOptions<PriceMessage, Args>),
    },
  )
  const amount = (symbol: string) => controller.get(Price, { symbol })?.amount
  /** Mounts a reader that fetches and connects, as `useLive` does. */
  const showLive = (symbol: string) => {
    const observer = new Observer(controller, get, [{ symbol }])
    const heard = vi.fn()
    const end = [observer.subscribe(heard), observer.retain(), observer.connect(connectCall)]
    observer.readOrFetch()
    observer.fetchIfDue()
    return { heard, hide: () => end.forEach((each) => each()) }
  }
  /** Waits until responses have arrived. */
  const settle = async () => {
    await new Promise((resolve) => setTimeout(resolve, 0))
    clock.advance(0)
  }
  return {
    clock,
    controller,
    Socket,
    sockets,
    last,
    socket,
    get,
    amount,
    showLive,
    settle,
    requests: () => requests,
  }
}

describe('the connection', () => {
  test('is not made by a definition, and made for the first who connects', () => {
    const { controller, get, sockets, last } = createStage({ protocols: ['v1'] })
    expect(sockets.length).toBe(0)
    connect(controller, get, { symbol: 'A' })
    expect(sockets.length).toBe(1)
    expect(last()).toMatchObject({
      url: 'wss://a.example/live?token=secret',
      protocols: ['v1'],
      binaryType: 'arraybuffer',
    })
  })

  test('asks a function for its address once for each attempt', () => {
    const clock = new ManualClock()
    const { Socket, sockets } = createSockets()
    let tickets = 0
    const socket = webSocket(() => `wss://a.example?ticket=${++tickets}`, { WebSocket: Socket, reconnect })
    const get = new Endpoint(async () => 1, { name: 'get', stream: socket.stream<[]>() })
    const controller = new Controller({ clock })
    connect(controller, get)
    sockets[0]?.hangUp()
    clock.advance(1000)
    expect(sockets.map(({ url }) => url)).toEqual(['wss://a.example?ticket=1', 'wss://a.example?ticket=2'])
    controller.dispose()
  })

  test('is shared by all calls of one Controller, and not by two', () => {
    const { controller, get, sockets } = createStage()
    connect(controller, get, { symbol: 'A' })
    connect(controller, get, { symbol: 'A' })
    connect(controller, get, { symbol: 'B' })
    expect(sockets.length).toBe(1)
    connect(new Controller({ clock: new ManualClock() }), get, { symbol: 'A' })
    expect(sockets.length).toBe(2)
  })

  test('is kept for a while after the last, and then closed', () => {
    const { clock, controller, get, sockets, last } = createStage()
    const end = connect(controller, get, { symbol: 'A' })
    last().accept()
    end()
    clock.advance(999)
    expect(last().isClosed).toBe(false)
    const endAgain = connect(controller, get, { symbol: 'A' })
    clock.advance(5000)
    expect(sockets.length).toBe(1)
    expect(last().sent).toEqual([{ subscribe: 'A' }])
    endAgain()
    clock.advance(1000)
    expect(last().isClosed).toBe(true)
    connect(controller, get, { symbol: 'A' })
    expect(sockets.length).toBe(2)
  })

  test('is closed at once by a reset, and made anew for those who stay (F18)', () => {
    const { clock, controller, get, sockets, amount } = createStage()
    connect(controller, get, { symbol: 'A' })
    sockets[0]!.accept()
    sockets[0]!.tell({ symbol: 'A', amount: 1 })
    controller.resetAll()
    expect(sockets[0]!.isClosed).toBe(true)
    sockets[0]!.tell({ symbol: 'A', amount: 2 })
    clock.advance(100)
    expect(amount('A')).toBeUndefined()
    expect(sockets.length).toBe(2)
    sockets[1]!.accept()
    expect(sockets[1]!.sent).toEqual([{ subscribe: 'A' }])
  })

  test('of the previous user is not used again by one who connects in time', () => {
    const { controller, get, sockets } = createStage()
    connect(controller, get, { symbol: 'A' })()
    controller.resetAll()
    expect(sockets[0]!.isClosed).toBe(true)
    connect(controller, get, { symbol: 'A' })
    expect(sockets.length).toBe(2)
  })

  test('leaves no timer after dispose', () => {
    const { clock, controller, get, last, sockets } = createStage({ heartbeat: { everyMs: 1000 } })
    const end = connect(controller, get, { symbol: 'A' })
    connect(controller, get, { symbol: 'B' })
    last().accept()
    last().tell({ symbol: 'A', amount: 1 })
    end()
    controller.dispose()
    expect(last().isClosed).toBe(true)
    expect(clock.timers).toBe(0)
    last().hangUp()
    expect([clock.timers, sockets.length]).toEqual([0, 1])
  })

  test('needs a WebSocket, and says so where there is none', () => {
    vi.stubGlobal('WebSocket', undefined)
    try {
      const { controller, get, clock } = createStage({ WebSocket: undefined })
      const open = () => connect(controller, get, { symbol: 'A' })
      expect(open).toThrow('webSocket wss://a.example/live cannot connect: this platform has no WebSocket.')
      expect(open).toThrow(expect.objectContaining({ code: 'transport-missing' }))
      controller.dispose()
      expect(clock.timers).toBe(0)
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test.each([
    ['batchMs', { batchMs: -1 }],
    ['lingerMs', { lingerMs: Number.NaN }],
    ['maxDelayMs', { reconnect: { maxDelayMs: 2 ** 31 } }],
    ['everyMs', { heartbeat: { everyMs: -5 } }],
  ])('refuses a %s that no timer waits', (option, options) => {
    expect(() => webSocket('wss://a.example', options)).toThrow(option)
  })
})

describe('subscriptions', () => {
  test('are sent when the connection is open, once for equal ones, and ended after a while', () => {
    const { clock, controller, get, last } = createStage()
    const ends = [connect(controller, get, { symbol: 'A' }), connect(controller, get, { symbol: 'A' })]
    const other = get.extend({ name: 'getOther' })
    ends.push(connect(controller, other, { symbol: 'A' }))
    expect(last().sent).toEqual([])
    last().accept()
    expect(last().sent).toEqual([{ subscribe: 'A' }])
    connect(controller, get, { symbol: 'B' })
    expect(last().sent).toEqual([{ subscribe: 'A' }, { subscribe: 'B' }])
    for (const end of ends) end()
    clock.advance(999)
    expect(last().sent.length).toBe(2)
    clock.advance(1)
    expect(last().sent.at(-1)).toEqual({ unsubscribe: 'A' })
  })

  test('wait for a greeting: one that cannot be made is a loss, and is made again', () => {
    let isSignedIn = false
    const greet = () => {
      if (!isSignedIn) throw new Error('nobody is signed in')
      return { token: 't' }
    }
    const { clock, controller, get, sockets, last } = createStage({ greet })
    connect(controller, get, { symbol: 'A' })
    last().accept()
    expect(last()).toMatchObject({ isClosed: true, sent: [] })
    isSignedIn = true
    clock.advance(1000)
    expect(sockets.length).toBe(2)
    last().accept()
    expect(last().sent).toEqual([{ token: 't' }, { subscribe: 'A' }])
  })

  test('follow the greeting, and what is sent can be serialized in another way', () => {
    const { controller, get, last } = createStage({
      greet: () => ({ token: 't' }),
      serialize: (message) => `<${JSON.stringify(message)}>`,
    })
    connect(controller, get, { symbol: 'A' })
    last().accept()
    expect(last().sent).toEqual(['<{"token":"t"}>', '<{"subscribe":"A"}>'])
  })
})

test('a message has a Set as a list', () => {
  const { controller, get, last } = createStage(
    {},
    { subscribe: ({ symbol }) => ({ of: new Set([symbol]) }) },
  )
  connect(controller, get, { symbol: 'A' })
  last().accept()
  expect(last().sent).toEqual([{ of: ['A'] }])
})

describe('a subscription that cannot be sent', () => {
  test('is reported with its endpoint, and the others are sent: at the opening, later and at the end', () => {
    const reported: SelfsameError[] = []
    const say = (symbol: string) => (symbol === 'B' ? { big: 1n } : { subscribe: symbol })
    const { clock, controller, get, last } = createStage(
      { onError: (error) => reported.push(error) },
      { subscribe: ({ symbol }) => say(symbol), unsubscribe: ({ symbol }) => say(symbol) },
    )
    connect(controller, get, { symbol: 'A' })
    const ends = [connect(controller, get, { symbol: 'B' }), connect(controller, get, { symbol: 'C' })]
    last().accept()
    expect(last().sent).toEqual([{ subscribe: 'A' }, { subscribe: 'C' }])
    expect(reported.map(({ code, message }) => [code, message])).toEqual([
      [
        'message-unusable',
        `webSocket wss://a.example/live cannot send a subscription of getPrice: TypeError was thrown, see the \`cause\`
  Correct \`subscribe\`, or pass a \`serialize\` function that turns its result into text.`,
      ],
    ])
    for (const end of ends) end()
    clock.advance(1000)
    expect(last().sent.at(-1)).toEqual({ subscribe: 'C' })
    connect(controller, get, { symbol: 'B' })
    expect(reported.length).toBe(3)
  })
})

describe('messages', () => {
  test('reach the calls of their topic, as their answers', () => {
    const { clock, controller, get, last, amount } = createStage()
    connect(controller, get, { symbol: 'A' })
    last().accept()
    last().tell({ symbol: 'A', amount: 1 }, { symbol: 'B', amount: 2 })
    clock.advance(16)
    expect(controller.read(get, { symbol: 'A' })).toMatchObject({ data: { amount: 1 }, status: 'Valid' })
    expect(amount('B')).toBeUndefined()
  })

  test('without topics reach every call, and are left out where select says so', () => {
    const { clock, controller, get, last } = createStage(
      { topicOf: undefined },
      {
        topic: undefined,
        select: (message, { symbol }) => (message.symbol === symbol ? message : undefined),
      },
    )
    connect(controller, get, { symbol: 'A' })
    connect(controller, get, { symbol: 'B' })
    last().accept()
    last().tell({ symbol: 'B', amount: 2 })
    clock.advance(16)
    expect(controller.read(get, { symbol: 'A' }).data).toBeUndefined()
    expect(controller.read(get, { symbol: 'B' }).data).toMatchObject({ amount: 2 })
  })

  test('are records of a list, stored one by one', async () => {
    const { clock, controller, last, socket } = createStage()
    const list = new Endpoint(async () => [{ symbol: 'A', amount: 0 }], {
      name: 'getPrices',
      schema: [Price],
      stream: socket.stream({ schema: Price }),
    })
    await controller.fetch(list)
    connect(controller, list)
    last().accept()
    last().tell({ symbol: 'A', amount: 7 })
    clock.advance(16)
    expect(controller.read(list).data).toEqual([{ symbol: 'A', amount: 7 }])
  })

  test('are stored by their kind; one of another kind is left out', async () => {
    const { clock, controller, last } = createStage()
    const { Socket, last: lastChange } = createSockets()
    const prices = new schema.Collection([Price])
    const changes = webSocket<{ kind: string; price: object }>('wss://a.example', { WebSocket: Socket })
    const list = new Endpoint(async () => [{ symbol: 'A', amount: 0 }], {
      name: 'getPrices',
      schema: prices,
      stream: changes.stream({
        schemaAttribute: 'kind',
        schemas: { created: prices.push, updated: Price, deleted: new schema.Delete(Price) },
        select: ({ price }) => price,
      }),
    })
    await controller.fetch(list)
    connect(controller, list)
    lastChange().accept()
    const tell = (kind: string, price: object) => {
      lastChange().tell({ kind, price })
      clock.advance(16)
      return controller.read(list).data?.map(({ symbol, amount }) => `${symbol} ${amount}`)
    }
    expect(tell('created', { symbol: 'B', amount: 2 })).toEqual(['A 0', 'B 2'])
    expect(tell('created', { symbol: 'B', amount: 3 })).toEqual(['A 0', 'B 3'])
    expect(tell('updated', { symbol: 'A', amount: 1 })).toEqual(['A 1', 'B 3'])
    expect(tell('constructor', { symbol: 'A', amount: 9 })).toEqual(['A 1', 'B 3'])
    expect(tell('deleted', { symbol: 'A' })).toEqual(['B 3'])
    expect(() => last()).toThrow('No socket')
  })

  test('are stored in a way of its own by apply', () => {
    const { clock, controller, last, socket } = createStage()
    const get = new Endpoint(async ({ id }: { id: number }): Promise<unknown> => id, {
      name: 'getAny',
      stream: socket.stream({
        apply: (message, sink, { id }) => {
          sink.set(Price, {}, message)
          sink.receive(`${id} heard of ${message.symbol}`)
        },
      }),
    })
    connect(controller, get, { id: 5 })
    last().accept()
    last().tell({ symbol: 'A', amount: 1 })
    clock.advance(16)
    expect(controller.read(get, { id: 5 }).data).toBe('5 heard of A')
    expect(controller.get(Price, { symbol: 'A' })?.amount).toBe(1)
  })

  test('are stored at once with a batchMs of 0', () => {
    const { controller, get, last, amount } = createStage({ batchMs: 0 })
    connect(controller, get, { symbol: 'A' })
    last().accept()
    last().tell({ symbol: 'A', amount: 1 })
    expect(amount('A')).toBe(1)
  })

  test('10,000 in a second cause few notifications, and the last of each record stays (F19)', () => {
    const { clock, controller, get, last } = createStage()
    const told = new Map<string, number>()
    for (let index = 0; index < 100; index++) {
      const symbol = `S${index}`
      connect(controller, get, { symbol })
      controller.subscribe(get, { symbol }, () => told.set(symbol, (told.get(symbol) ?? 0) + 1))
    }
    last().accept()
    for (let message = 0; message < 10_000; message++) {
      last().tell({ symbol: `S${message % 100}`, amount: message })
      // 100 messages every 10 ms.
      if (message % 100 === 99) clock.advance(10)
    }
    clock.advance(16)
    // A batch starts with the first message after the one before, so there is at most one every 20 ms.
    expect(Math.max(...told.values())).toBeLessThanOrEqual(51)
    for (let index = 0; index < 100; index++) {
      const { data } = controller.read(get, { symbol: `S${index}` })
      expect(data).toMatchObject({ amount: 9900 + index })
    }
  })

  test('of a burst are stored once there are 10,000, also where timers do not fire', () => {
    const { controller, get, last, amount } = createStage()
    const heard = vi.fn()
    connect(controller, get, { symbol: 'A' })
    controller.subscribe(get, { symbol: 'A' }, heard)
    last().accept()
    for (let message = 1; message <= 10_000; message++) last().tell({ symbol: 'A', amount: message })
    expect(amount('A')).toBe(10_000)
    expect(heard).toHaveBeenCalledTimes(1)
  })
})

describe('a message that is of no use', () => {
  const messages = [
    '{"symbol":"A","amount":1}',
    'no JSON',
    new ArrayBuffer(1),
    '{"symbol":"A","amount":2,"nothing":',
    '[]',
    'null',
  ]

  test('is reported, and the others are stored', () => {
    const reported: SelfsameError[] = []
    const { clock, controller, get, last, amount } = createStage(
      { onError: (error) => reported.push(error), topicOf: (message) => message.symbol ?? 'A' },
      {},
    )
    connect(controller, get, { symbol: 'A' })
    last().accept()
    for (const message of messages) last().tellRaw(message)
    last().tell({ symbol: 'A', amount: 3 })
    clock.advance(16)
    expect(amount('A')).toBe(3)
    expect(reported.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'message-unusable'))
    const texts = reported.map(({ message }) => message.split('\n', 1)[0])
    expect(texts[0]).toBe(
      'webSocket wss://a.example/live received a message that it cannot parse (SyntaxError), and ignored it.',
    )
    expect(texts[3]).toContain('received a message that it cannot store for getPrice, and ignored it: ')
    expect(controller.read(get, { symbol: 'A' }).error).toBeUndefined()
  })

  test('is a warning by default, once for each endpoint', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    try {
      const { clock, controller, get, last } = createStage({}, { select: () => [] })
      connect(controller, get, { symbol: 'A' })
      last().accept()
      for (let index = 0; index < 5; index++) last().tell({ symbol: 'A', amount: index })
      clock.advance(16)
      expect(warned).toHaveBeenCalledOnce()
      expect(warned.mock.calls[0]?.[0]).toContain('for getPrice')
    } finally {
      warned.mockRestore()
    }
  })

  test('costs the others nothing when onError throws, which is reported', () => {
    const reported: unknown[] = []
    vi.stubGlobal('queueMicrotask', (run: () => void) => {
      try {
        run()
      } catch (error) {
        reported.push((error as Error).message)
      }
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    const { clock, controller, get, last, amount } = createStage({
      onError: () => {
        throw new Error('no log')
      },
    })
    connect(controller, get, { symbol: 'A' })
    last().accept()
    last().tellRaw('{')
    last().tell({ symbol: 'A', amount: 3 })
    clock.advance(16)
    expect(amount('A')).toBe(3)
    expect(reported).toEqual(['no log'])
  })

  test('is left out without a word by a parse that gives nothing', () => {
    const onError = vi.fn()
    const { clock, controller, get, last } = createStage({ onError, parse: () => undefined })
    connect(controller, get, { symbol: 'A' })
    last().accept()
    last().tellRaw('pong')
    clock.advance(16)
    expect(onError).not.toHaveBeenCalled()
  })
})

describe('a lost connection', () => {
  test('is tried again with growing waits, which are short again once it was healthy', () => {
    const { clock, controller, get, sockets, last } = createStage()
    connect(controller, get, { symbol: 'A' })
    const waits: number[] = []
    const measure = () => {
      last().hangUp()
      const count = sockets.length
      let waited = 0
      for (; sockets.length === count; waited += 500) clock.advance(500)
      waits.push(waited)
    }
    for (let attempt = 0; attempt < 7; attempt++) measure()
    last().accept()
    clock.advance(9999)
    measure()
    last().accept()
    clock.advance(10_000)
    measure()
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 1000])
  })

  test('spreads the attempts of many clients over the second half of each wait', () => {
    const { clock, controller, get, sockets, last } = createStage({ reconnect: { random: () => 0 } })
    connect(controller, get, { symbol: 'A' })
    last().hangUp()
    clock.advance(499)
    expect(sockets.length).toBe(1)
    clock.advance(1)
    expect(sockets.length).toBe(2)
  })

  test('is not waited for when nobody needs it any more', () => {
    const { clock, controller, get, sockets, last } = createStage()
    const end = connect(controller, get, { symbol: 'A' })
    last().hangUp()
    end()
    // Long enough for garbage collection.
    clock.advance(1_200_000)
    expect(sockets.length).toBe(1)
    expect(clock.timers).toBe(0)
  })

  test('stores what came before, and leaves data and error as they are', () => {
    const { controller, get, last } = createStage()
    connect(controller, get, { symbol: 'A' })
    last().accept()
    last().tell({ symbol: 'A', amount: 1 })
    last().hangUp()
    expect(controller.read(get, { symbol: 'A' })).toMatchObject({ data: { amount: 1 }, error: undefined })
  })

  test('is subscribed to again, and its readers fetch what they may have missed', async () => {
    const { clock, last, requests, settle, showLive } = createStage()
    showLive('A')
    showLive('B')
    last().accept()
    await settle()
    expect(requests()).toBe(2)
    last().hangUp()
    await settle()
    expect(requests()).toBe(2)
    clock.advance(1000)
    await settle()
    expect(requests()).toBe(2)
    last().accept()
    expect(last().sent).toEqual([{ subscribe: 'A' }, { subscribe: 'B' }])
    await settle()
    expect(requests()).toBe(4)
  })

  test('causes no requests where the server sends what was missed', async () => {
    const { clock, last, requests, settle, showLive } = createStage({ refetch: 'never' })
    showLive('A')
    last().accept()
    await settle()
    last().hangUp()
    clock.advance(1000)
    last().accept()
    await settle()
    expect(requests()).toBe(1)
  })

  test('that was closed for good fails its calls, until somebody connects anew', () => {
    const { clock, controller, get, sockets, last } = createStage({ isFinal: ({ code }) => code === 4401 })
    connect(controller, get, { symbol: 'A' })
    last().accept()
    last().tell({ symbol: 'A', amount: 1 })
    last().hangUp(4401, 'signed out')
    expect(controller.read(get, { symbol: 'A' })).toMatchObject({
      data: { amount: 1 },
      error: { code: 'connection-lost' },
    })
    clock.advance(60_000)
    expect(sockets.length).toBe(1)
    connect(controller, get, { symbol: 'B' })
    last().accept()
    expect(last().sent).toEqual([{ subscribe: 'A' }, { subscribe: 'B' }])
  })

  test('is not tried again with reconnect: false', () => {
    const { clock, controller, get, sockets, last } = createStage({ reconnect: false })
    connect(controller, get, { symbol: 'A' })
    last().hangUp()
    clock.advance(60_000)
    expect(sockets.length).toBe(1)
    expect(controller.read(get, { symbol: 'A' }).error).toMatchObject({ code: 'connection-lost' })
  })

  test('is tried again also when making a socket throws', () => {
    let isBroken = false
    const { clock, controller, Socket, sockets, last } = createStage()
    const socket = webSocket(
      () => {
        if (isBroken) throw new Error('no token')
        return 'wss://a.example'
      },
      { WebSocket: Socket, reconnect },
    )
    const get = new Endpoint(async () => 1, { name: 'getOne', stream: socket.stream() })
    connect(controller, get)
    isBroken = true
    last().hangUp()
    clock.advance(1000)
    isBroken = false
    expect(sockets.length).toBe(1)
    clock.advance(2000)
    expect(sockets.length).toBe(2)
  })

  describe('without a network', () => {
    const network = new EventTarget()
    beforeEach(() => {
      vi.stubGlobal('navigator', { onLine: false })
      vi.stubGlobal('addEventListener', network.addEventListener.bind(network))
      vi.stubGlobal('removeEventListener', network.removeEventListener.bind(network))
    })
    afterEach(() => {
      vi.unstubAllGlobals()
    })

    test('waits for one', () => {
      const { clock, controller, get, sockets, last } = createStage()
      connect(controller, get, { symbol: 'A' })
      last().hangUp()
      clock.advance(600_000)
      expect(sockets.length).toBe(1)
      network.dispatchEvent(new Event('online'))
      expect(sockets.length).toBe(2)
      last().hangUp()
      controller.dispose()
      network.dispatchEvent(new Event('online'))
      expect(sockets.length).toBe(2)
    })
  })
})

describe('what was missed', () => {
  test('before the first message is not asked for, unless the definition says so', async () => {
    for (const [refetch, expected] of [
      ['reconnect', 1],
      ['open', 2],
    ] as const) {
      const { last, requests, settle, showLive } = createStage({ refetch })
      showLive('A')
      await settle()
      last().accept()
      await settle()
      expect(requests()).toBe(expected)
    }
  })

  test('is fetched without a reader, too, and once where there are several', async () => {
    const { clock, controller, get, last, requests, settle, showLive } = createStage()
    await controller.fetch(get, { symbol: 'A' })
    const heard = vi.fn()
    controller.subscribe(get, { symbol: 'A' }, heard)
    const ends = [connect(controller, get, { symbol: 'A' }), connect(controller, get, { symbol: 'A' })]
    // Nothing was fetched, so there is nothing to keep fresh.
    connect(controller, get, { symbol: 'B' })
    const loseAndReturn = async () => {
      last().hangUp()
      clock.advance(5000)
      last().accept()
      await settle()
    }
    last().accept()
    await settle()
    expect(requests()).toBe(1)
    await loseAndReturn()
    expect(requests()).toBe(2)
    showLive('A')
    await settle()
    await loseAndReturn()
    expect(requests()).toBe(3)
    ends.forEach((end) => end())
    controller.dispose()
    expect(clock.timers).toBe(0)
  })

  test('while a reader was away is fetched when it comes back (B9), and not after StrictMode (B12)', async () => {
    const { clock, last, requests, settle, showLive, sockets } = createStage()
    showLive('A').hide()
    const reader = showLive('A')
    last().accept()
    await settle()
    expect([requests(), sockets.length]).toEqual([1, 1])
    reader.hide()
    clock.advance(20_000)
    showLive('A')
    await settle()
    expect(requests()).toBe(1)
    last().accept()
    await settle()
    expect([requests(), sockets.length]).toEqual([2, 2])
  })
})

describe('a handshake that is never answered', () => {
  test.each([
    [{ timeoutMs: 3000 }, 3000],
    [{ heartbeat: { everyMs: 1000 } }, 2000],
    [{ heartbeat: { everyMs: 1000, timeoutMs: 5000 } }, 5000],
    [{ timeoutMs: 3000, heartbeat: { everyMs: 1000 } }, 3000],
    [{}, 30_000],
  ])('is given up with %j after %d ms, and another is tried', (options, timeoutMs) => {
    const { clock, controller, get, sockets, last } = createStage(options)
    connect(controller, get, { symbol: 'A' })
    clock.advance(timeoutMs - 1)
    expect(last().isClosed).toBe(false)
    clock.advance(1)
    expect(last().isClosed).toBe(true)
    clock.advance(1000)
    expect(sockets.length).toBe(2)
  })

  test('is not looked for any more once it was', () => {
    const { clock, controller, get, sockets, last } = createStage({ timeoutMs: 3000 })
    connect(controller, get, { symbol: 'A' })
    last().accept()
    clock.advance(60_000)
    expect([sockets.length, last().isClosed]).toEqual([1, false])
  })
})

describe('a heartbeat', () => {
  test('is sent, and a connection that stays silent is made again', () => {
    const { clock, controller, get, sockets, last } = createStage({
      heartbeat: { everyMs: 1000, message: { ping: 1 } },
    })
    connect(controller, get, { symbol: 'A' })
    last().accept()
    clock.advance(1000)
    expect(last().sent).toEqual([{ subscribe: 'A' }, { ping: 1 }])
    last().tell({ symbol: 'A', amount: 1 })
    clock.advance(1000)
    expect(last().isClosed).toBe(false)
    clock.advance(1000)
    expect(last().isClosed).toBe(true)
    clock.advance(1000)
    expect(sockets.length).toBe(2)
  })

  test('finds no silence in what was answered, however late its timers fire, as those of a hidden page', () => {
    const { clock, controller, get, last } = createStage({
      batchMs: 0,
      heartbeat: { everyMs: 1000, message: { ping: 1 } },
    })
    const setTimeout = clock.setTimeout.bind(clock)
    vi.spyOn(clock, 'setTimeout').mockImplementation((callback) => setTimeout(callback, 60_000))
    connect(controller, get, { symbol: 'A' })
    last().accept()
    clock.advance(60_000)
    expect(last().sent.at(-1)).toEqual({ ping: 1 })
    last().tell({ symbol: 'A', amount: 1 })
    clock.advance(60_000)
    expect(last().isClosed).toBe(false)
    clock.advance(60_000)
    expect(last().isClosed).toBe(true)
  })
})

test('what has arrived before a response is stored before it', async () => {
  const { clock, controller, get, last, amount, requests } = createStage({}, { refetch: 'never' })
  controller.set(Price, { symbol: 'ABC' }, { amount: 0 })
  const end = connect(controller, get, { symbol: 'ABC' })
  last().accept()
  const set = new Endpoint(
    async ({ symbol }: { symbol: string }, body: { amount: number }) => ({ symbol, ...body }),
    { name: 'set', sideEffect: true, schema: Price },
  )
  const setting = controller.fetch(set, { symbol: 'ABC' }, { amount: 10 })
  // The server sent it before it handled the mutation.
  last().tell({ symbol: 'ABC', amount: 5 })
  expect(amount('ABC')).toBe(0)
  await setting
  clock.advance(16)
  // It differs from the response, so the server is asked.
  expect(requests()).toBe(1)
  end()
})

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { debounced } from '../endpoint/debounced.js'
import { Endpoint } from '../endpoint/endpoint.js'
import type { FetchContext } from '../endpoint/endpoint.js'
import { Observer, dataIn } from '../observer/observer.js'
import { promiseOf } from '../observer/promise-of.js'
import { RestEndpoint } from '../rest/rest-endpoint.js'
import { Entity } from '../schema/entity.js'
import { Controller } from './controller.js'
import type { Middleware } from './controller.js'
import { optimistic } from '../optimistic/optimistic.js'

class Todo extends Entity {
  id = 0
  title = ''
}

interface Request {
  readonly id: number
  readonly signal: AbortSignal | undefined
  readonly answer: () => Promise<void>
}

/** A Controller with a clock that the test moves, and an endpoint whose responses the test sends. */
function createStage() {
  let now = 1_000_000
  let timers: { readonly at: number; readonly callback: () => void }[] = []
  const clock = {
    now: () => now,
    setTimeout(callback: () => void, delayMs: number) {
      const timer = { at: now + delayMs, callback }
      timers.push(timer)
      return timer
    },
    clearTimeout: (timer: unknown) => void (timers = timers.filter((other) => other !== timer)),
  }
  /** Moves the clock, and waits for promises. */
  const pass = async (ms: number) => {
    now += ms
    const due = timers.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
    for (const timer of due) {
      if (!timers.includes(timer)) continue
      timers = timers.filter((other) => other !== timer)
      timer.callback()
    }
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  const requests: Request[] = []
  const get = new Endpoint(
    function getTodo(this: FetchContext, { id }: { id: number }) {
      return new Promise<unknown>((resolve) => {
        const answer = async () => {
          resolve({ id, title: `Todo ${id}` })
          await new Promise((next) => setTimeout(next, 0))
        }
        requests.push({ id, signal: this.signal, answer })
      })
    },
    { schema: Todo },
  )
  const controller = new Controller({ clock })
  const observe = (id = 5) => new Observer<Todo>(controller, get, [{ id }])
  const aborted = () => requests.map(({ signal }) => signal?.aborted)
  return { clock, controller, get, observe, aborted, pass, requests }
}

describe('a read', () => {
  test('is aborted one macrotask after its last retainer left', async () => {
    const { observe, aborted, pass, controller, get } = createStage()
    const [first, second] = [observe(), observe()]
    const ends = [first.retain(), second.retain()]
    const promise = promiseOf(first)
    second.fetchIfDue()
    ends[0]!()
    await pass(0)
    expect(aborted()).toEqual([false])
    ends[1]!()
    expect(aborted()).toEqual([false])
    await pass(0)
    expect(aborted()).toEqual([true])
    expect(promise?.status).toBe('pending')
    expect(controller.read(get, { id: 5 })).toMatchObject({ error: undefined, fetching: false })
  })

  test('goes on when a reader leaves and comes back in one task (F16, B12)', async () => {
    const { observe, aborted, pass, requests } = createStage()
    const observer = observe()
    const release = observer.retain()
    observer.fetchIfDue()
    release()
    const end = observer.retain()
    await pass(0)
    await requests[0]!.answer()
    expect(aborted()).toEqual([false])
    expect(dataIn(observer.readCached())).toMatchObject({ id: 5 })
    end()
    await pass(0)
    expect(aborted()).toEqual([false])
  })

  test('that was aborted is no request to join, and its answer is dropped, though its function did not listen', async () => {
    const { observe, aborted, pass, requests, controller, get } = createStage()
    const first = observe()
    const release = first.retain()
    first.fetchIfDue()
    release()
    await pass(0)
    const next = observe()
    const end = next.retain()
    next.fetchIfDue()
    await requests[0]!.answer()
    expect(controller.read(get, { id: 5 })).toMatchObject({ data: undefined, fetching: true })
    await requests[1]!.answer()
    expect(dataIn(next.readCached())).toMatchObject({ id: 5 })
    expect(aborted()).toEqual([true, false])
    end()
  })

  test('goes on while a reader holds it that is not on screen yet, and not when that one leaves', async () => {
    const { observe, aborted, pass } = createStage()
    const [first, second] = [observe(), observe()]
    const release = first.retain()
    first.fetchIfDue()
    second.readOrFetch()
    release()
    await pass(0)
    expect(aborted()).toEqual([false])
    second.leave()
    await pass(0)
    expect(aborted()).toEqual([true])
  })

  test('whose promise controller.fetch gave is never aborted', async () => {
    const { observe, aborted, pass, requests, controller, get } = createStage()
    const observer = observe()
    const release = observer.retain()
    observer.fetchIfDue()
    const fetched = controller.fetch(get, { id: 5 })
    release()
    await pass(0)
    expect(aborted()).toEqual([false])
    await requests[0]!.answer()
    expect(await fetched).toMatchObject({ id: 5 })
  })

  test('is aborted by a reset and by the end of its Controller', async () => {
    const { controller, get, aborted } = createStage()
    const first = controller.fetch(get, { id: 5 })
    controller.resetAll()
    const second = controller.fetch(get, { id: 5 })
    controller.dispose()
    expect(aborted()).toEqual([true, true])
    await expect(first).rejects.toMatchObject({ code: 'hard-reset' })
    await expect(second).rejects.toMatchObject({ code: 'controller-disposed' })
  })

  test.each(['the last reader', 'a reset'] as const)(
    'sent by a listener of the abort by %s is another one, and is answered',
    async (who) => {
      const { controller, get, observe, aborted, pass, requests } = createStage()
      const observer = observe()
      const release = observer.retain()
      observer.fetchIfDue()
      let again: Promise<Todo> | undefined
      requests[0]?.signal?.addEventListener('abort', () => (again = controller.fetch(get, { id: 5 })))
      if (who === 'a reset') controller.resetAll()
      release()
      await pass(0)
      expect(aborted()).toEqual([true, false])
      await requests[1]?.answer()
      expect(await again).toMatchObject({ id: 5 })
    },
  )

  test('whose function rejects with an abort of its own is not asked again without end', async () => {
    const { controller, pass } = createStage()
    let calls = 0
    const read = async () => {
      calls++
      throw new DOMException('Given up.', 'AbortError')
    }
    const get = new Endpoint(read, { name: 'read', schema: Todo })
    const observer = new Observer(controller, get, [])
    const release = observer.retain()
    observer.readOrFetch()
    await pass(0)
    expect(observer.readOrFetch()).toMatchObject({ state: 'pending', promise: { status: 'pending' } })
    expect(new Observer(controller, get, []).readOrFetch()).toMatchObject({ state: 'pending' })
    expect(calls).toBe(1)
    controller.invalidate(get)
    observer.readOrFetch()
    expect(calls).toBe(2)
    await pass(0)
    await pass(1000)
    new Observer(controller, get, []).readOrFetch()
    expect(calls).toBe(3)
    release()
  })
})

test('a mutation is given no signal but that of its endpoint', async () => {
  const { controller } = createStage()
  const signals: unknown[] = []
  const write = new Endpoint(
    async function write(this: FetchContext) {
      signals.push(this.signal)
    },
    { sideEffect: true },
  )
  const { signal } = new AbortController()
  await controller.fetch(write)
  await controller.fetch(write.extend({ signal }))
  expect(signals).toEqual([undefined, signal])
})

test('a mutation makes an AbortController for middleware only', async () => {
  let made = 0
  class CountedController extends AbortController {
    constructor() {
      super()
      made++
    }
  }
  vi.stubGlobal('AbortController', CountedController)
  onTestFinished(() => void vi.unstubAllGlobals())
  const save = new Endpoint(() => Promise.resolve('saved'), { name: 'save', sideEffect: true })
  await new Controller().fetch(save)
  expect(made).toBe(0)
  const middleware: Middleware = () => ({ request: ({ signal }, next) => (signal.throwIfAborted(), next()) })
  await new Controller({ middleware: [middleware] }).fetch(save)
  expect(made).toBe(1)
})

describe('the signal of an endpoint', () => {
  function createRest() {
    const inits: RequestInit[] = []
    const fetchResponse = (_: string, init: RequestInit) => {
      inits.push(init)
      return new Promise<Response>((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
      })
    }
    return { inits, options: { path: '/todo/:id', schema: Todo, fetchResponse } as const }
  }

  test('is in the request init, also without a Controller', async () => {
    const { inits, options } = createRest()
    const abort = new AbortController()
    const get = new RestEndpoint({ ...options, signal: abort.signal })
    const promise = get({ id: 5 })
    await Promise.resolve()
    await Promise.resolve()
    expect(inits).toMatchObject([{ method: 'GET', signal: abort.signal }])
    abort.abort()
    await expect(promise).rejects.toMatchObject({ name: 'AbortError' })
  })

  test.each(['endpoint', 'init', 'reader'] as const)(
    'meets the others: that of the %s aborts',
    async (who) => {
      const { controller, pass } = createStage()
      const { inits, options } = createRest()
      const [own, ofInit] = [new AbortController(), new AbortController()]
      const get = new RestEndpoint({
        ...options,
        signal: own.signal,
        getRequestInit: () => ({ method: 'GET', signal: ofInit.signal }),
      })
      const observer = new Observer(controller, get, [{ id: 5 }])
      const release = observer.retain()
      observer.fetchIfDue()
      await pass(0)
      expect(inits[0]?.signal?.aborted).toBe(false)
      if (who === 'endpoint') own.abort()
      if (who === 'init') ofInit.abort()
      release()
      if (who === 'reader') await pass(0)
      expect(inits[0]?.signal?.aborted).toBe(true)
      await pass(0)
      expect(controller.read(get, { id: 5 }).error).toBeUndefined()
    },
  )

  test('that was aborted before lets a reader wait for the answer to somebody else', async () => {
    const { controller, get, requests } = createStage()
    const observer = new Observer(controller, get.extend({ signal: AbortSignal.abort() }), [{ id: 5 }])
    const release = observer.retain()
    expect(observer.readOrFetch()).toMatchObject({ state: 'pending' })
    observer.fetchIfDue()
    expect(requests).toHaveLength(0)
    const fetched = controller.fetch(get, { id: 5 })
    await requests[0]!.answer()
    expect(await fetched).toMatchObject({ id: 5 })
    expect(observer.readOrFetch()).toMatchObject({ state: 'success', data: { id: 5 } })
    release()
  })
})

describe('what the signal of an endpoint aborted is dropped', () => {
  /** An endpoint whose responses the test sends, and its requests. */
  function createEndpoint(listens: boolean) {
    const stage = createStage()
    const own = new AbortController()
    const asked: { answer: () => void }[] = []
    const fetchTodo = function (this: FetchContext, { id }: { id: number }) {
      return new Promise<unknown>((resolve, reject) => {
        asked.push({ answer: () => resolve({ id, title: 'Late' }) })
        if (listens) this.signal?.addEventListener('abort', () => reject(own.signal.reason as Error))
      })
    }
    const endpoint = new Endpoint(fetchTodo, { name: 'fetchTodo', schema: Todo, signal: own.signal })
    return { ...stage, own, asked, endpoint }
  }
  const cases = [
    ['read', 'before the call', true],
    ['read', 'before the call', false],
    ['read', 'while under way', true],
    ['read', 'while under way', false],
    ['mutation', 'before the call', true],
    ['mutation', 'before the call', false],
    ['mutation', 'while under way', true],
    ['mutation', 'while under way', false],
  ] as const

  test.each(cases)('a %s, %s, its transport listening: %s', async (kind, when, listens) => {
    const { controller, own, asked, endpoint, pass } = createEndpoint(listens)
    const called =
      kind === 'read'
        ? endpoint
        : endpoint.extend({
            sideEffect: true,
            getOptimisticResponse: optimistic((_snapshot, { id }: { id: number }) => ({
              id,
              title: 'Expected',
            })),
          })
    controller.set(Todo, { id: 5 }, { title: 'Stored' })
    const titles: unknown[] = ['Stored']
    controller.subscribe(endpoint, { id: 5 }, ({ data }) => titles.push(data?.title))
    if (when === 'before the call') own.abort()
    const fetched = controller.fetch(called as typeof endpoint, { id: 5 })
    const outcome = fetched.catch((error: unknown) => error)
    own.abort()
    await pass(0)
    asked[0]?.answer()
    expect(await outcome).toMatchObject({ name: 'AbortError' })
    expect(controller.get(Todo, { id: 5 })).toMatchObject({ title: 'Stored' })
    expect(controller.read(endpoint, { id: 5 })).toMatchObject({ fetching: false, error: undefined })
    expect(asked).toHaveLength(when === 'while under way' ? 1 : 0)
    const isExpected = kind === 'mutation' && when === 'while under way'
    expect(titles.filter((title, at) => title !== titles[at - 1])).toEqual(
      isExpected ? ['Stored', 'Expected', 'Stored'] : ['Stored'],
    )
  })

  test.each(cases.filter(([kind]) => kind === 'read'))(
    'a %s, %s, its transport listening: %s: readers wait, and do not ask without end',
    async (_kind, when, listens) => {
      const { controller, own, asked, endpoint, pass } = createEndpoint(listens)
      const plain = endpoint.extend({ signal: undefined })
      const observer = new Observer(controller, endpoint, [{ id: 5 }])
      const release = observer.retain()
      if (when === 'before the call') own.abort()
      expect(observer.readOrFetch()).toMatchObject({ state: 'pending' })
      own.abort()
      asked[0]?.answer()
      const calls = when === 'before the call' ? 0 : 1
      for (let moment = 0; moment < 5; moment++) {
        await pass(1000)
        controller.refetchStale()
        expect(observer.readOrFetch()).toMatchObject({ state: 'pending' })
        observer.fetchIfDue()
        new Observer(controller, endpoint, [{ id: 5 }]).readOrFetch()
      }
      expect(asked).toHaveLength(calls)
      const fetched = controller.fetch(plain, { id: 5 })
      asked[calls]?.answer()
      expect(await fetched).toMatchObject({ title: 'Late' })
      expect(observer.readOrFetch()).toMatchObject({ state: 'success', data: { title: 'Late' } })
      expect(asked).toHaveLength(calls + 1)
      release()
    },
  )

  test('and given up, where it holds something', async () => {
    const own = new AbortController()
    const given: unknown[] = []
    const open = new Endpoint(() => Promise.resolve('a handle'), {
      name: 'open',
      signal: own.signal,
      dispose: (handle: unknown) => given.push(handle),
    })
    const fetched = new Controller().fetch(open)
    own.abort()
    await expect(fetched).rejects.toMatchObject({ name: 'AbortError' })
    expect(given).toEqual(['a handle'])
  })

  test.each(['first', 'last'] as const)(
    'for who has that signal only: the request is one, and goes on for a caller without it, who asked %s',
    async (place) => {
      const { controller, own, asked, endpoint, pass } = createEndpoint(true)
      const fetchPlain = () => controller.fetch(endpoint.extend({ signal: undefined }), { id: 5 })
      const early = place === 'first' ? fetchPlain() : undefined
      const aborted = controller.fetch(endpoint, { id: 5 })
      const same = controller.fetch(endpoint.extend({ dataExpiryLength: 5 }), { id: 5 })
      const plain = early ?? fetchPlain()
      expect(asked).toHaveLength(1)
      own.abort()
      await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
      await expect(same).rejects.toMatchObject({ name: 'AbortError' })
      await pass(0)
      asked[0]?.answer()
      expect(await plain).toMatchObject({ title: 'Late' })
      expect(asked).toHaveLength(1)
    },
  )

  test('is aborted with the last of several signals, and with the last reader that has none', async () => {
    const { controller, own, endpoint, pass } = createEndpoint(false)
    const other = new AbortController()
    const promises = [endpoint, endpoint.extend({ signal: other.signal })].map((each) =>
      controller.fetch(each, { id: 5 }).catch((error: Error) => error.name),
    )
    own.abort()
    expect(await promises[0]).toBe('AbortError')
    expect(controller.read(endpoint, { id: 5 }).fetching).toBe(true)
    const observer = new Observer(controller, endpoint.extend({ signal: undefined }), [{ id: 5 }])
    const release = observer.retain()
    observer.fetchIfDue()
    other.abort()
    expect(await promises[1]).toBe('AbortError')
    await pass(0)
    expect(controller.read(endpoint, { id: 5 }).fetching).toBe(true)
    release()
    await pass(0)
    expect(controller.read(endpoint, { id: 5 }).fetching).toBe(false)
  })

  test('leaves no listener behind on a signal that lasts', async () => {
    const { controller, own, asked, endpoint } = createEndpoint(false)
    let listeners = 0
    const { signal } = own
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(signal, args)
    }
    const fetched = controller.fetch(endpoint, { id: 5 })
    expect(listeners).toBeGreaterThan(0)
    asked[0]?.answer()
    await fetched
    await Promise.resolve()
    expect(listeners).toBe(0)
  })
})

describe('a debounced endpoint', () => {
  test('sends only what somebody still waits for after the delay', async () => {
    const { clock, controller, get, pass, requests } = createStage()
    const slow = debounced(get, { delayMs: 300, clock })
    let release: () => void = () => {}
    for (const id of [1, 2, 3]) {
      await pass(200)
      const observer = new Observer(controller, slow, [{ id }])
      const end = observer.retain()
      observer.fetchIfDue()
      release()
      release = end
    }
    await pass(299)
    expect(requests).toEqual([])
    await pass(1)
    expect(requests.map(({ id }) => id)).toEqual([3])
    await requests[0]!.answer()
    expect(controller.get(Todo, { id: 3 })).toMatchObject({ id: 3 })
    release()
  })

  test('answers every promise of the Controller, and a call without one, after the delay', async () => {
    const { clock, controller, get, pass, requests } = createStage()
    const slow = debounced(get, { delayMs: 300, clock })
    const fetched = [controller.fetch(slow, { id: 1 }), controller.fetch(slow, { id: 2 }), slow({ id: 3 })]
    await pass(299)
    expect(requests).toEqual([])
    await pass(1)
    expect(requests.map(({ id }) => id)).toEqual([1, 2, 3])
    for (const { answer } of requests) await answer()
    expect(await Promise.all(fetched)).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }])
  })

  test('joins a request that is under way, and is joined by none that does not wait', async () => {
    const { clock, controller, get, requests } = createStage()
    const slow = debounced(get, { delayMs: 300, clock })
    void controller.fetch(slow, { id: 1 })
    void controller.fetch(get, { id: 1 })
    void controller.fetch(get, { id: 2 })
    void controller.fetch(slow, { id: 2 })
    expect(requests.map(({ id }) => id)).toEqual([1, 2])
    expect(slow.key({ id: 1 })).toBe(get.key({ id: 1 }))
  })

  test.each([-1, NaN])('of a delay of %s is an error at definition', (delayMs) => {
    expect(() => debounced(createStage().get, { delayMs })).toThrow(
      `getTodo has delayMs ${delayMs}.\n  Use a number of milliseconds from 0 to Infinity.`,
    )
  })
})

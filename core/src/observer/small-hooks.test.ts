import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { callsOf } from '../controller/calls.js'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { Entity } from '../schema/entity.js'
import { pauseOffline } from '../policies/pause-offline.js'
import { TestClock } from '../testing/test-clock.js'
import { statusOfCall, unknownStatus, watchExpiry } from './call-status.js'
import { Cancelling } from './cancelling.js'
import { LatestRun } from './latest-run.js'
import { Observer, stateOfLoading } from './observer.js'
import { Prefetch } from './prefetch.js'
import { Selection } from './selection.js'
import { keepingPrevious } from './with-options.js'

class Todo extends Entity {
  id = 0
  title = ''
  completed = false
  static override key = 'Todo'
}

function createStage() {
  const calls: number[] = []
  const getTodo = new Endpoint(
    async ({ id }: { id: number }) => {
      calls.push(id)
      return { id, title: `Todo ${id}` }
    },
    { name: 'getTodo', schema: Todo },
  )
  const clock = new TestClock()
  const controller = new Controller({ clock })
  onTestFinished(() => controller.dispose())
  const observe = (id: number | null) =>
    new Observer<Todo>(controller, getTodo, [id === null ? null : { id }])
  return { calls, clock, controller, getTodo, observe }
}

describe('the status of a call', () => {
  test('is the same object until a member changes', async () => {
    const { controller, getTodo, observe } = createStage()
    expect(statusOfCall(observe(null))).toBe(unknownStatus)
    const observer = observe(5)
    expect(statusOfCall(observer)).toBe(unknownStatus)
    await controller.fetch(getTodo, { id: 5 })
    const status = statusOfCall(observer)
    expect(Object.isFrozen(status)).toBe(true)
    expect(statusOfCall(observer)).toBe(status)
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    expect(statusOfCall(observer)).toBe(status)
  })

  test('is Stale at once by expireAll', async () => {
    const { controller, getTodo, observe } = createStage()
    await controller.fetch(getTodo, { id: 5 })
    controller.expireAll(getTodo)
    expect(statusOfCall(observe(5))).toMatchObject({ stale: true, expiresAt: -Infinity })
  })

  test('is never Stale where a policy says that what is there is good enough', async () => {
    const { clock, controller, getTodo } = createStage()
    await controller.fetch(getTodo, { id: 5 })
    clock.advance(60_000)
    const lasting = getTodo.extend({ policy: 'cache-first' })
    expect(statusOfCall(new Observer(controller, lasting, [{ id: 5 }])).stale).toBe(false)
  })

  test('is watched by one timer, which moves with the age of the data, and none for what never expires', async () => {
    const { clock, controller, getTodo, observe } = createStage()
    await controller.fetch(getTodo, { id: 5 })
    const others = clock.timers
    const observer = observe(5)
    const told = vi.fn<() => void>()
    const unsubscribe = observer.subscribe(told, (current) => statusOfCall(current).stale)
    const end = watchExpiry(observer)
    expect(clock.timers).toBe(others + 1)
    clock.advance(30_000)
    await controller.fetch(getTodo, { id: 5 })
    clock.advance(59_999)
    expect(told).not.toHaveBeenCalled()
    clock.advance(1)
    expect(told).toHaveBeenCalledTimes(1)
    end()
    unsubscribe()
    const forever = getTodo.extend({ dataExpiryLength: Infinity })
    const before = clock.timers
    watchExpiry(new Observer(controller, forever, [{ id: 5 }]))()
    expect(clock.timers).toBe(before)
    expect(watchExpiry(observe(null))()).toBeUndefined()
  })

  test('counts what waits for a network, and forgets it where that is given up', async () => {
    const { getTodo } = createStage()
    const network = { isOnline: () => false, subscribe: () => () => {} }
    const controller = new Controller({ middleware: [pauseOffline({ network })] })
    const fetched = controller.fetch(getTodo, { id: 5 }).catch((error: Error) => error)
    await Promise.resolve()
    const observer = new Observer(controller, getTodo, [{ id: 5 }])
    expect(statusOfCall(observer)).toMatchObject({ fetching: true, pausedOffline: true })
    controller.resetAll()
    await fetched
    await new Promise((resolve) => setTimeout(resolve))
    expect(callsOf(controller).paused?.size).toBe(0)
    controller.dispose()
  })
})

test('the last state of a call is the same object until a member changes', async () => {
  const { controller, getTodo } = createStage()
  const observe = (id: number | null) =>
    new Observer<Todo>(controller, keepingPrevious(getTodo), [id === null ? null : { id }])
  const observer = observe(5)
  expect(observer.load()).toBe(stateOfLoading)
  await new Promise((resolve) => setTimeout(resolve))
  const state = observer.load()
  expect(state).toMatchObject({ data: { title: 'Todo 5' }, isLast: false })
  expect(observer.load()).toBe(state)
  const next = observe(6)
  next.succeed(observer)
  const last = next.load()
  expect(last).toEqual({ data: state.data, loading: false, error: undefined, isLast: true })
  expect(next.load()).toBe(last)
  const afterNothing = observe(7)
  const nothing = observe(null)
  nothing.readOrFetch()
  afterNothing.succeed(nothing)
  expect(afterNothing.load()).toBe(stateOfLoading)
})

describe('a part of what a call gives', () => {
  test('stays the same object where it is made anew with the same content', () => {
    const selection = new Selection((todos: readonly Todo[]) => todos.filter(({ completed }) => !completed))
    const todo = Todo.fromJS({ id: 5 })
    const select = (todos: readonly Todo[]) => todos.filter(({ completed }) => !completed)
    const part = selection.of([todo], select)
    expect(selection.of([todo, Todo.fromJS({ id: 6, completed: true })], select)).toBe(part)
    expect(selection.of([todo], (todos) => todos.map(({ id }) => id) as never)).toEqual([5])
  })

  test('is selected once for the same data and function', () => {
    const select = vi.fn<(data: { readonly a: number }) => number>(({ a }) => a)
    const selection = new Selection(select)
    const data = { a: 1 }
    expect([selection.of(data, select), selection.of(data, select)]).toEqual([1, 1])
    expect(select).toHaveBeenCalledTimes(1)
  })

  test('is what a reader compares; without data it compares the state', async () => {
    const { controller, getTodo, observe } = createStage()
    const selection = new Selection(({ title }: Todo) => title)
    const observer = observe(5)
    expect(selection.read(observer)).toMatchObject({ loading: true })
    await controller.fetch(getTodo, { id: 5 })
    expect(selection.read(observer)).toBe('Todo 5')
    selection.use(({ id }) => String(id))
    expect(selection.read(observer)).toBe('5')
  })
})

test('a function that throws at once is a run that failed', async () => {
  const latest = new LatestRun(() => {
    throw new Error('at once')
  })
  await expect(latest.run()).rejects.toThrow('at once')
  expect(latest.getSnapshot()).toMatchObject({ loading: false, error: { message: 'at once' }, lastArgs: [] })
})

describe('what is prefetched in view', () => {
  function stubIntersections() {
    const observers: { target?: Element; see: (isIntersecting: boolean) => void; isConnected: boolean }[] = []
    class Stub {
      readonly #entry: (typeof observers)[number]
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        // A busy browser reports several changes in one call.
        const see = (isIntersecting: boolean) =>
          callback([{ isIntersecting: !isIntersecting }, { isIntersecting }])
        this.#entry = { see, isConnected: true }
        observers.push(this.#entry)
      }
      observe(target: Element): void {
        this.#entry.target = target
      }
      disconnect(): void {
        this.#entry.isConnected = false
      }
    }
    vi.stubGlobal('IntersectionObserver', Stub)
    onTestFinished(() => void vi.unstubAllGlobals())
    return observers
  }

  test('is asked for when an element is seen, and for other arguments while it is', async () => {
    const { calls, controller, getTodo } = createStage()
    const observers = stubIntersections()
    const prefetch = new Prefetch()
    prefetch.aim(controller, getTodo, [{ id: 5 }])
    const element = new EventTarget() as Element
    const end = prefetch.onView(element)
    expect(prefetch.onView(element)).toBe(end)
    expect(observers).toHaveLength(1)
    observers[0]?.see(false)
    expect(calls).toEqual([])
    observers[0]?.see(true)
    prefetch.aim(controller, getTodo, [{ id: 5 }])
    expect(calls).toEqual([5])
    prefetch.aim(controller, getTodo, [{ id: 6 }])
    expect(calls).toEqual([5, 6])
    observers[0]?.see(false)
    prefetch.aim(controller, getTodo, [{ id: 7 }])
    prefetch.aim(controller, getTodo, [null])
    prefetch.prefetch()
    expect(calls).toEqual([5, 6])
    end?.destroy()
    expect(observers[0]?.isConnected).toBe(false)
  })

  test('ends with the component, and does nothing where nothing can be seen', async () => {
    const prefetch = new Prefetch()
    expect(prefetch.onView(new EventTarget() as Element)).toBeTypeOf('function')
    const observers = stubIntersections()
    prefetch.onView(new EventTarget() as Element)
    prefetch.end()
    expect(observers.map(({ isConnected }) => isConnected)).toEqual([false])
  })
})

describe('an endpoint whose calls are given up', () => {
  test('is kept where it is taken again within the task, as by StrictMode', async () => {
    const { getTodo } = createStage()
    const cancelling = new Cancelling(getTodo)
    const giveUp = cancelling.keep()
    giveUp()
    const again = cancelling.keep()
    giveUp()
    await Promise.resolve()
    expect(cancelling.isOver).toBe(false)
    again()
    await Promise.resolve()
    expect(cancelling.isOver).toBe(true)
    expect(cancelling.endpoint.signal?.aborted).toBe(true)
  })

  test('is aborted by its own signal as well', () => {
    const { getTodo } = createStage()
    const own = new AbortController()
    const { endpoint } = new Cancelling(getTodo.extend({ signal: own.signal }))
    own.abort()
    expect(endpoint.signal?.aborted).toBe(true)
  })
})

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBrowser } from '../outbox/testing-stage.js'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { statusOfCall, watchExpiry } from '../observer/call-status.js'
import { Observer } from '../observer/observer.js'
import { poll } from '../observer/polling.js'
import { Entity } from '../schema/entity.js'
import { TestClock } from '../testing.js'
import type { Clock } from './clock.js'
import { callsOf } from '../controller/calls.js'

/**
 * Timers of a platform fire up to a millisecond early by its own `Date.now()`, and that goes on while a timer runs. So what
 * decides by two reads of a clock may find a thing *not due yet* by the first, and *not due later* by the second.
 */
class EarlyClock implements Clock {
  readonly inner = new TestClock()
  /** How many reads of the clock a timer makes before the millisecond is over. */
  readonly #reads: number
  #left = 0

  constructor(reads: number) {
    this.#reads = reads
  }

  now(): number {
    return this.inner.now() - (this.#left-- > 0 ? 1 : 0)
  }

  setTimeout(callback: () => void, delayMs: number): unknown {
    return this.inner.setTimeout(() => {
      this.#left = this.#reads
      callback()
      this.#left = 0
    }, delayMs)
  }

  clearTimeout(timer: unknown): void {
    this.inner.clearTimeout(timer)
  }

  advance(ms: number): void {
    this.inner.advance(ms)
  }
}

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

describe.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('timers that are early for %i reads of the clock', (reads) => {
  function createStage(options: ConstructorParameters<typeof Controller>[0] = {}) {
    const clock = new EarlyClock(reads)
    const controller = new Controller({ clock, ...options })
    onTestFinished(() => controller.dispose())
    const asked = vi.fn<(id: number) => void>()
    const getTodo = new Endpoint(
      async ({ id }: { id: number }) => {
        asked(id)
        return { id, title: `Todo ${id}` }
      },
      { name: 'getTodo', schema: Todo, dataExpiryLength: 60_000, pollFrequency: 1000 },
    )
    return { clock, controller, getTodo, asked }
  }

  test('send a mutation of the outbox again', async () => {
    const clock = new EarlyClock(reads)
    const { open, server, todos } = createBrowser()
    const { controller, box } = open({}, { clock })
    server.fault = () => (server.received.length === 1 ? 'down' : undefined)
    const saving = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Saved' })
    await vi.waitFor(() => expect(box.mutations[0]?.retryAt).toBeGreaterThan(clock.now()))
    clock.advance(1010)
    await vi.waitFor(() => expect(server.applied.map(({ name }) => name)).toEqual(['PATCH /todo/1']))
    expect(await saving).toMatchObject({ title: 'Saved' })
  })

  test('tell readers that data became Stale', async () => {
    const { clock, controller, getTodo } = createStage()
    await controller.fetch(getTodo, { id: 5 })
    const others = clock.inner.timers
    const observer = new Observer(controller, getTodo, [{ id: 5 }])
    // A reader reads when it is told, and at no other time.
    let shown = statusOfCall(observer).stale
    const told = vi.fn<() => void>(() => (shown = statusOfCall(observer).stale))
    onTestFinished(observer.subscribe(told, (current) => statusOfCall(current).stale))
    onTestFinished(watchExpiry(observer))
    expect(shown).toBe(false)
    clock.advance(60_010)
    expect(shown).toBe(true)
    expect(told).toHaveBeenCalledTimes(1)
    expect(clock.inner.timers).toBe(others)
  })

  test('poll, once in each interval', async () => {
    const { clock, controller, getTodo, asked } = createStage()
    await controller.fetch(getTodo, { id: 5 })
    const call = callsOf(controller).call(getTodo, [{ id: 5 }])
    onTestFinished(poll(controller, call, () => getTodo, [{ id: 5 }]))
    for (const times of [2, 3, 4]) {
      clock.advance(1005)
      await Promise.resolve()
      expect(asked).toHaveBeenCalledTimes(times)
      await vi.waitFor(() => expect(call.fetching).toBe(false))
    }
  })

  test('collect what nobody uses', async () => {
    const { clock, controller, getTodo } = createStage({ keepLength: 1000 })
    await controller.fetch(getTodo, { id: 5 })
    clock.advance(2010)
    expect(callsOf(controller).store.size).toBe(0)
  })
})

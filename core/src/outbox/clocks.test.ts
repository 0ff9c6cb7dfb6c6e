import { expect, test } from 'vitest'
import type { TestClock } from '../testing.js'
import type { Clock } from '../util/clock.js'
import { createBrowser, settle } from './testing-stage.js'

const day = 86_400_000

/** A clock whose time a user can change, while its timers go on. */
class ChangedClock implements Clock {
  readonly #clock: TestClock
  setBackMs = 0

  constructor(clock: TestClock) {
    this.#clock = clock
  }

  now = () => this.#clock.now() - this.setBackMs
  setTimeout = (callback: () => void, delayMs: number) => this.#clock.setTimeout(callback, delayMs)
  clearTimeout = (timer: unknown) => this.#clock.clearTimeout(timer)
}

/** A mutation failed once with 503, and waits for a second. */
async function failOnce() {
  const stage = createBrowser()
  const clock = new ChangedClock(stage.clock)
  const openTab = () => stage.open({}, { clock })
  const tab = openTab()
  await settle()
  stage.server.fault = () => (stage.server.received.length === 1 ? 503 : undefined)
  tab.controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: 'Saved' }).catch(() => {})
  await settle()
  expect(tab.box.mutations).toMatchObject([{ status: 'waiting', attempts: 1 }])
  const sent = () => stage.server.received.length
  return { ...stage, tab, openTab, sent, time: clock }
}

test('a new page after the time was set back waits no longer than the wait', async () => {
  const { clock, crash, openTab, sent, tab, time } = await failOnce()
  crash(tab.controller)
  time.setBackMs = day
  const { box } = openTab()
  await settle()
  expect(box.mutations[0]?.retryAt).toBe(time.now() + 1000)
  clock.advance(1000)
  await settle()
  expect(sent()).toBe(2)
})

test('another tab, in which it is another time, waits no longer than the wait', async () => {
  const { clock, crash, openTab, sent, server, tab, time } = await failOnce()
  server.fault = () => (server.received.length < 3 ? 503 : undefined)
  time.setBackMs = day
  const other = openTab()
  await settle()
  tab.controller.clock.now()
  await tab.box.retry()
  await settle()
  expect(sent()).toBe(2)
  // The first tab goes by its own time, which does not go back, and tells the other one of it.
  expect(tab.box.mutations[0]?.retryAt).toBeGreaterThan(time.now() + 1000)
  expect(other.box.mutations[0]?.retryAt).toBe(time.now() + 1000)
  crash(tab.controller)
  clock.advance(1000)
  await settle()
  expect(sent()).toBe(3)
})

test('the page itself, if the time is set back while it waits', async () => {
  const { clock, sent, time } = await failOnce()
  clock.advance(900)
  time.setBackMs = day
  clock.advance(100)
  await settle()
  expect(sent()).toBe(2)
})

test('a page that asks for the time meanwhile', async () => {
  const { clock, sent, tab, time, todos } = await failOnce()
  clock.advance(900)
  time.setBackMs = day
  await tab.controller.fetch(todos.partialUpdate, { id: 2 }, { title: 'Other' })
  const before = sent()
  clock.advance(100)
  await settle()
  expect(sent()).toBe(before + 1)
})

test('a row without the length of its wait waits until its time', async () => {
  const { clock, crash, openTab, sent, storage, tab } = await failOnce()
  crash(tab.controller)
  await settle()
  const rows = await storage.list('outbox/')
  await storage.write(rows.map(([key, row]) => [key, { ...(row as object), waitMs: undefined } as never]))
  openTab()
  await settle()
  expect(sent()).toBe(1)
  clock.advance(1000)
  await settle()
  expect(sent()).toBe(2)
})

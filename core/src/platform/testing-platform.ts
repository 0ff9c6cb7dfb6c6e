import { ManualNetwork } from '@selfsame/conformance'
import { BrowserLocks } from '@selfsame/conformance/browser-tabs'
import { dueTimers } from '@selfsame/conformance/next-task'
import { refuse, subjectOf } from '@selfsame/conformance/refusals'
import type { Entry, Refusal } from '@selfsame/conformance/refusals'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, onTestFinished, vi } from 'vitest'
import { Controller, Entity } from '../index.js'
import type { Middleware } from '../index.js'
import { optimistic } from '../optimistic.js'
import { outbox, outboxOf } from '../outbox.js'
import type { Outbox, OutboxOptions } from '../outbox.js'
import { TruthServer, settle, urlPrefix } from '../outbox/testing-stage.js'
import { persist, persisted } from '../persist.js'
import type { PersistOptions } from '../persist.js'
import { createResource } from '../rest.js'
import { syncTabs } from '../tabs.js'
import type { SyncTabsOptions } from '../tabs.js'
import { TestClock } from '../testing.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

export const todos = createResource({ urlPrefix, path: '/todo/:id', schema: Todo, optimistic })

export const allEntries: readonly Entry[] = ['outbox', 'persist', 'syncTabs']

/** Options of the entries of a page. */
export interface PageOptions {
  readonly entries?: readonly Entry[]
  readonly outbox?: OutboxOptions
  readonly persist?: PersistOptions
  readonly tabs?: SyncTabsOptions
  readonly before?: readonly Middleware[]
}

/** Replaces a global until the test ends. */
function give(name: string, value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, name)
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  onTestFinished(() => {
    if (before === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, before)
  })
}

const copy = structuredClone

/** The class of the channels of one browser. Those of Node would reach the tests of other threads. */
function createChannelClass() {
  const open = new Set<TestChannel>()
  class TestChannel {
    onmessage: ((event: { readonly data: unknown }) => void) | null = null
    readonly name: string

    constructor(name: string) {
      this.name = name
      open.add(this)
    }

    postMessage(message: unknown): void {
      const data: unknown = copy(message)
      for (const other of open)
        if (other !== this && other.name === this.name)
          setImmediate(() => open.has(other) && other.onmessage?.({ data }))
    }

    close(): void {
      open.delete(this)
    }
  }
  return TestChannel
}

/** Gives Node what the page of a browser has, until the test ends. */
export function becomeBrowser(): void {
  give('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  give('navigator', { onLine: true, locks: new BrowserLocks().of(1) })
  give('indexedDB', new IDBFactory())
  give('IDBKeyRange', IDBKeyRange)
  give('BroadcastChannel', createChannelClass())
  const texts = new Map<string, string>()
  give('localStorage', {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => void texts.set(name, text),
  })
}

/** A server, and pages of one application, which use what the platform has. */
export function createApplication() {
  const server = new TruthServer()
  const network = new ManualNetwork()
  const clock = new TestClock()
  const logged: string[] = []
  const spy = vi.spyOn(console, 'warn').mockImplementation((...said: unknown[]) => {
    logged.push(said.map(String).join(' '))
  })
  onTestFinished(() => spy.mockRestore())
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    if (!network.isOnline()) throw new TypeError('Failed to fetch')
    return server.fetch(url, init)
  }

  /** Opens a page. */
  function open(options: PageOptions = {}) {
    const { entries = allEntries, before = [] } = options
    const made: Readonly<Record<Entry, () => Middleware>> = {
      outbox: () => outbox({ endpoints: [todos], network, delayMs: () => 1000, ...options.outbox }),
      persist: () => persist(options.persist),
      syncTabs: () => syncTabs({ endpoints: [todos], ...options.tabs }),
    }
    const controller = new Controller({
      clock,
      fetch: fetch as typeof globalThis.fetch,
      middleware: [...before, ...entries.map((entry) => made[entry]())],
    })
    onTestFinished(() => controller.dispose())
    return {
      controller,
      box: outboxOf(controller),
      kept: persisted(controller),
      titles: () => (controller.read(todos.getList).data ?? []).map(({ title }) => title),
    }
  }

  /** Lets the storage answer, and time pass. */
  async function pass(): Promise<void> {
    await settle()
    await dueTimers()
    clock.advance(100)
  }

  /** Waits for a promise; meanwhile time passes. */
  async function over<Value>(promise: Promise<Value>): Promise<Value> {
    const watch = { isOver: false }
    const ended = promise.finally(() => {
      watch.isOver = true
    })
    ended.catch(() => {})
    for (let round = 0; !watch.isOver && round < 100; round++) await pass()
    if (!watch.isOver) throw new Error('It is not settled after ten seconds.')
    return ended
  }

  /** Waits until nothing is in the outbox of some pages. */
  async function sent(...pages: readonly { readonly controller: Controller }[]): Promise<void> {
    for (let round = 0; pages.some(({ controller }) => outboxOf(controller).mutations.length > 0); round++) {
      if (round === 100) throw new Error('Something is in the outbox after ten seconds.')
      await pass()
    }
  }

  return {
    server,
    network,
    clock,
    open,
    settle,
    over,
    sent,
    /** What was told, by entry and part of the platform. */
    told: () => logged.map(subjectOf).sort(),
  }
}

/** Returns `false` if what waits in an outbox would be lost with the page. */
export function isWritten({ box }: { readonly box: Outbox }): Promise<boolean> {
  return box.written().then(
    () => true,
    () => false,
  )
}

/** Takes parts of the platform away until the test ends. */
export function refuseAll(given: readonly Refusal[]): void {
  for (const refusal of given) onTestFinished(refuse(refusal))
}

/** Opens a page, and does all that an application does: it is answered, and every promise settles. */
export async function useAll(
  { open, over, sent, server }: ReturnType<typeof createApplication>,
  options: PageOptions,
): Promise<void> {
  const page = open(options)
  const { controller, box, kept } = page
  expect(await over(controller.fetch(todos.getList))).toHaveLength(3)
  expect(controller.read(todos.getList)).toMatchObject({ status: 'Valid', data: { length: 3 } })
  expect(await over(controller.fetch(todos.create, { title: 'Made' }))).toMatchObject({ id: 101 })
  expect(server.applied).toMatchObject([{ name: 'POST /todo', body: { title: 'Made' } }])
  await over(Promise.all([box.ready, isWritten(page), kept.ready, kept.flush()]))
  await sent(page)
  expect([box.isReady, kept.isReady]).toEqual([true, true])
  await over(Promise.all([box.retry(), box.drop(), box.dropScope('ann'), kept.clear()]))
  controller.resetAll()
  expect(await over(controller.fetch(todos.getList))).toHaveLength(4)
  const refused = controller.fetch(todos.partialUpdate, { id: 99 }, {})
  await expect(over(refused)).rejects.toMatchObject({ status: 404 })
  await over(Promise.all([box.ready, kept.ready]))
  controller.dispose()
}

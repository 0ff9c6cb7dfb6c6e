import { expect, onTestFinished, test, vi } from 'vitest'
import type { SyncTabsOptions } from '../tabs.js'
import { Todo, createTabs, settle } from './testing-tabs.js'

/** The `localStorage` of a browser with a process for each tab: what one writes is in the others later, in its order. */
class SlowStorage extends EventTarget {
  readonly #views = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()]
  #late: (() => void)[] = []
  /** The tab whose code runs. */
  tab = 1

  getItem(key: string): string | null {
    return this.#views[this.tab]?.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    this.#write((view) => view.set(key, value))
  }

  removeItem(key: string): void {
    this.#write((view) => view.delete(key))
  }

  #write(write: (view: Map<string, string>) => void): void {
    for (const [tab, view] of this.#views.entries())
      if (tab === this.tab) write(view)
      else this.#late.push(() => write(view))
  }

  /** Brings the other tabs the next write. */
  arrive(): void {
    for (const write of this.#late.splice(0, this.#views.length - 1)) write()
    this.dispatchEvent(new Event('storage'))
  }
}

/** Two tabs of Ann, who is signed in by a token in `localStorage`. Both show her list. */
async function signedInTabs(options: SyncTabsOptions = {}) {
  const storage = new SlowStorage()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('addEventListener', storage.addEventListener.bind(storage))
  vi.stubGlobal('removeEventListener', storage.removeEventListener.bind(storage))
  onTestFinished(() => void vi.unstubAllGlobals())
  storage.setItem('token', 'ann')
  storage.arrive()
  const stage = createTabs()
  const { channels, clock, open, serve } = stage
  const seen: (string | null)[] = []
  const onReset = () => void seen.push(storage.getItem('token'))
  const a = open(1, { ...options, onReset })
  const b = open(2, { ...options, onReset })
  await settle()
  channels.deliverAll()
  void a.controller.fetch(a.todos.getList)
  void b.controller.fetch(b.todos.getList)
  await serve(1)
  channels.deliverAll()
  await serve(2)
  clock.advance(10)
  const signOut = () => {
    storage.tab = 1
    storage.removeItem('token')
    a.controller.resetAll()
    storage.tab = 2
    channels.deliverAll()
  }
  return { ...stage, a, b, storage, seen, signOut }
}

test('a message that is faster than localStorage resets the tab when what was written before the reset is there', async () => {
  const { b, seen, signOut, storage } = await signedInTabs()
  signOut()
  expect([seen, b.titles().length]).toEqual([[], 3])
  storage.arrive()
  expect([seen, b.titles().length]).toEqual([[], 3])
  storage.arrive()
  expect([seen, b.titles()]).toEqual([[null], []])
  storage.arrive()
  expect(seen).toEqual([null])
})

test('a reset whose note is there already, or cannot be written, takes effect at once', async () => {
  const quick = await signedInTabs()
  quick.storage.tab = 1
  quick.storage.removeItem('token')
  quick.a.controller.resetAll()
  quick.storage.tab = 2
  quick.storage.arrive()
  quick.storage.arrive()
  quick.channels.deliverAll()
  expect([quick.seen, quick.b.titles()]).toEqual([[null], []])
  const full = await signedInTabs()
  full.storage.setItem = () => {
    throw new Error('The quota has been exceeded.')
  }
  full.signOut()
  expect([full.seen.length, full.b.titles()]).toEqual([1, []])
})

test('a note that never comes is waited for one second', async () => {
  const { b, clock, seen, signOut } = await signedInTabs()
  signOut()
  clock.advance(999)
  expect(seen).toEqual([])
  clock.advance(1)
  expect([seen, b.titles()]).toEqual([['ann'], []])
})

test('meanwhile the tab takes nothing, its changes are taken by none, and then it hears what it missed', async () => {
  const { a, b, channels, clock, serve, signOut, storage, truth } = await signedInTabs()
  signOut()
  clock.advance(10)
  void a.controller.fetch(a.todos.getList)
  await serve(1)
  b.controller.set(b.todos.get.schema, { id: 1 }, { title: 'of Ann' })
  truth.todos.set(4, { id: 4, title: 'of nobody' })
  a.controller.set(a.todos.get.schema, { id: 4 }, { id: 4, title: 'of nobody' })
  channels.deliverAll()
  expect(a.titles()[0]).toEqual([1, 'first 1'])
  expect(b.controller.get(Todo, { id: 4 })).toBeUndefined()
  storage.arrive()
  storage.arrive()
  expect(b.titles()).toEqual([])
  expect(b.controller.get(Todo, { id: 4 })).toMatchObject({
    title: 'of nobody',
  })
})

test('a reset of the tab itself ends the wait for that of another', async () => {
  const { b, clock, seen, signOut, storage } = await signedInTabs()
  signOut()
  clock.advance(10)
  b.controller.resetAll()
  storage.arrive()
  expect([seen, b.titles()]).toEqual([[], []])
})

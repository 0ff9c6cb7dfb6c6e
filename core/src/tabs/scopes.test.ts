import { expect, test, vi } from 'vitest'
import type { SyncTabsOptions } from '../tabs.js'
import { createTabs, settle } from './testing-tabs.js'

/** A tab of Ann that shows her list. */
async function annsTab(options: SyncTabsOptions = {}) {
  const stage = createTabs()
  const a = stage.open(1, options)
  await settle()
  void a.controller.fetch(a.todos.getList)
  await stage.serve(1)
  stage.clock.advance(10)
  for (const [id, todo] of stage.truth.todos) stage.truth.todos.set(id, { ...todo, title: `of Bob ${id}` })
  return { ...stage, a }
}

/** The page on which Bob has signed in: it resets in the task in which its Controller was made, and reads. */
async function signInPage(
  { open, serve, channels }: Pick<ReturnType<typeof createTabs>, 'open' | 'serve' | 'channels'>,
  options: SyncTabsOptions = {},
) {
  const b = open(2, options)
  b.controller.resetAll()
  void b.controller.fetch(b.todos.getList)
  await settle()
  channels.deliverAll()
  await serve(2)
  channels.deliverAll()
  return b
}

test.each([true, false])(
  'a reset before the channel is open reaches the other tabs, also with their user in memory (read again: %s)',
  async (isReadAgain) => {
    const session = { user: 'ann' }
    const onReset = vi.fn(() => {
      if (isReadAgain) session.user = 'bob'
    })
    const { a, ...stage } = await annsTab({ scope: () => session.user, onReset })
    await signInPage(stage, { scope: () => 'bob' })
    expect(onReset).toHaveBeenCalledOnce()
    expect(a.titles()[0]).toEqual(isReadAgain ? [1, 'of Bob 1'] : undefined)
  },
)

test('an id that is a number is the same user as its text', async () => {
  const { a, clock, ...stage } = await annsTab({ scope: () => 0 })
  const b = stage.open(2, { scope: () => '0' })
  await settle()
  stage.channels.deliverAll()
  clock.advance(10)
  void b.controller.fetch(b.todos.getList)
  await stage.serve(2)
  stage.channels.deliverAll()
  expect(a.titles()[0]).toEqual([1, 'of Bob 1'])
})

test('a tab whose user is another shows nothing of what is told, and tells nothing', async () => {
  // Its user is in its memory, and nobody tells it that the session is another one.
  const { a, clock, ...stage } = await annsTab({ scope: () => 'ann', resets: false })
  const b = await signInPage(stage, { scope: () => 'bob' })
  expect(a.titles()[0]).toEqual([1, 'first 1'])
  clock.advance(10)
  a.controller.set(a.todos.get.schema, { id: 1 }, { title: 'of Ann' })
  stage.channels.deliverAll()
  expect(b.titles()[0]).toEqual([1, 'of Bob 1'])
})

test('a tab whose user has changed without a reset takes and tells nothing', async () => {
  const session = { user: 'ann' }
  const { a, clock, channels, open, serve } = await annsTab({ scope: () => session.user })
  const c = open(3, { scope: () => 'ann' })
  await settle()
  channels.deliverAll()
  void c.controller.fetch(c.todos.getList)
  await serve(3)
  channels.deliverAll()
  expect(a.titles()[0]).toEqual([1, 'of Bob 1'])
  session.user = 'bob'
  clock.advance(10)
  c.controller.set(a.todos.get.schema, { id: 1 }, { title: 'of Ann' })
  channels.deliverAll()
  expect(a.titles()[0]).toEqual([1, 'of Bob 1'])
  a.controller.set(a.todos.get.schema, { id: 1 }, { title: 'of whom?' })
  channels.deliverAll()
  expect(c.titles()[0]).toEqual([1, 'of Ann'])
  a.controller.resetAll()
  expect(a.titles()).toEqual([])
})

test('a tab that missed a reset is reset by the next thing that it hears, once', async () => {
  const onReset = vi.fn()
  const { a, clock, channels, open, serve } = await annsTab({ onReset })
  const b = open(2)
  await settle()
  channels.deliverAll()
  clock.advance(10)
  b.controller.resetAll()
  // Its message is lost.
  channels.waiting.clear()
  expect(a.titles()).toHaveLength(3)
  clock.advance(10)
  void b.controller.fetch(b.todos.getList)
  await serve(2)
  channels.deliverAll()
  expect([a.titles()[0], onReset.mock.calls.length]).toEqual([[1, 'of Bob 1'], 1])
  void a.controller.fetch(a.todos.getList)
  await serve(1)
  channels.deliverAll()
  expect([a.titles().length, onReset.mock.calls.length]).toEqual([3, 1])
})

test('a tab that was reset takes nothing of one that was not, and a tab that was opened since is not reset', async () => {
  const { a, clock, channels, open, serve } = await annsTab()
  const b = open(2)
  await settle()
  channels.deliverAll()
  void b.controller.fetch(b.todos.getList)
  await serve(2)
  channels.deliverAll()
  clock.advance(10)
  b.controller.resetAll()
  void b.controller.fetch(b.todos.getList)
  await serve(2)
  clock.advance(10)
  // Ann's tab has not heard of it yet.
  a.controller.set(a.todos.get.schema, { id: 1 }, { title: 'of Ann' })
  while (channels.deliver(1, 2));
  expect(b.titles()[0]).toEqual([1, 'of Bob 1'])
  channels.deliverAll()
  clock.advance(10)
  const onReset = vi.fn()
  const c = open(3, { onReset })
  void c.controller.fetch(c.todos.getList)
  await settle()
  channels.deliverAll()
  await serve(3)
  channels.deliverAll()
  expect([c.titles().length, onReset.mock.calls.length]).toEqual([3, 0])
  c.controller.set(a.todos.get.schema, { id: 1 }, { title: 'of C' })
  channels.deliverAll()
  expect(b.titles()[0]).toEqual([1, 'of C'])
})

test('a read that a tab of another user makes is not waited for', async () => {
  const { clock, channels, open, serve, truth } = createTabs()
  const [a, b] = [open(1, { scope: () => 'ann' }), open(2, { scope: () => 'bob' })]
  await settle()
  channels.deliverAll()
  void a.controller.fetch(a.todos.getList)
  void b.controller.fetch(b.todos.getList)
  await settle()
  expect(truth.requests).toBe(2)
  clock.advance(1)
  await serve(1)
  await serve(2)
  expect([a.titles().length, b.titles().length]).toEqual([3, 3])
})

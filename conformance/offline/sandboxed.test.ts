import { expect, test } from 'vitest'
import { subjectOf, toldOf } from '../src/refusals.js'
import type { Entry, How, Refusal } from '../src/refusals.js'
import { useStage } from './stage.js'
import type { Tab } from './stage.js'

const stage = useStage()

const entries: readonly Entry[] = ['outbox', 'persist', 'syncTabs']

/** What a page was told, by entry and part of the platform. */
const told = async (tab: Tab) => (await tab.warnings()).map(subjectOf).sort()

test('in a sandboxed frame reads are answered, mutations wait for the network and are sent, and it is told why they are not kept', async () => {
  const profile = await stage.profile()
  const frame = await profile.openSandboxed('use=all')
  // What Chromium refuses there. A later one may refuse more.
  const refused = await frame.frame.evaluate(async () => {
    const nameOf = (error: unknown) => (error as Error).name
    const attempts = [
      async () => navigator.locks.request('a', () => {}),
      async () => void indexedDB.open('a'),
      async () => void localStorage.length,
    ]
    return Promise.all(attempts.map((attempt) => attempt().then(String, nameOf)))
  })
  expect(refused).toEqual(['SecurityError', 'SecurityError', 'SecurityError'])
  await frame.call('load')
  expect(await frame.call('shown')).toHaveLength(3)
  await frame.call('edit', 1, 'Of the frame')
  await expect.poll(() => frame.call('mutations')).toEqual([])
  expect((await stage.truth()).applied).toMatchObject([{ name: 'PATCH /todo/1' }])
  expect(await frame.call('shown')).toContainEqual([1, 'Of the frame'])
  await frame.call('kept')
  await profile.setOffline(true)
  await frame.call('edit', 2, 'Waits')
  const temporary = await frame.call('create', 'Made')
  expect(await frame.call('shown')).toEqual([
    [1, 'Of the frame'],
    [2, 'Waits'],
    [3, 'Todo 3'],
    [temporary, 'Made'],
  ])
  expect(await frame.call('mutations')).toMatchObject([
    { status: 'waiting', isWritten: false },
    { status: 'waiting', isWritten: false },
  ])
  await profile.setOffline(false)
  await expect.poll(() => frame.call('mutations')).toEqual([])
  const { received, applied } = await stage.truth()
  expect(received).toEqual(applied)
  expect(applied.map(({ name }) => name).sort()).toEqual(['PATCH /todo/1', 'PATCH /todo/2', 'POST /todo'])
  await frame.call('load')
  expect(await frame.call('shown')).toContainEqual([101, 'Made'])
  expect(await told(frame)).toEqual(['outbox: indexedDB', 'persist: indexedDB', 'syncTabs: navigator.locks'])
})

test('a sandboxed frame and a page of the same address are strangers, and each has its own', async () => {
  const profile = await stage.profile()
  const [frame, tab] = [await profile.openSandboxed('use=all'), await profile.open('use=all')]
  for (const each of [frame, tab]) await each.call('load')
  await profile.setOffline(true)
  await frame.call('edit', 1, 'Of the frame')
  await tab.call('edit', 2, 'Of the page')
  await tab.call('kept')
  expect((await frame.call('mutations')).length).toBe(1)
  expect((await tab.call('mutations')).length).toBe(1)
  await profile.setOffline(false)
  for (const each of [frame, tab]) await expect.poll(() => each.call('mutations')).toEqual([])
  const { applied } = await stage.truth()
  expect(applied.map(({ name }) => name).sort()).toEqual(['PATCH /todo/1', 'PATCH /todo/2'])
})

const ways: readonly (readonly [Refusal['part'], ...How[]])[] = [
  ['navigator.locks', 'missing', 'null', 'access throws', 'use throws', 'use rejects'],
  ['indexedDB', 'missing', 'null', 'access throws', 'use throws', 'use fails'],
  ['BroadcastChannel', 'missing', 'access throws', 'use throws'],
  ['localStorage', 'null', 'access throws'],
  ['crypto.randomUUID', 'missing'],
]

test.each(
  ways.flatMap(([part, ...hows]) => hows.map((how): [string, Refusal] => [`${part}: ${how}`, { part, how }])),
)('two tabs and a crash in a browser that refuses a part of itself: %s', async (_, refusal) => {
  const profile = await stage.profile()
  const open = () => profile.open('use=all', refusal)
  const [first, b] = [await open(), await open()]
  for (const tab of [first, b]) await tab.call('load')
  await first.call('edit', 1, 'Of A')
  await b.call('edit', 2, 'Of B')
  for (const tab of [first, b]) await expect.poll(() => tab.call('mutations')).toEqual([])
  expect((await stage.truth()).applied.map(({ name }) => name).sort()).toEqual([
    'PATCH /todo/1',
    'PATCH /todo/2',
  ])
  const both = [
    [1, 'Of A'],
    [2, 'Of B'],
    [3, 'Todo 3'],
  ]
  // One of them tells the other, unless they have no channel.
  for (const tab of [first, b]) {
    if (refusal.part === 'BroadcastChannel') await tab.call('load')
    await expect.poll(() => tab.call('shown')).toEqual(both)
  }
  await b.page.close()
  expect(await told(first)).toEqual(toldOf(entries, [refusal.part]))
  await profile.setOffline(true)
  await first.call('edit', 3, 'Later')
  const isKept = refusal.part !== 'indexedDB'
  if (isKept) await first.call('kept')
  else await expect(first.call('kept')).rejects.toThrow('The outbox cannot store Todo.partialUpdate')
  // Not by a reload: a page that is left can reach the network for a moment, as Chromium lifts the emulation first.
  await first.crash()
  const a = await open()
  await expect.poll(() => a.call('shown')).toEqual(isKept ? [...both.slice(0, 2), [3, 'Later']] : [])
  await profile.setOffline(false)
  await expect.poll(async () => (await stage.truth()).applied.length).toBe(isKept ? 3 : 2)
  await expect.poll(() => a.call('mutations')).toEqual([])
  await a.call('load')
  expect(await a.call('shown')).toContainEqual([3, isKept ? 'Later' : 'Todo 3'])
})

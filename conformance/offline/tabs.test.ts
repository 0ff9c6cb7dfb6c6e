import { expect, test } from 'vitest'
import { useStage } from './stage.js'
import type { Profile } from './stage.js'

const stage = useStage()

async function openTwo(profile: Profile, search: string) {
  const [a, b] = [await profile.open(search), await profile.open(search)]
  for (const tab of [a, b]) await tab.call('load')
  return [a, b] as const
}

test('two tabs show what one of them wrote, created and expired, without a request of the other', async () => {
  const profile = await stage.profile()
  const [a, b] = await openTwo(profile, 'use=tabs')
  const { reads } = await stage.truth()
  await a.call('edit', 1, 'Of A')
  await a.call('create', 'Made by A')
  const shown = [
    [1, 'Of A'],
    [2, 'Todo 2'],
    [3, 'Todo 3'],
    [101, 'Made by A'],
  ]
  await expect.poll(() => b.call('shown')).toEqual(shown)
  await b.call('edit', 2, 'Of B')
  await expect.poll(() => a.call('shown')).toContainEqual([2, 'Of B'])
  expect((await stage.truth()).reads).toBe(reads)
  await a.call('expire')
  await expect.poll(() => b.call('status')).toBe('Stale')
})

test('a logout in one tab is one in all', async () => {
  const profile = await stage.profile()
  const [a, b] = await openTwo(profile, 'use=tabs')
  await a.call('signIn', 'bob')
  await expect.poll(() => b.call('shown')).toEqual([])
})

test('tabs of different versions do not talk', async () => {
  const profile = await stage.profile()
  const a = await profile.open('use=tabs&version=1')
  const b = await profile.open('use=tabs&version=2')
  const c = await profile.open('use=tabs&version=1')
  for (const tab of [a, b, c]) await tab.call('load')
  await a.call('edit', 1, 'Of version 1')
  await expect.poll(() => c.call('shown')).toContainEqual([1, 'Of version 1'])
  expect(await b.call('shown')).toContainEqual([1, 'Todo 1'])
})

test('with outbox and persist each change is done once, and all tabs and the next visit show it', async () => {
  const profile = await stage.profile()
  const [a, b] = await openTwo(profile, 'use=all')
  await profile.setOffline(true)
  await a.call('edit', 1, 'First')
  await a.call('kept')
  await expect.poll(() => b.call('mutations')).toHaveLength(1)
  await b.call('edit', 1, 'Second')
  await b.call('kept')
  await profile.setOffline(false)
  for (const tab of [a, b]) await expect.poll(() => tab.call('mutations')).toEqual([])
  const { applied } = await stage.truth()
  expect(applied.map(({ body }) => body)).toEqual(['{"title":"First"}', '{"title":"Second"}'])
  for (const tab of [a, b]) {
    expect(await tab.call('shown')).toContainEqual([1, 'Second'])
    await tab.call('kept')
  }
  await profile.setOffline(true)
  await a.reload()
  expect(await a.call('shown')).toContainEqual([1, 'Second'])
})

test('two tabs that are opened on the same page make one request', async () => {
  const profile = await stage.profile()
  await stage.tell('delay', { ms: 1000 })
  const tabs = await Promise.all([profile.open('use=tabs&load'), profile.open('use=tabs&load')])
  for (const tab of tabs) await expect.poll(() => tab.call('shown')).toHaveLength(3)
  expect((await stage.truth()).reads).toBe(1)
  for (const tab of tabs) expect(await tab.call('status')).toBe('Valid')
})

test('a read of a tab that is closed meanwhile is made by the other', async () => {
  const profile = await stage.profile()
  await stage.tell('delay', { ms: 2000 })
  const [a, b] = [await profile.open('use=tabs&load'), await profile.open('use=tabs&load')]
  await expect.poll(async () => (await stage.truth()).reads).toBe(1)
  await a.page.close()
  await expect.poll(() => b.call('shown'), { timeout: 10_000 }).toHaveLength(3)
  expect((await stage.truth()).reads).toBe(2)
})

test('two tabs have one stream, and when the tab that holds it is closed or crashes, the other opens it', async () => {
  const profile = await stage.profile()
  const tabs = [await profile.open('use=tabs'), await profile.open('use=tabs')]
  const [a, b] = tabs
  for (const tab of tabs) await tab.call('connect')
  await expect.poll(async () => (await stage.truth()).streams).toBe(1)
  await stage.tell('push', { id: 1, title: 'Pushed', done: false })
  for (const tab of tabs) await expect.poll(() => tab.call('title')).toBe('Pushed')
  expect((await stage.truth()).opened).toBe(1)
  expect(await b!.call('statusOfOne')).toBe('Valid')
  const { reads } = await stage.truth()
  await a!.crash()
  await expect.poll(async () => (await stage.truth()).opened).toBe(2)
  // What was sent between the two streams is read.
  await expect.poll(async () => (await stage.truth()).reads).toBe(reads + 1)
  await expect.poll(() => b!.call('statusOfOne')).toBe('Valid')
  await stage.tell('push', { id: 1, title: 'Pushed again', done: false })
  await expect.poll(() => b!.call('title')).toBe('Pushed again')
  expect((await stage.truth()).streams).toBe(1)
})

test('a deletion that is undone while its notice is open was sent by no other tab; it is sent when its tab is gone', async () => {
  const profile = await stage.profile()
  const [a, b] = await openTwo(profile, 'use=all')
  const sent = async () => (await stage.truth()).applied.map(({ name }) => name)
  await a.call('remove', 1)
  await a.call('kept')
  await expect.poll(() => b.call('mutations')).toHaveLength(1)
  // Another change makes the other tab send.
  await b.call('edit', 2, 'Of B')
  await expect.poll(sent).toEqual(['PATCH /todo/2'])
  await b.reload()
  expect(await b.call('mutations')).toHaveLength(1)
  await a.call('undo')
  for (const tab of [a, b]) await expect.poll(() => tab.call('mutations')).toEqual([])
  await a.call('remove', 3)
  await a.call('kept')
  await a.call('close')
  for (const tab of [a, b]) await expect.poll(() => tab.call('mutations')).toEqual([])
  expect(await sent()).toEqual(['PATCH /todo/2', 'DELETE /todo/3'])
  await a.call('remove', 2)
  await a.call('kept')
  await expect.poll(() => b.call('mutations')).toHaveLength(1)
  await a.crash()
  await expect.poll(sent).toEqual(['PATCH /todo/2', 'DELETE /todo/3', 'DELETE /todo/2'])
  await expect.poll(() => b.call('mutations')).toEqual([])
})

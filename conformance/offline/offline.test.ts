import { expect, test } from 'vitest'
import { useStage } from './stage.js'

const stage = useStage()

test('close and reopen offline: the server has each change once, in order', async () => {
  const profile = await stage.profile()
  const tab = await profile.open()
  await tab.call('load')
  await tab.call('kept')
  await profile.setOffline(true)
  for (const id of [1, 2, 3]) await tab.call('edit', id, `Edited ${id}`)
  const temporary = await tab.call('create', 'New')
  await tab.call('edit', temporary!, 'Newer')
  await tab.call('upload', 'content')
  await tab.call('kept')
  await tab.reload()
  const shown = [
    [1, 'Edited 1'],
    [2, 'Edited 2'],
    [3, 'Edited 3'],
    [temporary, 'Newer'],
  ]
  expect(await tab.call('shown')).toEqual(shown)
  expect(await tab.call('mutations')).toHaveLength(6)
  expect((await stage.truth()).received).toEqual([])
  await profile.setOffline(false)
  await expect.poll(() => tab.call('mutations')).toEqual([])
  const { received, applied } = await stage.truth()
  expect(received).toEqual(applied)
  const changes = applied.map(({ name, body }) => (name === 'POST /file' ? name : `${name} ${body}`))
  expect([...changes].sort()).toEqual([
    'PATCH /todo/1 {"title":"Edited 1"}',
    'PATCH /todo/101 {"title":"Newer"}',
    'PATCH /todo/2 {"title":"Edited 2"}',
    'PATCH /todo/3 {"title":"Edited 3"}',
    'POST /file',
    'POST /todo {"title":"New"}',
  ])
  expect(changes.indexOf('POST /todo {"title":"New"}')).toBeLessThan(
    changes.indexOf('PATCH /todo/101 {"title":"Newer"}'),
  )
  expect(applied.find(({ name }) => name === 'POST /file')?.body).toContain('content')
  expect(await tab.call('shown')).toEqual([...shown.slice(0, 3), [101, 'Newer']])
})

test.each([
  ['before it is sent', undefined, 0],
  ['after it was sent, before the server has done it', 'before', 1],
  ['after the server has done it, before the answer', 'after', 1],
] as const)(
  'a crash %s: it is sent again with the same key, and done once',
  async (_, fault, receivedBefore) => {
    const profile = await stage.profile()
    const tab = await profile.open()
    await tab.call('load')
    await tab.call('kept')
    if (fault === undefined) await profile.setOffline(true)
    else await stage.fail(fault)
    await tab.call('create', 'Once')
    await tab.call('kept')
    await expect.poll(async () => (await stage.truth()).received.length).toBe(receivedBefore)
    await tab.crash()
    await stage.fail(undefined)
    await profile.setOffline(false)
    const next = await profile.open()
    await expect.poll(() => next.call('mutations')).toEqual([])
    const { received, applied, todos } = await stage.truth()
    expect(received).toHaveLength(receivedBefore + 1)
    expect(new Set(received.map(({ key }) => key)).size).toBe(1)
    expect(applied).toHaveLength(1)
    expect(todos.map(({ title }) => title)).toEqual(['Todo 1', 'Todo 2', 'Todo 3', 'Once'])
    await next.call('load')
    expect(await next.call('shown')).toContainEqual([101, 'Once'])
  },
)

test('two tabs edit: one sends, each change is done once, and both show all', async () => {
  const profile = await stage.profile()
  const [a, b] = [await profile.open(), await profile.open()]
  for (const tab of [a, b]) await tab.call('load')
  await profile.setOffline(true)
  await a.call('edit', 1, 'Of A')
  const temporary = await a.call('create', 'New')
  await a.call('kept')
  await expect.poll(() => b.call('shown')).toContainEqual([temporary, 'New'])
  await b.call('edit', temporary!, 'Edited by B')
  await b.call('edit', 2, 'Of B')
  await b.call('kept')
  await expect.poll(() => a.call('mutations')).toHaveLength(4)
  await profile.setOffline(false)
  for (const tab of [a, b]) await expect.poll(() => tab.call('mutations')).toEqual([])
  const { received, applied } = await stage.truth()
  expect(received).toEqual(applied)
  expect(applied).toHaveLength(4)
  for (const tab of [a, b])
    expect(await tab.call('shown')).toEqual([
      [1, 'Of A'],
      [2, 'Of B'],
      [3, 'Todo 3'],
      [101, 'Edited by B'],
    ])
})

test('a tab that crashes while it sends hands over to another', async () => {
  const profile = await stage.profile()
  const tabs = [await profile.open(), await profile.open()]
  for (const tab of tabs) await tab.call('load')
  await stage.fail('after')
  await tabs[0]!.call('edit', 1, 'Handed over')
  await expect.poll(async () => (await stage.truth()).applied.length).toBe(1)
  for (const tab of tabs) await expect.poll(() => tab.call('mutations')).toHaveLength(1)
  // Any tab may have got the lock first. The server never answers it.
  const statuses = await Promise.all(tabs.map(async (tab) => (await tab.call('mutations'))[0]?.status))
  expect([...statuses].sort()).toEqual(['sending', 'waiting'])
  const sender = statuses.indexOf('sending')
  await stage.fail(undefined)
  await tabs[sender]!.crash()
  const other = tabs[1 - sender]!
  await expect.poll(() => other.call('mutations')).toEqual([])
  const { received, applied } = await stage.truth()
  expect(received.map(({ key }) => key)).toEqual([applied[0]?.key, applied[0]?.key])
  expect(applied).toHaveLength(1)
  expect(await other.call('shown')).toContainEqual([1, 'Handed over'])
})

test('after another user signs in nothing of the first is shown or sent, until the return', async () => {
  const profile = await stage.profile()
  const tab = await profile.open()
  await tab.call('signIn', 'ann')
  await tab.call('load')
  await profile.setOffline(true)
  await tab.call('edit', 1, 'Of Ann')
  await tab.call('kept')
  await tab.call('signIn', 'bob')
  await profile.setOffline(false)
  expect([await tab.call('mutations'), await tab.call('shown')]).toEqual([[], []])
  await tab.reload()
  expect([await tab.call('mutations'), await tab.call('shown')]).toEqual([[], []])
  await tab.call('load')
  await tab.call('edit', 2, 'Of Bob')
  await expect.poll(async () => (await stage.truth()).applied.length).toBe(1)
  await expect.poll(() => tab.call('mutations')).toEqual([])
  await tab.call('signIn', 'ann')
  await expect.poll(async () => (await stage.truth()).applied.length).toBe(2)
  const { applied } = await stage.truth()
  expect(applied.map(({ user, body }) => [user, body])).toEqual([
    ['bob', '{"title":"Of Bob"}'],
    ['ann', '{"title":"Of Ann"}'],
  ])
})

test('an unavailable service is tried again with the same key', async () => {
  const profile = await stage.profile()
  const tab = await profile.open()
  await tab.call('load')
  await stage.fail(503, 3)
  await tab.call('edit', 1, 'At last')
  await expect.poll(() => tab.call('mutations')).toEqual([])
  const { received, applied } = await stage.truth()
  expect(received).toHaveLength(4)
  expect(new Set(received.map(({ key }) => key)).size).toBe(1)
  expect(applied).toHaveLength(1)
})

test('damaged rows are told of, and take nothing else with them', async () => {
  const profile = await stage.profile()
  const tab = await profile.open()
  await tab.call('load')
  await profile.setOffline(true)
  await tab.call('edit', 1, 'Kept')
  await tab.call('kept')
  expect(await tab.damage('persist')).toBeGreaterThan(0)
  await tab.put({
    'outbox/selfsame//000000000000005-000000001-x': { version: 7 },
    'outbox/selfsame//000000000000006-000000001-x': 'text',
    'outbox-id/selfsame//new-x-1': 5,
  })
  await tab.reload()
  // An attempt may be under way.
  await expect
    .poll(() => tab.call('mutations'))
    .toMatchObject([
      { status: 'failed', reason: 'unreadable' },
      { status: 'failed', reason: 'unreadable' },
      { endpoint: 'Todo.partialUpdate', status: 'waiting' },
    ])
  expect((await tab.warnings()).join('\n')).toMatch(/cannot be read/)
  await profile.setOffline(false)
  await expect.poll(async () => (await stage.truth()).applied.length).toBe(1)
  await tab.call('drop')
  await tab.reload()
  expect(await tab.call('mutations')).toEqual([])
})

test('data of an older version is dropped, and its changes are sent', async () => {
  const profile = await stage.profile()
  const tab = await profile.open('version=1')
  await tab.call('load')
  await profile.setOffline(true)
  await tab.call('edit', 1, 'Of version 1')
  await tab.call('kept')
  await tab.page.close()
  const next = await profile.open('version=2')
  expect(await next.call('shown')).toEqual([])
  expect(await next.call('mutations')).toHaveLength(1)
  await profile.setOffline(false)
  await next.call('load')
  await expect.poll(() => next.call('mutations')).toEqual([])
  expect((await next.call('shown'))[0]).toEqual([1, 'Of version 1'])
})

test('a database that cannot be opened leaves a page that works, with a warning', async () => {
  const profile = await stage.profile()
  const first = await profile.open()
  await first.call('load')
  await first.call('kept')
  // A later version of the library has made it: this tab lets go of it, and the next one cannot open it.
  await first.page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('selfsame', 5)
        request.onsuccess = () => {
          request.result.close()
          resolve()
        }
        request.addEventListener('blocked', () => reject(new Error('The tab holds the database.')))
      }),
  )
  const tab = await profile.open()
  await tab.call('load')
  await tab.call('edit', 1, 'In memory')
  await expect.poll(async () => (await stage.truth()).applied.length).toBe(1)
  await expect.poll(() => tab.call('mutations')).toEqual([])
  expect(await tab.call('shown')).toContainEqual([1, 'In memory'])
  expect((await tab.warnings()).join('\n')).toMatch(/outbox cannot store mutations/)
})

test('a full storage leaves a page that works: changes are sent all the same, with one warning for each part', async () => {
  const profile = await stage.profile()
  // Before the database is used: the browser remembers for a while how much it may take.
  const other = await profile.open('use=tabs')
  await other.setQuota(1)
  const tab = await profile.open()
  await tab.call('load')
  await tab.call('edit', 1, 'Not kept')
  // It may be sent before it is found that it cannot be stored.
  await tab.call('kept').catch(() => {})
  await expect.poll(async () => (await stage.truth()).applied.length).toBe(1)
  await expect.poll(() => tab.call('mutations')).toEqual([])
  expect(await tab.call('shown')).toContainEqual([1, 'Not kept'])
  const warnings = await tab.warnings()
  const matching = (part: RegExp) => warnings.filter((text) => part.test(text)).length
  expect([matching(/cannot store mutations/), matching(/stores nothing from now on/)]).toEqual([1, 1])
  await tab.reload()
  expect([await tab.call('shown'), await tab.call('mutations')]).toEqual([[], []])
})

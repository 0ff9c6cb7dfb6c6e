import { expect, test } from 'vitest'
import { useStage } from './stage.js'

const stage = useStage('applications-page.ts')

const namesOf = ({ received }: Awaited<ReturnType<typeof stage.truth>>) => received.map(({ name }) => name)

test.each(['listed=admin,public', 'listed=admin,public&reversed'])(
  'of two resources of one class a mutation goes to its own address after a reload: %s',
  async (search) => {
    const profile = await stage.profile()
    const tab = await profile.open(search)
    await profile.setOffline(true)
    await tab.call('create', 'x')
    await tab.call('edit', 1, 'y')
    await tab.call('kept')
    await tab.reload()
    expect(await tab.call('mutations')).toHaveLength(2)
    await profile.setOffline(false)
    await expect.poll(() => tab.call('mutations')).toEqual([])
    expect(namesOf(await stage.truth()).sort()).toEqual(['PATCH /admin/1', 'POST /admin'])
  },
)

test('where its resource is not listed it waits and is told of, and a tab that has it sends it', async () => {
  const profile = await stage.profile()
  const tab = await profile.open('listed=admin,public')
  await profile.setOffline(true)
  await tab.call('create', 'x')
  await tab.call('kept')
  await tab.page.close()
  await profile.setOffline(false)
  const other = await profile.open('listed=public')
  const waiting = [{ endpoint: 'Todo.create', status: 'waiting', isKnown: false }]
  expect(await other.call('mutations')).toMatchObject(waiting)
  await other.call('create', 'of public')
  await expect.poll(async () => namesOf(await stage.truth())).toEqual(['POST /public'])
  await other.reload()
  await expect.poll(() => other.call('mutations')).toMatchObject(waiting)
  await profile.open('listed=public,admin')
  await expect.poll(() => other.call('mutations')).toEqual([])
  expect(namesOf(await stage.truth())).toEqual(['POST /public', 'POST /admin'])
})

test('a record that one tab creates joins the lists of its own resource in the other', async () => {
  const profile = await stage.profile()
  const tabs = [await profile.open('listed=admin,public'), await profile.open('listed=admin,public&reversed')]
  for (const tab of tabs) await tab.call('load')
  await tabs[0]?.call('create', 'New')
  for (const tab of tabs) await expect.poll(() => tab.call('shown')).toContainEqual([101, 'New'])
  expect(namesOf(await stage.truth())).toEqual(['POST /admin'])
})

test('two applications of one origin have nothing in common', async () => {
  const profile = await stage.profile()
  const first = await profile.open('prefix=one')
  await first.call('load')
  await profile.setOffline(true)
  await first.call('create', 'Of the first')
  await first.call('kept')
  const second = await profile.open('prefix=two')
  expect([await second.call('mutations'), await second.call('shown')]).toEqual([[], []])
  await first.page.close()
  await profile.setOffline(false)
  await second.call('create', 'Of the second')
  await expect.poll(async () => namesOf(await stage.truth())).toEqual(['POST /two/todo'])
  await second.reload()
  expect(namesOf(await stage.truth())).toEqual(['POST /two/todo'])
  const again = await profile.open('prefix=one')
  await expect.poll(() => again.call('mutations')).toEqual([])
  expect(namesOf(await stage.truth())).toEqual(['POST /two/todo', 'POST /one/todo'])
})

test('an API that has moved gets what was made before, by an alias', async () => {
  const profile = await stage.profile()
  const before = await profile.open('prefix=old&name=shop')
  await profile.setOffline(true)
  await before.call('create', 'x')
  await before.call('kept')
  await before.page.close()
  await profile.setOffline(false)
  const unaware = await profile.open('prefix=new&name=shop')
  expect(await unaware.call('mutations')).toMatchObject([{ isKnown: false }])
  await unaware.page.close()
  expect(namesOf(await stage.truth())).toEqual([])
  const after = await profile.open('prefix=new&name=shop&old=old')
  await expect.poll(() => after.call('mutations')).toEqual([])
  expect(namesOf(await stage.truth())).toEqual(['POST /new/todo'])
})

test('half-readable rows are told of, and stop neither the outbox nor persistence', async () => {
  const profile = await stage.profile()
  const tab = await profile.open()
  await tab.call('load')
  await profile.setOffline(true)
  for (const id of [1, 2, 3]) await tab.call('edit', id, `Edited ${id}`)
  for (const title of ['a', 'b', 'c', 'd']) await tab.call('create', title)
  await tab.call('kept')
  await tab.change('outbox/', (row, index) => {
    const without = (name: string) =>
      Object.fromEntries(Object.entries(row).filter(([each]) => each !== name))
    const bad = [
      without('failed'),
      { ...row, failed: {} },
      { ...row, touches: [1] },
      without('done'),
      without('key'),
      5,
    ]
    return bad[index] ?? row
  })
  await tab.change('persist/', (row, index) => (index === 0 ? { half: 'written' } : row))
  await tab.reload()
  const reasons = async () => (await tab.call('mutations')).map(({ reason }) => reason)
  expect((await reasons()).filter((reason) => reason === 'unreadable').length).toBeGreaterThan(4)
  expect((await tab.warnings()).join('\n')).toMatch(/cannot be read/)
  await profile.setOffline(false)
  await expect.poll(async () => (await reasons()).every((reason) => reason === 'unreadable')).toBe(true)
  const { received } = await stage.truth()
  expect(received.map(({ body }) => body)).toContain('{"title":"d"}')
  expect(received.map(({ key }) => key)).not.toContain('undefined')
  await tab.call('drop')
  await tab.call('load')
  await tab.call('kept')
  await profile.setOffline(true)
  await tab.reload()
  expect(await tab.call('mutations')).toEqual([])
  expect(await tab.call('shown')).toContainEqual([1, 'Todo 1'])
})

import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useStage } from './stage.js'

const stage = useStage()

test.each([
  [0, 5000],
  [20, 5000],
  [100, 5000],
  [400, 5000],
  [0, 20_000],
])(
  'a tab that is closed %i ms after resetAll leaves nothing to the next session of %i records and 100 waiting changes',
  async (ms, count) => {
    const profile = await stage.profile()
    const tab = await profile.open('unscoped')
    await tab.call('fill', count)
    await profile.setOffline(true)
    for (let id = 1; id <= 100; id++) await tab.call('edit', id, 'Of the last user')
    await tab.call('kept')
    const before = await tab.stored()
    expect(before.filter((key) => key.startsWith('outbox/'))).toHaveLength(100)
    expect(before.filter((key) => key.includes('/r/')).length).toBeGreaterThanOrEqual(count / 64)
    await tab.call('reset')
    await setTimeout(ms)
    await tab.page.close()
    await profile.setOffline(false)
    const next = await profile.open('unscoped')
    expect([await next.call('filled', count), await next.call('mutations')]).toEqual([0, []])
    await expect
      .poll(async () => (await next.stored()).filter((key) => !key.startsWith('selfsame.end/')))
      .toEqual([expect.stringMatching(/^persist\/selfsame\/ \w+\/version$/)])
    expect((await stage.truth()).received).toEqual([])
    await next.call('edit', 1, 'Of the next')
    await expect.poll(async () => (await stage.truth()).applied.length).toBe(1)
  },
  60_000,
)

test('a page that is left in the task of resetAll leaves nothing', async () => {
  const profile = await stage.profile()
  const tab = await profile.open('unscoped')
  await tab.call('fill', 5000)
  await profile.setOffline(true)
  for (let id = 1; id <= 100; id++) await tab.call('edit', id, 'Of the last user')
  await tab.call('kept')
  await tab.page.evaluate(() => {
    ;(window as never as { page: { reset: () => void } }).page.reset()
    location.assign('/?unscoped&next')
  })
  await tab.page.waitForURL(/next/)
  await tab.call('ready')
  expect([await tab.call('filled', 5000), await tab.call('mutations')]).toEqual([0, []])
  await profile.setOffline(false)
  await tab.call('edit', 1, 'Of the next')
  await expect.poll(() => tab.call('mutations')).toEqual([])
  expect((await stage.truth()).received.map(({ body }) => body)).toEqual(['{"title":"Of the next"}'])
})

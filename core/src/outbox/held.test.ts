import { expect, test } from 'vitest'
import type { Middleware } from '../index.js'
import { outbox, outboxOf } from '../outbox.js'
import type { OutboxOptions } from '../outbox.js'
import { syncTabs } from '../tabs.js'
import { Dish, createOrigin, dishesAt } from './testing-origin.js'
import { settle } from './testing-stage.js'

// A middleware before the outbox holds a deletion while its notice is open: see the recipe for undo.

type Origin = ReturnType<typeof createOrigin>

const dishes = dishesAt('/dish/:id')

/** Opens a tab with a notice for each of its deletions. */
function openTab(origin: Origin, isSharing = false, more: OutboxOptions = {}) {
  const notices = new WeakMap<AbortSignal, AbortSignal>()
  const afterNotice: Middleware = () => ({
    passesOn: true,
    async request({ endpoint: { signal } }, next) {
      const closed = signal && notices.get(signal)
      if (closed !== undefined)
        await new Promise<void>((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
          closed.addEventListener('abort', () => resolve())
        })
      return next()
    },
  })
  const controller = origin.open((platform) => [
    afterNotice,
    outbox({ endpoints: [dishes], delayMs: () => 1000, ...platform, ...more }),
    ...(isSharing ? [syncTabs({ channel: platform.channel, locks: platform.locks })] : []),
  ])
  function remove(id: number) {
    const [undone, closed] = [new AbortController(), new AbortController()]
    notices.set(undone.signal, closed.signal)
    const removed = controller.fetch(dishes.delete.extend({ signal: undone.signal }), { id })
    removed.catch(() => {})
    return { removed, undo: () => undone.abort(), close: () => closed.abort() }
  }
  return {
    controller,
    box: outboxOf(controller),
    remove,
    ids: () => controller.read(dishes.getList).data?.map(({ id }) => id),
  }
}

const removal = 'DELETE https://api.test/dish/1'

/** Two tabs of which the first has an open notice. */
async function openTwo(isSharing = false) {
  const origin = createOrigin()
  const [first, second] = [openTab(origin, isSharing), openTab(origin, isSharing)]
  await settle()
  for (const { controller } of [first, second]) await controller.fetch(dishes.getList)
  await settle()
  const notice = first.remove(1)
  await first.box.written()
  await settle()
  expect([first.ids(), second.ids()]).toEqual([[2], [2]])
  return { origin, first, second, notice }
}

test.each([[false], [true]])(
  'a mutation that its tab holds back is sent by no other tab, and can be undone; syncTabs: %s',
  async (isSharing) => {
    const { origin, first, second, notice } = await openTwo(isSharing)
    // Another change in the other tab makes it send.
    await second.controller.fetch(dishes.update, { id: 2 }, { name: 'Sent' })
    const third = openTab(origin, isSharing)
    await third.box.retry()
    await settle()
    expect(third.box.mutations).toMatchObject([{ endpoint: 'Dish.delete', status: 'waiting' }])
    expect(origin.received).toEqual(['PUT https://api.test/dish/2 {"name":"Sent"}'])
    notice.undo()
    await expect(notice.removed).rejects.toThrow('aborted')
    await settle()
    for (const tab of [first, second, third]) {
      expect(tab.box.mutations).toEqual([])
      tab.controller.dispose()
    }
    await settle()
    openTab(origin, isSharing)
    await settle()
    expect(origin.received).not.toContain(removal)
  },
)

test('it is sent once when its tab passes it on', async () => {
  const { origin, first, second, notice } = await openTwo()
  notice.close()
  await notice.removed
  await settle()
  expect(origin.received).toEqual([removal])
  expect([first.box.mutations, second.box.mutations]).toEqual([[], []])
  expect([first.ids(), second.ids()]).toEqual([[2], [2]])
})

test('what touches the same record waits for it, in each tab', async () => {
  const { origin, second, notice } = await openTwo()
  const saved = second.controller.fetch(dishes.update, { id: 1 }, { name: 'Later' })
  await settle()
  expect(origin.received).toEqual([])
  notice.close()
  await saved
  expect(origin.received).toEqual([removal, 'PUT https://api.test/dish/1 {"name":"Later"}'])
})

test('another tab sends it when its tab is closed, and the next start if there is none', async () => {
  const { origin, first } = await openTwo()
  first.controller.dispose()
  await settle()
  expect(origin.received).toEqual([removal])
  const alone = createOrigin()
  const tab = openTab(alone)
  await settle()
  tab.remove(1)
  await tab.box.written()
  tab.controller.dispose()
  await settle()
  expect(alone.received).toEqual([])
  const next = openTab(alone)
  await settle()
  expect([alone.received, next.box.mutations]).toEqual([[removal], []])
})

test('a mutation that is not held back takes no lock of its own', async () => {
  const origin = createOrigin()
  const asked: string[] = []
  const controller = origin.open(({ locks, ...platform }) => [
    outbox({
      ...platform,
      endpoints: [dishes],
      locks: {
        request: (name, options, run) => {
          asked.push(name)
          return locks.request(name, options, run)
        },
      },
    }),
  ])
  await controller.fetch(dishes.create, { name: 'Soup' })
  await settle()
  expect(controller.get(Dish, { id: 101 })?.name).toBe('Soup')
  expect(asked).toEqual(['selfsame.outbox.https://api.test'])
})

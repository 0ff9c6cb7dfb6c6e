import { refusals, toldOf } from '@selfsame/conformance/refusals'
import type { Refusal } from '@selfsame/conformance/refusals'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Endpoint } from '../index.js'
import { connect } from '../live.js'
import type { StreamSink } from '../live.js'
import { pauseOffline, refetchOnFocus, refetchOnReconnect, retry } from '../policies.js'
import { webStorage } from '../storage.js'
import type { SyncTabsOptions } from '../tabs.js'
import {
  allEntries,
  becomeBrowser,
  createApplication,
  isWritten,
  refuseAll,
  todos,
  useAll,
} from './testing-platform.js'

// A platform that refuses something is as one that lacks it.

/** Takes parts away from a browser. */
function inBrowserWithout(...given: readonly Refusal[]) {
  becomeBrowser()
  refuseAll(given)
  return createApplication()
}

const nameOf = ({ part, how }: Refusal) => `${part}: ${how}`
const each = refusals.map((refusal) => [nameOf(refusal), refusal] as const)
const partsOf = ({ part }: Refusal): Refusal['part'][] =>
  // The IndexedDB of these tests needs it. That of a browser does not.
  part === 'structuredClone' ? [part, 'indexedDB'] : [part]
const isGranted = (part: Refusal['part'], refusal: Refusal) => !partsOf(refusal).includes(part)

describe.each([[['outbox']], [['persist']], [['syncTabs']], [allEntries]] as const)('with %j', (entries) => {
  test.each(each)(
    'the application starts, reads, sends and settles, and tells once what it costs: %s',
    async (_, refusal) => {
      const application = inBrowserWithout(refusal)
      await useAll(application, { entries })
      expect(application.told()).toEqual(toldOf(entries, partsOf(refusal), true))
    },
  )
})

test.each(['access throws', 'use throws', 'missing', 'null'] as const)(
  'all that a browser may refuse, at once: %s',
  async (how) => {
    const given = refusals.filter((refusal) => refusal.how === how && refusal.part !== 'crypto.randomUUID')
    const { open, over, server, sent, told } = inBrowserWithout(...given)
    const page = open()
    expect(await over(page.controller.fetch(todos.getList))).toHaveLength(3)
    await over(page.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Sent' }))
    await sent(page)
    expect(server.todos.get(1)?.title).toBe('Sent')
    // Where nothing is kept or shared, what else is missing costs no more.
    expect(told()).toEqual(
      expect.arrayContaining(['outbox: indexedDB', 'persist: indexedDB', 'syncTabs: BroadcastChannel']),
    )
    expect(new Set(told()).size).toBe(told().length)
  },
)

describe('a mutation without a network', () => {
  test.each(each)('is shown, waits, and is sent once when it is back: %s', async (_, refusal) => {
    const { open, network, over, sent, server, settle } = inBrowserWithout(refusal)
    const page = open()
    const { controller, box, titles } = page
    await over(controller.fetch(todos.getList))
    network.set(false)
    const saving = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Later' })
    await settle()
    expect(titles()).toEqual(['Later', 'Todo 2', 'Todo 3'])
    expect(box.mutations).toMatchObject([{ status: 'waiting' }])
    expect(server.applied).toEqual([])
    network.set(true)
    expect(await over(saving)).toMatchObject({ id: 1, title: 'Later' })
    await sent(page)
    expect(server.received.filter(({ name }) => name === 'PATCH /todo/1')).toHaveLength(1)
  })

  test.each(each)('is there after a reload where IndexedDB is: %s', async (_, refusal) => {
    const { open, network, over, sent, server } = inBrowserWithout(refusal)
    const first = open()
    await over(first.controller.fetch(todos.getList))
    network.set(false)
    first.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Later' }).catch(() => {})
    const isKept = isGranted('indexedDB', refusal)
    expect(await over(isWritten(first))).toBe(isKept)
    // A page may show what closing it costs.
    expect(first.box.mutations).toMatchObject([{ isWritten: isKept }])
    await over(first.kept.flush())
    first.controller.dispose()
    const second = open()
    await over(Promise.all([second.box.ready, second.kept.ready]))
    expect(second.titles()).toEqual(isKept ? ['Later', 'Todo 2', 'Todo 3'] : [])
    expect(second.box.mutations).toHaveLength(isKept ? 1 : 0)
    network.set(true)
    await sent(second)
    expect(server.applied).toHaveLength(isKept ? 1 : 0)
    expect(await over(second.controller.fetch(todos.getList))).toHaveLength(3)
    expect(second.titles()[0]).toBe(isKept ? 'Later' : 'Todo 1')
  })
})

describe('two tabs', () => {
  test.each(each)('read, and the server does what each of them changes once: %s', async (_, refusal) => {
    const { open, over, sent, server } = inBrowserWithout(refusal)
    const [a, b] = [open(), open()]
    // At once: one of them may wait for the other.
    const reads = [a, b].map(({ controller }) => controller.fetch(todos.getList))
    expect(await over(Promise.all(reads))).toMatchObject([{ length: 3 }, { length: 3 }])
    const saves = [a, b].map(({ controller }, index) =>
      controller.fetch(todos.partialUpdate, { id: index + 1 }, { title: `Of ${index}` }),
    )
    expect(await over(Promise.all(saves))).toMatchObject([{ title: 'Of 0' }, { title: 'Of 1' }])
    await sent(a, b)
    expect(server.applied.map(({ name }) => name).sort()).toEqual(['PATCH /todo/1', 'PATCH /todo/2'])
    for (const { controller, titles } of [a, b]) {
      await over(controller.fetch(todos.getList))
      expect(titles()).toEqual(['Of 0', 'Of 1', 'Todo 3'])
    }
  })

  test.each(each)('without a network: what one of them made is done once, by any: %s', async (_, refusal) => {
    const { open, network, over, sent, server, settle } = inBrowserWithout(refusal)
    const a = open()
    await over(a.controller.fetch(todos.getList))
    network.set(false)
    const saving = a.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of A' })
    await over(isWritten(a))
    // It finds the row where there is one.
    const b = open()
    await over(b.box.ready)
    await settle()
    network.set(true)
    expect(await over(saving)).toMatchObject({ title: 'Of A' })
    await sent(a, b)
    expect(server.applied.map(({ name }) => name)).toEqual(['PATCH /todo/1'])
  })

  test.each(
    each
      .filter(([, refusal]) => isGranted('BroadcastChannel', refusal))
      .flatMap(([name, refusal]) =>
        ([['syncTabs'], allEntries] as const).map((entries) => [name, entries, refusal] as const),
      ),
  )('tell each other what they wrote where they can: %s, with %j', async (_, entries, refusal) => {
    const { open, over, sent, server, settle } = inBrowserWithout(refusal)
    const [a, b] = [open({ entries }), open({ entries })]
    await settle()
    for (const { controller } of [a, b]) await over(controller.fetch(todos.getList))
    const reads = server.received.length
    await over(a.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of A' }))
    await sent(a, b)
    await settle()
    // What cannot be copied is not told.
    if (refusal.part !== 'structuredClone') expect(b.titles()[0]).toBe('Of A')
    expect(server.applied).toHaveLength(1)
    expect(server.received.filter(({ name }) => name.startsWith('GET'))).toHaveLength(reads)
    expect(await over(b.controller.fetch(todos.get, { id: 1 }))).toMatchObject({ title: 'Of A' })
  })

  test('one shows what waits in the other within a second, without a channel', async () => {
    const { open, clock, network, over, settle } = inBrowserWithout({
      part: 'BroadcastChannel',
      how: 'use throws',
    })
    const [a, b] = [open(), open()]
    for (const { controller } of [a, b]) await over(controller.fetch(todos.getList))
    network.set(false)
    b.controller.fetch(todos.partialUpdate, { id: 2 }, { title: 'Of B' }).catch(() => {})
    a.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of A' }).catch(() => {})
    await over(Promise.all([a, b].map(isWritten)))
    await settle()
    clock.advance(1000)
    await settle()
    expect([a, b].map(({ titles }) => titles())).toEqual([
      ['Of A', 'Of B', 'Todo 3'],
      ['Of A', 'Of B', 'Todo 3'],
    ])
  })

  test.each(each.filter(([, { part }]) => part === 'navigator.locks'))(
    'each opens its own stream where none can be shared: %s',
    async (_, refusal) => {
      const { open, settle } = inBrowserWithout(refusal)
      const opened: StreamSink[] = []
      const getNews = new Endpoint(async () => ({ text: 'first' }), {
        name: 'getNews',
        stream: (sink: StreamSink) => {
          opened.push(sink)
          return () => {}
        },
      })
      const tabs = [1, 2].map(() => open({ entries: ['syncTabs'], tabs: { sharesStreams: true } }))
      await settle()
      const ends = tabs.map(({ controller }) => connect(controller, getNews))
      await settle()
      expect(opened).toHaveLength(2)
      for (const [index, sink] of opened.entries()) sink.receive({ text: `pushed ${index}` })
      await settle()
      for (const { controller } of tabs)
        expect(controller.read(getNews).data).toMatchObject({ text: expect.stringMatching(/pushed/) })
      for (const end of ends) end()
    },
  )
})

test.each(each.filter(([, { part }]) => part === 'localStorage'))(
  'with webStorage() as the storage: %s',
  async (_, refusal) => {
    const { open, over, sent, server, told } = inBrowserWithout(refusal)
    const page = open({ outbox: { storage: webStorage() }, persist: { storage: webStorage() } })
    expect(await over(page.controller.fetch(todos.getList))).toHaveLength(3)
    await over(page.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Sent' }))
    await sent(page)
    expect(server.todos.get(1)?.title).toBe('Sent')
    await over(page.kept.clear())
    // Told as of any storage.
    expect(told()).toEqual(['outbox: indexedDB', 'persist: indexedDB'])
  },
)

const refuseUse = (): never => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

test.each<[string, Pick<SyncTabsOptions, 'locks' | 'channel'>]>([
  ['locks that reject', { locks: { request: async () => refuseUse() } }],
  ['locks that throw', { locks: { request: refuseUse } }],
  ['no channel', { channel: refuseUse }],
])('what an application brings itself may refuse, too: %s', async (_, given) => {
  const { open, over, sent, server } = inBrowserWithout()
  const pages = [1, 2].map(() => open({ outbox: given, tabs: given }))
  for (const { controller } of pages) expect(await over(controller.fetch(todos.getList))).toHaveLength(3)
  await over(pages[0]!.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Sent' }))
  await sent(...pages)
  expect(server.applied).toHaveLength(1)
})

// A browser has both, and refuses neither. Node had no `navigator`.
test.each(['navigator', 'document'] as const)('the entries and the policies without %s', async (part) => {
  const { open, over, sent, server } = inBrowserWithout({ part, how: 'missing' })
  const policies = [pauseOffline(), refetchOnFocus(), refetchOnReconnect(), retry()]
  for (const entries of [allEntries, []]) {
    server.applied.length = 0
    const page = open({ entries, before: policies, outbox: { network: undefined } })
    const { controller } = page
    const end = controller.subscribe(todos.getList, () => {})
    expect(await over(controller.fetch(todos.getList))).toHaveLength(3)
    await over(controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Sent' }))
    await sent(page)
    expect(server.applied).toHaveLength(1)
    end()
    controller.dispose()
  }
})

test('a server is no browser that refuses: nothing is told, and no channel is opened', async () => {
  const opened = vi.fn()
  vi.stubGlobal('BroadcastChannel', opened)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { open, server, told } = createApplication()
  const { controller, box, kept } = open()
  expect(await controller.fetch(todos.getList)).toHaveLength(3)
  await controller.fetch(todos.create, { title: 'Made' })
  expect(server.applied).toHaveLength(1)
  expect([box.isReady, kept.isReady, told(), opened.mock.calls]).toEqual([true, true, [], []])
})

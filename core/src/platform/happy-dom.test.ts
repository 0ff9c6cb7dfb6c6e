// @vitest-environment happy-dom
import { toldOf } from '@selfsame/conformance/refusals'
import { expect, test, vi } from 'vitest'
import { allEntries, createApplication, todos, useAll } from './testing-platform.js'

// The environment of the guide, without any set-up. It has neither Web Locks nor IndexedDB, and the channels of Node: these reach the
// tests of other threads, so each test has a name.
let tests = 0
const named = () => ({ tabs: { name: `happy-dom ${tests++}` } })

test.each([[['outbox']], [['persist']], [['syncTabs']], [allEntries]] as const)(
  'an application with %j starts, reads, sends and settles, and tells once what it costs',
  async (entries) => {
    const application = createApplication()
    await useAll(application, { entries, ...named() })
    expect(application.told()).toEqual(toldOf(entries, ['navigator.locks', 'indexedDB']))
  },
)

test('a mutation waits for the network, is shown, and is sent once', async () => {
  const { open, network, over, sent, server, settle } = createApplication()
  const page = open(named())
  await over(page.controller.fetch(todos.getList))
  network.set(false)
  const saving = page.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Later' })
  await settle()
  expect(page.titles()).toEqual(['Later', 'Todo 2', 'Todo 3'])
  expect(page.box.mutations).toMatchObject([{ status: 'waiting', isWritten: false }])
  network.set(true)
  expect(await over(saving)).toMatchObject({ title: 'Later' })
  await sent(page)
  expect(server.applied).toHaveLength(1)
})

test('two tabs tell each other what they wrote', async () => {
  const { open, over, server } = createApplication()
  const options = named()
  const [a, b] = [open(options), open(options)]
  for (const { controller } of [a, b]) await over(controller.fetch(todos.getList))
  await over(a.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of A' }))
  await vi.waitFor(() => expect(b.titles()[0]).toBe('Of A'))
  expect(server.received).toHaveLength(3)
})

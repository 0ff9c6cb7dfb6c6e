import { describe, expect, test } from 'vitest'
import { Todo, createBrowser, settle } from './testing-stage.js'

/** A user whose session is over, with three changes that wait for the network. */
async function createSignedOut(options: Parameters<ReturnType<typeof createBrowser>['open']>[0] = {}) {
  const browser = createBrowser()
  const { network, open, server, session, todos } = browser
  session.user = 'ann'
  const tab = open({ scope: () => session.user, ...options })
  await tab.controller.fetch(todos.getList)
  network.set(false)
  const saving = [1, 2, 3].map((id) =>
    tab.controller.fetch(todos.partialUpdate, { id }, { title: `Changed ${id}` }),
  )
  for (const each of saving) each.catch(() => {})
  await tab.box.written()
  let isOver = true
  server.fault = ({ name }) => (isOver && !name.startsWith('GET') ? 401 : undefined)
  const signIn = () => void (isOver = false)
  network.set(true)
  await settle(30)
  const titles = () => tab.controller.read(todos.getList).data?.map(({ title }) => title)
  return { ...browser, tab, saving, signIn, titles }
}

const changed = ['Changed 1', 'Changed 2', 'Changed 3']
const waiting = { status: 'waiting', reason: 'session' }

describe('when the session is over', () => {
  test('all that waits is shown and waits, and goes on at `resume` with the same keys', async () => {
    const { server, signIn, saving, tab, titles, clock, todos } = await createSignedOut()
    expect(tab.box.mutations).toMatchObject([waiting, waiting, waiting])
    expect(titles()).toEqual(changed)
    const sent = server.received.length
    clock.advance(60_000)
    const last = tab.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Last' })
    last.catch(() => {})
    await settle(30)
    expect(server.received).toHaveLength(sent)
    expect(tab.box.mutations).toMatchObject([waiting, waiting, waiting, waiting])
    signIn()
    tab.box.resume()
    await Promise.all([...saving, last])
    expect(server.applied.map(({ body }) => body)).toEqual([
      ...changed.map((title) => ({ title })),
      { title: 'Last' },
    ])
    expect(new Set(server.received.flatMap(({ key }) => key ?? [])).size).toBe(4)
    await settle()
    expect(tab.box.mutations).toEqual([])
  })

  test.each([
    ['retry', ({ tab }: Awaited<ReturnType<typeof createSignedOut>>) => void tab.box.retry()],
    ['a reset with the same scope', ({ tab }) => tab.controller.resetAll()],
    [
      'the next start',
      ({ crash, open, session, tab }) => {
        crash(tab.controller)
        open({ scope: () => session.user })
      },
    ],
  ] as readonly [string, (signedOut: Awaited<ReturnType<typeof createSignedOut>>) => void][])(
    'it goes on after %s',
    async (_, goOn) => {
      const signedOut = await createSignedOut()
      signedOut.signIn()
      goOn(signedOut)
      await settle(60)
      expect(signedOut.server.applied.map(({ body }) => body)).toEqual(changed.map((title) => ({ title })))
    },
  )

  test('without keys of idempotency nothing is taken as lost', async () => {
    const { crash, open, server, session, signIn, tab } = await createSignedOut({ idempotencyKey: false })
    signIn()
    crash(tab.controller)
    const { box } = open({ scope: () => session.user, idempotencyKey: false, onUnknown: () => 'keep' })
    await settle(60)
    expect([box.mutations, server.applied.length]).toEqual([[], 3])
  })

  test('another user has no part in it', async () => {
    const { server, session, signIn, tab, todos } = await createSignedOut()
    session.user = 'bob'
    signIn()
    tab.controller.resetAll()
    await tab.controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of Bob' })
    expect(server.applied.map(({ user }) => user)).toEqual(['bob'])
  })

  test('an option says which statuses mean that', async () => {
    const { tab } = await createSignedOut({ sessionStatuses: [419] })
    expect(tab.box.mutations).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: 'failed', reason: 'refused' })),
    )
  })
})

describe('what is clicked after a sign-out, before the page is left', () => {
  test.each([
    ['before the reset', false],
    ['after the reset', true],
  ])('waits for the user who clicked, %s', async (_, isReset) => {
    const { crash, open, server, session, todos } = createBrowser()
    session.user = 'ann'
    const options = { scope: () => session.user }
    const { box, controller } = open(options)
    await controller.fetch(todos.getList)
    session.user = undefined
    if (isReset) controller.resetAll()
    await expect(controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of Ann' })).rejects.toMatchObject(
      { code: 'outbox-dropped' },
    )
    if (!isReset) controller.resetAll()
    await settle()
    expect([box.mutations, controller.get(Todo, { id: 1 })]).toEqual([[], undefined])
    crash(controller)
    session.user = 'bob'
    const bobs = open(options)
    await settle()
    expect([bobs.box.mutations, server.applied]).toEqual([[], []])
    session.user = 'ann'
    bobs.controller.resetAll()
    await settle(30)
    expect(server.applied).toMatchObject([{ user: 'ann', body: { title: 'Of Ann' } }])
  })

  test('nobody is a user too, while none has signed in', async () => {
    const { open, server, session, todos } = createBrowser()
    const { controller } = open({ scope: () => session.user })
    await controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Of a guest' })
    expect(server.applied).toMatchObject([{ user: null }])
  })
})

test('a create that is reset in the same task is not kept without the id under which it was shown', async () => {
  const { crash, open, server, session, storage, todos } = createBrowser()
  session.user = 'ann'
  const { controller } = open({ scope: () => session.user })
  await settle()
  const creating = controller.fetch(todos.create, { title: 'Never written' })
  controller.resetAll()
  await expect(creating).rejects.toMatchObject({ code: 'hard-reset' })
  await settle()
  expect(await storage.list('outbox/')).toEqual([])
  crash(controller)
  open({ scope: () => session.user })
  await settle(30)
  expect(server.applied).toEqual([])
})

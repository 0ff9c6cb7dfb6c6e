import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { Controller, Entity } from '@selfsame/core'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { persist, persisted } from '@selfsame/core/persist'
import { createResource } from '@selfsame/core/rest'
import { indexedDbStorage } from '@selfsame/core/storage'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  currentUser,
  signInToContinue,
  signOutHere,
} from './shared-computer.js'
import { onSessionOver } from './session-over.js'
import { serve } from './testing-network.js'

// The steps of docs/authentication.md, and what is stored after them.

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const todoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
})
const texts = new Map<string, string>()
const network = { isOnline: () => isOnline, subscribe: () => () => {} }
let isOnline = true

beforeEach(() => {
  texts.clear()
  isOnline = true
  currentUser.id = 'ann'
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
  vi.stubGlobal('location', { assign: vi.fn() })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => void texts.set(name, text),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

function open(hasScope = true) {
  const scope = hasScope ? () => currentUser.id : undefined
  return new Controller({
    middleware: [
      outbox({ name: 'shop', endpoints: [todoResource], scope, network }),
      persist({ scope }),
    ],
  })
}

/** All keys of the database, and all names and texts of `localStorage`. */
async function stored(): Promise<string[]> {
  const rows = await indexedDbStorage().list('')
  return [...rows.map(String), ...[...texts].map(String)]
}

const answers = {
  'GET /todo': [{ id: 1, title: 'of Ann' }],
  'PATCH /todo/1': { id: 1, title: 'of Ann, saved' },
  'POST /logout': {},
}

/** Ann reads, changes a todo, changes it once more without a network, and signs out. */
async function useAndSignOut(hasScope: boolean): Promise<void> {
  const controller = open(hasScope)
  await controller.fetch(todoResource.getList)
  await controller.fetch(
    todoResource.partialUpdate,
    { id: 1 },
    { title: 'of Ann' },
  )
  isOnline = false
  const { partialUpdate } = todoResource
  controller.fetch(partialUpdate, { id: 1 }, { title: 'waits' }).catch(() => {})
  await outboxOf(controller).written()
  await persisted(controller).flush()
  expect((await stored()).join('\n')).toContain('of Ann')
  await signOutHere(controller)
  controller.dispose()
  isOnline = true
}

/** The next user opens the page. */
async function openNext(hasScope: boolean): Promise<Controller> {
  currentUser.id = 'ben'
  const controller = open(hasScope)
  await persisted(controller).ready
  await outboxOf(controller).ready
  return controller
}

test.each([true, false])(
  'after a sign-out nothing of the user is stored, shown or sent (scope: %s)',
  async (hasScope) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const requests = serve(answers)
    await useAndSignOut(hasScope)
    const sent = requests.length
    const controller = await openNext(hasScope)
    await vi.waitFor(async () => {
      const left = (await stored()).filter((row) => /ann/i.test(row))
      // What waits for its user, if there are users.
      expect(left).toHaveLength(hasScope ? 1 : 0)
      expect(left.join('\n')).not.toContain('of Ann')
    })
    expect(controller.get(Todo, { id: 1 })).toBeUndefined()
    expect(outboxOf(controller).mutations).toEqual([])
    expect(requests).toHaveLength(sent)
    await outboxOf(controller).dropScope('ann')
    expect((await stored()).filter((row) => /ann|waits/i.test(row))).toEqual([])
    controller.dispose()
  },
)

test('a sign-out without a network leaves nothing either, and says that the session is open', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  serve({ ...answers, 'POST /logout': Response.error() })
  await useAndSignOut(true)
  const controller = await openNext(true)
  expect(controller.get(Todo, { id: 1 })).toBeUndefined()
  expect(vi.mocked(location.assign).mock.calls).toEqual([
    ['/login?session=open'],
  ])
  controller.dispose()
})

test('what waits for a session is sent after the next sign-in', async () => {
  let isOver = true
  const requests = serve({
    'POST /login': {},
    'PATCH /todo/1': () =>
      isOver ? Response.json({}, { status: 401 }) : { id: 1, title: 'new' },
  })
  const controller = open()
  const { partialUpdate } = todoResource
  const saving = controller.fetch(partialUpdate, { id: 1 }, { title: 'new' })
  await vi.waitFor(() =>
    expect(outboxOf(controller).mutations).toMatchObject([
      { status: 'waiting', reason: 'session' },
    ]),
  )
  isOver = false
  await signInToContinue(controller, { name: 'Ann', password: 'secret' })
  await saving
  expect(requests.map(({ line }) => line)).toEqual([
    'PATCH /todo/1',
    'POST /login',
    'PATCH /todo/1',
  ])
  controller.dispose()
})

test.each(['a read', 'a mutation', 'the outbox'])(
  'a 401 of %s leads to the sign-in, and what waited goes on after it',
  async (who) => {
    let isOver = true
    const answer = (body: object) => () =>
      isOver ? Response.json({}, { status: 401 }) : body
    serve({
      'POST /login': {},
      'GET /todo': answer([{ id: 1, title: 'old' }]),
      'PATCH /todo/1': answer({ id: 1, title: 'new' }),
    })
    const toSignIn = vi.fn()
    const endpoints = who === 'the outbox' ? [todoResource] : []
    const controller = new Controller({
      middleware: [
        outbox({ name: 'shop', endpoints, network }),
        onSessionOver(toSignIn),
      ],
    })
    const { getList, partialUpdate } = todoResource
    const send = () =>
      who === 'a read'
        ? controller.fetch(getList)
        : controller.fetch(partialUpdate, { id: 1 }, { title: 'new' })
    const first = send()
    first.catch(() => {})
    await vi.waitFor(() => expect(toSignIn).toHaveBeenCalled())
    isOver = false
    await signInToContinue(controller, { name: 'Ann', password: 'secret' })
    const sent = who === 'the outbox' ? first : send()
    expect(await sent).toMatchObject(
      who === 'a read' ? [{ title: 'old' }] : { title: 'new' },
    )
    controller.dispose()
  },
)

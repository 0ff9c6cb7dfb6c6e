import 'fake-indexeddb/auto'
import { Controller, Counted, Entity, schema } from '@selfsame/core'
import { changes } from '@selfsame/core/changes'
import { eventSource, webSocket } from '@selfsame/core/live'
import { from } from '@selfsame/core/maintained'
import { optimistic } from '@selfsame/core/optimistic'
import { outbox } from '@selfsame/core/outbox'
import { persist, persisted } from '@selfsame/core/persist'
import { pauseOffline, refetchOnReconnect } from '@selfsame/core/policies'
import { createResource } from '@selfsame/core/rest'
import { order, rule } from '@selfsame/core/rules'
import { webStorage } from '@selfsame/core/storage'
import { syncTabs } from '@selfsame/core/tabs'
import { expect, test, vi } from 'vitest'
import { serve } from './testing-network.js'

// The samples of docs/assistants.md about what an application adds.

export class Issue extends Entity {
  id = 0
  title = ''
  state = 'open'
  votes = 0
  static override key = 'Issue'
}

export const issueResource = createResource({
  path: '/issue/:id',
  schema: Issue,
  optimistic,
  filter: rule(
    (issue: Issue, { state }: { state?: string }) =>
      state === undefined || issue.state === state,
  ),
  orderBy: order('votes', 'descending'),
})

const mostVotes = from(Issue)
  .where({ state: 'open' })
  .orderBy('votes', 'descending')
  .limit(10)

const issueEvents = eventSource('/issue/events', {
  events: ['created', 'updated'],
})
export const getIssues = issueResource.getList.extend({
  stream: issueEvents.stream({
    schemas: { created: issueResource.getList.schema.push, updated: Issue },
  }),
})

const socket = webSocket('wss://example.com/live')
export const getIssue = issueResource.get.extend({
  stream: socket.stream({
    subscribe: ({ id }) => ({ subscribe: id }),
    schema: Issue,
  }),
})

const session = {
  userId: 'ann' as string | undefined,
  readAgain() {
    this.userId = 'ben'
  },
}

function createController() {
  const scope = () => session.userId
  const controller = new Controller({
    middleware: [
      outbox({ name: 'tracker', endpoints: [issueResource], scope }),
      persist({ version: 1, scope }),
      syncTabs({
        endpoints: [issueResource],
        version: 1,
        onReset() {
          session.readAgain()
          if (session.userId === undefined) location.assign('/login')
        },
      }),
      pauseOffline(),
      refetchOnReconnect(),
    ],
  })
  return controller
}

const keptInLocalStorage = persist({ version: 1, storage: webStorage() })

class Post extends Entity {
  id = 0
  title = ''
  static override key = 'Post'
}

const posts = createResource({ path: '/post/:id', schema: Post })
const postResource = posts.extend(({ getList }) => ({
  getList: getList.extend({
    schema: new Counted(
      { items: new schema.Collection([Post]), nextCursor: '', total: 0 },
      'total',
    ),
    paginationField: 'cursor',
  }),
}))

test('a rule, an order and a maintained query place an optimistic record', async () => {
  serve({
    'GET /issue': [{ id: 1, title: 'Crash', state: 'open', votes: 3 }],
    'PATCH /issue/1': { id: 1, title: 'Crash', state: 'closed', votes: 3 },
  })
  const controller = new Controller()
  await controller.fetch(issueResource.getList, { state: 'open' })
  expect(controller.get(mostVotes)?.map(({ id }) => id)).toEqual([1])
  const sent = controller.fetch(
    issueResource.partialUpdate,
    { id: 1 },
    { state: 'closed' },
  )
  const open = () => controller.read(issueResource.getList, { state: 'open' })
  expect(open().data).toEqual([])
  expect(controller.get(mostVotes)).toEqual([])
  await sent
  expect(open().data).toEqual([])
})

test('a Controller keeps data, and tells what each commit changed', async () => {
  const controller = createController()
  await persisted(controller).ready
  const log = vi.fn()
  const end = changes(controller, ({ received }) => {
    for (const { key, pk, after } of received.records) log(key, pk, after)
  })
  controller.set(Issue, { id: 5 }, { id: 5, title: 'New' })
  expect(log).toHaveBeenCalledExactlyOnceWith(
    'Issue',
    '5',
    expect.objectContaining({ fields: { id: 5, title: 'New' } }),
  )
  end()
  controller.dispose()
})

test('rows may be kept in localStorage', async () => {
  const texts = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
    key: (index: number) => [...texts.keys()][index] ?? null,
    get length() {
      return texts.size
    },
  })
  const controller = new Controller({ middleware: [keptInLocalStorage] })
  await persisted(controller).ready
  expect(persisted(controller).isReady).toBe(true)
  controller.dispose()
  vi.unstubAllGlobals()
})

test('a list in an envelope, and streams, are members of endpoints', async () => {
  serve({ 'GET /post': { items: [{ id: 1 }], nextCursor: 'b', total: 9 } })
  const list = await new Controller().fetch(postResource.getList)
  expect(list).toMatchObject({ items: [{ id: 1 }], total: 9 })
  expect(getIssue.stream).toBeTypeOf('function')
  expect(getIssues.stream).toBeTypeOf('function')
})

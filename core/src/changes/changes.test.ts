import { ManualClock } from '@selfsame/conformance'
import { expect, test, vi } from 'vitest'
import type { Commit } from '../changes.js'
import { changes } from '../changes.js'
import { callsOf } from '../controller/calls.js'
import { dehydrate, hydrate } from '../hydration.js'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { optimistic } from '../optimistic.js'

class Todo extends Entity {
  id: number | string = 0
  title = ''
  votes = 0
  static override key = 'Todo'
}

const getList = new Endpoint(() => Promise.resolve([{ id: 1, title: 'a' }]), {
  name: 'getList',
  schema: new schema.Collection([Todo]),
})
const get = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id, title: 'a' }), {
  name: 'get',
  schema: Todo,
})

/** A mutation whose outcome the test decides. */
function voting() {
  const outcomes: { resolve: (payload: unknown) => void; reject: (error: Error) => void }[] = []
  const vote = new Endpoint(
    (_given: { id: number }) => new Promise<unknown>((resolve, reject) => outcomes.push({ resolve, reject })),
    {
      name: 'vote',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: optimistic((snapshot, given: { id: number }) => ({
        id: given.id,
        votes: (snapshot.get(Todo, given)?.votes ?? 0) + 1,
      })),
    },
  )
  return { vote, outcomes }
}

function listening(options = {}) {
  const clock = new ManualClock(1_000_000)
  const controller = new Controller({ clock, ...options })
  const commits: Commit[] = []
  const stop = changes(controller, (commit) => commits.push(commit))
  return { controller, clock, commits, stop, take: () => commits.splice(0) }
}

const causes = (commits: readonly Commit[]) =>
  commits.map((commit) => commit.causes.map((cause) => cause.type))
const nextTask = () => new Promise((done) => setImmediate(done))

test('a response tells its records, list and call, each with the state before and after, and its age', async () => {
  const { controller, take } = listening()
  await controller.fetch(getList)
  const commits = take()
  expect(causes(commits)).toEqual([['fetch'], ['response']])
  const [sent, received] = commits
  expect(sent!.received.calls).toEqual([])
  expect(sent!.shown.calls).toMatchObject([
    { before: undefined, after: { fetching: true, isAnswered: false } },
  ])
  const ids = commits.map(({ causes: [cause] }) => (cause as { id?: number }).id)
  expect(ids[0]).toBe(ids[1])
  const age = { receivedAt: 1_000_000, expiresAt: 1_060_000, order: ids[0] }
  expect(received!.received.records).toEqual([
    {
      key: 'Todo',
      entity: Todo,
      pk: '1',
      before: undefined,
      after: { ...age, fields: { id: 1, title: 'a' }, place: 1 },
    },
  ])
  const [list] = received!.received.lists
  expect(list).toMatchObject({
    call: getList.key(),
    key: 'Todo',
    before: undefined,
    after: { members: ['1'] },
  })
  expect(received!.received.calls).toMatchObject([
    {
      key: getList.key(),
      args: [],
      endpoint: getList,
      before: undefined,
      after: { ...age, data: { list: list!.id }, status: 'Valid', error: undefined },
    },
  ])
  controller.set(Todo, { id: 1 }, { title: 'b' })
  const [set] = take()
  expect(causes([set!])).toEqual([['set']])
  expect(set!.received.records).toMatchObject([
    { before: { fields: { id: 1, title: 'a' } }, after: { fields: { id: 1, title: 'b' } } },
  ])
  expect([set!.received.lists, set!.received.calls]).toEqual([[], []])
})

test('received data and what an optimistic layer makes of it are told apart', async () => {
  const { controller, take } = listening()
  const { vote, outcomes } = voting()
  controller.set(Todo, { id: 1 }, { id: 1, votes: 1 })
  take()
  const first = controller.fetch(vote, { id: 1 })
  await nextTask()
  const [early] = take()
  expect(early!.received.records).toEqual([])
  expect(early!.shown.records).toMatchObject([
    { before: { fields: { votes: 1 } }, after: { fields: { votes: 2 } } },
  ])
  controller.set(Todo, { id: 1 }, { votes: 5 })
  const [pushed] = take()
  expect(pushed!.received.records).toMatchObject([
    { before: { fields: { votes: 1 } }, after: { fields: { votes: 5 } } },
  ])
  expect(pushed!.shown.records).toMatchObject([
    { before: { fields: { votes: 2 } }, after: { fields: { votes: 6 } } },
  ])
  outcomes[0]!.reject(new Error('refused'))
  await expect(first).rejects.toThrow('refused')
  const [failed] = take()
  expect(causes([failed!])).toEqual([['error']])
  expect(failed!.shown.records).toMatchObject([
    { before: { fields: { votes: 6 } }, after: { fields: { votes: 5 } } },
  ])
  // The server may have done it, so the record is Stale.
  expect(failed!.received.records).toMatchObject([
    { before: { expiresAt: 1_060_000 }, after: { expiresAt: -Infinity, fields: { votes: 5 } } },
  ])
})

test('a listener that is added while a mutation is under way is told of received data without it', async () => {
  const controller = new Controller()
  const { vote, outcomes } = voting()
  controller.set(Todo, { id: 1 }, { id: 1, votes: 1 })
  void controller.fetch(vote, { id: 1 })
  await nextTask()
  const commits: Commit[] = []
  changes(controller, (commit) => commits.push(commit))
  expect(commits).toEqual([])
  outcomes[0]!.resolve({ id: 1, votes: 2 })
  await nextTask()
  expect(commits.flatMap(({ received }) => received.records)).toMatchObject([
    { before: { fields: { votes: 1 } }, after: { fields: { votes: 2 } } },
  ])
  expect(commits.flatMap(({ shown }) => shown.records)).toMatchObject([
    { before: { fields: { votes: 2 } }, after: { fields: { votes: 2 } } },
  ])
})

test('a batch is one commit with all of its actions; nothing that is equal is told', () => {
  const { controller, take } = listening()
  controller.batch(() => {
    controller.set(Todo, { id: 1 }, { id: 1, title: 'a' })
    controller.set(Todo, { id: 1 }, { title: 'b' })
    controller.invalidate(getList)
  })
  const commits = take()
  expect(causes(commits)).toEqual([['set', 'set', 'invalidate']])
  expect(commits[0]!.shown.records).toMatchObject([{ before: undefined, after: { fields: { title: 'b' } } }])
  controller.batch(() => {})
  controller.get(Todo, { id: 1 })
  expect(() =>
    controller.set(Todo, { id: 2 }, (() => {
      throw new Error('mine')
    }) as never),
  ).toThrow('mine')
  expect(take()).toEqual([])
})

test('a deleted record has no fields; one that is collected or reset is not there', async () => {
  const { controller, clock, take } = listening({ keepLength: 60_000 })
  controller.set(Todo, { id: 1 }, { id: 1 })
  controller.set(Todo, { id: 2 }, { id: 2 })
  take()
  controller.set(new schema.Delete(Todo), { id: 1 }, { id: 1 })
  expect(take()[0]!.received.records).toMatchObject([{ pk: '1', after: { fields: undefined, order: 3 } }])
  clock.advance(120_000)
  await nextTask()
  const collected = take()
  expect(new Set(causes(collected).flat())).toEqual(new Set(['garbage']))
  expect(collected.flatMap(({ received }) => received.records.map(({ pk, after }) => [pk, after]))).toEqual([
    ['1', undefined],
    ['2', undefined],
  ])
  controller.set(Todo, { id: 3 }, { id: 3 })
  take()
  controller.resetAll()
  const [reset] = take()
  expect(causes([reset!])).toEqual([['resetAll']])
  expect(reset!.received.records).toMatchObject([{ pk: '3', after: undefined }])
})

test('hydrated records are told with the action; the result of a call once a reader takes it', () => {
  const other = new Controller()
  other.setResponse(get, { id: 1 }, { id: 1, title: 'sent' })
  const { controller, take } = listening()
  hydrate(controller, dehydrate(other))
  const [hydrated] = take()
  expect(causes([hydrated!])).toEqual([['hydrate']])
  expect(hydrated!.received.records).toMatchObject([
    { entity: undefined, after: { fields: { title: 'sent' }, order: 0 } },
  ])
  expect(hydrated!.received.calls).toEqual([])
  expect(controller.read(get, { id: 1 }).data?.title).toBe('sent')
  controller.batch(() => {})
  expect(take()).toMatchObject([{ causes: [], received: { calls: [{ after: { data: '1' } }] } }])
})

test('a listener may write: that is told after, to all listeners, and readers are notified once', () => {
  const { controller, commits } = listening()
  const order: unknown[] = []
  const stop = changes(controller, ({ received }) => {
    for (const { pk, after } of received.records) {
      order.push([pk, after?.fields?.['title']])
      if (pk === '1') controller.set(Todo, { id: 2 }, { id: 2, title: String(after?.fields?.['title']) })
    }
  })
  const told = vi.fn()
  controller.subscribe(get, { id: 2 }, told)
  controller.set(Todo, { id: 1 }, { id: 1, title: 'x' })
  expect(order).toEqual([
    ['1', 'x'],
    ['2', 'x'],
  ])
  expect(commits.map(({ received }) => received.records.map(({ pk }) => pk))).toEqual([['1'], ['2']])
  expect(told).toHaveBeenCalledTimes(1)
  stop()
  controller.set(Todo, { id: 1 }, { title: 'y' })
  expect(order).toHaveLength(2)
  expect(controller.get(Todo, { id: 2 })?.title).toBe('x')
})

test('the error of a listener is reported and stops nothing', async () => {
  const { controller, commits } = listening()
  const reported = vi.fn()
  const handlers = process.rawListeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.once('uncaughtException', reported)
  changes(controller, () => {
    throw new Error('mine')
  })
  controller.set(Todo, { id: 1 }, { id: 1 })
  await nextTask()
  for (const handler of handlers) process.on('uncaughtException', handler as () => void)
  expect(reported).toHaveBeenCalledTimes(1)
  expect(commits).toHaveLength(1)
  expect(controller.get(Todo, { id: 1 })?.id).toBe(1)
})

test('after the last listener has left the store notes nothing, and the pipeline describes no action', () => {
  const { controller, stop, commits } = listening()
  const { store, pipeline } = callsOf(controller)
  const stopSecond = changes(controller, () => {})
  stop()
  expect(store.journal).toBeDefined()
  stopSecond()
  stopSecond()
  expect([store.journal, pipeline.hooks]).toEqual([undefined, []])
  controller.set(Todo, { id: 1 }, { id: 1 })
  expect(commits).toEqual([])
})

test('the work of a commit is in proportion to what it changes', () => {
  const { controller, take } = listening()
  controller.set(
    [Todo],
    {},
    Array.from({ length: 1000 }, (_, id) => ({ id, title: 'a' })),
  )
  expect(take()[0]!.received.records).toHaveLength(1000)
  const { nodes } = callsOf(controller).store.tables.get('Todo')!
  const looked = vi.spyOn(nodes, 'get')
  for (const all of ['values', 'keys', 'entries', 'forEach'] as const)
    vi.spyOn(nodes, all).mockImplementation(() => {
      throw new Error('Goes through all records.')
    })
  controller.set(Todo, { id: 7 }, { title: 'b' })
  expect(take()[0]!.received.records).toHaveLength(1)
  expect(looked.mock.calls.length).toBeLessThan(10)
})

test('a record that a lost response made Stale stays so while another mutation of it is under way', async () => {
  const controller = new Controller()
  const { vote, outcomes } = voting()
  await controller.fetch(get, { id: 1 })
  const first = controller.fetch(vote, { id: 1 })
  void controller.fetch(vote, { id: 1 }).catch(() => {})
  await nextTask()
  outcomes[0]!.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  // Takes the layer of the other off, and puts it back.
  dehydrate(controller)
  // A call that is first read now has the age of the record.
  const other = get.extend({ name: 'other' })
  expect(controller.read(other, { id: 1 }).status).toBe('Stale')
})

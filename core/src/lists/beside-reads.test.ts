import { describe, expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'
import { order } from '../rules.js'

class Item extends Entity {
  id = 0
  group = 0
  rank = 0
  static override key = 'Item'
}

type Answer = (response: Response | Error) => Promise<void>

/** Items whose requests a test answers. */
function setUp(options: object = {}) {
  const sent: { method: string; resolve: (response: Response) => void; reject: (error: Error) => void }[] = []
  const items = createResource({
    path: '/item/:id',
    schema: Item,
    ...options,
    fetchResponse: (_url, { method = 'GET' }) =>
      new Promise<Response>((resolve, reject) => sent.push({ method, resolve, reject })),
  })
  const controller = new Controller()
  const flush = () => new Promise<void>((resolve) => setTimeout(resolve))
  /** Sends a request. @returns a function that answers it */
  const send = async (promise: Promise<unknown>): Promise<Answer> => {
    promise.catch(() => {})
    await flush()
    const request = sent.at(-1)
    return async (response) => {
      if (response instanceof Error) request?.reject(response)
      else request?.resolve(response)
      await promise.catch(() => {})
      await flush()
    }
  }
  const load = (params: object, ...members: object[]) =>
    controller.setResponse(items.getList, params as never, members)
  const shown = (...all: object[]) =>
    all.map((params) => {
      const { data, status } = controller.read(items.getList, params as never)
      return `${(data as Item[] | undefined)?.map(({ id }) => id).join()} ${status}`
    })
  return { ...items, controller, send, load, shown, requests: () => sent.length }
}

const none = () => new Response(null, { status: 204 })

// The server has handled the mutation before the read, whose answer comes first.
describe.each([
  ['shown at once', { optimistic }],
  ['shown when it is answered', {}],
])('a move that is %s, and a read that answers before it', (_, options) => {
  test('changes both lists, although the record is in its group already', async () => {
    const { controller, send, load, shown, partialUpdate, get } = setUp(options)
    load({ group: 1 }, { id: 1, group: 1 }, { id: 2, group: 1 })
    load({ group: 2 }, { id: 3, group: 2 })
    const move = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
    const read = await send(controller.fetch(get, { id: 1 }))
    await read(Response.json({ id: 1, group: 2 }))
    await move(Response.json({ id: 1, group: 2 }))
    expect(shown({ group: 1 }, { group: 2 })).toEqual(['2 Valid', '3,1 Valid'])
  })

  test('changes the place in a declared order', async () => {
    const { controller, send, load, shown, partialUpdate, get } = setUp({
      ...options,
      orderBy: order('rank'),
    })
    load({}, { id: 1, rank: 1 }, { id: 2, rank: 2 }, { id: 3, rank: 3 })
    const move = await send(controller.fetch(partialUpdate, { id: 1 }, { rank: 9 }))
    const read = await send(controller.fetch(get, { id: 1 }))
    await read(Response.json({ id: 1, rank: 9 }))
    await move(Response.json({ id: 1, rank: 9 }))
    expect(shown({})).toEqual(['2,3,1 Valid'])
  })

  test('does not take back a move of another mutation', async () => {
    const { controller, send, load, shown, partialUpdate } = setUp(options)
    load({ group: 1 }, { id: 1, group: 1 })
    load({ group: 2 })
    load({ group: 3 })
    const first = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
    const second = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 3 }))
    await first(Response.json({ id: 1, group: 2 }))
    await second(Response.json({ id: 1, group: 3 }))
    expect(shown({ group: 1 }, { group: 2 }, { group: 3 })).toEqual([' Valid', ' Valid', '1 Valid'])
  })
})

// What follows takes the place of a deleted record, and only the server knows what that is.
test('a deletion makes Stale the pages of its list, and the limited lists that hold it', async () => {
  const { controller, send, load, shown, delete: remove } = setUp()
  load({}, { id: 1 }, { id: 2 }, { id: 3 })
  load({ page: 1 }, { id: 1 }, { id: 2 })
  load({ page: 2 }, { id: 3 })
  load({ limit: 1 }, { id: 1 })
  load({ sort: 'rank', limit: 1 }, { id: 3 })
  load({ group: 2, page: 1 }, { id: 4, group: 2 })
  controller.set(Item, { id: 1 }, { group: 1 })
  const answer = await send(controller.fetch(remove, { id: 1 }))
  await answer(none())
  expect(shown({}, { page: 1 }, { page: 2 }, { limit: 1 }, { sort: 'rank', limit: 1 })).toEqual([
    '2,3 Valid',
    '2 Stale',
    '3 Stale',
    ' Stale',
    '3 Valid',
  ])
  expect(shown({ group: 2, page: 1 })).toEqual(['4 Valid'])
})

test('so it does where the page was under way', async () => {
  const { controller, send, load, shown, getList, delete: remove } = setUp()
  load({}, { id: 1 }, { id: 2 }, { id: 3 })
  const page = await send(controller.fetch(getList, { page: 1 } as never))
  const answer = await send(controller.fetch(remove, { id: 1 }))
  await answer(none())
  await page(Response.json([{ id: 1 }, { id: 2 }]))
  expect(shown({ page: 1 })).toEqual(['2 Stale'])
})

test('of a delete and a PUT of one record, the earlier of which is answered last, only the server knows the later', async () => {
  const { controller, send, load, get, update, delete: remove } = setUp()
  load({}, { id: 1, group: 1 })
  const removing = await send(controller.fetch(remove, { id: 1 }))
  const putting = await send(controller.fetch(update, { id: 1 }, { group: 2, rank: 0 }))
  await putting(Response.json({ id: 1, group: 2, rank: 0 }))
  await removing(none())
  expect(controller.read(get, { id: 1 })).toMatchObject({ data: { group: 2 }, status: 'Stale' })
})

// The server may have done what was asked for. Nothing is fetched before the next check.
test.each([
  ['create', [' Valid', ' Stale', '1 Stale']],
  ['move', ['1 Stale', ' Stale', '1 Stale']],
  ['delete', ['1 Stale', ' Valid', '1 Stale']],
] as const)('after a lost %s the lists that it may have changed are Stale', async (kind, expected) => {
  const { controller, send, load, shown, requests, create, partialUpdate, delete: remove } = setUp()
  load({ group: 1 }, ...(kind === 'create' ? [] : [{ id: 1, group: 1 }]))
  load({ group: 2 })
  load({}, { id: 1, group: 1 })
  const sending = {
    create: () => controller.fetch(create, { group: 2, rank: 1 }),
    move: () => controller.fetch(partialUpdate, { id: 1 }, { group: 2 }),
    delete: () => controller.fetch(remove, { id: 1 }),
  }
  const answer = await send(sending[kind]())
  await answer(new TypeError('lost'))
  expect(shown({ group: 1 }, { group: 2 }, {})).toEqual(expected)
  expect(requests()).toBe(1)
})

test('a record stays Stale after a lost delete when a read answers that was sent before', async () => {
  const { controller, send, load, get, getList, delete: remove } = setUp()
  load({}, { id: 1, group: 1 })
  const reading = await send(controller.fetch(getList, { group: 1 } as never))
  const removing = await send(controller.fetch(remove, { id: 1 }))
  await removing(new TypeError('lost'))
  await reading(Response.json([{ id: 1, group: 1 }]))
  expect(controller.read(get, { id: 1 }).status).toBe('Stale')
  const again = await send(controller.fetch(getList, { group: 1 } as never))
  await again(Response.json([{ id: 1, group: 1 }]))
  expect(controller.read(get, { id: 1 }).status).toBe('Valid')
})

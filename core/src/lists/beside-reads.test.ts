import { describe, expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'
import { order, rule } from '../rules.js'

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

  test.each(['that started before it', 'that starts after it'])(
    'changes both lists, also beside a second move there, with an answer that comes first, and a read %s',
    async (when) => {
      const { controller, send, load, shown, partialUpdate, update, get } = setUp(options)
      load({ group: 1 }, { id: 1, group: 1, rank: 0 })
      load({ group: 2 })
      const read = () => send(controller.fetch(get, { id: 1 }))
      const earlier = when === 'that started before it' ? await read() : undefined
      const put = await send(controller.fetch(update, { id: 1 }, { group: 2, rank: 6 }))
      await (earlier ?? (await read()))(Response.json({ id: 1, group: 2, rank: 6 }))
      const patch = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
      await patch(Response.json({ id: 1, group: 2 }))
      await put(Response.json({ id: 1, group: 2, rank: 6 }))
      expect(shown({ group: 1 }, { group: 2 })).toEqual([' Valid', '1 Valid'])
    },
  )

  // A later mutation confirms what a read brought of an earlier one, which is refused, or is answered last.
  test.each([
    ['the same list', 2],
    ['a third list', 3],
  ] as const)('changes all lists beside a later move to %s', async (_what, group) => {
    for (const isRefused of [false, true]) {
      const { controller, send, load, shown, partialUpdate, get } = setUp(options)
      load({ group: 1 }, { id: 1, group: 1 })
      load({ group: 2 })
      load({ group: 3 })
      const first = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
      const read = await send(controller.fetch(get, { id: 1 }))
      await read(Response.json({ id: 1, group: 2 }))
      const later = await send(controller.fetch(partialUpdate, { id: 1 }, { group }))
      await later(Response.json({ id: 1, group }))
      await first(isRefused ? new Response(null, { status: 409 }) : Response.json({ id: 1, group: 2 }))
      // Of two moves to different lists, only the server knows which one it handled last.
      const status = group === 3 && !isRefused ? 'Stale' : 'Valid'
      expect(shown({ group: 1 }, { group: 2 }, { group: 3 })).toEqual([
        ' Valid',
        group === 2 ? '1 Valid' : ` ${status}`,
        group === 3 ? `1 ${status}` : ' Valid',
      ])
    }
  })

  test('changes the place in a declared order beside a later change of the place', async () => {
    const { controller, send, load, shown, partialUpdate, get } = setUp({
      ...options,
      orderBy: order('rank'),
    })
    load({}, { id: 1, rank: 1 }, { id: 2, rank: 2 }, { id: 3, rank: 3 })
    const first = await send(controller.fetch(partialUpdate, { id: 1 }, { rank: 9 }))
    const read = await send(controller.fetch(get, { id: 1 }))
    await read(Response.json({ id: 1, rank: 9 }))
    const later = await send(controller.fetch(partialUpdate, { id: 1 }, { rank: 9 }))
    await later(Response.json({ id: 1, rank: 9 }))
    await first(Response.json({ id: 1, rank: 9 }))
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

// The value came back to what it was when the request started, so that it seems never to have changed.
describe('a value that comes back', () => {
  const old = { id: 1, group: 1, rank: 0 }

  test('is not replaced by what an older read had seen between', async () => {
    const { controller, send, load, get, getList } = setUp()
    load({ page: 1 }, old)
    const first = await send(controller.fetch(getList, { page: 1 } as never))
    for (const group of [2, 1]) {
      const later = await send(controller.fetch(getList, { page: 1 + group } as never))
      await later(Response.json([{ ...old, group }]))
    }
    await first(Response.json([{ ...old, group: 2 }]))
    expect(controller.read(get, { id: 1 })).toMatchObject({ data: { group: 1 }, status: 'Valid' })
  })

  test('after it was deleted and made again, neither', async () => {
    const { controller, send, load, get, getList, delete: remove, create } = setUp()
    load({ page: 1 }, old)
    const first = await send(controller.fetch(getList, { page: 1 } as never))
    await (
      await send(controller.fetch(remove, { id: 1 }))
    )(none())
    await (
      await send(controller.fetch(create, old))
    )(Response.json(old))
    await first(Response.json([{ ...old, group: 2 }]))
    expect(controller.read(get, { id: 1 }).data).toMatchObject({ group: 1 })
  })

  test('is not replaced where a mutation tells another field', async () => {
    const { controller, send, load, get, getList, partialUpdate } = setUp()
    load({ page: 1 }, old)
    const first = await send(controller.fetch(getList, { page: 1 } as never))
    const patch = await send(controller.fetch(partialUpdate, { id: 1 }, { rank: 5 }))
    await patch(Response.json({ ...old, group: 2, rank: 5 }))
    const later = await send(controller.fetch(getList, { page: 2 } as never))
    await later(Response.json([{ ...old, rank: 5 }]))
    await first(Response.json([{ ...old, group: 2 }]))
    expect(controller.read(get, { id: 1 })).toMatchObject({ data: { group: 1, rank: 5 }, status: 'Valid' })
  })

  test('and what a slow mutation had seen before is not stored, though another changed nothing meanwhile', async () => {
    const { controller, send, load, get, getList, partialUpdate } = setUp()
    load({ page: 1 }, old)
    const quick = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 1 }))
    const slow = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
    const read = await send(controller.fetch(getList, { page: 2 } as never))
    await quick(Response.json(old))
    await read(Response.json([{ ...old, rank: 5 }]))
    await slow(Response.json({ ...old, group: 2 }))
    expect(controller.read(get, { id: 1 })).toMatchObject({ data: { group: 2, rank: 5 }, status: 'Valid' })
  })

  // Both responses have no body and nothing was expected, so that only reads tell the values.
  test.each(['is not replaced', 'replaces what an older read brought'])(
    'by two mutations that tell nothing %s',
    async (title) => {
      const { controller, send, load, get, getList, partialUpdate } = setUp()
      load({ page: 1 }, old)
      const first = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
      const read = await send(controller.fetch(getList, { page: 1 } as never))
      await first(none())
      await (
        await send(controller.fetch(partialUpdate, { id: 1 }, { group: 1 }))
      )(none())
      const later = await send(controller.fetch(getList, { page: 2 } as never))
      const answers = [
        () => read(Response.json([{ ...old, group: 2 }])),
        () => later(Response.json([{ ...old, group: 1 }])),
      ]
      for (const answer of title === 'is not replaced' ? answers.reverse() : answers) await answer()
      expect(controller.read(get, { id: 1 })).toMatchObject({ data: { group: 1 }, status: 'Valid' })
    },
  )

  // The first mutation is answered, and a read brings what the second one did before that is answered.
  test.each([
    ['PATCH', 'shown at once', { optimistic }],
    ['PATCH', 'shown when it is answered', {}],
    ['PUT', 'shown at once', { optimistic }],
    ['PUT', 'shown when it is answered', {}],
  ])('by a second %s that is %s changes both lists again', async (method, _, options) => {
    const { controller, send, load, shown, partialUpdate, update, getList } = setUp(options)
    load({ group: 1 }, old)
    load({ group: 2 })
    const write = (group: number, rank: number) =>
      method === 'PUT'
        ? controller.fetch(update, { id: 1 }, { group, rank })
        : controller.fetch(partialUpdate, { id: 1 }, { group, rank })
    const first = await send(write(2, 1))
    const second = await send(write(1, 2))
    await first(Response.json({ id: 1, group: 2, rank: 1 }))
    const read = await send(controller.fetch(getList, { page: 1 } as never))
    await read(Response.json([{ id: 1, group: 1, rank: 2 }]))
    await second(Response.json({ id: 1, group: 1, rank: 2 }))
    expect(shown({ group: 1 }, { group: 2 })).toEqual(['1 Valid', ' Valid'])
  })
})

// The read was handled between the two mutations: the list has the record again, and nothing says so.
test.each([
  ['before', 'shown at once', { optimistic }, () => Response.json({ id: 2, group: 2 })],
  ['before', 'shown when it is answered', {}, () => Response.json({ id: 2, group: 2 })],
  ['after', 'shown when it is answered', {}, () => Response.json({ id: 2, group: 2 })],
  ['before', 'the only one that is answered', {}, () => new Error('lost')],
] as const)(
  'a list that is read %s the answer of a move back, which is %s, is Stale',
  async (when, _, options, end) => {
    const { controller, send, load, shown, partialUpdate, getList } = setUp(options)
    load({ group: 1 }, { id: 1, group: 1 }, { id: 2, group: 1 })
    const away = await send(controller.fetch(partialUpdate, { id: 2 }, { group: 2 }))
    const back = await send(controller.fetch(partialUpdate, { id: 2 }, { group: 1 }))
    controller.expireAll(getList)
    const read = await send(controller.fetch(getList, { group: 1 } as never))
    const answers = [
      () => read(Response.json([{ id: 1, group: 1 }])),
      () => back(Response.json({ id: 2, group: 1 })),
    ]
    for (const answer of when === 'before' ? answers : answers.reverse()) await answer()
    await away(end())
    expect(shown({ group: 1 })).toEqual(['1 Stale'])
  },
)

test('a list that lacks a record is Valid after an edit that does not name what it is filtered by', async () => {
  const { controller, send, load, shown, partialUpdate, getList } = setUp()
  load({ group: 1 }, { id: 1, group: 1 })
  controller.set(Item, { id: 2 }, { id: 2, group: 1 })
  const edit = await send(controller.fetch(partialUpdate, { id: 2 }, { rank: 1 }))
  controller.expireAll(getList)
  await (
    await send(controller.fetch(getList, { group: 1 } as never))
  )(Response.json([{ id: 1, group: 1 }]))
  await edit(Response.json({ id: 2, group: 1, rank: 1 }))
  expect(shown({ group: 1 })).toEqual(['1 Valid'])
})

describe('a move that a read brings before it is answered', () => {
  test('stays on screen', async () => {
    const { controller, send, load, shown, partialUpdate, get } = setUp({ optimistic })
    load({ group: 1 }, { id: 1, group: 1 })
    load({ group: 2 })
    const move = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
    await (
      await send(controller.fetch(get, { id: 1 }))
    )(Response.json({ id: 1, group: 2 }))
    expect(shown({ group: 1 }, { group: 2 })).toEqual([' Valid', '1 Valid'])
    await move(Response.json({ id: 1, group: 2 }))
    expect(shown({ group: 1 }, { group: 2 })).toEqual([' Valid', '1 Valid'])
  })

  test('changes both lists where the record changed its place, too', async () => {
    const { controller, send, load, shown, partialUpdate, get } = setUp({ orderBy: order('rank') })
    load({ group: 1 }, { id: 1, group: 1, rank: 1 })
    load({ group: 2 }, { id: 2, group: 2, rank: 2 })
    const move = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2, rank: 3 }))
    await (
      await send(controller.fetch(get, { id: 1 }))
    )(Response.json({ id: 1, group: 2, rank: 1 }))
    await move(Response.json({ id: 1, group: 2, rank: 3 }))
    expect(shown({ group: 1 }, { group: 2 })).toEqual([' Valid', '2,1 Valid'])
  })
})

// Members that a read moved stand where the list had them.
test.each([
  [
    'create',
    (items: ReturnType<typeof setUp>) => items.controller.fetch(items.create, { id: 4, rank: 4 }),
    4,
  ],
  [
    'move',
    (items: ReturnType<typeof setUp>) => items.controller.fetch(items.partialUpdate, { id: 2 }, { rank: 4 }),
    2,
  ],
] as const)('a %s finds its place among members that a read has changed', async (_, change, id) => {
  const items = setUp({ orderBy: order('rank') })
  const { controller, send, load, shown, get } = items
  load({}, { id: 1, rank: 1 }, { id: 2, rank: 2 }, { id: 3, rank: 3 })
  await (
    await send(controller.fetch(get, { id: 1 }))
  )(Response.json({ id: 1, rank: 9 }))
  await (
    await send(change(items))
  )(Response.json({ id, rank: 4 }))
  expect(shown({})).toEqual([id === 2 ? '3,2,1 Valid' : '2,3,4,1 Valid'])
})

test('what a read says of other members costs no comparison of those that it did not write', async () => {
  let compared = 0
  const compare = (a: Item, b: Item) => {
    compared++
    return a.rank - b.rank
  }
  const { controller, send, load, create, get } = setUp({ orderBy: order(compare) })
  load({}, ...Array.from({ length: 1000 }, (_, index) => ({ id: index + 1, rank: index })))
  // Development compares the response.
  compared = 0
  await (
    await send(controller.fetch(get, { id: 5 }))
  )(Response.json({ id: 5, rank: 4 }))
  await (
    await send(controller.fetch(create, { rank: 500 }))
  )(Response.json({ id: 2000, rank: 500 }))
  expect(compared).toBeLessThan(30)
})

test('a record has its place among what was received, though another is expected to leave the list', async () => {
  const { controller, send, load, shown, partialUpdate } = setUp({ optimistic, orderBy: order('rank') })
  load({ group: 1 }, { id: 1, group: 1, rank: 1 }, { id: 2, group: 1, rank: 2 })
  const patch = partialUpdate.extend({ getOptimisticResponse: undefined })
  const place = await send(controller.fetch(patch, { id: 1 }, { rank: 9 }))
  const move = await send(controller.fetch(partialUpdate, { id: 2 }, { group: 2 }))
  await place(Response.json({ id: 1, group: 1, rank: 9 }))
  expect(shown({ group: 1 })).toEqual(['1 Valid'])
  await move(new Response(null, { status: 409 }))
  expect(shown({ group: 1 })).toEqual(['2,1 Valid'])
})

// The record has left the list, which a newer read tells before the mutation is answered.
test.each([
  ['succeeds without a body', none],
  ['is lost', () => new Error('lost')],
])('a list that an older read fills is Stale after a move that %s', async (_, end) => {
  const { controller, send, load, shown, getList, partialUpdate } = setUp()
  load({ group: 1 }, { id: 1, group: 1 })
  const move = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
  const newer = await send(controller.fetch(getList, { group: 1 } as never))
  await newer(Response.json([]))
  controller.expireAll(getList)
  const older = await send(controller.fetch(getList, { group: 1 } as never))
  await move(end())
  await older(Response.json([{ id: 1, group: 1 }]))
  expect(shown({ group: 1 })).toEqual(['1 Stale'])
})

test.each(['getList', 'getPage'] as const)(
  'a list that had the record between two moves that tell nothing is Stale (%s)',
  async (name) => {
    const { controller, send, load, shown, getList, partialUpdate } = setUp()
    load({ group: 1 }, { id: 1, group: 1 })
    load({ group: 2 })
    const away = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
    const list = name === 'getList' ? getList : getList.getPage
    const between = await send(
      controller.fetch(
        list as typeof getList,
        { group: 2, ...(name === 'getPage' && { cursor: 2 }) } as never,
      ),
    )
    await away(none())
    await (
      await send(controller.fetch(partialUpdate, { id: 1 }, { group: 1 }))
    )(none())
    await between(Response.json([{ id: 1, group: 2 }]))
    expect(shown({ group: 2 })).toEqual(['1 Stale'])
  },
)

test.each([
  ['deleted, or not', 'delete', {}],
  ['moved, or not', 'partialUpdate', { group: 3 }],
] as const)('a list is Stale that a record joins which was %s', async (_, kind, body) => {
  const items = setUp()
  const { controller, send, load, shown, partialUpdate } = items
  load({ group: 1 }, { id: 1, group: 1 })
  load({ group: 2 })
  const move = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
  const lost =
    kind === 'delete'
      ? controller.fetch(items.delete, { id: 1 })
      : controller.fetch(partialUpdate, { id: 1 }, body)
  await (
    await send(lost)
  )(new Error('lost'))
  await move(Response.json({ id: 1, group: 2 }))
  expect(shown({ group: 2 })).toEqual(['1 Stale'])
})

// The server may have done what was lost, and the answer of the move does not say so.
describe('a record joins a list after a lost edit of it', () => {
  const lost = async ({ controller, send, partialUpdate }: ReturnType<typeof setUp>) =>
    (await send(controller.fetch(partialUpdate, { id: 1 }, { rank: 5 })))(new Error('lost'))

  describe.each([
    ['shown at once', { optimistic }],
    ['shown when it is answered', {}],
  ])('by a move that is %s', (_, options) => {
    test.each([
      ['a part of it', () => Response.json({ id: 1, group: 2 })],
      ['nothing', none],
    ])('and is answered with %s: the list is Stale', async (what, answer) => {
      const items = setUp(options)
      const { controller, send, load, shown, partialUpdate, requests } = items
      load({ group: 1 }, { id: 1, group: 1, rank: 1 })
      load({ group: 2 })
      await lost(items)
      const move = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
      await move(answer())
      // Nothing was expected, and nothing was told.
      const isUnknown = what === 'nothing' && !Object.hasOwn(options, 'optimistic')
      expect(shown({ group: 2 })).toEqual([isUnknown ? ' Stale' : '1 Stale'])
      expect(requests()).toBe(2)
    })

    test('also where a read of the list was under way', async () => {
      const items = setUp(options)
      const { controller, send, load, shown, getList, partialUpdate } = items
      load({ group: 1 }, { id: 1, group: 1, rank: 1 })
      await lost(items)
      const reading = await send(controller.fetch(getList, { group: 2 } as never))
      const move = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
      await move(Response.json({ id: 1, group: 2 }))
      await reading(Response.json([]))
      expect(shown({ group: 2 })).toEqual(['1 Stale'])
    })

    test('and a refused move gives it back to a list that is Stale', async () => {
      const items = setUp(options)
      const { controller, send, load, shown, partialUpdate } = items
      load({ group: 1 }, { id: 1, group: 1, rank: 1 })
      load({ group: 2 })
      const move = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
      await lost(items)
      await move(new Response(null, { status: 409 }))
      expect(shown({ group: 1 })).toEqual(['1 Stale'])
    })
  })

  test('by a `set`, where rules decide: the list is Stale', async () => {
    const items = setUp({ filter: rule((item: Item, { group }: { group?: number }) => item.group === group) })
    const { controller, load, shown } = items
    load({ group: 1 }, { id: 1, group: 1, rank: 1 })
    await lost(items)
    load({ group: 2 })
    controller.set(Item, { id: 1 }, { id: 1, group: 2 })
    expect(shown({ group: 2 })).toEqual(['1 Stale'])
  })

  test('where the record is in doubt because two writers differ: the list is Stale', async () => {
    const items = setUp()
    const { controller, send, load, shown, update, partialUpdate, delete: remove } = items
    load({ group: 1 }, { id: 1, group: 1, rank: 1 })
    load({ group: 3 })
    const removing = await send(controller.fetch(remove, { id: 1 }))
    const putting = await send(controller.fetch(update, { id: 1 }, { group: 2, rank: 0 }))
    await putting(Response.json({ id: 1, group: 2, rank: 0 }))
    await removing(none())
    const move = await send(controller.fetch(partialUpdate, { id: 1 }, { group: 3 }))
    await move(Response.json({ id: 1, group: 3 }))
    expect(shown({ group: 3 })).toEqual(['1 Stale'])
  })

  test('that a read has told since: the list is Valid', async () => {
    const items = setUp()
    const { controller, send, load, shown, get, partialUpdate } = items
    load({ group: 1 }, { id: 1, group: 1, rank: 1 })
    load({ group: 2 })
    await lost(items)
    await (
      await send(controller.fetch(get, { id: 1 }))
    )(Response.json({ id: 1, group: 1, rank: 5 }))
    await (
      await send(controller.fetch(partialUpdate, { id: 1 }, { group: 2 }))
    )(Response.json({ id: 1, group: 2 }))
    expect(shown({ group: 2 })).toEqual(['1 Valid'])
  })
})

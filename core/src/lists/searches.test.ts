import { describe, expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'
import { rule } from '../rules.js'

class Item extends Entity {
  id = 0
  tag = ''
  static override key = 'Item'
}

type Params = Readonly<Record<string, string | undefined>>

/** A search for a tag, which finds the records 1 and 2. A test answers the requests. */
function setUp(options: object = {}, search: Params = { q: 'x' }) {
  const sent: ((response: Response) => void)[] = []
  const items = createResource({
    path: '/item/:id',
    schema: Item,
    ...options,
    fetchResponse: () => new Promise<Response>((resolve) => sent.push(resolve)),
  })
  const controller = new Controller()
  controller.setResponse(items.getList, search as never, [
    { id: 1, tag: 'x' },
    { id: 2, tag: 'x' },
  ])
  /** Sends a mutation. @returns answers it */
  const send = async (promise: Promise<unknown>) => {
    promise.catch(() => {})
    const index = sent.length
    await expect.poll(() => sent.length).toBe(index + 1)
    return async (response: Response) => {
      sent[index]?.(response)
      await promise.catch(() => {})
    }
  }
  const found = () => {
    const { data, status } = controller.read(items.getList, search as never)
    return `${(data as readonly Item[] | undefined)?.map(({ id, tag }) => `${id}${tag}`).join()} ${status}`
  }
  return { ...items, controller, send, found, requests: () => sent.length }
}

type Items = ReturnType<typeof setUp>

const answer = () => Response.json({ id: 2, tag: 'y' })

/** Edits after which the server no longer finds the record. */
const edits = {
  PUT: async ({ controller, send, update }: Items) =>
    (await send(controller.fetch(update, { id: 2 }, { tag: 'y' })))(answer()),
  PATCH: async ({ controller, send, partialUpdate }: Items) =>
    (await send(controller.fetch(partialUpdate, { id: 2 }, { tag: 'y' })))(answer()),
  'PUT beside a refused DELETE': async ({ controller, send, update, delete: remove }: Items) => {
    const removing = await send(controller.fetch(remove, { id: 2 }))
    const putting = await send(controller.fetch(update, { id: 2 }, { tag: 'y' }))
    await putting(answer())
    await removing(new Response(null, { status: 409 }))
  },
} as const

const names = Object.keys(edits) as (keyof typeof edits)[]

describe.each([
  ['shown at once', { optimistic }],
  ['shown when it is answered', {}],
])('a search, and an edit that is %s', (_, options) => {
  // Neither the change nor the record says what the server searches.
  test.each(
    names.flatMap((name) => [{ q: 'x' }, { include: 'author' }].map((search) => [name, search] as const)),
  )('stays as the server answered it after a %s (%o)', async (name, search) => {
    const items = setUp(options, search)
    const expected = name === 'PUT beside a refused DELETE' ? 2 : 1
    await edits[name](items)
    expect(items.found()).toBe('1x,2y Valid')
    expect(items.requests()).toBe(expected)
  })

  test.each(names)('loses the record after a %s if a rule says what it searches', async (name) => {
    const items = setUp({
      ...options,
      filter: rule((item: Item, { q }: Params) => q === undefined || item.tag === q),
    })
    await edits[name](items)
    expect(items.found()).toBe('1x Valid')
  })

  test('is Stale without a rule after a create, and takes its record with one', async () => {
    for (const [given, expected] of [
      [{}, '1x,2x Stale'],
      [{ filter: rule((item: Item, { q }: Params) => q === undefined || item.tag === q) }, '1x,2x,3x Valid'],
    ] as const) {
      const items = setUp({ ...options, ...given })
      const { controller, send, create, found } = items
      await (
        await send(controller.fetch(create, { tag: 'x' } as never))
      )(Response.json({ id: 3, tag: 'x' }))
      expect(found()).toBe(expected)
    }
  })
})

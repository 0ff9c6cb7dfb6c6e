import { describe, expect, test } from 'vitest'
import { Controller, Counted, Entity, schema } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'

class Item extends Entity {
  id = 0
  group = 0
  static override key = 'Item'
}

type Where = { readonly group?: number; readonly cursor?: number }
type Row = { readonly id: number; readonly group: number }

const pageSize = 2
const lists: readonly Where[] = [{}, { group: 1 }, { group: 2 }, { group: 3 }]

/** A request of a client that a server handles, and then answers. */
interface Sent {
  readonly handle: () => Response
  readonly resolve: (response: Response) => void
  answer: Response | undefined
}

/** The rows of a server that counts them, and a client that has the first pages of its lists. */
class Exchange {
  readonly #rows = new Map<number, Row>()
  readonly #sent: Sent[] = []
  readonly controller = new Controller({ dataExpiryLength: Infinity })
  readonly items

  constructor(early: object) {
    // The first page of group 1, and more; group 2 is there to its end; group 3 is empty.
    for (const [index, group] of [1, 2, 1, 1, 2, 1, 1].entries())
      this.#rows.set(index + 1, { id: index + 1, group })
    this.items = createResource({
      path: '/item/:id',
      schema: Item,
      searchParams: {} as Where,
      paginationField: 'cursor',
      fetchResponse: (url, { method = 'GET', body }) => this.#send(url, method, body as string | undefined),
      ...early,
    }).extend(({ getList }) => ({
      getList: getList.extend({
        schema: new Counted({ results: new schema.Collection([Item]), count: 0 }, 'count'),
      }),
    }))
    for (const where of lists) this.controller.setResponse(this.items.getList, where, this.#page(where))
    // A record that is known, and in no first page.
    this.controller.setResponse(this.items.get, { id: 6 }, this.#rows.get(6) as Row)
  }

  async run(requests: readonly Request[], events: readonly Event[]): Promise<void> {
    const sent = new Map<number, Sent>()
    for (const [index, event] of events) {
      const request = sent.get(index)
      if (event === 'start') {
        requests[index]?.(this).catch(() => {})
        await settled()
        sent.set(index, this.#sent.at(-1) as Sent)
      } else if (event === 'handle') {
        if (request !== undefined) request.answer = request.handle()
      } else {
        request?.resolve(request.answer as Response)
        await settled()
      }
    }
  }

  /** The lists whose number is Valid, and not that of the server; and the lists that are Stale. */
  get state(): { readonly wrong: readonly string[]; readonly stale: readonly string[] } {
    const read = lists.map((where) => {
      const { data, status } = this.controller.read(this.items.getList, where)
      const truth = this.#page(where).count
      const name = `${JSON.stringify(where)}: ${data?.count}, not ${truth}`
      return { name, status, isRight: data?.count === truth }
    })
    return {
      wrong: read.flatMap(({ name, status, isRight }) => (status === 'Valid' && !isRight ? name : [])),
      stale: read.flatMap(({ name, status }) => (status === 'Valid' ? [] : name)),
    }
  }

  #page({ group, cursor = 0 }: Where): { results: Row[]; count: number } {
    const all = [...this.#rows.values()].filter((row) => group === undefined || row.group === group)
    const results = all.filter(({ id }) => id > Number(cursor)).slice(0, pageSize)
    return { results, count: all.length }
  }

  #send(url: string, method: string, body: string | undefined): Promise<Response> {
    return new Promise((resolve) => {
      this.#sent.push({ handle: () => this.#handle(url, method, body), resolve, answer: undefined })
    })
  }

  #handle(url: string, method: string, body: string | undefined): Response {
    const { pathname, searchParams } = new URL(url, 'http://server')
    const id = Number(pathname.split('/')[2])
    if (method === 'GET') {
      const { group, cursor } = Object.fromEntries(searchParams)
      return Response.json(
        this.#page({
          ...(group !== undefined && { group: Number(group) }),
          ...(cursor !== undefined && { cursor: Number(cursor) }),
        }),
      )
    }
    if (method === 'POST') {
      const row = {
        id: 10 + this.#rows.size + this.#sent.length,
        ...(JSON.parse(body ?? '') as Pick<Row, 'group'>),
      }
      this.#rows.set(row.id, row)
      return Response.json(row)
    }
    const row = this.#rows.get(id)
    if (row === undefined) return Response.json({}, { status: 404 })
    if (method === 'DELETE') {
      this.#rows.delete(id)
      return Response.json({})
    }
    const changed = { ...row, ...(JSON.parse(body ?? '') as object) }
    this.#rows.set(id, changed)
    return Response.json(changed)
  }
}

type Request = (exchange: Exchange) => Promise<unknown>
type Event = readonly [request: number, event: 'start' | 'handle' | 'answer']

const settled = () => new Promise<void>((resolve) => setTimeout(resolve))

const mutations: Readonly<Record<string, Request>> = {
  create: ({ controller, items }) => controller.fetch(items.create, { group: 1 }),
  'create in the empty group': ({ controller, items }) => controller.fetch(items.create, { group: 3 }),
  'delete a loaded record': ({ controller, items }) => controller.fetch(items.delete, { id: 1 }),
  'delete a known record': ({ controller, items }) => controller.fetch(items.delete, { id: 6 }),
  'delete an unknown record': ({ controller, items }) => controller.fetch(items.delete, { id: 7 }),
  'move a loaded record': ({ controller, items }) =>
    controller.fetch(items.partialUpdate, { id: 1 }, { group: 2 }),
  'move a known record': ({ controller, items }) =>
    controller.fetch(items.partialUpdate, { id: 6 }, { group: 2 }),
  'move an unknown record': ({ controller, items }) =>
    controller.fetch(items.partialUpdate, { id: 7 }, { group: 2 }),
  'move a record back': ({ controller, items }) =>
    controller.fetch(items.partialUpdate, { id: 5 }, { group: 1 }),
}

const reads: Readonly<Record<string, Request>> = {
  all: ({ controller, items }) => controller.fetch(items.getList, {}),
  'group 1': ({ controller, items }) => controller.fetch(items.getList, { group: 1 }),
  'the next page of all': ({ controller, items }) => controller.fetch(items.getList.getPage, { cursor: 2 }),
  'the last page of group 1': ({ controller, items }) =>
    controller.fetch(items.getList.getPage, { group: 1, cursor: 4 }),
}

/** All orders of the events of some requests. */
function ordersOf(count: number): Event[][] {
  const names = ['start', 'handle', 'answer'] as const
  const orders: Event[][] = []
  const add = (order: readonly Event[], done: readonly number[]): void => {
    if (order.length === 3 * count) orders.push([...order])
    for (const [index, next] of done.entries()) {
      const name = names[next]
      if (name === undefined) continue
      add(
        [...order, [index, name]],
        done.map((each, other) => (other === index ? each + 1 : each)),
      )
    }
  }
  add([], Array<number>(count).fill(0))
  return orders
}

describe.each([
  ['shown at once', { optimistic }],
  ['shown when it is answered', {}],
])('a mutation that is %s', (_, early) => {
  test.each(Object.keys(mutations))(
    '%s, beside a read: a number that is Valid is that of the server',
    async (name) => {
      const wrong: string[] = []
      for (const [read, request] of Object.entries(reads)) {
        for (const events of ordersOf(2)) {
          const exchange = new Exchange(early)
          await exchange.run([mutations[name] as Request, request], events)
          for (const each of exchange.state.wrong) wrong.push(`${read}, ${events.join(' ')}: ${each}`)
          exchange.controller.dispose()
        }
      }
      expect(wrong).toEqual([])
    },
  )

  test.each(Object.keys(mutations))('%s, alone', async (name) => {
    const exchange = new Exchange(early)
    await exchange.run([mutations[name] as Request], ordersOf(1)[0] as Event[])
    const { wrong, stale } = exchange.state
    expect(wrong).toEqual([])
    // Without its fields only the server knows which lists it was in.
    const isKnown = !name.includes('unknown')
    if (isKnown) expect(stale).toEqual([])
  })
})

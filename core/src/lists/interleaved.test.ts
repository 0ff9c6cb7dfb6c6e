import { describe, expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'

class Item extends Entity {
  id = 0
  group = 0
  rank = 0
  static override key = 'Item'
}

type Row = Pick<Item, 'id' | 'group' | 'rank'>
type Where = { readonly group?: number; readonly page?: number }

const lists: readonly Where[] = [{}, { group: 1 }, { group: 2 }, { group: 3 }]

/** A request of a client that a server handles, and then answers. */
interface Sent {
  readonly handle: () => Response
  readonly resolve: (response: Response) => void
  answer: Response | undefined
}

/** The rows of a server, and the client whose requests it handles and answers when the test says so. */
class Exchange {
  readonly #rows = new Map<number, Row>()
  readonly #sent: Sent[] = []
  readonly #controller = new Controller({ dataExpiryLength: Infinity })
  readonly #items

  constructor(options: object) {
    for (const [id, group] of [
      [1, 1],
      [2, 1],
      [3, 2],
    ] as const)
      this.#rows.set(id, { id, group, rank: 0 })
    this.#items = createResource({
      path: '/item/:id',
      schema: Item,
      searchParams: {} as Where,
      fetchResponse: (url, { method = 'GET', body }) => this.#send(url, method, body as string | undefined),
      ...options,
    })
    for (const where of lists) this.#controller.setResponse(this.#items.getList, where, this.#list(where))
  }

  /** Starts the requests, handles and answers them. @param events - each a request with `start`, `handle` or `answer` */
  async run(requests: readonly Request[], events: readonly Event[]): Promise<void> {
    const sent = new Map<number, Sent>()
    for (const [index, event] of events) {
      const request = sent.get(index)
      if (event === 'start') {
        requests[index]?.(this.#controller, this.#items).catch(() => {})
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

  end(): void {
    this.#controller.dispose()
  }

  /** What is Valid, and not as on the server. */
  get wrong(): string[] {
    return lists.flatMap((where) => {
      const { data, status } = this.#controller.read(this.#items.getList, where)
      const [shown, truth] = [data ?? [], this.#list(where)].map((rows) =>
        rows
          .map(({ id }) => id)
          .sort()
          .join(),
      )
      return status === 'Valid' && shown !== truth ? `${JSON.stringify(where)}: ${shown}, not ${truth}` : []
    })
  }

  #list({ group }: Where): Row[] {
    return [...this.#rows.values()].filter((row) => group === undefined || row.group === group)
  }

  #send(url: string, method: string, body: string | undefined): Promise<Response> {
    const { pathname, searchParams } = new URL(url, 'http://server')
    const given = JSON.parse(body ?? '{}') as Partial<Row>
    const named = pathname.split('/')[2]
    const group = searchParams.get('group')
    return new Promise((resolve) =>
      this.#sent.push({
        handle: () =>
          named === undefined && method === 'GET'
            ? Response.json(this.#list(group === null ? {} : { group: Number(group) }))
            : this.#handle(method, Number(named ?? given.id), given),
        resolve,
        answer: undefined,
      }),
    )
  }

  #handle(method: string, id: number, given: Partial<Row>): Response {
    const row = this.#rows.get(id)
    if (method === 'GET') return row === undefined ? new Response(null, { status: 404 }) : Response.json(row)
    if (method === 'DELETE') {
      this.#rows.delete(id)
      return new Response(null, { status: 204 })
    }
    if (method === 'PATCH' && row === undefined) return new Response(null, { status: 404 })
    const next = { group: 0, rank: 0, ...row, ...given, id }
    this.#rows.set(id, next)
    return Response.json(next)
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

type Items = ReturnType<typeof resourceOf>
type Request = (controller: Controller, items: Items) => Promise<unknown>
type Event = readonly [request: number, event: 'start' | 'handle' | 'answer']

/** Only its type is used. */
const resourceOf = () => createResource({ path: '/item/:id', schema: Item, searchParams: {} as Where })

const requests = {
  patch: (controller, items) => controller.fetch(items.partialUpdate, { id: 1 }, { group: 2 }),
  put: (controller, items) => controller.fetch(items.update, { id: 1 }, { group: 2, rank: 5 }),
  away: (controller, items) => controller.fetch(items.partialUpdate, { id: 1 }, { group: 3 }),
  move: (controller, items) => controller.fetch(items.getList.move, { id: 1 }, { group: 2 }),
  create: (controller, items) => controller.fetch(items.create, { id: 1, group: 2 }),
  remove: (controller, items) => controller.fetch(items.delete, { id: 1 }),
  get: (controller, items) => controller.fetch(items.get, { id: 1 }),
  page: (controller, items) => controller.fetch(items.getList, { page: 1 }),
} satisfies Record<string, Request>

/** Each order of these events in which each request is started, handled and answered. */
function interleave(all: readonly (readonly Event[])[]): Event[][] {
  const left = all.filter((events) => events.length > 0)
  if (left.length === 0) return [[]]
  return left.flatMap((events) => {
    const [first, ...others] = events as [Event, ...Event[]]
    const rest = all.map((each) => (each === events ? others : each))
    return interleave(rest).map((following) => [first, ...following])
  })
}

const toEvents = (request: number) =>
  (['start', 'handle', 'answer'] as const).map((event) => [request, event] as const)

/** Each order of two mutations that the server handles in the order in which they are sent, and of a read. */
const orders = new Map(
  interleave([0, 1, 2].map(toEvents)).flatMap((events) => {
    const inOrder = (name: string) => events.filter(([, event]) => event === name).map(([request]) => request)
    const isSentFirst = (all: number[]) => all.indexOf(0) < all.indexOf(1)
    if (!isSentFirst(inOrder('start')) || !isSentFirst(inOrder('handle'))) return []
    // The client does not see when a request is handled.
    const seen = events.filter(([, event]) => event !== 'handle').join(' ')
    return [[`${seen}, ${inOrder('handle')}`, events] as const]
  }),
)

test.each(['put', 'create'] as const)(
  'after a %s of a deleted record, a list that remembers it and is Valid is as on the server',
  async (make) => {
    for (const early of [{}, { optimistic }]) {
      const exchange = new Exchange(early)
      await exchange.run([requests.remove, requests[make]], [...toEvents(0), ...toEvents(1)])
      expect(exchange.wrong).toEqual([])
      exchange.end()
    }
  },
)

describe.each([
  ['shown at once', { optimistic }],
  ['shown when they are answered', {}],
])(
  'two mutations that are %s and a read, in each order: a list that is Valid is as on the server',
  (_, early) => {
    test.each([
      ['put', 'patch', 'get'],
      ['patch', 'move', 'get'],
      ['put', 'patch', 'page'],
      ['patch', 'away', 'get'],
      // A create of a record that the client knows.
      ['create', 'away', 'get'],
      ['patch', 'create', 'get'],
    ] as const)('%s, %s, %s', async (...names) => {
      for (const events of orders.values()) {
        const exchange = new Exchange(early)
        await exchange.run(
          names.map((name) => requests[name]),
          events,
        )
        const { wrong } = exchange
        exchange.end()
        if (wrong.length > 0)
          expect.fail(
            `${wrong.join()} after ${events.map(([of, event]) => `${event} ${names[of]}`).join(', ')}`,
          )
      }
      expect(orders.size).toBe(103)
    })
  },
)

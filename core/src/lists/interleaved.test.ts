import { describe, expect, test } from 'vitest'
import { Controller, Entity, schema } from '../index.js'
import { optimistic } from '../optimistic.js'
import { RestEndpoint, createResource } from '../rest.js'
import { rule } from '../rules.js'

class Item extends Entity {
  id = 0
  group = 0
  rank = 0
  kind = 'item' as const
  static override key = 'Item'
}

const union = new schema.Union({ item: Item }, 'kind')

type Row = Pick<Item, 'id' | 'group' | 'rank' | 'kind'>
type Where = { readonly group?: number; readonly page?: number }

const byRule = {
  filter: rule((item: Item, { group }: Where) => group === undefined || item.group === group),
}

const lists: readonly Where[] = [{}, { group: 1 }, { group: 2 }, { group: 3 }]
const boards = [1, 2, 3]

/** A request of a client that a server handles, and then answers. */
interface Sent {
  readonly handle: () => Response
  readonly resolve: (response: Response) => void
  answer: Response | undefined
}

interface Options {
  /** Options of the resource. */
  readonly early?: object
  /** In place of the class. */
  readonly schema?: typeof union | undefined
  readonly filter?: typeof byRule.filter
  /** `true` if another client makes a record again as soon as it is deleted, in another group. */
  readonly isMadeAgain?: boolean
  /** `false` if the client has only the first list. */
  readonly isLoaded?: boolean
}

/** The rows of a server, and the client whose requests it handles and answers when the test says so. */
class Exchange {
  readonly #rows = new Map<number, Row>()
  readonly #sent: Sent[] = []
  readonly #controller = new Controller({ dataExpiryLength: Infinity })
  readonly #items
  readonly #board
  readonly #isMadeAgain: boolean

  constructor({ isMadeAgain = false, isLoaded = true, schema: given, early, ...options }: Options) {
    this.#isMadeAgain = isMadeAgain
    // A union of this class alone has the same members.
    const member = (given ?? Item) as typeof Item
    for (const [id, group] of [
      [1, 1],
      [2, 1],
      [3, 2],
    ] as const)
      this.#rows.set(id, { id, group, rank: 0, kind: 'item' })
    this.#items = createResource({
      path: '/item/:id',
      schema: member,
      searchParams: {} as Where,
      fetchResponse: (url, { method = 'GET', body }) => this.#send(url, method, body as string | undefined),
      ...early,
      ...options,
    })
    for (const where of isLoaded ? lists : lists.slice(0, 1))
      this.#controller.setResponse(this.#items.getList, where, this.#list(where))
    class Board extends Entity {
      id = 0
      items: Item[] = []
      static override key = 'Board'
      static override schema = {
        items: new schema.Collection([member], { nestKey: ({ id }: Board) => ({ group: id }) }),
      }
    }
    this.#board = new RestEndpoint({ path: '/board/:id', schema: Board })
    for (const id of boards)
      this.#controller.setResponse(this.#board, { id }, { id, items: this.#list({ group: id }) })
    // The call that shows a list in a record is known once it was read.
    for (const id of boards) this.#controller.read(this.#board, { id })
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
    return this.#compare((shown, truth) => shown.join() !== truth.join())
  }

  /** What is Valid, and shows what the server does not have there. */
  get superfluous(): string[] {
    return this.#compare((shown, truth) => shown.some((id) => !truth.includes(id)))
  }

  #compare(isWrong: (shown: readonly number[], truth: readonly number[]) => boolean): string[] {
    const read = [
      ...lists.map((where) => [where, this.#controller.read(this.#items.getList, where)] as const),
      ...boards.map((id) => {
        const { data, status } = this.#controller.read(this.#board, { id })
        return [{ group: id }, { data: data?.items, status }] as const
      }),
    ]
    return read.flatMap(([where, { data = [], status }], index) => {
      const [shown, truth] = [data as readonly Row[], this.#list(where)].map((rows) =>
        rows.map(({ id }) => id).sort(),
      ) as [number[], number[]]
      const name = `${index < lists.length ? '' : 'board '}${JSON.stringify(where)}`
      return status === 'Valid' && isWrong(shown, truth) ? `${name}: ${shown}, not ${truth}` : []
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
      if (this.#isMadeAgain) this.#rows.set(id, { id, group: 3, rank: 0, kind: 'item' })
      else this.#rows.delete(id)
      return new Response(null, { status: 204 })
    }
    if (method === 'PATCH' && row === undefined) return new Response(null, { status: 404 })
    const next = { group: 0, rank: 0, ...row, ...given, id, kind: 'item' as const }
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
  list: (controller, items) => controller.fetch(items.getList, { group: 1 }),
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
      const exchange = new Exchange({ early })
      await exchange.run([requests.remove, requests[make]], [...toEvents(0), ...toEvents(1)])
      expect(exchange.wrong).toEqual([])
      exchange.end()
    }
  },
)

/** Runs each order of the requests, and compares with the server. */
async function runAll(names: readonly (keyof typeof requests)[], options: Options): Promise<void> {
  for (const events of orders.values()) {
    const exchange = new Exchange(options)
    await exchange.run(
      names.map((name) => requests[name]),
      events,
    )
    // The client knows of another client's records what responses tell.
    const wrong = options.isMadeAgain === true ? exchange.superfluous : exchange.wrong
    exchange.end()
    if (wrong.length > 0)
      expect.fail(
        `${wrong.join('; ')} after ${events.map(([of, event]) => `${event} ${names[of]}`).join(', ')}`,
      )
  }
  expect(orders.size).toBe(103)
}

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
    ] as const)('%s, %s, %s', (...names) => runAll(names, { early }))

    // Lists remember a deleted record.
    describe.each([
      ['lists', {}],
      ['lists by a rule', byRule],
      ['lists of a union', { schema: union }],
    ])('of %s', (_of, options) => {
      test.each([
        ['remove', 'put', 'get'],
        ['remove', 'put', 'page'],
        ['remove', 'put', 'list'],
        ['remove', 'create', 'get'],
        ['remove', 'create', 'page'],
        ['remove', 'create', 'list'],
        ['remove', 'patch', 'page'],
        ['remove', 'move', 'get'],
        ['put', 'remove', 'page'],
        ['create', 'remove', 'get'],
        ['put', 'patch', 'get'],
        ['patch', 'move', 'get'],
        ['put', 'patch', 'page'],
        ['patch', 'away', 'get'],
        ['create', 'away', 'get'],
        ['patch', 'create', 'get'],
      ] as const)('%s, %s, %s', (...names) => runAll(names, { early, ...options }))

      test.each([
        ['remove', 'get', 'list'],
        ['list', 'remove', 'get'],
        ['page', 'remove', 'list'],
      ] as const)(
        '%s, %s, %s, and another client makes the record again: a list that is Valid has no other records',
        async (...names) => {
          for (const isLoaded of [true, false])
            await runAll(names, { early, ...options, isMadeAgain: true, isLoaded })
        },
      )
    })
  },
)

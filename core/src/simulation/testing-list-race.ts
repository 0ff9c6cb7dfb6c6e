import { Observer } from '../bindings.js'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'
import { order, rule } from '../rules.js'
import type { Random } from './testing-random.js'

class Item extends Entity {
  id: number | string = 0
  group = 0
  rank = 0
  tag = ''
  static override key = 'Item'
}

type Fields = Pick<Item, 'group' | 'rank' | 'tag'>
type Row = Readonly<Fields & { id: number }>
type Params = Readonly<Record<string, string | number>>

/** The lists of the application: by the fields of the record, in an order, of a length, by page, and a search. */
const lists: readonly Params[] = [
  {},
  { group: 1 },
  { group: 2 },
  { group: 1, sort: 'rank' },
  { group: 1, limit: 2 },
  { page: 1 },
  { page: 2 },
  { q: 'x' },
]
const pageSize = 2

export interface ListRaceOptions {
  readonly isEarly: boolean
  /** How the server answers a mutation: `partial` without the fields that it did not change. */
  readonly answers: 'full' | 'partial' | 'empty'
  /** `true` if the resource declares members and order of its lists, the search too, so that the client can keep them itself. */
  readonly isRuled: boolean
  /** `true` if another client changes records, too, which is told to nobody. @default false */
  readonly hasOthers?: boolean
}

/** A request, from its sending to the delivery of its answer. */
interface Sent {
  readonly name: string
  readonly place: number
  /** Does what was asked for. @returns what the server answers */
  readonly handle: () => Response
  readonly resolve: (response: Response) => void
  readonly reject: (error: Error) => void
  /** Delivers the answer of the server, once it handled the request. */
  answer: (() => void) | undefined
}

/** What the client shows, and the server does not. */
export interface Difference {
  readonly what: string
  readonly shown: string
  readonly truth: string
}

export interface ListRaceResult {
  readonly steps: number
  /** The number of lists that were Stale or Invalid in the end. */
  readonly stale: number
  /** What was Valid in the end, and not as on the server. */
  readonly differences: readonly Difference[]
}

/** The records of a server that handles and answers requests in any order, and the client that shows lists of them. */
export class ListRace {
  readonly log: string[] = []
  readonly #random: Random
  readonly #options: ListRaceOptions
  readonly #controller = new Controller({ dataExpiryLength: Infinity })
  readonly #rows = new Map<number, Row>()
  /** By record, the mutation that was sent last of those that the server has handled. */
  readonly #handled = new Map<number, number>()
  /** Records whose mutations the server handled in another order than they were sent: no answer says so. */
  readonly #isReordered = new Set<number>()
  /** Records that another client has moved since this one did. */
  readonly #ofOthers = new Set<number>()
  readonly #resource
  readonly #sent: Sent[] = []
  readonly #readers: (() => void)[] = []
  /** The ids of records that the application has seen, temporary ones too. */
  readonly #known: (number | string)[] = []
  /** By id, temporary ones too, the tag that a record was created with. */
  readonly #tags = new Map<number | string, string>()
  #ids = 0
  #ranks = 0
  #places = 0
  #steps = 0

  constructor(random: Random, options: ListRaceOptions) {
    this.#random = random
    this.#options = options
    this.#resource = createResource({
      path: '/item/:id',
      schema: Item,
      fetchResponse: (url, { method = 'GET', body }) => this.#send(url, method, body as string | undefined),
      ...(options.isRuled
        ? {
            filter: rule(
              (item: Item, { group, q }: Params) =>
                (group === undefined || item.group === group) && (q === undefined || item.tag === q),
            ),
            orderBy: order('rank'),
          }
        : {}),
      ...(options.isEarly ? { optimistic } : {}),
    })
    for (let count = 3 + random.below(3); count > 0; count--) this.#add({})
  }

  /** Loads all lists, runs some operations, delivers everything, and compares with the server. */
  async run(): Promise<ListRaceResult> {
    for (const params of lists) this.#load(params)
    await settle()
    while (this.#sent.length > 0) await this.#pass(true)
    this.log.length = 0
    this.#known.push(...this.#rows.keys())
    for (const params of lists) if (this.#random.below(3) === 0) this.#mount(params)
    await settle()
    for (let operations = 2 + this.#random.below(6); operations > 0; operations--) {
      if (this.#options.hasOthers === true && this.#random.below(2) === 0) this.#changeByOther()
      this.#operate()
      await settle()
      for (let turn = this.#random.below(4); turn > 0; turn--) await this.#pass()
    }
    // Also what readers on screen ask for because of an answer.
    for (let turn = 0; this.#sent.length > 0; turn++) {
      await this.#pass()
      if (turn > 500) throw new Error('Readers ask without end.')
    }
    const result = { steps: this.#steps, ...this.#judge() }
    await this.#refetch()
    for (const end of this.#readers) end()
    this.#controller.dispose()
    return result
  }

  /** Fetches what is not Valid, then everything: then all is as on the server. */
  async #refetch(): Promise<void> {
    for (const isAll of [false, true]) {
      this.log.push(isAll ? 'fetch all' : 'fetch what is not Valid')
      for (const params of lists)
        if (isAll || this.#controller.read(this.#resource.getList, params as never).status !== 'Valid')
          this.#load(params)
      await settle()
      while (this.#sent.length > 0) await this.#pass(true)
      const { differences } = this.#judge(isAll)
      for (const { what, shown, truth } of differences)
        throw new Error(`After a refetch ${what} shows ${shown}, but is ${truth} on the server.`)
    }
  }

  // --- the client ---

  #load(params: Params): void {
    this.#controller.fetch(this.#resource.getList, params as never).catch(() => {})
  }

  #mount(params: Params): void {
    const observer = new Observer(this.#controller, this.#resource.getList, [params])
    observer.load()
    const end = observer.subscribe(() => observer.load())
    const release = observer.retain()
    this.#readers.push(() => {
      end()
      release()
    })
  }

  #operate(): void {
    this.#steps++
    const { create, partialUpdate, update, delete: remove, get } = this.#resource
    const kind = this.#random.below(12)
    const id = this.#random.pick(this.#known)
    const params = { id } as never
    const done = (what: string, promise: Promise<unknown>) => {
      this.log.push(what)
      return promise.catch(() => {})
    }
    if (kind < 3) {
      const body = this.#fields()
      void done(`create ${show(body)}`, this.#controller.fetch(create, body as never))
      const shown = this.#controller.read(this.#resource.getList, {} as never).data as Item[] | undefined
      const made = shown?.find((item) => typeof item.id === 'string' && !this.#known.includes(item.id))
      if (made === undefined) return
      this.#known.push(made.id)
      this.#tags.set(made.id, body.tag)
    } else if (kind < 6) {
      const body =
        this.#random.below(3) === 0 ? { rank: ++this.#ranks } : { group: 1 + this.#random.below(2) }
      void done(`PATCH ${id} ${show(body)}`, this.#controller.fetch(partialUpdate, params, body as never))
    } else if (kind < 7) {
      const fields = this.#fields()
      const body = this.#options.isRuled ? fields : { ...fields, tag: this.#tagOf(id) }
      void done(`PUT ${id} ${show(body)}`, this.#controller.fetch(update, params, body as never))
    } else if (kind < 8) void done(`DELETE ${id}`, this.#controller.fetch(remove, params))
    else if (kind < 9) void done(`GET ${id}`, this.#controller.fetch(get, params))
    else {
      const list = this.#random.pick(lists)
      this.log.push(`GET ${show(list)}`)
      this.#load(list)
    }
  }

  #fields(): Fields {
    return {
      group: 1 + this.#random.below(2),
      rank: ++this.#ranks,
      tag: this.#random.pick(['x', 'y']),
    }
  }

  /** Without a rule the tag of a record never changes: a client does not know what a search finds. */
  #tagOf(id: number | string): string {
    return this.#tags.get(id) ?? ''
  }

  // --- the server ---

  #add(given: Partial<Fields>): Row {
    const row = { ...this.#fields(), ...given, id: ++this.#ids }
    this.#rows.set(row.id, row)
    this.#tags.set(row.id, row.tag)
    return row
  }

  #changeByOther(): void {
    const row = this.#random.pick([...this.#rows.values()])
    if (row === undefined) return
    const changed = { ...row, group: 3 - row.group }
    this.#rows.set(row.id, changed)
    this.#ofOthers.add(row.id)
    this.log.push(`another client moves ${row.id} to ${changed.group}`)
  }

  #send(url: string, method: string, body: string | undefined): Promise<Response> {
    const place = ++this.#places
    const { pathname, searchParams } = new URL(url, 'http://server')
    const id = Number(/\d+$/.exec(pathname)?.[0] ?? NaN)
    const handle = () => {
      if (method === 'GET')
        return Number.isNaN(id)
          ? Response.json(this.#list(Object.fromEntries(searchParams)))
          : this.#rows.has(id)
            ? Response.json(this.#rows.get(id))
            : new Response(null, { status: 404 })
      return this.#change(method, id, place, body === undefined ? {} : (JSON.parse(body) as Partial<Fields>))
    }
    return new Promise((resolve, reject) => {
      const name = `${place} ${method} ${url} ${body ?? ''}`
      this.#sent.push({ name, place, handle, resolve, reject, answer: undefined })
    })
  }

  #change(method: string, id: number, place: number, body: Partial<Fields>): Response {
    if (method === 'POST') return this.#answerTo(body, this.#add(body))
    const row = this.#rows.get(id)
    const last = this.#handled.get(id) ?? 0
    if (place < last) this.#isReordered.add(id)
    this.#handled.set(id, Math.max(place, last))
    if (row === undefined) return new Response(null, { status: 404 })
    if (body.group !== undefined) this.#ofOthers.delete(id)
    const changed = { ...row, ...body }
    if (method === 'DELETE') this.#rows.delete(id)
    else this.#rows.set(id, changed)
    return method === 'DELETE' ? new Response(null, { status: 204 }) : this.#answerTo(body, changed)
  }

  #answerTo(body: Partial<Fields>, row: Row): Response {
    const { answers } = this.#options
    if (answers === 'empty') return new Response(null, { status: 204 })
    return Response.json(answers === 'full' ? row : { id: row.id, ...body })
  }

  /** What the server answers for a list. */
  #list(params: Params): readonly Row[] {
    const { group, q, page, limit, sort } = params
    const rows = [...this.#rows.values()].filter(
      (row) => (group === undefined || row.group === Number(group)) && (q === undefined || row.tag === q),
    )
    if (sort !== undefined || this.#options.isRuled) rows.sort((a, b) => a.rank - b.rank)
    if (page !== undefined) return rows.slice((Number(page) - 1) * pageSize, Number(page) * pageSize)
    return limit === undefined ? rows : rows.slice(0, Number(limit))
  }

  /** Handles a request, or delivers an answer. @param isCalm - `true` if none fails */
  async #pass(isCalm = false): Promise<void> {
    if (this.#sent.length === 0) return
    const sent = this.#random.pick(this.#sent)
    this.#steps++
    if (sent.answer === undefined) this.#handle(sent, isCalm)
    else sent.answer()
    await settle()
  }

  #handle(sent: Sent, isCalm: boolean): void {
    const outcome = isCalm ? 99 : this.#random.below(100)
    const end = (what: string, run: () => void) => {
      this.log.push(`  handled ${sent.name}: ${what}`)
      sent.answer = () => {
        this.log.push(`  answered ${sent.name}`)
        this.#sent.splice(this.#sent.indexOf(sent), 1)
        run()
      }
    }
    if (outcome < 6) return end('refused', () => sent.resolve(new Response(null, { status: 409 })))
    // The answer is lost, whether or not the server did what was asked for.
    if (outcome < 8) return end('not received', () => sent.reject(new TypeError('lost')))
    const response = sent.handle()
    if (outcome < 10) return end('lost', () => sent.reject(new TypeError('lost')))
    const rows = [...this.#rows.values()].map(({ id, group, rank, tag }) => `${id}:${group}:${rank}${tag}`)
    end(`${response.status}, now ${rows.join(' ')}`, () => sent.resolve(response))
  }

  // --- the judgment ---

  /** `true` for a record of which the client knows what was done last. */
  #isOwn(id: number): boolean {
    return !this.#isReordered.has(id) && !this.#ofOthers.has(id)
  }

  /** Compares all that is Valid with the server. @param isExact - compares the order of all lists, too */
  #judge(isExact = false): Pick<ListRaceResult, 'stale' | 'differences'> {
    const differences: Difference[] = []
    let stale = 0
    const compare = (what: string, shown: string, truth: string) => {
      if (shown !== truth) differences.push({ what, shown, truth })
    }
    for (const params of lists) {
      const { data, status } = this.#controller.read(this.#resource.getList, params as never)
      if (status !== 'Valid') {
        stale++
        continue
      }
      const shown = data as unknown as readonly Item[]
      const truth = this.#list(params)
      // Which of the records a part of a list has depends on all of them.
      const isPart = params['page'] !== undefined || params['limit'] !== undefined
      if (!isExact && isPart && (this.#isReordered.size > 0 || this.#options.hasOthers === true)) continue
      const isJudged = ({ id }: Item | Row) => isExact || this.#isOwn(id as number)
      const texts = (items: readonly (Item | Row)[]) => {
        const all = items.filter(isJudged).map(({ id, group, rank, tag }) => `${id}:${group}:${rank}${tag}`)
        // Without a declared order a client puts a record at the end, and only the server knows its place.
        return (isExact || this.#options.isRuled ? all : all.sort()).join(' ')
      }
      compare(`the list ${show(params)}`, texts(shown), texts(truth))
    }
    for (let id = 1; id <= this.#ids; id++) {
      const { data, status } = this.#controller.read(this.#resource.get, { id } as never)
      if (status !== 'Valid' || !this.#isOwn(id)) continue
      const text = (item: Item | Row | undefined) => item && `${item.group}:${item.rank}${item.tag}`
      compare(`the record ${id}`, String(text(data as unknown as Item)), String(text(this.#rows.get(id))))
    }
    return { stale, differences }
  }
}

function show(value: object): string {
  return JSON.stringify(value)
}

/** Waits for the promises of an answer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

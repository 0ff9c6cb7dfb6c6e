import { ManualClock } from '@selfsame/conformance'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { Observer } from '../bindings.js'
import type { EndpointLike } from '../index.js'
import { connect } from '../live.js'
import { Page } from '../lists/appended-page.js'
import { Oracle, keyOf, lengths } from './testing-oracle.js'
import type { Call, Expected, Fields, Mutation, Outcome, Poll, Request, Shown } from './testing-oracle.js'
import { createRandom } from './testing-random.js'
import type { Random } from './testing-random.js'
import { optimistic } from '../optimistic/optimistic.js'

/** One step as plain data. Numbers decide its details, so that any subset of the steps can run. */
export interface Step {
  readonly action: string
  readonly seed: number
}

class Todo extends Entity {
  id: number | string = 0
  title = ''
  votes = 0
  group = 0
  static override key = 'Todo'
}

const ids = [1, 2, 3, 4, 5]
/** An id that only `create` uses. */
const freeId = 6

/** All reading calls of the application. */
const calls: readonly Call[] = [
  ...ids.map((id) => ({ name: 'detail', id }) as const),
  { name: 'plain', group: 1 },
  { name: 'plain', group: 2 },
  { name: 'list' },
  { name: 'list', group: 1 },
  { name: 'list', group: 2 },
  { name: 'shelf', group: 1 },
  { name: 'shelf', q: 'a' },
  { name: 'feed' },
  { name: 'page', cursor: 'a' },
  { name: 'page', cursor: 'b' },
  { name: 'count' },
]

/** A promise of the Controller, and its outcome. */
interface Track {
  readonly name: string
  expected: Outcome | undefined
  actual: Outcome | undefined
}

interface Pending {
  readonly name: string
  readonly of: Request | Mutation
  readonly tracks: Track[]
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

interface Reader {
  readonly call: Call
  readonly name: string
  /** The last notification: data, error, and whether a request is in flight. */
  told: Facets
  tellings: number
  readonly now: () => Facets
  readonly end: () => void
}

interface Connection {
  readonly poll: Poll
  readonly end: () => void
}

type Facets = readonly [data: unknown, error: string | undefined, fetching: boolean]

type Action = (world: World, random: Random) => string | undefined

/** An error that a server sent, so that it has done nothing. */
class Refusal extends Error {
  readonly status = 409
}

/** A Controller whose requests the steps respond to, and the oracle to compare it with. */
export class World {
  readonly clock = new ManualClock(1_000_000)
  /** How far the clock was set back, in milliseconds. Timers ignore it. */
  #setBack = 0
  readonly controller = new Controller({
    clock: {
      now: () => this.#now,
      setTimeout: (callback, delayMs) => this.clock.setTimeout(callback, delayMs),
      clearTimeout: (timer) => this.clock.clearTimeout(timer),
    },
    dataExpiryLength: lengths.data,
    errorExpiryLength: lengths.error,
    // Garbage collection has tests of its own.
    keepLength: Infinity,
  })
  readonly oracle = new Oracle(this.clock.now())
  /** A description of the current step. */
  doing: string | undefined
  readonly #pending: Pending[] = []
  readonly #tracks: Track[] = []
  readonly #readers: Reader[] = []
  readonly #polls: Connection[] = []
  /** Numbers the failures, so that readers can distinguish them. */
  #failures = 0
  readonly #temporary: string[] = []
  /** The visible state of each call and record after the last step. */
  #before = new Map<string, unknown>()
  #wasLayered = false
  /** True if the step is one batch. */
  #isBatch = false
  /** The calls that were fetched in this step. */
  readonly #asked = new Set<string>()
  /** The mutation that is being sent. */
  #sending: { mutation: Mutation; tracks: Track[] } | undefined
  readonly #reads: Readonly<Record<Call['name'], Endpoint>>
  readonly #mutations: Readonly<Record<string, EndpointLike>>
  readonly #todos = new schema.Collection([Todo])
  /** Has the same members as the other Collection, so a change of one list changes the lists of both. */
  readonly #others = new schema.Collection([Todo])

  constructor() {
    const read = (name: Call['name'], options: object) =>
      new Endpoint((params?: object) => this.#onRead({ name, ...params } as Call), { name, ...options })
    const feed = read('feed', { schema: [Todo] })
    const ofFeed = () => ({ key: feed.key({}), args: [{}] })
    this.#reads = {
      feed,
      page: read('page', { schema: new Page([Todo], [], ofFeed) }),
      detail: read('detail', { schema: Todo }),
      plain: read('plain', { schema: [Todo], dataExpiryLength: lengths.plain }),
      list: read('list', { schema: this.#todos }),
      shelf: read('shelf', { schema: this.#others }),
      count: read('count', {}),
    }
    const schemas = {
      create: this.#todos.push,
      update: Todo,
      tally: Todo,
      vote: Todo,
      move: this.#others.move,
      delete: new schema.Delete(Todo),
    }
    const mutations = Object.entries(schemas).flatMap(([name, of]) => {
      const update = () => ({ [this.#reads.count.key()]: raise })
      const options = { name, schema: of, sideEffect: true, ...(name === 'tally' ? { update } : {}) }
      const send = (_params: object, _body?: object) => this.#onMutation(name)
      const getOptimisticResponse = optimistic(({ get }, params: object, body?: object) => {
        if (name === 'create') return createdOf(body as Fields)
        if (name !== 'vote') return { ...params, ...body }
        const todo = get(Todo, params as { id: number })
        return todo && { ...params, votes: todo.votes + 1 }
      })
      return [
        [name, new Endpoint(send, options)],
        [`${name} early`, new Endpoint(send, { ...options, getOptimisticResponse })],
      ] as const
    })
    this.#mutations = Object.fromEntries(mutations)
  }

  /**
   * Runs one step and compares the state with the oracle.
   *
   * @returns a description; `undefined` if there was nothing to do
   */
  async run({ action, seed }: Step): Promise<string | undefined> {
    this.#asked.clear()
    this.#isBatch = false
    for (const reader of this.#readers) reader.tellings = 0
    const told = this.#readers.map((reader) => [reader, reader.told] as const)
    this.doing = undefined
    const done = actions[action]?.[1](this, createRandom(seed))
    this.doing = done
    if (done === undefined) return undefined
    await this.#settle()
    this.#compare(told)
    return done
  }

  dispose(): void {
    for (const { end } of [...this.#readers, ...this.#polls]) end()
    this.controller.dispose()
  }

  // --- steps ---

  fetch(random: Random): string {
    const call = random.pick(calls)
    const name = describe(call)
    const running = this.oracle.counting(call)
    const track = this.#follow(name, this.controller.fetch(this.#reads[call.name], ...(argsOf(call) as [])))
    const request = this.oracle.counting(call)
    if (request === undefined) throw new Error(`${name} was not asked for`)
    if (running !== undefined && running !== request) throw new Error(`${name} did not join`)
    request.isPromised = true
    this.#pendingOf(request).tracks.push(track)
    return `fetch ${name}`
  }

  mutate(random: Random): string {
    const kind = random.pick(['create', 'update', 'tally', 'vote', 'move', 'delete'] as const)
    const isEarly = random.below(3) > 0
    const { oracle } = this
    const known = this.#temporary.filter(
      (temporary) => oracle.record(temporary) !== undefined && !oracle.isDeleted(oracle.real(temporary)),
    )
    const isTemporary = kind !== 'create' && known.length > 0 && random.below(4) === 0
    const id = random.pick<number | string>(isTemporary ? known : ids)
    const key = `t${this.#temporary.length + 1}`
    const body: Fields =
      kind === 'create'
        ? { ...fieldsOf(random), key }
        : kind === 'move'
          ? { group: 1 + random.below(2) }
          : kind === 'vote'
            ? {}
            : partOf(random)
    const args = kind === 'create' ? [{}, body] : kind === 'delete' ? [{ id }] : [{ id }, body]
    const pk = kind === 'create' ? key : String(id)
    const expected =
      kind === 'create'
        ? createdOf(body)
        : kind === 'vote'
          ? vote
          : kind === 'delete'
            ? null
            : { id, ...body }
    if (kind === 'create' && isEarly) this.#temporary.push(key)
    return this.#mutate(kind, args, pk, isEarly ? expected : undefined)
  }

  /** Sends two deletes of one record, so that one of them may fail. */
  deleteTwice(random: Random): string {
    const id = random.pick(ids)
    const isEarly = () => random.below(4) > 0
    const first = this.#mutate('delete', [{ id }], String(id), isEarly() ? null : undefined)
    return `${first}, and ${this.#mutate('delete', [{ id }], String(id), isEarly() ? null : undefined)}`
  }

  /** Runs several writes, for which readers are notified once. */
  batch(random: Random): string {
    const writes: Action[] = Array.from({ length: 2 + random.below(3) }, () => random.pick(batched))
    const done = this.controller.batch(() => writes.map((write) => write(this, random)))
    this.#isBatch = true
    // Reads between two writes of the batch may have created other objects.
    this.#before.clear()
    return `batch: ${done.join('; ')}`
  }

  answer(random: Random): string | undefined {
    const pending = this.#take(random)
    if (pending === undefined || !this.#isAnswerable(pending)) return undefined
    const { of, tracks } = pending
    const given = 'call' in of ? payloadOf(of.call, random) : this.#payloadOf(of, random)
    const payload = this.#agreed(of, given)
    if (payload === undefined) return undefined
    const outcome =
      'call' in of
        ? this.oracle.readAnswered(of, payload)
        : this.oracle.mutationAnswered(of, payload as Fields)
    expectOf(tracks, outcome)
    pending.resolve(structuredClone(payload))
    return `${outcome === undefined ? '(too late) ' : ''}answer ${pending.name} with ${JSON.stringify(payload)}`
  }

  fail(random: Random): string | undefined {
    const pending = this.#take(random)
    if (pending === undefined) return undefined
    const { of, tracks } = pending
    const message = `failure ${++this.#failures}`
    const outcome =
      'call' in of ? this.oracle.readFailed(of, message) : this.oracle.mutationFailed(of, message)
    expectOf(tracks, outcome)
    pending.reject(new Refusal(message))
    return `${outcome === undefined ? '(too late) ' : ''}fail ${pending.name} with "${message}"`
  }

  /** Settles the requests of a call with an outcome from elsewhere, by `controller.resolve`. */
  resolve(random: Random): string | undefined {
    const pending = this.#take(random)
    if (pending === undefined || !this.#isAnswerable(pending)) return undefined
    const { of } = pending
    const message = random.below(3) === 0 ? `resolved ${++this.#failures}` : undefined
    const error = message === undefined ? undefined : new Refusal(message)
    if ('call' in of) {
      const all = this.oracle.requestsOf(of.call)
      const first = all.reduce((one, other) => (one.start < other.start ? one : other), of)
      const payload = this.#agreed(first, payloadOf(of.call, random))
      if (payload === undefined) return undefined
      for (const request of all) {
        const outcome =
          message === undefined
            ? this.oracle.readAnswered(request, payload)
            : this.oracle.readFailed(request, message)
        expectOf(this.#pendingOf(request).tracks, outcome)
      }
      if (all.length === 0) {
        if (message === undefined) this.oracle.pushed(of.call, payload)
        else this.oracle.errorPushed(of.call, message)
      }
      const endpoint = this.#reads[of.call.name]
      this.controller.resolve(endpoint, {
        args: argsOf(of.call) as [],
        ...(error ? { error } : { response: payload }),
      })
      return `resolve ${describe(of.call)} with ${message ?? JSON.stringify(payload)}`
    }
    const all = this.oracle.mutationsOf(of.kind, of.args)
    const first = all.reduce((one, other) => (one.start < other.start ? one : other), of)
    const payload = this.#agreed(first, this.#payloadOf(of, random)) as Fields | undefined
    if (payload === undefined) return undefined
    if (all.length === 0 && error !== undefined) return undefined
    // Reads between two responses may have created other objects.
    if (all.length > 1) this.#before.clear()
    for (const mutation of all) {
      const outcome =
        message === undefined
          ? this.oracle.mutationAnswered(mutation, payload)
          : this.oracle.mutationFailed(mutation, message)
      expectOf(this.#pendingOf(mutation).tracks, outcome)
    }
    if (all.length === 0) this.oracle.mutationPushed(of.kind, of.args, payload)
    const endpoint = this.#mutations[of.kind] as EndpointLike
    this.oracle.isSettling = all.length > 1
    this.controller.resolve(endpoint, { args: of.args as [], ...(error ? { error } : { response: payload }) })
    this.oracle.isSettling = false
    return `resolve ${pending.name} with ${message ?? JSON.stringify(payload)}`
  }

  invalidate(random: Random): string {
    const call = random.pick(calls)
    this.oracle.invalidated(call)
    this.controller.invalidate(this.#reads[call.name], ...(argsOf(call) as []))
    this.#expectAsked([call])
    this.#expectPolled([call])
    return `invalidate ${describe(call)}`
  }

  invalidateAll(random: Random): string {
    const { name } = random.pick(calls)
    const all = calls.filter((call) => call.name === name && this.oracle.isKnown(call))
    for (const call of all) this.oracle.invalidated(call)
    this.controller.invalidateAll({ testKey: (key) => this.#reads[name].testKey?.(key) ?? false })
    this.#expectAsked(all)
    this.#expectPolled(all)
    return `invalidateAll ${name}`
  }

  expireAll(random: Random): string {
    const { name } = random.pick(calls)
    const all = calls.filter((call) => call.name === name && this.oracle.isKnown(call))
    for (const call of all) this.oracle.expired(call)
    this.controller.expireAll({ testKey: (key) => this.#reads[name].testKey?.(key) ?? false })
    this.#expectAsked(all)
    return `expireAll ${name}`
  }

  set(random: Random): string {
    const fields = this.#unmoved({ id: random.pick(ids), ...partOf(random) })
    this.oracle.written(fields)
    this.controller.set(Todo, { id: Number(fields['id']) }, fields)
    return `set ${JSON.stringify(fields)}`
  }

  /** Changes a record by a function of its confirmed data; of what is expected, if that is all. */
  update(random: Random): string {
    const id = random.pick(ids)
    const pk = String(id)
    const below = this.oracle.received(pk) ?? this.oracle.record(pk)
    const fields = { id, votes: Number(below?.['votes'] ?? 0) + 1 }
    this.oracle.written(fields)
    this.controller.set(Todo, { id }, (todo) => ({ votes: (todo?.votes ?? 0) + 1 }))
    return `set ${id} by a function, to ${fields.votes} votes`
  }

  add(random: Random): string | undefined {
    const fields = { id: random.pick(ids), ...fieldsOf(random) }
    if (this.oracle.isMoving(String(fields.id))) return undefined
    this.oracle.added(fields)
    this.controller.set(random.pick([this.#todos, this.#others]).push, {}, fields)
    return `push ${JSON.stringify(fields)}`
  }

  remove(random: Random): string {
    const id = random.pick(ids)
    this.oracle.mutationPushed('delete', [{ id }], {})
    this.controller.set(new schema.Delete(Todo), { id }, {})
    return `set a deletion of ${id}`
  }

  setResponse(random: Random): string {
    const call = random.pick(calls.filter(({ name }) => name !== 'feed' || !this.oracle.isDeleting))
    const given = payloadOf(call, random)
    const isOfRecords = typeof given === 'object' && given !== null
    const unmoved = (fields: Fields) => this.#unmoved(fields)
    const payload = !isOfRecords
      ? given
      : Array.isArray(given)
        ? (given as Fields[]).map(unmoved)
        : unmoved(given as Fields)
    this.oracle.pushed(call, payload)
    this.controller.setResponse(this.#reads[call.name], ...([...argsOf(call), payload] as [unknown]))
    return `setResponse ${describe(call)} ${JSON.stringify(payload)}`
  }

  setMutationResponse(random: Random): string | undefined {
    const kind = random.pick(['create', 'update', 'tally', 'move', 'delete'] as const)
    const id = random.pick(ids)
    const args = kind === 'create' ? [{}, {}] : kind === 'delete' ? [{ id }] : [{ id }, {}]
    const payload = kind === 'delete' ? {} : { id, ...fieldsOf(random) }
    if (this.oracle.isMoving(String(id))) return undefined
    this.oracle.mutationPushed(kind, args, payload)
    this.controller.setResponse(this.#mutations[kind] as EndpointLike, ...([...args, payload] as [unknown]))
    return `setResponse ${kind} ${JSON.stringify([args, payload])}`
  }

  setError(random: Random): string {
    const call = random.pick(calls)
    const message = `pushed ${++this.#failures}`
    this.oracle.errorPushed(call, message)
    this.controller.setError(this.#reads[call.name], ...([...argsOf(call), new Error(message)] as [Error]))
    return `setError ${describe(call)}`
  }

  reset(): string {
    const { requests, mutations } = this.oracle.reset()
    for (const of of [...requests, ...mutations]) {
      for (const track of this.#pendingOf(of).tracks) track.expected = { error: 'hard-reset' }
    }
    this.#temporary.length = 0
    this.controller.resetAll()
    this.#expectAsked(calls)
    this.#expectPolled(calls)
    return 'resetAll'
  }

  /** Advances the clock; sometimes sets it back. */
  tick(random: Random): string {
    const ms = random.pick([1, 500, 3000, 6001, 10_000, 10_000, 60_000, -4000])
    // Lets the Controller see the latest time, from which it continues.
    this.controller.clock.now()
    if (ms < 0) this.#setBack -= ms
    else this.#advance(ms)
    this.oracle.advanced(this.clock.now())
    return `clock ${ms} ms`
  }

  mount(random: Random): string {
    const call = random.pick(calls)
    const isObserver = random.below(3) > 0
    const name = `${isObserver ? 'observer' : 'listener'} of ${describe(call)}`
    if (!isObserver) {
      this.#listen(call, name)
      return `mount a ${name}`
    }
    const { status } = this.oracle.shown(call)
    const isDue = this.oracle.isDue(call)
    const before = this.oracle.counting(call)
    this.#observe(call, name)
    const after = this.oracle.counting(call)
    if (isDue === true && after === undefined) throw new Error(`The ${name} is ${status} and did not ask`)
    if (isDue === false && after !== before) throw new Error(`The ${name} is ${status} and asked`)
    return `mount an ${name}`
  }

  unmount(random: Random): string | undefined {
    if (this.#readers.length === 0) return undefined
    const reader = random.pick(this.#readers)
    this.#readers.splice(this.#readers.indexOf(reader), 1)
    this.oracle.released(reader.call)
    reader.end()
    return `unmount the ${reader.name}`
  }

  connect(random: Random): string {
    const call = random.pick(calls)
    const frequency = random.pick([1000, 4000, 20_000])
    const name = `poll of ${describe(call)} each ${frequency} ms`
    const { status } = this.oracle.shown(call)
    const isDue = this.oracle.isDue(call)
    const before = this.oracle.counting(call)
    const poll = this.oracle.connected(call, frequency)
    const endpoint = this.#reads[call.name].extend({ pollFrequency: frequency })
    const end = connect(this.controller, endpoint, ...(argsOf(call) as []))
    this.#polls.push({ poll, end })
    const after = this.oracle.counting(call)
    if (isDue === true && after === undefined) throw new Error(`The ${name} is ${status} and did not ask`)
    if (isDue === false && after !== before) throw new Error(`The ${name} is ${status} and asked`)
    return `connect a ${name}`
  }

  disconnect(random: Random): string | undefined {
    if (this.#polls.length === 0) return undefined
    const [{ poll, end }] = this.#polls.splice(random.below(this.#polls.length), 1) as [Connection]
    this.oracle.disconnected(poll)
    end()
    return `disconnect the poll of ${describe(poll.call)} each ${poll.frequency} ms`
  }

  get #now(): number {
    return this.clock.now() - this.#setBack
  }

  // --- readers ---

  #listen(call: Call, name: string): void {
    const endpoint = this.#reads[call.name]
    const now = (): Facets => facetsOf(this.controller.read(endpoint, ...(argsOf(call) as [])))
    this.oracle.retained(call)
    const reader = this.#addReader(call, name, now)
    const tell = (result: { data: unknown; error: Error | undefined; fetching: boolean }) => {
      reader.told = facetsOf(result)
      reader.tellings++
    }
    this.#end(reader, this.controller.subscribe(endpoint, ...([...argsOf(call), tell] as [typeof tell])))
  }

  /** Acts like a binding: reads and fetches, subscribes and retains; repeats reading and fetching when notified. */
  #observe(call: Call, name: string): void {
    const observer = new Observer(this.controller, this.#reads[call.name], argsOf(call))
    observer.load()
    const now = () => facetsOf(observer.getSnapshot())
    let last: Facets | undefined
    const select = () => {
      observer.load()
      const next = now()
      return (last = last !== undefined && isSameFacets(last, next) ? last : next)
    }
    this.oracle.retained(call)
    const reader = this.#addReader(call, name, now)
    const tell = (isReset = false) => {
      // Nothing around the reader waits.
      if (isReset) observer.load()
      reader.told = now()
      reader.tellings++
    }
    const end = observer.subscribe(tell, select)
    const release = observer.retain()
    observer.load()
    this.#end(reader, () => {
      end()
      release()
    })
  }

  #addReader(call: Call, name: string, now: () => Facets): Reader {
    const reader: Reader = { call, name, told: now(), tellings: 0, now, end: () => {} }
    this.#readers.push(reader)
    return reader
  }

  #end(reader: Reader, end: () => void): void {
    Object.assign(reader, { end })
  }

  /** Expects that mounted readers fetched immediately if they have to. */
  #expectAsked(concerned: readonly Call[]): void {
    for (const { call, name } of this.#readers) {
      if (!name.startsWith('observer') || !concerned.some((other) => keyOf(other) === keyOf(call))) continue
      if (this.oracle.isDue(call) === true && this.oracle.counting(call) === undefined) {
        throw new Error(`The ${name} did not ask`)
      }
    }
  }

  /** Expects that polls fetched immediately (3, Polling). */
  #expectPolled(concerned: readonly Call[]): void {
    for (const { poll } of this.#polls) {
      const isConcerned = concerned.some((call) => keyOf(call) === keyOf(poll.call))
      if (isConcerned && this.oracle.counting(poll.call) === undefined) {
        throw new Error(`The poll of ${describe(poll.call)} did not ask`)
      }
    }
  }

  /** Advances the clock. Meanwhile only polls may fetch. */
  #advance(ms: number): void {
    const until = this.clock.now() + ms
    const expected = calls.map((call) => [call, this.oracle.isPolled(call, until)] as const)
    this.clock.advance(ms)
    for (const [call, isPolled] of expected) {
      const isAsked = this.#asked.has(keyOf(call))
      if (isPolled === undefined || isAsked === isPolled) continue
      throw new Error(`After ${ms} ms ${describe(call)} was ${isAsked ? '' : 'not '}asked for`)
    }
  }

  // --- requests ---

  /** Sends a mutation. */
  #mutate(kind: Mutation['kind'], args: readonly unknown[], pk: string, expected: Expected): string {
    const mutation = this.oracle.mutationStarted(kind, args, pk, expected)
    const tracks: Track[] = []
    this.#sending = { mutation, tracks }
    const name = `${kind}${expected === undefined ? '' : ' early'}`
    const title = `${name} ${JSON.stringify(args)}`
    tracks.push(
      this.#follow(title, this.controller.fetch(this.#mutations[name] as EndpointLike, ...(args as []))),
    )
    return title
  }

  #onRead(call: Call): Promise<unknown> {
    this.#asked.add(keyOf(call))
    const between = this.oracle.requestsOf(call).slice(1)
    const request = this.oracle.readStarted(call)
    // Those between the first and the last one end: who waits for them waits for the last.
    const tracks = between.flatMap((each) => this.#pendingOf(each).tracks)
    for (const each of between) this.oracle.replaced(each, request)
    return this.#wait(describe(call), request, tracks)
  }

  #onMutation(name: string): Promise<unknown> {
    const { mutation, tracks } = this.#sending as { mutation: Mutation; tracks: Track[] }
    return this.#wait(`${name} ${JSON.stringify(mutation.args)}`, mutation, tracks)
  }

  #wait(name: string, of: Request | Mutation, tracks: Track[]): Promise<unknown> {
    return new Promise((resolve, reject) => this.#pending.push({ name, of, tracks, resolve, reject }))
  }

  #pendingOf(of: Request | Mutation): Pending {
    const pending = this.#pending.find((other) => other.of === of)
    if (pending === undefined) throw new Error('What is under way was not sent')
    return pending
  }

  #take(random: Random): Pending | undefined {
    return this.#pending.length === 0 ? undefined : this.#pending[random.below(this.#pending.length)]
  }

  /**
   * True if a server could respond now. It knows no temporary records. A first page is skipped while a deletion is
   * expected, because the specification leaves open whether the page got shorter (4.4, Paginated).
   */
  #isAnswerable({ of }: Pending): boolean {
    if ('call' in of) return of.call.name !== 'feed' || !this.oracle.isDeleting
    if (of.kind === 'create') return true
    const { id } = of.args[0] as { id: number | string }
    return !this.oracle.real(String(id)).startsWith('t')
  }

  /**
   * The response with the stored fields of records that were written since the request was sent: the races of records have
   * a simulation of their own, with a server. Here a response may only overtake another in time.
   *
   * @returns `undefined` if the record was created or deleted meanwhile
   */
  #agreed(of: Request | Mutation, payload: unknown): unknown {
    const { oracle } = this
    const agreed = (fields: Fields): Fields => {
      const pk = String(fields['id'])
      return oracle.isWrittenSince(pk, of.start)
        ? { ...fields, ...oracle.received(pk), id: fields['id'] }
        : fields
    }
    if ('call' in of) {
      if (of.call.name === 'count') return payload
      const unmoved = (fields: Fields): Fields[] => {
        const pk = String(fields['id'])
        if (oracle.isMoving(pk) && oracle.received(pk) === undefined) return []
        return [this.#unmoved(agreed(fields))]
      }
      return Array.isArray(payload) ? payload.flatMap(unmoved) : unmoved(payload as Fields)[0]
    }
    const pk = String((of.kind === 'delete' ? (of.args[0] as Fields) : (payload as Fields))['id'])
    const isRaced = oracle.isWrittenSince(pk, of.start)
    if (isRaced && (of.kind === 'delete' || oracle.isDeleted(pk))) return undefined
    return of.kind === 'delete' ? payload : agreed(payload as Fields)
  }

  /** The response of a server to a mutation, with the real record in place of a temporary one. */
  #payloadOf({ kind, args }: Mutation, random: Random): Fields {
    const [params, body] = args as readonly [Fields, Fields | undefined]
    if (kind === 'delete') return {}
    if (kind === 'create') {
      const { key: _, ...fields } = body ?? {}
      // A server never reuses a primary key. It may answer by a record that was there.
      const isFree = (id: number) => !this.oracle.isDeleted(String(id))
      const free = [...ids.filter(isFree), freeId]
      return { ...fields, id: random.pick(free), ...(random.below(2) === 0 ? partOf(random) : {}) }
    }
    const id = this.oracle.real(String(params['id']))
    const own = kind === 'vote' ? { votes: 1 + random.below(3) } : body
    return { ...own, id: Number(id), ...(random.below(2) === 0 ? partOf(random) : {}) }
  }

  /**
   * Fields in which the group is the known one, if a move of the record is under way. Nothing brings the effect of a move before its
   * response here: the races of lists have a simulation of their own, and applications are used at random.
   */
  #unmoved(fields: Fields): Fields {
    const pk = String(fields['id'])
    if (!this.oracle.isMoving(pk)) return fields
    const { group: _, ...others } = fields
    const group = this.oracle.received(pk)?.['group']
    return group === undefined ? others : { ...others, group }
  }

  #follow(name: string, promise: Promise<unknown>): Track {
    const track: Track = { name, expected: undefined, actual: undefined }
    this.#tracks.push(track)
    promise.then(
      (value) => (track.actual = { value: plainOf(value) }),
      (error: Error & { code?: string }) => (track.actual = { error: error.code ?? error.message }),
    )
    return track
  }

  // --- comparing ---

  /** Runs promises and the timers that are due now. */
  async #settle(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      await macrotask()
      this.clock.advance(0)
      this.oracle.abort()
    }
    await macrotask()
    for (let index = this.#pending.length - 1; index >= 0; index--) {
      const pending = this.#pending[index] as Pending
      const isUnderWay =
        'call' in pending.of ? this.oracle.isUnderWay(pending.of) : this.oracle.isRunning(pending.of)
      // Some dropped requests are kept, because a server may still respond to them.
      if (!isUnderWay && this.#pending.length > 12) this.#pending.splice(index, 1)
    }
  }

  #compare(toldBefore: readonly (readonly [Reader, Facets])[]): void {
    const shown = new Map<string, unknown>()
    const instances = new Map<string, unknown>()
    for (const pk of [...ids, freeId, ...this.#temporary]) {
      const todo: unknown = this.controller.get(Todo, { id: pk })
      instances.set(String(pk), todo)
      shown.set(`Todo ${pk}`, todo)
      expectEqual(`record ${pk}`, plainOf(todo), this.oracle.record(String(pk)))
    }
    for (const call of calls) {
      const name = describe(call)
      const expected = this.oracle.shown(call)
      const actual = this.controller.read(this.#reads[call.name], ...(argsOf(call) as []))
      // The reader kept a record that an expected deletion hid. If it changed meanwhile, it is a new object.
      const wasHeld = call.name === 'detail' && this.#before.get(`Todo ${call.id}`) !== this.#before.get(name)
      if (wasHeld) this.#before.delete(name)
      shown.set(name, actual.data)
      expectEqual(name, comparable(actual), expected)
      const members = Array.isArray(actual.data) ? (actual.data as Todo[]) : []
      for (const member of members) {
        if (member !== instances.get(String(member.id)))
          throw new Error(`${name} shows another record ${member.id}`)
      }
    }
    this.#compareIdentities(shown)
    this.#compareReaders(toldBefore)
    this.#compareOutcomes()
  }

  /** Equal data must be the same object (G2). */
  #compareIdentities(shown: Map<string, unknown>): void {
    for (const [name, value] of shown) {
      // Members may leave and join a list in one step, or be hidden. Then the list may be a new object.
      if (Array.isArray(value) && (this.oracle.isLayered || this.#wasLayered)) continue
      const before = this.#before.get(name)
      // A created record appears briefly without the optimistic changes of other mutations to its temporary record.
      if (/^(answer|resolve) create/.test(this.doing ?? '')) continue
      if (
        value !== before &&
        typeof value === 'object' &&
        typeof before === 'object' &&
        isEqual(value, before)
      ) {
        throw new Error(`${name} shows the same in another object: ${JSON.stringify(value)}`)
      }
    }
    this.#before = shown
    this.#wasLayered = this.oracle.isLayered
  }

  #compareReaders(toldBefore: readonly (readonly [Reader, Facets])[]): void {
    for (const { name, told, call, now } of this.#readers) {
      const current = now()
      if (!isSameFacets(told, current)) {
        throw new Error(
          `The ${name} was not told of ${JSON.stringify(current)} after ${JSON.stringify(told)}`,
        )
      }
      const { data, error, fetching } = this.oracle.shown(call)
      expectEqual(`what the ${name} shows`, plainOf(current), [data, error, fetching])
      if (!name.startsWith('observer') || data !== undefined || error !== undefined) continue
      if (!fetching && !this.oracle.isHidden(call)) throw new Error(`The ${name} waits for nothing`)
    }
    for (const [{ name, call, told, tellings }, before] of toldBefore) {
      // Between an outdated request and its replacement, no request was in flight for a moment.
      if (this.#asked.has(keyOf(call))) continue
      // Readers of a record that was deleted are notified of that one macrotask later (F9).
      const isLater = call.name === 'detail' && /delet/.test(this.doing ?? '')
      if (this.#isBatch && tellings > (isLater ? 2 : 1)) {
        throw new Error(`The ${name} was told of one batch ${tellings} times`)
      }
      if (tellings === 1 && isSameFacets(told, before)) throw new Error(`The ${name} was told of nothing`)
    }
  }

  #compareOutcomes(): void {
    for (let index = this.#tracks.length - 1; index >= 0; index--) {
      const { name, actual, expected } = this.#tracks[index] as Track
      if (actual === undefined && expected === undefined) continue
      expectEqual(`the promise of ${name}`, actual, expected)
      this.#tracks.splice(index, 1)
    }
  }
}

/** The possible steps, with their relative weights. */
const actions: Readonly<Record<string, readonly [weight: number, Action]>> = {
  fetch: [14, (world, random) => world.fetch(random)],
  mutate: [12, (world, random) => world.mutate(random)],
  deleteTwice: [1, (world, random) => world.deleteTwice(random)],
  answer: [26, (world, random) => world.answer(random)],
  fail: [6, (world, random) => world.fail(random)],
  resolve: [3, (world, random) => world.resolve(random)],
  invalidate: [4, (world, random) => world.invalidate(random)],
  invalidateAll: [1, (world, random) => world.invalidateAll(random)],
  expireAll: [2, (world, random) => world.expireAll(random)],
  set: [4, (world, random) => world.set(random)],
  update: [2, (world, random) => world.update(random)],
  add: [2, (world, random) => world.add(random)],
  remove: [1, (world, random) => world.remove(random)],
  setResponse: [3, (world, random) => world.setResponse(random)],
  setMutationResponse: [3, (world, random) => world.setMutationResponse(random)],
  setError: [1, (world, random) => world.setError(random)],
  batch: [3, (world, random) => world.batch(random)],
  reset: [0.5, (world) => world.reset()],
  tick: [6, (world, random) => world.tick(random)],
  mount: [6, (world, random) => world.mount(random)],
  connect: [3, (world, random) => world.connect(random)],
  disconnect: [2, (world, random) => world.disconnect(random)],
  unmount: [4, (world, random) => world.unmount(random)],
}

/** The steps that may be part of a batch. */
const batched = ['set', 'update', 'add', 'remove', 'setResponse', 'setMutationResponse', 'setError'].map(
  (name) => (actions[name] as readonly [number, Action])[1],
)

/** The steps of a run. */
export function createSteps(seed: number, length: number): Step[] {
  const random = createRandom(seed)
  const weighted = Object.entries(actions)
  const total = weighted.reduce((sum, [, [weight]]) => sum + weight, 0)
  return Array.from({ length }, () => {
    let place = random.fraction() * total
    const [action] = weighted.find(([, [weight]]) => (place -= weight) < 0) ?? ['fetch']
    return { action, seed: random.below(2 ** 31) }
  })
}

const macrotask = () => new Promise<void>((resolve) => setImmediate(resolve))

function argsOf({ name, ...params }: Call): readonly unknown[] {
  return name === 'count' ? [] : [params]
}

function describe(call: Call): string {
  return `${call.name}(${argsOf(call)
    .map((args) => JSON.stringify(args))
    .join()})`
}

/** Random fields. Equal values are frequent, to test that unchanged data is recognized. */
function partOf(random: Random): Fields {
  const fields: Record<string, unknown> = {}
  if (random.below(3) > 0) fields['title'] = random.pick(['a', 'b', `unique ${random.below(1000)}`])
  if (random.below(3) === 0) fields['votes'] = 1 + random.below(3)
  return fields
}

function fieldsOf(random: Random): Fields {
  return { group: 1 + random.below(2), ...partOf(random) }
}

function payloadOf(call: Call, random: Random): unknown {
  if (call.name === 'count') return { value: random.below(3) }
  if (call.name === 'detail') return { id: call.id, ...fieldsOf(random) }
  const chosen = ids.filter(() => random.below(2) === 0)
  return random.shuffled(chosen).map((id) => Object.assign({ id }, fieldsOf(random)))
}

/** The optimistic change of a vote, given the record below. */
function vote({ votes = 0 }: Fields): Fields {
  return { votes: Number(votes) + 1 }
}

/** The optimistic change of a tally, given the count. */
function raise({ value }: { value: number }): unknown {
  return { value: value + 1 }
}

/** The temporary record of a create. */
function createdOf({ key, ...fields }: Fields): Fields {
  return { ...fields, id: key }
}

function expectOf(tracks: readonly Track[], outcome: Outcome | undefined): void {
  for (const track of tracks) track.expected ??= outcome
}

function facetsOf({
  data,
  error,
  fetching,
}: {
  data: unknown
  error: Error | undefined
  fetching: boolean
}): Facets {
  return [data, error?.message, fetching]
}

function isSameFacets(a: Facets, b: Facets): boolean {
  return a.every((facet, index) => facet === b[index])
}

function comparable({ data, error, fetching, status, expiresAt }: ReturnType<Controller['read']>): Shown {
  return { data: plainOf(data), error: error?.message, fetching, status, expiresAt }
}

function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf)
  return value instanceof Todo ? { ...value } : value
}

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isEqual(actual, expected)) return
  throw new Error(`${what}:\n  shown    ${JSON.stringify(actual)}\n  expected ${JSON.stringify(expected)}`)
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [x, y] = [a as Fields, b as Fields]
  const names = new Set([...Object.keys(x), ...Object.keys(y)])
  return [...names].every((name) => isEqual(x[name], y[name]))
}

// Computes the state of a Controller by section 3 of docs/specification.md, from a log of events. It uses plain
// objects and simple code, knows nothing of the store, and may be slow.

export type Fields = Readonly<Record<string, unknown>>

/**
 * A list of records that mutations change, of one of two Collections. Without a group it contains every record. With
 * `q` it is a search, whose members only the server knows.
 */
export interface ListCall {
  readonly name: 'list' | 'shelf'
  readonly group?: number
  readonly q?: string
}

/** The reading calls of the simulated application. */
export type Call =
  | { readonly name: 'detail'; readonly id: number | string }
  | { readonly name: 'plain'; readonly group: number }
  | ListCall
  /** A paginated list. */
  | { readonly name: 'feed' }
  | { readonly name: 'page'; readonly cursor: string }
  | { readonly name: 'count' }

/** Expiry lengths of the simulated application, in milliseconds. */
export const lengths = { data: 10_000, plain: 7000, error: 6000 } as const

/** The position of a write in the order of writes (G4). */
interface Order {
  readonly kind: 'read' | 'mutation'
  readonly start: number
  readonly settle: number
}

interface Received extends Order {
  /** When it was received, in milliseconds since the epoch. */
  readonly at: number
  /** How long it is Valid, in milliseconds. */
  readonly length: number
}

interface RecordWrite extends Received {
  /** `undefined` for a deletion. */
  readonly fields: Fields | undefined
}

interface ListAnswer extends Received {
  readonly pks: readonly string[]
}

/** The change of a mutation to the members of lists. */
interface Change {
  readonly kind: 'push' | 'move'
  readonly start: number
  readonly settle: number
  readonly pk: string
  readonly params: Fields
  readonly body: Fields
  /** The record before and after the mutation. */
  readonly before: Fields | undefined
  readonly after: Fields | undefined
}

interface Member {
  readonly pk: string
  /** The start of the mutation that added it; 0 for a member from a response. */
  readonly by: number
}

/** The outcome of a request, which its promise must settle with. */
export type Outcome = { readonly value: unknown } | { readonly error: string }

/** A read in flight. */
export interface Request {
  readonly call: Call
  readonly start: number
  /** True if a caller got its promise: then it is never aborted. */
  isPromised: boolean
}

/** A mutation in flight. */
export interface Mutation {
  readonly kind: 'create' | 'update' | 'tally' | 'vote' | 'move' | 'delete'
  readonly args: readonly unknown[]
  readonly start: number
  /** The record that it changes, if known before the response. */
  readonly pk: string | undefined
  /** The optimistic change; `null` for an expected deletion. */
  readonly expected: Expected
}

/** Fields, or a function of the fields below; it is not called for a missing record. */
export type Expected = Fields | ((below: Fields) => Fields) | null | undefined

interface Layer {
  readonly start: number
  readonly pk: string
  readonly patch: Exclude<Expected, null>
  readonly change: 'push' | 'move' | undefined
  /** The expected increase of the count. */
  readonly raise: number
  readonly params: Fields
  readonly body: Fields
}

/** The state of a paginated list. */
interface Feed {
  readonly pks: readonly string[] | undefined
  /** Its first page; `undefined` before it was received. */
  readonly first: readonly string[] | undefined
  readonly isPaged: boolean
  /** The position at which the list started over. */
  readonly begunAt: number
}

/** A polling connection to a call. */
export interface Poll {
  readonly call: Call
  /** The interval, in milliseconds. */
  readonly frequency: number
  /**
   * The start of the current interval, in milliseconds since the epoch; `undefined` if the specification leaves it
   * open.
   */
  since: number | undefined
}

interface Row {
  answer: (Received & { readonly value: unknown }) | undefined
  error: { readonly message: string; readonly expiresAt: number; readonly place: number } | undefined
  isInvalidated: boolean
  invalidatedAt: number
  expiredAt: number
  /** When the last outcome arrived, in milliseconds since the epoch. */
  outcomeAt: number
  /** The number of mounted readers. */
  readers: number
  /** The data that readers of a record keep while an expected deletion hides it. */
  held: unknown
  /** The primary key of that record. */
  heldOf: string
}

/** The visible state of a call. */
export interface Shown {
  readonly data: unknown
  readonly error: string | undefined
  readonly fetching: boolean
  readonly status: 'Invalid' | 'Stale' | 'Valid'
  readonly expiresAt: number
}

export const keyOf = (call: Call): string => JSON.stringify(call)

const noFeed: Feed = { pks: undefined, first: undefined, isPaged: false, begunAt: 0 }

const defaults: Fields = { id: 0, title: '', votes: 0, group: 0 }

export class Oracle {
  now: number
  #sequence = 0
  readonly #records = new Map<string, RecordWrite[]>()
  readonly #lists = new Map<string, ListAnswer[]>()
  readonly #rows = new Map<string, Row>()
  #changes: Change[] = []
  #layers: Layer[] = []
  /** The fields that answered mutations wrote themselves. */
  #confirmed: { readonly pk: string; readonly start: number; readonly names: readonly string[] }[] = []
  /** The starts of votes whose expected number was computed before an expected deletion took their record away. */
  readonly #counted = new Set<number>()
  readonly #replaced = new Map<string, string>()
  #requests: Request[] = []
  #mutations: Mutation[] = []
  #polls: Poll[] = []
  #feed = noFeed
  /** True while several mutations are settled: each may make a list Stale again after its readers fetched it. */
  isSettling = false

  constructor(now: number) {
    this.now = now
  }

  // --- events ---

  /** A read is sent. @throws {Error} if one is in flight that the call could join (3 rule 2) */
  readStarted(call: Call): Request {
    if (this.counting(call) !== undefined) {
      if (!this.isSettling) throw new Error(`${keyOf(call)} was asked for twice`)
      this.expired(call)
    }
    const request = { call, start: ++this.#sequence, isPromised: false }
    this.#requests.push(request)
    return request
  }

  /** A request ends, because a newer one takes its place. */
  replaced(request: Request, newer: Request): void {
    newer.isPromised ||= request.isPromised
    this.#end(request)
  }

  isUnderWay(request: Request): boolean {
    return this.#requests.includes(request)
  }

  readAnswered(request: Request, payload: unknown): Outcome | undefined {
    if (!this.#end(request)) return undefined
    const { call, start } = request
    this.#receive(call, payload, { kind: 'read', start, settle: ++this.#sequence })
    const row = this.#row(call)
    row.outcomeAt = this.now
    if (!row.isInvalidated) return { value: this.shown(call).data }
    // An Invalid call is not updated (4.5).
    return { value: call.name === 'count' ? payload : this.#dataOf(call, payload) }
  }

  readFailed(request: Request, message: string): Outcome | undefined {
    if (!this.#end(request)) return undefined
    const row = this.#row(request.call)
    const { start } = request
    row.outcomeAt = this.now
    const isOlder = start <= row.invalidatedAt || start < (row.error?.place ?? 0)
    const isLast = this.requestsOf(request.call).every((other) => other.start < start)
    if (!isOlder && isLast && !isBeaten({ kind: 'read', start, settle: start }, row.answer)) {
      row.error = { message, expiresAt: this.now + lengths.error, place: start }
    }
    return { error: message }
  }

  mutationStarted(
    kind: Mutation['kind'],
    args: readonly unknown[],
    pk: string | undefined,
    expected: Expected,
  ): Mutation {
    const mutation: Mutation = { kind, args, start: ++this.#sequence, pk, expected }
    this.#mutations.push(mutation)
    if (pk === undefined || expected === undefined) return mutation
    const readable = this.#readableDetails()
    const real = this.real(pk)
    // A temporary primary key refers to the real record, whose primary key stays.
    const isComplete = real === pk || typeof expected === 'function'
    const patch = expected === null ? undefined : isComplete ? expected : { ...expected, id: Number(real) }
    const change = changeOf(kind)
    const raise = kind === 'tally' ? 1 : 0
    const [params, body = {}] = args as readonly [Fields, Fields?]
    this.#layers.push({ start: mutation.start, pk: real, patch, change, raise, params, body })
    for (const [row, data, call] of readable) {
      if (row.readers === 0 || row.held !== undefined || this.shown(call).data !== undefined) continue
      row.held = data
      row.heldOf = real
    }
    return mutation
  }

  isRunning(mutation: Mutation): boolean {
    return this.#mutations.includes(mutation)
  }

  mutationAnswered(mutation: Mutation, payload: Fields): Outcome | undefined {
    if (!this.#endMutation(mutation)) return undefined
    const { kind, args, start, pk, expected } = mutation
    // Without a body, a mutation writes what it was expected to change. A later layer may hide the record meanwhile.
    const isEarly = expected !== undefined && (this.#counted.has(start) || this.#isCounted(mutation))
    const names = kind !== 'vote' ? Object.keys((args[1] ?? {}) as Fields) : isEarly ? ['votes'] : []
    if (kind !== 'delete') this.#confirmed.push({ pk: this.real(String(payload['id'])), start, names })
    this.#store(kind, args, payload, { kind: 'mutation', start, settle: ++this.#sequence })
    if (kind === 'create' && pk !== undefined && expected !== undefined) {
      this.#replaceTemporary(pk, String(payload['id']))
    }
    this.#release()
    if (kind === 'delete') return { value: payload }
    return { value: this.record(String(payload['id'])) }
  }

  mutationFailed(mutation: Mutation, message: string): Outcome | undefined {
    if (!this.#endMutation(mutation)) return undefined
    this.#release()
    return { error: message }
  }

  /** A response is stored by `setResponse`, for a mutation that was not sent here. */
  mutationPushed(kind: Mutation['kind'], args: readonly unknown[], payload: Fields): void {
    this.#store(kind, args, payload, this.#instant())
  }

  pushed(call: Call, payload: unknown): void {
    this.#receive(call, payload, this.#instant())
    const row = this.#row(call)
    row.outcomeAt = this.now
  }

  errorPushed(call: Call, message: string): void {
    const row = this.#row(call)
    row.error = { message, expiresAt: this.now + lengths.error, place: ++this.#sequence }
    row.outcomeAt = this.now
  }

  written(fields: Fields): void {
    this.#write(String(fields['id']), fields, this.#instant(), lengths.data)
  }

  added(fields: Fields): void {
    this.#store('create', [{}], fields, this.#instant())
  }

  invalidated(call: Call): void {
    const row = this.#row(call)
    row.isInvalidated = true
    row.invalidatedAt = ++this.#sequence
    row.error = undefined
    row.held = undefined
    row.outcomeAt = -Infinity
  }

  expired(call: Call): void {
    const row = this.#row(call)
    row.expiredAt = ++this.#sequence
    row.outcomeAt = -Infinity
  }

  /** @returns the requests in flight, which are dropped */
  reset(): { requests: readonly Request[]; mutations: readonly Mutation[] } {
    const dropped = { requests: this.#requests, mutations: this.#mutations }
    this.#requests = []
    this.#mutations = []
    this.#records.clear()
    this.#lists.clear()
    this.#changes = []
    this.#layers = []
    this.#feed = noFeed
    this.#replaced.clear()
    const sequence = ++this.#sequence
    for (const row of this.#rows.values()) {
      Object.assign(row, { answer: undefined, error: undefined, isInvalidated: false, held: undefined })
      // As in a page that was just opened, nothing was made Stale.
      row.expiredAt = 0
      row.invalidatedAt = sequence
      row.outcomeAt = -Infinity
    }
    return dropped
  }

  retained(call: Call): void {
    this.#row(call).readers++
  }

  released(call: Call): void {
    this.#row(call).readers--
  }

  connected(call: Call, frequency: number): Poll {
    this.retained(call)
    const row = this.#row(call)
    const received = row.error === undefined ? this.#age(call, row)?.at : undefined
    const poll = { call, frequency, since: this.isHidden(call) ? undefined : (received ?? this.now) }
    this.#polls.push(poll)
    return poll
  }

  disconnected(poll: Poll): void {
    this.released(poll.call)
    this.#polls = this.#polls.filter((other) => other !== poll)
  }

  /** Ends the reads without readers, one macrotask after the last reader left (3, Abort). */
  abort(): void {
    for (const request of [...this.#requests]) {
      const row = this.#row(request.call)
      if (request.isPromised || row.readers > 0) continue
      this.#end(request)
    }
  }

  /** The clock advances, or is set back. */
  advanced(to: number): void {
    this.now = to
    // The poll of a hidden record may skip an interval, and then counts from there.
    for (const poll of this.#polls) if (this.isHidden(poll.call)) poll.since = undefined
  }

  // --- visible state ---

  /** True if the call exists, at least because a reader read it. */
  isKnown(call: Call): boolean {
    return this.#rows.has(keyOf(call))
  }

  /** The request in flight whose response will be stored for a call. */
  counting(call: Call): Request | undefined {
    const { invalidatedAt, expiredAt } = this.#row(call)
    const since = Math.max(invalidatedAt, expiredAt)
    return this.#requests.find((request) => isSame(request.call, call) && request.start > since)
  }

  /** The requests in flight for a call, including outdated ones. */
  requestsOf(call: Call): Request[] {
    return this.#requests.filter((request) => isSame(request.call, call))
  }

  mutationsOf(kind: Mutation['kind'], args: readonly unknown[]): Mutation[] {
    const name = JSON.stringify([kind, args])
    return this.#mutations.filter((mutation) => JSON.stringify([mutation.kind, mutation.args]) === name)
  }

  /** True if a reader that mounts now has to fetch; `undefined` if that depends on what readers showed before. */
  isDue(call: Call): boolean | undefined {
    const { error, outcomeAt } = this.#row(call)
    // An outcome that a reader waited for is Valid until it was rendered, for at most 5 seconds (3, Expiry).
    if (outcomeAt > this.now - 5000) return undefined
    // A reader of a hidden record waits for the deletion to settle.
    if (this.isHidden(call)) return undefined
    return this.shown(call).status !== 'Valid' && (error === undefined || error.expiresAt <= this.now)
  }

  /** True if a poll sends a request before that time; `undefined` if the specification leaves it open. */
  isPolled(call: Call, until: number): boolean | undefined {
    if (this.isHidden(call)) return undefined
    if (this.#isFetching(call)) return false
    const polls = this.#polls.filter((poll) => isSame(poll.call, call))
    if (polls.some(({ since = Infinity, frequency }) => since + frequency <= until)) return true
    return polls.some(({ since }) => since === undefined) ? undefined : false
  }

  #isFetching(call: Call): boolean {
    const { invalidatedAt } = this.#row(call)
    return this.requestsOf(call).some(({ start }) => start > invalidatedAt)
  }

  shown(call: Call): Shown {
    const row = this.#row(call)
    const value = call.name === 'feed' ? this.#feed.pks?.map((id) => ({ id })) : row.answer?.value
    const current = row.isInvalidated ? undefined : this.#dataOf(call, value)
    // The record is visible again, so the kept data is dropped.
    if (current !== undefined) row.held = undefined
    const data = current ?? row.held
    const fetching = this.#isFetching(call)
    const expiresAt = data === undefined ? -Infinity : this.#expiresAt(call, row)
    const status = data === undefined ? 'Invalid' : expiresAt > this.now ? 'Valid' : 'Stale'
    return { data, error: row.error?.message, fetching, status, expiresAt }
  }

  /** A record with its optimistic layers. */
  record(pk: string): Fields | undefined {
    const fields = this.#layered(this.real(pk), Infinity)
    return fields === undefined ? undefined : { ...defaults, ...fields }
  }

  /** True if an optimistic layer is visible. */
  get isLayered(): boolean {
    return this.#layers.length > 0
  }

  /** True if a mutation in flight is expected to delete the record of a call: its readers wait for that (3). */
  isHidden(call: Call): boolean {
    if (call.name !== 'detail') return false
    const pk = this.real(String(call.id))
    return this.#layers.some((layer) => layer.pk === pk && layer.patch === undefined)
  }

  /** True if a mutation in flight is expected to delete any record. */
  get isDeleting(): boolean {
    return this.#layers.some(({ patch }) => patch === undefined)
  }

  /** True if a record was deleted. */
  isDeleted(pk: string): boolean {
    return this.#records.has(pk) && this.#received(pk) === undefined
  }

  // --- records ---

  /** True if a record was written after a request started. */
  isWrittenSince(pk: string, start: number): boolean {
    return (this.#records.get(this.real(pk)) ?? []).some((write) => write.settle > start)
  }

  /** True if a move of a record is in flight, or one of a temporary record, which may become this one. */
  isMoving(pk: string): boolean {
    const moved = this.#mutations
      .filter(({ kind }) => kind === 'move')
      .map((move) => this.real(String(move.pk)))
    return moved.some((name) => name === this.real(pk) || name.startsWith('t'))
  }

  /** The received fields of a record. */
  received(pk: string): Fields | undefined {
    return this.#received(this.real(pk))
  }

  #received(pk: string): Fields | undefined {
    let fields: Fields | undefined
    const winners: RecordWrite[] = []
    for (const write of this.#records.get(pk) ?? []) {
      if (isBeaten(write, ...winners)) {
        // The older write fills in missing fields. A deleted record stays deleted.
        if (fields !== undefined) fields = Object.assign({}, write.fields, fields)
        continue
      }
      fields = write.fields === undefined ? undefined : { ...fields, ...write.fields }
      winners.push(write)
    }
    return fields
  }

  /** @param below - excludes the layers of mutations that started here or later */
  #layered(pk: string, below: number): Fields | undefined {
    let fields = this.#received(pk)
    for (const layer of this.#layers) {
      if (layer.pk !== pk || layer.start >= below) continue
      const { patch } = layer
      if (typeof patch !== 'function')
        fields =
          patch && (fields === undefined ? patch : { ...fields, ...this.#withoutCovered(layer, patch) })
      else if (fields !== undefined) fields = { ...fields, ...patch(fields) }
    }
    return fields
  }

  /** A later mutation that was answered covers its fields (G4). */
  #withoutCovered({ pk, start }: Layer, patch: Fields): Fields {
    const isCovered = (name: string) =>
      this.#confirmed.some((own) => own.pk === pk && own.start > start && own.names.includes(name))
    return Object.fromEntries(Object.entries(patch).filter(([name]) => !isCovered(name)))
  }

  /** @param isTold - `true` for a list of which a mutation says that it has the record */
  #write(
    name: string,
    fields: Fields | undefined,
    order: Order,
    length: number,
    isTold: (list: ListCall, after: Fields) => boolean = () => false,
  ): void {
    const pk = this.real(name)
    const deletion = this.isDeleted(pk) ? lastWinner(this.#records.get(pk)) : undefined
    // The fields of a record that is made again are new.
    if (fields === undefined) this.#confirmed = this.#confirmed.filter((own) => own.pk !== pk)
    const writes = this.#records.get(pk) ?? []
    this.#records.set(pk, [...writes, { ...order, fields, at: this.now, length }])
    const after = this.#received(pk)
    // What the application sets tells nothing of the server.
    if (deletion === undefined || after === undefined || order.start === order.settle) return
    for (const key of this.#lists.keys()) {
      const list = JSON.parse(key) as ListCall
      const hasIt = this.#members(list)?.some((member) => member.pk === pk) === true
      const row = this.#row(list)
      const at = deletion.kind === 'read' ? deletion.start : deletion.settle
      if (hasIt && !isTold(list, after)) row.expiredAt = Math.max(row.expiredAt, at)
    }
  }

  /** Resolves a primary key: a replaced temporary one gives the real one. */
  real(pk: string): string {
    return this.#replaced.get(pk) ?? pk
  }

  /** True if the record of a mutation is there below its layer. */
  #isCounted({ pk = '', start }: Mutation): boolean {
    return this.#layered(this.real(pk), start) !== undefined
  }

  #replaceTemporary(temporary: string, pk: string): void {
    // The temporary record may be expected to be deleted, and its layers are those of the real one from here on.
    for (const mutation of this.#mutations) if (this.#isCounted(mutation)) this.#counted.add(mutation.start)
    this.#replaced.set(temporary, pk)
    this.#layers = this.#layers.map((layer) =>
      layer.pk === temporary
        ? {
            ...layer,
            pk,
            patch: typeof layer.patch === 'object' ? { ...layer.patch, id: Number(pk) } : layer.patch,
          }
        : layer,
    )
  }

  // --- lists ---

  #members(list: ListCall): readonly Member[] | undefined {
    let members: readonly Member[] | undefined
    const winners: ListAnswer[] = []
    const answers = this.#lists.get(keyOf(list)) ?? []
    const events = [...answers, ...this.#changes].sort((a, b) => a.settle - b.settle)
    for (const event of events) {
      if (!('pks' in event)) {
        if (members !== undefined) members = changed(list, members, event)
        continue
      }
      if (members !== undefined && isBeaten(event, ...winners)) continue
      winners.push(event)
      let answered: readonly Member[] = event.pks.map((pk) => ({ pk, by: 0 }))
      // Applies the mutations since the start of the read to its response.
      for (const change of this.#changes) {
        const isMissed = change.settle > event.start && change.settle < event.settle
        if (event.kind === 'read' && isMissed) answered = changed(list, answered, change)
      }
      members = answered
    }
    return members
  }

  #shownMembers(list: ListCall): readonly string[] | undefined {
    let members = this.#members(list)
    if (members === undefined) return undefined
    for (const { start, pk, change, params, body } of this.#layers) {
      if (change === undefined) continue
      const before = this.#layered(pk, start)
      const after = this.#layered(pk, start + 1)
      members = changed(list, members, {
        kind: change,
        start,
        settle: start,
        pk,
        params,
        body,
        before,
        after,
      })
    }
    return members.map(({ pk }) => pk)
  }

  // --- calls ---

  #receive(call: Call, payload: unknown, order: Order): void {
    const row = this.#row(call)
    const length = call.name === 'plain' ? lengths.plain : lengths.data
    if (call.name === 'detail')
      this.#write(String((payload as Fields)['id']), payload as Fields, order, length)
    if (isPlain(call) || isList(call)) {
      for (const fields of payload as Fields[]) this.#write(String(fields['id']), fields, order, length)
    }
    if (isList(call)) {
      const pks = pksOf(payload)
      const key = keyOf(call)
      const answer = { ...order, pks, at: this.now, length }
      const answers = [...(this.#lists.get(key) ?? []), answer]
      this.#lists.set(key, answers)
      // The response may lack what mutations did since the request was sent.
      if (order.kind === 'read' && lastWinner(answers) === answer) {
        let members: readonly Member[] = pks.map((pk) => ({ pk, by: 0 }))
        for (const change of this.#changes) {
          if (change.settle < order.start) continue
          if (isDoubtful(call, members, change) || isAtOdds(call, members, change))
            row.expiredAt = Math.max(row.expiredAt, change.settle)
          members = changed(call, members, change)
        }
        // A record that was deleted since, and is back, may be in other lists now.
        for (const [pk, writes] of this.#records)
          for (const { fields, settle } of this.#received(pk) === undefined ? [] : writes) {
            if (fields !== undefined || settle < order.start) continue
            const then = this.#changes
              .filter((change) => change.settle >= order.start && change.settle < settle)
              .reduce(
                (all, change) => changed(call, all, change),
                pks.map((each): Member => ({ pk: each, by: 0 })) as readonly Member[],
              )
            if (then.some((member) => member.pk === pk)) row.expiredAt = Math.max(row.expiredAt, settle)
          }
      }
    }
    if (call.name === 'page') this.#append(pksOf(payload), order.start)
    if (order.start <= row.invalidatedAt || isBeaten(order, row.answer)) return
    if (call.name === 'feed') this.#feed = this.#withFirstPage(pksOf(payload), order.settle)
    row.answer = { ...order, value: payload, at: this.now, length }
    row.isInvalidated = false
    if (order.start >= (row.error?.place ?? 0)) row.error = undefined
  }

  /** Appends a page (4.4, Paginated). */
  #append(page: readonly string[], start: number): void {
    const { pks = [], begunAt } = this.#feed
    // The list that this page continues is gone.
    if (start < begunAt) return
    const added = page.filter((pk) => !pks.includes(pk))
    this.#feed = { ...this.#feed, pks: [...pks, ...added], isPaged: true }
  }

  /** The list after a response for its first page, possibly a repeated one (4.4, Paginated). */
  #withFirstPage(answer: readonly string[], settle: number): Feed {
    const { pks = [], first, isPaged, begunAt } = this.#feed
    const isThere = (pk: string) => this.#received(pk) !== undefined
    const left = first?.filter(isThere) ?? []
    const there = answer.filter(isThere)
    if (!isPaged) {
      const isOther = first !== undefined && left.join() !== there.join()
      return { pks: answer, first: answer, isPaged, begunAt: isOther ? settle : begunAt }
    }
    const last = [...answer].reverse().find((pk) => pks.includes(pk))
    if (left.length > 0 && (last === undefined || there.length < left.length)) {
      return { pks: answer, first: answer, isPaged: false, begunAt: settle }
    }
    // If pages arrived before the first page, all of them follow it.
    const behind = left.length === 0 || last === undefined ? pks : pks.slice(pks.indexOf(last) + 1)
    const kept = behind.filter((pk) => !answer.includes(pk))
    return { pks: [...answer, ...kept], first: answer, isPaged, begunAt }
  }

  #store(kind: Mutation['kind'], args: readonly unknown[], payload: Fields, order: Order): void {
    const [params, body = {}] = args as readonly [Fields, Fields?]
    const pk = this.real(String((kind === 'delete' ? params : payload)['id']))
    const before = this.#received(pk)
    this.#write(pk, kind === 'delete' ? undefined : payload, order, lengths.data, (list, after) => {
      const group = after['group'] ?? params['group']
      return (
        changeOf(kind) !== undefined &&
        (list.group === undefined || group === undefined || list.group === group)
      )
    })
    if (kind === 'tally') this.#raiseCount(order.settle)
    const change = changeOf(kind)
    if (change === undefined) return
    const { start, settle } = order
    const after = this.#received(pk)
    const made: Change = { kind: change, start, settle, pk, params, body, before, after }
    for (const key of this.#lists.keys()) {
      const list = JSON.parse(key) as ListCall
      const members = this.#members(list) ?? []
      if (isDoubtful(list, members, made) || isAtOdds(list, members, made)) this.expired(list)
    }
    this.#changes.push(made)
  }

  /** Applies the `update` of a mutation (4.5): the age stays, and responses to earlier requests are ignored. */
  #raiseCount(settle: number): void {
    const call: Call = { name: 'count' }
    const row = this.#row(call)
    if (row.answer === undefined || row.isInvalidated) return
    row.answer = { ...row.answer, value: raised(row.answer.value, 1) }
    const wasFetching = this.#isFetching(call)
    row.invalidatedAt = settle
    if (wasFetching) this.#restartPolls(call)
  }

  /** Restarts the interval of polls when the last request in flight has ended (3, Polling). */
  #restartPolls(call: Call): void {
    for (const poll of this.#polls) if (isSame(poll.call, call)) poll.since = this.now
  }

  #dataOf(call: Call, value: unknown): unknown {
    if (call.name === 'count') {
      const raise = this.#layers.reduce((sum, layer) => sum + layer.raise, 0)
      return value === undefined ? undefined : raised(value, raise)
    }
    if (call.name === 'detail') return this.record(String(call.id))
    const pks = isPlain(call) ? value && pksOf(value) : this.#shownMembers(call)
    // Deleted records are removed from all lists.
    return (pks as readonly string[] | undefined)?.map((pk) => this.record(pk)).filter((each) => each)
  }

  /** The age of the record if the schema is one entity, otherwise that of the result. */
  #age(call: Call, row: Row): Received | undefined {
    if (call.name === 'detail') return lastWinner(this.#records.get(this.real(String(call.id))))
    return row.answer ?? (isList(call) ? lastWinner(this.#lists.get(keyOf(call))) : undefined)
  }

  #expiresAt(call: Call, row: Row): number {
    const age = this.#age(call, row)
    if (age === undefined) return -Infinity
    const { answer } = row
    // Only a response of the call itself settles what made it Stale.
    const asked = answer === undefined ? 0 : answer.kind === 'read' ? answer.start : answer.settle
    if (asked < row.expiredAt) return -Infinity
    return age.at + (call.name === 'plain' ? lengths.plain : age.length)
  }

  #row(call: Call): Row {
    const key = keyOf(call)
    const known = this.#rows.get(key)
    if (known !== undefined) return known
    const row: Row = {
      answer: undefined,
      error: undefined,
      isInvalidated: false,
      invalidatedAt: 0,
      expiredAt: 0,
      outcomeAt: -Infinity,
      readers: 0,
      held: undefined,
      heldOf: '',
    }
    this.#rows.set(key, row)
    return row
  }

  #instant(): Order {
    const start = ++this.#sequence
    return { kind: 'mutation', start, settle: start }
  }

  #end(request: Request): boolean {
    const isUnderWay = this.isUnderWay(request)
    const wasFetching = this.#isFetching(request.call)
    this.#requests = this.#requests.filter((other) => other !== request)
    if (wasFetching && !this.#isFetching(request.call)) this.#restartPolls(request.call)
    return isUnderWay
  }

  #endMutation(mutation: Mutation): boolean {
    const isRunning = this.isRunning(mutation)
    this.#mutations = this.#mutations.filter((other) => other !== mutation)
    this.#layers = this.#layers.filter(({ start }) => start !== mutation.start)
    return isRunning
  }

  #readableDetails(): [Row, unknown, Call][] {
    return [...this.#rows].flatMap(([key, row]) => {
      const call = JSON.parse(key) as Call
      const { data } = this.shown(call)
      return call.name === 'detail' && data !== undefined ? [[row, data, call]] : []
    })
  }

  /**
   * Drops the data that readers of a hidden record kept, once the last mutation that hides the record has settled.
   */
  #release(): void {
    const hidden = new Set(this.#layers.filter(({ patch }) => patch === undefined).map(({ pk }) => pk))
    for (const row of this.#rows.values()) if (!hidden.has(this.real(row.heldOf))) row.held = undefined
  }
}

/** True if a write loses to one of those stored before it (G4). */
function isBeaten(order: Order, ...stored: readonly (Order | undefined)[]): boolean {
  return stored.some((other) => {
    if (other === undefined) return false
    if (order.kind === 'read') return (other.kind === 'read' ? other.start : other.settle) > order.start
    return other.kind === 'mutation' && other.start > order.start
  })
}

function lastWinner<Write extends Received>(writes: readonly Write[] = []): Write | undefined {
  const winners: Write[] = []
  for (const write of writes) if (!isBeaten(write, ...winners)) winners.push(write)
  return winners.at(-1)
}

/** The members of a list after a mutation (4.1, Lists). */
function changed(list: ListCall, members: readonly Member[], change: Change): readonly Member[] {
  const { kind, pk, params, body, before, after, start } = change
  // Only the server knows whether a search finds a record.
  if (list.q !== undefined) return members
  const args: Fields = list.group === undefined ? {} : { group: list.group }
  const matches = (fields: Fields) =>
    Object.entries(args).every(([name, value]) => {
      const own = fields[name] === undefined ? params[name] : fields[name]
      return own === undefined || own === value
    })
  // A deleted record joins no list.
  if (after === undefined) return members
  const isMember = members.some((member) => member.pk === pk)
  const doesMatch = matches(after)
  // The body names the list of a record that did not carry its group.
  const isNamed = Object.keys(args).some(
    (name) => before?.[name] === undefined && params[name] === undefined && body[name] !== undefined,
  )
  const didMatch = kind === 'move' && before !== undefined && matches(before)
  if (before !== undefined && matches(before) && !doesMatch)
    return members.filter((member) => member.pk !== pk)
  if ((didMatch && !isNamed) || !doesMatch || isMember) return members
  if (kind === 'move' && !Object.keys(args).some((name) => after[name] !== undefined)) return members
  // A record that joins precedes those of mutations that started later (F7).
  const isLater = ({ by }: Member) => by > start
  return [...members.filter((each) => !isLater(each)), { pk, by: start }, ...members.filter(isLater)]
}

/** True if only the server knows whether a list has a record after a mutation, so that it is Stale (4.1, Lists). */
function isDoubtful(list: ListCall, members: readonly Member[], change: Change): boolean {
  const { kind, pk, params, body, before, after } = change
  if (after === undefined) return false
  const now = after['group'] ?? params['group']
  const isOther = list.group !== undefined && now !== undefined && now !== list.group
  // A list remembers a deleted record, which is made again.
  if (members.some((member) => member.pk === pk))
    return before === undefined && list.q === undefined && isOther
  if (list.q !== undefined) return kind === 'push'
  // The response is the first to tell the group of a known record.
  const isFirst = [before?.['group'], params['group'], body['group']].every((group) => group === undefined)
  return kind === 'move' && before !== undefined && isFirst && after['group'] === list.group
}

/** True if a move makes no difference to a list whose group it names, and the list lacks a record that matches, or has one that does not. */
function isAtOdds(list: ListCall, members: readonly Member[], change: Change): boolean {
  const { kind, pk, params, body, before, after } = change
  if (kind !== 'move' || before === undefined || after === undefined) return false
  if (list.q !== undefined || list.group === undefined || body['group'] === undefined) return false
  const isIn = ({ group = params['group'] }: Fields) => group === list.group
  const isMember = members.some((member) => member.pk === pk)
  const [was, is] = [before, after].map(isIn)
  return (before['group'] ?? params['group']) !== undefined && was === is && is !== isMember
}

function changeOf(kind: Mutation['kind']): Change['kind'] | undefined {
  if (kind === 'create') return 'push'
  return kind === 'move' ? 'move' : undefined
}

function pksOf(payload: unknown): string[] {
  return (payload as Fields[]).map(({ id }) => String(id))
}

function raised(count: unknown, by: number): unknown {
  return { value: (count as { value: number }).value + by }
}

function isList(call: Call): call is ListCall {
  return call.name === 'list' || call.name === 'shelf'
}

/** True if the response is a list that mutations do not change. */
function isPlain(call: Call): call is Extract<Call, { name: 'plain' | 'feed' | 'page' }> {
  const { name } = call
  return name === 'plain' || name === 'feed' || name === 'page'
}

function isSame(a: Call, b: Call): boolean {
  return keyOf(a) === keyOf(b)
}

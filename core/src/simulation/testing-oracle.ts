// What section 3 of docs/specification.md says a Controller shows, computed anew from a log of what happened. Plain
// objects, no cleverness: it knows nothing of the store, and is as slow as it likes.

export type Fields = Readonly<Record<string, unknown>>

/**
 * A list of records that mutations change, of one of two Collections. Without a group it is the list of everything; with
 * `q`, a search, only a server says what is in it.
 */
export interface ListCall {
  readonly name: 'list' | 'shelf'
  readonly group?: number
  readonly q?: string
}

/** The calls of the simulated application that read. */
export type Call =
  | { readonly name: 'detail'; readonly id: number | string }
  | { readonly name: 'plain'; readonly group: number }
  | ListCall
  /** A list that pages are appended to. */
  | { readonly name: 'feed' }
  | { readonly name: 'page'; readonly cursor: number }
  | { readonly name: 'count' }

/** Lengths of the simulated application: milliseconds. */
export const lengths = { data: 10_000, plain: 7000, error: 6000 } as const

/** The place of a write among all others (G4). */
interface Order {
  readonly kind: 'read' | 'mutation'
  readonly start: number
  readonly settle: number
}

interface Received extends Order {
  /** When it was received: milliseconds since the epoch. */
  readonly at: number
  /** How long it is Valid: milliseconds. */
  readonly length: number
}

interface RecordWrite extends Received {
  /** `undefined` deletes. */
  readonly fields: Fields | undefined
}

interface ListAnswer extends Received {
  readonly pks: readonly string[]
}

/** What a mutation did to the members of lists. */
interface Change {
  readonly kind: 'push' | 'move'
  readonly start: number
  readonly settle: number
  readonly pk: string
  readonly params: Fields
  /** The record as it was before the mutation, and after it. */
  readonly before: Fields | undefined
  readonly after: Fields | undefined
}

interface Member {
  readonly pk: string
  /** Where the mutation started that added it; 0 for one that an answer held. */
  readonly by: number
}

/** What a request ended with: what its promise has to settle with. */
export type Outcome = { readonly value: unknown } | { readonly error: string }

/** A read under way. */
export interface Request {
  readonly call: Call
  readonly start: number
  /** Whether somebody was given its promise: then it is never aborted. */
  isPromised: boolean
}

/** A mutation. */
export interface Mutation {
  readonly kind: 'create' | 'update' | 'tally' | 'vote' | 'move' | 'delete'
  readonly args: readonly unknown[]
  readonly start: number
  /** The record that it is about, as far as that is known before the answer. */
  readonly pk: string | undefined
  /** What is shown early; `null` for a record that is expected to be gone. */
  readonly expected: Expected
}

/** Fields, or what gives them of the record as it is below; that gives none of one that is not there. */
export type Expected = Fields | ((below: Fields) => Fields) | null | undefined

interface Layer {
  readonly start: number
  readonly pk: string
  readonly patch: Exclude<Expected, null>
  readonly change: 'push' | 'move' | undefined
  /** By how much it is expected to raise the count. */
  readonly raise: number
  readonly params: Fields
}

/** A list that is loaded page by page. */
interface Feed {
  readonly pks: readonly string[] | undefined
  /** Its first page; `undefined` while it was not received. */
  readonly first: readonly string[] | undefined
  readonly isPaged: boolean
  /** Where it started over. */
  readonly begunAt: number
}

/** Somebody who is connected to a call. */
export interface Poll {
  readonly call: Call
  /** Milliseconds. */
  readonly frequency: number
  /** What it counts from: milliseconds since the epoch; `undefined` where that is not told. */
  since: number | undefined
}

interface Row {
  answer: (Received & { readonly value: unknown }) | undefined
  error: { readonly message: string; readonly expiresAt: number; readonly place: number } | undefined
  isInvalidated: boolean
  invalidatedAt: number
  expiredAt: number
  /** When an outcome last came: milliseconds since the epoch. */
  outcomeAt: number
  /** How many keep it on screen. */
  readers: number
  /** What is still shown, in place of nothing, of a record that is expected to be deleted. */
  held: unknown
  /** That record. */
  heldOf: string
}

/** What a call shows. */
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
  readonly #replaced = new Map<string, string>()
  #requests: Request[] = []
  #mutations: Mutation[] = []
  #polls: Poll[] = []
  #feed = noFeed

  constructor(now: number) {
    this.now = now
  }

  // --- what happens ---

  /** A request for a call is sent. @throws {Error} when one is under way that the call could wait for (3 rule 2) */
  readStarted(call: Call): Request {
    if (this.counting(call) !== undefined) throw new Error(`${keyOf(call)} was asked for twice`)
    const request = { call, start: ++this.#sequence, isPromised: false }
    this.#requests.push(request)
    return request
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
    // Of a call that is Invalid nothing is updated (4.5).
    return { value: call.name === 'count' ? payload : this.#dataOf(call, payload) }
  }

  readFailed(request: Request, message: string): Outcome | undefined {
    if (!this.#end(request)) return undefined
    const row = this.#row(request.call)
    const { start } = request
    row.outcomeAt = this.now
    const isOlder = start <= row.invalidatedAt || start < (row.error?.place ?? 0)
    if (!isOlder && !isBeaten({ kind: 'read', start, settle: start }, row.answer)) {
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
    // What names a temporary record means the real one, whose primary key stays.
    const isComplete = real === pk || typeof expected === 'function'
    const patch = expected === null ? undefined : isComplete ? expected : { ...expected, id: Number(real) }
    const change = changeOf(kind)
    const raise = kind === 'tally' ? 1 : 0
    const params = args[0] as Fields
    this.#layers.push({ start: mutation.start, pk: real, patch, change, raise, params })
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

  /** An answer to a mutation that nobody sent. */
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

  /** @returns what was under way, and is dropped */
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

  /** Ends the reads that nobody waits for. One macrotask after a reader left (3, Abort). */
  abort(): void {
    for (const request of [...this.#requests]) {
      const row = this.#row(request.call)
      if (request.isPromised || row.readers > 0) continue
      this.#end(request)
    }
  }

  /** Time passes, or the clock is set back. */
  advanced(to: number): void {
    this.now = to
    // Who polls what an expected deletion hides may pass a moment over, and counts from there.
    for (const poll of this.#polls) if (this.isHidden(poll.call)) poll.since = undefined
  }

  // --- what is shown ---

  /** Whether anything is known of a call, if only that somebody read it. */
  isKnown(call: Call): boolean {
    return this.#rows.has(keyOf(call))
  }

  /** The request whose answer will serve a call. */
  counting(call: Call): Request | undefined {
    const { invalidatedAt, expiredAt } = this.#row(call)
    const since = Math.max(invalidatedAt, expiredAt)
    return this.#requests.find((request) => isSame(request.call, call) && request.start > since)
  }

  /** The requests under way for a call, those included that do not count. */
  requestsOf(call: Call): Request[] {
    return this.#requests.filter((request) => isSame(request.call, call))
  }

  mutationsOf(kind: Mutation['kind'], args: readonly unknown[]): Mutation[] {
    const name = JSON.stringify([kind, args])
    return this.#mutations.filter((mutation) => JSON.stringify([mutation.kind, mutation.args]) === name)
  }

  /** Whether a reader that is mounted now has to ask; `undefined` where that depends on what readers showed before. */
  isDue(call: Call): boolean | undefined {
    const { error, outcomeAt } = this.#row(call)
    // An outcome that a reader waited for is Valid until it was shown, for at most 5 seconds (3, Expiry).
    if (outcomeAt > this.now - 5000) return undefined
    // Who was answered with what an expected deletion hides waits for that.
    if (this.isHidden(call)) return undefined
    return this.shown(call).status !== 'Valid' && (error === undefined || error.expiresAt <= this.now)
  }

  /** Whether a call is asked for by those connected to it when time passes; `undefined` where that is not told. */
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
    // What is there again is not held any more.
    if (current !== undefined) row.held = undefined
    const data = current ?? row.held
    const fetching = this.#isFetching(call)
    const expiresAt = data === undefined ? -Infinity : this.#expiresAt(call, row)
    const status = data === undefined ? 'Invalid' : expiresAt > this.now ? 'Valid' : 'Stale'
    return { data, error: row.error?.message, fetching, status, expiresAt }
  }

  /** A record, optimistic layers on top. */
  record(pk: string): Fields | undefined {
    const fields = this.#layered(this.real(pk), Infinity)
    return fields === undefined ? undefined : { ...defaults, ...fields }
  }

  /** Whether anything is shown that mutations under way are expected to do. */
  get isLayered(): boolean {
    return this.#layers.length > 0
  }

  /** Whether a mutation under way is expected to delete the record of a call: its readers wait for that (3). */
  isHidden(call: Call): boolean {
    if (call.name !== 'detail') return false
    const pk = this.real(String(call.id))
    return this.#layers.some((layer) => layer.pk === pk && layer.patch === undefined)
  }

  /** Whether mutations under way are expected to delete anything. */
  get isDeleting(): boolean {
    return this.#layers.some(({ patch }) => patch === undefined)
  }

  /** Whether a record was deleted. */
  isDeleted(pk: string): boolean {
    return this.#records.has(pk) && this.#received(pk) === undefined
  }

  // --- records ---

  #received(pk: string): Fields | undefined {
    let fields: Fields | undefined
    const winners: RecordWrite[] = []
    for (const write of this.#records.get(pk) ?? []) {
      if (isBeaten(write, ...winners)) {
        // The loser's fields fill what is missing. What was deleted stays deleted.
        if (fields !== undefined) fields = Object.assign({}, write.fields, fields)
        continue
      }
      fields = write.fields === undefined ? undefined : { ...fields, ...write.fields }
      winners.push(write)
    }
    return fields
  }

  /** @param below - without the layers of mutations that started here or later */
  #layered(pk: string, below: number): Fields | undefined {
    let fields = this.#received(pk)
    for (const layer of this.#layers) {
      if (layer.pk !== pk || layer.start >= below) continue
      const { patch } = layer
      if (typeof patch !== 'function') fields = patch && { ...fields, ...patch }
      else if (fields !== undefined) fields = { ...fields, ...patch(fields) }
    }
    return fields
  }

  #write(name: string, fields: Fields | undefined, order: Order, length: number): void {
    const pk = this.real(name)
    const writes = this.#records.get(pk) ?? []
    this.#records.set(pk, [...writes, { ...order, fields, at: this.now, length }])
  }

  /** The record that a primary key means: of a temporary one that was replaced the real one. */
  real(pk: string): string {
    return this.#replaced.get(pk) ?? pk
  }

  #replaceTemporary(temporary: string, pk: string): void {
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
      // What mutations did since the read started is done to its answer again.
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
    for (const { start, pk, change, params } of this.#layers) {
      if (change === undefined) continue
      const before = this.#layered(pk, start)
      const after = this.#layered(pk, start + 1)
      members = changed(list, members, { kind: change, start, settle: start, pk, params, before, after })
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
      // What was created while it was asked for is not in its answer.
      const missed = this.#changes.filter(
        ({ kind, pk, settle, after }) =>
          kind === 'push' && settle > order.start && after !== undefined && !pks.includes(pk),
      )
      const isSearch = call.q !== undefined && order.kind === 'read'
      if (isSearch && missed.length > 0 && lastWinner(answers) === answer) {
        row.expiredAt = Math.max(row.expiredAt, ...missed.map(({ settle }) => settle))
      }
    }
    if (call.name === 'page') this.#append(pksOf(payload), order.start)
    if (order.start <= row.invalidatedAt || isBeaten(order, row.answer)) return
    if (call.name === 'feed') this.#feed = this.#withFirstPage(pksOf(payload), order.settle)
    row.answer = { ...order, value: payload, at: this.now, length }
    row.isInvalidated = false
    if (order.start >= (row.error?.place ?? 0)) row.error = undefined
  }

  /** A page is appended (4.4, Paginated). */
  #append(page: readonly string[], start: number): void {
    const { pks = [], begunAt } = this.#feed
    // It continues a list that is gone.
    if (start < begunAt) return
    const added = page.filter((pk) => !pks.includes(pk))
    this.#feed = { ...this.#feed, pks: [...pks, ...added], isPaged: true }
  }

  /** The first page was received, maybe again (4.4, Paginated). */
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
    // Pages may come before the first one: then all stands behind it.
    const behind = left.length === 0 || last === undefined ? pks : pks.slice(pks.indexOf(last) + 1)
    const kept = behind.filter((pk) => !answer.includes(pk))
    return { pks: [...answer, ...kept], first: answer, isPaged, begunAt }
  }

  #store(kind: Mutation['kind'], args: readonly unknown[], payload: Fields, order: Order): void {
    const params = args[0] as Fields
    const pk = this.real(String((kind === 'delete' ? params : payload)['id']))
    const before = this.#received(pk)
    this.#write(pk, kind === 'delete' ? undefined : payload, order, lengths.data)
    if (kind === 'tally') this.#raiseCount(order.settle)
    const change = changeOf(kind)
    if (change === undefined) return
    const { start, settle } = order
    const after = this.#received(pk)
    if (change === 'push' && after !== undefined) this.#doubt(pk)
    this.#changes.push({ kind: change, start, settle, pk, params, before, after })
  }

  /** A record was created that searches may find: those that were answered without it are Stale (4.1, Lists). */
  #doubt(pk: string): void {
    for (const key of this.#lists.keys()) {
      const list = JSON.parse(key) as ListCall
      const isKnown = this.#members(list)?.some((member) => member.pk === pk) === true
      if (list.q !== undefined && !isKnown) this.expired(list)
    }
  }

  /** The `update` of a mutation (4.5): the age stays, and answers to requests of before do not count. */
  #raiseCount(settle: number): void {
    const call: Call = { name: 'count' }
    const row = this.#row(call)
    if (row.answer === undefined || row.isInvalidated) return
    row.answer = { ...row.answer, value: raised(row.answer.value, 1) }
    const wasFetching = this.#isFetching(call)
    row.invalidatedAt = settle
    if (wasFetching) this.#restartPolls(call)
  }

  /** A poll waits from where nothing is under way any more (3, Polling). */
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
    // A record that is deleted is dropped from all that shows it.
    return (pks as readonly string[] | undefined)?.map((pk) => this.record(pk)).filter((each) => each)
  }

  /** The record's age where the schema is one entity, the result's otherwise. */
  #age(call: Call, row: Row): Received | undefined {
    if (call.name === 'detail') return lastWinner(this.#records.get(this.real(String(call.id))))
    return row.answer ?? (isList(call) ? lastWinner(this.#lists.get(keyOf(call))) : undefined)
  }

  #expiresAt(call: Call, row: Row): number {
    const age = this.#age(call, row)
    if (age === undefined) return -Infinity
    const asked = age.kind === 'read' ? age.start : age.settle
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

  /** Readers of a record that is expected to be deleted see it until the last mutation that hides it is settled. */
  #release(): void {
    const hidden = new Set(this.#layers.filter(({ patch }) => patch === undefined).map(({ pk }) => pk))
    for (const row of this.#rows.values()) if (!hidden.has(this.real(row.heldOf))) row.held = undefined
  }
}

/** Whether a write loses to one of those that were stored before it (G4). */
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
  const { kind, pk, params, before, after, start } = change
  // Whether a search finds a record, only a server can say.
  if (list.q !== undefined) return members
  const args: Fields = list.group === undefined ? {} : { group: list.group }
  const matches = (fields: Fields) =>
    Object.entries(args).every(([name, value]) => {
      const own = fields[name] === undefined ? params[name] : fields[name]
      return own === undefined || own === value
    })
  // A record that is gone joins nothing.
  if (after === undefined) return members
  const isMember = members.some((member) => member.pk === pk)
  const doesMatch = matches(after)
  const didMatch = kind === 'move' && before !== undefined && matches(before)
  if (kind === 'move' && didMatch && !doesMatch) return members.filter((member) => member.pk !== pk)
  if (didMatch || !doesMatch || isMember) return members
  if (kind === 'move' && !Object.keys(args).some((name) => after[name] !== undefined)) return members
  // What is created stands before what mutations added that started later (F7).
  const isLater = ({ by }: Member) => kind === 'push' && by > start
  return [...members.filter((each) => !isLater(each)), { pk, by: start }, ...members.filter(isLater)]
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

/** Whether a call is answered with a list that mutations do not change. */
function isPlain(call: Call): call is Extract<Call, { name: 'plain' | 'feed' | 'page' }> {
  const { name } = call
  return name === 'plain' || name === 'feed' || name === 'page'
}

function isSame(a: Call, b: Call): boolean {
  return keyOf(a) === keyOf(b)
}

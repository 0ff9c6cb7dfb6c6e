import type { Action, Controller } from '@selfsame/core'
import { changes } from '@selfsame/core/changes'
import type { Commit, CommitCause, CallChange, RecordChange } from '@selfsame/core/changes'
import { Inspector } from '@selfsame/core/inspect'
import type { RequestReason } from '@selfsame/core/inspect'
import { BoundedMap } from './bounded-map.js'
import { NetworkRules } from './network.js'
import { argsText, titleOf, toText, whyText } from './texts.js'

/** A part of what a commit changed, as texts: nothing of the store is kept alive. */
export interface ChangeText {
  /** `Article 5`, or the name of a call. */
  readonly what: string
  /** JSON, or `undefined` if it was not there. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The error of a request. */
export interface ErrorData {
  readonly name: string
  readonly message: string
  /** The HTTP status, method and path, of an error that the network made. */
  readonly status?: number
  readonly method?: string
  readonly path?: string
}

/** One line of the timeline. All members are plain data. */
export interface Entry {
  readonly id: number
  /** Milliseconds since the epoch, by the clock of the Controller. */
  readonly at: number
  /** The type of the action; `garbage` for collected data, `replay` for layers that ran again, `change` for all else. */
  readonly kind: Action['type'] | 'garbage' | 'replay' | 'change'
  /** What happened: `fetch Article.get 5`. */
  readonly title: string
  /** Why, as far as it is known: `because ArticleDetail mounted, Stale by 12 s`. */
  why: string | undefined
  /** What followed: `1 of 3 records changed; notified: ArticleDetail`. */
  effect: string | undefined
  /** The key of the call; `undefined` for what has none. */
  readonly key: string | undefined
  readonly kindOfRequest: 'read' | 'mutation' | undefined
  /** The id of the request: equal in `fetch`, and `response` or `error`. */
  readonly request: number | undefined
  /** The payload of a response, or the body of an error, as JSON. */
  readonly payload: string | undefined
  /** What `replay` makes of a request that failed. */
  readonly error: ErrorData | undefined
  changes: readonly ChangeText[]
}

/** What is remembered of an action when its entry was dropped or cleared. */
export interface Fact {
  /** The id of its entry, which may not be kept any more. */
  readonly id: number
  readonly at: number
  readonly title: string
  readonly why: string | undefined
}

/** What happened to a call since the recording began. */
export interface CallHistory {
  /** How many requests were made for it, whether or not they left the page. */
  requests: number
  lastRequest: Fact | undefined
  /** The last action that changed what its readers show. */
  lastChange: Fact | undefined
  /** The action that made it Stale, until it is Valid again. */
  expiredBy: Fact | undefined
  /** The last `setResponse`. */
  lastSet: Fact | undefined
}

/** A recording as plain data: what `export` gives and `replay` of the testing kit takes. */
export interface RecordingData {
  readonly version: 1
  readonly entries: readonly Entry[]
}

export interface RecordingOptions {
  /** The most entries that are kept. @default 500 */
  readonly maxEntries?: number | undefined
  /** The most characters of texts that are kept, in all entries together. @default 2_000_000 */
  readonly maxCharacters?: number | undefined
  /**
   * `true` records what each action changes from the start: the records before and after, and the readers that it told. It costs
   * about as much as the write itself. @default from when the panel is first opened; always with `record`
   */
  readonly recordsChanges?: boolean | undefined
}

/** The actions that make data Stale or Invalid. */
const expiring: ReadonlySet<Entry['kind']> = new Set([
  'expireAll',
  'invalidate',
  'invalidateAll',
  'response',
  'set',
])

/** The changed records of a commit whose texts are kept; of the others, only their number. */
const mostChanges = 20

/** The calls, requests and records of which facts are kept. */
const mostFacts = 5000

/** Who wrote the fields of a record last. */
interface FieldWriters {
  /** Who wrote all fields that have no writer of their own. */
  all: Fact | undefined
  own: Map<string, Fact> | undefined
  /** Who changed anything of it last. */
  last: Fact | undefined
  /** Who made the record Stale last. */
  expiredBy: Fact | undefined
}

/**
 * The timeline of one Controller: each action with its cause and its effect. It holds texts only, and a limited number of
 * them.
 */
export class Recording {
  readonly inspector: Inspector
  /** What happens to requests. All panels of a Controller show the same. */
  readonly network: NetworkRules
  readonly #controller: Controller
  readonly #maxEntries: number
  readonly #maxCharacters: number
  readonly #listeners = new Set<() => void>()
  readonly #ends: (() => void)[]
  /** Why a reader asked for a call, until its request is sent. */
  readonly #reasons = new Map<string, string>()
  /** When it began, by the clock of the Controller. */
  readonly startedAt: number
  /** By the key of the call. */
  readonly #histories = new BoundedMap<string, CallHistory>(mostFacts)
  /** By the id of the request, its response or its error, and the request itself before that. */
  readonly #requests = new BoundedMap<number, Fact>(mostFacts)
  readonly #writers = new BoundedMap<string, FieldWriters>(mostFacts)
  #entries: Entry[] = []
  /** The entries of an opened file, which are shown in place of its own. */
  #opened: readonly Entry[] | undefined
  #characters = 0
  readonly #counted = new WeakMap<Entry, number>()
  #nextId = 1
  #isTold = false
  /** The entries of the actions that are performed now, the innermost last. */
  #performed: Entry[] = []
  /** By name, when records were collected. */
  readonly #collected = new BoundedMap<string, Fact>(mostFacts)
  #hasChanges = false
  /** `true` while no entries are added. Causes are remembered all the same. */
  isPaused = false
  /** How many use it: panels, and callers of `record`. */
  users = 0

  constructor(
    controller: Controller,
    { maxEntries = 500, maxCharacters = 2_000_000, recordsChanges = false }: RecordingOptions = {},
  ) {
    this.#controller = controller
    this.startedAt = controller.clock.now()
    this.#maxEntries = maxEntries
    this.#maxCharacters = maxCharacters
    this.inspector = new Inspector(controller)
    this.network = new NetworkRules(this.inspector)
    this.#ends = [
      this.inspector.observe({
        before: (action) => this.#before(action),
        after: (action, refusal) => this.#after(action, refusal),
      }),
      this.inspector.trace((key, reason) => {
        // A request of another reader under way is joined, so no action follows.
        if (!this.#reasons.has(key)) this.#reasons.set(key, this.#textOf(key, reason))
      }),
    ]
    if (recordsChanges) this.recordChanges()
  }

  /** Records what each action changes, from now on. */
  recordChanges(): void {
    if (this.#hasChanges || this.#ends.length === 0) return
    this.#hasChanges = true
    this.#ends.push(changes(this.#controller, (commit) => this.#changed(commit)))
  }

  /** The time of the Controller: milliseconds since the epoch. */
  get now(): number {
    return this.#controller.clock.now()
  }

  /** The entries, the oldest first; those of a file while one is open. */
  get entries(): readonly Entry[] {
    return this.#opened ?? this.#entries
  }

  /** Its own entries, also while a file is open. */
  get ownEntries(): readonly Entry[] {
    return this.#entries
  }

  /** `true` while the entries of a file are shown. */
  get isFile(): boolean {
    return this.#opened !== undefined
  }

  /** `true` once it records what actions change. */
  get hasChanges(): boolean {
    return this.#hasChanges
  }

  /** Calls a listener after each new entry, once in a task. @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What happened to a call; `undefined` if nothing did, or so much else since that it was dropped. */
  historyOf(key: string): CallHistory | undefined {
    return this.#histories.get(key)
  }

  /** `true` if facts of some calls had to be dropped. */
  get isPartial(): boolean {
    return this.#histories.hasDropped
  }

  /** The response or error of a request, or the request itself. */
  requestOf(id: number | undefined): Fact | undefined {
    return id === undefined ? undefined : this.#requests.get(id)
  }

  /** The action that wrote a field of a record last; `undefined` if it was before changes were recorded. */
  writerOf(key: string, pk: string, field: string): Fact | undefined {
    const writers = this.#writers.get(`${key} ${pk}`)
    return writers?.own?.get(field) ?? writers?.all
  }

  /** The action that changed a record last, or deleted it. */
  lastWriteOf(key: string, pk: string): Fact | undefined {
    return this.#writers.get(`${key} ${pk}`)?.last
  }

  /** The action that made a record Stale last. */
  expirerOf(key: string, pk: string): Fact | undefined {
    return this.#writers.get(`${key} ${pk}`)?.expiredBy
  }

  /** When a record was collected. */
  collected(key: string, pk: string): Fact | undefined {
    return this.#collected.get(`${key} ${pk}`)
  }

  /** Drops all entries. What it knows of causes stays. */
  clear(): void {
    this.#entries = []
    this.#opened = undefined
    this.#characters = 0
    this.#tell()
  }

  /** The entries as plain data. */
  export(): RecordingData {
    return { version: 1, entries: this.entries.map((entry) => ({ ...entry })) }
  }

  /** Shows the entries of an exported recording in place of its own. @throws if it is none; then it shows what it did */
  import(data: unknown): void {
    const { version, entries } = (data ?? {}) as Partial<RecordingData>
    if (version !== 1 || !Array.isArray(entries) || !(entries as unknown[]).every(isExported))
      throw new Error(
        'This is no recording of @selfsame/devtools: it needs `version: 1` and `entries`, as Export writes them.',
      )
    this.#opened = entries as Entry[]
    this.#tell()
  }

  /** Shows its own entries again. */
  closeFile(): void {
    this.#opened = undefined
    this.#tell()
  }

  /** Ends the recording. */
  end(): void {
    for (const end of this.#ends.splice(0)) end()
    this.network.end()
  }

  #before(action: Action): void {
    const isRequest = action.type === 'fetch' || action.type === 'response' || action.type === 'error'
    const key = 'key' in action ? action.key : undefined
    const entry = this.#make(action.type, titleOf(action), {
      key,
      request: isRequest ? action.id : undefined,
      kindOfRequest: isRequest ? action.kind : undefined,
      payload: payloadOf(action),
      error: action.type === 'error' ? plainError(action.error) : undefined,
    })
    if (action.type === 'fetch') {
      entry.why = this.#whyFetched(action)
      const history = this.#history(action.key)
      history.requests++
      history.lastRequest = toFact(entry)
    }
    if (isRequest) this.#requests.set(action.id, toFact(entry))
    if (action.type === 'setResponse') this.#history(action.key).lastSet = toFact(entry)
    if (action.type === 'error') entry.effect = `${action.error.name}: ${action.error.message}`
    this.#performed.push(entry)
    this.#keep(entry)
  }

  #history(key: string): CallHistory {
    return this.#histories.touch(key, () => ({
      requests: 0,
      lastRequest: undefined,
      lastChange: undefined,
      expiredBy: undefined,
      lastSet: undefined,
    }))
  }

  #after(action: Action, refusal: Error | undefined): void {
    const place = this.#performed.findLastIndex(({ kind }) => kind === action.type)
    const [entry] = place === -1 ? [] : this.#performed.splice(place)
    if (entry !== undefined && refusal !== undefined) entry.effect = `refused: ${refusal.message}`
    if (action.type === 'response' || action.type === 'error') this.network.noteEnd(action.id)
    this.#tell()
  }

  #whyFetched({ kind, key }: Action & { type: 'fetch' }): string | undefined {
    if (kind === 'mutation') return 'because it was called'
    const reason = this.#reasons.get(key)
    this.#reasons.delete(key)
    // Without reasons of readers, a reader may have sent it.
    if (reason === undefined && !this.inspector.knowsReasons) return undefined
    return `because ${reason ?? 'controller.fetch was called'}`
  }

  /**
   * What made the data Stale or Invalid is the action that tells its readers now. One that asks later, while it renders, has the last
   * commit of its call.
   */
  #textOf(key: string, reason: RequestReason): string {
    const current = this.#performed.findLast(({ kind }) => expiring.has(kind))
    return whyText(reason, (current ?? this.#histories.get(key)?.expiredBy)?.title)
  }

  #changed({ causes, received, shown }: Commit): void {
    const [cause] = causes
    const type = cause?.type ?? 'change'
    // Readers that were notified may act on their own, within the same commit: the innermost action made the change.
    const current = this.#performed.findLast(({ kind }) => causes.some((each) => each.type === kind))
    const entry = current ?? this.#entryOf(cause) ?? this.#keep(this.#make(type, titleOfCause(causes), {}))
    const lists = shown.lists.length
    const keys = [...new Set([...shown.calls.map(({ key }) => key), ...this.inspector.touched()])]
    const changed = changedRecords({ received, shown })
    const names = this.inspector.readersOf(keys)
    const notified = [...new Set(names.map((name) => name ?? 'a reader'))]
    const { length } = shown.records
    const parts = [
      length > 0 || changed.length > 0
        ? `${changed.length} of ${Math.max(length, changed.length)} ${plural(Math.max(length, changed.length), 'record')} changed`
        : '',
      lists > 0 ? `${lists} ${plural(lists, 'list')}` : '',
      keys.length > 0 ? `${keys.length} ${plural(keys.length, 'call')}` : '',
      notified.length > 0 ? `notified: ${namesOf(notified)}` : '',
    ].filter((part) => part !== '')
    if (parts.length > 0) entry.effect = [entry.effect, parts.join('; ')].filter(Boolean).join('. ')
    entry.changes = [
      ...entry.changes,
      ...changed.slice(0, mostChanges).map(({ key, pk, before, after }) => ({
        what: `${key} ${pk}`,
        before: before?.fields && toText(before.fields, 5000),
        after: after?.fields && toText(after.fields, 5000),
      })),
      ...received.calls.slice(0, mostChanges).map(({ key, args, endpoint, before, after }) => ({
        what: `${(endpoint as { name?: string } | undefined)?.name ?? key} ${argsText(args)}`,
        before: before && textOfCall(before),
        after: after && textOfCall(after),
      })),
    ]
    if (entry.changes.length > 0 && this.#isKept(entry)) this.#count(entry)
    const fact = toFact(entry)
    const asked = new Set(shown.calls.filter(isOnlyAsked).map(({ key }) => key))
    for (const key of keys) if (!asked.has(key)) this.#history(key).lastChange = fact
    for (const { call } of shown.lists) if (call !== undefined) this.#history(call).lastChange = fact
    for (const call of shown.calls) {
      if (call.after?.status === 'Valid') this.#history(call.key).expiredBy = undefined
      else if (cause !== undefined && isMadeUnusable(call)) this.#history(call.key).expiredBy = fact
    }
    for (const record of shown.records)
      if (isMadeStale(record)) this.#writersOf(record.key, record.pk).expiredBy = fact
    for (const record of changed) this.#noteWriter(record, fact)
    if (type === 'garbage')
      for (const { key, pk, after } of received.records)
        if (after === undefined) this.#collected.set(`${key} ${pk}`, fact)
    this.#tell()
  }

  #writersOf(key: string, pk: string): FieldWriters {
    return this.#writers.touch(`${key} ${pk}`, () => ({
      all: undefined,
      own: undefined,
      last: undefined,
      expiredBy: undefined,
    }))
  }

  #noteWriter({ key, pk, before, after }: RecordChange, fact: Fact): void {
    const writers = this.#writersOf(key, pk)
    writers.last = fact
    if (before?.fields === undefined || after?.fields === undefined) {
      writers.all = fact
      writers.own = undefined
      return
    }
    for (const [name, value] of Object.entries(after.fields))
      if (!isSameValue(value, before.fields[name])) (writers.own ??= new Map()).set(name, fact)
  }

  /** The entry of an action that made a commit. */
  #entryOf(cause: CommitCause | undefined): Entry | undefined {
    if (cause === undefined || !isAction(cause)) return undefined
    const id = 'id' in cause ? cause.id : undefined
    return this.#entries.findLast(({ kind, request }) => kind === cause.type && request === id)
  }

  #make(kind: Entry['kind'], title: string, more: Partial<Entry>): Entry {
    return {
      id: this.#nextId++,
      at: this.#controller.clock.now(),
      kind,
      title,
      why: undefined,
      effect: undefined,
      key: undefined,
      kindOfRequest: undefined,
      request: undefined,
      payload: undefined,
      error: undefined,
      changes: [],
      ...more,
    }
  }

  #keep(entry: Entry): Entry {
    if (this.isPaused) return entry
    this.#entries.push(entry)
    this.#count(entry)
    return entry
  }

  #isKept(entry: Entry): boolean {
    return this.#counted.has(entry)
  }

  /** Drops the oldest entries while there are too many. */
  #count(added: Entry): void {
    const characters = lengthOf(added)
    this.#characters += characters - (this.#counted.get(added) ?? 0)
    this.#counted.set(added, characters)
    const { length } = this.#entries
    if (length <= this.#maxEntries && this.#characters <= this.#maxCharacters) return
    let dropped = 0
    while (
      length - dropped > 1 &&
      (length - dropped > this.#maxEntries || this.#characters > this.#maxCharacters)
    )
      this.#characters -= lengthOf(this.#entries[dropped++] as Entry)
    this.#entries = this.#entries.slice(dropped)
  }

  #tell(): void {
    if (this.#isTold || this.#listeners.size === 0) return
    this.#isTold = true
    queueMicrotask(() => {
      this.#isTold = false
      for (const listener of this.#listeners) listener()
    })
  }
}

function titleOfCause(causes: Commit['causes']): string {
  const [cause] = causes
  if (cause === undefined) return 'a request changed its state'
  if (isAction(cause)) return titleOf(cause)
  return cause.type === 'garbage' ? 'collected as garbage' : 'optimistic layers ran again'
}

function isAction(cause: CommitCause): cause is Action {
  return cause.type !== 'garbage' && cause.type !== 'replay'
}

/** `true` if a request of the call began, and nothing that its readers show is another. */
function isOnlyAsked({ before, after }: CallChange): boolean {
  return (
    after?.fetching === true &&
    before?.fetching !== true &&
    after.data === before?.data &&
    after.error === before?.error &&
    after.status === (before?.status ?? after.status)
  )
}

/** `false` if only the age of a record differs. */
function isOtherContent({ before, after }: RecordChange): boolean {
  const [old, now] = [before?.fields, after?.fields]
  if (old === now) return false
  if (old === undefined || now === undefined) return true
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].some(
    (name) => !isSameValue(old[name], now[name]),
  )
}

/** Compares stored values, of which each look makes new lists of primary keys. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  const areObjects = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null
  return areObjects && toText(a, Infinity) === toText(b, Infinity)
}

/**
 * The records whose content changed. A response is compared with what was confirmed before: what was shown early is on screen
 * already. What only optimistic layers changed is compared with what was on screen.
 */
function changedRecords({ received, shown }: Pick<Commit, 'received' | 'shown'>): RecordChange[] {
  const confirmed = received.records.filter(isOtherContent)
  const names = new Set(confirmed.map(({ key, pk }) => `${key} ${pk}`))
  const early = shown.records.filter(
    (record) => isOtherContent(record) && !names.has(`${record.key} ${record.pk}`),
  )
  return [...confirmed, ...early]
}

/** `true` if a call was made Stale or Invalid, and not by its age. */
function isMadeUnusable({ before, after }: CallChange): boolean {
  if (before === undefined || after === undefined) return false
  const isExpired = after.expiresAt === -Infinity && before.expiresAt !== -Infinity
  return isExpired || (after.status === 'Invalid' && before.status !== 'Invalid')
}

/** `true` if a record was made Stale, and not by its age. */
function isMadeStale({ before, after }: RecordChange): boolean {
  if (before === undefined || after?.fields === undefined) return false
  return before.expiresAt !== -Infinity && after.expiresAt === -Infinity
}

/** What a reader sees of a call: its times and its place among all writes are left out. */
function textOfCall({ status, data, error }: NonNullable<CallChange['after']>): string {
  return toText({ status, data, error: error?.message }, 5000)
}

/** The first names of many. */
function namesOf(names: readonly string[]): string {
  return names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ')
}

function toFact({ id, at, title, why }: Entry): Fact {
  return { id, at, title, why }
}

/** `true` for a value of which the panel can show what it shows of an entry. */
function isExported(value: unknown): boolean {
  const { id, at, kind, title, changes: changed, ...more } = (value ?? {}) as Partial<Entry>
  const { why = '', effect = '', key = '', payload = '' } = more
  const texts: unknown[] = [kind, title, why, effect, key, payload]
  for (const change of Array.isArray(changed) ? (changed as (Partial<ChangeText> | null)[]) : [undefined])
    texts.push(change?.what, change?.before ?? '', change?.after ?? '')
  return typeof id === 'number' && typeof at === 'number' && texts.every((text) => typeof text === 'string')
}

function lengthOf({ title, why, effect, payload, changes: changed }: Entry): number {
  let length = title.length + (why?.length ?? 0) + (effect?.length ?? 0) + (payload?.length ?? 0)
  for (const { before, after } of changed) length += (before?.length ?? 0) + (after?.length ?? 0)
  return length
}

function plainError(error: Error): ErrorData {
  const { name, message } = error
  const { status, method, path } = error as { status?: unknown; method?: unknown; path?: unknown }
  return {
    name,
    message,
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof path === 'string' ? { path } : {}),
  }
}

/** The payload of a response, or the body of an error. */
function payloadOf(action: Action): string | undefined {
  if (action.type === 'response') return jsonOf(action.response)
  return action.type === 'error' ? jsonOf((action.error as { readonly body?: unknown }).body) : undefined
}

/** The most characters of a response that are kept. */
const mostOfPayload = 50_000

/** A response as JSON. Most are JSON anyway, so that it takes one call. */
function jsonOf(response: unknown): string | undefined {
  let text: string | undefined
  try {
    text = JSON.stringify(response, undefined, 2)
  } catch {
    return toText(response, mostOfPayload)
  }
  return text !== undefined && text.length > mostOfPayload ? `${text.slice(0, mostOfPayload)}…` : text
}

const plural = (count: number, word: string) => (count === 1 ? word : `${word}s`)

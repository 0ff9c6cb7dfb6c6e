import type { Action, Controller } from '@selfsame/core'
import { changes } from '@selfsame/core/changes'
import type { Commit, CommitCause, CallChange, RecordChange } from '@selfsame/core/changes'
import { Inspector } from '@selfsame/core/inspect'
import type { RequestReason } from '@selfsame/core/inspect'
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
  /** What followed: `3 records, 1 changed; told: ArticleDetail`. */
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
  /** By key, why the call was fetched last. */
  readonly #lastFetch = new Map<string, Entry>()
  /** By key, the entry that changed it last. */
  readonly #lastChange = new Map<string, Entry>()
  #entries: Entry[] = []
  #characters = 0
  readonly #counted = new WeakMap<Entry, number>()
  #nextId = 1
  #isTold = false
  /** The action that is performed now, with its entry. */
  #current: Entry | undefined
  /** Texts of records that were collected, and why. */
  readonly #collected = new Map<string, Entry>()
  #hasChanges = false
  isPaused = false
  /** How many use it: panels, and callers of `record`. */
  users = 0

  constructor(
    controller: Controller,
    { maxEntries = 500, maxCharacters = 2_000_000, recordsChanges = false }: RecordingOptions = {},
  ) {
    this.#controller = controller
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

  /** The entries, the oldest first. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Calls a listener after each new entry, once in a task. @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The entry of the last request of a call. */
  lastFetchOf(key: string): Entry | undefined {
    return this.#lastFetch.get(key)
  }

  /** The entry that changed a call last. */
  lastChangeOf(key: string): Entry | undefined {
    return this.#lastChange.get(key)
  }

  /** The entry that collected a record. */
  collected(key: string, pk: string): Entry | undefined {
    return this.#collected.get(`${key} ${pk}`)
  }

  clear(): void {
    this.#entries = []
    this.#characters = 0
    this.#lastFetch.clear()
    this.#lastChange.clear()
    this.#collected.clear()
    this.#tell()
  }

  /** The entries as plain data. */
  export(): RecordingData {
    return { version: 1, entries: this.#entries.map((entry) => ({ ...entry })) }
  }

  /** Shows the entries of an exported recording. @throws if it is none; then it shows what it did */
  import(data: unknown): void {
    const { version, entries } = (data ?? {}) as Partial<RecordingData>
    if (version !== 1 || !Array.isArray(entries) || !(entries as unknown[]).every(isExported))
      throw new Error(
        'This is no recording of @selfsame/devtools: it needs `version: 1` and `entries`, as Export writes them.',
      )
    this.clear()
    this.isPaused = true
    for (const entry of entries as Entry[]) this.#keep(entry)
  }

  /** Ends the recording. */
  end(): void {
    for (const end of this.#ends.splice(0)) end()
    this.network.end()
  }

  #before(action: Action): void {
    if (this.isPaused) return
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
      this.#lastFetch.set(action.key, entry)
    }
    if (action.type === 'error') entry.effect = `${action.error.name}: ${action.error.message}`
    this.#current = entry
    this.#keep(entry)
  }

  #after(action: Action, refusal: Error | undefined): void {
    const entry = this.#current
    this.#current = undefined
    if (entry !== undefined && refusal !== undefined && entry.kind === action.type)
      entry.effect = `refused: ${refusal.message}`
    this.#tell()
  }

  #whyFetched({ kind, key }: Action & { type: 'fetch' }): string {
    if (kind === 'mutation') return 'because it was called'
    const reason = this.#reasons.get(key)
    this.#reasons.delete(key)
    return `because ${reason ?? 'controller.fetch was called'}`
  }

  /**
   * What made the data Stale or Invalid is the action that tells its readers now. One that asks later, while it renders, has the last
   * commit of its call.
   */
  #textOf(key: string, reason: RequestReason): string {
    const by = [this.#current, this.#lastChange.get(key)].find((entry) => entry && expiring.has(entry.kind))
    return whyText(reason, by?.title)
  }

  #changed({ causes, received, shown }: Commit): void {
    if (this.isPaused) return
    const [cause] = causes
    const type = cause?.type ?? 'change'
    const entry = this.#entryOf(cause) ?? this.#keep(this.#make(type, titleOfCause(causes), {}))
    const records = shown.records
    const lists = shown.lists.length
    const keys = [...new Set([...shown.calls.map(({ key }) => key), ...this.inspector.touched()])]
    const changed = records.filter(isOtherContent)
    const names = [...new Set(keys.flatMap((key) => this.inspector.readersOf(key)))]
    const told = names.map((name) => name ?? 'unknown')
    const parts = [
      records.length > 0
        ? `${records.length} ${plural(records.length, 'record')}, ${changed.length} changed`
        : '',
      lists > 0 ? `${lists} ${plural(lists, 'list')}` : '',
      keys.length > 0 ? `${keys.length} ${plural(keys.length, 'call')}` : '',
      told.length > 0 ? `readers: ${told.join(', ')}` : '',
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
        before: before && toText({ ...before, error: before.error?.message }, 5000),
        after: after && toText({ ...after, error: after.error?.message }, 5000),
      })),
    ]
    this.#count(entry)
    const asked = new Set(shown.calls.filter(isOnlyAsked).map(({ key }) => key))
    for (const key of keys) if (!asked.has(key)) this.#lastChange.set(key, entry)
    if (type === 'garbage')
      for (const { key, pk, after } of received.records)
        if (after === undefined) this.#remember(`${key} ${pk}`, entry)
    this.#tell()
  }

  #remember(name: string, entry: Entry): void {
    this.#collected.set(name, entry)
    if (this.#collected.size <= this.#maxEntries) return
    const [oldest] = this.#collected.keys()
    if (oldest !== undefined) this.#collected.delete(oldest)
  }

  /** The entry of an action that made a commit. */
  #entryOf(cause: CommitCause | undefined): Entry | undefined {
    if (cause === undefined || !isAction(cause)) return undefined
    if (this.#current?.kind === cause.type) return this.#current
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
    this.#entries.push(entry)
    this.#count(entry)
    return entry
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
    const kept = new Set(this.#entries)
    for (const known of [this.#lastFetch, this.#lastChange, this.#collected])
      for (const [key, entry] of known) if (!kept.has(entry)) known.delete(key)
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
  return before?.fields !== after?.fields
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

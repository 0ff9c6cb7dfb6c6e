import { development } from '#development'
import { callsOf } from '../controller/calls-of.js'
import type { Controller } from '../controller/controller.js'
import { backoff, retryAfterOf } from '../controller/backoff.js'
import type { MiddlewareHooks, RequestCall } from '../controller/middleware.js'
import type { Outbox, OutboxFailure, OutboxMutation, OutboxState } from '../controller/outbox-of.js'
import { isNetworkError, isTransientError } from '../controller/transient-errors.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { SelfsameError, toError, warn } from '../errors.js'
import { UnnamedRecords } from '../store/optimistic/unnamed.js'
import { memoryStorage } from '../storage/memory-storage.js'
import { keptStates } from '../storage/kept-states.js'
import { pack, unpack } from '../storage/pack.js'
import type { RowStorage, Storable, StoredRow } from '../storage/row-storage.js'
import { longestWait } from '../util/clock.js'
import { browserNetwork } from '../util/network-state.js'
import { copyPlain, isSamePlain } from '../util/plain.js'
import type { Progress } from '../util/progress.js'
import { createSettleable } from '../util/settleable.js'
import { tabsOf } from './locks.js'
import type { Channel } from './locks.js'
import type { OutboxOptions } from './options.js'
import { Registry } from './registry.js'
import { mapTexts, packError, temporaryIds, temporaryIdsIn, toMutationRow, unpackError } from './rows.js'
import type { MutationRow } from './rows.js'
import { touchesOf } from './touches.js'

/** How long an answer is kept for other tabs, in milliseconds. */
const doneLength = 60_000

/** How long a real id is kept for mutations that name the temporary one, in milliseconds. */
const realIdLength = 7 * 24 * 3_600_000

/** How long responses wait at most for the mutations of an earlier visit, in milliseconds. */
const longestStart = 1000

/** How often rows are read again where no channel tells of changes, in milliseconds. */
const pollLength = 1000

/** The request of a mutation in this Controller. */
interface Live {
  /** Sends it through the inner middleware. */
  readonly send: () => Promise<unknown>
  readonly resolve: (payload: unknown) => void
  readonly reject: (error: Error) => void
}

/** A mutation of the current scope, in this tab. */
interface Entry {
  readonly id: string
  readonly scope: string
  row: MutationRow
  args: readonly unknown[]
  status: 'waiting' | 'sending' | 'failed'
  /** `lost`: it cannot be written down. */
  written: 'not yet' | 'yes' | 'lost'
  /** Resolved when it is written, or cannot be. */
  writing: Promise<void>
  /** The request; `undefined` before it is sent through the middleware, and when the mutation failed. */
  live: Live | undefined
  requestId: number | undefined
  /** How its request ends, when the outbox ends it. */
  ending: 'answered' | 'answered elsewhere' | 'failed' | 'left' | undefined
  /** The packed answer, for other tabs. */
  response: Storable | undefined
  attempts: number
  error: Error | undefined
  reason: OutboxFailure | undefined
  retryAt: number | undefined
  progress: Progress | undefined
  isKnown: boolean
  /** Why it cannot be written down at all. */
  refusal: Error | undefined
  /** As readers see it; `undefined` after a change. */
  shown: OutboxMutation | undefined
}

/** The mutations of one Controller that were not answered, and the rows in which they are written down. */
export class Queue {
  readonly outbox: Outbox
  readonly hooks: MiddlewareHooks
  readonly #controller: Controller
  readonly #options: OutboxOptions
  readonly #registry = new Registry()
  #storage: RowStorage
  /** `true` if the storage is gone with the page, because the one that was given could not be read. */
  #isVolatile = false
  /** This tab, in ids. */
  readonly #tab = randomText()
  #made = 0
  #latest = 0
  #scope: string
  /** In their order. */
  #entries: Entry[] = []
  readonly #byRequest = new Map<number, Entry>()
  /** By temporary id: the id that the server gave. */
  #realIds = new Map<string, Storable>()
  /** The entry whose request is made now: one that was written down before. */
  #adopting: Entry | undefined
  /** Rows to write; `undefined` deletes. */
  #dirty = new Map<string, Storable | undefined>()
  /** Operations on the storage, one after another. */
  #work: Promise<unknown> = Promise.resolve()
  #isSyncing = false
  #isToSync = false
  readonly #ready = createSettleable<undefined>()
  /** `true` once the rows of the scope were read. Until then nothing is sent: an earlier mutation may wait there. */
  #isRead = false
  /** Resolved when responses are shown, also if the storage is slow. */
  readonly #started = createSettleable<undefined>()
  readonly #firstReader = createSettleable<undefined>()
  #isHydrated = false
  #channel: Channel | undefined
  readonly #lockName: string
  #isAsking = false
  #leaveLock: (() => void) | undefined
  /** Ends the wait for the lock. */
  readonly #end = new AbortController()
  #timer: unknown
  #poll: unknown
  #endNetwork: (() => void) | undefined
  readonly #listeners = new Set<() => void>()
  #state: OutboxState | undefined
  #isTelling = false
  #hasWarned = false
  readonly #waitAfter: (attempt: number, error: Error) => number

  constructor(controller: Controller, options: OutboxOptions & { readonly storage: RowStorage }) {
    this.#controller = controller
    this.#options = options
    this.#storage = options.storage
    this.#scope = this.#scopeNow()
    this.#lockName = `selfsame.outbox.${options.name ?? 'selfsame'}`
    this.#waitAfter = options.delayMs ?? backoff(Math.random)
    this.#registry.add(options.endpoints ?? [])
    const stateNow = () => this.#stateNow
    const isReady = () => this.#isRead
    this.outbox = {
      get mutations() {
        return stateNow().mutations
      },
      get state() {
        return stateNow()
      },
      get isReady() {
        return isReady()
      },
      ready: this.#ready.promise as Promise<void>,
      subscribe: (listener) => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
      written: async () => {
        await Promise.all(this.#entries.map(({ writing }) => writing))
      },
      retry: (id) => this.#retry(id),
      edit: (id, ...args) => this.#edit(id, args),
      drop: (id) => this.#drop(id),
      dropScope: (scope) => this.#deleteScope(scope),
      add: (...endpoints) => {
        this.#registry.add(endpoints)
        this.#adoptKnown()
      },
      checkScope: () => this.#checkScope(),
    }
    this.hooks = {
      passesOn: true,
      before: (action) => {
        if (action.type === 'fetch' && action.kind === 'mutation') this.#begin(action)
        else if (action.type === 'resetAll') this.#leave()
        else if (action.type === 'hydrate') this.#isHydrated ||= !keptStates.has(action.state as object)
        else if (action.type === 'dispose') this.#dispose()
      },
      after: (action) => {
        if (action.type === 'response' || action.type === 'error') this.#ended(action.id)
        else if (action.type === 'resetAll') this.#enter()
      },
      request: (call, next) => this.#request(call, next),
      activate: () => {
        this.#firstReader.resolve(undefined)
        return () => {}
      },
    }
    // After the constructor of the Controller, whose calls are needed.
    queueMicrotask(() => void this.#start())
  }

  async #start(): Promise<void> {
    const { locks, channel } = tabsOf(this.#options)
    if (this.#isDisposed) return
    if (locks !== undefined && channel !== undefined) {
      this.#channel = channel(this.#lockName)
      // eslint-disable-next-line unicorn/prefer-add-event-listener
      this.#channel.onmessage = () => this.#sync()
    } else if (
      development &&
      this.#options.locks === undefined &&
      locks === undefined &&
      typeof document !== 'undefined'
    ) {
      warn('This browser has no Web Locks, so each tab sends the mutations of the outbox by itself.')
    }
    this.#sync()
    const timer = this.#controller.clock.setTimeout(() => this.#started.resolve(undefined), longestStart)
    void this.#started.promise.then(() => this.#controller.clock.clearTimeout(timer))
  }

  #becomeReady(): void {
    this.#isRead = true
    this.#ready.resolve(undefined)
    this.#started.resolve(undefined)
  }

  get #isAwaitingPage(): boolean {
    return this.#isHydrated && this.#isStarting && this.#firstReader.promise.status === 'pending'
  }

  get #isStarting(): boolean {
    return this.#started.promise.status === 'pending'
  }

  get #isDisposed(): boolean {
    return this.#end.signal.aborted
  }

  #dispose(): void {
    this.#end.abort()
    for (const entry of this.#entries) entry.live = undefined
    this.#endNetwork?.()
    const { clock } = this.#controller
    clock.clearTimeout(this.#timer)
    clock.clearTimeout(this.#poll)
    this.#leaveLock?.()
    this.#ready.resolve(undefined)
    this.#started.resolve(undefined)
    // Other tabs are told of what is still written.
    void this.#flush().then(() => {
      this.#channel?.close()
      this.#channel = undefined
      this.#storage.close()
    })
  }

  // ---- A mutation is made ----

  #begin({ id, endpoint, args }: { id: number; endpoint: EndpointLike; args: readonly unknown[] }): void {
    if (this.#isDisposed) return
    const adopted = this.#adopting
    if (adopted === undefined && !this.#registry.has(endpoint)) return
    this.#adopting = undefined
    this.#checkScope()
    const entry = adopted ?? this.#newEntry(endpoint, args, id)
    entry.requestId = id
    this.#byRequest.set(id, entry)
    this.#tell()
  }

  #newEntry(endpoint: EndpointLike, given: readonly unknown[], requestId: number): Entry {
    this.#registry.add([endpoint])
    this.#latest = Math.max(this.#latest, this.#controller.clock.now())
    const at = this.#latest
    const place = `${at.toString().padStart(15, '0')}-${(++this.#made).toString().padStart(9, '0')}`
    const { idempotencyKey } = this.#options
    const args = given.map((arg) => copyPlain(arg))
    const row: MutationRow = {
      version: 1,
      endpoint: endpoint.name,
      args: null,
      temporaryId: null,
      at,
      key: idempotencyKey === false ? null : newKey(),
      tab: this.#tab,
      touches: [],
      edits: 0,
      isSent: false,
      attempts: 0,
      retryAt: null,
      failed: null,
      done: null,
    }
    const entry = makeEntry(`${place}-${this.#tab}`, this.#scope, row, args)
    this.#entries.push(entry)
    let packing: Promise<Storable>
    try {
      packing = pack(args)
    } catch (error) {
      entry.refusal = new SelfsameError(
        'argument-invalid',
        `${endpoint.name} cannot wait in the outbox: ${(error as Error).message} Set \`outbox: false\` to send it without.`,
        { cause: error },
      )
      return entry
    }
    entry.writing = this.#writeFirst(entry, endpoint, packing, requestId)
    return entry
  }

  /** Writes a new mutation down. Its optimistic response is shown by then, perhaps with a temporary id. */
  async #writeFirst(
    entry: Entry,
    endpoint: EndpointLike,
    packing: Promise<Storable>,
    requestId: number,
  ): Promise<void> {
    await Promise.resolve()
    const temporaryId = callsOf(this.#controller).store.unnamed?.shownIdOf(requestId) ?? null
    try {
      const args = await packing
      const named = new Set([...temporaryIdsIn(args), ...(temporaryId === null ? [] : [temporaryId])])
      const touches = [
        ...touchesOf(endpoint, entry.args, named),
        ...(this.#options.touches?.(endpoint, entry.args) ?? []),
      ]
      entry.row = { ...entry.row, args, temporaryId, touches }
      // A reset may have dropped it meanwhile.
      if (entry.ending === 'left') return
      await this.#save(entry)
    } catch (error) {
      // A file that was deleted meanwhile.
      entry.refusal = toError(error, endpoint.name)
      entry.live?.reject(entry.refusal)
    }
  }

  #request(call: RequestCall, next: () => Promise<unknown>): Promise<unknown> {
    const entry = this.#byRequest.get(call.id)
    if (entry === undefined) return this.#isStarting ? this.#afterStart(next()) : next()
    if (entry.refusal !== undefined) {
      this.#remove(entry)
      return Promise.reject(entry.refusal)
    }
    return new Promise((resolve, reject) => {
      const { idempotencyKey: header = 'Idempotency-Key' } = this.#options
      const live: Live = {
        send: () => {
          const { key } = entry.row
          if (header !== false && key !== null) call.headers[header] = key
          return next()
        },
        resolve,
        reject,
      }
      const { signal } = call.endpoint
      const abort = () => {
        if (entry.status === 'waiting' && entry.live === live) reject(signal?.reason as Error)
      }
      if (signal?.aborted === true) {
        reject(signal.reason as Error)
        return
      }
      signal?.addEventListener('abort', abort, { once: true })
      entry.live = live
      void entry.writing.then(() => this.#pump())
      // Its answer may have come before its request was passed on.
      if (entry.written === 'yes' && this.#channel !== undefined) this.#sync()
    })
  }

  /** Holds a response back until the mutations of an earlier visit are shown on top of it. */
  async #afterStart(answer: Promise<unknown>): Promise<unknown> {
    try {
      return await answer
    } finally {
      await this.#started.promise
    }
  }

  // ---- It is sent ----

  /** Sends what can be sent now, if this tab may send; else asks for the lock. */
  #pump(): void {
    if (this.#isDisposed) return
    this.#checkScope()
    this.#followNetwork()
    const isOnline = (this.#options.network ?? browserNetwork).isOnline()
    const due = isOnline && this.#isRead ? this.#due() : []
    this.#setTimer()
    if (due.length === 0) {
      if (!this.#entries.some(({ status }) => status === 'sending')) this.#leaveLock?.()
      return
    }
    const { locks } = tabsOf(this.#options)
    if (locks !== undefined && this.#leaveLock === undefined) this.#askForLock()
    else for (const entry of due) void this.#send(entry)
  }

  /** The mutations whose turn it is: no earlier one that touches the same waits. */
  #due(): Entry[] {
    const now = this.#controller.clock.now()
    const touched = new Set<string>()
    return this.#entries.filter((entry) => {
      const { status, row, live, retryAt, written, ending } = entry
      if (status === 'failed') return false
      const touches = row.touches.map((each) => this.#renamed(each))
      const isFirst = touches.every((each) => !touched.has(each))
      for (const each of touches) touched.add(each)
      const isIdle = status === 'waiting' && live !== undefined && ending === undefined
      return isFirst && isIdle && written !== 'not yet' && (retryAt ?? 0) <= now
    })
  }

  /** A text with the ids that the server gave in place of temporary ones. */
  #renamed(text: string): string {
    return text.replace(temporaryIds, (id) => {
      const real = this.#realIds.get(id)
      return real === undefined ? id : String(real)
    })
  }

  /** Wakes up at the next retry. */
  #setTimer(): void {
    const { clock } = this.#controller
    clock.clearTimeout(this.#timer)
    const now = clock.now()
    const next = Math.min(
      ...this.#entries.map(({ status, retryAt }) =>
        status === 'waiting' && retryAt !== undefined && retryAt > now ? retryAt : Infinity,
      ),
    )
    if (next !== Infinity)
      this.#timer = clock.setTimeout(() => this.#pump(), Math.min(next - now, longestWait), {
        keepsAlive: true,
      })
    const { locks } = tabsOf(this.#options)
    if (locks === undefined || this.#channel !== undefined || this.#entries.length === 0) return
    this.#syncLater()
  }

  #syncLater(): void {
    const { clock } = this.#controller
    clock.clearTimeout(this.#poll)
    this.#poll = clock.setTimeout(() => this.#sync(), pollLength)
  }

  #followNetwork(): void {
    if (this.#entries.length === 0 || this.#endNetwork !== undefined) return
    const network = this.#options.network ?? browserNetwork
    this.#endNetwork = network.subscribe(() => {
      if (!network.isOnline()) return
      for (const entry of this.#entries) this.#change(entry, { retryAt: undefined })
      this.#pump()
    })
  }

  #askForLock(): void {
    if (this.#isAsking) return
    this.#isAsking = true
    void this.#withLock(async () => {
      this.#isAsking = false
      // Another tab may have sent what waits here.
      const isNew = await this.#syncNow()
      if (this.#isDisposed || !isNew) return
      await new Promise<void>((resolve) => {
        this.#leaveLock = () => {
          this.#leaveLock = undefined
          resolve()
        }
        this.#pump()
      })
    }).catch(() => {
      // The wait for the lock was ended by `dispose`.
      this.#isAsking = false
    })
  }

  /** Runs a function while no other tab sends. */
  async #withLock(run: () => Promise<void>): Promise<void> {
    const { locks } = tabsOf(this.#options)
    if (locks === undefined || this.#leaveLock !== undefined) return run()
    return locks.request(this.#lockName, { signal: this.#end.signal }, run)
  }

  async #send(entry: Entry): Promise<void> {
    const { live } = entry
    if (live === undefined) return
    this.#change(entry, { status: 'sending', attempts: entry.attempts + 1, retryAt: undefined })
    const endListening = this.#followProgress(entry)
    try {
      const { key, isSent } = entry.row
      // It was sent in an earlier visit.
      const isUnknown = key === null && isSent && entry.error === undefined
      if (isUnknown && !(await this.#isToResend(entry))) return
      if (!isSent) {
        entry.row = { ...entry.row, isSent: true }
        const saved = this.#save(entry)
        // Without a key it must be known after a crash that the server may have it.
        if (key === null) await saved
      }
      if (entry.live !== live) return
      const payload = await live.send()
      if (entry.live !== live) {
        await this.#answeredLate(entry)
        return
      }
      entry.response = this.#isShared ? await packIfPossible(payload) : undefined
      // While it was packed, another tab's answer may have come.
      if (entry.live !== live) return
      entry.ending = 'answered'
      live.resolve(payload)
    } catch (thrown) {
      if (entry.live === live) await this.#failedOnce(entry, toError(thrown, entry.row.endpoint))
    } finally {
      endListening()
      this.#pump()
    }
  }

  /** Whether other tabs may show the same mutations. */
  get #isShared(): boolean {
    return tabsOf(this.#options).locks !== undefined
  }

  #followProgress(entry: Entry): () => void {
    const endpoint = this.#registry.get(entry.row.endpoint)
    const calls = callsOf(this.#controller)
    if (endpoint === undefined) return () => {}
    try {
      const call = calls.call(endpoint, entry.args)
      const listen = () => this.#change(entry, { progress: call.snapshot().progress })
      call.listen(listen)
      return () => call.unlisten(listen)
    } catch {
      // Its key cannot be built: it will fail for that.
      return () => {}
    }
  }

  async #failedOnce(entry: Entry, error: Error): Promise<void> {
    const { status, code } = error as { status?: unknown; code?: unknown }
    if (code === 'create-failed') return this.#fail(entry, 'dependency', error)
    const { isTransient = isTransientError } = this.#options
    // A portal of a network answers for the server, with a page and status 200.
    if (isTransient(error) || code === 'body-unexpected') {
      const isUnknown = entry.row.key === null && (isNetworkError(error) || code === 'body-unexpected')
      if (isUnknown) {
        this.#change(entry, { error })
        if (!(await this.#isToResend(entry))) return
      }
      this.#later(entry, error)
    } else if (status === 409 || status === 412) await this.#conflicted(entry, error)
    else this.#fail(entry, 'refused', error)
  }

  #later(entry: Entry, error: Error): void {
    const { clock } = this.#controller
    const waitMs = Math.max(0, retryAfterOf(error, clock.now()), this.#waitAfter(entry.attempts, error))
    const retryAt = clock.now() + Math.min(longestWait, waitMs)
    this.#change(entry, { status: 'waiting', error, retryAt, progress: undefined })
    entry.row = { ...entry.row, attempts: entry.attempts, retryAt }
    void this.#save(entry)
  }

  /** Asks what to do with a mutation that may be done. @returns `false` if it failed for that */
  async #isToResend(entry: Entry): Promise<boolean> {
    const { live } = entry
    const { onUnknown = resendIfHarmless(this.#registry.get(entry.row.endpoint)) } = this.#options
    const decision = await onUnknown(this.#show(entry))
    if (entry.live !== live) return false
    if (decision === 'resend') return true
    const error =
      entry.error ??
      new Error(`${entry.row.endpoint} was sent, and its answer was lost. The server may have done it.`)
    this.#fail(entry, 'answer-lost', error)
    return false
  }

  async #conflicted(entry: Entry, error: Error): Promise<void> {
    const { live } = entry
    this.#change(entry, { error })
    const { body } = error as { body?: unknown }
    const decision = await this.#options.onConflict?.(this.#show(entry), body, entry.args.at(-1))
    if (entry.live !== live) return
    if (decision === undefined) this.#fail(entry, 'conflict', error)
    else if (decision === 'drop') this.#dropNow(entry, 'the server had another state')
    else {
      // The server has answered to the old key.
      const key = entry.row.key === null ? null : newKey()
      entry.row = { ...entry.row, key, isSent: false }
      if (decision !== 'resend') await this.#replace(entry, decision.args)
      else this.#later(entry, error)
    }
  }

  /** Takes back what a mutation showed, with what depends on it, and keeps it with its error. */
  #fail(entry: Entry, reason: OutboxFailure, error: Error): void {
    this.#change(entry, { status: 'failed', reason, error, retryAt: undefined, progress: undefined })
    entry.row = { ...entry.row, failed: { reason, error: packError(error) }, retryAt: null }
    void this.#save(entry)
    this.#endLive(entry, 'failed', error)
    for (const dependent of this.#dependentsOf(entry)) {
      if (dependent.status === 'failed') continue
      const { endpoint } = dependent.row
      this.#fail(dependent, 'dependency', errors.createFailed(endpoint, entry.row.temporaryId ?? '', error))
    }
  }

  /** The mutations that name the record which a mutation creates. */
  #dependentsOf({ row: { temporaryId } }: Entry): Entry[] {
    if (temporaryId === null) return []
    return this.#entries.filter(
      ({ row }) => row.temporaryId !== temporaryId && row.touches.includes(`id ${temporaryId}`),
    )
  }

  /** Ends the request of a mutation by an error. */
  #endLive(entry: Entry, ending: NonNullable<Entry['ending']>, error: Error): void {
    const { live } = entry
    if (live === undefined) return
    entry.ending = ending
    live.reject(error)
  }

  /** A request has ended, with a response or an error that is stored. */
  #ended(requestId: number): void {
    const entry = this.#byRequest.get(requestId)
    if (entry === undefined) return
    this.#byRequest.delete(requestId)
    const { ending } = entry
    entry.live = undefined
    entry.requestId = undefined
    entry.ending = undefined
    if (entry.refusal !== undefined) this.#remove(entry)
    else if (ending === 'failed') this.#tell()
    else if (ending === 'left') return
    else if (ending === 'answered elsewhere') {
      this.#remove(entry)
      this.#pump()
    } else void this.#done(entry, ending === 'answered')
  }

  /** Notes that the server has answered, in one write with the id that it gave. */
  async #done(entry: Entry, isAnswered: boolean): Promise<void> {
    // Its lane is closed until that is written.
    this.#change(entry, { status: 'sending' })
    this.#noteRealId(entry)
    const { response } = entry
    const done = {
      response: response ?? null,
      hasResponse: response !== undefined,
      at: this.#controller.clock.now(),
    }
    await entry.writing
    const isToTell = isAnswered && this.#isShared
    this.#dirty.set(keyOfRow(entry), isToTell ? { ...entry.row, args: null, done } : undefined)
    await this.#flush()
    this.#remove(entry)
    if (isToTell)
      this.#controller.clock.setTimeout(() => {
        if (this.#isDisposed) return
        this.#dirty.set(keyOfRow(entry), undefined)
        void this.#flush(false)
      }, doneLength)
    this.#pump()
  }

  #noteRealId({ scope, row: { temporaryId } }: Entry): void {
    if (temporaryId === null) return
    const real = callsOf(this.#controller).store.unnamed?.realIdOf(temporaryId)
    if (typeof real !== 'string' && typeof real !== 'number') return
    this.#realIds.set(temporaryId, real)
    const at = this.#controller.clock.now()
    this.#dirty.set(idPrefix(scope) + temporaryId, { real, at })
  }

  /** Another tab, or an earlier visit, was told the id of a created record. What names the record is sent with it. */
  #learn(temporaryId: string, real: Storable): void {
    if (this.#realIds.has(temporaryId)) return
    this.#realIds.set(temporaryId, real)
    const { store } = callsOf(this.#controller)
    const unnamed = (store.unnamed ??= new UnnamedRecords())
    unnamed.name(temporaryId, real)
  }

  /** The answer came after a reset. What waits for a real id needs it again, by the same key. */
  async #answeredLate(entry: Entry): Promise<void> {
    if (entry.ending === 'answered elsewhere') return
    if (entry.row.temporaryId !== null && entry.row.key !== null) return
    this.#dirty.set(keyOfRow(entry), undefined)
    await this.#flush()
  }

  #remove(entry: Entry): void {
    this.#entries = this.#entries.filter((each) => each !== entry)
    this.#tell()
  }

  // ---- Rows ----

  /** Writes the row of an entry. Resolves also if that fails. */
  async #save(entry: Entry): Promise<void> {
    this.#dirty.set(keyOfRow(entry), entry.row as unknown as Storable)
    const isWritten = (await this.#flush()) && !this.#isVolatile
    if (entry.written !== 'yes') this.#change(entry, { written: isWritten ? 'yes' : 'lost' })
  }

  /** Writes what is to be written, after the operations before. @returns `false` if it cannot be written */
  #flush(isToTell = true): Promise<boolean> {
    return this.#then(async () => {
      if (this.#dirty.size === 0) return true
      const rows = [...this.#dirty]
      this.#dirty = new Map()
      try {
        await this.#storage.write(rows, true)
        if (isToTell) this.#channel?.postMessage('changed')
        this.#noteWritten(rows)
        return true
      } catch (error) {
        // The next write tries again.
        this.#dirty = new Map([...rows, ...this.#dirty])
        this.#warnOnce(error)
        return false
      }
    })
  }

  /** Mutations that could not be written at first are written with a later one. */
  #noteWritten(rows: readonly (readonly [key: string, row: Storable | undefined])[]): void {
    if (!this.#hasWarned || this.#isVolatile) return
    const keys = new Set(rows.map(([key]) => key))
    for (const entry of this.#entries)
      if (entry.written === 'lost' && keys.has(keyOfRow(entry))) this.#change(entry, { written: 'yes' })
  }

  #then<Value>(run: () => Promise<Value>): Promise<Value> {
    const after = this.#work.then(run)
    this.#work = after.catch(() => {})
    return after
  }

  #warnOnce(error: unknown): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    warn(
      `The outbox cannot write mutations down: ${(error as Error).message}\n  They are sent all the same, but a page that is closed loses those that wait.`,
    )
  }

  /** Reads all rows again, soon. */
  #sync(): void {
    this.#isToSync = true
    if (this.#isSyncing || this.#isDisposed) return
    this.#isSyncing = true
    void (async () => {
      while (this.#isToSync && !this.#isDisposed) {
        this.#isToSync = false
        // A page shows first what its server has rendered.
        if (this.#isAwaitingPage) await Promise.race([this.#firstReader.promise, this.#started.promise])
        await this.#syncNow()
      }
      this.#isSyncing = false
      this.#pump()
    })()
  }

  /** @returns `false` if the rows cannot be read now */
  #syncNow(): Promise<boolean> {
    return this.#then(async () => {
      const scope = this.#scope
      const written = new Set(this.#entries.filter((entry) => entry.written === 'yes'))
      let rows: readonly StoredRow[] = []
      let ids: readonly StoredRow[] = []
      try {
        ;[rows, ids] = await Promise.all([
          this.#storage.list(rowPrefix(scope)),
          this.#storage.list(idPrefix(scope)),
        ])
      } catch (error) {
        if (this.#ready.promise.status === 'fulfilled') {
          this.#syncLater()
          return false
        }
        this.#warnOnce(error)
        this.#storage = memoryStorage()
        this.#isVolatile = true
      }
      if (this.#isAwaitingPage) {
        this.#isToSync = true
        return true
      }
      if (this.#isDisposed || scope !== this.#scope || scope !== this.#scopeNow()) return true
      const now = this.#controller.clock.now()
      for (const [key, value] of ids) {
        const { real, at } = value as { real: Storable; at: number }
        const temporaryId = key.slice(idPrefix(scope).length)
        if (rows.length === 0 && at < now - realIdLength) this.#dirty.set(key, undefined)
        else this.#learn(temporaryId, real)
      }
      callsOf(this.#controller).store.batch(() => this.#reconcile(scope, rows, written, now))
      this.#becomeReady()
      this.#tell()
      return true
    })
  }

  /** Makes the entries equal to the rows. @param gone - the entries that were written when the rows were read */
  #reconcile(scope: string, rows: readonly StoredRow[], gone: Set<Entry>, now: number): void {
    const known = new Map(this.#entries.map((entry) => [entry.id, entry]))
    for (const [key, stored] of rows) {
      const id = key.slice(rowPrefix(scope).length)
      const row = toMutationRow(stored)
      const entry = known.get(id)
      if (entry !== undefined) gone.delete(entry)
      // What is about to be written is newer.
      if (this.#dirty.has(key)) continue
      if (row === undefined) {
        if (entry === undefined) this.#addUnreadable(id, scope)
      } else if (row.done !== null) {
        if (entry !== undefined) this.#answeredElsewhere(entry, row.done)
        else if (row.done.at < now - doneLength) this.#dirty.set(key, undefined)
      } else if (entry === undefined) this.#addStored(id, scope, row)
      else this.#update(entry, row)
    }
    for (const entry of gone) this.#answeredElsewhere(entry, undefined)
    void this.#flush(false)
  }

  #addStored(id: string, scope: string, row: MutationRow): void {
    // Later than all that this tab has seen, also by a clock that stands.
    this.#latest = Math.max(this.#latest, row.at)
    this.#made = Math.max(this.#made, Number(id.split('-')[1]) || 0)
    let args: readonly unknown[]
    try {
      args = this.#argsOf(row)
    } catch {
      this.#addUnreadable(id, scope, row)
      return
    }
    const entry = makeEntry(id, scope, row, args)
    entry.written = 'yes'
    entry.attempts = row.attempts
    entry.retryAt = row.retryAt ?? undefined
    this.#insert(entry)
    if (row.failed === null) this.#adopt(entry)
    else {
      const { reason, error } = row.failed
      Object.assign(entry, { status: 'failed', reason, error: unpackError(error) })
    }
  }

  #addUnreadable(id: string, scope: string, row?: MutationRow): void {
    const at = Number(id.split('-')[0])
    const made = makeEntry(id, scope, row ?? { ...unreadableRow, at: Number.isNaN(at) ? 0 : at }, [])
    const error = new Error(
      'A mutation that waits in the outbox cannot be read: another version wrote it, or it is damaged.',
    )
    Object.assign(made, { status: 'failed', reason: 'unreadable', error, written: 'yes', isKnown: false })
    warn(`${error.message} It is kept as failed (${id}).`)
    this.#insert(made)
  }

  #insert(entry: Entry): void {
    const index = this.#entries.findIndex(({ id }) => id > entry.id)
    if (index < 0) this.#entries.push(entry)
    else this.#entries.splice(index, 0, entry)
  }

  #argsOf({ args }: MutationRow): readonly unknown[] {
    const rename = (text: string): Storable => this.#realIds.get(text) ?? this.#renamed(text)
    const named = this.#realIds.size === 0 ? args : mapTexts(args, rename)
    const found = unpack(named)
    if (!Array.isArray(found)) throw new TypeError('It has no arguments.')
    return found as readonly unknown[]
  }

  /** Sends a mutation that was written down through the Controller, which shows it. */
  #adopt(entry: Entry): void {
    const endpoint = this.#registry.get(entry.row.endpoint)
    this.#change(entry, { isKnown: endpoint !== undefined })
    if (endpoint === undefined) return
    this.#adopting = entry
    const { mutations } = callsOf(this.#controller)
    // Nobody waits for it.
    mutations.make(endpoint, entry.args, entry.row.temporaryId ?? undefined).catch(() => {})
    this.#adopting = undefined
  }

  /** Shows the mutations whose endpoints are given now. */
  #adoptKnown(): void {
    callsOf(this.#controller).store.batch(() => {
      for (const entry of this.#entries) if (!entry.isKnown && entry.reason === undefined) this.#adopt(entry)
    })
    this.#pump()
  }

  /** Another tab has changed the row of a mutation that this tab shows. */
  #update(entry: Entry, row: MutationRow): void {
    if (entry.status === 'sending' || entry.ending !== undefined) return
    const isEdited = row.edits !== entry.row.edits
    const wasFailed = entry.status === 'failed'
    if (row.failed !== null) {
      entry.row = row
      if (wasFailed) return
      const error = unpackError(row.failed.error)
      this.#change(entry, { status: 'failed', reason: row.failed.reason, error })
      this.#endLive(entry, 'failed', error)
    } else if (isEdited || (wasFailed && entry.reason !== 'unreadable')) {
      this.#endLive(entry, 'left', errors.outboxDropped(row.endpoint, 'it was changed in another tab'))
      this.#remove(entry)
      this.#addStored(entry.id, entry.scope, row)
    } else if (entry.row.isSent !== row.isSent || entry.row.retryAt !== row.retryAt) {
      entry.row = row
      this.#change(entry, { retryAt: row.retryAt ?? undefined })
    }
  }

  /** Another tab has the answer. @param done - `undefined` if its row is gone: then nobody knows what the answer was */
  #answeredElsewhere(entry: Entry, done: MutationRow['done'] | undefined): void {
    if (entry.ending !== undefined) return
    const { live } = entry
    if (live === undefined) {
      // Its request is on its way to this middleware, and reads the rows again.
      if (entry.requestId === undefined) this.#remove(entry)
      return
    }
    entry.ending = 'answered elsewhere'
    entry.live = undefined
    if (done?.hasResponse === true) live.resolve(unpack(done.response))
    // An error without a status makes the record Stale, because the server may have done it.
    else
      live.reject(new Error(`${entry.row.endpoint} was sent by another tab, whose answer is not known here.`))
  }

  // ---- Who asks ----

  #scopeNow(): string {
    return this.#options.scope?.() ?? ''
  }

  #checkScope(): void {
    if (this.#scopeNow() === this.#scope || this.#isDisposed) return
    this.#leave('another user is signed in')
    this.#enter()
  }

  /** The mutations of the scope are shown and sent no more. @param why - unless the Controller ends their requests */
  #leave(why?: string): void {
    const { scope, onReset } = this.#options
    const entries = this.#entries
    const left = entries.filter(({ status }) => status !== 'failed' || scope === undefined)
    if (scope === undefined && left.length > 0) {
      const decision = onReset?.(left.map((entry) => this.#show(entry))) ?? 'drop'
      if (decision === 'drop') {
        if (onReset === undefined)
          warn(
            `resetAll() dropped ${left.length} mutation${left.length === 1 ? '' : 's'} of the outbox. Give outbox() a \`scope\` to keep them for their user, or \`onReset\` to decide.`,
          )
        for (const entry of left) entry.ending = 'left'
        void this.#deleteScope('')
      }
    }
    this.#entries = []
    this.#byRequest.clear()
    this.#realIds = new Map()
    for (const entry of entries) {
      const { live } = entry
      entry.live = undefined
      if (why !== undefined) live?.reject(errors.outboxDropped(entry.row.endpoint, why))
    }
    this.#tell()
  }

  /** Shows the mutations of the scope that there is now. */
  #enter(): void {
    this.#scope = this.#scopeNow()
    this.#isRead = false
    this.#sync()
  }

  async #deleteScope(scope: string): Promise<void> {
    if (scope === this.#scope)
      for (const entry of [...this.#entries]) this.#dropNow(entry, 'all were dropped')
    await this.#then(async () => {
      try {
        const rows = [
          ...(await this.#storage.list(rowPrefix(scope))),
          ...(await this.#storage.list(idPrefix(scope))),
        ]
        await this.#storage.write(
          rows.map(([key]) => [key, undefined]),
          true,
        )
        if (!this.#isDisposed) this.#channel?.postMessage('changed')
      } catch (error) {
        this.#warnOnce(error)
      }
    })
  }

  /** Runs a change of the user while no tab sends, with the newest rows. */
  async #decide(run: () => Promise<void>): Promise<void> {
    await this.#withLock(async () => {
      await Promise.all(this.#entries.map(({ writing }) => writing))
      await this.#syncNow()
      if (!this.#isDisposed) await run()
    })
    this.#pump()
  }

  #find(id: string): Entry | undefined {
    return this.#entries.find((entry) => entry.id === id)
  }

  #retry(id: string | undefined): Promise<void> {
    return this.#decide(async () => {
      const meant = id === undefined ? this.#entries : [this.#find(id)]
      const failed = new Set<Entry>()
      for (const entry of meant)
        if (entry?.status === 'failed' && entry.reason !== 'unreadable') failed.add(entry)
      // A set grows while it is gone through.
      for (const entry of failed)
        for (const dependent of this.#dependentsOf(entry))
          if (dependent.reason === 'dependency') failed.add(dependent)
      for (const entry of this.#entries) if (failed.has(entry)) await this.#replace(entry, undefined)
      for (const entry of this.#entries)
        if (entry.status === 'waiting') this.#change(entry, { retryAt: undefined })
    })
  }

  #edit(id: string, args: readonly unknown[]): Promise<void> {
    return this.#decide(async () => {
      const entry = this.#find(id)
      if (entry === undefined) return
      if (entry.status === 'sending' || (entry.status === 'waiting' && entry.row.isSent))
        throw new SelfsameError(
          'argument-invalid',
          `${entry.row.endpoint} cannot be edited: it was sent, so the server may have it. Wait for its answer.`,
        )
      await this.#replace(entry, args)
    })
  }

  /** Sends a mutation anew, with other arguments. The server has not done it, so it gets another key. */
  async #replace(entry: Entry, args: readonly unknown[] | undefined): Promise<void> {
    const packed = args === undefined ? entry.row.args : await pack(args)
    if (!this.#entries.includes(entry)) return
    const isNew = entry.status === 'failed'
    const row: MutationRow = {
      ...entry.row,
      args: packed,
      edits: entry.row.edits + 1,
      key: isNew && entry.row.key !== null ? newKey() : entry.row.key,
      isSent: entry.status === 'failed' ? false : entry.row.isSent,
      attempts: 0,
      retryAt: null,
      failed: null,
    }
    this.#endLive(entry, 'left', errors.outboxDropped(row.endpoint, 'it was changed'))
    this.#remove(entry)
    this.#addStored(entry.id, entry.scope, row)
    const made = this.#find(entry.id)
    if (made !== undefined) await this.#save(made)
  }

  #drop(id: string | undefined): Promise<void> {
    return this.#decide(async () => {
      const entries = id === undefined ? [...this.#entries] : [this.#find(id)]
      for (const entry of entries)
        if (entry !== undefined && entry.status !== 'sending') this.#dropNow(entry, 'it was dropped')
      await this.#flush()
    })
  }

  #dropNow(entry: Entry, why: string): void {
    if (!this.#entries.includes(entry)) return
    this.#remove(entry)
    this.#dirty.set(keyOfRow(entry), undefined)
    const { requestId } = entry
    this.#endLive(entry, 'left', errors.outboxDropped(entry.row.endpoint, why))
    if (requestId !== undefined && entry.live === undefined) this.#byRequest.delete(requestId)
    for (const dependent of this.#dependentsOf(entry))
      this.#dropNow(dependent, 'it names a record whose mutation was dropped')
    void this.#flush()
  }

  // ---- What readers see ----

  get #stateNow(): OutboxState {
    const { retry, edit, drop } = this.outbox
    const mutations = () => Object.freeze(this.#entries.map((entry) => this.#show(entry)))
    this.#state ??= Object.freeze({ mutations: mutations(), isReady: this.#isRead, retry, edit, drop })
    return this.#state
  }

  #show(entry: Entry): OutboxMutation {
    const { id, args, status, written, isKnown, attempts, error, reason, retryAt, progress } = entry
    const { endpoint, at } = entry.row
    entry.shown ??= Object.freeze({
      id,
      endpoint,
      args,
      at,
      status,
      isWritten: written === 'yes',
      isKnown,
      attempts,
      error,
      reason,
      retryAt,
      progress,
    })
    return entry.shown
  }

  #change(entry: Entry, changed: Partial<Entry>): void {
    const isSame = Object.entries(changed).every(([name, value]) =>
      isSamePlain(entry[name as keyof Entry], value),
    )
    if (isSame) return
    Object.assign(entry, changed)
    entry.shown = undefined
    this.#tell()
  }

  /** Tells the listeners in a microtask, because the caller may be rendering. */
  #tell(): void {
    this.#state = undefined
    if (this.#isTelling) return
    this.#isTelling = true
    queueMicrotask(() => {
      this.#isTelling = false
      for (const listener of [...this.#listeners]) listener()
    })
  }
}

const unreadableRow: Omit<MutationRow, 'at'> = {
  version: 1,
  endpoint: '',
  args: null,
  temporaryId: null,
  key: null,
  tab: '',
  touches: [],
  edits: 0,
  isSent: false,
  attempts: 0,
  retryAt: null,
  failed: null,
  done: null,
}

function makeEntry(id: string, scope: string, row: MutationRow, args: readonly unknown[]): Entry {
  return {
    id,
    scope,
    row,
    args,
    status: 'waiting',
    written: 'not yet',
    writing: Promise.resolve(),
    live: undefined,
    requestId: undefined,
    ending: undefined,
    response: undefined,
    attempts: 0,
    error: undefined,
    reason: undefined,
    retryAt: undefined,
    progress: undefined,
    isKnown: true,
    refusal: undefined,
    shown: undefined,
  }
}

function rowPrefix(scope: string): string {
  return `outbox/${encodeURIComponent(scope)}/`
}

function idPrefix(scope: string): string {
  return `outbox-id/${encodeURIComponent(scope)}/`
}

function keyOfRow({ scope, id }: Entry): string {
  return rowPrefix(scope) + id
}

async function packIfPossible(payload: unknown): Promise<Storable | undefined> {
  try {
    return await pack(payload)
  } catch {
    return undefined
  }
}

/** Twice is as good as once for these methods. */
function resendIfHarmless(endpoint: EndpointLike | undefined): () => 'resend' | 'keep' {
  const { method } = (endpoint ?? {}) as { method?: unknown }
  return () => (method === 'PUT' || method === 'PATCH' || method === 'DELETE' ? 'resend' : 'keep')
}

function randomText(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, '0')
}

function newKey(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> }
  return crypto?.randomUUID?.() ?? `${randomText()}-${randomText()}-${randomText()}`
}

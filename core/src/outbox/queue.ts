import { development } from '#development'
import type { Controller } from '../controller/controller.js'
import { expireUntold } from '../controller/expire-untold.js'
import { KnownEndpoints, idOf, prefixOf } from '../controller/known-endpoints.js'
import type { Action, MiddlewareHooks, RequestCall } from '../controller/middleware.js'
import { emptyOutbox } from '../controller/outbox-of.js'
import type { Outbox } from '../controller/outbox-of.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import { endEpoch, epochOf } from '../platform/end-mark.js'
import { isPage, openChannel } from '../platform/platform.js'
import { keptStates } from '../storage/kept-states.js'
import type { RowStorage, Storable } from '../storage/row-storage.js'
import { Adoption } from './adoption.js'
import { Attempts } from './attempts.js'
import { outboxOwner, scopeNow } from './context.js'
import type { NamedOptions, OutboxContext } from './context.js'
import { Decisions } from './decisions.js'
import { dropNow } from './dropping.js'
import { Entries } from './entries.js'
import { keyOfRow, toOutboxMutation } from './entry.js'
import type { Entry, Live } from './entry.js'
import { makeMutation } from './making.js'
import type { Channel } from './locks.js'
import type { OutboxOptions } from './outbox-options.js'
import { Places } from './places.js'
import { randomText } from './random.js'
import { RowReading, doneLength } from './reading.js'
import { RealIds } from './real-ids.js'
import { RowLog } from './row-log.js'
import { idPrefix, rowPrefix } from './mutation-row.js'
import { Sending } from './sending.js'
import { SendingLock } from './sending-lock.js'
import { Shown } from './shown.js'

/** The mutations of one Controller that were not answered: follows its actions, and passes each to the part that it concerns. */
export class Queue {
  readonly outbox: Outbox
  readonly hooks: MiddlewareHooks
  readonly #context: OutboxContext
  readonly #end = new AbortController()
  readonly #shown: Shown
  readonly #places: Places
  readonly #adoption: Adoption
  readonly #reading: RowReading
  readonly #decisions: Decisions
  readonly #sending: Sending
  /** The scope of the last user: what is clicked between a sign-out and the end of the page is theirs. */
  #lastUsers: string

  constructor(controller: Controller, options: OutboxOptions & { readonly storage: RowStorage }) {
    this.#shown = new Shown(() => this.#stateNow())
    this.#context = this.#makeContext(controller, options)
    this.#lastUsers = this.#context.scope
    this.#places = new Places(controller, this.#context.tab)
    this.#adoption = new Adoption(this.#context, this.#places)
    this.#reading = new RowReading(this.#context, this.#adoption)
    this.#decisions = new Decisions(this.#context, this.#adoption, this.#reading)
    const attempts = new Attempts(this.#context, this.#decisions)
    this.#sending = new Sending(this.#context, attempts, this.#reading)
    this.outbox = this.#makeOutbox()
    this.hooks = this.#makeHooks()
    // After the constructor of the Controller, whose calls are needed.
    queueMicrotask(() => this.#start())
  }

  #makeContext(
    controller: Controller,
    given: OutboxOptions & { readonly storage: RowStorage },
  ): OutboxContext {
    const tell = () => this.#shown.tell()
    const entries = new Entries(tell)
    const registry = new KnownEndpoints(given.prefixAliases)
    const listed = registry.list(given.endpoints ?? [], 'outbox()')
    // Own members alone: a prefix that is computed later is not known.
    const prefixes = new Set(listed.map((each) => prefixOf({ ...each })).filter(Boolean))
    const [prefix] = prefixes
    const { name = (prefixes.size === 1 && prefix) || emptyOutbox.name } = given
    const options = { ...given, name }
    const end = this.#end.signal
    const rows = new RowLog(options.storage, entries)
    const leaveOthers = () => {
      rows.closeChannel()
      if (development && isPage())
        warn(
          'This page cannot use Web Locks, so each tab sends the mutations of the outbox by itself, and does not show later ones of other tabs. Pages need HTTPS for Web Locks, and sandboxed frames need `allow-same-origin`.',
        )
    }
    return {
      controller,
      options,
      registry,
      tab: randomText(),
      entries,
      rows,
      ids: new RealIds(controller),
      lock: new SendingLock(options, lockName(options), end, leaveOthers),
      end,
      scope: scopeNow(options),
      isRead: false,
      isPaused: false,
      checkScope: () => this.#checkScope(),
      pump: () => {
        this.#adoption.adoptKnown()
        this.#sending.pump()
      },
      tell,
    }
  }

  #makeOutbox(): Outbox {
    const { entries, lock, options, pump, registry } = this.#context
    const shown = this.#shown
    const isReady = () => this.#context.isRead
    return {
      name: options.name,
      scope: options.scope,
      get mutations() {
        return shown.state.mutations
      },
      get state() {
        return shown.state
      },
      get isReady() {
        return isReady()
      },
      ready: this.#reading.ready,
      subscribe: (listener) => shown.subscribe(listener),
      written: async () => {
        const { rows } = this.#context
        await Promise.all(entries.all.map(({ writing }) => writing))
        const isFlushed = await rows.flush()
        const lost = entries.all.filter(({ written }) => !isFlushed || written === 'lost')
        const names = [...new Set(lost.map(({ row }) => row.endpoint))].join(', ')
        if (lost.length > 0) throw errors.outboxUnwritten(names, rows.error)
      },
      retry: (id) => this.#decisions.retry(id),
      edit: (id, ...args) => this.#decisions.edit(id, args),
      drop: (id) => this.#decisions.drop(id),
      dropScope: (scope) => this.#deleteScope(scopeNow(options, scope)),
      add: (...endpoints) => {
        registry.list(endpoints, 'outbox()')
        pump()
      },
      resume: () => {
        this.#context.isPaused = false
        pump()
      },
      checkScope: () => this.#checkScope(),
      holds: (requestId) => lock.isShared && entries.ofRequest(requestId) !== undefined,
    }
  }

  #makeHooks(): MiddlewareHooks {
    return {
      passesOn: true,
      before: (action) => {
        if (action.type === 'fetch' && action.kind === 'mutation') this.#begin(action)
        else if (action.type === 'resetAll') this.#leave()
        else if (action.type === 'hydrate') {
          if (!keptStates.has(action.state as object)) this.#reading.noteHydration()
        } else if (action.type === 'dispose') this.#dispose()
      },
      after: (action) => {
        if (action.type === 'response' || action.type === 'error') this.#ended(action)
        else if (action.type === 'resetAll') this.#enter()
      },
      request: (call, next) => this.#request(call, next),
      activate: () => {
        this.#reading.noteReader()
        return () => {}
      },
    }
  }

  #stateNow() {
    const { retry, edit, drop } = this.outbox
    const { entries, isRead } = this.#context
    return { mutations: entries.shown(), isReady: isRead, retry, edit, drop }
  }

  #start(): void {
    const { end, lock, options, rows } = this.#context
    if (end.aborted) return
    if (lock.isShared) {
      const channel = (rows.channel = openChannel<Channel>(lockName(options), options.channel))
      // eslint-disable-next-line unicorn/prefer-add-event-listener
      if (channel !== undefined) channel.onmessage = () => this.#reading.sync()
      else if (development && options.channel !== null && isPage())
        warn(
          'This page has no BroadcastChannel, so the outbox checks once per second what other tabs have added and sent.',
        )
    }
    this.#reading.start()
    void this.#reading.ready.then(() => this.#sweep(true))
  }

  #dispose(): void {
    const { entries, lock, rows } = this.#context
    this.#end.abort()
    for (const entry of entries.all) entry.live = undefined
    this.#sending.end()
    this.#reading.end()
    lock.leave()
    void rows.close()
  }

  // ---- A request of a mutation ----

  #begin({ id, endpoint, args }: { id: number; endpoint: EndpointLike; args: readonly unknown[] }): void {
    const { end, entries, registry } = this.#context
    if (end.aborted) return
    const adopted = this.#adoption.take()
    const known = registry.get(idOf(endpoint))
    const isMeant = endpoint.outbox ?? known?.outbox ?? known !== undefined
    if (adopted === undefined && !isMeant) return
    this.#checkScope()
    const entry = adopted ?? makeMutation(this.#context, this.#places, endpoint, args, id, this.#lastUsers)
    entries.beginRequest(entry, id)
  }

  #request(call: RequestCall, next: () => Promise<unknown>): Promise<unknown> {
    const { entries, pump } = this.#context
    // A prefix that was not known before may be computed by now.
    if (entries.all.some(({ isKnown }) => !isKnown)) queueMicrotask(pump)
    const entry = entries.ofRequest(call.id)
    if (entry === undefined)
      return this.#reading.isStarting ? this.#reading.duringStart(call.key, next) : next()
    if (entry.refusal === undefined) return this.#hold(entry, call, next)
    entries.remove(entry)
    return Promise.reject(entry.refusal)
  }

  /** Holds the request of a mutation until it is its turn. */
  #hold(entry: Entry, call: RequestCall, next: () => Promise<unknown>): Promise<unknown> {
    const { options, pump, rows } = this.#context
    return new Promise((resolve, reject) => {
      const { idempotencyKey: header = 'Idempotency-Key' } = options
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
      void entry.writing.then(pump)
      // Its answer may have come before its request was passed on.
      if (entry.written === 'yes' && rows.channel !== undefined) this.#reading.sync()
    })
  }

  /** A request has ended, with a response or an error that is stored. */
  #ended(action: Extract<Action, { type: 'response' | 'error' }>): void {
    const { controller, entries, pump, tell } = this.#context
    const entry = entries.ofRequest(action.id)
    if (entry === undefined) return
    entries.endRequest(action.id)
    // The answer may be of an earlier attempt. Without one, nobody knows what the server did.
    if (action.type === 'response' ? entry.isRepeated : entry.reason === 'answer-lost')
      expireUntold(controller, action)
    const { ending } = entry
    entry.live = undefined
    entry.requestId = undefined
    entry.ending = undefined
    if (entry.refusal !== undefined) entries.remove(entry)
    else if (ending === 'failed') tell()
    else if (ending === 'left') return
    else if (ending === 'answered elsewhere') {
      entries.remove(entry)
      pump()
    } else void this.#done(entry, ending === 'answered')
  }

  /** Notes that the server has answered, in one write with the id that it gave. */
  async #done(entry: Entry, isAnswered: boolean): Promise<void> {
    const { controller, entries, lock, pump, rows } = this.#context
    const { clock } = controller
    // Its lane is closed until that is written.
    entries.change(entry, { status: 'sending' })
    this.#noteRealId(entry)
    const { response, isRepeated } = entry
    const done = {
      response: response ?? null,
      hasResponse: response !== undefined,
      at: clock.now(),
      isRepeated,
    }
    await entry.writing
    const isToTell = isAnswered && lock.isShared
    const row = isToTell ? { ...entry.row, done } : undefined
    rows.set(keyOfRow(entry), row as unknown as Storable | undefined)
    await rows.flush()
    entries.remove(entry)
    if (isToTell) clock.setTimeout(() => this.#forgetAnswer(entry), doneLength)
    pump()
  }

  #noteRealId({ scope, row: { temporaryId } }: Entry): void {
    const { controller, ids, rows } = this.#context
    const real = temporaryId === null ? undefined : ids.note(temporaryId)
    if (temporaryId === null || real === undefined) return
    rows.set(idPrefix(scope) + temporaryId, { real, at: controller.clock.now() })
  }

  /** All other tabs have taken the answer, or slept too long. */
  #forgetAnswer(entry: Entry): void {
    const { end, rows } = this.#context
    if (end.aborted) return
    rows.forget(keyOfRow(entry))
    void rows.flush()
  }

  // ---- Users ----

  #checkScope(): void {
    const { end, options, scope } = this.#context
    if (scopeNow(options) === scope || end.aborted) return
    this.#leave('signed out')
    this.#enter()
  }

  /** The mutations of the scope are shown and sent no more. @param why - unless the Controller ends their requests */
  #leave(why?: errors.DropReason): void {
    const { entries, ids, options, scope } = this.#context
    const { all } = entries
    if (options.scope === undefined && this.#isToDrop()) {
      for (const entry of all) entry.ending = 'left'
      void this.#deleteScope(scope)
    }
    entries.clear()
    ids.clear()
    for (const entry of all) {
      const { live } = entry
      entry.live = undefined
      if (why !== undefined) live?.reject(errors.outboxDropped(entry.row.endpoint, why))
    }
  }

  /** Without a scope nobody knows whose mutations they are. @returns `true` if they are not kept */
  #isToDrop(): boolean {
    const { entries, isRead, options, rows, scope } = this.#context
    // Another tab has ended the epoch.
    if (scopeNow(options) !== scope) return true
    const { length } = entries.all
    // Rows that were not read yet are dropped or kept like those that were.
    const isAny = length > 0 || !isRead
    const decision = (isAny && options.onReset?.(entries.all.map(toOutboxMutation))) || 'drop'
    if (decision !== 'drop') return false
    if (!rows.isVolatile) endEpoch(outboxOwner(options.name), 'outboxOf(controller).written()')
    if (length > 0 && options.onReset === undefined)
      warn(
        `resetAll() dropped ${length} of the mutations in the outbox.${development ? ' Give outbox() a `scope` to keep them for their user, or `onReset` to decide.' : ''}`,
      )
    return true
  }

  /** Shows the mutations of the scope that there is now. */
  #enter(): void {
    const { options } = this.#context
    this.#context.scope = scopeNow(options)
    if (options.scope?.() !== undefined || options.scope === undefined) this.#lastUsers = this.#context.scope
    this.#context.isRead = false
    this.#context.isPaused = false
    this.#reading.sync()
    void this.#sweep()
  }

  /**
   * Deletes what nobody needs of other scopes: rows with an answer, and those of an ended epoch.
   *
   * @param isStart - ids go too, where nothing waits that may name them
   */
  async #sweep(isStart = false): Promise<void> {
    const { end, options, rows, scope } = this.#context
    if (end.aborted) return
    // The name of a user is no less than any epoch.
    const epoch = epochOf(outboxOwner(options.name))
    const isEnded = (of: string) => options.scope === undefined && of < epoch
    const used = new Set<string>()
    await rows.sweep(rowPrefix(scope), (of, row) => {
      if (isEnded(of) || (row as { readonly done?: unknown } | null)?.done) return true
      used.add(of)
      return false
    })
    await rows.sweep(idPrefix(scope), (of) => isEnded(of) || (isStart && !used.has(of)))
  }

  async #deleteScope(scope: string): Promise<void> {
    const { entries, rows } = this.#context
    if (scope === this.#context.scope)
      for (const entry of entries.all) dropNow(this.#context, entry, 'dropped')
    await rows.deleteAll(rowPrefix(scope), idPrefix(scope))
  }
}

/** The name of the lock and the channel between tabs. */
function lockName({ name }: NamedOptions): string {
  return `selfsame.outbox.${name}`
}

import { development } from '#development'
import type { Controller } from '../controller/controller.js'
import { KnownEndpoints, prefixOf } from '../controller/known-endpoints.js'
import type { MiddlewareHooks } from '../controller/middleware.js'
import { emptyOutbox } from '../controller/outbox-of.js'
import type { Outbox } from '../controller/outbox-of.js'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import { isPage, openChannel } from '../platform/platform.js'
import { keptStates } from '../storage/kept-states.js'
import type { RowStorage } from '../storage/row-storage.js'
import { Adoption } from './adoption.js'
import { Attempts } from './attempts.js'
import { scopeNow } from './context.js'
import type { NamedOptions, OutboxContext } from './context.js'
import { Decisions } from './decisions.js'
import { Entries } from './entries.js'
import { HeldRequests } from './held-requests.js'
import type { Channel } from './locks.js'
import type { OutboxOptions } from './outbox-options.js'
import { Places } from './places.js'
import { randomText } from './random.js'
import { RowReading } from './reading.js'
import { RealIds } from './real-ids.js'
import { RowLog } from './row-log.js'
import { Sending } from './sending.js'
import { SendingLock } from './sending-lock.js'
import { Shown } from './shown.js'
import { UserChanges } from './user-changes.js'

/** The mutations of one Controller that were not answered: follows its actions, and passes each to the part that it concerns. */
export class Queue {
  readonly outbox: Outbox
  readonly hooks: MiddlewareHooks
  readonly #context: OutboxContext
  readonly #end = new AbortController()
  readonly #shown: Shown
  readonly #adoption: Adoption
  readonly #reading: RowReading
  readonly #users: UserChanges
  readonly #requests: HeldRequests
  readonly #decisions: Decisions
  readonly #sending: Sending

  constructor(controller: Controller, options: OutboxOptions & { readonly storage: RowStorage }) {
    this.#shown = new Shown(() => this.#stateNow())
    this.#context = this.#makeContext(controller, options)
    this.#adoption = new Adoption(this.#context)
    this.#reading = new RowReading(this.#context, this.#adoption)
    this.#users = new UserChanges(this.#context, this.#reading)
    this.#requests = new HeldRequests(this.#context, this.#adoption, this.#reading)
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
    const tab = randomText()
    const scope = scopeNow(options)
    return {
      controller,
      options,
      registry,
      tab,
      entries,
      places: new Places(controller, tab),
      rows,
      ids: new RealIds(controller),
      lock: new SendingLock(options, lockName(options), end, leaveOthers),
      end,
      scope,
      lastUsers: scope,
      isPaused: false,
      checkScope: () => this.#users.check(),
      pump: () => {
        this.#adoption.adoptKnown()
        this.#sending.pump()
      },
      tell,
    }
  }

  #makeOutbox(): Outbox {
    const { checkScope, entries, lock, options, pump, registry, rows } = this.#context
    const shown = this.#shown
    const isReady = () => this.#reading.isRead
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
        await Promise.all(entries.all.map(({ writing }) => writing))
        const isFlushed = await rows.flush()
        const lost = entries.all.filter(({ written }) => !isFlushed || written === 'lost')
        const names = [...new Set(lost.map(({ row }) => row.endpoint))].join(', ')
        if (lost.length > 0) throw errors.outboxUnwritten(names, rows.error)
      },
      retry: (id) => this.#decisions.retry(id),
      edit: (id, ...args) => this.#decisions.edit(id, args),
      drop: (id) => this.#decisions.drop(id),
      dropScope: (scope) => this.#users.deleteScope(scopeNow(options, scope)),
      add: (...endpoints) => {
        registry.list(endpoints, 'outbox()')
        pump()
      },
      resume: () => {
        this.#context.isPaused = false
        pump()
      },
      checkScope,
      holds: (requestId) => lock.isShared && entries.ofRequest(requestId) !== undefined,
    }
  }

  #makeHooks(): MiddlewareHooks {
    return {
      passesOn: true,
      before: (action) => {
        if (action.type === 'fetch' && action.kind === 'mutation') this.#requests.begin(action)
        else if (action.type === 'resetAll') this.#users.leave()
        else if (action.type === 'hydrate') {
          if (!keptStates.has(action.state as object)) this.#reading.noteHydration()
        } else if (action.type === 'dispose') this.#dispose()
      },
      after: (action) => {
        if (action.type === 'response' || action.type === 'error') this.#requests.ended(action)
        else if (action.type === 'resetAll') this.#users.enter()
      },
      request: (call, next) => this.#requests.request(call, next),
      activate: () => {
        this.#reading.noteReader()
        return () => {}
      },
    }
  }

  #stateNow() {
    const { retry, edit, drop } = this.outbox
    return { mutations: this.#context.entries.shown(), isReady: this.#reading.isRead, retry, edit, drop }
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
    void this.#reading.ready.then(() => this.#users.sweep(true))
  }

  #dispose(): void {
    const { entries, lock, rows } = this.#context
    this.#end.abort()
    for (const entry of entries.all) {
      entry.live = undefined
      entry.letGo?.()
    }
    this.#sending.end()
    this.#reading.end()
    lock.leave()
    void rows.close()
  }
}

/** The name of the lock and the channel between tabs. */
function lockName({ name }: NamedOptions): string {
  return `selfsame.outbox.${name}`
}

import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import { emptyOutbox, outboxOf } from '../controller/outbox-of.js'
import type { Controller, Middleware } from '../controller/controller.js'
import { isUnnamed } from '../endpoint/unnamed-key.js'
import { SelfsameError, warn } from '../errors.js'
import { StateChanges } from '../hydration/dehydrate-changes.js'
import { hydrate } from '../hydration/hydrate.js'
import { isEntityClass } from '../schema/schema.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { endEpoch } from '../platform/end-mark.js'
import { findStorage } from '../platform/platform.js'
import { keptStates } from '../storage/kept-states.js'
import type { RowStorage } from '../storage/row-storage.js'
import { listen } from '../util/listen.js'
import { createSettleable } from '../util/settleable.js'
import type { UsedRows } from './buckets.js'
import type { PersistOptions } from './persist-options.js'
import { warningOfNeighbours } from './neighbours.js'
import { Restoration } from './restoration.js'
import { keptName, staleOf, statesOf } from './kept-rows.js'
import type { KeptCall, KeptRecord } from './kept-rows.js'
import { ScopeRows, persistOwner, testersIn } from './scope-rows.js'

/** What `persist` does for one Controller. */
export interface Persisted {
  /** `true` once all kept data is restored, or if nothing can be restored. */
  readonly isReady: boolean
  /** Resolves then; never rejects. */
  readonly ready: Promise<void>
  /** Writes what has changed, now. Resolves when it is written. */
  readonly flush: () => Promise<void>
  /** Deletes what is kept of this scope. */
  readonly clear: () => Promise<void>
}

const persistedOf = new WeakMap<Controller, Persisted>()

const persistsNothing: Persisted = {
  isReady: true,
  ready: Promise.resolve(),
  flush: () => Promise.resolve(),
  clear: () => Promise.resolve(),
}

/** Returns what `persist` does for a Controller: for one without it, and on a server, it is ready and does nothing. */
export function persisted(controller: Controller): Persisted {
  return persistedOf.get(controller) ?? persistsNothing
}

/**
 * Keeps received data over a reload: records, lists and calls. It writes only what changed. It is shown at the next start, and is Stale
 * then, so that readers fetch it. Optimistic data is not kept. On a server it does nothing.
 *
 * @throws {SelfsameError} in development `argument-invalid` if `include` or `exclude` has anything other than classes, endpoints and
 *   resources
 * @see specification 4.7, Persistence
 * @example new Controller({ middleware: [persist({ version: 3, exclude: [getBalance], scope: () => session.userId })] })
 */
export function persist(options: PersistOptions = {}): Middleware {
  if (development) requireKept(options)
  return (controller) => {
    const storage = findStorage(options.storage)
    if (storage === undefined) return { passesOn: true }
    const { name = outboxOf(controller).name } = options
    const keeper = new PersistedController(controller, { ...options, name, storage })
    persistedOf.set(controller, keeper)
    return development && name === emptyOutbox.name ? warningOfNeighbours(keeper.hooks) : keeper.hooks
  }
}

function requireKept(options: PersistOptions): void {
  for (const name of ['include', 'exclude'] as const) {
    const wrong = options[name]?.findIndex((one) => !isEntityClass(one) && testersIn(one).length === 0) ?? -1
    if (wrong === -1) continue
    throw new SelfsameError(
      'argument-invalid',
      `persist() received ${String(options[name]?.[wrong])} in "${name}", at [${wrong}]. Pass Entity classes, endpoints and resources.`,
    )
  }
}

/** How long changes are gathered before they are written, in milliseconds. */
const gatherLength = 200

/** How much is serialized at once: it takes some milliseconds. A call may be a list of a hundred records. */
const writeSlice = { records: 512, answers: 32 }

/** How long the answers of mutations wait at most for what was kept, in milliseconds. */
const longestRestoring = 5000

class PersistedController implements Persisted {
  readonly hooks: ReturnType<Middleware>
  readonly #controller: Controller
  readonly #options: PersistOptions & { readonly storage: RowStorage }
  #changes: StateChanges | undefined
  /** `true` while what was kept is stored: that is no change. */
  #isShowing = false
  /** Those of the user that is signed in. */
  #rows: ScopeRows
  #work: Promise<unknown> = Promise.resolve()
  /** What is being written. */
  #saving: DehydratedState | undefined
  #settled = createSettleable<undefined>()
  isReady = false
  #isStopped = false
  #isDisposed = false
  #isTold = false
  #timer: unknown
  #ends: (() => void)[] = []
  /** The calls that were asked for while the storage was read. */
  readonly #asked = new Set<string>()
  /** By key of a call, what ends the wait of its requests. */
  readonly #waiting = new Map<string, () => void>()

  constructor(controller: Controller, options: PersistOptions & { readonly storage: RowStorage }) {
    this.#controller = controller
    this.#options = options
    this.#rows = this.#newRows()
    this.hooks = {
      passesOn: true,
      before: (action) => {
        if (action.type === 'resetAll') this.#leave()
        else if (action.type === 'dispose') this.#dispose()
        else if (action.type === 'fetch' && action.kind === 'read') this.#ask(action.key)
      },
      after: (action) => {
        if (action.type === 'resetAll') this.#enter()
      },
      request: async (call, next) => {
        if (this.isReady) return next()
        if (call.kind === 'mutation') return this.#afterRestoring(next())
        await this.#patience(call.key)
        return next()
      },
    }
    // After the constructor of the Controller, whose store is needed.
    queueMicrotask(() => this.#start())
  }

  get ready(): Promise<void> {
    return this.#settled.promise as Promise<void>
  }

  #newRows(): ScopeRows {
    return new ScopeRows(this.#options, () => this.#controller.clock.now())
  }

  #ask(key: string): void {
    if (this.isReady) this.#rows.buckets.useCall(key)
    else this.#asked.add(key)
  }

  /** Waits until a call is restored, or all of the storage, but not for long. */
  async #patience(key: string): Promise<void> {
    const restored = new Promise<void>((resolve) => this.#waiting.set(key, resolve))
    this.#tell(key, true)
    await this.#first([this.ready, restored], this.#options.waitMs ?? 100)
    this.#waiting.delete(key)
    this.#tell(key, false)
  }

  /** Holds the answer of a mutation back until the lists that it changes are restored: those that were kept do not have it. */
  async #afterRestoring(answer: Promise<unknown>): Promise<unknown> {
    const response = await answer
    await this.#first([this.ready], longestRestoring)
    return response
  }

  /** Waits for the first of several promises, and no longer than some milliseconds. */
  async #first(promises: readonly Promise<void>[], longest: number): Promise<void> {
    const { clock } = this.#controller
    let timer: unknown
    const enough = new Promise<void>((resolve) => {
      timer = clock.setTimeout(resolve, longest, { keepsAlive: true })
    })
    await Promise.race([...promises, enough])
    clock.clearTimeout(timer)
  }

  /** Tells the readers of a call's status whether it waits for the storage. */
  #tell(key: string, isRestoring: boolean): void {
    const calls = callsOf(this.#controller)
    const restoring = (calls.restoring ??= new Set<string>())
    if (isRestoring) restoring.add(key)
    else restoring.delete(key)
    for (const call of calls.store.results.get(key) ?? []) calls.store.touch(call)
    // The caller may be rendering.
    queueMicrotask(() => calls.store.notify())
  }

  #start(): void {
    if (this.#isDisposed) return
    this.#ends.push(
      listen(globalThis, ['pagehide'], () => {
        // What is being written may wait for an answer of the storage, which does not reach a page that is left.
        if (this.#saving !== undefined) void this.#save(this.#saving, false, true)
        void this.#flush(true)
      }),
      listen(globalThis, ['freeze'], () => void this.flush()),
      listen(
        (globalThis as { document?: Document }).document,
        ['visibilitychange', 'freeze'],
        () => void this.flush(),
      ),
    )
    this.#enter()
  }

  #later(): void {
    if (this.#timer !== undefined || this.#isStopped || this.#isDisposed) return
    this.#timer = this.#controller.clock.setTimeout(() => {
      this.#timer = undefined
      const { requestIdleCallback: whenIdle } = globalThis as {
        requestIdleCallback?: (run: () => void) => void
      }
      if (whenIdle === undefined) void this.flush()
      else whenIdle(() => void this.flush())
    }, gatherLength)
  }

  // ---- Restore ----

  #enter(): void {
    const rows = (this.#rows = this.#newRows())
    if (this.isReady) this.#settled = createSettleable()
    this.isReady = false
    void this.#then(async () => {
      try {
        await this.#restore(rows)
      } catch (error) {
        this.#stop(`cannot be read: ${(error as Error).message}`)
      }
      if (rows !== this.#rows) return
      this.#becomeReady()
      if (!this.#isDisposed && !this.#isStopped) await rows.deleteEnded().catch(this.#tellOfRest)
    })
  }

  #becomeReady(): void {
    this.isReady = true
    this.#settled.resolve(undefined)
  }

  async #restore(rows: ScopeRows): Promise<void> {
    const { storage, version = 1, migrate } = this.#options
    const { prefix } = rows
    // The first screen is asked for by now: its calls are read together with these two.
    const asked = [...this.#asked].map((key) => `${prefix}c/${key}`)
    const [meta, used, ...calls] = await storage.read([`${prefix}version`, `${prefix}used`, ...asked])
    const read = new Map(asked.map((key, index) => [key, calls[index]]))
    const from = meta ?? version
    const isOther = from !== version
    if (isOther && migrate === undefined) await rows.delete()
    if (meta === undefined || isOther) await storage.write([[`${prefix}version`, version]])
    if (this.#isDisposed || rows.isOver) return
    // What was received before is part of the first write.
    this.#changes = new StateChanges(
      callsOf(this.#controller).store,
      () => this.#isShowing,
      () => {
        rows.checkScope()
        this.#later()
      },
    )
    this.#later()
    rows.begin((used ?? undefined) as UsedRows | undefined)
    if (isOther && migrate === undefined) return
    const restoration = new Restoration({
      list: (...range) => storage.list(...range),
      read: async (keys) =>
        keys.every((key) => read.has(key)) ? keys.map((key) => read.get(key)) : storage.read(keys),
      prefix,
      buckets: rows.buckets,
      asked: this.#asked,
      hasCalls: !isOther,
      isKept: (key) => rows.isKept({ key, pk: '' }),
      isOver: () => this.#isDisposed || rows.isOver || !rows.checkScope(),
      parse: (stored) => rows.read(stored),
      show: (kept) => this.#show(rows, kept, isOther ? Number(from) : undefined),
      restored: (key) => this.#waiting.get(key)?.(),
    })
    await restoration.run()
    for (const key of this.#asked) rows.buckets.useCall(key)
  }

  /** Stores what was kept, as Stale data. @param from - the version of the rows, if it is another one */
  #show(rows: ScopeRows, kept: readonly (KeptRecord | KeptCall)[], from: number | undefined): void {
    if (!rows.checkScope()) return
    const { maxAge = 7 * 24 * 3_600_000, migrate } = this.#options
    const oldest = this.#controller.clock.now() - maxAge
    const young = kept.filter((each) => each.at >= oldest && rows.isKept(each))
    const given = young.filter((each) => 'pk' in each)
    const records = from === undefined || migrate === undefined ? given : migrated(given, migrate, from)
    for (const each of young)
      if (!('pk' in each) || each.parts !== undefined) rows.restored.set(keptName(each), each)
    const calls = young.filter((each) => 'state' in each)
    // What was written before is a change.
    callsOf(this.#controller).store.journal?.commit()
    this.#isShowing = true
    try {
      this.#controller.batch(() => {
        this.#showRecords(records)
        for (const { state } of calls) this.#take(state)
      })
    } finally {
      this.#isShowing = false
    }
  }

  /** Stores records. If one has another form, the others are stored. */
  #showRecords(records: readonly KeptRecord[]): void {
    const isTaken = statesOf(records).map((state) => this.#take(state, records.length === 1))
    if (records.length > 1 && isTaken.includes(false))
      for (const record of records) this.#showRecords([record])
  }

  /** @returns `false`, with a warning in development, for a state of another form */
  #take(state: DehydratedState, isTold = true): boolean {
    const stale = staleOf(state)
    keptStates.add(stale)
    try {
      hydrate(this.#controller, stale)
      return true
    } catch (error) {
      if (development && isTold) warn(error)
      return false
    }
  }

  // ---- Save ----

  readonly flush = (): Promise<void> => this.#flush()

  #flush(isLeft = false): Promise<void> {
    if (this.#isStopped || this.#isDisposed) return Promise.resolve()
    return this.#then(async () => {
      for (let isBegun = false; !this.#isStopped; isBegun = true) {
        if (!this.#rows.checkScope()) return this.#tellOfScope()
        const changes = this.#changes
        const state = changes?.next((key) => !isUnnamed(key), writeSlice)
        if (changes === undefined || state === undefined) return
        const isLast = !changes.hasMore
        const isEmpty = state.records.length + state.results.length === 0
        this.#saving = state
        if (!(isEmpty && isLast && !isBegun)) await this.#save(state, isLast, isLeft)
        this.#saving = undefined
        if (isLast) return
      }
    })
  }

  #tellOfScope(): void {
    if (!development || this.#isTold) return
    this.#isTold = true
    const rows = this.#rows
    const tell = () => {
      if (!rows.isOver && !this.#isDisposed)
        warn(
          'The `scope` of persist() changed without controller.resetAll(), or another tab called it, so persist() stores nothing until this tab calls it: it cannot know whose data this is. Call controller.resetAll() whenever the user changes, including at sign-in. syncTabs() calls it in all tabs.',
        )
    }
    // The reset of another tab may be on its way.
    this.#controller.clock.setTimeout(tell, 2000)
  }

  /** Writes some of what changed: a large response is written in slices, between which the page can work. */
  async #save(state: DehydratedState, isLast: boolean, isLeft: boolean): Promise<void> {
    const rows = this.#rows
    try {
      await rows.write(state, isLast, isLeft)
    } catch (error) {
      if ((error as Error).name !== 'QuotaExceededError') {
        this.#stop(`cannot be written: ${(error as Error).message}`)
        return
      }
      try {
        await rows.drop(Math.ceil(rows.buckets.count / 4))
        await rows.write(state, isLast)
      } catch (again) {
        this.#stop(`is full: ${(again as Error).message}`)
      }
    }
  }

  // ---- End ----

  #leave(): void {
    const { scope, keepScopes = false } = this.#options
    const rows = this.#rows
    rows.isOver = true
    this.#changes?.end()
    this.#changes = undefined
    this.#asked.clear()
    if (scope !== undefined && keepScopes) return
    if (!rows.isOfNobody && !this.#isStopped)
      endEpoch(persistOwner(this.#options), 'persisted(controller).ready')
    // At once, as the page may be left; and after what is being written.
    rows.delete().catch(() => {})
    this.#then(() => rows.delete()).catch(this.#tellOfRest)
  }

  readonly #tellOfRest = ({ message }: Error): void => {
    if (development && !this.#isStopped)
      warn(`persist() could not delete what it stored, and tries again at the next start: ${message}`)
  }

  readonly clear = (): Promise<void> => {
    const rows = this.#rows
    rows.begin()
    return this.#then(() =>
      rows.delete().catch((error: Error) => {
        // Nothing is kept where nothing may be.
        if (error.name !== 'SecurityError') throw error
      }),
    )
  }

  #stop(why: string): void {
    if (this.#isStopped) return
    this.#isStopped = true
    warn(`persist() stores nothing from now on: its storage ${why}`)
  }

  #dispose(): void {
    void this.flush()
    this.#isDisposed = true
    this.#controller.clock.clearTimeout(this.#timer)
    for (const end of this.#ends.splice(0)) end()
    this.#changes?.end()
    this.#settled.resolve(undefined)
    void this.#then(async () => this.#options.storage.close())
  }

  #then(run: () => Promise<void>): Promise<void> {
    const after = this.#work.then(run)
    this.#work = after.catch(() => {})
    return after
  }
}

/** The records of another version that are kept, with their new fields. A deleted record has none. */
function migrated(
  records: readonly KeptRecord[],
  migrate: NonNullable<PersistOptions['migrate']>,
  from: number,
): KeptRecord[] {
  return records.flatMap((record) => {
    try {
      const fields: unknown = record.fields === null ? null : migrate(record.key, record.fields, from)
      return fields === undefined ? [] : { ...record, fields }
    } catch (error) {
      warn(`persist() leaves out ${record.key} "${record.pk}": ${(error as Error).message}`)
      return []
    }
  })
}

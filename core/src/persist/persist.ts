import { development } from '#development'
import { emptyOutbox, outboxOf } from '../controller/outbox-of.js'
import type { Controller, Middleware } from '../controller/controller.js'
import { SelfsameError, warn } from '../errors.js'
import { isEntityClass } from '../schema/schema.js'
import { endEpoch } from '../platform/end-mark.js'
import { findStorage } from '../platform/platform.js'
import type { RowStorage } from '../storage/row-storage.js'
import { createTurns } from '../util/turns.js'
import type { UsedRows } from './buckets.js'
import type { PersistOptions } from './persist-options.js'
import { warningOfNeighbours } from './neighbours.js'
import { Restoration } from './restoration.js'
import type { KeptCall, KeptRecord } from './kept-rows.js'
import { Saving } from './saving.js'
import { ScopeRows, persistOwner, testersIn } from './scope-rows.js'
import { migrated, showKept } from './showing.js'
import { StartWait } from './start-wait.js'

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

/** Follows the actions of a Controller: restores what is kept of the user, and deletes it when they sign out. */
class PersistedController implements Persisted {
  readonly hooks: ReturnType<Middleware>
  readonly #controller: Controller
  readonly #options: PersistOptions & { readonly storage: RowStorage }
  readonly #inTurn = createTurns()
  readonly #wait: StartWait
  readonly #saving: Saving
  /** Those of the user that is signed in. */
  #rows: ScopeRows
  #isDisposed = false
  #endListening: (() => void) | undefined

  constructor(controller: Controller, options: PersistOptions & { readonly storage: RowStorage }) {
    this.#controller = controller
    this.#options = options
    this.#wait = new StartWait(controller, options.waitMs)
    this.#saving = new Saving(controller, this.#inTurn)
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
      request: (call, next) => this.#wait.hold(call, next),
    }
    // After the constructor of the Controller, whose store is needed.
    queueMicrotask(() => {
      if (this.#isDisposed) return
      this.#endListening = this.#saving.listen()
      this.#enter()
    })
  }

  get isReady(): boolean {
    return this.#wait.isReady
  }

  get ready(): Promise<void> {
    return this.#wait.ready
  }

  #newRows(): ScopeRows {
    return new ScopeRows(this.#options, () => this.#controller.clock.now())
  }

  #ask(key: string): void {
    if (this.isReady) this.#rows.buckets.useCall(key)
    else this.#wait.asked.add(key)
  }

  #enter(): void {
    const rows = (this.#rows = this.#newRows())
    this.#wait.begin()
    void this.#inTurn(async () => {
      try {
        await this.#restore(rows)
      } catch (error) {
        this.#saving.stop(`cannot be read: ${(error as Error).message}`)
      }
      if (rows !== this.#rows) return
      this.#wait.end()
      await rows.deleteEnded().catch(this.#tellOfRest)
    })
  }

  async #restore(rows: ScopeRows): Promise<void> {
    const { storage, version = 1, migrate } = this.#options
    const { asked } = this.#wait
    const { prefix } = rows
    // The first screen is asked for by now: its calls are read together with these two.
    const first = [...asked].map((key) => `${prefix}c/${key}`)
    const [meta, used, ...calls] = await storage.read([`${prefix}version`, `${prefix}used`, ...first])
    const read = new Map(first.map((key, index) => [key, calls[index]]))
    const from = meta ?? version
    const isOther = from !== version
    if (isOther && migrate === undefined) await rows.delete()
    if (meta === undefined || isOther) await storage.write([[`${prefix}version`, version]])
    if (this.#isDisposed || rows.isOver) return
    this.#saving.begin(rows)
    rows.begin((used ?? undefined) as UsedRows | undefined)
    if (isOther && migrate === undefined) return
    const restoration = new Restoration({
      list: (...range) => storage.list(...range),
      read: async (keys) =>
        keys.every((key) => read.has(key)) ? keys.map((key) => read.get(key)) : storage.read(keys),
      rows,
      asked,
      hasCalls: !isOther,
      isOver: () => this.#isDisposed || rows.isOver || !rows.checkScope(),
      show: (kept) => this.#show(rows, kept, isOther ? Number(from) : undefined),
      restored: (key) => this.#wait.endOf(key),
    })
    await restoration.run()
    for (const key of asked) rows.buckets.useCall(key)
  }

  /** @param from - the version of the rows, if it is another one: then they are records */
  #show(rows: ScopeRows, kept: readonly (KeptRecord | KeptCall)[], from: number | undefined): void {
    if (!rows.checkScope()) return
    const { maxAge = 7 * 24 * 3_600_000, migrate } = this.#options
    const oldest = this.#controller.clock.now() - maxAge
    const young = kept.filter((each) => each.at >= oldest && rows.isKept(each))
    rows.noteRestored(young)
    const shown =
      from === undefined || migrate === undefined ? young : migrated(young as KeptRecord[], migrate, from)
    this.#saving.ignore(() => showKept(this.#controller, shown))
  }

  readonly flush = (): Promise<void> => this.#saving.flush()

  #leave(): void {
    const { scope, keepScopes = false } = this.#options
    const rows = this.#rows
    rows.isOver = true
    this.#saving.end()
    this.#wait.asked.clear()
    if (scope !== undefined && keepScopes) return
    if (!rows.isOfNobody && !this.#saving.isStopped)
      endEpoch(persistOwner(this.#options), 'persisted(controller).ready')
    // At once, as the page may be left; and after what is being written.
    rows.delete().catch(() => {})
    this.#inTurn(() => rows.delete()).catch(this.#tellOfRest)
  }

  readonly #tellOfRest = ({ message }: Error): void => {
    if (development && !this.#saving.isStopped)
      warn(`persist() could not delete what it stored, and tries again at the next start: ${message}`)
  }

  readonly clear = (): Promise<void> => {
    const rows = this.#rows
    rows.begin()
    return this.#inTurn(() =>
      rows.delete().catch((error: Error) => {
        // Nothing is kept where nothing may be.
        if (error.name !== 'SecurityError') throw error
      }),
    )
  }

  #dispose(): void {
    void this.flush()
    this.#isDisposed = true
    this.#endListening?.()
    this.#wait.end()
    void this.#inTurn(async () => {
      this.#rows.isOver = true
      this.#saving.end()
      this.#options.storage.close()
    })
  }
}

import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import { expireUntold } from '../controller/expire-untold.js'
import { warn } from '../errors.js'
import { unpack } from '../storage/pack.js'
import type { StoredRow } from '../storage/row-storage.js'
import { createSettleable } from '../util/settleable.js'
import type { Adoption } from './adoption.js'
import { scopeNow } from './context.js'
import type { OutboxContext } from './context.js'
import { dropIfHeard } from './dropping.js'
import { endLive } from './entry.js'
import type { Entry } from './entry.js'
import { idPrefix, retryAtOf, rowPrefix, temporaryIds, toMutationRow, unpackError } from './mutation-row.js'
import type { MutationRow } from './mutation-row.js'

/** How long an answer is kept for other tabs, in milliseconds. */
export const doneLength = 60_000

/** How long a real id is kept for mutations that name the temporary one, in milliseconds. */
const realIdLength = 7 * 24 * 3_600_000

/** How long responses wait at most for the mutations of an earlier visit, in milliseconds. */
const longestStart = 1000

/** How often rows are read again where no channel tells of changes, in milliseconds. */
const pollLength = 1000

/** Makes the mutations of this tab equal to the rows, which other tabs and visits write too. */
export class RowReading {
  /** `true` once the rows of the scope were read. Until then nothing is sent: an earlier mutation may wait there. */
  isRead = false
  readonly #context: OutboxContext
  readonly #adoption: Adoption
  #isSyncing = false
  #isToSync = false
  readonly #ready = createSettleable<undefined>()
  /** Resolved when responses are shown, also if the storage is slow. */
  readonly #started = createSettleable<undefined>()
  readonly #firstReader = createSettleable<undefined>()
  #isHydrated = false
  /** The ids of the rows that were read last; `undefined` before the first time. */
  #seen: ReadonlySet<string> | undefined
  #poll: unknown

  constructor(context: OutboxContext, adoption: Adoption) {
    this.#context = context
    this.#adoption = adoption
  }

  /** Resolved once the rows were read, and by `end`. */
  get ready(): Promise<void> {
    return this.#ready.promise as Promise<void>
  }

  start(): void {
    const { clock } = this.#context.controller
    this.sync()
    const timer = clock.setTimeout(() => this.#started.resolve(undefined), longestStart)
    void this.#started.promise.then(() => clock.clearTimeout(timer))
  }

  /** Reads the rows of another scope. */
  restart(): void {
    this.isRead = false
    this.sync()
  }

  end(): void {
    this.#context.controller.clock.clearTimeout(this.#poll)
    this.#ready.resolve(undefined)
    this.#started.resolve(undefined)
  }

  /** A page that a server rendered shows its state first. */
  noteHydration(): void {
    this.#isHydrated = true
  }

  noteReader(): void {
    this.#firstReader.resolve(undefined)
  }

  /** `true` until the mutations of an earlier visit are shown, or for a second. */
  get isStarting(): boolean {
    return this.#started.promise.status === 'pending'
  }

  /**
   * Holds a response back until the mutations of an earlier visit are shown on top of it. What names a record that one of them may
   * make is not even asked for.
   */
  async duringStart(key: string, send: () => Promise<unknown>): Promise<unknown> {
    if (key.search(temporaryIds) >= 0) await this.#started.promise
    try {
      return await send()
    } finally {
      await this.#started.promise
    }
  }

  get #isAwaitingPage(): boolean {
    return this.#isHydrated && this.isStarting && this.#firstReader.promise.status === 'pending'
  }

  /** Reads all rows again, soon. */
  sync(): void {
    this.#isToSync = true
    if (this.#isSyncing || this.#context.end.aborted) return
    this.#isSyncing = true
    void this.#syncAsAsked()
  }

  async #syncAsAsked(): Promise<void> {
    while (this.#isToSync && !this.#context.end.aborted) {
      this.#isToSync = false
      if (this.#isAwaitingPage) await Promise.race([this.#firstReader.promise, this.#started.promise])
      await this.syncNow()
    }
    this.#isSyncing = false
    this.#context.pump()
  }

  /** Reads all rows again after a while. */
  syncLater(): void {
    const { clock } = this.#context.controller
    clock.clearTimeout(this.#poll)
    this.#poll = clock.setTimeout(() => this.sync(), pollLength)
  }

  /** Reads all rows again. @returns `false` if they cannot be read now */
  syncNow(): Promise<boolean> {
    return this.#context.rows.inTurn(() => this.#readAll())
  }

  async #readAll(): Promise<boolean> {
    const context = this.#context
    const { controller, end, entries, lock, options, rows, scope } = context
    const written = new Set(entries.all.filter((entry) => entry.written === 'yes'))
    let read: readonly (readonly StoredRow[])[] = []
    try {
      read = await rows.list(rowPrefix(scope), idPrefix(scope))
    } catch (error) {
      if (this.#ready.promise.status === 'fulfilled') {
        this.syncLater()
        return false
      }
      rows.fallBack(error)
      // No other tab has these rows.
      lock.goAlone()
    }
    if (this.#isAwaitingPage) {
      this.#isToSync = true
      return true
    }
    if (end.aborted || scope !== context.scope || scope !== scopeNow(options)) return true
    const [stored = [], ids = []] = read
    const now = controller.clock.now()
    this.#learnIds(scope, ids, stored.length === 0 ? now - realIdLength : 0)
    callsOf(controller).store.batch(() => this.#reconcile(scope, stored, written, now))
    this.isRead = true
    this.#ready.resolve(undefined)
    this.#started.resolve(undefined)
    context.tell()
    return true
  }

  /** @param since - ids that were noted before it are deleted: milliseconds since the epoch */
  #learnIds(scope: string, stored: readonly StoredRow[], since: number): void {
    const { ids, rows } = this.#context
    for (const [key, row] of stored) {
      const { real, at } = Object(row) as { readonly real?: unknown; readonly at?: number }
      const isId = typeof real === 'string' || typeof real === 'number'
      if (isId && at !== undefined && at >= since) ids.learn(key.slice(idPrefix(scope).length), real)
      else rows.forget(key)
    }
  }

  /** @param gone - the mutations that were written when the rows were read */
  #reconcile(scope: string, stored: readonly StoredRow[], gone: Set<Entry>, now: number): void {
    const { entries, rows } = this.#context
    const known = new Map(entries.all.map((entry) => [entry.id, entry]))
    const seen = new Set<string>()
    for (const [key, found] of stored) {
      const id = key.slice(rowPrefix(scope).length)
      seen.add(id)
      const entry = known.get(id)
      if (entry !== undefined) gone.delete(entry)
      // What is about to be written is newer.
      if (rows.isToWrite(key)) continue
      try {
        const row = toMutationRow(found)
        if (row.done !== null) {
          if (entry !== undefined) this.#answeredElsewhere(entry, row.done)
          else if (row.done.at < now - doneLength) rows.forget(key)
          else if (this.#seen?.has(id) === false) this.#takeAnswer(row, row.done)
        } else if (entry === undefined) this.#adoption.add(id, scope, row)
        else this.#update(entry, row)
      } catch {
        if (entry === undefined) this.#adoption.addUnreadable(id, scope)
      }
    }
    this.#seen = seen
    for (const entry of gone) this.#answeredElsewhere(entry, undefined)
    void rows.flush()
  }

  /** Another tab has changed the row of a mutation that this tab shows. */
  #update(entry: Entry, row: MutationRow): void {
    const { controller, entries } = this.#context
    if (entry.status === 'sending' || entry.ending !== undefined) return
    const isEdited = row.edits !== entry.row.edits
    const wasFailed = entry.status === 'failed'
    if (row.failed !== null) {
      entry.row = row
      if (wasFailed) return
      const { reason } = row.failed
      const error = unpackError(row.failed.error)
      if (reason === 'refused' && dropIfHeard(this.#context, entry, error)) return
      entries.change(entry, { status: 'failed', reason, error })
      endLive(entry, 'failed', error)
    } else if (isEdited || (wasFailed && entry.reason !== 'unreadable')) {
      this.#adoption.replace(entry, row)
    } else if (entry.row.isSent !== row.isSent || entry.row.retryAt !== row.retryAt) {
      entry.row = row
      entries.change(entry, { retryAt: retryAtOf(row, controller.clock.now()) })
    }
  }

  /** Another tab has made a mutation, and got its answer before this one read of it. */
  #takeAnswer(row: MutationRow, { hasResponse, response }: NonNullable<MutationRow['done']>): void {
    const { controller, ids, registry, tab } = this.#context
    const endpoint = registry.get(row.address)
    if (endpoint === undefined || row.tab === tab) return
    try {
      const args = ids.argsOf(row)
      if (hasResponse) callsOf(controller).mutations.store(endpoint, args, unpack(response))
      // What was read here meanwhile may be newer.
      expireUntold(controller, { endpoint, args })
    } catch (error) {
      // It does not fit the endpoints of this tab.
      if (development) warn(error)
    }
  }

  /** Another tab has the answer. @param done - `undefined` if its row is gone: then nobody knows what the answer was */
  #answeredElsewhere(entry: Entry, done: MutationRow['done'] | undefined): void {
    if (entry.ending !== undefined) return
    const { live } = entry
    if (live === undefined) {
      // Its request is on its way to this middleware, and reads the rows again.
      if (entry.requestId === undefined) this.#context.entries.remove(entry)
      return
    }
    entry.ending = 'answered elsewhere'
    entry.live = undefined
    entry.isRepeated = done?.isRepeated === true
    try {
      if (done?.hasResponse === true) return live.resolve(unpack(done.response))
    } catch {
      // It was damaged.
    }
    // An error without a status makes the record Stale, because the server may have done it.
    live.reject(new Error(`${entry.row.endpoint} was sent by another tab.`))
  }
}

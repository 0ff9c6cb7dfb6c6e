import { development } from '#development'
import { warn } from '../errors.js'
import { deleteOthers, deleteRows } from '../storage/delete-rows.js'
import { memoryStorage } from '../storage/memory-storage.js'
import type { RowStorage, Storable, StoredRow } from '../storage/row-storage.js'
import { createTurns } from '../util/turns.js'
import type { Entries } from './entries.js'
import { keyOfRow } from './entry.js'
import type { Entry } from './entry.js'
import type { Channel } from './locks.js'

/** The rows in which mutations are written down, and the channel that tells other tabs of changes. */
export class RowLog {
  /** Tells other tabs; `undefined` before the start, and where there is none. */
  channel: Channel | undefined
  readonly #entries: Entries
  #storage: RowStorage
  /** `true` if the storage is gone with the page, because the one that was given could not be read. */
  isVolatile = false
  /** Rows to write; `undefined` deletes. */
  #dirty = new Map<string, Storable | undefined>()
  /** `true` if other tabs need to know of what is to be written. */
  #isToTell = false
  /** Runs an operation on the storage after those before it. */
  readonly inTurn = createTurns()
  #hasWarned = false
  /** The last error of the storage. */
  error: unknown

  constructor(storage: RowStorage, entries: Entries) {
    this.#storage = storage
    this.#entries = entries
  }

  /** Sets a row, to be written by the next flush. @param row - `undefined` deletes it */
  set(key: string, row: Storable | undefined): void {
    this.#dirty.set(key, row)
    this.#isToTell = true
  }

  /** Deletes a row that no tab needs any more: the others are not told. */
  forget(key: string): void {
    this.#dirty.set(key, undefined)
  }

  /** Returns `true` if a row is about to be written. */
  isToWrite(key: string): boolean {
    return this.#dirty.has(key)
  }

  /** Writes the row of a mutation. Resolves also if that fails. */
  async save(entry: Entry): Promise<void> {
    this.set(keyOfRow(entry), entry.row as unknown as Storable)
    const isWritten = (await this.flush()) && !this.isVolatile
    if (entry.written !== 'yes') this.#entries.change(entry, { written: isWritten ? 'yes' : 'lost' })
  }

  /**
   * Writes what is to be written, after the operations before, and tells other tabs.
   *
   * @returns `false` if it cannot be written now: the next flush tries again
   */
  flush(): Promise<boolean> {
    return this.inTurn(async () => {
      if (this.#dirty.size === 0) return true
      const rows = [...this.#dirty]
      const isToTell = this.#isToTell
      this.#dirty = new Map()
      this.#isToTell = false
      try {
        await this.#storage.write(rows, true)
        if (isToTell) this.channel?.postMessage('changed')
        this.#noteWritten(rows)
        return true
      } catch (error) {
        this.#dirty = new Map([...rows, ...this.#dirty])
        this.#isToTell ||= isToTell
        this.warnOnce(error)
        return false
      }
    })
  }

  /** Mutations that could not be written at first are written with a later one. */
  #noteWritten(rows: readonly (readonly [key: string, row: Storable | undefined])[]): void {
    if (!this.#hasWarned || this.isVolatile) return
    const keys = new Set(rows.map(([key]) => key))
    for (const entry of this.#entries.all)
      if (entry.written === 'lost' && keys.has(keyOfRow(entry)))
        this.#entries.change(entry, { written: 'yes' })
  }

  /** Reads the rows whose keys begin with one of some texts. To be called in turn. @throws also for what is no list of rows */
  list(...prefixes: readonly string[]): Promise<readonly (readonly StoredRow[])[]> {
    const read = async (prefix: string) =>
      (await this.#storage.list(prefix)).filter(([key]) => key.startsWith(prefix))
    return Promise.all(prefixes.map(read))
  }

  /** Deletes the rows whose keys begin with one of some texts. */
  deleteAll(...prefixes: readonly string[]): Promise<void> {
    return this.inTurn(async () => {
      try {
        for (const prefix of prefixes) await deleteRows(this.#storage, prefix)
        this.channel?.postMessage('changed')
      } catch (error) {
        this.warnOnce(error)
      }
    })
  }

  /**
   * Deletes rows of other scopes of the application.
   *
   * @param own - the beginning of the keys of the current scope
   * @param isOver - returns `true` for a row that nobody needs
   */
  sweep(own: string, isOver: (scope: string, row: Storable) => boolean): Promise<void> {
    return this.inTurn(() => deleteOthers(this.#storage, own, isOver)).catch((error: unknown) =>
      this.warnOnce(error),
    )
  }

  /** Keeps rows in memory from now on. */
  fallBack(error: unknown): void {
    this.warnOnce(error)
    this.closeChannel()
    this.#storage = memoryStorage()
    this.isVolatile = true
  }

  warnOnce(error: unknown): void {
    this.error = error
    if (this.#hasWarned) return
    this.#hasWarned = true
    warn(
      `The outbox cannot store mutations: ${(error as Error).message}${development ? '\n  They are sent anyway, but closing the page loses those that are not sent yet.' : ''}`,
    )
  }

  /** Writes what is to be written, tells other tabs of it, and frees the storage. */
  async close(): Promise<void> {
    await this.flush()
    this.closeChannel()
    this.#storage.close()
  }

  /** Other tabs are told no more. */
  closeChannel(): void {
    this.channel?.close()
    this.channel = undefined
  }
}

import type { RowStorage, Storable, StoredRow } from './row-storage.js'

/** Options of `indexedDbStorage`. */
export interface IndexedDbOptions {
  /** The name of the database. @default 'selfsame' */
  readonly name?: string | undefined
  /** How long to wait for the database to open, in milliseconds. A frozen tab may hold it. @default 2000 */
  readonly openWithinMs?: number | undefined
  /** @default the global `indexedDB` */
  readonly factory?: IDBFactory | undefined
}

const table = 'rows'

/**
 * Keeps rows in IndexedDB: the storage of a browser for data of any size. All tabs of an origin share it.
 *
 * The database is opened at the first use. Written by hand instead of a wrapper: four functions need less code than one.
 */
export function indexedDbStorage({
  name = 'selfsame',
  openWithinMs = 2000,
  factory,
}: IndexedDbOptions = {}): RowStorage {
  let opened: Promise<IDBDatabase> | undefined

  function forget(): void {
    opened = undefined
  }

  function open(): Promise<IDBDatabase> {
    opened ??= openDatabase().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  function openDatabase(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      // To look for it, and to open it, may throw.
      const given = factory ?? (globalThis as { indexedDB?: IDBFactory | null }).indexedDB
      if (!given) throw new DOMException('There is no IndexedDB.', 'SecurityError')
      const request = given.open(name, 1)
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(new Error(`The database "${name}" did not open within ${openWithinMs} ms.`))
      }, openWithinMs)
      request.onupgradeneeded = () => {
        const { result } = request
        if (!result.objectStoreNames.contains(table)) result.createObjectStore(table)
      }
      request.addEventListener('error', () => {
        clearTimeout(timer)
        reject(request.error as Error)
      })
      request.onsuccess = () => {
        clearTimeout(timer)
        const database = request.result
        if (isLate) {
          database.close()
          return
        }
        database.addEventListener('close', forget)
        // Another tab deletes or changes the database: it must not wait for this one.
        database.onversionchange = () => {
          forget()
          database.close()
        }
        resolve(database)
      }
    })
  }

  /** Runs a transaction. One that finds its database closed opens it again, once. */
  async function transact<Value>(
    mode: IDBTransactionMode,
    durability: 'strict' | 'relaxed',
    run: (rows: IDBObjectStore) => () => Value,
    isAgain = false,
  ): Promise<Value> {
    const database = await open()
    let transaction: IDBTransaction
    try {
      transaction = database.transaction(table, mode, { durability })
    } catch (error) {
      if (isAgain || (error as Error).name !== 'InvalidStateError') throw error
      opened = undefined
      return transact(mode, durability, run, true)
    }
    return new Promise((resolve, reject) => {
      const outcome = run(transaction.objectStore(table))
      // Otherwise the browser asks the page, once all is written, whether that was all. A page that is left does not answer.
      if (mode === 'readwrite') transaction.commit?.()
      transaction.oncomplete = () => resolve(outcome())
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error('The transaction was aborted.')),
      )
    })
  }

  return {
    list: (prefix, after, limit) =>
      transact('readonly', 'relaxed', (rows) => {
        const end = `${prefix}\uffff`
        const range =
          after === undefined ? IDBKeyRange.bound(prefix, end) : IDBKeyRange.bound(after, end, true)
        const keys = rows.getAllKeys(range, limit)
        const values = rows.getAll(range, limit)
        return () =>
          keys.result.map((key, index): StoredRow => [key as string, values.result[index] as Storable])
      }),
    read: (keys) =>
      transact('readonly', 'relaxed', (rows) => {
        const found = keys.map((key) => rows.get(key) as IDBRequest<Storable | undefined>)
        return () => found.map(({ result }) => result)
      }),
    write: (changes, isStrict = false) =>
      transact('readwrite', isStrict ? 'strict' : 'relaxed', (rows) => {
        for (const [key, row] of changes) {
          if (row === undefined) rows.delete(key)
          else rows.put(row, key)
        }
        return () => undefined
      }),
    clear: (prefix) =>
      transact('readwrite', 'strict', (rows) => {
        rows.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`))
        return () => undefined
      }),
    close() {
      void opened?.then(
        (database) => database.close(),
        () => {},
      )
      opened = undefined
    },
  }
}

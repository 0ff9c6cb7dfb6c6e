import type { RowStorage } from '../storage/row-storage.js'
import { contentsOfKept, existing, recordName } from './kept-rows.js'
import type { KeptCall, KeptRecord } from './kept-rows.js'
import type { ScopeRows } from './scope-rows.js'

/** How many rows are read and restored at once. */
const restoreSlice = 4

/** What a restoration needs of `persist`. */
export interface RestorationSource extends Pick<RowStorage, 'list' | 'read'> {
  readonly rows: ScopeRows
  /** The keys of the calls that readers asked for. Grows meanwhile. */
  readonly asked: ReadonlySet<string>
  /** `false` if the rows are of another version: then calls are not read. */
  readonly hasCalls: boolean
  /** `true` if the rest is not to be read: the user signed out, or the Controller was disposed. */
  isOver(): boolean
  /** Shows records and calls. */
  show(kept: readonly (KeptRecord | KeptCall)[]): void
  /** A call is restored. */
  restored(key: string): void
}

/**
 * Restores what is kept: first the calls that were asked for, each with the records that it names, for which it reads their
 * rows alone; then all records and calls, in slices between which the page can work.
 */
export class Restoration {
  readonly #source: RestorationSource
  /** The records that were read, by place. */
  readonly #records = new Map<string, KeptRecord>()
  /** The rows that were read. */
  readonly #read = new Set<string>()
  /** The places of records, and the keys of calls, that are shown. */
  readonly #shown = new Set<KeptRecord | string>()
  /** The calls that were asked for and looked up. */
  readonly #answered = new Set<string>()

  constructor(source: RestorationSource) {
    this.#source = source
  }

  async run(): Promise<void> {
    const { hasCalls } = this.#source
    await this.#answer()
    await this.#eachSlice<readonly KeptRecord[]>('r/', (rows) => {
      this.#take(rows)
      this.#showRecords(rows.flatMap(([, records]) => records))
    })
    if (!hasCalls) return
    await this.#eachSlice<KeptCall>('c/', (rows) => {
      for (const [, call] of rows) this.#showCall(call)
    })
  }

  /** Restores the calls that were asked for since the last time, whose records are there. */
  async #answer(): Promise<void> {
    const { asked, hasCalls, rows } = this.#source
    if (!hasCalls) return
    for (;;) {
      const keys = [...asked].filter((key) => !this.#answered.has(key))
      if (keys.length === 0 || this.#source.isOver()) return
      for (const key of keys) this.#answered.add(key)
      const names = keys.map((key) => `${rows.prefix}c/${key}`)
      const calls = await rows.read<KeptCall>(existing(names, await this.#source.read(names)))
      await this.#readRows(calls.flatMap(([, { beside = [] }]) => beside))
      for (const [, call] of calls) {
        const records = await this.#namedBy(call)
        // Its row may be among those that are read later.
        if (records === undefined || this.#source.isOver()) continue
        this.#showRecords(records)
        this.#showCall(call)
      }
    }
  }

  /** The records that a call shows, also in one another; `undefined` if one of them is in no row that is known. */
  async #namedBy(call: KeptCall): Promise<readonly KeptRecord[] | undefined> {
    const records = new Map<string, KeptRecord>()
    let next: readonly (KeptRecord | KeptCall)[] = [call]
    while (next.length > 0) {
      await this.#readRows(next.flatMap(({ beside = [] }) => beside))
      const found: KeptRecord[] = []
      let isWhole = true
      for (const kept of next)
        for (const [key, pk] of contentsOfKept(kept).records) {
          const place = recordName(key, pk)
          if (records.has(place) || !this.#source.rows.isKept({ key, pk: '' })) continue
          const record = this.#records.get(place)
          if (record === undefined) isWhole = false
          else {
            records.set(place, record)
            found.push(record)
          }
        }
      if (!isWhole) return undefined
      next = found
    }
    return [...records.values()]
  }

  async #readRows(missing: readonly string[]): Promise<void> {
    const { rows } = this.#source
    const names = [...new Set(missing)].filter((row) => !this.#read.has(row)).map((row) => rows.prefix + row)
    if (names.length > 0) this.#take(await rows.read(existing(names, await this.#source.read(names))))
  }

  #take(read: readonly (readonly [key: string, records: readonly KeptRecord[]])[]): void {
    const { prefix, buckets } = this.#source.rows
    for (const [key, records] of read) {
      const row = key.slice(prefix.length)
      if (this.#read.has(row)) continue
      this.#read.add(row)
      buckets.add(row, records)
      for (const record of records) this.#takeRecord(record)
    }
  }

  /** Each tab has rows of its own, so a record may be in several: the one that was received last counts. */
  #takeRecord(record: KeptRecord): void {
    const name = recordName(record.key, record.pk)
    const known = this.#records.get(name)
    if (known === undefined || known.at <= record.at) this.#records.set(name, record)
  }

  /** Shows records once. Those of a row that was read again are others: the first are shown. */
  #showRecords(records: readonly KeptRecord[]): void {
    const known = records.map((record) => this.#records.get(recordName(record.key, record.pk)) ?? record)
    const hidden = known.filter((record) => !this.#shown.has(record))
    for (const record of hidden) this.#shown.add(record)
    if (hidden.length > 0) this.#source.show(hidden)
  }

  #showCall(call: KeptCall): void {
    if (this.#shown.has(call.key)) return
    this.#shown.add(call.key)
    this.#source.rows.buckets.addCall(call.key, call.beside ?? [])
    this.#source.show([call])
    this.#source.restored(call.key)
  }

  /** Reads all rows of a kind. Between two slices it restores what was asked for meanwhile. */
  async #eachSlice<Value>(
    kind: string,
    take: (read: readonly (readonly [key: string, value: Value])[]) => void,
  ): Promise<void> {
    const { rows } = this.#source
    let last: string | undefined
    for (;;) {
      const slice = await this.#source.list(rows.prefix + kind, last, restoreSlice)
      if (slice.length === 0 || this.#source.isOver()) return
      last = slice.at(-1)?.[0]
      take(await rows.read<Value>(slice))
      await this.#answer()
      if (this.#source.isOver()) return
    }
  }
}

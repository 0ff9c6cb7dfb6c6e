import { getOrMake } from '../util/get-or-make.js'

/** The highest count of records in one row. */
export const bucketSize = 64

/** How much later a row has to be used before that is written down, in milliseconds: an hour. */
const usedStep = 3_600_000

/** Rows and when each was used last, as it is kept: milliseconds since the epoch. */
export type UsedRows = Readonly<Record<string, number>>

/** A row of records. */
interface Bucket {
  count: number
  /** When it was written or a call that names it was asked for: milliseconds since the epoch. */
  usedAt: number
  /** `false` until the storage has it. */
  isStored: boolean
}

/** Knows which row a record is in, which rows a call names, and when each row was used last. */
export class Buckets {
  readonly #now: () => number
  /** By entity key and primary key, the row of a record. */
  readonly #rows = new Map<string, Map<string, string>>()
  #size = 0
  readonly #buckets = new Map<string, Bucket>()
  /** By key of a call, the rows of the records that it names. */
  readonly #calls = new Map<string, readonly string[]>()
  /** The row that takes further records. */
  #open: string | undefined
  /** What is written of `usedAt`. */
  #written: UsedRows
  /** `true` if it says too little by now. */
  #isNews = false

  /** @param used - as `used` has returned it in an earlier visit */
  constructor(now: () => number, used: UsedRows = {}) {
    this.#now = now
    this.#written = used
  }

  /** The count of kept records. */
  get size(): number {
    return this.#size
  }

  get count(): number {
    return this.#buckets.size
  }

  /** The row of a record; `undefined` if it is not kept. */
  rowOf(key: string, pk: string): string | undefined {
    return this.#rows.get(key)?.get(pk)
  }

  /** The row of a record; a new record gets a place in one. */
  rowFor(key: string, pk: string): string {
    const row = this.rowOf(key, pk) ?? this.#rowWithRoom()
    this.#place(key, pk, row)
    this.#use(row)
    return row
  }

  /** The row of a record that has to be written without a read: one that is not stored. */
  newRowFor(key: string, pk: string): string {
    const kept = this.rowOf(key, pk)
    if (kept !== undefined && !this.isStored(kept)) return this.rowFor(key, pk)
    if (this.#open !== undefined && this.isStored(this.#open)) this.#open = undefined
    const row = this.#rowWithRoom()
    this.#place(key, pk, row)
    return row
  }

  /** Notes the records of a row that was read. */
  add(row: string, records: readonly { readonly key: string; readonly pk: string }[]): void {
    this.#buckets.set(row, { count: records.length, usedAt: this.#writtenOf(row), isStored: true })
    for (const { key, pk } of records) this.#place(key, pk, row)
  }

  /** `true` if the storage may have records in a row. */
  isStored(row: string): boolean {
    return this.#buckets.get(row)?.isStored !== false
  }

  /** Notes that the storage has a row. */
  noteStored(row: string): void {
    const bucket = this.#buckets.get(row)
    if (bucket !== undefined) bucket.isStored = true
  }

  /** Notes the rows that a call names. */
  addCall(key: string, rows: readonly string[]): void {
    this.#calls.set(key, rows)
  }

  /** Notes that a call was asked for. */
  useCall(key: string): void {
    for (const row of this.#calls.get(key) ?? []) this.#use(row)
  }

  /** Removes the rows that were used least recently, and the calls that name them: a list would lack members. @returns their rows */
  dropLeastUsed(count: number): string[] {
    const oldest = [...this.#buckets].sort(([, a], [, b]) => a.usedAt - b.usedAt).slice(0, count)
    const dropped = new Set(oldest.map(([row]) => row))
    for (const row of dropped) this.#buckets.delete(row)
    for (const records of this.#rows.values())
      for (const [pk, row] of records) if (dropped.has(row) && records.delete(pk)) this.#size--
    if (this.#open !== undefined && dropped.has(this.#open)) this.#open = undefined
    const calls = [...this.#calls].flatMap(([key, rows]) =>
      rows.some((row) => dropped.has(row)) ? [key] : [],
    )
    for (const key of calls) this.#calls.delete(key)
    return [...dropped, ...calls.map((key) => `c/${key}`)]
  }

  /** When rows were used, to be written; `undefined` if that is no news. */
  used(): UsedRows | undefined {
    if (!this.#isNews) return undefined
    this.#isNews = false
    this.#written = Object.fromEntries([...this.#buckets].map(([row, { usedAt }]) => [row, usedAt]))
    return this.#written
  }

  /** When a row was used, as it is written: at first in its name. */
  #writtenOf(row: string): number {
    return this.#written[row] ?? Number.parseInt(row.slice('r/'.length), 10)
  }

  #use(row: string): void {
    const bucket = this.#buckets.get(row)
    if (bucket === undefined) return
    bucket.usedAt = this.#now()
    this.#isNews ||= bucket.usedAt - this.#writtenOf(row) >= usedStep
  }

  #place(key: string, pk: string, row: string): void {
    const records = getOrMake(this.#rows, key, () => new Map<string, string>())
    if (!records.has(pk)) this.#size++
    records.set(pk, row)
  }

  #rowWithRoom(): string {
    const open = this.#open === undefined ? undefined : this.#buckets.get(this.#open)
    if (this.#open !== undefined && open !== undefined && open.count < bucketSize) {
      open.count++
      return this.#open
    }
    const at = this.#now().toString().padStart(15, '0')
    const row = `r/${at}-${this.#buckets.size}-${Math.random().toString(36).slice(2, 8)}`
    this.#buckets.set(row, { count: 1, usedAt: this.#now(), isStored: false })
    this.#open = row
    return row
  }
}

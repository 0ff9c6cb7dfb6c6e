import { recordName } from './rows.js'

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
}

/** Knows which row a record is in, which rows a call names, and when each row was used last. */
export class Buckets {
  readonly #now: () => number
  /** By place, the row of a record. */
  readonly #rows = new Map<string, string>()
  readonly #buckets = new Map<string, Bucket>()
  /** By key of a call, the rows of the records that it names. */
  readonly #calls = new Map<string, readonly string[]>()
  /** The row that takes further records. */
  #open: string | undefined
  /** What is written of `usedAt`. */
  #written: UsedRows

  /** @param used - as `used` has returned it in an earlier visit */
  constructor(now: () => number, used: UsedRows = {}) {
    this.#now = now
    this.#written = used
  }

  /** The count of kept records. */
  get size(): number {
    return this.#rows.size
  }

  get count(): number {
    return this.#buckets.size
  }

  /** The row of a record; `undefined` if it is not kept. */
  rowOf(place: string): string | undefined {
    return this.#rows.get(place)
  }

  /** The row of a record; a new record gets a place in one. */
  rowFor(key: string, pk: string): string {
    const place = recordName(key, pk)
    const row = this.#rows.get(place) ?? this.#rowWithRoom()
    this.#rows.set(place, row)
    this.#use(row)
    return row
  }

  /** Notes the records of a row that was read. */
  add(row: string, records: readonly { readonly key: string; readonly pk: string }[]): void {
    const usedAt = this.#writtenOf(row)
    this.#buckets.set(row, { count: records.length, usedAt })
    for (const { key, pk } of records) this.#rows.set(recordName(key, pk), row)
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
    for (const [place, row] of this.#rows) if (dropped.has(row)) this.#rows.delete(place)
    if (this.#open !== undefined && dropped.has(this.#open)) this.#open = undefined
    const calls = [...this.#calls].flatMap(([key, rows]) =>
      rows.some((row) => dropped.has(row)) ? [key] : [],
    )
    for (const key of calls) this.#calls.delete(key)
    return [...dropped, ...calls.map((key) => `c/${key}`)]
  }

  /** When rows were used, to be written; `undefined` if that is no news. */
  used(): UsedRows | undefined {
    const used = Object.fromEntries([...this.#buckets].map(([row, { usedAt }]) => [row, usedAt]))
    const isNews = Object.entries(used).some(([row, at]) => at - this.#writtenOf(row) >= usedStep)
    if (!isNews) return undefined
    this.#written = used
    return used
  }

  /** When a row was used, as it is written: at first in its name. */
  #writtenOf(row: string): number {
    return this.#written[row] ?? Number.parseInt(row.slice('r/'.length), 10)
  }

  #use(row: string): void {
    const bucket = this.#buckets.get(row)
    if (bucket !== undefined) bucket.usedAt = this.#now()
  }

  #rowWithRoom(): string {
    const open = this.#open === undefined ? undefined : this.#buckets.get(this.#open)
    if (this.#open !== undefined && open !== undefined && open.count < bucketSize) {
      open.count++
      return this.#open
    }
    const at = this.#now().toString().padStart(15, '0')
    const row = `r/${at}-${this.#buckets.size}-${Math.random().toString(36).slice(2, 8)}`
    this.#buckets.set(row, { count: 1, usedAt: this.#now() })
    this.#open = row
    return row
  }
}

import { getOrMake } from '../util/get-or-make.js'
import { warn } from '../errors.js'
import type { KeyTester } from '../endpoint/endpoint.js'
import { isEntityClass } from '../schema/schema.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { pack, unpack } from '../storage/pack.js'
import type { RowStorage, Storable, StoredRow } from '../storage/row-storage.js'
import { bucketSize, Buckets } from './buckets.js'
import type { UsedRows } from './buckets.js'
import type { Kept, PersistOptions } from './options.js'
import { callsIn, eachNamed, existing, isSameKept, keptName, recordName, recordsIn } from './rows.js'
import type { KeptCall, KeptRecord, RecordInState } from './rows.js'

/** How many rows of records are written at once. Between them the page can work. */
const sliceSize = 4

/** The rows of one user, from the sign-in to the sign-out. */
export class ScopeRows {
  /** The beginning of the keys of all rows. */
  readonly prefix: string
  /** What was restored and may have a list, by its name: the first write serializes it, changed or not. */
  readonly restored = new Map<string, KeptRecord | KeptCall>()
  buckets: Buckets
  /** `true` once the user signed out: then nothing is written any more. */
  isOver = false
  readonly #options: PersistOptions & { readonly storage: RowStorage }
  readonly #now: () => number

  constructor(scope: string, options: PersistOptions & { readonly storage: RowStorage }, now: () => number) {
    this.prefix = `persist/${encodeURIComponent(scope)}/`
    this.#options = options
    this.#now = now
    this.buckets = new Buckets(now)
  }

  /** Forgets which row a record is in. @param used - when the rows were used, as it is kept */
  begin(used?: UsedRows): void {
    this.buckets = new Buckets(this.#now, used)
  }

  /** `true` for a record or a call that the options do not leave out. */
  isKept(each: { readonly key: string; readonly pk?: string }): boolean {
    const { include, exclude = [] } = this.#options
    const isMeant = (kept: Kept) =>
      kept.some((one) =>
        isEntityClass(one)
          ? 'pk' in each && one.key === each.key
          : !('pk' in each) && (one as KeyTester).testKey(each.key),
      )
    const isOfKind = (one: Kept[number]) => isEntityClass(one) === 'pk' in each
    const isIncluded = include === undefined || !include.some(isOfKind) || isMeant(include)
    return isIncluded && !isMeant(exclude)
  }

  /** Reads rows, and leaves out those that cannot be read. */
  async read<Value>(rows: readonly StoredRow[]): Promise<(readonly [string, Value])[]> {
    const { decode = (row: Storable) => row } = this.#options
    const found: (readonly [string, Value])[] = []
    const broken: string[] = []
    for (const [key, row] of rows) {
      try {
        found.push([key, requireKept(unpack(await decode(row))) as Value])
      } catch {
        broken.push(key)
      }
    }
    if (broken.length > 0) {
      warn(
        `persist() drops rows that cannot be read: ${broken.slice(0, 5).join(', ')}${broken.length > 5 ? ' …' : ''}`,
      )
      await this.#options.storage.write(broken.map((key) => [key, undefined]))
    }
    return found
  }

  /** Writes what a state has that is not kept yet. @throws errors of the storage; what was written stays */
  async write(state: DehydratedState): Promise<void> {
    const { buckets } = this
    const { maxRecords = 50_000 } = this.#options
    // What was restored is no change.
    const isNew = (name: string, take: () => KeptRecord | KeptCall) => {
      const before = this.restored.get(name)
      return before === undefined || !isSameKept(before, take())
    }
    const changed = new Map<string, RecordInState[]>()
    for (const record of recordsIn(state)) {
      const { key, pk, take } = record
      if (!this.isKept(record) || !isNew(recordName(key, pk), take)) continue
      getOrMake(changed, buckets.rowFor(key, pk), () => []).push(record)
    }
    // Records before the calls that name them.
    const names = [...changed.keys()]
    for (let index = 0; index < names.length; index += sliceSize)
      await this.#put(await this.#rowsOf(names.slice(index, index + sliceSize), changed))
    const rows: (readonly [string, Storable])[] = []
    for (const call of callsIn(state).filter((each) => this.isKept(each) && isNew(each.key, () => each)))
      rows.push(...(await this.#callRow(call)))
    const used = buckets.used()
    if (used !== undefined) rows.push([`${this.prefix}used`, used])
    await this.#put(rows)
    // Not before: what cannot be written is tried again.
    this.restored.clear()
    const spare = buckets.size - maxRecords
    if (spare > 0) await this.drop(Math.ceil(spare / bucketSize))
  }

  async #put(rows: readonly (readonly [string, Storable])[]): Promise<void> {
    if (rows.length > 0 && !this.isOver) await this.#options.storage.write(rows)
  }

  /** Rows with changed records, and the other records in them. */
  async #rowsOf(
    names: readonly string[],
    changed: ReadonlyMap<string, readonly RecordInState[]>,
  ): Promise<(readonly [string, Storable])[]> {
    const { storage, encode = (row: Storable) => row } = this.#options
    const keys = names.map((name) => this.prefix + name)
    const before = new Map(await this.read<readonly KeptRecord[]>(existing(keys, await storage.read(keys))))
    const rows: (readonly [string, Storable])[] = []
    for (const [index, name] of names.entries()) {
      const key = keys[index] as string
      const merged = new Map((before.get(key) ?? []).map((each) => [keptName(each), each]))
      for (const { take } of changed.get(name) ?? []) {
        const record = take()
        const beside = this.#beside(record, name)
        merged.set(keptName(record), beside.length > 0 ? { ...record, beside } : record)
      }
      rows.push([key, await encode(await pack([...merged.values()]))])
    }
    return rows
  }

  /** The row of a call; none, with a warning, for one that cannot be kept. */
  async #callRow(call: KeptCall): Promise<[] | [readonly [string, Storable]]> {
    const { encode = (row: Storable) => row } = this.#options
    const beside = this.#beside(call)
    try {
      const row = await encode(await pack({ ...call, beside }))
      this.buckets.addCall(call.key, beside)
      return [[`${this.prefix}c/${call.key}`, row]]
    } catch (error) {
      warn(`persist() leaves out ${call.key}: ${(error as Error).message}`)
      return []
    }
  }

  /** The other rows that have the records which a kept record or call names. */
  #beside(kept: KeptRecord | KeptCall, own?: string): readonly string[] {
    const rows = new Set<string>()
    eachNamed(kept, (key, pk) => {
      const row = this.buckets.rowOf(recordName(key, pk))
      if (row !== undefined && row !== own) rows.add(row)
    })
    return [...rows]
  }

  /** Drops the rows of records that were used least recently, with the calls that name them. */
  async drop(count: number): Promise<void> {
    const rows = this.buckets.dropLeastUsed(count)
    await this.#options.storage.write(rows.map((row) => [this.prefix + row, undefined]))
  }

  /** Deletes all of them. */
  async delete(): Promise<void> {
    const { storage } = this.#options
    const rows = await storage.list(this.prefix)
    await storage.write(rows.map(([key]) => [key, undefined]))
  }
}

/** Returns the records of a row that have the form of records, or a call. @throws {TypeError} for another form */
function requireKept(value: unknown): readonly KeptRecord[] | KeptCall {
  if (Array.isArray(value)) return value.filter(isKeptRecord)
  if (typeof (value as KeptCall | null)?.state !== 'object') throw new TypeError('It has another form.')
  return value as KeptCall
}

function isKeptRecord(value: unknown): boolean {
  const { key, pk, at } = (value ?? {}) as Partial<KeptRecord>
  return typeof key === 'string' && typeof pk === 'string' && typeof at === 'number'
}

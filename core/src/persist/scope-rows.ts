import { getOrMake } from '../util/get-or-make.js'
import { warn } from '../errors.js'
import type { KeyTester } from '../endpoint/endpoint.js'
import { isEntityClass } from '../schema/schema.js'
import { epochOf } from '../platform/end-mark.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { deleteOthers, deleteRows } from '../storage/delete-rows.js'
import type { RowStorage, Storable, StoredRow } from '../storage/row-storage.js'
import { bucketSize, Buckets } from './buckets.js'
import type { UsedRows } from './buckets.js'
import type { Kept, PersistOptions } from './persist-options.js'
import type { Contents } from './contents.js'
import { keptToRow, rowToKept } from './row-form.js'
import {
  keptCallsIn,
  contentsOfKept,
  existing,
  isSameKept,
  keptName,
  recordsIn,
  takeRecord,
} from './kept-rows.js'
import type { KeptCall, KeptRecord, RecordInState, WithContents } from './kept-rows.js'

/** How many rows of records are written at once. Between them the page can work. */
const readSlice = 8

const isTester = (value: unknown): value is KeyTester =>
  typeof (value as Partial<KeyTester> | undefined)?.testKey === 'function'

/** An endpoint, or those of a resource; empty for anything else. */
export const testersIn = (one: unknown): readonly KeyTester[] =>
  isTester(one) ? [one] : typeof one === 'object' && one !== null ? Object.values(one).filter(isTester) : []

/** The rows of one user, from the sign-in to the sign-out. */
export class ScopeRows {
  /** The beginning of the keys of all rows. */
  readonly prefix: string
  buckets: Buckets
  /** `true` once the user signed out, or the Controller was disposed: then nothing is written any more. */
  isOver = false
  /** What was restored and may have a list, by its name: the first write serializes it, changed or not. */
  readonly #restored = new Map<string, KeptRecord | KeptCall>()
  /** `true` once it warned of a row that cannot be read. */
  #isTold = false
  readonly #scope: string
  #isMixed = false
  readonly #options: PersistOptions & { readonly storage: RowStorage }
  readonly #now: () => number

  constructor(options: PersistOptions & { readonly storage: RowStorage }, now: () => number) {
    this.#options = options
    this.#scope = scopeOf(options)
    this.prefix = `${persistOwner(options)}/${this.#scope}/`
    this.#now = now
    this.buckets = new Buckets(now)
  }

  /** `true` while nobody is signed in: what they kept is nobody's secret, and no end of a visit. */
  get isOfNobody(): boolean {
    return this.#options.scope !== undefined && /^( |$)/.test(this.#scope)
  }

  /** Returns `false` from the moment when the scope changed without a reset, here or in another tab: data may be of either user. */
  checkScope(): boolean {
    this.#isMixed ||= scopeOf(this.#options) !== this.#scope
    return !this.#isMixed
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
          : !('pk' in each) && testersIn(one).some((tester) => tester.testKey(each.key)),
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
        const stored = rowToKept(await decode(row))
        const kept = requireStored(stored)
        found.push([key, kept as Value])
        // Some of its records.
        if ((kept as []).length !== (stored as []).length) this.#tell(key)
      } catch {
        broken.push(key)
        this.#tell(key)
      }
    }
    if (broken.length > 0) await this.#options.storage.write(broken.map((key) => [key, undefined]))
    return found
  }

  /** Notes what is shown: it is no change. */
  noteRestored(kept: readonly (KeptRecord | KeptCall)[]): void {
    for (const each of kept)
      if (!('pk' in each) || each.parts !== undefined) this.#restored.set(keptName(each), each)
  }

  #tell(key: string): void {
    if (this.#isTold) return
    this.#isTold = true
    warn(`persist() leaves out what cannot be read, such as ${key}`)
  }

  /**
   * Writes what a state has that is not kept yet.
   *
   * @param isLast - `false` if the rest of what changed follows
   * @param isLeft - `true` for a page that is left, which no answer of the storage reaches any more
   * @throws errors of the storage; what was written stays
   */
  async write(state: DehydratedState, isLast = true, isLeft = false): Promise<void> {
    const changed = this.#changedRows(state, isLeft)
    // Records before the calls that name them.
    const names = [...changed.keys()]
    for (let index = 0; index < names.length; index += readSlice)
      await this.#putRecords(names.slice(index, index + readSlice), changed)
    const rows: (readonly [string, Storable])[] = []
    for (const call of keptCallsIn(state))
      if (this.isKept(call.kept) && !this.#isRestored(call.kept)) rows.push(...(await this.#callRow(call)))
    const used = this.buckets.used()
    if (used !== undefined) rows.push([`${this.prefix}used`, used])
    await this.#put(rows)
    if (!isLast) return
    // Not before: what cannot be written is tried again.
    this.#restored.clear()
    const { maxRecords = 50_000 } = this.#options
    const spare = this.buckets.size - maxRecords
    if (spare > 0) await this.drop(Math.ceil(spare / bucketSize))
  }

  /**
   * The records of a state that are not kept yet, by row. A page that is left cannot read the other records of a row, and
   * writes new rows: a record may be in several.
   */
  #changedRows(state: DehydratedState, isLeft: boolean): Map<string, RecordInState[]> {
    const changed = new Map<string, RecordInState[]>()
    for (const record of recordsIn(state, (key) => this.isKept({ key, pk: '' }))) {
      if (this.#restored.size > 0 && this.#isRestored(takeRecord(record).kept)) continue
      const row = this.buckets[isLeft ? 'newRowFor' : 'rowFor'](record.key, record.pk)
      getOrMake(changed, row, () => []).push(record)
    }
    return changed
  }

  /** `true` for what was restored and has not changed since. */
  #isRestored(kept: KeptRecord | KeptCall): boolean {
    return isSameKept(this.#restored.get(keptName(kept)), kept)
  }

  async #put(rows: readonly (readonly [string, Storable])[]): Promise<void> {
    if (rows.length > 0 && !this.isOver) await this.#options.storage.write(rows)
  }

  /** Writes rows with changed records, and the other records in them. */
  async #putRecords(
    names: readonly string[],
    changed: ReadonlyMap<string, readonly RecordInState[]>,
  ): Promise<void> {
    const before = await this.#storedRecords(names)
    const rows: (readonly [string, Storable])[] = []
    for (const name of names)
      rows.push([this.prefix + name, await this.#recordRow(name, before.get(name), changed.get(name) ?? [])])
    await this.#put(rows)
    for (const name of names) this.buckets.noteStored(name)
  }

  /** The records that the storage has in rows, by row. */
  async #storedRecords(names: readonly string[]): Promise<Map<string, readonly KeptRecord[]>> {
    const stored = names.filter((name) => this.buckets.isStored(name))
    if (stored.length === 0) return new Map()
    const keys = stored.map((name) => this.prefix + name)
    const rows = await this.read<readonly KeptRecord[]>(
      existing(keys, await this.#options.storage.read(keys)),
    )
    return new Map(rows.map(([key, records]) => [key.slice(this.prefix.length), records]))
  }

  /** A row of records, without those that cannot be kept: of these it warns. */
  async #recordRow(
    name: string,
    before: readonly KeptRecord[] = [],
    changed: readonly RecordInState[],
  ): Promise<Storable> {
    const merged = new Map(before.map((record) => [keptName(record), record]))
    let isJson = before.every((record) => contentsOfKept(record).isJson)
    for (const each of changed) {
      const { kept, contents } = takeRecord(each)
      const beside = this.#beside(contents, name)
      if (contents.isJson || (await isStorable(kept))) {
        isJson &&= contents.isJson
        merged.set(keptName(kept), beside.length > 0 ? { ...kept, beside } : kept)
      } else merged.delete(keptName(kept))
    }
    const { encode = (row: Storable) => row } = this.#options
    return encode(await keptToRow([...merged.values()], isJson))
  }

  /** The row of a call; none, with a warning, for one that cannot be kept. */
  async #callRow({
    kept: call,
    contents,
  }: WithContents<KeptCall>): Promise<[] | [readonly [string, Storable]]> {
    const { encode = (row: Storable) => row } = this.#options
    const beside = this.#beside(contents)
    try {
      const row = await encode(await keptToRow({ ...call, beside }, contents.isJson))
      this.buckets.addCall(call.key, beside)
      return [[`${this.prefix}c/${call.key}`, row]]
    } catch (error) {
      warn(`persist() leaves out ${call.key}: ${(error as Error).message}`)
      return []
    }
  }

  /** The other rows that have the records which a kept record or call names. */
  #beside({ records }: Contents, own?: string): readonly string[] {
    const rows = new Set<string>()
    for (const [key, pk] of records) {
      const row = this.buckets.rowOf(key, pk)
      if (row !== undefined && row !== own) rows.add(row)
    }
    return [...rows]
  }

  /** Drops the rows of records that were used least recently, with the calls that name them. */
  async drop(count: number): Promise<void> {
    const rows = this.buckets.dropLeastUsed(count)
    await this.#options.storage.write(rows.map((row) => [this.prefix + row, undefined]))
  }

  /** Deletes all of them. */
  delete(): Promise<void> {
    return deleteRows(this.#options.storage, this.prefix)
  }

  /** Deletes the rows of all users that were written in an earlier epoch. */
  deleteEnded(): Promise<void> {
    const epoch = epochOf(persistOwner(this.#options))
    return deleteOthers(
      this.#options.storage,
      this.prefix,
      (scope) => (/ .*|$/.exec(scope)?.[0] ?? '') < epoch,
    )
  }
}

/** `false`, with a warning, for a record that no storage can hold. */
async function isStorable(record: KeptRecord): Promise<boolean> {
  try {
    await keptToRow(record, false)
    return true
  } catch (error) {
    warn(`persist() leaves out ${record.key} "${record.pk}": ${(error as Error).message}`)
    return false
  }
}

/** The beginning of the keys of all users. */
export function persistOwner({ name = '' }: PersistOptions): string {
  return `persist/${encodeURIComponent(name)}`
}

/** The user and the epoch, as keys have them. */
function scopeOf(options: PersistOptions): string {
  return encodeURIComponent(options.scope?.() ?? '') + epochOf(persistOwner(options))
}

/** Returns the records of a row that have the form of records, or a call. @throws {TypeError} for another form */
function requireStored(value: unknown): readonly KeptRecord[] | KeptCall {
  if (Array.isArray(value)) return value.filter((each) => isReadableKept(each) && 'pk' in each)
  if (!isReadableKept(value)) throw new TypeError()
  return value
}

/** `true` for what has all that is read of it before it is hydrated. */
function isReadableKept(value: unknown): value is KeptRecord & KeptCall {
  try {
    const kept = value as KeptRecord & KeptCall
    const { at, beside = [], key, pk = '' } = kept
    const isNamed = typeof key === 'string' && typeof pk === 'string'
    return isNamed && typeof at === 'number' && Array.isArray(beside) && isSameKept(kept, kept)
  } catch {
    return false
  }
}

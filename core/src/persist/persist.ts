import { development } from '#development'
import type { Controller, Middleware } from '../controller/controller.js'
import type { KeyTester } from '../endpoint/endpoint.js'
import { isUnnamed } from '../endpoint/unnamed.js'
import { warn } from '../errors.js'
import { StateChanges } from '../hydration/dehydrate-changes.js'
import { hydrate } from '../hydration/hydrate.js'
import type { EntityClass } from '../schema/schema.js'
import { isEntityClass } from '../schema/schema.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { indexedDbStorage } from '../storage/indexed-db-storage.js'
import { keptStates } from '../storage/kept-states.js'
import { pack, unpack } from '../storage/pack.js'
import type { RowStorage, Storable, StoredRow } from '../storage/row-storage.js'
import { callsOf } from '../controller/calls-of.js'
import { getOrMake } from '../util/get-or-make.js'
import { listen } from '../util/listen.js'
import { createSettleable } from '../util/settleable.js'
import { bucketSize, Buckets } from './buckets.js'
import type { UsedRows } from './buckets.js'
import { Restoration } from './restoration.js'
import { callsIn, eachNamed, existing, isSameKept, recordName, recordsIn, staleOf, statesOf } from './rows.js'
import type { KeptCall, KeptRecord, RecordInState } from './rows.js'

/** Entity classes, and endpoints or anything else with a `testKey`. */
export type Kept = readonly (EntityClass<{ pk(...args: never): unknown }> | KeyTester)[]

/** Options of `persist`. Lengths are milliseconds. */
export interface PersistOptions {
  /** @default `indexedDbStorage()`; without IndexedDB the middleware does nothing */
  readonly storage?: RowStorage | undefined
  /** The version of your classes. Data of another version is given to `migrate`, or dropped. @default 1 */
  readonly version?: number | undefined
  /** Returns the fields of a stored record for this version; `undefined` drops it. @default records of another version are dropped */
  readonly migrate?: ((entity: string, fields: unknown, from: number) => unknown) | undefined
  /** What to keep. Classes and endpoints are looked at apart: without a class in it, all records are kept. @default all */
  readonly include?: Kept | undefined
  /** What not to keep. @default nothing */
  readonly exclude?: Kept | undefined
  /** How old data may be when it is shown after a reload. @default 604800000: a week */
  readonly maxAge?: number | undefined
  /** How many records are kept, about: beyond it those that were used least recently are dropped. @default 50000 */
  readonly maxRecords?: number | undefined
  /** How long requests wait at the start for the storage. @default 100 */
  readonly waitMs?: number | undefined
  /** Returns the id of the user. Read at the start and at each `resetAll`. @default there is one user */
  readonly scope?: (() => string | undefined) | undefined
  /** `true` keeps the data of a user who signs out for the return. Needs a `scope`. @default false: `resetAll` deletes it */
  readonly keepScopes?: boolean | undefined
  /** Changes a row before it is written, for example encrypts it. @default as it is */
  readonly encode?: ((row: Storable) => Storable | Promise<Storable>) | undefined
  /** Does the opposite of `encode`. */
  readonly decode?: ((row: Storable) => Storable | Promise<Storable>) | undefined
}

/** What `persist` does for one Controller. */
export interface Persisted {
  /** `true` once all that was kept is restored, or nothing can be. */
  readonly isReady: boolean
  /** Resolves then; never rejects. */
  readonly ready: Promise<void>
  /** Writes what has changed, now. Resolves when it is written. */
  readonly flush: () => Promise<void>
  /** Deletes what is kept of this scope. */
  readonly clear: () => Promise<void>
}

const persistedOf = new WeakMap<Controller, Persisted>()

const nothing: Persisted = {
  isReady: true,
  ready: Promise.resolve(),
  flush: () => Promise.resolve(),
  clear: () => Promise.resolve(),
}

/** Returns what `persist` does for a Controller: for one without it, and on a server, it is ready and does nothing. */
export function persisted(controller: Controller): Persisted {
  return persistedOf.get(controller) ?? nothing
}

/**
 * Keeps received data over a reload: records, lists and calls, and what changed only. It is shown at the next start, and is Stale
 * then, so that readers fetch it. Optimistic data is not kept. On a server it does nothing.
 *
 * @see specification 4.7, Persistence
 * @example new Controller({ middleware: [persist({ version: 3, exclude: [getBalance], scope: () => session.userId })] })
 */
export function persist(options: PersistOptions = {}): Middleware {
  return (controller) => {
    const isPossible =
      options.storage !== undefined || (globalThis as { indexedDB?: unknown }).indexedDB !== undefined
    if (!isPossible) return { passesOn: true }
    const keeper = new Keeper(controller, { ...options, storage: options.storage ?? indexedDbStorage() })
    persistedOf.set(controller, keeper)
    return keeper.hooks
  }
}

/** How long changes are gathered before they are written, in milliseconds. */
const gatherLength = 200

/** How many rows of records are written at once. Between them the page can work. */
const sliceSize = 4

class Keeper implements Persisted {
  readonly hooks: ReturnType<Middleware>
  readonly #controller: Controller
  readonly #options: PersistOptions & { readonly storage: RowStorage }
  #scope: string
  #changes: StateChanges | undefined
  /** `true` while what was kept is stored: that is no change. */
  #isShowing = false
  #buckets: Buckets
  #work: Promise<unknown> = Promise.resolve()
  #settled = createSettleable<undefined>()
  isReady = false
  #isStopped = false
  #isDisposed = false
  #timer: unknown
  #ends: (() => void)[] = []
  /** What was restored and may have a list, by its name: the first write serializes it, changed or not. */
  #restored = new Map<string, KeptRecord | KeptCall>()
  /** The calls that were asked for while the storage was read. */
  readonly #asked = new Set<string>()
  /** By key of a call, what ends the wait of its requests. */
  readonly #waiting = new Map<string, () => void>()

  constructor(controller: Controller, options: PersistOptions & { readonly storage: RowStorage }) {
    this.#controller = controller
    this.#options = options
    this.#scope = this.#scopeNow()
    this.#buckets = this.#newBuckets()
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
        if (!this.isReady && call.kind === 'read') await this.#patience(call.key)
        return next()
      },
    }
    // After the constructor of the Controller, whose store is needed.
    queueMicrotask(() => this.#start())
  }

  get ready(): Promise<void> {
    return this.#settled.promise as Promise<void>
  }

  #scopeNow(): string {
    return this.#options.scope?.() ?? ''
  }

  get #prefix(): string {
    return `persist/${encodeURIComponent(this.#scope)}/`
  }

  #newBuckets(used?: UsedRows): Buckets {
    return new Buckets(() => this.#controller.clock.now(), used)
  }

  #ask(key: string): void {
    if (this.isReady) this.#buckets.useCall(key)
    else this.#asked.add(key)
  }

  /** Waits until a call is restored, or all of the storage, but not for long. */
  async #patience(key: string): Promise<void> {
    const { clock } = this.#controller
    let timer: unknown
    const enough = new Promise<void>((resolve) => {
      this.#waiting.set(key, resolve)
      timer = clock.setTimeout(resolve, this.#options.waitMs ?? 100, { keepsAlive: true })
    })
    this.#tell(key, true)
    await Promise.race([this.ready, enough])
    clock.clearTimeout(timer)
    this.#waiting.delete(key)
    this.#tell(key, false)
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
      listen(globalThis, ['pagehide', 'freeze'], () => void this.flush()),
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
    this.#scope = this.#scopeNow()
    if (this.isReady) this.#settled = createSettleable()
    this.isReady = false
    const scope = this.#scope
    void this.#then(async () => {
      try {
        await this.#restore(scope)
      } catch (error) {
        this.#stop(`cannot be read: ${(error as Error).message}`)
      }
      if (scope === this.#scope) this.#becomeReady()
    })
  }

  #becomeReady(): void {
    this.isReady = true
    this.#settled.resolve(undefined)
  }

  async #restore(scope: string): Promise<void> {
    const { storage, version = 1, migrate } = this.#options
    const prefix = this.#prefix
    // The first screen is asked for by now: its calls are read together with these two.
    const asked = [...this.#asked].map((key) => `${prefix}c/${key}`)
    const [meta, used, ...calls] = await storage.read([`${prefix}version`, `${prefix}used`, ...asked])
    const read = new Map(asked.map((key, index) => [key, calls[index]]))
    const from = meta ?? version
    const isOther = from !== version
    if (isOther && migrate === undefined) await this.#delete(prefix)
    if (meta === undefined || isOther) await storage.write([[`${prefix}version`, version]])
    // What was received before is part of the first write.
    this.#changes = new StateChanges(
      callsOf(this.#controller).store,
      () => this.#isShowing,
      () => this.#later(),
    )
    this.#later()
    this.#buckets = this.#newBuckets((used ?? undefined) as UsedRows | undefined)
    if (isOther && migrate === undefined) return
    const restoration = new Restoration({
      list: (...range) => storage.list(...range),
      read: async (keys) =>
        keys.every((key) => read.has(key)) ? keys.map((key) => read.get(key)) : storage.read(keys),
      prefix,
      buckets: this.#buckets,
      asked: this.#asked,
      hasCalls: !isOther,
      isKept: (key) => this.#isKept({ key, pk: '' }),
      isOver: () => this.#isDisposed || scope !== this.#scope,
      parse: (rows) => this.#read(rows),
      show: (kept) => this.#show(kept, isOther ? Number(from) : undefined),
      restored: (key) => this.#waiting.get(key)?.(),
    })
    await restoration.run()
    for (const key of this.#asked) this.#buckets.useCall(key)
  }

  /** Reads rows, and leaves out those that cannot be read. */
  async #read<Value>(rows: readonly StoredRow[]): Promise<(readonly [string, Value])[]> {
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

  /** Stores what was kept, as Stale data. @param from - the version of the rows, if it is another one */
  #show(kept: readonly (KeptRecord | KeptCall)[], from: number | undefined): void {
    const { maxAge = 7 * 24 * 3_600_000, migrate } = this.#options
    const oldest = this.#controller.clock.now() - maxAge
    const young = kept.filter((each) => each.at >= oldest && this.#isKept(each))
    const given = young.filter((each) => 'pk' in each)
    const records = from === undefined || migrate === undefined ? given : migrated(given, migrate, from)
    for (const each of young)
      if (!('pk' in each) || each.parts !== undefined) this.#restored.set(nameOf(each), each)
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

  #isKept(each: { readonly key: string; readonly pk?: string }): boolean {
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

  // ---- Save ----

  readonly flush = (): Promise<void> => {
    if (this.#isStopped || this.#isDisposed) return Promise.resolve()
    return this.#then(async () => {
      const state = this.#isStopped ? undefined : this.#changes?.next((key) => !isUnnamed(key))
      if (state === undefined || state.records.length + state.results.length === 0) return
      try {
        await this.#write(state)
      } catch (error) {
        if ((error as Error).name !== 'QuotaExceededError') {
          this.#stop(`cannot be written: ${(error as Error).message}`)
          return
        }
        try {
          await this.#drop(Math.ceil(this.#buckets.count / 4))
          await this.#write(state)
        } catch (again) {
          this.#stop(`is full: ${(again as Error).message}`)
        }
      }
    })
  }

  async #write(state: DehydratedState): Promise<void> {
    const prefix = this.#prefix
    const buckets = this.#buckets
    const { storage, maxRecords = 50_000 } = this.#options
    const restored = this.#restored
    // What was restored is no change.
    const isNew = (name: string, take: () => KeptRecord | KeptCall) => {
      const before = restored.get(name)
      return before === undefined || !isSameKept(before, take())
    }
    const changed = new Map<string, RecordInState[]>()
    for (const record of recordsIn(state)) {
      const { key, pk, take } = record
      if (!this.#isKept(record) || !isNew(recordName(key, pk), take)) continue
      getOrMake(changed, buckets.rowFor(key, pk), () => []).push(record)
    }
    const write = async (rows: readonly (readonly [string, Storable])[]) => {
      if (rows.length > 0 && prefix === this.#prefix) await storage.write(rows)
    }
    // Records before the calls that name them.
    const names = [...changed.keys()]
    for (let index = 0; index < names.length; index += sliceSize)
      await write(await this.#rowsOf(names.slice(index, index + sliceSize), changed))
    const rows: (readonly [string, Storable])[] = []
    for (const call of callsIn(state).filter((each) => this.#isKept(each) && isNew(each.key, () => each)))
      rows.push(...(await this.#callRow(call)))
    const used = buckets.used()
    if (used !== undefined) rows.push([`${prefix}used`, used])
    await write(rows)
    // Not before: what cannot be written is tried again.
    if (this.#restored === restored) this.#restored = new Map()
    const spare = buckets.size - maxRecords
    if (spare > 0) await this.#drop(Math.ceil(spare / bucketSize))
  }

  /** Rows with changed records, and the other records in them. */
  async #rowsOf(
    names: readonly string[],
    changed: ReadonlyMap<string, readonly RecordInState[]>,
  ): Promise<(readonly [string, Storable])[]> {
    const { storage, encode = (row: Storable) => row } = this.#options
    const keys = names.map((name) => this.#prefix + name)
    const before = new Map(await this.#read<readonly KeptRecord[]>(existing(keys, await storage.read(keys))))
    const rows: (readonly [string, Storable])[] = []
    for (const [index, name] of names.entries()) {
      const key = keys[index] as string
      const merged = new Map((before.get(key) ?? []).map((each) => [nameOf(each), each]))
      for (const { take } of changed.get(name) ?? []) {
        const record = take()
        const beside = this.#beside(record, name)
        merged.set(nameOf(record), beside.length > 0 ? { ...record, beside } : record)
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
      this.#buckets.addCall(call.key, beside)
      return [[`${this.#prefix}c/${call.key}`, row]]
    } catch (error) {
      warn(`persist() leaves out ${call.key}: ${(error as Error).message}`)
      return []
    }
  }

  /** The other rows that have the records which a kept record or call names. */
  #beside(kept: KeptRecord | KeptCall, own?: string): readonly string[] {
    const rows = new Set<string>()
    eachNamed(kept, (key, pk) => {
      const row = this.#buckets.rowOf(recordName(key, pk))
      if (row !== undefined && row !== own) rows.add(row)
    })
    return [...rows]
  }

  async #drop(count: number): Promise<void> {
    const rows = this.#buckets.dropLeastUsed(count)
    await this.#options.storage.write(rows.map((row) => [this.#prefix + row, undefined]))
  }

  // ---- End ----

  #leave(): void {
    const { scope, keepScopes = false } = this.#options
    const prefix = this.#prefix
    this.#restored = new Map()
    this.#buckets = this.#newBuckets()
    this.#changes?.end()
    this.#changes = undefined
    this.#asked.clear()
    if (scope === undefined || !keepScopes) void this.#then(() => this.#delete(prefix).catch(() => {}))
  }

  readonly clear = (): Promise<void> => {
    this.#buckets = this.#newBuckets()
    return this.#then(() => this.#delete(this.#prefix))
  }

  async #delete(prefix: string): Promise<void> {
    const { storage } = this.#options
    const rows = await storage.list(prefix)
    await storage.write(rows.map(([key]) => [key, undefined]))
  }

  #stop(why: string): void {
    if (this.#isStopped) return
    this.#isStopped = true
    warn(`persist() keeps nothing from here on: its storage ${why}`)
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

/** A name of a kept record or call, among all of them. */
function nameOf(kept: KeptRecord | KeptCall): string {
  return 'pk' in kept ? recordName(kept.key, kept.pk) : kept.key
}

/** The records of another version that are kept, with their new fields. A deleted record has none. */
function migrated(
  records: readonly KeptRecord[],
  migrate: NonNullable<PersistOptions['migrate']>,
  from: number,
): KeptRecord[] {
  return records.flatMap((record) => {
    const fields: unknown = record.fields === null ? null : migrate(record.key, record.fields, from)
    return fields === undefined ? [] : { ...record, fields }
  })
}

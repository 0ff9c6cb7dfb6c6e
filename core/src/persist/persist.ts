import { development } from '#development'
import { changes } from '../changes/changes.js'
import type { Controller, Middleware } from '../controller/controller.js'
import type { KeyTester } from '../endpoint/endpoint.js'
import { warn } from '../errors.js'
import { dehydrateChanges, hydrate } from '../hydration/hydrate.js'
import type { EntityClass } from '../schema/schema.js'
import { isEntityClass } from '../schema/schema.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { indexedDbStorage } from '../storage/indexed-db-storage.js'
import { keptStates } from '../storage/kept-states.js'
import { pack, unpack } from '../storage/pack.js'
import type { RowStorage, Storable, StoredRow } from '../storage/row-storage.js'
import { getOrMake } from '../util/get-or-make.js'
import { listen } from '../util/listen.js'
import { createSettleable } from '../util/settleable.js'
import { bucketSize, split, staleOf } from './rows.js'
import type { KeptCall, KeptRecord } from './rows.js'

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
  /** How many records are kept, about: beyond it those that were written first are dropped. @default 50000 */
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

/** How many rows are restored at once. */
const sliceSize = 20

class Keeper implements Persisted {
  readonly hooks: ReturnType<Middleware>
  readonly #controller: Controller
  readonly #options: PersistOptions & { readonly storage: RowStorage }
  #scope: string
  #changesSince: (() => DehydratedState | undefined) | undefined
  /** By entity key and primary key, the bucket of the record. */
  #places = new Map<string, string>()
  /** The counts of records of the buckets, the first written first. */
  #buckets = new Map<string, number>()
  #open: string | undefined
  #work: Promise<unknown> = Promise.resolve()
  #settled = createSettleable<undefined>()
  isReady = false
  #isStopped = false
  #isDisposed = false
  #timer: unknown
  #ends: (() => void)[] = []
  /** When what was restored was received, by place of a record and key of a call. */
  #restored = new Map<string, number>()
  /** The calls that were asked for while the storage was read. */
  readonly #asked = new Set<string>()

  constructor(controller: Controller, options: PersistOptions & { readonly storage: RowStorage }) {
    this.#controller = controller
    this.#options = options
    this.#scope = this.#scopeNow()
    this.hooks = {
      passesOn: true,
      before: (action) => {
        if (action.type === 'resetAll') this.#leave()
        else if (action.type === 'dispose') this.#dispose()
        else if (action.type === 'fetch') this.#asked.add(action.key)
      },
      after: (action) => {
        if (action.type === 'resetAll') this.#enter()
      },
      request: async (call, next) => {
        if (!this.isReady && call.kind === 'read') await this.#patience()
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

  /** Waits for the storage, but not for long. */
  #patience(): Promise<unknown> {
    const { clock } = this.#controller
    let timer: unknown
    const enough = new Promise<void>((resolve) => {
      timer = clock.setTimeout(resolve, this.#options.waitMs ?? 100, { keepsAlive: true })
    })
    return Promise.race([this.ready, enough]).finally(() => clock.clearTimeout(timer))
  }

  #start(): void {
    if (this.#isDisposed) return
    this.#ends.push(
      changes(this.#controller, ({ received: { records, lists, calls } }) => {
        if (records.length + lists.length + calls.length > 0) this.#later()
      }),
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
    const [meta] = await storage.read([`${prefix}version`])
    const from = meta ?? version
    const isOther = from !== version
    if (isOther && migrate === undefined) await this.#delete(prefix)
    if (meta === undefined || isOther) await storage.write([[`${prefix}version`, version]])
    // What was received before is part of the first write.
    this.#changesSince = dehydrateChanges(this.#controller)
    if (isOther && migrate === undefined) return
    const [calls, buckets] = await Promise.all([storage.list(`${prefix}c/`), storage.list(`${prefix}r/`)])
    const records = await this.#read<readonly KeptRecord[]>(buckets)
    for (const [row, kept] of records) {
      const bucket = row.slice(prefix.length)
      this.#buckets.set(bucket, kept.length)
      for (const { key, pk } of kept) this.#places.set(placeOf(key, pk), bucket)
    }
    const answers = isOther ? [] : await this.#read<KeptCall>(calls)
    // What is asked for first is there first: its records, then the call, then all others.
    const isAsked = ([, { key }]: readonly [string, KeptCall]) => this.#asked.has(key)
    const needed = new Set<string>()
    for (const [, { state }] of answers.filter(isAsked)) for (const place of namedIn(state)) needed.add(place)
    const isNeeded = ([, kept]: readonly [string, readonly KeptRecord[]]) =>
      kept.some(({ key, pk }) => needed.has(placeOf(key, pk)))
    const first = records.filter(isNeeded)
    const others = records.filter((each) => !isNeeded(each))
    const steps = [
      ...first.map(([, kept]) => kept),
      ...answers.filter(isAsked).map(([, call]) => [call]),
      ...others.map(([, kept]) => kept),
      ...answers.filter((each) => !isAsked(each)).map(([, call]) => [call]),
    ]
    for (let index = 0; index < steps.length; index += sliceSize) {
      if (this.#isDisposed || scope !== this.#scope) return
      this.#show(steps.slice(index, index + sliceSize).flat(), isOther ? Number(from) : undefined)
      await Promise.resolve()
    }
  }

  /** Reads rows, and leaves out those that cannot be read. */
  async #read<Value>(rows: readonly StoredRow[]): Promise<(readonly [string, Value])[]> {
    const { decode = (row: Storable) => row } = this.#options
    const found: (readonly [string, Value])[] = []
    const broken: string[] = []
    for (const [key, row] of rows) {
      try {
        const value = unpack(await decode(row)) as { readonly state?: unknown } | readonly unknown[]
        if (!Array.isArray(value) && typeof (value as { state?: unknown }).state !== 'object')
          throw new TypeError('It has another form.')
        found.push([key, value as Value])
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

  #show(kept: readonly (KeptRecord | KeptCall)[], from: number | undefined): void {
    const { maxAge = 7 * 24 * 3_600_000, migrate } = this.#options
    const oldest = this.#controller.clock.now() - maxAge
    this.#controller.batch(() => {
      for (const each of kept) {
        if (each.at < oldest || !this.#isKept(each)) continue
        this.#restored.set('pk' in each ? placeOf(each.key, each.pk) : each.key, each.at)
        try {
          const { state } = each
          const records =
            from === undefined || migrate === undefined
              ? state.records
              : state.records.map(([key, given]) => {
                  const migrated = given.flatMap(([pk, stamp, fields]) => {
                    const next = fields === null ? null : migrate(key, fields, from)
                    return next === undefined ? [] : [[pk, stamp, next] as const]
                  })
                  return [key, migrated] as const
                })
          const stale = staleOf({ ...state, records })
          keptStates.add(stale)
          hydrate(this.#controller, stale)
        } catch (error) {
          if (development) warn(error)
        }
      }
    })
  }

  #isKept(each: KeptRecord | KeptCall): boolean {
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
      const state = this.#isStopped ? undefined : this.#changesSince?.()
      if (state === undefined) return
      try {
        await this.#write(state)
      } catch (error) {
        if ((error as Error).name !== 'QuotaExceededError') {
          this.#stop(`cannot be written: ${(error as Error).message}`)
          return
        }
        try {
          await this.#dropOldest(Math.ceil(this.#buckets.size / 4))
          await this.#write(state)
        } catch (again) {
          this.#stop(`is full: ${(again as Error).message}`)
        }
      }
    })
  }

  async #write(state: DehydratedState): Promise<void> {
    const prefix = this.#prefix
    const { storage, encode = (row: Storable) => row, maxRecords = 50_000 } = this.#options
    const { records, calls } = split(state)
    // What was restored is no change.
    const restored = this.#restored
    this.#restored = new Map()
    const changed = new Map<string, KeptRecord[]>()
    for (const record of records) {
      const place = placeOf(record.key, record.pk)
      if (restored.get(place) === record.at || !this.#isKept(record)) continue
      const bucket = getOrMake(this.#places, place, () => this.#openBucket())
      getOrMake(changed, bucket, () => []).push(record)
    }
    const names = [...changed.keys()]
    const before = await this.#read<readonly KeptRecord[]>(
      (await storage.read(names.map((name) => prefix + name))).flatMap((row, index): StoredRow[] =>
        row === undefined ? [] : [[prefix + (names[index] ?? ''), row]],
      ),
    )
    const known = new Map(before)
    const rows: [string, Storable][] = []
    for (const [bucket, given] of changed) {
      const merged = new Map(
        (known.get(prefix + bucket) ?? []).map((each) => [placeOf(each.key, each.pk), each]),
      )
      for (const record of given) merged.set(placeOf(record.key, record.pk), record)
      this.#buckets.set(bucket, merged.size)
      rows.push([prefix + bucket, await encode(await pack([...merged.values()]))])
    }
    for (const call of calls) {
      if (restored.get(call.key) === call.at || !this.#isKept(call)) continue
      try {
        rows.push([`${prefix}c/${call.key}`, await encode(await pack(call))])
      } catch (error) {
        warn(`persist() leaves out ${call.key}: ${(error as Error).message}`)
      }
    }
    if (rows.length > 0 && prefix === this.#prefix) await storage.write(rows)
    const spare = this.#places.size - maxRecords
    if (spare > 0) await this.#dropOldest(Math.ceil(spare / bucketSize))
  }

  #openBucket(): string {
    const open = this.#open
    const count = open === undefined ? bucketSize : (this.#buckets.get(open) ?? 0)
    if (open !== undefined && count < bucketSize) {
      this.#buckets.set(open, count + 1)
      return open
    }
    const at = this.#controller.clock.now().toString().padStart(15, '0')
    this.#open = `r/${at}-${this.#buckets.size}-${Math.random().toString(36).slice(2, 8)}`
    this.#buckets.set(this.#open, 1)
    return this.#open
  }

  async #dropOldest(count: number): Promise<void> {
    const names = [...this.#buckets.keys()].slice(0, count)
    await this.#options.storage.write(names.map((name) => [this.#prefix + name, undefined]))
    const gone = new Set(names)
    for (const name of names) this.#buckets.delete(name)
    for (const [place, bucket] of this.#places) if (gone.has(bucket)) this.#places.delete(place)
  }

  // ---- End ----

  #leave(): void {
    const { scope, keepScopes = false } = this.#options
    const prefix = this.#prefix
    this.#restored = new Map()
    this.#places = new Map()
    this.#buckets = new Map()
    this.#open = undefined
    this.#changesSince = undefined
    this.#asked.clear()
    if (scope === undefined || !keepScopes) void this.#then(() => this.#delete(prefix).catch(() => {}))
  }

  readonly clear = (): Promise<void> => {
    this.#places = new Map()
    this.#buckets = new Map()
    this.#open = undefined
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
    this.#settled.resolve(undefined)
    void this.#then(async () => this.#options.storage.close())
  }

  #then(run: () => Promise<void>): Promise<void> {
    const after = this.#work.then(run)
    this.#work = after.catch(() => {})
    return after
  }
}

function placeOf(key: string, pk: string): string {
  return `${key} ${pk}`
}

/** The records that a state names. */
function namedIn(state: DehydratedState): ReadonlySet<string> {
  const found = new Set<string>()
  const parts: unknown[] = [state.results, state.lists]
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (typeof part !== 'object' || part === null) continue
    const { $record: record } = part as { $record?: readonly [string, string] }
    if (record === undefined) parts.push(...(Object.values(part) as unknown[]))
    else found.add(placeOf(record[0], record[1]))
  }
  return found
}

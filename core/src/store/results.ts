import { development } from '#development'
import type { Denormalization } from '../denormalize/denormalize.js'
import { contractOf } from '../schema/contract-of.js'
import { EntityPlan } from '../schema/entity-plan.js'
import { ObjectSchema } from '../schema/object.js'
import type { FieldPath } from '../schema/page.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import { isPlainObject } from '../util/plain.js'
import type { Progress } from '../util/progress.js'
import { CollectionNode } from './collections.js'
import { ListView, isSameList } from './view/list-view.js'
import { noPages } from './pages.js'
import { RecordNode } from './records.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import { StoreDenormalization } from './store-denormalization.js'
import type { ViewSource } from './store-denormalization.js'
import { View } from './view/view.js'
import type { Beginning, ViewGraph } from './view/view.js'

/** In place of a result that was never received. */
export const noResult = Symbol('no result')

/** What a call shows. The same object until one of its members changes; what depends on the clock is no member. */
export interface Snapshot<Data = unknown> {
  /** Denormalized data; `undefined` when there is none. */
  readonly data: Data | undefined
  /** Why the last fetch failed; `undefined` when it did not. */
  readonly error: Error | undefined
  /** Whether a request is under way. */
  readonly fetching: boolean
  /** How far the transfer of the request under way is; `undefined` without one, and where its transport does not say. */
  readonly progress: Progress | undefined
  /** Whether `data` is what the endpoint answered, so that an answer of `undefined` differs from none. */
  readonly isReadable: boolean
}

/** What the store needs to know of a call. It knows no endpoints. */
export interface CallKey {
  /** Names the request: equal for calls that are answered alike. */
  readonly key: string
  /** What the answer looks like; two schemas over one request are two results. */
  readonly schema: SchemaContract | undefined
  readonly args: readonly unknown[]
  /** Whether it is no request: it is given what is found, where a request promises all that its schema names. */
  readonly isQuery?: boolean
}

type Listener = () => void

const noPagesLoaded: readonly (readonly unknown[])[] = []

/** One row of the results table: what a call was answered with, or what failed. */
export class ResultNode {
  readonly key: string
  readonly schema: SchemaContract | undefined
  readonly args: readonly unknown[]
  readonly isQuery: boolean
  /** The normalized result, records replaced by their nodes. */
  result: unknown = noResult
  stamp: Stamp = neverWritten
  /** Where the result has a list that pages are appended to; `undefined` while none was. */
  path: FieldPath | undefined = undefined
  /** The arguments of the calls whose answers were appended to that list, in the order in which they were. */
  loaded: readonly (readonly unknown[])[] = noPagesLoaded
  /** Of a list that is no Collection, which remembers it by itself. */
  pages = noPages
  error: Error | undefined = undefined
  /** The place of the last failure in the store's sequence: answers to earlier requests do not take its error back. */
  failedAt = 0
  /** When the error stops being rethrown: milliseconds since the epoch. */
  errorExpiresAt = -Infinity
  /** Whether the call counts as unanswered, whatever is stored (specification 3, what Invalid marks). */
  isInvalidated = false
  /** The store's sequence at the last invalidation: answers to earlier requests do not count. */
  invalidatedAt = 0
  /** The store's sequence when the call was last made Stale: what was asked for earlier is Stale at once. */
  expiredAt = 0
  /** Counts what makes readers look anew: invalidations, and answers that gave way to something newer. */
  invalidations = 0
  fetching = false
  /** What the request under way said last; counts only while one is. */
  progress: Progress | undefined = undefined
  /** Gives up what the result holds outside of the store. */
  dispose: ((result: unknown) => void) | undefined = undefined
  readonly view: ResultView
  /**
   * Until when an outcome that a reader waited for counts as Valid, however short its length is, because nobody
   * has shown it yet: milliseconds since the epoch (specification 3, expiry).
   */
  unclaimedUntil = -Infinity
  /** Until when no reader asks, because a request was ended by an abort of its own: milliseconds since the epoch. */
  abortedUntil = -Infinity
  /** Readers that keep the row. */
  retainers = 0
  /** Whether the row was dropped from the table: who still holds it asks for it anew. */
  isCollected = false
  /** When the last reader left, or the row was last used without one: milliseconds since the epoch. */
  usedAt = -Infinity
  /** The last data, shown in place of none until readers may be told that a mutation removed it. */
  held: Snapshot | undefined = undefined
  /** Most rows have one or none, and a Set takes as much memory as the rest of what they keep for a reader. */
  #listeners: Listener | Set<Listener> | undefined = undefined
  #snapshot: Snapshot | undefined = undefined
  /** Whether the result is one record, whose age is its own. */
  readonly #isOfRecord: boolean

  constructor({ key, schema, args, isQuery = false }: CallKey, owner: ResultOwner) {
    this.key = key
    this.schema = schema
    this.args = args
    this.isQuery = isQuery
    this.#isOfRecord = schema instanceof EntityPlan
    this.view = new ResultView(this, owner)
  }

  /** Calls a function when what the row shows may have changed. */
  listen(listener: Listener): void {
    const listeners = this.#listeners
    if (listeners === undefined) this.#listeners = listener
    else if (listeners instanceof Set) listeners.add(listener)
    else this.#listeners = new Set([listeners, listener])
  }

  unlisten(listener: Listener): void {
    const listeners = this.#listeners
    if (listeners === listener) this.#listeners = undefined
    else if (listeners instanceof Set && listeners.delete(listener) && listeners.size === 0) {
      this.#listeners = undefined
    }
  }

  /** Whether anybody listens. */
  get isHeard(): boolean {
    return this.#listeners !== undefined
  }

  /** Those who listen now, in the order in which they came. */
  get listeners(): readonly Listener[] {
    const listeners = this.#listeners
    if (listeners === undefined) return []
    return listeners instanceof Set ? [...listeners] : [listeners]
  }

  /** Makes the call unanswered until a request that starts later is answered. What was stored may stay. */
  invalidate(sequence: number): void {
    this.isInvalidated = true
    this.invalidatedAt = sequence
    this.invalidations++
    this.error = undefined
    this.held = undefined
    this.unclaimedUntil = -Infinity
  }

  /** Makes the call unanswered, and drops what was stored. */
  forget(sequence: number): void {
    this.invalidate(sequence)
    this.isInvalidated = false
    this.result = noResult
    this.path = undefined
    this.loaded = noPagesLoaded
    this.pages = noPages
    this.stamp = neverWritten
    this.fetching = false
  }

  /**
   * Keeps why the call failed, beside the data that is there.
   *
   * @param place - where in the store's sequence the request that failed started
   * @param expiresAt - until when it is thrown again: milliseconds since the epoch
   */
  fail(error: Error, place: number, expiresAt: number): void {
    this.error = error
    this.failedAt = place
    this.errorExpiresAt = expiresAt
  }

  /** What is there now, also while readers still see what a mutation removed. */
  snapshotNow(graph: ViewGraph): Snapshot {
    const shown = this.snapshot(graph)
    return this.held === undefined ? shown : { ...shown, ...this.#read(graph) }
  }

  /** What readers see now. @see snapshotNow */
  snapshot(graph: ViewGraph): Snapshot {
    const last = this.#snapshot
    const read = this.#read(graph)
    // What is there again is not held any more.
    if (read.isReadable) this.held = undefined
    // Only the data is held: what happens to requests meanwhile is seen.
    const { data, error, isReadable } = this.held === undefined ? read : { ...this.held, error: this.error }
    const { fetching } = this
    const progress = fetching ? this.progress : undefined
    if (
      last !== undefined &&
      last.data === data &&
      last.error === error &&
      last.isReadable === isReadable &&
      last.fetching === fetching &&
      last.progress === progress
    ) {
      return last
    }
    const next = { data, error, fetching, progress, isReadable }
    return (this.#snapshot = development ? Object.freeze(next) : next)
  }

  /** Goes on showing what was shown before, as if nothing had been computed since. */
  hold(before: Snapshot): void {
    this.held = before
    this.#snapshot = before
  }

  /** What was last computed for readers; `undefined` when nobody asked yet. */
  get lastSnapshot(): Snapshot | undefined {
    return this.#snapshot
  }

  /**
   * Makes Stale what was asked for before a position in the store's sequence. What is shown stays. A late answer may bring
   * an earlier position: it takes back no later one.
   */
  expire(sequence: number): void {
    this.expiredAt = Math.max(this.expiredAt, sequence)
    this.unclaimedUntil = -Infinity
  }

  /** Whether what is stored of the call is newer than a request for it. */
  isOvertaken(start: number): boolean {
    return this.stamp.sequence > start || isOvertaken(this.result, start)
  }

  /** When what can be read was received, and until when it is Valid. */
  get age(): Stamp {
    if (this.result !== noResult && !this.#isOfRecord) return this.stamp
    const normalized = this.result === noResult ? this.view.inferred : this.result
    // Asked for at every read: the common cases of one record, of one list and of all records make nothing new.
    if (normalized instanceof RecordNode || normalized instanceof CollectionNode) return normalized.stamp
    if (Array.isArray(normalized) && normalized.length === 0) return this.stamp
    const stamps = stampsOf(normalized)
    return stamps.reduce(
      (oldest, stamp) => (stamp.expiresAt < oldest.expiresAt ? stamp : oldest),
      stamps[0] ?? this.stamp,
    )
  }

  #read(graph: ViewGraph): { data: unknown; error: Error | undefined; isReadable: boolean } {
    try {
      const data = graph.read(this.view)
      const isReadable = data !== undefined || (this.view.isUndefined && this.result !== noResult)
      return { data, error: this.error, isReadable }
    } catch (error) {
      // User code of an entity class threw: readers get it where they get the errors of a fetch.
      return { data: undefined, error: this.#toReadError(error), isReadable: false }
    }
  }

  /** What is thrown anew by each read is one error to readers, as long as it says the same. */
  #toReadError(thrown: unknown): Error {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const last = this.#snapshot?.error
    return last?.name === error.name && last.message === error.message ? last : error
  }
}

/** Whether two snapshots of a row show the same. */
export function isSameSnapshot(a: Snapshot, b: Snapshot): boolean {
  return (Object.keys(a) as (keyof Snapshot)[]).every((name) => a[name] === b[name])
}

/** What the store does for its results. */
export interface ResultOwner extends ViewSource {
  /** Finds a reference for arguments. */
  queryKey(schema: SchemaContract, args: readonly unknown[]): unknown
  /** Something that readers of a row see may have changed. */
  touch(row: ResultNode): void
}

/** A list in a result, as it is shown. */
class ShownList extends ListView {
  /** The normalized list. */
  references: readonly unknown[]

  constructor(member: Schema, references: readonly unknown[], delegate: Denormalization) {
    super(member, () => this.references, delegate, true)
    this.references = references
  }
}

/** Puts a result together, from the store's records and from lists that are views of their own. */
class ResultDenormalization extends StoreDenormalization {
  readonly #owner: ResultOwner
  /** By the normalized array that they show. */
  readonly #lists = new Map<readonly unknown[], ShownList>()

  constructor(owner: ResultOwner, args: readonly unknown[]) {
    super(owner, args)
    this.#owner = owner
  }

  override members(schema: Schema, references: readonly unknown[]): unknown[] {
    let list = this.#lists.get(references)
    if (list === undefined) {
      list = new ShownList(schema, references, new StoreDenormalization(this.#owner, this.args))
      this.#lists.set(references, list)
    }
    return this.#owner.graph.readSource(list) as unknown[]
  }

  /** Shows a list by the view that showed it so far, because most of its members are the same. */
  continueList(before: readonly unknown[], after: readonly unknown[]): void {
    const list = this.#lists.get(before)
    if (list === undefined) return
    this.#lists.delete(before)
    this.#lists.set(after, list)
    list.references = after
    this.#owner.graph.markWritten(list)
  }

  /** Gives up all lists, which are the caller's to unlink. */
  takeLists(): readonly View[] {
    const lists = [...this.#lists.values()]
    this.#lists.clear()
    return lists
  }

  /** Gives up the lists that are not among `shown`. */
  keepLists(shown: readonly View[]): void {
    if (this.#lists.size === 0) return
    const isShown = new Set<unknown>(shown)
    for (const [references, list] of this.#lists) {
      if (isShown.has(list)) continue
      this.#owner.graph.unlink(list)
      this.#lists.delete(references)
    }
  }
}

/** A result put back together. */
export class ResultView extends View {
  readonly node: ResultNode
  /** What the arguments alone name, where nothing was received yet. */
  inferred: unknown = undefined
  /** Whether a value of `undefined` is what the call was answered with. */
  isUndefined = false
  readonly #owner: ResultOwner
  /** What anything but a single record is put together by; made when needed. */
  #delegate: ResultDenormalization | undefined = undefined

  constructor(node: ResultNode, owner: ResultOwner) {
    super()
    this.node = node
    this.#owner = owner
  }

  override noteMarked(): void {
    this.#owner.touch(this.node)
  }

  override get isLast(): boolean {
    return true
  }

  override begin(): Beginning {
    return 'to finish'
  }

  override finish(graph: ViewGraph, previous: unknown): void {
    const linking = graph.beginLinking()
    const value = this.#compute()
    graph.endLinking(this, linking)
    this.value = this.#isSame(previous, value) ? previous : value
    this.#delegate?.keepLists(this.sources)
  }

  /** Shows a list by the view that showed it so far. */
  continueList(before: readonly unknown[], after: readonly unknown[]): void {
    this.#delegate?.continueList(before, after)
  }

  /** The view and its lists, which are the caller's to take out of the graph. */
  takeViews(): readonly View[] {
    return [this, ...(this.#delegate?.takeLists() ?? [])]
  }

  #isSame(previous: unknown, value: unknown): boolean {
    // A list is a new one only where it differs.
    const isDecided = this.sources.length === 1 && this.sources[0]?.value === value
    return !isDecided && (isSameList(previous, value) || isSameObject(previous, value))
  }

  #compute(): unknown {
    this.isUndefined = false
    const { schema, result, isInvalidated, args, isQuery } = this.node
    if (isInvalidated) return undefined
    if (schema === undefined) {
      this.isUndefined = result === undefined
      return result === noResult ? undefined : result
    }
    if (result !== noResult) return this.#show(schema, result)
    // Asked last: most schemas say no, and of a record nothing has to be looked at.
    this.inferred = !isQuery && schema.needsAnswer === true ? undefined : this.#owner.queryKey(schema, args)
    return this.inferred === undefined ? undefined : this.#show(schema, this.inferred)
  }

  #show(schema: SchemaContract, normalized: unknown): unknown {
    const owner = this.#owner
    if (schema instanceof EntityPlan && normalized instanceof RecordNode) {
      return owner.graph.readSource(owner.viewOf(normalized, schema))
    }
    const delegate = (this.#delegate ??= new ResultDenormalization(owner, this.node.args))
    delegate.isProcessed = false
    const data = show(schema, normalized, delegate)
    this.isUndefined = data === undefined && delegate.isProcessed
    return data
  }
}

/** What a normalized result shows; `undefined` for nothing. */
export function show(schema: SchemaContract, normalized: unknown, delegate: Denormalization): unknown {
  const data = schema.denormalize(normalized, delegate)
  if (schema instanceof ObjectSchema && isWithoutItsRecords(schema, normalized, data)) return undefined
  // What was handed out empty is filled, so that it can be looked at.
  delegate.fillAll()
  if (development && isPlainObject(data)) Object.freeze(data)
  return data
}

/** Whether two wrappers hold the selfsame things. */
function isSameObject(a: unknown, b: unknown): boolean {
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
}

/** When the records and lists were received that a normalized value refers to, not counting those inside of them. */
function stampsOf(normalized: unknown): Stamp[] {
  if (normalized instanceof RecordNode || normalized instanceof CollectionNode) return [normalized.stamp]
  if (Array.isArray(normalized)) return normalized.flatMap(stampsOf)
  return isPlainObject(normalized) ? Object.values(normalized).flatMap(stampsOf) : []
}

/** Whether something in a normalized value was written after a request started that answered with it. */
export function isOvertaken(normalized: unknown, start: number): boolean {
  return stampsOf(normalized).some(({ sequence }) => sequence > start)
}

/**
 * Whether a wrapper such as `{ data: Article }` lost the records that it was there for: then the read is
 * Invalid, as the read of the record itself is. A wrapper that also holds a list still shows something.
 */
function isWithoutItsRecords(
  schema: ObjectSchema,
  normalized: unknown,
  data: unknown,
  isBeside = false,
): boolean {
  if (!isPlainObject(normalized) || !isPlainObject(data) || schema.nested.length === 0) return false
  const areBeside = isBeside || hasOtherContent(schema, normalized)
  return schema.nested.every(([name, field]) => {
    const contract = contractOf(field)
    const value = normalized[name]
    if (contract instanceof ObjectSchema) return isWithoutItsRecords(contract, value, data[name], areBeside)
    const record: unknown = contract.schemaOf !== undefined && Array.isArray(value) ? value[1] : value
    if (!(record instanceof RecordNode) || data[name] !== undefined) return false
    // What a Query makes of its record may be nothing.
    return contract.inner === undefined && (!areBeside || record.stamp !== neverWritten)
  })
}

/** Whether a wrapper holds anything that no schema names: then an id in it may be of a record that is not known. */
export function hasOtherContent(
  schema: ObjectSchema,
  normalized: Readonly<Record<string, unknown>>,
): boolean {
  return Object.keys(normalized).some((name) => !schema.nested.some(([nested]) => nested === name))
}

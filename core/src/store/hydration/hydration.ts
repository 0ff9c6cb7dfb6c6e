import { Denormalization } from '../../denormalize/denormalize.js'
import * as errors from '../../errors.js'
import { kindOf, warn } from '../../errors.js'
import type { CollectionSchema } from '../../schema/collection.js'
import type { CollectionArgs, ListIdentity } from '../../schema/delegates.js'
import type { Fields } from '../../schema/fields.js'
import { contractOf } from '../../schema/contract-of.js'
import type { Schema, SchemaContract } from '../../schema/schema.js'
import { isPlainObject, isSameItems, isSameList, shareStructure } from '../../util/plain.js'
import { PlainMapper } from './plain-mapper.js'
import type { ListNode } from '../list-node.js'
import type { DehydratedList, DehydratedResult, DehydratedState, PlainError } from './dehydrated-state.js'
import { noPages } from '../list-node.js'
import type { Pages } from '../list-node.js'
import { RecordNode } from '../records.js'
import { Reference, hasReference, replaceReferences, toKeys } from '../../normalize/reference.js'
import { refer } from '../refer.js'
import { noResult } from '../results.js'
import type { Call } from '../call.js'
import { neverWritten } from '../stamp.js'
import type { Stamp } from '../stamp.js'
import type { Store } from '../store.js'
import { stableStringify } from '../../util/stable-stringify.js'
import type { StoreHydration, WaitingResult } from './store-hydration.js'

/** How long an expired error of the server still counts, so that the page can show it: milliseconds. */
const showLength = 60_000

/** A hydrated list of a Collection whose schema is not known yet, because no call has read it. */
export class ListStub extends Reference implements ListIdentity {
  readonly name: string
  readonly args: CollectionArgs
  readonly isFilter: boolean
  readonly call: string | undefined
  readonly stamp: Stamp
  members: unknown = undefined
  pages: Pages = noPages

  constructor({ name, args, isFilter, call }: DehydratedList, stamp: Stamp, mark: number) {
    super()
    this.mark = mark
    this.name = name
    this.call = call
    this.args = args
    this.isFilter = isFilter
    this.stamp = stamp
  }

  override toKeys(): unknown {
    return toKeys(this.members)
  }
}

/** By list and call, what was hydrated last. Anything else there is newer, even with the same stamp: a page, a member. */
type Taken = WeakMap<ListNode | Call, unknown>

/**
 * State from elsewhere: from the server that rendered the page, or from an earlier visit. Records are stored
 * immediately. A result needs the schema of its call, so it waits until a reader creates that call.
 */
export class Hydration implements StoreHydration {
  readonly #store: Store
  readonly #waiting = new Map<string, WaitingResult[]>()
  #lists = new WeakMap<ListStub, ListNode>()
  readonly #taken: Taken = new WeakMap()
  #pages: readonly { readonly state: DehydratedState; readonly usedAt: number }[] = []
  /** The keys of the calls whose responses arrive with a later part of the page. */
  readonly #late = new Set<string>()

  readonly #toError: ToError

  /** @param toError - recreates a serialized error */
  constructor(store: Store, toError: ToError) {
    this.#store = store
    this.#toError = toError
  }

  /** The results that no call has claimed yet. */
  get waiting(): readonly WaitingResult[] {
    return [...this.#waiting.values()].flat()
  }

  /** The states of the page: what its server has shown. */
  get pages(): readonly DehydratedState[] {
    return this.#pages.map(({ state }) => state)
  }

  /**
   * Returns the values of unclaimed results, as roots for garbage collection; drops results that were hydrated too
   * long ago.
   *
   * @param keepSince - results hydrated before this time are dropped: milliseconds since the epoch
   */
  kept(keepSince: number): readonly unknown[] {
    this.#pages = this.#pages.filter(({ usedAt }) => usedAt > keepSince)
    for (const [key, waiting] of this.#waiting) {
      const left = waiting.filter(({ usedAt }) => usedAt > keepSince)
      if (left.length === 0) this.#waiting.delete(key)
      else this.#waiting.set(key, left)
    }
    return this.waiting.flatMap(({ result, pages }) => [result, pages.head])
  }

  clear(): void {
    this.#waiting.clear()
    this.#late.clear()
    this.#pages = []
    this.#lists = new WeakMap()
  }

  /**
   * Stores a dehydrated state.
   *
   * @param now - milliseconds since the epoch; limits the ages of data, so that none is newer than now
   * @param isOfPage - true if the page was rendered from the state: then its errors count until the page has shown
   *   them
   * @returns the calls that received a result
   * @throws {SelfsameError} `argument-invalid` for any other value; then nothing is stored
   */
  take(state: DehydratedState, now: number, isOfPage: boolean): Call[] {
    const answered = this.#store.below(() => this.#take(state, now, isOfPage))
    if (isOfPage) this.#pages = [...this.#pages, { state, usedAt: now }]
    return answered
  }

  #take(state: DehydratedState, now: number, isOfPage: boolean): Call[] {
    const { records, results } = this.#decode(state, now, isOfPage)
    const listed = state.listed ?? []
    for (const { node, fields, stamp } of records) {
      const isSameMoment = isOfOnePage(node.stamp, stamp)
      if (isKnown(node.stamp, stamp) && !isSameMoment) continue
      const bound = this.#bindFields(node, fields)
      this.#store.journal?.note(node)
      node.stamp = stampOver(stamp, node.stamp)
      // Equal data keeps its identity (specification G2).
      this.#store.showFields(node, shareStructure(node.fields, bound) as Fields | undefined)
    }
    for (const key of listed) this.#store.setListed(this.#store.tableOf(key), true)
    const answered: Call[] = []
    for (const waiting of results) {
      this.#late.delete(waiting.key)
      const call = this.#store.results.get(waiting.key)?.find((each) => this.#answer(each, waiting))
      if (call === undefined)
        this.#waiting.set(waiting.key, [...(this.#waiting.get(waiting.key) ?? []), waiting])
      else answered.push(call)
    }
    return answered
  }

  /** Reads a state, and writes nothing. */
  #decode(state: DehydratedState, now: number, isOfPage: boolean): Decoded {
    try {
      const decoder = new Decoder(this.#store, state, now, this.#toError)
      return { records: decoder.records(), results: decoder.results(isOfPage) }
    } catch (error) {
      // Any other error is that of a value which cannot be read, such as an object that contains itself.
      const isTold = (error as Partial<errors.SelfsameError>).code === 'argument-invalid'
      throw isTold ? error : errors.stateUnusable(kindOf(state), error)
    }
  }

  /** Lets the readers of calls wait for a later part of the page: they send no request until `stopWaiting`. */
  waitFor(keys: readonly string[]): void {
    for (const key of keys) {
      this.#late.add(key)
      for (const call of this.#store.results.get(key) ?? []) this.#pause(call)
    }
  }

  /** The page has arrived. @returns the calls that are still paused: their readers have to fetch them */
  stopWaiting(): Call[] {
    const calls = [...this.#late].flatMap((key) => this.#store.results.get(key) ?? [])
    this.#late.clear()
    return calls.filter(({ state }) => state.pausedUntil === Infinity)
  }

  /** `true` if the response arrives with a later part of the page. */
  isLate(key: string): boolean {
    return this.#late.has(key)
  }

  #pause(call: Call): void {
    if (!call.fetching) this.#store.move(call, { type: 'hidden' })
  }

  /** Makes the results Stale, or drops them, that no call has claimed yet. @param matches - returns `true` for the key of a call */
  expire(matches: (key: string) => boolean, isInvalid: boolean): void {
    for (const [key, waiting] of this.#waiting) {
      if (!matches(key)) continue
      if (isInvalid) this.#waiting.delete(key)
      else for (const each of waiting) each.isExpired = true
    }
  }

  /** Gives a new call its hydrated result, if there is one. */
  claim(call: Call): void {
    if (this.isLate(call.key)) this.#pause(call)
    const waiting = this.#waiting.get(call.key)
    if (waiting === undefined) return
    // Parts may arrive out of order. Of two results with the same age, the one that was hydrated later has more data.
    const newestFirst = [...waiting].reverse().sort((a, b) => b.stamp.fetchedAt - a.stamp.fetchedAt)
    const claimed = this.#store.below(() => newestFirst.find((each) => this.#answer(call, each)))
    if (claimed === undefined) return
    const left = waiting.filter((each) => each !== claimed)
    if (left.length === 0) this.#waiting.delete(call.key)
    else this.#waiting.set(call.key, left)
  }

  /**
   * Replaces the list stubs in a field by lists with a schema.
   *
   * @throws if the value does not match the field's schema
   */
  bind(schema: SchemaContract, value: unknown, name: string): unknown {
    if (!hasReference(value)) return refer(this.#store, schema, value, name)
    const binding = new Binding(this.#store, this.#lists, this.#taken, [])
    binding.read(schema, value)
    const bound = replaceStubs(value, this.#lists)
    if (binding.isMismatch || hasReference(bound, ListStub)) throw errors.hydratedFieldUnusable(name)
    return bound
  }

  #bindFields({ table, pk }: RecordNode, fields: Record<string, unknown> | undefined): Fields | undefined {
    if (fields === undefined) return undefined
    for (const { name, schema } of table.fields) {
      const value = fields[name]
      if (value === undefined || value === null) continue
      try {
        fields[name] = this.bind(contractOf(schema), value, `the field ${name} of ${table.key} "${pk}"`)
      } catch (error) {
        warn(error)
        fields[name] = undefined
      }
    }
    const isOther = (name: string) => !table.fields.some((field) => field.name === name)
    // A class that is loaded later may declare them.
    if (Object.keys(fields).some((name) => isOther(name) && hasReference(fields[name]))) table.isShared = true
    return fields
  }

  /** @returns true if the result matches the call's schema and is therefore claimed */
  #answer(call: Call, waiting: WaitingResult): boolean {
    let { result, isExpired } = waiting
    let isGrown = false
    if (call.schema === undefined) {
      if (hasReference(result)) return false
    } else if (result !== noResult) {
      const binding = new Binding(this.#store, this.#lists, this.#taken, call.args)
      binding.read(call.schema, result)
      result = replaceStubs(result, this.#lists)
      if (binding.isMismatch || hasReference(result, ListStub)) return false
      isExpired ||= binding.isOutdated
      isGrown = binding.isGrown
    }
    const { isInvalidated: isInvalid } = call.state
    if (isInvalid && waiting.stamp.fetchedAt <= this.#store.invalidatedAt) return true
    const isSameMoment =
      isOfOnePage(call.stamp, waiting.stamp) && isSameList(this.#taken.get(call), hydratedState(call))
    if (isKnown(call.stamp, waiting.stamp) && !isSameMoment) return true
    if (isGrown) {
      this.#store.move(call, { type: 'expired', at: call.stamp.sequence + 1 })
      return true
    }
    // The lists are stored now, and the call finds them.
    if (waiting.isInferred) result = noResult
    const { isInvalidated, failure } = waiting.state
    let { stamp } = call
    if (result === noResult) result = call.result
    else {
      // Equal data keeps its identity (specification G2).
      result = shareStructure(call.result, result)
      const { loaded } = waiting
      const state = [result, isInvalidated, failure !== undefined, isExpired, loaded.length]
      if (isSameMoment && isSameItems(state, hydratedState(call))) return true
      stamp = stampOver(waiting.stamp, stamp)
      call.path = waiting.path ?? call.path
      call.pages = waiting.pages
      call.loaded = waiting.loaded
    }
    call.usedAt = Math.max(call.usedAt, waiting.usedAt)
    const graceUntil = waiting.isOfPage && failure !== undefined ? waiting.usedAt + showLength : undefined
    this.#store.move(call, { type: 'hydrated', result, stamp, isInvalidated, failure, graceUntil })
    if (isExpired) this.#store.move(call, { type: 'expired', at: stamp.sequence + 1 })
    this.#taken.set(call, hydratedState(call))
    return true
  }
}

/** Reads a value by its schema. Finds the Collection of each list stub, and whether the value matches the schema. */
class Binding extends Denormalization {
  isMismatch = false
  /** `true` if a list has changed here since it was received there: only the server knows what is in it now. */
  isOutdated = false
  /** `true` if further pages were appended to a list here, and the state has its first page: what is on screen stays, and is Stale. */
  isGrown = false
  readonly #store: Store
  readonly #lists: WeakMap<ListStub, ListNode>
  readonly #taken: Taken

  constructor(store: Store, lists: WeakMap<ListStub, ListNode>, taken: Taken, args: readonly unknown[]) {
    super(args)
    this.#store = store
    this.#lists = lists
    this.#taken = taken
  }

  /** Finds what the schema reads. Whatever it does not read would be shown as it is stored. */
  read(schema: SchemaContract, value: unknown): void {
    if (hasReference(schema.denormalize(value, this))) this.isMismatch = true
  }

  /** Only resolves the schema: no data is needed. */
  override complete(schema: Schema, value: unknown): undefined {
    this.resolve(schema, value)
  }

  record(plan: { readonly key: string }, reference: unknown): undefined {
    const isOwn = reference instanceof RecordNode && reference.table.key === plan.key
    // Any other value was not normalized, so it needs no check.
    if (!isOwn && (Array.isArray(reference) || hasReference(reference))) this.isMismatch = true
  }

  collection(collection: CollectionSchema<unknown>, reference: unknown): unknown {
    if (!(reference instanceof ListStub)) {
      this.isMismatch = true
      return undefined
    }
    if (this.#lists.has(reference)) return undefined
    const { stamp, pages, members: listed } = reference
    const isOfForm = collection.content.isMap ? isPlainObject(listed) : Array.isArray(listed)
    if (listed !== undefined && !isOfForm) {
      this.isMismatch = true
      return undefined
    }
    const node = this.#store.listOf(collection, reference)
    this.#lists.set(reference, node)
    this.read(collection.content, listed)
    if (this.isMismatch) {
      this.#lists.delete(reference)
      return undefined
    }
    const isSameMoment = isOfOnePage(node.stamp, stamp) && this.#taken.get(node) === node.members
    if (isKnown(node.stamp, stamp) && !isSameMoment) return undefined
    if (node.pages.isPaged && !pages.isPaged) {
      this.isGrown = true
      return undefined
    }
    if (stamp.fetchedAt <= (this.#store.lists?.changedAt ?? -Infinity)) {
      this.isOutdated = true
      // What is on screen has the change.
      if (node.members !== undefined) return undefined
    }
    const shown = shareStructure(node.members, replaceStubs(listed, this.#lists))
    this.#store.journal?.note(node)
    node.stamp = stampOver(stamp, node.stamp)
    this.#taken.set(node, shown)
    if (isSameMoment && shown === node.members) return undefined
    node.pages = pages
    node.show(shown)
    return undefined
  }

  keys(value: unknown): unknown {
    return toKeys(value)
  }

  allOf(): unknown[] {
    return []
  }

  fillAll(): void {}
}

type ToError = (error: PlainError) => Error

/** What a state has. */
interface Decoded {
  readonly records: readonly {
    readonly node: RecordNode
    readonly stamp: Stamp
    readonly fields: Record<string, unknown> | undefined
  }[]
  readonly results: readonly WaitingResult[]
}

/** Decodes plain data to values of the store. Creates nodes without data, and writes nothing. */
class Decoder {
  readonly #store: Store
  readonly #state: DehydratedState
  readonly #stamps: readonly Stamp[]
  readonly #lists: readonly ListStub[]
  readonly #now: number
  readonly #decoder = new PlainMapper((value) => this.#decodePart(value))

  readonly #toError: ToError

  constructor(store: Store, state: DehydratedState, now: number, toError: ToError) {
    if (!isPlainObject(state) || state.version !== 1) {
      throw errors.stateUnusable(
        isPlainObject(state) ? `a state of version ${String(state.version)}` : kindOf(state),
      )
    }
    checkState(state)
    this.#store = store
    this.#state = state
    this.#now = now
    this.#toError = toError
    this.#stamps = state.stamps.map(([fetchedAt, expiresAt]) =>
      // Of a list that only a page created.
      fetchedAt === null || fetchedAt === -Infinity
        ? neverWritten
        : {
            fetchedAt: Math.min(fetchedAt, now),
            expiresAt: expiresAt ?? Infinity,
            // Sequence 0: every request of this page, however early, counts as later.
            start: 0,
            sequence: 0,
            mutationStart: 0,
          },
    )
    this.#lists = state.lists.map((list) => new ListStub(list, this.#stamp(list.stamp), store.epoch))
    state.lists.forEach((list, index) => {
      const stub = this.#lists[index] as ListStub
      stub.members = this.#decode(list.members)
      stub.pages = this.#pages(list)
    })
  }

  records(): Decoded['records'] {
    return this.#state.records.flatMap(([key, records]) =>
      records.map(([pk, stamp, fields]) => ({
        node: recordAt(this.#store, key, pk),
        stamp: this.#stamp(stamp),
        fields: this.#fields(fields),
      })),
    )
  }

  results(isOfPage: boolean): Decoded['results'] {
    return this.#state.results.map((entry: DehydratedResult) => ({
      key: entry.key,
      stamp: this.#stamp(entry.stamp),
      result: entry.hasResult === true ? this.#decode(entry.result) : noResult,
      state: {
        isInvalidated: entry.isInvalidated === true,
        failure: entry.error && {
          error: this.#toError(entry.error),
          start: 0,
          expiresAt: entry.error.expiresAt ?? Infinity,
        },
      },
      isExpired: entry.isExpired === true,
      isInferred: entry.isInferred === true,
      path: entry.path,
      pages: this.#pages(entry),
      loaded: this.#arguments(entry.pages ?? []),
      isOfPage,
      usedAt: this.#now,
      dispose: undefined,
    }))
  }

  #fields(encoded: unknown): Record<string, unknown> | undefined {
    if (encoded === null) return undefined
    const fields = this.#decode(encoded) as Record<string, unknown>
    requireForm(isPlainObject(fields), 'fields', encoded)
    // An own `__proto__` would change the prototype of the record's instance.
    delete fields['__proto__']
    return fields
  }

  /** The arguments of further pages, of which a key can be made. */
  #arguments(encoded: readonly unknown[]): WaitingResult['loaded'] {
    const pages = this.#decode(encoded) as WaitingResult['loaded']
    stableStringify(pages, (found) => requireForm(false, 'pages', found) as never)
    return pages
  }

  #pages({ head, sides }: Pick<DehydratedList, 'head' | 'sides'>): Pages {
    if (head === undefined) return noPages
    const known = this.#decode(sides) as Partial<Pages> | undefined
    return { isPaged: true, ...known, head: this.#decode(head) as readonly unknown[], begunAt: 0 }
  }

  #stamp(index: number): Stamp {
    return this.#stamps[index] ?? neverWritten
  }

  #decode(value: unknown): unknown {
    return this.#decoder.map(value)
  }

  #decodePart(value: object): unknown {
    if (Array.isArray(value)) return this.#decoder.mapParts(value, [])
    if (!isPlainObject(value)) return value
    if (Object.keys(value).length !== 1) return this.#decoder.mapParts(value, {})
    if (isPlainObject(value.$)) return this.#decoder.mapParts(value.$, {})
    const { $record: record, $list: index } = value
    if (record !== undefined) {
      const [key, pk] = requireForm(isTuple(record, isText, isText), '$record', record)
      return recordAt(this.#store, key as string, pk as string)
    }
    if (index === undefined) return this.#decoder.mapParts(value, {})
    const list = typeof index === 'number' ? this.#lists[index] : undefined
    return requireForm(list !== undefined, '$list', list)
  }
}

/** The record of an entity key, whose classes need not be known. */
function recordAt(store: Store, key: string, pk: string): RecordNode {
  const table = store.tableOf(key)
  return store.find(table, pk) ?? store.add(table, pk)
}

type Check = (value: unknown) => boolean

/** @throws {SelfsameError} `argument-invalid` for a value that `dehydrate` did not return */
function checkState({
  stamps,
  records,
  lists,
  results,
  listed = [],
  blanks = [],
  filled = [],
  pending = [],
}: DehydratedState): void {
  const isStamp: Check = (value) => Array.isArray(stamps) && typeof value === 'number' && value in stamps
  const isRecord: Check = (value) => isTuple(value, isText, isStamp, isOr(null, isPlainObject))
  checkItems(stamps, 'stamps', (value) => isTuple(value, isOr(null, isNumber), isOr(null, isNumber)))
  checkItems(records, 'records', (value) => isTuple(value, isText, (each) => isListOf(each, isRecord)))
  checkItems(lists, 'lists', (value) => {
    if (!isPlainObject(value) || !isPlainObject(value.args) || typeof value.isFilter !== 'boolean')
      return false
    const { name, call, stamp, members, head } = value
    const isNamed = isText(name) && isOr(undefined, isText)(call) && isStamp(stamp)
    return isNamed && isOr(undefined, isContainer)(members) && isOr(undefined, Array.isArray)(head)
  })
  checkItems(listed, 'listed', isText)
  checkItems(blanks, 'blanks', isText)
  checkItems(filled, 'filled', isText)
  checkItems(pending, 'pending', isText)
  checkItems(results, 'results', (value) => {
    if (!isPlainObject(value) || !isText(value.key) || !isStamp(value.stamp)) return false
    const { path, head, pages = [], error } = value
    const isPath = isOr(undefined, (each) => isListOf(each, isText))
    if (!isPath(path) || !isListOf(pages, Array.isArray)) return false
    return isOr(undefined, Array.isArray)(head) && isOr(undefined, isError)(error)
  })
}

function checkItems(items: unknown, name: string, isOfForm: Check): void {
  requireForm(Array.isArray(items), name, items)
  ;(items as unknown[]).forEach((item, index) => requireForm(isOfForm(item), `${name}[${index}]`, item))
}

function requireForm<Value>(isOfForm: boolean, place: string, value: Value): NonNullable<Value> & unknown[] {
  if (!isOfForm) throw errors.stateUnusable(`a state with ${kindOf(value)} of another form at ${place}`)
  return value as NonNullable<Value> & unknown[]
}

const isText: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => typeof value === 'number' && !Number.isNaN(value)
const isContainer: Check = (value) => Array.isArray(value) || isPlainObject(value)
const isError: Check = (value) =>
  isPlainObject(value) && isText(value.name) && isText(value.message) && isOr(null, isNumber)(value.expiresAt)

function isOr(other: unknown, isOfForm: Check): Check {
  return (value) => value === other || isOfForm(value)
}

function isListOf(value: unknown, isItem: Check): boolean {
  return Array.isArray(value) && value.every(isItem)
}

function isTuple(value: unknown, ...items: readonly Check[]): boolean {
  return (
    Array.isArray(value) &&
    value.length === items.length &&
    items.every((isOfForm, index) => isOfForm(value[index]))
  )
}

/** True if both were hydrated with the same age. A later part of a page may have more data of that time. */
function isOfOnePage(here: Stamp, hydrated: Stamp): boolean {
  return here.sequence === 0 && here.fetchedAt === hydrated.fetchedAt
}

/** True if the stored data is at least as new as the hydrated data. */
function isKnown(here: Stamp, hydrated: Stamp): boolean {
  return here !== neverWritten && here.fetchedAt >= hydrated.fetchedAt
}

/** What hydration sets of a call. */
function hydratedState({ result, state: { isInvalidated, failure, expiredAt }, loaded }: Call): unknown[] {
  return [result, isInvalidated, failure !== undefined, expiredAt > 0, loaded.length]
}

/** The hydrated age with the stored sequence, which still rejects late responses. */
function stampOver(hydrated: Stamp, { start, sequence, mutationStart }: Stamp): Stamp {
  return sequence === 0 ? hydrated : { ...hydrated, start, sequence, mutationStart }
}

/** Replaces the list stubs of a normalized value by lists; returns the same value if it has none. */
function replaceStubs(value: unknown, lists: WeakMap<ListStub, ListNode>): unknown {
  return replaceReferences(value, (reference) =>
    reference instanceof ListStub ? (lists.get(reference) ?? reference) : reference,
  )
}

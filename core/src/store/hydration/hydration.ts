import { Denormalization } from '../../denormalize/denormalize.js'
import * as errors from '../../errors.js'
import { kindOf, warn } from '../../errors.js'
import type { CollectionSchema } from '../../schema/collection.js'
import type { CollectionArgs, ListIdentity } from '../../schema/delegates.js'
import type { Fields } from '../../schema/fields.js'
import { contractOf } from '../../schema/contract-of.js'
import type { Schema, SchemaContract } from '../../schema/schema.js'
import { isPlainObject, shareStructure } from '../../util/plain.js'
import { PlainMapper } from './plain-mapper.js'
import type { ListNode } from '../list-node.js'
import type { DehydratedList, DehydratedResult, DehydratedState, PlainError } from './dehydrated-state.js'
import { noPages } from '../list-node.js'
import type { Pages } from '../list-node.js'
import { normalizeInto } from '../../normalize/normalize.js'
import { RecordNode } from '../records.js'
import { Reference, hasReference, replaceReferences, toKeys } from '../reference.js'
import { ReferenceSink } from '../reference-sink.js'
import { noResult } from '../results.js'
import type { Call } from '../call.js'
import { neverWritten } from '../stamp.js'
import type { Stamp } from '../stamp.js'
import type { Store } from '../store.js'
import type { StoreHydration, WaitingResult } from './store-hydration.js'

/** How long a page may take until it shows what its server failed with: milliseconds. */
const showLength = 60_000

/** A list of a Collection that was hydrated, and whose schema is not known yet: no call has shown it. */
export class ListStub extends Reference implements ListIdentity {
  readonly name: string
  readonly args: CollectionArgs
  readonly isFilter: boolean
  readonly call: string | undefined
  readonly stamp: Stamp
  members: unknown = undefined
  pages: Pages = noPages

  constructor({ name, args, isFilter, call }: DehydratedList, stamp: Stamp, mark: number) {
    super(mark)
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

/**
 * What was received elsewhere, by a server that rendered the page or by an earlier visit. Records are put in place at
 * once. The answer to a call needs the schema by which it is read, so it waits until somebody asks for the call.
 */
export class Hydration implements StoreHydration {
  readonly #store: Store
  readonly #waiting = new Map<string, WaitingResult[]>()
  #lists = new WeakMap<ListStub, ListNode>()

  readonly #toError: ToError

  /** @param toError - makes the error that was written down */
  constructor(store: Store, toError: ToError) {
    this.#store = store
    this.#toError = toError
  }

  /** The answers that nobody has asked for yet. */
  get waiting(): readonly WaitingResult[] {
    return [...this.#waiting.values()].flat()
  }

  /**
   * What the answers refer to that nobody has asked for yet; forgets those that were taken too long ago.
   *
   * @param keepSince - milliseconds since the epoch
   */
  kept(keepSince: number): readonly unknown[] {
    for (const [key, waiting] of this.#waiting) {
      const left = waiting.filter(({ usedAt }) => usedAt > keepSince)
      if (left.length === 0) this.#waiting.delete(key)
      else this.#waiting.set(key, left)
    }
    return this.waiting.flatMap(({ result, pages }) => [result, pages.head])
  }

  clear(): void {
    this.#waiting.clear()
    this.#lists = new WeakMap()
  }

  /**
   * Takes what `dehydrate` gave.
   *
   * @param now - milliseconds since the epoch: what claims to be newer was received now
   * @param isOfPage - whether it was rendered into the page: then its errors count until they were shown
   * @returns the calls that were answered
   * @throws {SelfsameError} `argument-invalid` for anything else; nothing is taken then
   */
  take(state: DehydratedState, now: number, isOfPage: boolean): Call[] {
    return this.#store.below(() => this.#take(state, now, isOfPage))
  }

  #take(state: DehydratedState, now: number, isOfPage: boolean): Call[] {
    const decoder = new Decoder(this.#store, state, now, this.#toError)
    const records = decoder.records()
    const results = decoder.results(isOfPage)
    const listed = state.listed ?? []
    for (const { node, fields, stamp } of records) {
      const isSameMoment = isOfOnePage(node.stamp, stamp)
      if (isKnown(node.stamp, stamp) && !isSameMoment) continue
      const bound = this.#bindFields(node, fields)
      const shown = isSameMoment ? (shareStructure(node.fields, bound) as Fields | undefined) : bound
      node.stamp = stampOver(stamp, node.stamp)
      if (!isSameMoment || shown !== node.fields) this.#store.showFields(node, shown)
    }
    for (const key of listed) this.#store.setListed(this.#store.tableOf(key), true)
    const answered: Call[] = []
    for (const waiting of results) {
      const call = this.#store.results.get(waiting.key)?.find((each) => this.#answer(each, waiting))
      if (call === undefined)
        this.#waiting.set(waiting.key, [...(this.#waiting.get(waiting.key) ?? []), waiting])
      else answered.push(call)
    }
    return answered
  }

  /** Answers a call that was just made, if it was answered elsewhere. */
  claim(call: Call): void {
    const waiting = this.#waiting.get(call.key)
    if (waiting === undefined) return
    // One that was taken later may have been received earlier; of one moment the later says more.
    const newestFirst = [...waiting].reverse().sort((a, b) => b.stamp.fetchedAt - a.stamp.fetchedAt)
    const claimed = this.#store.below(() => newestFirst.find((each) => this.#answer(call, each)))
    if (claimed === undefined) return
    const left = waiting.filter((each) => each !== claimed)
    if (left.length === 0) this.#waiting.delete(call.key)
    else this.#waiting.set(call.key, left)
  }

  /** A value of a field in which no list is without its schema. @throws where it is not of the field's schema */
  bind(schema: SchemaContract, value: unknown, name: string): unknown {
    if (!hasReference(value)) {
      const sink = new ReferenceSink(this.#store)
      return normalizeInto(sink, schema, value, { args: [], name, isOwned: false })
    }
    const binding = new Binding(this.#store, this.#lists, [])
    schema.denormalize(value, binding)
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
    return fields
  }

  /** @returns whether the answer is one by the call's schema, so that there is nothing to wait for any more */
  #answer(call: Call, waiting: WaitingResult): boolean {
    let { result } = waiting
    if (call.schema === undefined) {
      if (hasReference(result)) return false
    } else if (result !== noResult) {
      const binding = new Binding(this.#store, this.#lists, call.args)
      call.schema.denormalize(result, binding)
      result = replaceStubs(result, this.#lists)
      if (binding.isMismatch || hasReference(result, ListStub)) return false
    }
    if (isKnown(call.stamp, waiting.stamp)) return true
    const { isInvalidated, failure } = waiting
    let { stamp } = call
    if (result === noResult) result = call.result
    else {
      stamp = stampOver(waiting.stamp, stamp)
      call.path = waiting.path
      call.pages = waiting.pages
    }
    call.usedAt = Math.max(call.usedAt, waiting.usedAt)
    const graceUntil = waiting.isOfPage && failure !== undefined ? waiting.usedAt + showLength : undefined
    this.#store.move(call, { type: 'hydrated', result, stamp, isInvalidated, failure, graceUntil })
    return true
  }
}

/** Reads a value by its schema, to learn which lists belong to which Collection, and whether the schema is its own. */
class Binding extends Denormalization {
  isMismatch = false
  readonly #store: Store
  readonly #lists: WeakMap<ListStub, ListNode>

  constructor(store: Store, lists: WeakMap<ListStub, ListNode>, args: readonly unknown[]) {
    super(args)
    this.#store = store
    this.#lists = lists
  }

  /** Nothing is to be looked into. */
  override complete(schema: Schema, value: unknown): undefined {
    this.resolve(schema, value)
  }

  record(plan: { readonly key: string }, reference: unknown): undefined {
    const isOwn = reference instanceof RecordNode && reference.table.key === plan.key
    // What is no reference was never taken apart, and is shown as it is.
    if (!isOwn && (reference instanceof Reference || Array.isArray(reference))) this.isMismatch = true
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
    collection.content.denormalize(listed, this)
    if (this.isMismatch) {
      this.#lists.delete(reference)
      return undefined
    }
    const isSameMoment = isOfOnePage(node.stamp, stamp)
    if (isKnown(node.stamp, stamp) && !isSameMoment) return undefined
    const bound = replaceStubs(listed, this.#lists)
    const shown = isSameMoment ? shareStructure(node.members, bound) : bound
    node.stamp = stampOver(stamp, node.stamp)
    if (isSameMoment && shown === node.members) return undefined
    node.pages = pages
    this.#store.showMembers(node, shown)
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

/** Turns plain data into what the store holds. Writes nothing: only nodes are made, which show nothing yet. */
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
      throw errors.stateUnusable(isPlainObject(state) ? `version ${String(state.version)}` : kindOf(state))
    }
    checkState(state)
    this.#store = store
    this.#state = state
    this.#now = now
    this.#toError = toError
    this.#stamps = state.stamps.map(([fetchedAt, expiresAt]) => ({
      fetchedAt: Math.min(fetchedAt ?? -Infinity, now),
      expiresAt: expiresAt ?? Infinity,
      // Whatever is asked for here, however early, is answered later than this was received.
      sequence: 0,
      mutationStart: 0,
    }))
    this.#lists = state.lists.map((list) => new ListStub(list, this.#stamp(list.stamp), store.epoch))
    state.lists.forEach((list, index) => {
      const stub = this.#lists[index] as ListStub
      stub.members = this.#decode(list.members)
      stub.pages = this.#pages(list.head)
    })
  }

  records(): { node: RecordNode; stamp: Stamp; fields: Record<string, unknown> | undefined }[] {
    return this.#state.records.flatMap(([key, records]) =>
      records.map(([pk, stamp, fields]) => ({
        node: this.#store.recordOf(key, pk),
        stamp: this.#stamp(stamp),
        fields: this.#fields(fields),
      })),
    )
  }

  results(isOfPage: boolean): WaitingResult[] {
    return this.#state.results.map((entry: DehydratedResult) => ({
      key: entry.key,
      stamp: this.#stamp(entry.stamp),
      result: entry.hasResult === true ? this.#decode(entry.result) : noResult,
      isInvalidated: entry.isInvalidated === true,
      path: entry.path,
      pages: this.#pages(entry.head),
      failure: entry.error && {
        error: this.#toError(entry.error),
        start: 0,
        expiresAt: entry.error.expiresAt ?? Infinity,
      },
      isOfPage,
      usedAt: this.#now,
      dispose: undefined,
    }))
  }

  #fields(encoded: unknown): Record<string, unknown> | undefined {
    if (encoded === null) return undefined
    const fields = this.#decode(encoded) as Record<string, unknown>
    // It would change the prototype of the instance that shows the record.
    delete fields['__proto__']
    return fields
  }

  #pages(head: unknown): Pages {
    if (head === undefined) return noPages
    return { head: this.#decode(head) as readonly unknown[], isPaged: true, begunAt: 0 }
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
      return this.#store.recordOf(key as string, pk as string)
    }
    if (index === undefined) return this.#decoder.mapParts(value, {})
    const list = typeof index === 'number' ? this.#lists[index] : undefined
    return requireForm(list !== undefined, '$list', list)
  }
}

type Check = (value: unknown) => boolean

/** @throws {SelfsameError} `argument-invalid` for what no `dehydrate` gave */
function checkState({ stamps, records, lists, results, blanks = [], filled = [] }: DehydratedState): void {
  const isStamp: Check = (value) => Array.isArray(stamps) && typeof value === 'number' && value in stamps
  const isRecord: Check = (value) => isTuple(value, isText, isStamp, isOr(null, isPlainObject))
  check(stamps, 'stamps', (value) => isTuple(value, isOr(null, isNumber), isOr(null, isNumber)))
  check(records, 'records', (value) => isTuple(value, isText, (each) => isListOf(each, isRecord)))
  check(lists, 'lists', (value) => {
    if (!isPlainObject(value) || !isPlainObject(value.args) || typeof value.isFilter !== 'boolean')
      return false
    const { name, call, stamp, members, head } = value
    const isNamed = isText(name) && isOr(undefined, isText)(call) && isStamp(stamp)
    return isNamed && isOr(undefined, isContainer)(members) && isOr(undefined, Array.isArray)(head)
  })
  check(blanks, 'blanks', isText)
  check(filled, 'filled', isText)
  check(results, 'results', (value) => {
    if (!isPlainObject(value) || !isText(value.key) || !isStamp(value.stamp)) return false
    const { path, head, error } = value
    const isPath = isOr(undefined, (each) => isListOf(each, isText))
    return isPath(path) && isOr(undefined, Array.isArray)(head) && isOr(undefined, isError)(error)
  })
}

function check(items: unknown, name: string, isOfForm: Check): void {
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

/** Whether both were hydrated, and are as old: a later part of a page may say more of the same moment. */
function isOfOnePage(here: Stamp, hydrated: Stamp): boolean {
  return here.sequence === 0 && here.fetchedAt === hydrated.fetchedAt
}

/** Whether what is here is as new as what was hydrated. */
function isKnown(here: Stamp, hydrated: Stamp): boolean {
  return here !== neverWritten && here.fetchedAt >= hydrated.fetchedAt
}

/** What was written here still decides which answers come too late. */
function stampOver(hydrated: Stamp, { sequence, mutationStart }: Stamp): Stamp {
  return sequence === 0 ? hydrated : { ...hydrated, sequence, mutationStart }
}

/** A normalized value with the lists in place of what stood for them; the same value where there are none. */
function replaceStubs(value: unknown, lists: WeakMap<ListStub, ListNode>): unknown {
  return replaceReferences(value, (reference) =>
    reference instanceof ListStub ? (lists.get(reference) ?? reference) : reference,
  )
}

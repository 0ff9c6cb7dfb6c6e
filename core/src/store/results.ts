import { development } from '#development'
import type { Denormalization } from '../denormalize/denormalize.js'
import { contractOf } from '../schema/contract-of.js'
import { EntityPlan } from '../schema/entity-plan.js'
import { ObjectSchema } from '../schema/object.js'
import type { StoreQueryDelegate } from '../schema/delegates.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import { isPlainObject } from '../util/plain.js'
import type { Journal } from './journal.js'
import { ListNode } from './list-node.js'
import { membersOf as partsOf } from './members.js'
import { ListView } from './view/list-view.js'
import { RecordNode } from './records.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import { StoreDenormalization } from './store-denormalization.js'
import type { ViewSource } from './store-denormalization.js'
import { View, unread } from './view/view.js'
import type { Beginning, ViewGraph } from './view/view.js'

/** The result of a call before its first response. */
export const noResult = Symbol('no result')

/** Reads responses in its own way. */
export interface ResponseReader {
  /** Returns `true` if another one makes the same of a response. */
  readsAs(other: ResponseReader): boolean
}

/** The description of a call for the store, which knows no endpoints. */
export interface CallKey {
  /** The key of the request: equal for calls that share a response. */
  readonly key: string
  /** The schema of the response; one request with two schemas has two results. */
  readonly schema: SchemaContract | undefined
  readonly args: readonly unknown[]
  /** Tells whether a response is parsed and processed alike; `undefined` if the call takes any. */
  readonly reader?: ResponseReader | undefined
  /** True for a query of the store, which reads the records that are found; a request needs all that its schema names. */
  readonly isQuery?: boolean
}

/** The store, as results use it. */
export interface ResultOwner extends ViewSource, Pick<StoreQueryDelegate, 'reference'> {
  /** Notes changes; `undefined` while nobody listens to them. */
  readonly journal: Journal | undefined
  /** Finds the reference that arguments identify. */
  lookUp(schema: Schema, args: readonly unknown[]): unknown
  /** Called if the data that readers of a call see may have changed. */
  touch(shown: ResultView): void
}

/** Denormalizes a result from the store's records, with a separate view for each list. */
class ResultDenormalization extends StoreDenormalization {
  /** The views, by their normalized array. */
  readonly lists = new Map<readonly unknown[], ListView>()

  override members(schema: Schema, references: readonly unknown[]): unknown[] {
    let list = this.lists.get(references)
    if (list === undefined) {
      const delegate = new StoreDenormalization(this.source, this.args)
      list = new ListView(schema, { members: references }, delegate, true)
      this.lists.set(references, list)
    }
    return this.source.graph.readSource(list) as unknown[]
  }

  /** Reuses the view of `before` for `after`, because most members are the same. */
  continueList(before: readonly unknown[], after: readonly unknown[]): void {
    const list = this.lists.get(before)
    if (list === undefined) return
    this.lists.delete(before)
    this.lists.set(after, list)
    list.list = { members: after }
    this.source.graph.markWritten(list)
  }

  /** Unlinks and removes the lists that are not shown any more. */
  dropUnshown(): void {
    for (const [references, list] of this.lists) {
      if (list.dependents !== undefined) continue
      this.source.graph.unlink(list)
      this.lists.delete(references)
    }
  }
}

/** The view of a denormalized result: the part of a call that knows no requests. */
export abstract class ResultView extends View implements CallKey {
  abstract readonly key: string
  abstract readonly schema: SchemaContract | undefined
  abstract readonly args: readonly unknown[]
  abstract readonly isQuery: boolean
  /** The normalized result, with nodes in place of records; `noResult` before the first response. */
  abstract readonly result: unknown
  /** True if it counts as unanswered despite a stored result. */
  abstract readonly isInvalidated: boolean
  /** The reference that the arguments identify, if no result was received yet. */
  inferred: unknown = undefined
  /** True if `undefined` is the data of the call and not missing data. */
  isUndefined = false
  declare protected readonly owner: ResultOwner
  /** Denormalizes any result but a single record; created when needed. */
  #delegate: ResultDenormalization | undefined

  constructor(owner: ResultOwner) {
    super()
    this.owner = owner
  }

  override noteMarked(): void {
    this.owner.touch(this)
  }

  override begin(): Beginning {
    const { schema, result } = this
    // Only the first read has no other flag. A call of one record gives the value of the record's view.
    if (this.flags !== unread || this.sources.length > 0 || this.isInvalidated) return 'to finish last'
    if (!(schema instanceof EntityPlan)) return 'to finish last'
    // A `queryKey` of the class may depend on stored data.
    const isOwn = result === noResult && schema.entity.queryKey === undefined
    const pk = isOwn ? schema.pkOfArgs(this.args) : undefined
    const node = pk === undefined ? result : this.owner.reference(schema, pk)
    if (!(node instanceof RecordNode)) return 'to finish last'
    if (pk !== undefined) this.inferred = node
    this.owner.graph.follow(this, this.owner.viewOf(node, schema))
    return 'complete'
  }

  override finish(graph: ViewGraph, previous: unknown): void {
    const linking = graph.beginLinking()
    const value = this.#compute()
    graph.endLinking(this, linking)
    this.value = this.#isSame(previous, value) ? previous : value
    this.#delegate?.dropUnshown()
  }

  /** @see ResultDenormalization.continueList */
  continueList(before: readonly unknown[], after: readonly unknown[]): void {
    this.#delegate?.continueList(before, after)
  }

  /** The view and those of its lists. */
  get views(): readonly View[] {
    return [this, ...(this.#delegate?.lists.values() ?? [])]
  }

  #isSame(previous: unknown, value: unknown): boolean {
    // A list view creates a new array only if a member differs.
    const isDecided = this.sources.length === 1 && this.sources[0]?.value === value
    return !isDecided && isSameData(previous, value)
  }

  #compute(): unknown {
    this.isUndefined = false
    const { schema, result, isInvalidated, args, isQuery } = this
    if (isInvalidated) return undefined
    if (schema === undefined) {
      this.isUndefined = result === undefined
      return result === noResult ? undefined : result
    }
    if (result !== noResult) return this.#show(schema, result)
    // Read only here, because a stored result is shown without `needsAnswer`.
    this.inferred = !isQuery && schema.needsAnswer === true ? undefined : this.owner.lookUp(schema, args)
    return this.inferred === undefined ? undefined : this.#show(schema, this.inferred)
  }

  #show(schema: SchemaContract, normalized: unknown): unknown {
    const owner = this.owner
    if (schema instanceof EntityPlan && normalized instanceof RecordNode) {
      return owner.graph.readSource(owner.viewOf(normalized, schema))
    }
    const delegate = (this.#delegate ??= new ResultDenormalization(owner, this.args))
    delegate.isProcessed = false
    const data = show(schema, normalized, delegate)
    this.isUndefined = data === undefined && delegate.isProcessed
    return data
  }
}

/** Denormalizes a result; `undefined` if all its own records are missing. */
export function show(schema: SchemaContract, normalized: unknown, delegate: Denormalization): unknown {
  const data = schema.denormalize(normalized, delegate)
  const own = schema instanceof ObjectSchema ? ownRecords(schema, normalized) : undefined
  const isLost = ({ schema: of, node, isBeside }: OwnRecord) =>
    (!isBeside || node.stamp !== neverWritten) && delegate.resolve(of, node) === undefined
  if (own?.every(isLost) === true) return undefined
  // Fills instances and lists that were returned empty, so that the data can be read.
  delegate.fillAll()
  if (development && isPlainObject(data)) Object.freeze(data)
  return data
}

/** True if two results consist of the same records and values. Limits the depth, because a Query may return a cycle. */
function isSameData(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true
  const areLists = Array.isArray(a) && Array.isArray(b)
  if (depth > 8 || !(areLists || (isPlainObject(a) && isPlainObject(b)))) return false
  const [before, after] = areLists
    ? [a, b]
    : [Object.entries(a as object).flat(), Object.entries(b as object).flat()]
  return (
    before.length === after.length && before.every((part, index) => isSameData(part, after[index], depth + 1))
  )
}

/** The stamps of the records and lists in a normalized value, without those nested in them. */
export function stampsOf(normalized: unknown): Stamp[] {
  if (normalized instanceof RecordNode || normalized instanceof ListNode) return [normalized.stamp]
  return partsOf(normalized).flatMap(stampsOf)
}

/** True if a record or list in a normalized value is newer than a request that started at `start`. */
export function isOvertaken(normalized: unknown, start: number): boolean {
  return stampsOf(normalized).some(({ sequence }) => sequence > start)
}

/** A record without which a result is unreadable. */
export interface OwnRecord {
  readonly schema: SchemaContract
  readonly node: RecordNode
  /** True if the wrapper also has fields without a schema: then the record may be an id whose record is not known. */
  readonly isBeside: boolean
}

/**
 * The own records of a result: the record itself, or those of a wrapper such as `{ data: Article }`. If all are missing,
 * the read is Invalid, like the read of a single record.
 *
 * @returns `undefined` if the result also shows other data, such as a list
 */
function ownRecords(schema: SchemaContract, normalized: unknown): OwnRecord[] | undefined {
  const records: OwnRecord[] = []
  return collectOwn(schema, normalized, records) ? records : undefined
}

/**
 * Adds the own records of a result to `records`.
 *
 * @returns `false` if the result also shows other data, such as a list
 */
export function collectOwn(
  given: SchemaContract,
  normalized: unknown,
  records: OwnRecord[],
  isBeside = false,
): boolean {
  const within = given.optional ?? given.recordSchema
  const schema = within === undefined ? given : contractOf(within)
  // A Query may compute `undefined` from its record.
  if (normalized instanceof RecordNode) {
    if (schema.inner === undefined) records.push({ schema, node: normalized, isBeside })
    return schema.inner === undefined
  }
  if (schema.schemaOf !== undefined && Array.isArray(normalized)) {
    const chosen = schema.schemaOf(normalized[0])
    return chosen !== undefined && collectOwn(contractOf(chosen), normalized[1], records, isBeside)
  }
  if (!(schema instanceof ObjectSchema) || !isPlainObject(normalized)) return false
  const named = new Set(schema.nested.map(([name]) => name))
  const areBeside = isBeside || Object.keys(normalized).some((name) => !named.has(name))
  let isOnly = named.size > 0
  for (const [name, nested] of schema.nested)
    if (!collectOwn(contractOf(nested), normalized[name], records, areBeside)) isOnly = false
  return isOnly
}

import { development } from '#development'
import type { Denormalization } from '../denormalize/denormalize.js'
import { contractOf } from '../schema/contract-of.js'
import { EntityPlan } from '../schema/entity-plan.js'
import { ObjectSchema } from '../schema/object.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import { isPlainObject } from '../util/plain.js'
import { ListNode } from './list-node.js'
import { ListView, isSameList } from './view/list-view.js'
import { RecordNode } from './records.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import { StoreDenormalization } from './store-denormalization.js'
import type { ViewSource } from './store-denormalization.js'
import { View } from './view/view.js'
import type { Beginning, ViewGraph } from './view/view.js'

/** In place of a result that was never received. */
export const noResult = Symbol('no result')

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

/** What a view of a result shows. */
export interface Result extends CallKey {
  /** The normalized result, records replaced by their nodes; `noResult` before there was an answer. */
  readonly result: unknown
  /** Whether it counts as unanswered, whatever is stored. */
  readonly isInvalidated: boolean
}

/** What the store does for its results. */
export interface ResultOwner extends ViewSource {
  /** Finds a reference for arguments. */
  queryKey(schema: SchemaContract, args: readonly unknown[]): unknown
  /** Something that readers of a call see may have changed. */
  touch(shown: Result): void
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
  readonly node: Result
  /** What the arguments alone name, where nothing was received yet. */
  inferred: unknown = undefined
  /** Whether a value of `undefined` is what the call was answered with. */
  isUndefined = false
  readonly #owner: ResultOwner
  /** What anything but a single record is put together by; made when needed. */
  #delegate: ResultDenormalization | undefined = undefined

  constructor(node: Result, owner: ResultOwner) {
    super()
    this.node = node
    this.#owner = owner
  }

  override noteMarked(): void {
    this.#owner.touch(this.node)
  }

  override begin(): Beginning {
    return 'to finish last'
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
export function stampsOf(normalized: unknown): Stamp[] {
  if (normalized instanceof RecordNode || normalized instanceof ListNode) return [normalized.stamp]
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

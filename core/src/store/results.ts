import { Denormalization } from '../denormalize/denormalize.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { EntityPlan } from '../schema/entity-plan.js'
import { toKeys } from '../normalize/reference.js'
import type { View, ViewGraph } from './view/view.js'
import { contractOf } from '../schema/contract-of.js'
import { ObjectSchema } from '../schema/object.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import { isPlainObject } from '../util/plain.js'
import { ListNode } from './list-node.js'
import { membersOf as partsOf } from './list-members.js'
import { ListView } from './view/list-view.js'
import { RecordNode } from './records.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'

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

/** The views of a store. */
export interface ViewSource {
  readonly graph: ViewGraph
  /** The view of a record through a class. */
  viewOf(node: RecordNode, plan: EntityPlan): View
  /** The view of all records of a class. */
  allOf(plan: EntityPlan): View
}

/** Denormalizes from views; the value that is computed depends on each view that is read. */
export class StoreDenormalization extends Denormalization {
  declare readonly source: ViewSource

  constructor(source: ViewSource, args: readonly unknown[]) {
    super(args)
    this.source = source
  }

  record(plan: EntityPlan, reference: unknown): unknown {
    // A value that is no node was never normalized and is shown unchanged.
    if (!(reference instanceof RecordNode)) return reference
    const { source } = this
    const { views } = reference
    // Most records are read by one class. Looked at here, because a first screen reads most of its records by this method.
    const isKnown = views !== undefined && 'plan' in views && views.plan === plan
    return source.graph.readSource(isKnown ? views : source.viewOf(reference, plan))
  }

  collection(_collection: CollectionSchema<unknown>, reference: unknown): unknown {
    return reference instanceof ListNode ? this.source.graph.readSource(reference.view) : undefined
  }

  keys(value: unknown): unknown {
    return toKeys(value)
  }

  allOf(plan: EntityPlan): unknown[] | undefined {
    return this.source.graph.readSource(this.source.allOf(plan)) as unknown[] | undefined
  }

  fillAll(): void {
    this.source.graph.finishPending()
  }
}

/** Denormalizes a result from the store's records, with a separate view for each list. */
export class ResultDenormalization extends StoreDenormalization {
  /** The views, by their normalized array. */
  readonly lists = new Map<readonly unknown[], ListView>()

  override members(schema: Schema, references: readonly unknown[]): unknown[] {
    let list = this.lists.get(references)
    if (list === undefined) {
      const delegate = new StoreDenormalization(this.source, this.args)
      list = new ListView(schema, { members: references }, delegate)
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

/** Denormalizes a result; `undefined` if all its own records are missing. */
export function show(schema: SchemaContract, normalized: unknown, delegate: Denormalization): unknown {
  const data = schema.denormalize(normalized, delegate)
  const own = schema instanceof ObjectSchema ? ownRecords(schema, normalized) : undefined
  const isLost = ({ schema: of, node, isBeside }: OwnRecord) =>
    (!isBeside || node.stamp !== neverWritten) && delegate.resolve(of, node) === undefined
  if (own?.every(isLost) === true) return undefined
  // Fills instances and lists that were returned empty, so that the data can be read.
  delegate.fillAll()
  return data
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

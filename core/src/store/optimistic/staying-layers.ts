import type { Fields } from '../../schema/fields.js'
import { recordOf } from '../../schema/members-schema.js'
import { isSamePlain } from '../../util/plain.js'
import type { RecordNode } from '../records.js'
import type { ListTable, StoreLists } from '../store-lists.js'
import type { Store } from '../store.js'
import { presence, someLists } from './below.js'
import type { ExpectedTransaction, LayerSource, ListEffect } from './expected-transaction.js'

/** A layer, as the data below it changes while it stays on. */
export interface StayingLayer extends LayerSource {
  readonly noted: ReadonlySet<unknown>
  readonly written: ExpectedTransaction | undefined
}

/** A record that has its received fields while a response is written. */
export interface LiftedRecord {
  readonly node: RecordNode
  /** The fields that layers show. */
  readonly shown: Fields | undefined
  /** The received fields before the response. */
  readonly below: Fields | undefined
  /** The layer that is replaced, if others below it show the record as well. */
  readonly replaced: StayingLayer | undefined
}

/** A list that has its received members while a response is written. */
export interface LiftedList {
  readonly shown: unknown
  readonly below: unknown
  /** What the layer that is replaced did with it. */
  readonly effect: ListEffect
}

/** The fields that a layer shows of a record, and those of them that differ from the data below. */
interface LayerPart {
  readonly layer: StayingLayer
  readonly shown: Fields
  readonly own: Fields
}

/** `true` if a layer shows the same fields of a record whatever the data below it is. */
export function isConstant({ reads, written }: StayingLayer, { table }: RecordNode): boolean {
  const hasFields = written === undefined || written.isOfFields
  const hasReadFields = reads.size > (reads.has(presence) ? 1 : 0)
  return !hasReadFields && hasFields && !table.plans.some(({ mergesItself }) => mergesItself)
}

/**
 * Puts what layers show of a record on other received fields.
 *
 * @param layers - those that show the record, in their order; all of them are constant
 * @returns the fields to show; `undefined` if a layer has to run again, because it may change other lists now
 */
export function showOver(
  { node, below, replaced }: LiftedRecord,
  received: Fields,
  layers: readonly StayingLayer[],
  { fieldOrder: order, lists }: Store,
): Fields | undefined {
  const before: Record<string, unknown> = { ...below }
  const now: Record<string, unknown> = { ...received }
  const parts: LayerPart[] = []
  const all = replaced === undefined ? layers : [...layers, replaced].sort((a, b) => a.start - b.start)
  for (const layer of all) {
    const shown = layer.written?.shown.get(node)
    if (shown === undefined) continue
    const left: Record<string, unknown> = {}
    const own: Record<string, unknown> = {}
    for (const name of layer === replaced ? [] : givenNamesOf(shown)) {
      if (order.isCovered(node, name, layer.start)) continue
      // What the field was may decide about the lists that the record leaves and joins.
      const mayMove = layer.noted.has(someLists) && !isSamePlain(before[name], now[name])
      if (mayMove && isFilter(lists, name)) return undefined
      left[name] = shown[name]
      if (!isSamePlain(now[name], shown[name])) own[name] = shown[name]
    }
    for (const name of givenNamesOf(shown)) before[name] = shown[name]
    Object.assign(now, left)
    if (layer !== replaced) parts.push({ layer, shown: left, own })
  }
  for (const { layer, shown, own } of parts) {
    layer.written?.shown.set(node, shown)
    layer.written?.own.set(node, own)
  }
  parts[0]?.layer.written?.putBelow(node, received)
  return now
}

/** `true` if the members of a list may depend on a field. */
function isFilter(lists: StoreLists | undefined, name: string): boolean {
  if (lists === undefined) return false
  const hasArgument = ({ nodes }: ListTable) =>
    [...nodes.values()].some(({ args }) => Object.hasOwn(args, name))
  return lists.onWritten !== undefined || lists.tables.some(hasArgument)
}

/** The names of fields that have a value: others are not merged. */
function givenNamesOf(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => fields[name] !== undefined && name !== '__proto__')
}

/**
 * The members to show of a list in which the response did what its layer had shown: others that layers show stay in their places.
 * Without an effect, because the mutation failed, what the layer had added is gone.
 *
 * @param answered - the records of the response, by those of the optimistic response
 * @returns `undefined` if the response did something else
 */
export function settledMembers(
  { shown, below, effect }: LiftedList,
  received: unknown,
  answered: ReadonlyMap<unknown, unknown>,
): readonly unknown[] | undefined {
  const expected = differenceOf(effect.before, effect.after)
  const done = differenceOf(below, received)
  if (expected === undefined || done === undefined || !Array.isArray(shown)) return undefined
  const added = [...expected.added.keys()].map((record) => answered.get(record) ?? record)
  if (hasSameRecords(done.added, added) && hasSameRecords(done.left, [...expected.left.keys()]))
    return shown.map((member: unknown) => done.added.get(answered.get(recordOf(member))) ?? member)
  const hasFailed = done.added.size + done.left.size + expected.left.size === 0
  return hasFailed ? shown.filter((member: unknown) => !expected.added.has(recordOf(member))) : undefined
}

interface Difference {
  /** The members by record. */
  readonly added: ReadonlyMap<unknown, unknown>
  readonly left: ReadonlyMap<unknown, unknown>
}

function differenceOf(before: unknown, after: unknown): Difference | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined
  // What is the same at both ends was neither added nor left, and is most of it.
  let start = 0
  const shorter = Math.min(before.length, after.length)
  while (start < shorter && before[start] === after[start]) start++
  let same = 0
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++
  const was = byRecord(before.slice(start, before.length - same))
  const is = byRecord(after.slice(start, after.length - same))
  const added = new Map([...is].filter(([record]) => !was.has(record)))
  return { added, left: new Map([...was].filter(([record]) => !is.has(record))) }
}

function byRecord(members: readonly unknown[]): Map<unknown, unknown> {
  return new Map(members.map((member) => [recordOf(member), member]))
}

function hasSameRecords(records: ReadonlyMap<unknown, unknown>, others: readonly unknown[]): boolean {
  return records.size === others.length && others.every((record) => records.has(record))
}

import { development } from '#development'
import { warn } from '../../errors.js'
import type { Fields } from '../../schema/fields.js'
import { isPlainObject, shareStructure } from '../../util/plain.js'
import { Below } from './below.js'
import type { ListNode } from '../list-node.js'
import { ExpectedTransaction } from './expected-transaction.js'
import type { LayerSource } from './expected-transaction.js'
import { LayeredTransaction } from './layered-transaction.js'
import { RecordNode } from '../records.js'
import { noResult } from '../results.js'
import type { Call } from '../call.js'
import { neverWritten } from '../stamp.js'
import type { WriteOrder } from '../stamp.js'
import type { Tables } from '../tables.js'
import type { Lengths, Transaction } from '../transaction.js'
import { recordOf } from '../../schema/members.js'
import { toRecords } from '../members.js'
import { ShownBefore } from './shown-before.js'
import { TemporaryKeys } from './temporary-keys.js'
import { UnnamedRecords } from './unnamed.js'

/** The optimistic effect of a mutation in flight, computed from the state below its layer. */
export interface Expectation extends Omit<LayerSource, 'reads'> {
  /** The name in warnings. */
  readonly name: string
  /** The prefix of temporary primary keys. */
  readonly temporaryId: string
  /** Computes the optimistic response; `undefined` for none. @throws the errors of the user's function */
  readonly expect: (below: Below) => unknown
  /**
   * Writes an optimistic response.
   *
   * @returns the normalized response
   * @throws {SelfsameError} if it does not match its schema; the errors of the user's `update`
   */
  readonly write: (transaction: Transaction, response: unknown, read: () => Below) => unknown
}

/** The layer of a mutation in flight whose effect is shown early. */
export interface Layer extends Expectation, LayerSource {
  /** The optimistic response; `undefined` while nothing is shown. */
  response: unknown
  /** The normalized response. Later runs keep the primary keys of the first run. */
  result: unknown
  /** Its writes, to roll back; `undefined` while the layer is off, and if it failed. */
  written: ExpectedTransaction | undefined
  hasFailed: boolean
  /** By record, the fields in which the optimistic response differed from the data below when it was written. */
  own: ReadonlyMap<RecordNode, Fields> | undefined
}

/** The values of data that layers wrote, from before the layers were rolled back. */
interface Shown {
  readonly fields: Map<RecordNode, Fields | undefined>
  /** The places of records in the order of arrival. */
  readonly arrivals: Map<RecordNode, number>
  readonly members: Map<ListNode, unknown>
  readonly results: Map<Call, unknown>
}

/**
 * The optimistic effects of mutations in flight, on top of received data. Nodes hold the shown values, and each layer has
 * the undo log of its writes. A write to data that a layer read or wrote rolls all layers back first; they run again
 * on top of it, in order, so that they are computed from the new state (specification G4, F6, F8).
 */
export class Layers {
  /** Counts runs of layers, so that the garbage collector detects that they hide other values. */
  changes = 0
  readonly #store: Tables
  declare readonly unnamed: UnnamedRecords
  #layers: readonly Layer[] = []
  /** The data that layers read or wrote. */
  readonly #noted = new Set<unknown>()
  /** Defined while the layers are off. */
  #shown: Shown | undefined
  /** The number of nested `below` calls that keep the layers off. */
  #offs = 0
  readonly #before = new ShownBefore()
  /** Calls whose last snapshot stays on screen, with the records that their layer deletes. */
  readonly #held = new Map<Call, readonly RecordNode[]>()

  constructor(store: Tables) {
    this.#store = store
    this.unnamed = store.unnamed ??= new UnnamedRecords()
  }

  get isEmpty(): boolean {
    return this.#layers.length === 0
  }

  /** The layer of a mutation. */
  of(start: number): Layer | undefined {
    return this.#layers.find((layer) => layer.start === start)
  }

  /** Adds and runs a layer on top. */
  add(expectation: Expectation): Layer {
    const layer: Layer = {
      ...expectation,
      response: undefined,
      result: undefined,
      written: undefined,
      hasFailed: false,
      own: undefined,
      reads: new Set(),
    }
    this.#layers = [...this.#layers, layer]
    this.#run(layer)
    return layer
  }

  /** Returns a transaction that writes below the layers; `undefined` if there are none. */
  transaction(order: WriteOrder, lengths: Lengths, now: number): Transaction | undefined {
    return this.isEmpty ? undefined : new LayeredTransaction(this.#store, this, order, lengths, now)
  }

  /**
   * Replaces the layer of a mutation by its response.
   *
   * @param isReading - true if `write` reads the state below the layers
   */
  settle(layer: Layer | undefined, isReading: boolean, write: () => unknown): unknown {
    if (layer === undefined && !isReading) return write()
    const answered = this.below(() => {
      this.#remove(layer)
      const answer = write()
      if (layer !== undefined) replaceTemporary(layer, answer)
      if (layer !== undefined) this.unnamed.end(layer.start, layer.response, answer)
      return answer
    })
    this.#before.drop(layer)
    if (this.isEmpty) this.#before.clear()
    return answered
  }

  /** Removes the layer of a failed mutation. */
  takeBack(start: number, error: Error): void {
    this.unnamed.fail(start, error)
    const layer = this.of(start)
    // A response that could not be stored has removed it.
    if (layer !== undefined) this.below(() => this.#remove(layer))
    this.#before.restore(this.#store.graph, layer)
    if (this.isEmpty) this.#before.clear()
  }

  #remove(layer: Layer | undefined): void {
    this.#layers = this.#layers.filter((other) => other !== layer)
  }

  /** Called after a mutation succeeded without a body: its optimistic records keep their temporary primary keys. */
  confirm({ temporaryId }: Layer, transaction: Transaction, expected: unknown): void {
    for (const record of toRecords(expected).map(recordOf)) {
      if (!(record instanceof RecordNode) || !record.pk.startsWith(temporaryId)) continue
      this.unnamed.add(record, transaction.outdate([record]))
    }
  }

  /** Runs a function while the layers are rolled back. They run again afterwards, or when the current transaction ends. */
  below<Value>(run: () => Value): Value {
    if (this.isEmpty || this.#shown !== undefined) return run()
    this.#offs++
    this.#takeOff()
    try {
      return run()
    } finally {
      this.#offs--
      this.makeAgain()
    }
  }

  /** Returns a reader of the state below the layers while they are off; otherwise `undefined`. */
  read(): Below | undefined {
    return this.#shown && new Below(this.#store, this.#noted)
  }

  /** Rolls the layers back if one of them read or wrote the data that is about to be written. */
  touch(target: unknown): void {
    if (this.#shown === undefined && this.#noted.has(target)) this.#takeOff()
  }

  /** Runs the layers again that were rolled back, except during `below`. */
  makeAgain(): void {
    const shown = this.#shown
    if (shown === undefined || this.#offs > 0) return
    this.#noted.clear()
    for (const layer of this.#layers) this.#run(layer)
    this.#shown = undefined
    this.#keepSame(shown)
  }

  /** Drops all layers without a rollback, because all data is about to be dropped. */
  clear(): void {
    this.#layers = []
    this.#noted.clear()
    this.#before.clear()
    this.#held.clear()
  }

  /** The values that layers note or refer to, perhaps as the only ones. They are roots of the garbage collector. */
  get touched(): readonly unknown[] {
    return [
      ...this.#noted,
      ...this.#layers.flatMap(({ result, written }) => [result, ...(written?.replaced ?? [])]),
    ]
  }

  /**
   * Keeps the last snapshot of calls on screen whose records a layer deletes.
   *
   * @param calls - the calls that became unreadable, before their readers are notified
   */
  hold({ written }: Layer, calls: readonly Call[]): void {
    for (const call of calls) this.#held.set(call, [...(written?.removed ?? [])])
  }

  /** True if the last snapshot of a call stays on screen because of a layer. */
  holds(call: Call): boolean {
    return this.#held.has(call)
  }

  /** Removes the held calls that no layer hides any more. @returns them */
  takeUnhidden(): Call[] {
    if (this.#held.size === 0) return []
    const hidden = new Set(this.#layers.flatMap(({ written }) => [...(written?.removed ?? [])].map(nodeNow)))
    const unhidden = [...this.#held].flatMap(([call, nodes]) =>
      nodes.some((node) => hidden.has(nodeNow(node))) ? [] : call,
    )
    for (const call of unhidden) this.#held.delete(call)
    return unhidden.filter(({ held }) => held !== undefined)
  }

  #run(layer: Layer): void {
    this.changes++
    const read = () => new Below(this.#store, this.#noted)
    try {
      layer.reads.clear()
      const reads = (target: unknown) => {
        this.#noted.add(target)
        layer.reads.add(target)
      }
      const response = layer.expect(new Below(this.#store, { add: reads }))
      const { written } = layer
      // The function has reset the Controller, or its write made this layer run again.
      if (this.isEmpty) this.#noted.clear()
      if (written !== undefined || !this.#layers.includes(layer)) return
      layer.response = response
      if (response === undefined) return
      let result = this.#write(layer, read)
      if (layer.result !== undefined && this.#renameNew(layer, result)) result = this.#write(layer, read)
      layer.result = result
      layer.own = layer.written?.own
      layer.hasFailed = false
      // No view was read since the write, so views have their earlier values.
      this.#before.keep(layer, layer.written?.views ?? [])
    } catch (error) {
      // The effect is not shown early. The mutation continues, and its response will show the problem.
      layer.written?.rollBack()
      layer.written = undefined
      layer.response = undefined
      if (!layer.hasFailed) warn(error)
      layer.hasFailed = true
    }
  }

  #write(layer: Layer, read: () => Below): unknown {
    layer.written = new ExpectedTransaction(this.#store, layer, this.#noted)
    return layer.write(layer.written, layer.response, read)
  }

  /** Restores the first primary key of records that got another one in this run. @returns true if there was one */
  #renameNew(layer: Layer, result: unknown): boolean {
    const renamed: [RecordNode, RecordNode, Fields][] = []
    pairRecords(layer.result, result, (first, now) => {
      const isNew = now.stamp === neverWritten && first.stamp === neverWritten
      if (first.pk !== now.pk && first.table === now.table && isNew)
        renamed.push([first, now, keysAs(first, now)])
    })
    if (renamed.length === 0) return false
    layer.written?.rollBack()
    for (const [first, now, keys] of renamed) replaceKey(now, first, keys)
    if (development && !layer.hasFailed) {
      const key = renamed[0]?.[0].table.key
      warn(
        `${layer.name} returned a record of "${key}" with another primary key when it ran again. The first key is kept. Use \`snapshot.temporaryId\`, which stays the same.`,
      )
    }
    return true
  }

  #takeOff(): void {
    if (this.#shown !== undefined) return
    const shown: Shown = { fields: new Map(), arrivals: new Map(), members: new Map(), results: new Map() }
    for (const { written } of this.#layers) {
      written?.before.each((node) => {
        shown.fields.set(node, node.fields)
        shown.arrivals.set(node, node.arrival)
      })
      for (const node of written?.changedLists ?? []) shown.members.set(node, node.members)
      for (const call of written?.calls.keys() ?? []) shown.results.set(call, call.result)
    }
    this.#shown = shown
    for (const layer of [...this.#layers].reverse()) {
      layer.written?.rollBack()
      layer.written = undefined
    }
  }

  /** Restores the places of records, and the identity of values that are equal to those before the layers were rolled back (G2). */
  #keepSame({ fields, arrivals, members, results }: Shown): void {
    for (const [node, arrival] of arrivals) this.#store.keepArrival(nodeNow(node), arrival)
    for (const [node, before] of fields) {
      if (before !== undefined && node.fields !== undefined)
        this.#store.showFields(node, shareStructure(before, node.fields) as Fields)
    }
    for (const [node, before] of members) node.show(shareStructure(before, node.members))
    for (const [call, before] of results) {
      if (call.result === noResult) continue
      call.transition({ type: 'replaced', result: shareStructure(before, call.result) })
    }
  }
}

/**
 * Replaces the temporary records of a layer by those of the mutation's response, also where other layers or arguments
 * use the temporary primary keys (specification F7). Only while the layers are off.
 */
function replaceTemporary({ result }: Layer, answer: unknown): void {
  pairRecords(result, answer, (expected, real) => {
    const isTemporary = expected.stamp.fetchedAt === neverWritten.fetchedAt
    if (expected.pk !== real.pk && isTemporary && expected.table === real.table)
      replaceKey(expected, real, real.fields ?? {})
  })
}

/** Maps the primary key of a temporary record to the real one. @param fields - fields that contain the real key */
function replaceKey(temporary: RecordNode, { table, pk }: RecordNode, fields: Fields): void {
  table.nodes.delete(temporary.pk)
  table.temporary ??= new TemporaryKeys()
  table.temporary.replace(temporary.pk, pk, fields)
}

/** The fields of the second record that hold its primary key, with the key of the first. */
function keysAs({ pk }: RecordNode, { pk: other, fields = {} }: RecordNode): Fields {
  const keys = Object.entries(fields).filter(([, value]) => String(value) === other)
  return Object.fromEntries(keys.map(([name, value]) => [name, typeof value === 'number' ? Number(pk) : pk]))
}

/** The record that replaced a temporary one; otherwise the record itself. */
function nodeNow(node: RecordNode): RecordNode {
  const { table, pk } = node
  return table.nodes.get(table.realPk(pk)) ?? node
}

/** Calls a function with each pair of records at the same position of two normalized values. */
function pairRecords(a: unknown, b: unknown, pair: (a: RecordNode, b: RecordNode) => void): void {
  if (a instanceof RecordNode && b instanceof RecordNode) pair(a, b)
  else if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    a.forEach((item, index) => pairRecords(item, b[index], pair))
  } else if (isPlainObject(a) && isPlainObject(b)) {
    for (const name of Object.keys(a)) if (Object.hasOwn(b, name)) pairRecords(a[name], b[name], pair)
  }
}

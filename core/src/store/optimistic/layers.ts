import { development } from '#development'
import { warn } from '../../errors.js'
import type { Fields } from '../../schema/fields.js'
import type { Clock } from '../../util/clock.js'
import { manyPlansOf } from '../../schema/contract-of.js'
import type { SchemaContract } from '../../schema/schema.js'
import { getOrMake } from '../../util/get-or-make.js'
import { isPlainObject, shareStructure } from '../../util/plain.js'
import { Below, allLists, presence, someLists } from './below.js'
import type { DependencySink } from './below.js'
import { LiftedData, pairRecords, showOnly } from './lifted-data.js'
import { ListNode } from '../list-node.js'
import { ExpectedTransaction } from './expected-transaction.js'
import type { LayerSource } from './expected-transaction.js'
import { LayeredTransaction } from './layered-transaction.js'
import { RecordNode, viewsOf } from '../records.js'
import type { Call } from '../call.js'
import { neverWritten } from '../stamp.js'
import type { WriteOrder } from '../stamp.js'
import type { Store } from '../store.js'
import type { Lengths, Transaction } from '../transaction.js'
import { recordOf } from '../../schema/members-schema.js'
import { holds, toRecords } from '../list-members.js'
import { ShownBefore } from './shown-before.js'
import { ChildLists } from './child-lists.js'
import { EarlyMessages } from './early-messages.js'
import { TemporaryKeys } from './temporary-keys.js'
import { UnnamedRecords } from './unnamed-records.js'

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

const notedNothing: ReadonlySet<unknown> = new Set()

/** The layer of a mutation in flight whose effect is shown early. A class, because the engine shares no shape of copies. */
export class Layer implements LayerSource {
  readonly start: number
  readonly wrote: LayerSource['wrote']
  readonly temporaryId: string
  readonly expectation: Expectation
  /** The optimistic response; `undefined` while nothing is shown. */
  response: unknown = undefined
  /** The normalized response. */
  result: unknown = undefined
  /** Its writes, to roll back; `undefined` while the layer is off, and if it failed. */
  written: ExpectedTransaction | undefined = undefined
  hasFailed = false
  /** By record, the fields in which the optimistic response differed from the data below when it was written. */
  own: ReadonlyMap<RecordNode, Fields> | undefined = undefined
  readonly reads = new Set<unknown>()
  /** The data that it read or wrote in its last run, and in the one before. */
  readonly noted = new Set<unknown>()
  notedBefore: ReadonlySet<unknown> = notedNothing
  /** The number of its last run among those of all layers. */
  run = 0

  constructor(expectation: Expectation) {
    this.start = expectation.start
    this.wrote = expectation.wrote
    this.temporaryId = expectation.temporaryId
    this.expectation = expectation
  }
}

/** What layers have shown before they were rolled back. */
interface LayersOff {
  /** The places of records in the order of arrival. */
  readonly places: Map<RecordNode, number>
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
  readonly #store: Store
  declare readonly unnamed: UnnamedRecords
  /** By the start of their mutations, in that order. */
  readonly #layers = new Map<number, Layer>()
  /** The layers that read or wrote some data. */
  readonly #users = new Map<unknown, Set<Layer>>()
  /** By a table or `allLists`, the layers that read or wrote one of its records or lists. */
  readonly #within = new Map<unknown, Set<Layer>>()
  /** What has its received state while a response takes the place of a layer, and all others stay on. */
  readonly #lifted: LiftedData
  /** The layers that are rolled back. */
  readonly #off = new Set<Layer>()
  /** What layers that are rolled back have shown; `undefined` while all layers are on. */
  #shown: LayersOff | undefined
  /** The number of nested calls that keep layers off. */
  #offs = 0
  readonly #before = new ShownBefore()
  readonly #children: ChildLists
  /** Calls whose last snapshot stays on screen, with the records that their layer deletes. */
  readonly #held = new Map<Call, readonly RecordNode[]>()
  /** `undefined` until a message comes while layers are on. */
  #early: EarlyMessages | undefined

  constructor(store: Store) {
    this.#store = store
    this.unnamed = store.unnamed ??= new UnnamedRecords()
    this.#lifted = new LiftedData(store, (target) => [...(this.#users.get(target) ?? [])])
    this.#children = new ChildLists(store, this, this.unnamed)
  }

  /** Called when a call is made. */
  open(call: Call): void {
    // An expectation that reads a call must not write.
    if (this.#shown === undefined && !this.#store.isHolding) this.#children.open(call)
  }

  get isEmpty(): boolean {
    return this.#layers.size === 0
  }

  /** The calls that name a temporary id are those of a record that is being made, as is known now. */
  openAll(id: string): void {
    for (const [key, calls] of this.#store.results)
      if (key.includes(id)) for (const call of calls) this.open(call)
  }

  /** The layers in their order. */
  get all(): readonly Layer[] {
    return [...this.#layers.values()]
  }

  /** The layer of a mutation. */
  of(start: number): Layer | undefined {
    return this.#layers.get(start)
  }

  /** Adds and runs a layer on top. */
  add(expectation: Expectation): Layer {
    const layer = new Layer(expectation)
    this.#layers.set(layer.start, layer)
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
    const waiting = layer && this.#users.get(this.unnamed.createOf(layer.start))
    const answered =
      layer !== undefined && !isReading && waiting === undefined && this.#canStay(layer)
        ? this.#settleAlone(layer, write)
        : this.#settleOff(layer, isReading, write, waiting)
    this.#before.drop(layer)
    if (this.isEmpty) this.#before.clear()
    this.#children.settled()
    return answered
  }

  /** Replaces a layer by its response, while all that depend on it are rolled back. */
  #settleOff(
    layer: Layer | undefined,
    isReading: boolean,
    write: () => unknown,
    waiting: Iterable<Layer> = [],
  ): unknown {
    const layers = isReading || layer === undefined ? this.#layers.values() : [layer, ...waiting]
    return this.#whileOff(layers, () => {
      this.#remove(layer)
      const answer = write()
      if (layer !== undefined) replaceTemporary(this.#store, layer, answer)
      if (layer !== undefined) this.unnamed.end(layer.start, layer.response, answer)
      return answer
    })
  }

  /** `true` if all other layers can stay on while a response takes the place of a layer. */
  #canStay(layer: Layer): boolean {
    return this.#shown === undefined && this.#lifted.canReplace(layer)
  }

  /** Replaces a layer by its response, while all others stay on. */
  #settleAlone(layer: Layer, write: () => unknown): unknown {
    return this.#replaceAlone(layer, () => {
      // Layers that had to be rolled back stay off until the real key is read from the received record.
      this.#offs++
      try {
        const answer = write()
        replaceTemporary(this.#store, layer, answer)
        this.unnamed.end(layer.start, layer.response, answer)
        return answer
      } finally {
        this.#offs--
        this.makeAgain()
      }
    })
  }

  /**
   * Removes a layer, and writes what takes its place below the others. These stay as they are if it says what the layer has
   * shown. So many pending writes of one record, or to one list, settle without running each other again.
   */
  #replaceAlone(layer: Layer, write: () => unknown): unknown {
    const arrivals = (layer.written?.before.made ?? []).map((node) => [node, node.arrival] as const)
    let answer: unknown
    this.#lifted.begin(layer)
    try {
      this.#remove(layer)
      this.#forget(layer)
      answer = write()
      return answer
    } finally {
      for (const [node, arrival] of arrivals) this.#store.keepArrival(nodeNow(node), arrival)
      if (!this.#lifted.lower(layer.result, answer)) {
        this.#takeOff([])
        this.makeAgain()
      }
    }
  }

  /** Removes the layer of a failed mutation. @param isGivenUp - `true` if another request takes its place, or nothing does */
  takeBack(start: number, error: Error, isGivenUp = false): void {
    this.unnamed.fail(start, error)
    const layer = this.of(start)
    // A response that could not be stored has removed it.
    if (layer !== undefined && this.#canStay(layer)) this.#replaceAlone(layer, () => undefined)
    else if (layer !== undefined) this.#whileOff([layer], () => this.#remove(layer))
    this.#before.restore(this.#store.graph, layer)
    if (this.isEmpty) this.#before.clear()
    this.#children.settled()
    if (!isGivenUp) this.unnamed.queued.get(start)?.fail(start, error)
  }

  #remove(layer: Layer | undefined): void {
    if (layer === undefined) return
    this.#layers.delete(layer.start)
    this.#off.delete(layer)
  }

  /**
   * Called after a mutation succeeded without a body: its optimistic records keep their temporary primary keys.
   *
   * @returns `false` if there are fewer than the arguments name: of the others only the server knows
   */
  confirm(
    { temporaryId }: Layer,
    transaction: Transaction,
    expected: unknown,
    schema: SchemaContract,
    args: readonly unknown[],
  ): boolean {
    const records = toRecords(expected).flatMap(toRecords)
    for (const record of records.map(recordOf)) {
      if (!(record instanceof RecordNode) || !record.pk.startsWith(temporaryId)) continue
      this.unnamed.add(record, transaction.outdate([record]))
    }
    if (manyPlansOf(schema, args).length === 0) return true
    const body = args.at(-1)
    const arrays = [body, ...Object.values(isPlainObject(body) ? body : {})].filter(Array.isArray)
    return records.length >= Math.max(1, ...arrays.map(({ length }) => length))
  }

  /** Keeps a message that may bring the record of a create under way. @returns `true` if it is written later, by `write` */
  keepEarly({ before }: Transaction, clock: Clock, write: () => void): boolean {
    this.#early ??= new EarlyMessages(this.unnamed)
    return this.#early.keep(this.all, before, clock, write)
  }

  /** Runs a function while all layers are rolled back. They run again afterwards, or when the current transaction ends. */
  below<Value>(run: () => Value): Value {
    return this.isEmpty ? run() : this.#whileOff(this.#layers.values(), run)
  }

  /** Runs a function while some layers, and all that depend on them, are rolled back. */
  #whileOff<Value>(layers: Iterable<Layer>, run: () => Value): Value {
    // A transaction that has rolled layers back runs them again when it ends.
    const isWithin = this.#shown !== undefined && this.#offs === 0
    this.#takeOff(layers)
    if (isWithin) return run()
    this.#offs++
    try {
      return run()
    } finally {
      this.#offs--
      this.makeAgain()
    }
  }

  /** Returns a reader of the state below the layers while they are off; otherwise `undefined`. */
  read(): Below | undefined {
    return this.#shown && new Below(this.#store, { add: () => {} })
  }

  /** Rolls the layers back that read or wrote the data that is about to be written. @returns `true` if there were any */
  touch(target: unknown): boolean {
    if (this.#lifted.lift(target)) return false
    const users = this.#users.get(target)
    if (users !== undefined) this.#takeOff([...users])
    return users !== undefined
  }

  /** Rolls all layers back that read or changed lists. */
  touchLists(): void {
    this.#takeOff([...(this.#users.get(allLists) ?? []), ...(this.#within.get(allLists) ?? [])])
  }

  listsHiding(nodes: readonly RecordNode[]): readonly ListNode[] {
    return nodes.flatMap((node) =>
      [...(this.#users.get(node) ?? [])].flatMap(({ written }) =>
        [...(written?.changedLists ?? [])].flatMap(([list, { before }]) => (holds(before, node) ? list : [])),
      ),
    )
  }

  /** Runs the layers again that were rolled back, in their order, except while they are kept off. */
  makeAgain(): void {
    const shown = this.#shown
    if (shown === undefined || this.#offs > 0) return
    while (this.#off.size > 0) {
      const off = [...this.#off].sort((a, b) => a.start - b.start)
      for (const layer of off) {
        this.#off.delete(layer)
        this.#run(layer)
        if (this.#takeOffLater(layer)) break
      }
    }
    this.#shown = undefined
    for (const [node, arrival] of shown.places) this.#store.keepArrival(nodeNow(node), arrival)
    for (const [call, before] of shown.results) {
      const result = shareStructure(before, call.result)
      if (result !== call.result) this.#store.move(call, { type: 'replaced', result })
    }
  }

  /** Rolls back what later layers have written on data that a layer did not read or write before it ran again. */
  #takeOffLater({ start, noted, notedBefore }: Layer): boolean {
    const isNew = [...noted].some((target) => !notedBefore.has(target))
    if (!isNew) return false
    const self = this.#layers.get(start)
    const connected = self === undefined ? [] : this.#connected([self])
    if (!connected.some((other) => other.start > start)) return false
    this.#takeOff(connected)
    return true
  }

  /** Drops all layers without a rollback, because all data is about to be dropped. */
  clear(): void {
    this.#store.journal?.uncover()
    this.#layers.clear()
    this.#users.clear()
    this.#within.clear()
    this.#off.clear()
    this.#lifted.clear()
    this.#before.clear()
    this.#children.clear()
    this.#held.clear()
    this.#early?.clear()
  }

  /** The values that layers note or refer to, perhaps as the only ones. They are roots of the garbage collector. */
  get touched(): readonly unknown[] {
    const layers = [...this.#layers.values()]
    return [
      ...this.#users.keys(),
      ...layers.map(({ result }) => result),
      ...layers.flatMap(({ written }) => written?.replaced ?? []),
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
    const hidden = new Set(
      [...this.#layers.values()].flatMap(({ written }) => [...(written?.removed ?? [])].map(nodeNow)),
    )
    const unhidden = [...this.#held].flatMap(([call, nodes]) =>
      nodes.some((node) => hidden.has(nodeNow(node))) ? [] : call,
    )
    for (const call of unhidden) this.#held.delete(call)
    return unhidden.filter(({ state }) => state.held !== undefined)
  }

  /** Notes the data that a layer reads or writes. */
  #notedBy(layer: Layer, also?: Set<unknown>): DependencySink {
    const note = (target: unknown) => {
      if (layer.noted.has(target)) return
      layer.noted.add(target)
      // Layers that may change any list do not depend on each other, but on the lists that they do change.
      if (target !== someLists) getOrMake(this.#users, target, () => new Set<Layer>()).add(layer)
      const whole = wholeOf(target)
      if (whole !== undefined) getOrMake(this.#within, whole, () => new Set<Layer>()).add(layer)
    }
    return {
      add: (target) => {
        also?.add(target)
        note(target)
      },
      addPresence: (record) => {
        also?.add(presence)
        note(record)
      },
    }
  }

  #forget(layer: Layer): void {
    layer.notedBefore = new Set(layer.noted)
    for (const target of layer.noted) {
      dropFrom(this.#users, target, layer)
      dropFrom(this.#within, wholeOf(target), layer)
    }
    layer.noted.clear()
  }

  /** The layers that are on, and read or wrote data of these layers, or of each other; these layers come first. */
  #connected(layers: Iterable<Layer>): Layer[] {
    const connected = new Set<Layer>()
    const targets = new Set<unknown>()
    const addAll = (users: Iterable<Layer> = []) => {
      for (const user of users) if (!this.#off.has(user) && this.#layers.has(user.start)) connected.add(user)
    }
    addAll(layers)
    for (const { noted } of connected)
      for (const target of noted) {
        if (targets.has(target)) continue
        targets.add(target)
        addAll(this.#users.get(target))
        addAll(this.#within.get(target))
        addAll(this.#users.get(wholeOf(target)))
      }
    return [...connected]
  }

  #run(layer: Layer): void {
    layer.run = ++this.changes
    const noted = this.#notedBy(layer)
    const read = () => new Below(this.#store, noted)
    try {
      // An expectation that read nothing is the same again.
      const isKept = layer.response !== undefined && layer.reads.size === 0
      if (!isKept) layer.reads.clear()
      const response = isKept
        ? layer.response
        : layer.expectation.expect(new Below(this.#store, this.#notedBy(layer, layer.reads)))
      const { written } = layer
      // The function has reset the Controller, or its write made this layer run again.
      if (this.#layers.get(layer.start) !== layer) this.#forget(layer)
      if (written !== undefined || this.#layers.get(layer.start) !== layer) return
      layer.response = response
      if (response === undefined) return
      const result = this.#write(layer, read)
      if (development) warnOfOtherTemporaryKey(layer, result)
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
    layer.written = new ExpectedTransaction(this.#store, layer, this.#notedBy(layer))
    const { written, response } = layer
    return showOnly(this.#store, () => {
      const result = layer.expectation.write(written, response, read)
      written.place()
      written.end()
      return result
    })
  }

  /** Rolls layers back, and all that depend on them. */
  #takeOff(layers: Iterable<Layer>): void {
    const { targets, restore } = this.#lifted.unlift()
    const users = targets.flatMap((target) => Array.from(this.#users.get(target) ?? []))
    const connected = this.#connected([...layers, ...users])
    if (connected.length > 0) this.#rollBack(connected)
    restore()
  }

  #rollBack(connected: Layer[]): void {
    const { places, results } = (this.#shown ??= { places: new Map(), results: new Map() })
    for (const { written } of connected) {
      written?.before.each((node) => {
        if (!places.has(node)) places.set(node, node.arrival)
      })
      for (const node of written?.changedLists.keys() ?? []) this.#store.journal?.note(node)
      for (const call of written?.calls.keys() ?? []) if (!results.has(call)) results.set(call, call.result)
    }
    // The last that ran is on top.
    for (const layer of connected.sort((a, b) => b.run - a.run)) {
      layer.written?.rollBack()
      layer.written = undefined
      this.#forget(layer)
      this.#off.add(layer)
    }
  }
}

/**
 * Replaces the temporary records of a layer by those of the mutation's response, also where other layers or arguments
 * use the temporary primary keys (specification F7). Only while the layers are off.
 */
function replaceTemporary({ graph }: Store, { result }: Layer, answer: unknown): void {
  pairRecords(result, answer, (expected, real) => {
    const isTemporary = expected.stamp.fetchedAt === neverWritten.fetchedAt
    if (expected.pk === real.pk || !isTemporary || expected.table !== real.table) return
    replaceKey(expected, real, real.fields ?? {})
    // What could not be read of it may be there now.
    for (const view of viewsOf(expected)) graph.forget(view)
  })
}

/** Maps the primary key of a temporary record to the real one. @param fields - fields that contain the real key */
function replaceKey(temporary: RecordNode, { table, pk }: RecordNode, fields: Fields): void {
  table.nodes.delete(temporary.pk)
  table.temporary ??= new TemporaryKeys()
  table.temporary.replace(temporary.pk, pk, fields)
}

/** Warns of an expectation that makes up another primary key in each run: what shows its record by the first one loses it. */
function warnOfOtherTemporaryKey({ expectation, result: before, hasFailed }: Layer, result: unknown): void {
  pairRecords(before, result, ({ pk, table, stamp }, now) => {
    const isNew = now.stamp === neverWritten && stamp === neverWritten
    if (pk === now.pk || table !== now.table || !isNew || hasFailed) return
    warn(
      `${expectation.name} returned a record of "${table.key}" with another primary key when it ran again. Use \`snapshot.temporaryId\`, which stays the same.`,
    )
  })
}

/** What has a target as a part: the table of a record; all lists for one list, or for those with the same members. */
function wholeOf(target: unknown): unknown {
  if (target instanceof RecordNode) return target.table
  return target instanceof ListNode || target === someLists ? allLists : undefined
}

function dropFrom(layersOf: Map<unknown, Set<Layer>>, target: unknown, layer: Layer): void {
  const layers = layersOf.get(target)
  layers?.delete(layer)
  if (layers?.size === 0) layersOf.delete(target)
}

/** The record that replaced a temporary one; otherwise the record itself. */
function nodeNow(node: RecordNode): RecordNode {
  const { table, pk } = node
  return table.nodes.get(table.realPk(pk)) ?? node
}

import { development } from '#development'
import { warn } from '../../errors.js'
import type { Fields } from '../../schema/fields.js'
import { isPlainObject, shareStructure } from '../../util/plain.js'
import { Below } from './below.js'
import type { ListNode } from '../list-node.js'
import { ExpectedTransaction } from './expected-transaction.js'
import { LayeredTransaction } from './layered-transaction.js'
import { RecordNode } from '../records.js'
import { noResult } from '../results.js'
import type { Call } from '../call.js'
import { neverWritten } from '../stamp.js'
import type { WriteOrder } from '../stamp.js'
import type { Tables } from '../tables.js'
import type { Lengths, Transaction } from '../transaction.js'
import { toRecords, recordOf } from '../members.js'
import { TemporaryKeys } from './temporary-keys.js'
import { UnnamedRecords } from './unnamed.js'

/** What a mutation under way is expected to do: a function of what is below it. */
export interface Expectation {
  /** Where the mutation started: layers lie on each other in this order. */
  readonly start: number
  /** In the words of a message. */
  readonly name: string
  /** Begins the primary keys of records that have none yet. */
  readonly temporaryId: string
  /** Gives the expected answer; `undefined` for none. @throws what the user's function throws */
  readonly expect: (below: Below) => unknown
  /**
   * Writes an expected answer.
   *
   * @returns the answer, its records replaced by their nodes
   * @throws {SelfsameError} when it does not have the form of its schema; what the user's `update` throws
   */
  readonly write: (transaction: Transaction, response: unknown, read: () => Below) => unknown
}

/** A mutation under way whose effect is shown early. */
export interface Layer extends Expectation {
  /** The expected answer; `undefined` while nothing is shown. */
  response: unknown
  /** The same, its records replaced by their nodes. The first that there was: primary keys stay. */
  result: unknown
  /** What it wrote, to be taken off; `undefined` while it is, and where it failed. */
  written: ExpectedTransaction | undefined
  hasFailed: boolean
}

/** What was shown of that which layers wrote, when they were taken off. */
interface Shown {
  readonly fields: Map<RecordNode, Fields | undefined>
  readonly members: Map<ListNode, unknown>
  readonly results: Map<Call, unknown>
}

/**
 * What mutations under way are expected to do, on top of what was received. Nodes hold what is shown, and each layer the
 * undo log of what it wrote. A write that touches what a layer read or wrote takes all layers off first; they are made
 * again on top of it, in order, so that they lie on what is there then (specification G4, F6, F8).
 */
export class Layers {
  /** Counts runs, so that it is noticed that layers hide something else. */
  changes = 0
  readonly #store: Tables
  #layers: readonly Layer[] = []
  /** What the layers read or wrote. */
  readonly #noted = new Set<unknown>()
  /** There while the layers are off. */
  #shown: Shown | undefined = undefined
  /** How many want them off. */
  #offs = 0
  /** What lists showed when layers began to change them. */
  readonly #listsBefore = new Map<ListNode, unknown>()
  /** Rows whose last snapshot stays on screen, with the records that layers remove and they show. */
  readonly #held = new Map<Call, readonly RecordNode[]>()

  constructor(store: Tables) {
    this.#store = store
  }

  get isEmpty(): boolean {
    return this.#layers.length === 0
  }

  /** The layer of a mutation. */
  of(start: number): Layer | undefined {
    return this.#layers.find((layer) => layer.start === start)
  }

  /** Puts what a mutation is expected to do on top. */
  add(expectation: Expectation): Layer {
    const layer: Layer = {
      ...expectation,
      response: undefined,
      result: undefined,
      written: undefined,
      hasFailed: false,
    }
    this.#layers = [...this.#layers, layer]
    this.#run(layer)
    return layer
  }

  /** What writes on top of which layers lie; `undefined` where there are none. */
  transaction(order: WriteOrder, lengths: Lengths, now: number): Transaction | undefined {
    return this.isEmpty ? undefined : new LayeredTransaction(this.#store, this, order, lengths, now)
  }

  /**
   * Puts what a mutation was answered with in the place of its layer.
   *
   * @param isReading - whether writing it reads what is below the layers
   */
  settle(start: number, isReading: boolean, write: () => unknown): unknown {
    const layer = this.of(start)
    if (layer === undefined && !isReading) return write()
    const answered = this.below(() => {
      this.#remove(layer)
      const answer = write()
      if (layer !== undefined) replaceTemporary(layer, answer)
      return answer
    })
    if (this.isEmpty) this.#listsBefore.clear()
    return answered
  }

  /** Takes a mutation's layer away for good. */
  takeBack(start: number): void {
    const layer = this.of(start)
    if (layer === undefined) return
    this.below(() => this.#remove(layer))
    for (const [{ view }, before] of this.#listsBefore) {
      // A list whose readers have seen it otherwise is the same object again (G2).
      const isShown = view.dependents !== undefined
      if (isShown && shareStructure(before, this.#store.graph.read(view)) === before) view.value = before
    }
    if (this.isEmpty) this.#listsBefore.clear()
  }

  #remove(layer: Layer | undefined): void {
    this.#layers = this.#layers.filter((other) => other !== layer)
  }

  /** A mutation succeeded without a body, which confirms what was expected: its records have no other primary keys. */
  confirm({ temporaryId }: Layer, transaction: Transaction, expected: unknown): void {
    for (const record of toRecords(expected).map(recordOf)) {
      if (!(record instanceof RecordNode) || !record.pk.startsWith(temporaryId)) continue
      const unnamed = (this.#store.unnamed ??= new UnnamedRecords())
      unnamed.add(record, transaction.outdate([record]))
    }
  }

  /** Runs a function while the layers are off. They are made again afterwards. */
  below<Value>(run: () => Value): Value {
    if (this.isEmpty) return run()
    this.#offs++
    this.#takeOff()
    try {
      return run()
    } finally {
      this.#offs--
      this.makeAgain()
    }
  }

  /** Reads what is below the layers while they are off; `undefined` otherwise. */
  read(): Below | undefined {
    return this.#shown && new Below(this.#store, this.#noted)
  }

  /** Takes the layers off where one of them read or wrote what is about to be written. */
  touch(target: unknown): void {
    if (this.#shown === undefined && this.#noted.has(target)) this.#takeOff()
  }

  /** Makes the layers again that were taken off, unless they are to stay off. */
  makeAgain(): void {
    const shown = this.#shown
    if (shown === undefined || this.#offs > 0) return
    this.#noted.clear()
    for (const layer of this.#layers) this.#run(layer)
    this.#shown = undefined
    this.#keepSame(shown)
  }

  /** Forgets all layers, without showing what is below: everything is about to be dropped. */
  clear(): void {
    this.#layers = []
    this.#noted.clear()
    this.#listsBefore.clear()
    this.#held.clear()
  }

  /** What layers touch or refer to, perhaps alone: it is not collected. */
  get touched(): readonly unknown[] {
    return [
      ...this.#noted,
      ...this.#layers.flatMap(({ result, written }) => [result, ...(written?.replaced ?? [])]),
    ]
  }

  /**
   * Keeps the last snapshot of calls on screen, from which a layer took what they show.
   *
   * @param calls - whose readers are about to be told that there is nothing
   */
  hold({ written }: Layer, calls: readonly Call[]): void {
    for (const call of calls) this.#held.set(call, [...(written?.removed ?? [])])
  }

  /** Whether the last snapshot of a call stays on screen because of a layer. */
  holds(call: Call): boolean {
    return this.#held.has(call)
  }

  /** Forgets the calls that no layer hides any more. @returns them */
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
      layer.response = layer.expect(read())
      if (layer.response === undefined) return
      let result = this.#write(layer, read)
      if (layer.result !== undefined && this.#renameNew(layer, result)) result = this.#write(layer, read)
      layer.result = result
      layer.hasFailed = false
      // Nothing was read since: views have the values from before.
      for (const node of layer.written?.lists ?? []) {
        if (!this.#listsBefore.has(node) && node.view.value !== undefined)
          this.#listsBefore.set(node, node.view.value)
      }
    } catch (error) {
      // What cannot be shown early is not: the mutation goes on, and its answer will say what is wrong.
      layer.written?.rollBack()
      layer.written = undefined
      layer.response = undefined
      if (!layer.hasFailed) warn(error)
      layer.hasFailed = true
    }
  }

  #write(layer: Layer, read: () => Below): unknown {
    layer.written = new ExpectedTransaction(this.#store, layer.start, this.#noted)
    return layer.write(layer.written, layer.response, read)
  }

  /** Of a record that got another primary key in this run the first one stays. @returns whether there was one */
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
        `${layer.name} gave a record of "${key}" another primary key when it was run again, and the first one is kept. Take it from \`snapshot.temporaryId\`, which stays the same.`,
      )
    }
    return true
  }

  #takeOff(): void {
    if (this.#shown !== undefined) return
    const shown: Shown = { fields: new Map(), members: new Map(), results: new Map() }
    for (const { written } of this.#layers) {
      written?.before.eachStamp((node) => shown.fields.set(node, node.fields))
      for (const node of written?.lists ?? []) shown.members.set(node, node.members)
      for (const call of written?.calls.keys() ?? []) shown.results.set(call, call.result)
    }
    this.#shown = shown
    for (const layer of [...this.#layers].reverse()) {
      layer.written?.rollBack()
      layer.written = undefined
    }
  }

  /** What is as it was before the layers were taken off is the same object: so nothing was seen to change (G2). */
  #keepSame({ fields, members, results }: Shown): void {
    for (const [node, before] of fields) {
      if (before !== undefined && node.fields !== undefined)
        this.#store.showFields(node, shareStructure(before, node.fields) as Fields)
    }
    for (const [node, before] of members) this.#store.showMembers(node, shareStructure(before, node.members))
    for (const [call, before] of results) {
      if (call.result === noResult) continue
      call.transition({ type: 'replaced', result: shareStructure(before, call.result) })
    }
  }
}

/**
 * Lets the records that a mutation was answered with stand for the temporary ones that were shown in their place,
 * wherever other layers or arguments name these (specification F7). Only while the layers are off.
 */
function replaceTemporary({ result }: Layer, answer: unknown): void {
  pairRecords(result, answer, (expected, real) => {
    const isTemporary = expected.stamp.fetchedAt === neverWritten.fetchedAt
    if (expected.pk !== real.pk && isTemporary && expected.table === real.table)
      replaceKey(expected, real, real.fields ?? {})
  })
}

/** From now on arguments that name a temporary record name the real one. @param fields - in which its key is found */
function replaceKey(temporary: RecordNode, { table, pk }: RecordNode, fields: Fields): void {
  table.nodes.delete(temporary.pk)
  table.temporary ??= new TemporaryKeys()
  table.temporary.replace(temporary.pk, pk, fields)
}

/** The fields of a record that hold its primary key, with that of another. */
function keysAs({ pk }: RecordNode, { pk: other, fields = {} }: RecordNode): Fields {
  const keys = Object.entries(fields).filter(([, value]) => String(value) === other)
  return Object.fromEntries(keys.map(([name, value]) => [name, typeof value === 'number' ? Number(pk) : pk]))
}

/** The record that stands for another now, if that was temporary. */
function nodeNow(node: RecordNode): RecordNode {
  const { table, pk } = node
  return table.nodes.get(table.realPk(pk)) ?? node
}

/** Calls a function with the records that stand at the same places of two normalized values. */
function pairRecords(a: unknown, b: unknown, pair: (a: RecordNode, b: RecordNode) => void): void {
  if (a instanceof RecordNode && b instanceof RecordNode) pair(a, b)
  else if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    a.forEach((item, index) => pairRecords(item, b[index], pair))
  } else if (isPlainObject(a) && isPlainObject(b)) {
    for (const name of Object.keys(a)) if (Object.hasOwn(b, name)) pairRecords(a[name], b[name], pair)
  }
}

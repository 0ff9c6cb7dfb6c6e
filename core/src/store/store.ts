import { innerOf } from '../schema/contract-of.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Layers } from './optimistic/layers.js'
import { viewsOf } from './records.js'
import type { RecordTable } from './records.js'
import type { Call } from './call.js'
import { neverWritten } from './stamp.js'
import type { WriteOrder } from './stamp.js'
import { Tables } from './tables.js'
import { Transaction } from './transaction.js'
import type { Lengths } from './transaction.js'

/**
 * What is known, and until when: the tables, and what writes to them and tells their readers. Knows no endpoint, no
 * network and no clock.
 */
export class Store extends Tables {
  /** Optimistic writes, on top of what was received; `undefined` until there is one. */
  layers: Layers | undefined = undefined
  /** The highest mark that was given. */
  marks = 0
  /** Hears that calls were dropped: what leads to them is no use any more. */
  onCallsDropped: (() => void) | undefined = undefined
  #sequence = 0
  #transactions = 0

  /** The next position in the order of all requests and writes. */
  nextSequence(): number {
    return ++this.#sequence
  }

  /**
   * Runs a function that writes, and tells readers when it ended.
   *
   * @returns what `write` returned
   * @throws what `write` threw; nothing is written then
   */
  transact<Value>(
    order: WriteOrder,
    lengths: Lengths,
    now: number,
    write: (transaction: Transaction) => Value,
  ): Value {
    const transaction =
      this.layers?.transaction(order, lengths, now) ?? new Transaction(this, order, lengths, now)
    this.#transactions++
    try {
      return write(transaction)
    } catch (error) {
      transaction.rollBack()
      throw error
    } finally {
      this.layers?.makeAgain()
      this.#transactions--
      this.notify()
    }
  }

  /** Drops every record and every result. Rows stay for those who read them, and are unanswered again. */
  clear(): void {
    const sequence = this.nextSequence()
    const stamp = { ...neverWritten, sequence, mutationStart: sequence }
    this.layers?.clear()
    this.unnamed?.clear()
    this.hydration?.clear()
    for (const table of this.tables.values()) {
      table.temporary = undefined
      for (const node of table.nodes.values()) {
        if (node.fields === undefined && node.stamp === neverWritten) continue
        for (const index of table.indexes.values()) index.move(this.graph, node, node.fields, undefined)
        node.fields = undefined
        node.stamp = stamp
        for (const view of viewsOf(node)) this.graph.markWritten(view)
        node.hasArrived = false
      }
      table.arrived = []
      table.isListed = false
      for (const list of table.lists.values()) this.graph.markWritten(list)
    }
    this.lists?.clear(stamp)
    for (const calls of this.results.values()) {
      for (const call of calls) {
        this.discard(call)
        this.move(call, { type: 'forgotten', at: sequence })
        this.graph.markWritten(call.view)
      }
    }
  }

  /** Runs a function while nothing is shown that is only expected. */
  below<Value>(run: () => Value): Value {
    return this.layers === undefined ? run() : this.layers.below(run)
  }

  /** Several changes to calls, of which readers are told once. @param isLater - in a microtask */
  batch<Value>(change: () => Value, isLater = false): Value {
    this.#transactions++
    try {
      return change()
    } finally {
      this.#transactions--
      if (isLater) queueMicrotask(() => this.notify())
      else this.notify()
    }
  }

  /**
   * Keeps what readers see of calls that a mutation just made unreadable, until `release`: so code that awaits the
   * mutation can leave the page first (specification 3, delete).
   *
   * @returns the calls that are held, of those that readers are about to be told of
   */
  holdUnreadable(): Call[] {
    const held: Call[] = []
    for (const call of this.touched) {
      const before = call.lastSnapshot
      if (before?.isReadable !== true || call.snapshot(this.graph).isReadable) continue
      call.transition({ type: 'held', snapshot: before })
      held.push(call)
    }
    return held
  }

  /** What became unreadable until now is none of what `holdUnreadable` is to hold. */
  noteUnreadable(): void {
    // A snapshot that was computed since is what readers are told next, and not what they see.
    for (const call of this.touched) call.snapshot(this.graph)
  }

  /** Lets readers see calls that were held. */
  release(calls: readonly Call[]): void {
    this.batch(() => {
      for (const call of calls) {
        if (call.held !== undefined) this.move(call, { type: 'held', snapshot: undefined })
      }
    })
  }

  /** Tells the readers of the calls that were touched. Waits for the end of a running transaction. */
  notify(): void {
    if (this.#transactions > 0) return
    while (this.touched.size > 0) {
      const calls = [...this.touched]
      this.touched.clear()
      for (const call of calls) tell(call)
    }
  }

  /** How many records there are, those counted that were deleted or only referred to. */
  get size(): number {
    let size = 0
    for (const { nodes } of this.tables.values()) size += nodes.size
    return size
  }

  /** What readers of a call see; `undefined` for nothing. */
  readCall(call: Call): unknown {
    const { data, isReadable } = call.snapshot(this.graph)
    // What is shown may be made of what was received.
    if (isReadable && call.schema?.inner !== undefined)
      return this.readOnce(innerOf(call.schema), call.result, call.args)
    return isReadable ? data : undefined
  }

  protected override joinFields(table: RecordTable, added: readonly FieldPlan[]): void {
    const order = { kind: 'read', start: 0, settle: 0 } as const
    const transaction = new Transaction(this, order, { endpoint: undefined, controller: 0 }, -Infinity)
    this.below(() => {
      for (const node of table.nodes.values()) transaction.joinFields(node, added)
    })
  }
}

/** Calls a call's listeners. One that throws does not keep the others from being told (specification F20). */
function tell(call: Call): void {
  for (const listener of call.listeners) {
    try {
      listener()
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

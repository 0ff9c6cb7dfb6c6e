import { innerOf } from '../schema/contract-of.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Layers } from './optimistic/layers.js'
import type { RecordTable } from './records.js'
import type { Call } from './call.js'
import { neverWritten } from './stamp.js'
import type { WriteOrder } from './stamp.js'
import { Tables } from './tables.js'
import { Transaction } from './transaction.js'
import type { Lengths } from './transaction.js'
import { report } from '../util/report.js'

/**
 * The normalized cache: the tables, their transactions and the notification of readers. Knows no endpoint, no network
 * and no clock.
 */
export class Store extends Tables {
  /** Optimistic writes on top of the received data; `undefined` until the first one. */
  layers: Layers | undefined
  /** Called after calls were dropped, so that caches of them are cleared. */
  onCallsDropped: (() => void) | undefined = undefined
  #sequence = 0
  #transactions = 0

  /** The next position in the order of all requests and writes. */
  nextSequence(): number {
    return ++this.#sequence
  }

  /**
   * Runs a function in a transaction, then notifies readers.
   *
   * @returns the value that `write` returned
   * @throws the error of `write`, after a rollback
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
      const value = write(transaction)
      transaction.commit()
      return value
    } catch (error) {
      transaction.rollBack()
      throw error
    } finally {
      try {
        this.layers?.makeAgain()
      } finally {
        this.close()
      }
    }
  }

  /** Drops every record and every result. Calls stay for their readers and are unanswered again. */
  clear(): void {
    const sequence = this.nextSequence()
    const stamp = { ...neverWritten, sequence, mutationStart: sequence }
    this.layers?.clear()
    this.unnamed?.clear()
    this.hydration?.clear()
    this.fieldOrder.clear()
    for (const table of this.tables.values()) {
      table.temporary = undefined
      for (const node of table.nodes.values()) {
        if (node.fields === undefined && node.stamp === neverWritten) continue
        this.showFields(node, undefined)
        node.stamp = stamp
        node.arrival = 0
      }
      table.arrived = undefined
      this.setListed(table, false)
      this.markLists(table)
    }
    this.lists?.clear(stamp)
    for (const calls of this.results.values()) {
      for (const call of calls) {
        this.discard(call)
        this.move(call, { type: 'forgotten', at: sequence })
        this.graph.markWritten(call)
      }
    }
  }

  override below<Value>(run: () => Value): Value {
    return this.layers === undefined ? run() : this.layers.below(run)
  }

  /** Runs several changes and notifies readers once. @param isLater - notify in a microtask */
  batch<Value>(change: () => Value, isLater = false): Value {
    this.#transactions++
    try {
      return change()
    } finally {
      this.close(isLater)
    }
  }

  /** Begins a batch: readers are notified when it is closed. */
  open(): void {
    this.#transactions++
  }

  /** Ends a batch. @param isLater - notify in a microtask */
  close(isLater = false): void {
    this.#transactions--
    if (isLater) queueMicrotask(() => this.notify())
    else this.notify()
  }

  /**
   * Keeps the last snapshot of calls that a mutation just made unreadable until `release`, so that code that awaits the
   * mutation can leave the page first (specification 3, delete).
   *
   * @returns the held calls, among those whose readers are about to be notified
   */
  holdUnreadable(): Call[] {
    const held: Call[] = []
    for (const call of this.touched) {
      const before = call.lastSnapshot
      if (before?.isReadable !== true || call.snapshot().isReadable) continue
      call.transition({ type: 'held', snapshot: before })
      held.push(call)
    }
    return held
  }

  /** Excludes calls that are unreadable already from the next `holdUnreadable`. */
  noteUnreadable(): void {
    // Computes the snapshots now: `holdUnreadable` holds only calls whose last snapshot is readable.
    for (const call of this.touched) call.snapshot()
  }

  /** Shows the current state of held calls. */
  release(calls: readonly Call[]): void {
    this.batch(() => {
      for (const call of calls) this.move(call, { type: 'held', snapshot: undefined })
    })
  }

  /** Notifies the readers of the touched calls. Does nothing during a transaction or batch, which notifies at its end. */
  notify(): void {
    if (this.#transactions > 0) return
    this.journal?.commit()
    while (this.touched.size > 0) {
      const calls = [...this.touched]
      this.touched.clear()
      // All listeners are called even if one throws (specification F20).
      for (const call of calls) for (const listener of call.listeners) report(listener)
    }
  }

  /** The number of records, including deleted ones and those only referred to. */
  get size(): number {
    let size = 0
    for (const { nodes } of this.tables.values()) size += nodes.size
    return size
  }

  /** The data that readers of a call see; `undefined` if it is not readable. */
  readCall(call: Call): unknown {
    const { data, isReadable } = call.snapshot()
    // The data of a Query may differ from the received data, so that is read by the inner schema.
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

import type { ResultNode } from '../store/results.js'
import type { Store } from '../store/store.js'
import { isSameProgress } from '../util/progress.js'
import type { Progress } from '../util/progress.js'
import { InFlight, createSettleable } from './request.js'
import type { Settleable, TaggedPromise } from './request.js'
import { Transfers } from './transfers.js'

/** What is under way for each call, and what readers are shown of it. */
export class Activity {
  readonly inFlight = new InFlight()
  readonly transfers = new Transfers()
  readonly #store: Store
  /** Rows whose answer a mutation under way hides. */
  readonly #hidden = new Set<ResultNode>()
  /** What readers wait for that must not ask. */
  readonly #resumptions = new WeakMap<ResultNode, Settleable<undefined>>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Whoever starts a request may be rendering; others are told that it runs when he is done. */
  setFetching(row: ResultNode, isStarting: boolean): void {
    const fetching = isStarting || this.inFlight.isFetching(row) || this.transfers.isRunning(row)
    if (row.fetching === fetching) return
    row.fetching = fetching
    row.progress = undefined
    this.#store.touch(row)
    if (isStarting) queueMicrotask(() => this.#store.notify())
    else this.#store.notify()
  }

  /** A transport may say how far it is while it is called, and so while somebody renders: readers are told after that. */
  setProgress(row: ResultNode, progress: Progress): void {
    if (!row.fetching || isSameProgress(row.progress, progress)) return
    row.progress = Object.freeze({ ...progress })
    this.#store.touch(row)
    queueMicrotask(() => this.#store.notify())
  }

  /**
   * What readers of a row wait for gave way to something newer: a moment of its own, at which they ask once more. Where
   * another request is under way, or failed, or the data is there again, they go on with that and are told of nothing (G2).
   */
  renew(row: ResultNode): void {
    this.resume(row)
    const { fetching, error, isReadable } = row.snapshot(this.#store.graph)
    if (fetching || error !== undefined || isReadable) return
    row.invalidations++
    this.#store.touch(row)
    this.#store.notify()
  }

  /** What readers of a row wait for is hidden by what a mutation is expected to do: they do not ask before its answer. */
  renewAfterMutation(row: ResultNode): void {
    row.abortedUntil = Infinity
    this.#hidden.add(row)
  }

  /** A mutation was answered, or failed. */
  noteMutationEnd(): void {
    const rows = [...this.#hidden]
    this.#hidden.clear()
    for (const row of rows) this.renew(row)
  }

  /** What a reader waits for that must not ask: that somebody else is answered, or that it comes back. */
  resumption(row: ResultNode): TaggedPromise<undefined> {
    let resumption = this.#resumptions.get(row)
    if (resumption === undefined) this.#resumptions.set(row, (resumption = createSettleable()))
    return resumption.promise
  }

  /** Lets readers look again that must not ask. */
  resume(row: ResultNode): void {
    row.abortedUntil = -Infinity
    this.#resumptions.get(row)?.resolve(undefined)
    this.#resumptions.delete(row)
  }

  /**
   * What a row shows was changed by another way than the answer to its request: a reader that waits without listening,
   * as one that was never on screen does, looks again (specification F3).
   */
  wakeWaiting(row: ResultNode): void {
    for (const { settled } of this.inFlight.waitersOf(row)) settled.resolve(undefined)
  }
}

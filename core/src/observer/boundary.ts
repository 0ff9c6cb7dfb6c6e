import type { Observer, Reading } from './observer.js'

/** What a boundary shows. The same object until one of its members changes. */
export interface BoundarySnapshot {
  /** Whether a reader inside has nothing to show yet. */
  readonly isWaiting: boolean
  /** The error of a reader inside; `undefined` when there is none. */
  readonly error: Error | undefined
}

/**
 * What an `AsyncBoundary` knows of the readers inside of it: who waits and who failed. In every binding it resets
 * errors; where the framework cannot suspend again by itself it also decides when the fallback is shown.
 *
 * @internal
 */
export class Boundary {
  readonly #readings = new Map<object, { observer: Observer; reading: Reading }>()
  readonly #listeners = new Set<() => void>()
  #snapshot: BoundarySnapshot = Object.freeze({ isWaiting: false, error: undefined })

  readonly getSnapshot = (): BoundarySnapshot => this.#snapshot

  /** Calls a function after each change of the snapshot. @returns a function that ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * A reader says what it does now.
   *
   * @param reader - stands for the reader; any object of its own
   */
  report(reader: object, observer: Observer, reading: Reading): void {
    if (reading.state === 'ready') this.#readings.delete(reader)
    else this.#readings.set(reader, { observer, reading })
    this.#update()
  }

  /** A reader is gone. */
  leave(reader: object): void {
    if (this.#readings.delete(reader)) this.#update()
  }

  /** Takes back the errors that readers inside failed with, and fetches (specification 7, B5). */
  reset(): void {
    for (const [reader, { observer, reading }] of [...this.#readings]) {
      if (reading.state !== 'failed') continue
      this.#readings.delete(reader)
      observer.retry()
    }
    this.#update()
  }

  #update(): void {
    let isWaiting = false
    let error: Error | undefined
    for (const { reading } of this.#readings.values()) {
      if (reading.state === 'waiting') isWaiting = true
      else if (reading.state === 'failed') error ??= reading.error
    }
    if (isWaiting === this.#snapshot.isWaiting && error === this.#snapshot.error) return
    this.#snapshot = Object.freeze({ isWaiting, error })
    for (const listener of [...this.#listeners]) listener()
  }
}

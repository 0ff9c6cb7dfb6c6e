import { messageOf } from '../errors.js'
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

  /**
   * Watches the error that is shown instead of the content, whose readers may be gone: somebody else may fetch what
   * failed, or take the error back, and then the content can be made again, without a request (specification 7). While
   * it is watched, `controller.refetchStale` fetches it too, once it has expired.
   *
   * @param thrown - what was caught
   * @param onChange - is called once, when the error does not stand any more, with the one that stands instead, or
   *   `undefined` when there is none; at once, when there is none already
   * @returns a function that ends it; `undefined` for an error of something else than the readers inside, which
   *   stands until the boundary is reset
   */
  watch(thrown: unknown, onChange: (error: Error | undefined) => void): (() => void) | undefined {
    const failed = [...this.#readings.values()].find(
      ({ reading }) => reading.state === 'failed' && reading.error === thrown,
    )
    if (failed === undefined) return undefined
    const { observer } = failed
    let hasEnded = false
    const change = (error: Error | undefined) => {
      stop()
      this.#retell(thrown, error)
      onChange(error)
    }
    const end = observer.subscribe(() => {
      const error = observer.failure()
      if (!hasEnded && error !== thrown) change(error)
    })
    const endAttendance = observer.attend()
    function stop(): void {
      hasEnded = true
      end()
      endAttendance()
      // What is fetched for an error that was taken back is waited for by the content that is made again.
      if (observer.failure() === thrown) observer.leave()
    }
    if (observer.failure() === undefined) change(undefined)
    return stop
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

  /** Replaces the error of readers that are not there to say so themselves. */
  #retell(thrown: unknown, error: Error | undefined): void {
    for (const [reader, { observer, reading }] of [...this.#readings]) {
      if (reading.state !== 'failed' || reading.error !== thrown) continue
      if (error === undefined) this.#readings.delete(reader)
      else this.#readings.set(reader, { observer, reading: { state: 'failed', error } })
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

/** Makes an Error of anything that a boundary caught; the original is its `cause`. @internal */
export function toCaughtError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown })
}

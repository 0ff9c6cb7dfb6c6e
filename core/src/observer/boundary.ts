import { createSettleable } from '../controller/request.js'
import type { Settleable, TaggedPromise } from '../controller/request.js'
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
  /** The error that is shown instead of the content. */
  #watched: { readonly error: unknown; readonly observer: Observer } | undefined
  /** Lasts while the content is made anew beside that error. */
  #trial: { readonly settled: Settleable<undefined>; readonly end: () => void } | undefined

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
    if (reading.state === 'success') this.#readings.delete(reader)
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
    const failed = this.failures(thrown)[0]?.[1]
    if (failed === undefined) return undefined
    const { observer } = failed
    let hasEnded = false
    const change = (error: Error | undefined) => {
      stop()
      this.#retell(thrown, error)
      onChange(error)
    }
    const tell = () => {
      const error = observer.failure()
      if (!hasEnded && error !== thrown) change(error)
    }
    const end = observer.subscribe(tell, failureOf)
    const endAttendance = observer.attend()
    const watched = { error: thrown, observer }
    this.#watched = watched
    const stop = () => {
      hasEnded = true
      if (this.#watched === watched) this.#watched = undefined
      end()
      endAttendance()
      // What is fetched for an error that was taken back is waited for by the content that is made again.
      if (observer.failure() === thrown) observer.leave()
    }
    if (observer.failure() === undefined) change(undefined)
    return stop
  }

  /** The readers inside that failed with an error: of a component that is gone too. */
  failures(error: unknown): (readonly [reader: object, { readonly observer: Observer }])[] {
    return [...this.#readings].filter(
      ([, { reading }]) => reading.state === 'error' && reading.error === error,
    )
  }

  /**
   * The content is made anew while the error of a reader is shown, to see whether it still names the call that failed.
   * Until `endTrial` nobody who begins to read that call asks for it, although the error may have expired.
   */
  beginTrial(): void {
    if (this.#watched === undefined || this.#trial !== undefined) return
    const { error, observer } = this.#watched
    this.#trial = { settled: createSettleable(), end: observer.stand() }
    for (const [reader] of this.failures(error)) this.#readings.delete(reader)
    this.#update()
  }

  /** @returns whether the new content names the call whose error is shown, so that this goes on being shown */
  endTrial(): boolean {
    this.#trial?.end()
    this.#trial?.settled.resolve(undefined)
    this.#trial = undefined
    return this.failures(this.#watched?.error).length > 0
  }

  /** What a reader waits for in a trial instead of throwing the error that is shown: the end of the trial. */
  trialOf(error: unknown): TaggedPromise<undefined> | undefined {
    return this.#watched?.error === error ? this.#trial?.settled.promise : undefined
  }

  /**
   * Takes back the errors that readers inside failed with (specification 7, B5). Those of them that are still there
   * fetch, as does the content that is made anew: only what it still names.
   */
  reset(): void {
    this.prepareReset()()
  }

  /** As `reset`, where the readers inside have to be gone before. @returns a function that takes their errors back */
  prepareReset(): () => void {
    const failed = [...this.#readings].filter(([, { reading }]) => reading.state === 'error')
    for (const [reader] of failed) this.#readings.delete(reader)
    return () => {
      for (const [, { observer }] of failed) observer.takeBack()
      this.#update()
    }
  }

  /** Replaces the error of readers that are not there to say so themselves. */
  #retell(thrown: unknown, error: Error | undefined): void {
    for (const [reader, { observer }] of this.failures(thrown)) {
      if (error === undefined) this.#readings.delete(reader)
      else this.#readings.set(reader, { observer, reading: { state: 'error', error } })
    }
    this.#update()
  }

  #update(): void {
    let isWaiting = false
    let error: Error | undefined
    for (const { reading } of this.#readings.values()) {
      if (reading.state === 'pending') isWaiting = true
      else if (reading.state === 'error') error ??= reading.error
    }
    if (isWaiting === this.#snapshot.isWaiting && error === this.#snapshot.error) return
    this.#snapshot = Object.freeze({ isWaiting, error })
    for (const listener of [...this.#listeners]) listener()
  }
}

const failureOf = (observer: Observer): Error | undefined => observer.failure()

/** Whether the `resetKeys` of a boundary are as before. @internal */
export function areSameKeys(before: readonly unknown[] = [], now: readonly unknown[] = []): boolean {
  return now.length === before.length && now.every((key, index) => Object.is(key, before[index]))
}

/** Makes an Error of anything that a boundary caught; the original is its `cause`. @internal */
export function toCaughtError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown })
}

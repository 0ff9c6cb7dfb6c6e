import { createSettleable } from '../util/settleable.js'
import type { Settleable, TaggedPromise } from '../util/settleable.js'
import { messageOf } from '../errors.js'
import type { Reading } from './observer.js'
import type { Watched } from './observer-group.js'

/** What a boundary shows. The same object until one of its members changes. */
export interface BoundarySnapshot {
  /** `error` before `fallback`, which is shown while a reader inside has nothing to show yet. */
  readonly show: 'content' | 'fallback' | 'error'
  /** What is shown instead of the content; `undefined` when there is none. */
  readonly error: Error | undefined
  /** How often the content had to be made anew: another number says that it has to be now. */
  readonly attempt: number
  /** Whether it is made beside the error, for no frame, to see whether it still names the call that failed. */
  readonly isTrying: boolean
}

/** What a reader that waits or failed said last. */
interface Report {
  readonly observer: Watched
  readonly reading: Reading
  /** Whether it throws its error: then that is shown when it is caught. */
  readonly isThrown: boolean
}

/**
 * Decides what an `AsyncBoundary` shows, for all frameworks: bindings tell it what happens, and make of its snapshot what is
 * on screen.
 *
 * An error that readers inside report is shown while one of them has it. What is caught removed the content, or broke it:
 * it is shown until it is reset or, if it is that of a reader, until its call is answered or reset by somebody else, until
 * no reader names that call any more, or until a trial shows that the content does not.
 */
export class Boundary {
  readonly #reports = new Map<object, Report>()
  readonly #listeners = new Set<() => void>()
  #snapshot: BoundarySnapshot = Object.freeze({
    show: 'content',
    error: undefined,
    attempt: 0,
    isTrying: false,
  })
  #isOnScreen = false
  #attempt = 0
  #caught: Error | undefined
  /** Whether what was caught was found to be the error of a reader. */
  #isOfReader = false
  /** Follows the call whose error was caught. */
  #followed: { readonly observer: Watched; readonly end: () => void } | undefined
  /** Lasts while the content is made anew beside that error. */
  #trial: { readonly settled: Settleable<undefined>; readonly end: (() => void) | undefined } | undefined
  #keys: readonly unknown[] | undefined
  #content: unknown

  readonly getSnapshot = (): BoundarySnapshot => this.#snapshot

  /** Calls a function after each change of the snapshot. @returns a function that ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * The boundary is on screen. Until then, and on a server, it follows no call.
   *
   * @returns a function that ends it
   */
  enter(): () => void {
    this.#isOnScreen = true
    const wasOfReader = this.#isOfReader
    this.#follow()
    // It was away, and its readers have said by now what they do.
    if (wasOfReader && this.#caught !== undefined && !this.#isNamed) this.renew()
    return () => {
      this.#isOnScreen = false
      this.#stopTrial()
      this.#unfollow()
    }
  }

  /**
   * A reader says what it does now.
   *
   * @param reader - stands for the reader; any object of its own
   * @param isThrown - whether it throws its error, to be caught: one that does may be rendered for nobody
   */
  report(reader: object, observer: Watched, reading: Reading, isThrown = false): void {
    if (reading.state === 'success') this.#reports.delete(reader)
    else this.#reports.set(reader, { observer, reading, isThrown })
    this.#update()
  }

  /** A reader is gone, or names another call. */
  leave(reader: object): void {
    if (this.#reports.delete(reader)) this.#update()
  }

  /** The framework caught what the content threw. While an error is shown what is left of it may fail too. */
  catch(thrown: unknown): void {
    if (this.#caught !== undefined && this.#trial === undefined) return
    this.#stopTrial()
    this.#show(toCaughtError(thrown))
  }

  /**
   * The content depends on something else. If an error is shown instead of it, it is tried again: `isTrying` lasts until
   * `endTrial`, and nobody who begins to read the call that failed asks for it, although its error may have expired.
   *
   * @param keys - `resetKeys`
   * @param content - what is rendered, where the framework tells one from another: only tried for the error of a reader
   */
  depend(keys: readonly unknown[] | undefined, content?: unknown): void {
    const isOther = !areSameKeys(this.#keys, keys) || (this.#isOfReader && content !== this.#content)
    this.#keys = keys
    this.#content = content
    if (!isOther || this.#caught === undefined || this.#trial !== undefined) return
    this.#trial = { settled: createSettleable(), end: this.#followed?.observer.stand() }
    for (const [reader] of this.failures()) this.#reports.delete(reader)
    this.#attempt++
    this.#update()
  }

  /** The content that was tried is made. The error goes on being shown if it still names the call that failed. */
  endTrial(): void {
    if (this.#stopTrial() && !this.#isNamed) this.#show(undefined)
    else this.#update()
  }

  /** What a reader waits for in a trial instead of throwing the error that is shown: the end of the trial. */
  trialOf(error: unknown): TaggedPromise<undefined> | undefined {
    return this.#caught === error ? this.#trial?.settled.promise : undefined
  }

  /** The readers inside that failed with the error that was caught: of a component that is gone too. */
  failures(): (readonly [reader: object, { readonly observer: Watched }])[] {
    const error = this.#caught
    return [...this.#reports].filter(
      ([, { reading }]) => error !== undefined && reading.state === 'error' && reading.error === error,
    )
  }

  /** The content has to be made anew, and no error stands in its place. */
  renew(): void {
    this.#stopTrial()
    this.#attempt++
    this.#show(undefined)
  }

  /**
   * Takes back the errors that readers inside failed with (specification 7, B5). Those of them that are still there
   * fetch, as does the content that is made anew: only what it still names.
   *
   * @param defer - where content that threw is still there: is given what takes the errors back, for when that is gone.
   *   @default they are taken back at once
   */
  reset(defer?: (takeBack: () => void) => void): void {
    const failed = [...this.#reports].filter(([, { reading }]) => reading.state === 'error')
    for (const [reader] of failed) this.#reports.delete(reader)
    const takeBack = () => {
      for (const [, { observer }] of failed) observer.takeBack()
      this.#update()
    }
    if (this.#caught === undefined) return takeBack()
    this.renew()
    if (defer === undefined) takeBack()
    else defer(takeBack)
  }

  /** Shows what was caught, or nothing any more. */
  #show(error: Error | undefined): void {
    this.#caught = error
    this.#isOfReader = false
    this.#follow()
    this.#update()
  }

  /**
   * Follows the call whose error was caught, whose readers may be gone: somebody else may fetch it, or take the error back,
   * and then the content can be made again, without a request (specification 7). While it is followed,
   * `controller.refetchStale` fetches it too, once the error has expired. An error of something else has no such call.
   */
  #follow(): void {
    this.#unfollow()
    const thrown = this.#caught
    const failed = this.failures()[0]?.[1]
    if (!this.#isOnScreen || failed === undefined) return
    const { observer } = failed
    this.#isOfReader = true
    const look = () => {
      const error = observer.failure()
      if (this.#caught === thrown && error !== thrown) this.#retell(error)
    }
    const endSubscription = observer.subscribe(look)
    const endAttendance = observer.attend()
    const end = () => {
      endSubscription()
      endAttendance()
      // What is fetched for an error that was taken back is waited for by the content that is made again.
      if (observer.failure() === thrown) observer.leave()
    }
    this.#followed = { observer, end }
    look()
  }

  #unfollow(): void {
    this.#followed?.end()
    this.#followed = undefined
  }

  /** Replaces the error of readers that are not there to say so themselves. */
  #retell(error: Error | undefined): void {
    for (const [reader, { observer }] of this.failures()) {
      if (error === undefined) this.#reports.delete(reader)
      else this.#reports.set(reader, { observer, reading: { state: 'error', error }, isThrown: true })
    }
    if (error === undefined) this.renew()
    else this.#show(error)
  }

  /** @returns whether there was one */
  #stopTrial(): boolean {
    const trial = this.#trial
    this.#trial = undefined
    trial?.end?.()
    trial?.settled.resolve(undefined)
    return trial !== undefined
  }

  /** Whether a reader still names the call whose error was caught. */
  get #isNamed(): boolean {
    return this.failures().length > 0
  }

  /** Looks, when the frame is over, whether the error was taken away by the readers that had it. */
  #lookAfterFrame(): void {
    if (this.#followed === undefined || this.#isNamed) return
    queueMicrotask(() => {
      if (this.#followed !== undefined && this.#trial === undefined && !this.#isNamed) this.renew()
    })
  }

  #update(): void {
    let isWaiting = false
    let error = this.#caught
    for (const { reading, isThrown } of this.#reports.values()) {
      if (reading.state === 'pending') isWaiting = true
      else if (reading.state === 'error' && !isThrown) error ??= reading.error
    }
    this.#lookAfterFrame()
    const show = error === undefined ? (isWaiting ? 'fallback' : 'content') : 'error'
    const last = this.#snapshot
    const next = { show, error, attempt: this.#attempt, isTrying: this.#trial !== undefined } as const
    if (
      last.show === show &&
      last.error === error &&
      last.attempt === next.attempt &&
      last.isTrying === next.isTrying
    )
      return
    this.#snapshot = Object.freeze(next)
    for (const listener of [...this.#listeners]) listener()
  }
}

function areSameKeys(before: readonly unknown[] = [], now: readonly unknown[] = []): boolean {
  return now.length === before.length && now.every((key, index) => Object.is(key, before[index]))
}

/** Makes an Error of anything that a boundary caught; the original is its `cause`. */
export function toCaughtError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown })
}

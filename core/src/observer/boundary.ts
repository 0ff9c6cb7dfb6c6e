import { development } from '#development'
import { noteRetry } from '../controller/trace-request.js'
import { createSettleable } from '../util/settleable.js'
import type { Settleable, TaggedPromise } from '../util/settleable.js'
import { toCaughtError } from '../errors.js'
import { isSameMembers } from '../util/plain.js'
import type { Observer, Reading } from './observer.js'
import type { Watched } from './observer-group.js'

/** The state of a boundary. The same object until one of its members changes. */
export interface BoundarySnapshot {
  /** An error takes precedence over the fallback, which is shown while a reader inside has no data. */
  readonly show: 'content' | 'fallback' | 'error'
  /** The error that is shown instead of the content; `undefined` without one. */
  readonly error: Error | undefined
  /** The key of the content: when the number changes, the content must be mounted again. */
  readonly attempt: number
  /**
   * `true` while the content is rendered out of sight beside the error, to see if it still reads the call that failed.
   */
  readonly isTrying: boolean
}

/** The last reading of a suspended or failed reader. */
interface Report {
  readonly observer: Watched
  readonly reading: Reading
  /** `true` if the reader throws its error: then the error is shown when the boundary catches it. */
  readonly isThrown: boolean
}

/**
 * Decides what an `AsyncBoundary` shows, for all frameworks. Bindings report events, and render its snapshot.
 *
 * An error that readers report is shown while one of them has it. An error that the boundary catches has unmounted or
 * broken the content, so it is shown until the boundary is reset. If it is the error of a reader, it also ends when its
 * call gets a response or is reset elsewhere, when no reader names the call any more, or when a trial render of the
 * content succeeds.
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
  /** `true` if the caught error is that of a reader. */
  #isOfReader = false
  /** Follows the call whose error was caught. */
  #followed: { readonly observer: Watched; readonly end: () => void } | undefined
  /** Set while the content is rendered beside that error. */
  #trial: { readonly settled: Settleable<undefined>; readonly end: (() => void) | undefined } | undefined
  #keys: readonly unknown[] | undefined
  #content: unknown

  readonly getSnapshot = (): BoundarySnapshot => this.#snapshot

  /** Calls the listener after each change of the snapshot. @returns a function that ends the subscription */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Starts the boundary when it is mounted. Before, and on a server, it subscribes to no call.
   *
   * @returns a function that stops it
   */
  enter(): () => void {
    this.#isOnScreen = true
    const wasOfReader = this.#isOfReader
    this.#follow()
    // While it was hidden its readers may have left the call that failed; they have reported by now.
    if (wasOfReader && this.#caught !== undefined && !this.#isNamed) this.renew()
    return () => {
      this.#isOnScreen = false
      this.#stopTrial()
      this.#unfollow()
    }
  }

  /**
   * Reports the current reading of a reader.
   *
   * @param reader - any object that stands for the reader
   * @param isThrown - `true` if the reader throws its error to the boundary: the render may be discarded
   */
  report(reader: object, observer: Watched, reading: Reading, isThrown = false): void {
    if (reading.state === 'success') this.#reports.delete(reader)
    else this.#reports.set(reader, { observer, reading, isThrown })
    this.#update()
  }

  /** Removes a reader that was unmounted or reads another call. */
  leave(reader: object): void {
    if (this.#reports.delete(reader)) this.#update()
  }

  /** Shows an error that the framework caught. While an error is shown, later errors of the content are ignored. */
  catch(thrown: unknown): void {
    if (this.#caught !== undefined && this.#trial === undefined) return
    this.#stopTrial()
    this.#show(toCaughtError(thrown))
  }

  /**
   * Tries the content again if an error is shown and the dependencies changed. `isTrying` is `true` until `endTrial`.
   * In a trial no new reader fetches the call that failed, although its error may have expired.
   *
   * @param keys - `resetKeys`
   * @param content - the content, if the framework has an identity for it: a change of it counts only for the error of
   *   a reader
   */
  depend(keys: readonly unknown[] | undefined, content?: unknown): void {
    const isOther = !areSameKeys(this.#keys, keys) || (this.#isOfReader && content !== this.#content)
    this.#keys = keys
    this.#content = content
    if (!isOther || this.#caught === undefined || this.#trial !== undefined) return
    this.#trial = { settled: createSettleable(), end: this.#followed && keepError(this.#followed.observer) }
    for (const [reader] of this.failures()) this.#reports.delete(reader)
    this.#attempt++
    this.#update()
  }

  /** Ends a trial: the content was rendered. The error stays if the content still reads the call that failed. */
  endTrial(): void {
    if (this.#stopTrial() && !this.#isNamed) this.#show(undefined)
    else this.#update()
  }

  /**
   * The promise that a reader suspends for in a trial, instead of throwing the error that is shown: the end of the
   * trial.
   */
  trialOf(error: unknown): TaggedPromise<undefined> | undefined {
    return this.#caught === error ? this.#trial?.settled.promise : undefined
  }

  /** The readers inside that failed with the caught error, unmounted ones included. */
  failures(): (readonly [reader: object, { readonly observer: Watched }])[] {
    const error = this.#caught
    return [...this.#reports].filter(
      ([, { reading }]) => error !== undefined && reading.state === 'error' && reading.error === error,
    )
  }

  /** Mounts the content again, without an error. */
  renew(): void {
    this.#stopTrial()
    this.#attempt++
    this.#show(undefined)
  }

  /**
   * Clears the errors of the readers inside (specification 7, B5). The readers that are still mounted fetch, and so
   * does the new content, but only the calls that it still reads.
   *
   * @param defer - called with the function that clears the errors, to call when the content that threw is unmounted
   *   @default the errors are cleared immediately
   */
  reset(defer?: (takeBack: () => void) => void): void {
    const failed = [...this.#reports].filter(([, { reading }]) => reading.state === 'error')
    for (const [reader] of failed) this.#reports.delete(reader)
    const takeBack = () => {
      for (const [, { observer }] of failed) takeBackError(observer)
      this.#update()
    }
    if (this.#caught === undefined) return takeBack()
    this.renew()
    if (defer === undefined) takeBack()
    else defer(takeBack)
  }

  /** Shows a caught error; `undefined` removes it. */
  #show(error: Error | undefined): void {
    this.#caught = error
    this.#isOfReader = false
    this.#follow()
    this.#update()
  }

  /**
   * Subscribes to the call whose error was caught, because its readers may be unmounted. If the call is fetched or its
   * error cleared elsewhere, the content is mounted again without a request (specification 7). Until then
   * `controller.refetchStale` fetches the call, once the error has expired. An error that is not of a reader has no
   * call.
   */
  #follow(): void {
    this.#unfollow()
    const thrown = this.#caught
    const failed = this.failures()[0]?.[1]
    if (!this.#isOnScreen || failed === undefined) return
    const { observer } = failed
    this.#isOfReader = true
    observer.members[0]?.inspect(({ reads }) => reads.keepAll())
    const look = () => {
      const error = observer.failure()
      if (this.#caught === thrown && error !== thrown) this.#retell(error)
    }
    const endSubscription = observer.subscribe(look)
    const endAttendance = attendFor(observer)
    const end = () => {
      endSubscription()
      endAttendance()
      // If the error was cleared, the new content waits for the request in flight.
      if (observer.failure() === thrown) observer.leave()
    }
    this.#followed = { observer, end }
    look()
  }

  #unfollow(): void {
    this.#followed?.end()
    this.#followed = undefined
  }

  /** Replaces the error of readers that are unmounted and cannot report. */
  #retell(error: Error | undefined): void {
    for (const [reader, { observer }] of this.failures()) {
      if (error === undefined) this.#reports.delete(reader)
      else this.#reports.set(reader, { observer, reading: { state: 'error', error }, isThrown: true })
    }
    if (error === undefined) this.renew()
    else this.#show(error)
  }

  /** @returns `true` if there was a trial */
  #stopTrial(): boolean {
    const trial = this.#trial
    this.#trial = undefined
    trial?.end?.()
    trial?.settled.resolve(undefined)
    return trial !== undefined
  }

  /** `true` if a reader still reads the call whose error was caught. */
  get #isNamed(): boolean {
    return this.failures().length > 0
  }

  /** Checks in a microtask, after the framework's update, if the readers that had the error are gone. */
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
    const next = { show, error, attempt: this.#attempt, isTrying: this.#trial !== undefined } as const
    if (isSameMembers<BoundarySnapshot>(this.#snapshot, next)) return
    this.#snapshot = Object.freeze(next)
    for (const listener of [...this.#listeners]) listener()
  }
}

/** Lets `refetchStale` retry a failed reader that its boundary has unmounted. */
function attendFor({ members }: Watched): () => void {
  return forEach(members, (observer) =>
    observer.inspect((calls) =>
      calls.attend({ refetchIfStale: (...meant) => observer.refetchIfStale(...meant) }),
    ),
  )
}

/** Keeps the errors of a reader's calls from expiring. */
function keepError({ members }: Watched): () => void {
  return forEach(members, (observer) =>
    observer.inspect(({ heldErrors }, call) => {
      heldErrors.add(call)
      return () => heldErrors.delete(call)
    }),
  )
}

/** Clears the errors of a reader's calls, so that each reader of them fetches. */
export function takeBackError({ members }: Pick<Watched, 'members'>): void {
  for (const observer of members) {
    observer.inspect((calls, call) => {
      const { error } = call.snapshot()
      if (error === undefined) return
      calls.store.batch(() => {
        // An error that the schema throws while reading is no failed request: drop the stored result. A Query is run again.
        if (call.error !== error) return call.isQuery ? calls.store.graph.drop(call) : calls.invalidate(call)
        calls.store.move(call, { type: 'forgiven' })
        calls.expire(call)
        if (development) noteRetry(calls, call)
      })
    })
  }
}

/** @returns a function that calls the functions which `begin` returned */
function forEach(
  members: readonly Observer[],
  begin: (observer: Observer) => (() => unknown) | undefined,
): () => void {
  const ends = members.map(begin)
  return () => {
    for (const end of ends) end?.()
  }
}

function areSameKeys(before: readonly unknown[] = [], now: readonly unknown[] = []): boolean {
  return now.length === before.length && now.every((key, index) => Object.is(key, before[index]))
}

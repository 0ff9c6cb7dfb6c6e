import type { EndpointLike, LoadedPages } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { toError } from '../errors.js'
import type { ResultNode } from '../store/results.js'
import type { Progress } from '../util/progress.js'
import { callEndpoint, judgePayload, nameOf } from './call.js'
import type { ControllerContext } from './context.js'
import { isAbort } from './error-policy.js'
import { createWaiter } from './request.js'
import type { ReadRequest, Waiter } from './request.js'

/**
 * How long an outcome waits to be shown by the reader that it was fetched for: milliseconds. A framework may
 * take its time to show what it suspended for; a reader that was given up must not make old data Valid.
 */
const claimLength = 5000

/** Where an answer stands in the order of all writes: reads by their start. */
interface ReadOrder {
  readonly kind: 'read'
  readonly start: number
  readonly settle: number
}

/** The reads of a Controller: made once for all who wait, stored, or failed. */
export class Reads {
  readonly #context: ControllerContext

  constructor(context: ControllerContext) {
    this.#context = context
  }

  /** Makes a read, or joins the one under way. */
  join(endpoint: EndpointLike, args: readonly unknown[], row: ResultNode): Waiter {
    const { activity } = this.#context
    const running = activity.inFlight.find(row.key, endpoint, Math.max(row.invalidatedAt, row.expiredAt))
    const request = running ?? this.#start(row.key, endpoint, args)
    if (!activity.inFlight.has(request)) {
      // What is called when a request starts, the endpoint's function or middleware, reset the Controller.
      return createFailed(endpoint, args, row, errors.wasReset(endpoint.name))
    }
    let waiter = request.waiters.find((other) => other.row === row)
    if (waiter === undefined) {
      waiter = createWaiter(endpoint, args, row)
      request.waiters.push(waiter)
      activity.setFetching(row, true)
    }
    row.abortedUntil = -Infinity
    return waiter
  }

  /** Lets a call fail without a request, for good. */
  refuse(endpoint: EndpointLike, args: readonly unknown[], row: ResultNode, error: Error): Waiter {
    const { store } = this.#context
    row.fail(error, store.nextSequence(), Infinity)
    store.touch(row)
    // Whoever asks may be rendering.
    queueMicrotask(() => store.notify())
    return createFailed(endpoint, args, row, error)
  }

  /**
   * Aborts the requests for a call that nobody waits for. In the next macrotask, because a reader that leaves is often
   * followed by one that comes: a component is mounted again (specification F16, B12).
   */
  abortLater({ key }: ResultNode): void {
    const { activity, clock } = this.#context
    if (activity.inFlight.abandoned(key).length === 0) return
    clock.setTimeout(() => {
      for (const request of activity.inFlight.abandoned(key)) this.#abort(request)
    }, 0)
  }

  /** Settles the requests under way for a call by an outcome that came in another way. @returns whether there were any */
  settle(row: ResultNode, outcome: { readonly response: unknown } | { readonly error: unknown }): boolean {
    const requests = this.#context.activity.inFlight.requestsOf(row)
    for (const request of requests) {
      if ('error' in outcome) this.#fail(request, request.waiters, outcome.error)
      else this.#answer(request, outcome.response, false)
      request.abort.abort(new DOMException('It was answered in another way.', 'AbortError'))
    }
    return requests.length > 0
  }

  /** Drops all requests: nothing of their answers is stored. */
  giveUp(reason: (name: string) => Error): void {
    for (const { endpoint, waiters, abort } of this.#context.activity.inFlight.clear()) {
      abort.abort()
      for (const { answer, settled } of waiters) {
        answer.reject(reason(endpoint.name))
        settled.resolve(undefined)
      }
    }
    this.#noteEarliest()
  }

  #start(key: string, endpoint: EndpointLike, args: readonly unknown[]): ReadRequest {
    const { store, activity, pipeline } = this.#context
    const { inFlight } = activity
    const abort = new AbortController()
    const pages = this.#pagesOf(key, endpoint)
    const request: ReadRequest = {
      key,
      endpoint,
      args,
      start: store.nextSequence(),
      waiters: [],
      pages,
      abort,
    }
    inFlight.add(request)
    this.#noteEarliest()
    const { signal } = abort
    const { transport } = this.#context
    const onProgress = (progress: Progress) => this.#report(request, progress)
    const call = { kind: 'read', endpoint, args, key, id: request.start } as const
    const answered = pipeline.perform(
      () => ({ type: 'fetch', ...call }),
      () =>
        pipeline.request(
          () => ({ ...call, signal }),
          () => callEndpoint(endpoint, args, { signal, onProgress, pages, transport }, store.unnamed),
        ),
    )
    // What a reset or an abort ended is no longer under way.
    answered.then(
      (payload) => {
        // A transport that does not listen answers what was aborted as well.
        const { signal: own } = endpoint
        const isWanted = inFlight.has(request)
        if (isWanted && own?.aborted !== true) {
          this.#answer(request, payload, pipeline.isTransparent)
          return
        }
        if (endpoint.schema === undefined) endpoint.dispose?.(payload)
        if (isWanted) this.#fail(request, request.waiters, own?.reason)
      },
      (thrown: unknown) => {
        if (inFlight.has(request)) this.#fail(request, request.waiters, thrown)
      },
    )
    return request
  }

  /** The pages that are asked for again with the list that they were appended to. */
  #pagesOf(key: string, { refetchPages }: EndpointLike): LoadedPages | undefined {
    if (refetchPages !== true) return undefined
    const row = this.#context.store.results.get(key)?.find(({ loaded }) => loaded.length > 0)
    return row && { path: row.path ?? [], calls: row.loaded }
  }

  #abort(request: ReadRequest): void {
    const reason = new DOMException('Nobody waits for it any more.', 'AbortError')
    for (const waiter of request.waiters) waiter.isAborted = true
    request.abort.abort(reason)
    this.#fail(request, request.waiters, reason)
  }

  /** @param isUnshared - whether nobody but the transport has seen the payload */
  #answer(request: ReadRequest, payload: unknown, isUnshared: boolean): void {
    const { store, activity, collector, pipeline } = this.#context
    activity.inFlight.remove(request)
    const { start, waiters, endpoint, args, key } = request
    const order: ReadOrder = { kind: 'read', start, settle: store.nextSequence() }
    let refusal: unknown
    const write = () => {
      store.batch(() => {
        for (const waiter of waiters) {
          try {
            const isWhole = request.pages !== undefined && request.pages.calls === waiter.row.loaded
            const value = this.#keep(waiter, payload, order, isUnshared && waiters.length === 1, isWhole)
            waiter.answer.resolve(value)
            waiter.settled.resolve(undefined)
          } catch (error) {
            refusal ??= error
            this.#fail(request, [waiter], error)
          }
        }
      })
      if (refusal !== undefined) throw refusal as Error
    }
    try {
      pipeline.perform(
        () => ({ type: 'response', kind: 'read', endpoint, args, key, id: start, response: payload }),
        write,
      )
    } catch (error) {
      // Whoever waits was told; middleware learns why the answer was refused.
      if (error !== refusal) throw error
    }
    this.#noteEarliest()
    collector.schedule()
  }

  #keep(
    { endpoint, args, row, isWaitedFor }: Waiter,
    payload: unknown,
    order: ReadOrder,
    isAlone: boolean,
    isWhole: boolean,
  ): unknown {
    const { store, activity, clock } = this.#context
    const { schema } = row
    judgePayload(endpoint, payload, row.key)
    const isOwned = isAlone && endpoint.ownsPayload === true
    const result = store.transact(order, this.#context.lengths(endpoint), clock.now(), (transaction) => {
      const name = nameOf(endpoint, row.key)
      const origin = { args, call: row.key, isWhole, name, isOwned, expected: row.result }
      return transaction.answer(row, payload, origin)
    })
    if (schema === undefined && endpoint.dispose !== undefined) this.#keepOrGiveUp(row, result, endpoint)
    row.usedAt = clock.now()
    row.unclaimedUntil = isWaitedFor ? row.usedAt + claimLength : -Infinity
    activity.resume(row)
    activity.setFetching(row, false)
    const { data, isReadable } = row.snapshot(store.graph)
    if (isReadable) return data
    this.#noteUnreadable(row, order.start, endpoint)
    return schema === undefined ? result : store.readOnce(schema, result, args)
  }

  /**
   * An answer that leaves its own call unreadable gave way to something newer: those who wait ask once more. What a
   * mutation under way is expected to remove they ask for when that is answered. An invalidation made them ask already.
   */
  #noteUnreadable(row: ResultNode, start: number, endpoint: EndpointLike): void {
    const { store, activity } = this.#context
    row.unclaimedUntil = -Infinity
    if (row.invalidatedAt > start) return
    if (row.isOvertaken(start)) activity.renew(row)
    else if (store.earliestMutation < Infinity) activity.renewAfterMutation(row)
    else throw errors.answerUnreadable(nameOf(endpoint, row.key))
  }

  /** An answer that came too late to be kept is nobody's. */
  #keepOrGiveUp(row: ResultNode, result: unknown, { dispose }: EndpointLike): void {
    if (Object.is(row.result, result)) row.dispose = dispose
    else this.#context.store.giveUp(() => dispose?.(result))
  }

  #report(request: ReadRequest, progress: Progress): void {
    const { activity } = this.#context
    if (!activity.inFlight.has(request)) return
    for (const { row } of request.waiters) {
      if (request.start > row.invalidatedAt) activity.setProgress(row, progress)
    }
  }

  #fail(request: ReadRequest, waiters: readonly Waiter[], thrown: unknown): void {
    const { store, activity, clock, collector, pipeline } = this.#context
    activity.inFlight.remove(request)
    this.#noteEarliest()
    const { start, key, args } = request
    const write = () =>
      store.batch(() => {
        for (const { endpoint, row, answer, settled, isWaitedFor, isAborted } of waiters) {
          const error = toError(thrown, endpoint.name)
          const now = clock.now()
          const counts = start > row.invalidatedAt && start >= Math.max(row.stamp.sequence, row.failedAt)
          if (counts && !isAbort(error)) {
            row.fail(error, start, now + this.#context.errorLength(endpoint))
            row.unclaimedUntil = isWaitedFor ? now + claimLength : -Infinity
          }
          if (!isAbort(error)) activity.resume(row)
          else if (!isAborted) row.abortedUntil = now + this.#context.errorLength(endpoint)
          row.usedAt = now
          store.touch(row)
          activity.setFetching(row, false)
          // It is older than what gave way to something newer: those who wait are not shown it, and ask once more.
          if (!counts && !isAborted) activity.renew(row)
          answer.reject(error)
          settled.resolve(undefined)
        }
      })
    const { endpoint } = request
    const error = toError(thrown, endpoint.name)
    pipeline.perform(() => ({ type: 'error', kind: 'read', endpoint, args, key, id: start, error }), write)
    collector.schedule()
  }

  #noteEarliest(): void {
    const { store, activity } = this.#context
    store.earliestRead = activity.inFlight.earliest
  }
}

/** A call that nothing was sent for. */
function createFailed(
  endpoint: EndpointLike,
  args: readonly unknown[],
  row: ResultNode,
  error: Error,
): Waiter {
  const waiter = createWaiter(endpoint, args, row)
  waiter.answer.promise.catch(() => {})
  waiter.answer.reject(error)
  waiter.settled.resolve(undefined)
  return waiter
}

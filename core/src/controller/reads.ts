import type { EndpointLike, LoadedPages } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { toError } from '../errors.js'
import type { Attempt, Call, CallEvent } from '../store/call.js'
import { isSameProgress } from '../util/progress.js'
import type { Progress } from '../util/progress.js'
import { callEndpoint, judgePayload, nameOf } from './call.js'
import type { ControllerContext } from './context.js'
import { isAbort } from './error-policy.js'
import { InFlight, createAttempt } from './request.js'
import type { Hold, ReadAttempt, ReadRequest } from './request.js'

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

/** The reads of a Controller: each is sent once for all calls that it answers, then stored, or failed. */
export class Reads {
  readonly #context: ControllerContext
  readonly #inFlight = new InFlight()
  /** Calls whose answer a mutation under way hides. */
  readonly #hidden = new Set<Call>()

  constructor(context: ControllerContext) {
    this.#context = context
  }

  /** Makes a read, or joins the one under way. */
  join(endpoint: EndpointLike, args: readonly unknown[], call: Call): ReadAttempt {
    const inFlight = this.#inFlight
    const running = inFlight.find(call.key, endpoint, Math.max(call.invalidatedAt, call.expiredAt))
    const request = running ?? this.#start(call.key, endpoint, args)
    if (!inFlight.has(request)) {
      // What is called when a request starts, the endpoint's function or middleware, reset the Controller.
      return this.#createFailed(endpoint, args, call, errors.wasReset(endpoint.name))
    }
    const joined = request.attempts.find((attempt) => attempt.call === call)
    if (joined !== undefined) return joined
    const attempt = createAttempt(endpoint, args, call, request.start)
    request.attempts.push(attempt)
    this.#moveSoon(call, { type: 'asked', attempt })
    return attempt
  }

  /** Lets a reader wait that is not on screen: what it waited for before is aborted when nothing else holds it. */
  hold(hold: Hold, attempt: ReadAttempt | undefined): void {
    const before = hold.take(attempt)
    if (before !== undefined) this.abortLater(before.call)
  }

  /** Lets a call fail without a request, for good. */
  refuse(endpoint: EndpointLike, args: readonly unknown[], call: Call, error: Error): ReadAttempt {
    const start = this.#context.store.nextSequence()
    this.#moveSoon(call, { type: 'failed', error, start, expiresAt: Infinity })
    return this.#createFailed(endpoint, args, call, error)
  }

  /**
   * Aborts the requests for a call that have no holder. In the next macrotask, because a reader that leaves is often
   * followed by one that comes: a component is mounted again (specification F16, B12).
   */
  abortLater({ key }: Call): void {
    if (this.#inFlight.abandoned(key).length === 0) return
    this.#context.clock.setTimeout(() => {
      for (const request of this.#inFlight.abandoned(key)) this.#abort(request)
    }, 0)
  }

  /** Settles the requests under way for a call by an outcome that came in another way. @returns whether there were any */
  settle(call: Call, outcome: { readonly response: unknown } | { readonly error: unknown }): boolean {
    const requests = this.#inFlight
      .of(call.key)
      .filter(({ attempts }) => attempts.some((attempt) => attempt.call === call))
    for (const request of requests) {
      if ('error' in outcome) this.#fail(request, request.attempts, outcome.error)
      else this.#answer(request, outcome.response, false)
      request.abort.abort(new DOMException('It was answered in another way.', 'AbortError'))
    }
    return requests.length > 0
  }

  /** Drops all requests: nothing of their answers is stored. */
  giveUp(reason: (name: string) => Error): void {
    for (const { endpoint, attempts, abort } of this.#inFlight.clear()) {
      abort.abort()
      for (const attempt of attempts) {
        attempt.answer.reject(reason(endpoint.name))
        this.#context.store.move(attempt.call, { type: 'settled', attempt })
      }
    }
    this.#noteEarliest()
  }

  /** The transport of a request said how far it is. It may do so while it is called, and so while a reader renders. */
  report(call: Call, attempt: Attempt, progress: Progress): void {
    if (!isSameProgress(attempt.progress, progress)) {
      this.#moveSoon(call, { type: 'reported', attempt, progress })
    }
  }

  /** A mutation is settled: readers ask for what it hid. */
  noteMutationEnd(): void {
    const calls = [...this.#hidden]
    this.#hidden.clear()
    for (const call of calls) this.#renew(call)
  }

  #start(key: string, endpoint: EndpointLike, args: readonly unknown[]): ReadRequest {
    const { store, pipeline } = this.#context
    const inFlight = this.#inFlight
    const abort = new AbortController()
    const pages = this.#pagesOf(key, endpoint)
    const request: ReadRequest = {
      key,
      endpoint,
      args,
      start: store.nextSequence(),
      attempts: [],
      pages,
      abort,
    }
    inFlight.add(request)
    this.#noteEarliest()
    const { signal } = abort
    const { transport } = this.#context
    const onProgress = (progress: Progress) => {
      if (!inFlight.has(request)) return
      for (const attempt of request.attempts) this.report(attempt.call, attempt, progress)
    }
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
        if (isWanted) this.#fail(request, request.attempts, own?.reason)
      },
      (thrown: unknown) => {
        if (inFlight.has(request)) this.#fail(request, request.attempts, thrown)
      },
    )
    return request
  }

  /** The pages that are asked for again with the list that they were appended to. */
  #pagesOf(key: string, { refetchPages }: EndpointLike): LoadedPages | undefined {
    if (refetchPages !== true) return undefined
    const call = this.#context.store.results.get(key)?.find(({ loaded }) => loaded.length > 0)
    return call && { path: call.path ?? [], calls: call.loaded }
  }

  #abort(request: ReadRequest): void {
    const reason = new DOMException('Nothing waits for it any more.', 'AbortError')
    for (const attempt of request.attempts) attempt.isAborted = true
    request.abort.abort(reason)
    this.#fail(request, request.attempts, reason)
  }

  /** @param isUnshared - whether only the transport has seen the payload */
  #answer(request: ReadRequest, payload: unknown, isUnshared: boolean): void {
    const { store, collector, pipeline } = this.#context
    this.#inFlight.remove(request)
    const { start, attempts, endpoint, args, key } = request
    const order: ReadOrder = { kind: 'read', start, settle: store.nextSequence() }
    let refusal: unknown
    const write = () => {
      store.batch(() => {
        for (const attempt of attempts) {
          try {
            const isWhole = request.pages !== undefined && request.pages.calls === attempt.call.loaded
            const isAlone = isUnshared && attempts.length === 1
            attempt.answer.resolve(this.#keep(attempt, payload, order, isAlone, isWhole))
          } catch (error) {
            refusal ??= error
            this.#fail(request, [attempt], error)
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
      // The promises rejected; middleware learns why the answer was refused.
      if (error !== refusal) throw error
    }
    this.#noteEarliest()
    collector.schedule()
  }

  #keep(
    attempt: ReadAttempt,
    payload: unknown,
    order: ReadOrder,
    isAlone: boolean,
    isWhole: boolean,
  ): unknown {
    const { store, clock } = this.#context
    const { endpoint, args, call } = attempt
    const { schema } = call
    judgePayload(endpoint, payload, call.key)
    const isOwned = isAlone && endpoint.ownsPayload === true
    const result = store.transact(order, this.#context.lengths(endpoint), clock.now(), (transaction) => {
      const name = nameOf(endpoint, call.key)
      const origin = { args, call: call.key, isWhole, name, isOwned, expected: call.result }
      return transaction.answer(call, payload, origin)
    })
    if (schema === undefined && endpoint.dispose !== undefined) this.#keepOrGiveUp(call, result, endpoint)
    const now = clock.now()
    call.usedAt = now
    store.move(call, { type: 'settled', attempt, graceUntil: graceOf(attempt, now) })
    const { data, isReadable } = call.snapshot(store.graph)
    if (isReadable) return data
    this.#noteUnreadable(call, order.start, endpoint)
    return schema === undefined ? result : store.readOnce(schema, result, args)
  }

  /**
   * An answer that leaves its own call unreadable gave way to something newer: readers that wait ask once more. What a
   * mutation under way is expected to remove they ask for when that is answered. An invalidation made them ask already.
   */
  #noteUnreadable(call: Call, start: number, endpoint: EndpointLike): void {
    call.transition({ type: 'shown' })
    if (call.invalidatedAt > start) return
    if (call.isOvertaken(start)) this.#renew(call)
    else if (this.#context.store.earliestMutation < Infinity) {
      call.transition({ type: 'hidden' })
      this.#hidden.add(call)
    } else throw errors.answerUnreadable(nameOf(endpoint, call.key))
  }

  /**
   * What readers of a call wait for gave way to something newer: a moment of its own, at which they ask once more. Where
   * another request is under way, or failed, or the data is there again, they go on with that and are told of nothing (G2).
   */
  #renew(call: Call): void {
    const { store } = this.#context
    call.transition({ type: 'resumed' })
    const { fetching, error, isReadable } = call.snapshot(store.graph)
    if (fetching || error !== undefined || isReadable) return
    store.move(call, { type: 'renewed' })
    store.notify()
  }

  /** An answer that came too late to be kept is given up. */
  #keepOrGiveUp(call: Call, result: unknown, { dispose }: EndpointLike): void {
    if (Object.is(call.result, result)) call.dispose = dispose
    else this.#context.store.giveUp(() => dispose?.(result))
  }

  #fail(request: ReadRequest, attempts: readonly ReadAttempt[], thrown: unknown): void {
    const { store, clock, collector, pipeline } = this.#context
    this.#inFlight.remove(request)
    this.#noteEarliest()
    const { start, key, args } = request
    const write = () =>
      store.batch(() => {
        for (const attempt of attempts) {
          const { endpoint, call, answer, isAborted } = attempt
          const error = toError(thrown, endpoint.name)
          const now = clock.now()
          const expiresAt = now + this.#context.errorLength(endpoint)
          const counts =
            start > call.invalidatedAt && start >= Math.max(call.stamp.sequence, call.failure?.start ?? 0)
          const isKept = counts && !isAbort(error)
          if (isKept) call.transition({ type: 'failed', error, start, expiresAt })
          call.usedAt = now
          store.move(call, {
            type: 'settled',
            attempt,
            graceUntil: isKept ? graceOf(attempt, now) : undefined,
            pausedUntil: isAborted ? call.pausedUntil : isAbort(error) ? expiresAt : undefined,
          })
          // It is older than what gave way to something newer: readers that wait are not shown it, and ask once more.
          if (!counts && !isAborted) this.#renew(call)
          answer.reject(error)
        }
      })
    const { endpoint } = request
    const error = toError(thrown, endpoint.name)
    pipeline.perform(() => ({ type: 'error', kind: 'read', endpoint, args, key, id: start, error }), write)
    collector.schedule()
  }

  #noteEarliest(): void {
    this.#context.store.earliestRead = this.#inFlight.earliest
  }

  /** The caller may be rendering, so listeners are notified in a microtask. */
  #moveSoon(call: Call, event: CallEvent): void {
    const { store } = this.#context
    store.move(call, event)
    queueMicrotask(() => store.notify())
  }

  /** An attempt that nothing was sent for. */
  #createFailed(endpoint: EndpointLike, args: readonly unknown[], call: Call, error: Error): ReadAttempt {
    const attempt = createAttempt(endpoint, args, call, 0)
    attempt.answer.promise.catch(() => {})
    attempt.answer.reject(error)
    // Of a reader that waits: no event follows that would let it look again.
    queueMicrotask(() => call.transition({ type: 'resumed' }))
    return attempt
  }
}

/** Until when the outcome of an attempt counts as Valid: milliseconds since the epoch. */
function graceOf({ isWaitedFor }: ReadAttempt, now: number): number {
  return isWaitedFor ? now + claimLength : -Infinity
}

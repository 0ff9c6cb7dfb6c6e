import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { toError } from '../errors.js'
import type { PayloadOrigin } from '../normalize/normalize.js'
import { madeAt } from '../store/call.js'
import type { Call } from '../store/call.js'
import type { LoadedPages } from '../store/store-lists.js'
import { copyPlain } from '../util/plain.js'
import { createSettleable } from '../util/settleable.js'
import type { Settleable } from '../util/settleable.js'
import { judgePayload, nameOf, Requests } from './requests.js'
import type { ControllerContext, CallAttempt, Request } from './requests.js'
import { isAbort } from './error-policy.js'

/**
 * The grace period, in milliseconds, for the reader that an outcome was fetched for to render it. A framework may take
 * time to render a suspended component; a reader that was discarded must not keep old data Valid.
 */
const claimLength = 5000

/**
 * Keeps a request alive for a reader that suspended and has not mounted, and so does not retain its call. It holds one
 * attempt at a time.
 */
export class Hold {
  attempt: ReadAttempt | undefined
}

/** A read in flight for one call. */
export interface ReadAttempt extends CallAttempt {
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  readonly answer: Settleable<unknown>
  /**
   * The holders besides mounted readers: the count of readers that are not mounted yet, and of promises that a caller
   * has.
   */
  holders: number
  /** `true` if a reader is suspended until the response. */
  isWaitedFor: boolean
  /** `true` if it was aborted: without a holder, or by a reset. */
  isAborted: boolean
}

/** A read in flight, with an attempt for each call that its response serves. */
interface ReadRequest extends Request {
  attempts: readonly ReadAttempt[]
  /** The signals of its callers; `undefined` once one of them has none, so that no signal aborts it. */
  signals: Set<AbortSignal> | undefined
  /** Aborts it when all of these signals are aborted. */
  readonly follow: () => void
}

/** The reads of a Controller. Each is sent once for all calls that share it. */
export class Reads extends Requests<ReadRequest> {
  constructor(context: ControllerContext) {
    super(context, 'read')
  }

  /**
   * Sends a read, or joins one in flight with the same address and processing that started after the call became Stale.
   */
  join(endpoint: EndpointLike, args: readonly unknown[], call: Call): ReadAttempt {
    const { key } = call
    const after = Math.max(call.state.invalidatedAt, call.state.expiredAt)
    const underWay = this.#underWay(key).filter((request) => isShared(request.endpoint, endpoint))
    const running = underWay.find(({ start }) => start > after)
    if (running !== undefined) this.#share(running, endpoint.signal)
    const joined = running?.attempts.find((attempt) => attempt.call === call)
    if (joined !== undefined) return joined
    const start = running?.start ?? this.context.store.nextSequence()
    const attempt = createAttempt(endpoint, args, call, start)
    // A record that is being created: it is shown, and the server does not know it.
    if (running === undefined && this.context.store.unnamed?.isAwaited(args) === true) {
      const { data, isReadable } = call.snapshot()
      if (isReadable && this.context.status(endpoint, call) !== 'Invalid') {
        attempt.answer.resolve(data)
        return attempt
      }
    }
    const begin = () => this.context.store.move(call, { type: 'asked', attempt })
    if (running === undefined) {
      const abort = new AbortController()
      const pages = this.#pagesOf(key, endpoint)
      const request: ReadRequest = {
        endpoint,
        args,
        key,
        start,
        attempts: [attempt],
        pages,
        abort,
        signals: new Set(),
        follow: () => this.#abortIfAllDid(request),
      }
      this.#share(request, endpoint.signal)
      if (endpoint.signal?.aborted === true) abort.abort(endpoint.signal.reason)
      this.send(request, begin, { signal: abort.signal })
      // The first one shows that something arrives, and the last one what is true. Nobody needs those between them.
      for (const between of underWay.slice(1)) this.#replace(between)
      // Middleware may have reset the Controller or resolved the call. The reader that asks waits from now on.
      if (attempt.answer.promise.status !== 'pending')
        this.context.clock.setTimeout(() => this.renew(call), 0)
    } else {
      running.attempts = [...running.attempts, attempt]
      begin()
    }
    // After sending: one notification then covers a response that is there immediately.
    this.notifySoon()
    return attempt
  }

  /** Ends a request: all who wait for it wait for a newer one. */
  #replace(request: ReadRequest): void {
    const { attempts } = request
    request.attempts = []
    for (const attempt of attempts) {
      const { endpoint, args, call, answer, holders, isWaitedFor } = attempt
      this.context.store.move(call, { type: 'settled', attempt })
      const newer = this.join(endpoint, args, call)
      newer.holders += holders
      newer.isWaitedFor ||= isWaitedFor
      newer.answer.promise.then(answer.resolve, answer.reject)
    }
    this.abandon(request)
  }

  /**
   * Returns the promise of an attempt for a caller, who keeps the request alive.
   *
   * @param signal - ends only this caller's wait: the promise then rejects at once
   */
  promiseFor(attempt: ReadAttempt, signal: AbortSignal | undefined): Promise<unknown> {
    const { answer, call, endpoint } = attempt
    attempt.holders++
    if (signal === undefined) return answer.promise
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(toError(signal.reason, endpoint.name))
        attempt.holders--
        this.abortLater(call)
      }
      answer.promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Notes the signal of a caller. A caller without one keeps the request from being aborted by those of others. */
  #share(request: ReadRequest, signal: AbortSignal | undefined): void {
    if (signal === undefined) this.#unfollow(request)
    else if (request.signals?.has(signal) === false) {
      request.signals.add(signal)
      signal.addEventListener('abort', request.follow)
    }
  }

  #unfollow(request: ReadRequest): void {
    for (const signal of request.signals ?? []) signal.removeEventListener('abort', request.follow)
    request.signals = undefined
  }

  #abortIfAllDid(request: ReadRequest): void {
    const signals = [...(request.signals ?? [])]
    // The reason of a signal may be an error to show, such as a time-out.
    if (signals.every(({ aborted }) => aborted)) this.abandon(request, signals[0]?.reason, false)
  }

  /** The response that created the record may have all that the read asks for. */
  protected override answerByRecord(request: ReadRequest): void {
    const { store } = this.context
    const { attempts } = request
    if (!attempts.every(({ endpoint, call }) => this.context.status(endpoint, call) === 'Valid')) return
    request.attempts = []
    for (const attempt of attempts) {
      store.move(attempt.call, { type: 'settled', attempt })
      attempt.answer.resolve(attempt.call.snapshot().data)
    }
    this.abandon(request)
  }

  protected override end(request: ReadRequest): void {
    this.#unfollow(request)
  }

  /**
   * Sets the attempt that a reader which is not mounted waits for. The previous one is aborted if it has no other
   * holder.
   */
  hold(hold: Hold, attempt: ReadAttempt | undefined): void {
    const before = hold.attempt
    if (before === attempt) return
    hold.attempt = attempt
    if (attempt !== undefined) attempt.holders++
    if (before === undefined) return
    before.holders--
    this.abortLater(before.call)
  }

  /**
   * Aborts the requests for a call that have no holder. Waits for the next macrotask, because a component that is
   * unmounted is often mounted again (specification F16, B12).
   */
  abortLater({ key }: Call): void {
    const abandoned = () => this.#underWay(key).filter(({ attempts }) => !attempts.some(isHeld))
    if (abandoned().length === 0) return
    this.context.clock.setTimeout(() => {
      for (const request of abandoned()) this.abandon(request)
    }, 0)
  }

  /**
   * Lets the requests in flight be answered, whoever leaves: a boundary unmounts their readers together with one that failed, and what
   * they bring may end its error.
   */
  keepAll(): void {
    for (const { attempts } of this.running.values()) for (const attempt of attempts) attempt.holders++
  }

  /** The requests in flight for a key, in the order of their start. */
  #underWay(key: string): readonly ReadRequest[] {
    const starts = new Set<number>()
    for (const { state } of this.context.store.results.get(key) ?? [])
      for (const { start } of state.attempts) starts.add(start)
    return [...starts].sort((a, b) => a - b).flatMap((start) => this.running.get(start) ?? [])
  }

  /** The loaded pages of a list, if they are fetched again with it. */
  #pagesOf(key: string, { refetchPages }: EndpointLike): LoadedPages | undefined {
    for (const { further, loaded, isShifted, path = [] } of this.context.store.results.get(key) ?? [])
      if (loaded.length > 0 && (refetchPages ?? isShifted))
        return { path, calls: [...loaded], size: loaded.length, further }
    return undefined
  }

  protected override keep(request: ReadRequest, payload: unknown, isUnshared: boolean): void {
    const { pages, start } = request
    const isAlone = isUnshared && request.attempts.length === 1
    const refused: ReadAttempt[] = []
    let refusal: unknown
    for (const attempt of request.attempts) {
      const { endpoint, args, call, answer } = attempt
      const isOwned = isAlone && endpoint.ownsPayload === true
      // Further pages may have been loaded since. The list may also have started over.
      const loaded = pages && pages.size >= call.loaded.length ? pages.calls : undefined
      try {
        const result = this.store(endpoint, args, payload, call, { isOwned, loaded }, start)
        answer.resolve(this.#settled(attempt, result))
      } catch (error) {
        refusal ??= error
        refused.push(attempt)
      }
    }
    request.attempts = refused
    if (refusal !== undefined) throw refusal as Error
  }

  /** Settles an attempt whose response is stored. @returns the data for its promise */
  #settled(attempt: ReadAttempt, result: unknown): unknown {
    const { store, clock } = this.context
    const { endpoint, args, call, start } = attempt
    const { schema } = call
    call.usedAt = clock.now()
    store.move(call, { type: 'settled', attempt, graceUntil: graceOf(attempt, clock.now()) })
    const { data, isReadable } = call.snapshot()
    if (isReadable) return data
    this.#noteUnreadable(call, start, endpoint)
    return schema === undefined ? result : store.readOnce(schema, result, args)
  }

  /**
   * Stores a response.
   *
   * @param start - of its request @default none: it came in another way, such as a push message
   * @returns the normalized result
   */
  store(
    endpoint: EndpointLike,
    args: readonly unknown[],
    payload: unknown,
    call: Call,
    how: Pick<PayloadOrigin, 'isOwned' | 'loaded'> = { isOwned: false },
    start?: number,
  ): unknown {
    const { key, schema, result: expected } = call
    judgePayload(endpoint, payload, key)
    const { isPartial } = endpoint
    const origin = { args, call: key, name: nameOf(endpoint, key), expected, isPartial, ...how }
    const result = this.context.write(
      endpoint,
      (transaction) => {
        if (schema !== undefined) return transaction.ingest(schema, payload, origin, call)
        const raw = origin.isOwned ? payload : copyPlain(payload)
        transaction.setResult(call, raw)
        return raw
      },
      start === undefined ? undefined : { kind: 'read', start },
    )
    if (schema === undefined) {
      const { dispose } = endpoint
      if (Object.is(call.result, result)) call.dispose = dispose
      // It was superseded before it was stored.
      else if (dispose !== undefined) this.context.store.later(() => dispose(result))
    }
    return result
  }

  /**
   * Handles a response that leaves its own call unreadable. If newer data superseded it, suspended readers fetch again.
   * If an optimistic update may hide it, they fetch when the mutation ends. An invalidation has made them fetch
   * already.
   *
   * @throws {SelfsameError} `payload-unusable` if the schema reads nothing from the response
   */
  #noteUnreadable(call: Call, start: number, endpoint: EndpointLike): void {
    const { store } = this.context
    store.move(call, { type: 'shown' })
    if (call.state.invalidatedAt > start) return
    if (call.isOvertaken(start)) this.renew(call)
    else if (store.earliestMutation < Infinity) {
      store.move(call, { type: 'hidden' })
      this.context.hidden.add(call)
    } else throw errors.answerUnreadable(nameOf(endpoint, call.key))
  }

  protected override drop({ attempts, start }: ReadRequest, error: Error, isGivenUp: boolean): void {
    const { store, clock } = this.context
    const now = clock.now()
    for (const attempt of attempts) {
      const { endpoint, call, answer } = attempt
      attempt.isAborted = isGivenUp
      const expiresAt = now + this.context.errorLength(endpoint)
      const counts =
        !isGivenUp &&
        start > call.state.invalidatedAt &&
        // A newer request decides.
        start === call.state.attempts.at(-1)?.start &&
        start >= Math.max(madeAt(call, error) ?? call.stamp.sequence, call.state.failure?.start ?? 0)
      const isKept = counts && !isAbort(error)
      if (isKept) store.move(call, { type: 'failed', error, start, expiresAt })
      call.usedAt = now
      store.move(call, {
        type: 'settled',
        attempt,
        graceUntil: isKept ? graceOf(attempt, now) : undefined,
        // Readers of an endpoint whose signal is aborted do not fetch anyway; others may.
        pausedUntil: isGivenUp
          ? call.state.pausedUntil
          : isAbort(error) && endpoint.signal?.aborted !== true
            ? expiresAt
            : undefined,
      })
      // The request started before the data was superseded: suspended readers do not see its error, and fetch again.
      if (!counts && !isGivenUp) this.renew(call)
      answer.reject(error)
    }
  }
}

export function createAttempt(
  endpoint: EndpointLike,
  args: readonly unknown[],
  call: Call,
  start: number,
): ReadAttempt {
  return {
    start,
    progress: undefined,
    endpoint,
    args,
    call,
    answer: createSettleable(),
    holders: 0,
    isWaitedFor: false,
    isAborted: false,
  }
}

/** Returns `true` if somebody waits for a request, or shows its call. */
export function isHeld({ holders, call }: ReadAttempt): boolean {
  return holders > 0 || call.retainers > 0
}

function isShared(a: EndpointLike, b: EndpointLike): boolean {
  return a === b || (a.sharesRequestWith?.(b) ?? false)
}

/**
 * The end of the grace period of an outcome: milliseconds since the epoch. There is none if readers on screen had to fetch at once since
 * its request was sent, also because of what its response brought.
 */
function graceOf({ isWaitedFor, call, start }: ReadAttempt, now: number): number {
  return isWaitedFor && start > call.state.dueAt ? now + claimLength : -Infinity
}

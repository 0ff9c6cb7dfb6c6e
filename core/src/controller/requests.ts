import { development } from '#development'
import type { Transport } from '../endpoint/transport.js'
import type { ExpiryStatus } from '../store/expiry.js'
import type { GarbageCollector } from '../store/garbage/gc.js'
import type { WriteOrder } from '../store/stamp.js'
import type { Layers } from '../store/optimistic/layers.js'
import type { Store } from '../store/store.js'
import type { LoadedPages } from '../store/store-lists.js'
import type { Transaction } from '../store/transaction.js'
import type { Clock } from '../util/clock.js'
import type { OpenConnection } from './live-calls.js'
import type { Pipeline } from './middleware.js'
import type { CacheableEndpoint, CallContext, EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { toError } from '../errors.js'
import { reasonOf } from '../schema/validator.js'
import type { Attempt, Call, CallEvent } from '../store/call.js'
import { isSameProgress } from '../util/progress.js'
import type { Progress } from '../util/progress.js'

/** The outcome of a request that came in another way than by its response. */
export type Outcome = { readonly response: unknown } | { readonly error: Error }

/** A request in flight. */
export interface Request {
  readonly endpoint: EndpointLike
  /** With real ids in place of temporary ones, once it is sent. */
  args: readonly unknown[]
  readonly key: string
  /** The store's sequence when it started. */
  readonly start: number
  /** `true` once the endpoint was called: until then middleware may hold it, and the server knows nothing of it. */
  isSent?: boolean
  /** The pages of the list that its response contains. */
  readonly pages?: LoadedPages | undefined
  /**
   * The calls whose readers see `fetching`. A mutation has one after its transport reported progress; others need no
   * key.
   */
  attempts: readonly CallAttempt[]
  /**
   * Aborted when the response is not needed any more. For a mutation only middleware sees the signal, because it may
   * send later or again.
   */
  readonly abort: AbortController
}

/** Is told of requests: brought by `useFetching` and `useMutations`. */
export interface RequestWatcher {
  /** A request began or ended. */
  changed(): void
  /** A request ended. `error`: `undefined` if it was answered. Not called for one that was given up. */
  settled(request: Request, error: Error | undefined): void
}

/** The Controller, as its requests use it. */
export interface ControllerContext {
  readonly store: Store
  /** Optimistic writes on top of the received data; `undefined` until the first one. */
  layers: Layers | undefined
  readonly clock: Clock
  readonly collector: GarbageCollector
  readonly pipeline: Pipeline
  /** Sends requests: the option `fetch`. */
  readonly transport: Transport | undefined
  /** What endpoints keep of responses until a reset. */
  readonly kept: Map<string, unknown>
  /** Is told of requests. */
  readonly watcher: RequestWatcher | undefined
  /** Calls whose response a mutation in flight hides. */
  readonly hidden: Set<Call>
  /** Functions that store the messages that have arrived. */
  readonly inboxes: ReadonlySet<() => void>
  /** The connections that are open; `undefined` before the first. Development only. */
  readonly connections: ReadonlySet<OpenConnection> | undefined
  /** Returns the call of an endpoint and its arguments. */
  call(endpoint: CacheableEndpoint, args: readonly unknown[]): Call
  /** The expiry status of a call now. */
  status(endpoint: CacheableEndpoint, call: Call): ExpiryStatus
  /** Records that a call is used now. */
  use(call: Call): void
  /**
   * Writes into the store by a transaction, then notifies readers.
   *
   * @param endpoint - has the `dataExpiryLength` of the response
   * @param request - the kind of the request, and the sequence at which it started @default none: the application sets
   *   the data now, or a live connection brought it
   * @returns what `write` returns
   * @throws the error of `write`, after a rollback
   */
  write<Value>(
    endpoint: { readonly dataExpiryLength?: number | undefined } | undefined,
    write: (transaction: Transaction) => Value,
    request?: Pick<WriteOrder, 'kind' | 'start' | 'own'>,
  ): Value
  /** How long an error is thrown again, in milliseconds. */
  errorLength(endpoint: { readonly errorExpiryLength?: number | undefined }): number
}

/** A request in flight for one call. */
export interface CallAttempt extends Attempt {
  readonly call: Call
}

/**
 * The requests in flight of one kind. The first outcome settles a request, whether its transport or another source
 * brings it; later ones are dropped.
 */
export abstract class Requests<R extends Request> {
  readonly #kind: 'read' | 'mutation'
  declare protected readonly context: ControllerContext
  /** By `start`, in ascending order: a Map keeps the order of insertion, and sequences only grow. */
  readonly running = new Map<number, R>()

  /** The names of the mutations whose progress no reader showed. Development only. */
  declare unseen: Set<string> | undefined

  constructor(context: ControllerContext, kind: 'read' | 'mutation') {
    this.context = context
    this.#kind = kind
  }

  /** The requests in flight. */
  get underWay(): Iterable<Request> {
    return this.running.values()
  }

  /** Stores a response and settles its promises. @throws if it cannot be stored; `drop` follows */
  protected abstract keep(request: R, payload: unknown, isUnshared: boolean): void

  /** Removes the optimistic response of a failed request, and rejects its promises. */
  protected abstract drop(request: R, error: Error, isGivenUp: boolean): void

  /** Called when the records that a request has waited for are made, before it is sent. It may end the request. */
  protected answerByRecord?(request: R): void

  /** Called when a request has ended, with or without an error. */
  protected end?(request: R): void

  /** Settles the requests of a key by an outcome that came in another way. @returns `true` if there were any */
  settle(key: string, outcome: Outcome): boolean {
    const matching = [...this.running.values()].filter((request) => request.key === key)
    for (const request of matching) {
      if ('error' in outcome) this.#fail(request, outcome.error)
      else this.#answer(request, outcome.response, false)
      // Middleware must not send the request now, or again.
      request.abort.abort()
    }
    return matching.length > 0
  }

  /** Drops all requests: their responses are not stored. Middleware sees the reset, and no action of the requests. */
  giveUpAll(reason: (name: string) => Error): void {
    // A copy: requests that a listener of an abort sends stay.
    for (const request of [...this.running.values()]) {
      if (!this.running.delete(request.start)) continue
      request.abort.abort()
      this.drop(request, reason(request.endpoint.name), true)
      this.#end(request)
    }
  }

  /**
   * Ends a request at once: it has no holder, or another one takes its place.
   *
   * @param isGivenUp - `false` to treat the reason as the outcome of the request
   */
  abandon(
    request: R,
    reason: unknown = new DOMException('Nothing waits for it any more.', 'AbortError'),
    isGivenUp = true,
  ): void {
    // Ended before it is aborted: a listener of the abort that fetches sends another request.
    this.#fail(request, reason, isGivenUp)
    request.abort.abort(reason)
  }

  /**
   * Sends a request.
   *
   * @param begin - shows the request as in flight, before the endpoint's function is called
   */
  protected send(request: R, begin: () => void, context: CallContext): void {
    const { store, pipeline, transport, kept } = this.context
    const { endpoint, start } = request
    this.running.set(start, request)
    this.#noteEarliest()
    store.fieldOrder.begin(start, store.arrivals, this.#kind === 'mutation' ? request : undefined)
    this.context.watcher?.changed()
    const onProgress = (progress: Progress) => this.#report(request, progress)
    const ask = (page?: readonly unknown[]) => {
      let headers: Record<string, string> | undefined
      return pipeline.request(
        () => ({
          ...this.#describe(request),
          ...(page && { args: page, key: keyOf(endpoint, page) }),
          signal: request.abort.signal,
          headers: (headers = {}),
        }),
        () => this.#sendNamed(request, page, { ...context, onProgress, transport, kept, headers }),
      )
    }
    const answered = pipeline.perform(
      () => ({ type: 'fetch', ...this.#describe(request) }),
      () => {
        // Middleware may have reset the Controller.
        if (this.running.has(start)) begin()
        const { pages } = request
        return pages === undefined ? ask() : store.lists?.fetchAll(pages, ask)
      },
    )
    // A thenable may call back synchronously.
    void Promise.resolve(answered).then(
      (payload) => {
        // A transport that ignores the signal also responds to an aborted request. An aborted read has ended already.
        const signal = this.#kind === 'read' ? undefined : endpoint.signal
        if (signal?.aborted !== true && this.#answer(request, payload, pipeline.isTransparent)) return
        if (endpoint.schema === undefined) endpoint.dispose?.(payload)
        this.#fail(request, signal?.reason)
      },
      (thrown: unknown) => this.#fail(request, thrown),
    )
  }

  /** Calls the endpoint, as soon as all records that the arguments name have ids that the server knows (F7). */
  #sendNamed(request: R, page: readonly unknown[] | undefined, context: CallContext): Promise<unknown> {
    const { endpoint, start } = request
    const args = page ?? request.args
    const send = (named: readonly unknown[]) => {
      if (!this.running.has(start)) request.abort.signal.throwIfAborted()
      if (page === undefined) this.context.store.unnamed?.rename(this.context.store, request, named)
      request.isSent = true
      return callEndpoint(endpoint, named, context)
    }
    try {
      const named = this.context.store.unnamed?.named(endpoint.name, args, start) ?? args
      if (!(named instanceof Promise)) return send(named)
      return named.then((real) => {
        this.answerByRecord?.(request)
        return send(real)
      })
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }

  /**
   * @param isUnshared - `true` if only the transport has seen the payload
   * @returns `false` if the request has ended before
   */
  #answer(request: R, payload: unknown, isUnshared: boolean): boolean {
    const { running } = this
    if (!running.has(request.start)) return false
    const { store, pipeline, inboxes } = this.context
    for (const flush of inboxes) flush()
    let isTaken = false
    try {
      pipeline.perform(
        () => ({ type: 'response', ...this.#describe(request), response: payload }),
        () => {
          // Middleware may have reset the Controller.
          isTaken = running.delete(request.start)
          if (!isTaken) return
          // One batch: readers are not notified between a refused response and its error.
          store.open()
          try {
            this.keep(request, payload, isUnshared)
            this.context.watcher?.settled(request, undefined)
          } catch (thrown) {
            this.#drop(request, thrown)
            throw thrown
          } finally {
            store.close()
          }
        },
      )
    } catch {
      // The promises are rejected, and middleware received the error.
    }
    if (isTaken) this.#end(request)
    return isTaken
  }

  #fail(request: R, thrown: unknown, isGivenUp = false): void {
    if (!this.running.delete(request.start)) return
    this.#drop(request, thrown, isGivenUp)
    this.#end(request)
  }

  #drop(request: R, thrown: unknown, isGivenUp = false): void {
    const { store, pipeline } = this.context
    const error = toError(thrown, request.endpoint.name)
    if (!isGivenUp) this.context.watcher?.settled(request, error)
    pipeline.perform(
      () => ({ type: 'error', ...this.#describe(request), error }),
      () => store.batch(() => this.drop(request, error, isGivenUp)),
    )
  }

  #end(request: R): void {
    this.#noteEarliest()
    this.context.store.fieldOrder.end(request.start)
    this.context.watcher?.changed()
    this.end?.(request)
    this.context.collector.schedule()
  }

  #noteEarliest(): void {
    const { value = Infinity } = this.running.keys().next()
    this.context.store[this.#kind === 'read' ? 'earliestRead' : 'earliestMutation'] = value
  }

  /**
   * Stores the progress that the transport of a request reports. The transport may do so while it is called, and so
   * while a reader renders.
   */
  #report(request: R, progress: Progress): void {
    const { start, endpoint, args } = request
    if (!this.running.has(start)) return
    if (request.attempts.length === 0) {
      const call = this.context.call(endpoint, args)
      const attempt = { start, call, progress: undefined }
      request.attempts = [attempt]
      this.context.store.move(call, { type: 'asked', attempt })
      if (development) noteUnseen((this.unseen ??= new Set()), this.context.store, endpoint, call)
    }
    for (const attempt of request.attempts) {
      if (!isSameProgress(attempt.progress, progress))
        this.moveSoon(attempt.call, { type: 'reported', attempt, progress })
    }
  }

  /** The members of a request's actions. */
  #describe({ endpoint, args, key, start }: R) {
    return { kind: this.#kind, endpoint, args, key, id: start }
  }

  protected moveSoon(call: Call, event: CallEvent): void {
    this.context.store.move(call, event)
    this.notifySoon()
  }

  /** The caller may be rendering, so listeners are notified in a microtask. */
  protected notifySoon(): void {
    queueMicrotask(() => this.context.store.notify())
  }

  /**
   * Makes suspended readers of a call fetch again, because the data that they waited for was superseded. Readers with
   * another request in flight, an error or data continue with that, and are not notified (G2).
   */
  renew(call: Call): void {
    const { store } = this.context
    store.move(call, { type: 'resumed' })
    const { fetching, error, isReadable } = call.snapshot()
    if (fetching || error !== undefined || isReadable) return
    store.move(call, { type: 'renewed' })
    store.notify()
  }
}

/**
 * Calls an endpoint. Its function may throw, or may not return a promise (specification E12).
 *
 * @param args - with real ids in place of temporary ones
 */
export function callEndpoint(
  endpoint: EndpointLike,
  args: readonly unknown[],
  context: CallContext,
): Promise<unknown> {
  try {
    // A read has a signal of its own, which follows those of its callers.
    ;(context.signal ?? endpoint.signal)?.throwIfAborted()
    if (development && endpoint.callWith === undefined && typeof endpoint !== 'function')
      throw errors.notAnEndpoint('A hook that fetches', endpoint)
    const promise: unknown = endpoint.callWith?.(context, args) ?? endpoint(...args)
    if (typeof (promise as Promise<unknown> | undefined)?.then === 'function')
      return promise as Promise<unknown>
    return Promise.reject(errors.fetchReturnedNoPromise(endpoint.name, promise))
  } catch (error) {
    return Promise.reject(error as Error)
  }
}

/**
 * Checks a payload with the endpoint's `validate`.
 *
 * @throws {SelfsameError} `payload-unusable` if it is refused
 */
export function judgePayload(endpoint: EndpointLike, payload: unknown, key?: string): void {
  const { validate } = endpoint
  if (validate === undefined) return
  const name = nameOf(endpoint, key)
  const reason = reasonOf(validate, payload, endpoint, name)
  if (reason !== undefined) throw errors.payloadRefused(name, reason)
}

/** Warns, once for each endpoint, if a mutation reports progress while readers of that endpoint show other calls of it. */
function noteUnseen(warned: Set<string>, store: Store, endpoint: EndpointLike, call: Call): void {
  if (isRetained(call) || warned.has(endpoint.name)) return
  for (const [key, calls] of store.results) {
    if (key === call.key || endpoint.testKey?.(key) !== true || !calls.some(isRetained)) continue
    warned.add(endpoint.name)
    errors.warn(errors.progressUnseen(nameOf(endpoint)))
    return
  }
}

const isRetained = ({ retainers }: Call) => retainers > 0

/** Returns the key of a call; the name of its endpoint if the key cannot be built. */
export function keyOf(endpoint: EndpointLike, args: readonly unknown[]): string {
  try {
    return endpoint.key(...(args as never[]))
  } catch {
    return endpoint.name
  }
}

/** The name of a call, for messages: `Article.getList (GET /article)`. */
export function nameOf(endpoint: EndpointLike, key?: string): string {
  const { method, path, name } = endpoint as EndpointLike & { method?: unknown; path?: unknown }
  const request = typeof method === 'string' && typeof path === 'string' ? `${method} ${path}` : key
  // The default name of an endpoint is its request.
  return request === undefined || request.startsWith(name) ? name : `${name} (${request})`
}

import type { CacheableEndpoint, EndpointLike } from '../endpoint/endpoint.js'
import { toError } from '../errors.js'
import { contractOf } from '../schema/contract-of.js'
import type { SchemaContract } from '../schema/schema.js'
import type { Attempt, Call } from '../store/call.js'
import type { Store } from '../store/store.js'
import type { Transaction } from '../store/transaction.js'
import type { Progress } from '../util/progress.js'
import { callEndpoint, judgePayload, nameOf } from './call.js'
import type { ControllerContext } from './context.js'
import { updateCalls } from './update.js'
import type { UpdateSource } from './update.js'
import type { Reads } from './reads.js'

/** A mutation under way. */
interface Running {
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  /** Where it started, in the store's sequence. */
  readonly start: number
  /** Settle the promise of the call. */
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: Error) => void
  /** Whether there was an outcome: the server's answer, or one that came in another way. What comes later is dropped. */
  isSettled: boolean
  /** Why nothing of an answer is stored: it was given up. */
  refusal: Error | undefined
  /**
   * Aborted when the answer is not wanted any more. The request that was sent goes on. Only where there is middleware,
   * which may send later or again.
   */
  readonly abort: AbortController | undefined
  /** Whether only the transport has seen the answer. */
  isUnshared: boolean
  /** Where readers see that it runs; `undefined` until its transport says how far it is. */
  transfer: { readonly call: Call; readonly attempt: Attempt } | undefined
}

/** What it takes to show a mutation early. */
export interface EarlyMutation extends Pick<Running, 'endpoint' | 'args' | 'start'> {
  /** Makes a call, or finds it. */
  readonly call: (endpoint: CacheableEndpoint, args: readonly unknown[]) => Call
}

/** What a function that `optimistic` made brings. */
export type ShowEarly = (context: ControllerContext, mutation: EarlyMutation) => void

/** The mutations of a Controller: each is sent, shown early where it says how, and stored when it is answered. */
export class Mutations {
  readonly #context: ControllerContext
  readonly #reads: Reads
  /** Makes a call, or finds it. */
  readonly #call: (endpoint: CacheableEndpoint, args: readonly unknown[]) => Call
  /** By where they started. A Map keeps the order in which they were added, and starts only grow. */
  readonly #running = new Map<number, Running>()

  constructor(
    context: ControllerContext,
    reads: Reads,
    call: (endpoint: CacheableEndpoint, args: readonly unknown[]) => Call,
  ) {
    this.#context = context
    this.#reads = reads
    this.#call = call
  }

  /**
   * Makes a mutation. Without `async`, which takes a turn and a promise more: a tenth of what a small answer takes.
   *
   * @returns the answer as it is read from the cache; of a delete or without schema the processed one
   */
  send(endpoint: EndpointLike, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { pipeline, transport } = this.#context
      const running = this.#begin(endpoint, args, resolve, reject)
      const onProgress = (progress: Progress) => this.#report(running, progress)
      const answered = pipeline.perform(
        () => ({ type: 'fetch', ...describe(running) }),
        () =>
          pipeline.request(
            () => ({ ...describe(running), signal: (running.abort as AbortController).signal }),
            () => callEndpoint(endpoint, args, { onProgress, transport }, this.#context.store.unnamed),
          ),
      )
      // What is only like a promise may call back at once.
      void Promise.resolve(answered).then(
        (response) => {
          // A transport that does not listen answers what was aborted as well.
          if (endpoint.signal?.aborted === true) this.#fail(running, endpoint.signal.reason)
          else this.#answer(running, response)
        },
        (thrown: unknown) => this.#fail(running, thrown),
      )
    })
  }

  /** Stores an answer to a mutation that nobody sent from here, as a push message brings it. */
  store(endpoint: EndpointLike, args: readonly unknown[], response: unknown): void {
    const start = this.#context.store.nextSequence()
    this.#write({ endpoint, args, isUnshared: false }, response, {
      kind: 'mutation',
      start,
      settle: start,
    })
  }

  /** Settles the mutations under way for a call by an outcome that came in another way. @returns whether there were any */
  settle(
    endpoint: EndpointLike,
    args: readonly unknown[],
    outcome: { readonly response: unknown } | { readonly error: Error },
  ): boolean {
    const key = keyOf(endpoint, args)
    const matching = [...this.#running.values()].filter(
      (running) => keyOf(running.endpoint, running.args) === key,
    )
    for (const running of matching) {
      // Not at once: whoever brings the outcome is told before those who see what becomes of it.
      if ('error' in outcome) queueMicrotask(() => this.#fail(running, outcome.error))
      else {
        running.isUnshared = false
        queueMicrotask(() => this.#answer(running, outcome.response))
      }
      // What was not sent yet, or would be sent again, stays unsent.
      running.abort?.abort(new DOMException('It was answered in another way.', 'AbortError'))
    }
    return matching.length > 0
  }

  /** Drops the answers of all mutations under way; their promises reject. */
  giveUp(reason: (name: string) => Error): void {
    const all = [...this.#running.values()]
    for (const running of all) {
      running.abort?.abort()
      const refusal = reason(running.endpoint.name)
      running.refusal = refusal
      queueMicrotask(() => this.#fail(running, refusal))
      this.#running.delete(running.start)
    }
    this.#noteEarliest()
  }

  #begin(
    endpoint: EndpointLike,
    args: readonly unknown[],
    resolve: Running['resolve'],
    reject: Running['reject'],
  ): Running {
    const { store } = this.#context
    const start = store.nextSequence()
    const { isTransparent: isUnshared, isEmpty } = this.#context.pipeline
    const running: Running = {
      endpoint,
      args,
      start,
      resolve,
      reject,
      isSettled: false,
      refusal: undefined,
      // From the beginning: it may be given up by who sees it before it is sent.
      abort: isEmpty ? undefined : new AbortController(),
      isUnshared,
      transfer: undefined,
    }
    this.#running.set(start, running)
    store.earliestMutation = Math.min(store.earliestMutation, start)
    const { getOptimisticResponse, signal } = endpoint
    if (signal?.aborted !== true) {
      const show = getOptimisticResponse?.show as ShowEarly | undefined
      show?.(this.#context, { endpoint, args, start, call: this.#call })
    }
    return running
  }

  #answer(running: Running, response: unknown): void {
    // A reset may come between an answer and here: what it gave up is not stored (specification F5).
    if (running.isSettled || running.refusal !== undefined) return
    let value: unknown
    try {
      value = this.#context.pipeline.perform(
        () => ({ type: 'response', ...describe(running), response }),
        () => this.#keep(running, response),
      )
    } catch (thrown) {
      this.#fail(running, thrown)
      return
    }
    this.#end(running)
    running.resolve(value)
  }

  #fail(running: Running, thrown: unknown): void {
    if (running.isSettled) return
    const { store, pipeline } = this.#context
    const error = running.refusal ?? toError(thrown, running.endpoint.name)
    try {
      pipeline.perform(
        () => ({ type: 'error', ...describe(running), error }),
        () => {
          store.batch(() => this.#takeBack(running))
        },
      )
    } finally {
      this.#end(running)
      running.reject(error)
    }
  }

  #end(running: Running): void {
    running.isSettled = true
    this.#running.delete(running.start)
    this.#noteEarliest()
    this.#endTransfer(running)
    this.#reads.noteMutationEnd()
  }

  #noteEarliest(): void {
    let earliest = Infinity
    if (this.#running.size > 0) [earliest = Infinity] = this.#running.keys()
    this.#context.store.earliestMutation = earliest
  }

  /** Only a mutation that says how far it is has a call: the others need no key. */
  #report(running: Running, progress: Progress): void {
    const { start, endpoint, args } = running
    if (!this.#running.has(start)) return
    if (running.transfer === undefined) {
      const call = this.#call(endpoint, args)
      const attempt = { start, progress: undefined }
      running.transfer = { call, attempt }
      call.transition({ type: 'asked', attempt })
    }
    const { call, attempt } = running.transfer
    this.#reads.report(call, attempt, progress)
  }

  #endTransfer({ transfer }: Running): void {
    if (transfer === undefined) return
    const { store, clock, collector } = this.#context
    const { call, attempt } = transfer
    call.usedAt = clock.now()
    store.move(call, { type: 'settled', attempt })
    store.notify()
    collector.schedule()
  }

  #takeBack({ start }: Running): void {
    const { store } = this.#context
    store.layers?.takeBack(start)
    store.release(store.layers?.takeUnhidden() ?? [])
  }

  #keep(running: Running, response: unknown): unknown {
    const { start } = running
    const settle = this.#context.store.nextSequence()
    return this.#write(running, response, { kind: 'mutation', start, settle })
  }

  #write(
    { endpoint, args, isUnshared }: Pick<Running, 'endpoint' | 'args' | 'isUnshared'>,
    response: unknown,
    order: { readonly kind: 'mutation'; readonly start: number; readonly settle: number },
  ): unknown {
    // One that succeeded without a body has nothing to be judged.
    if (response !== null && response !== undefined) judgePayload(endpoint, response)
    if (endpoint.schema === undefined && endpoint.update === undefined) return response
    const { store, clock, collector } = this.#context
    const layers = store.layers
    const schema = endpoint.schema === undefined ? undefined : contractOf(endpoint.schema)
    const isOwned = endpoint.ownsPayload === true && isRead(schema) && isUnshared
    const origin = { args, name: nameOf(endpoint), isOwned }
    const layer = layers?.of(order.start)
    // Success without a body confirms what was expected.
    const isEmpty = isRead(schema) && (response === null || response === undefined)
    const isConfirmed = isEmpty && layer?.response !== undefined
    const payload = isConfirmed ? layer.response : response
    const write = (transaction: Transaction): unknown => {
      const stored = schema === undefined ? undefined : transaction.ingest(schema, payload, origin)
      if (isConfirmed) layers?.confirm(layer, transaction, stored)
      else if (isEmpty) transaction.doubt(schema, args)
      if (endpoint.update !== undefined) {
        const source: UpdateSource & Pick<Store, 'readOnce'> = layers?.read() ?? store
        const value = isRead(schema) ? source.readOnce(schema, stored, args) : payload
        updateCalls(source, transaction, endpoint, value, args, false)
      }
      return stored
    }
    const transact = () => store.transact(order, this.#context.lengths(endpoint), clock.now(), write)
    let held: readonly Call[] = []
    // In one batch: readers see the expected answer and then the real one, and nothing between them.
    const result = store.batch(() => {
      store.noteUnreadable()
      const stored =
        layers === undefined
          ? transact()
          : layers.settle(order.start, endpoint.update !== undefined, transact)
      held = [...(layers?.takeUnhidden() ?? []), ...store.holdUnreadable()]
      return stored
    })
    // After the promise of the call resolved and whoever awaits it went on.
    const released = held.map((call) => [call, call.held] as const)
    if (held.length > 0) {
      clock.setTimeout(
        () => store.release(released.flatMap(([call, was]) => (call.held === was ? call : []))),
        0,
      )
    }
    collector.schedule()
    return isRead(schema) ? store.readOnce(schema, result, args) : response
  }
}

/** Whether the answer of a mutation is data to be read. */
export function isRead(schema: SchemaContract | undefined): schema is SchemaContract {
  return schema !== undefined && schema.isRemoving !== true
}

/** What names a mutation: its own name, where its arguments cannot be put into a key. */
function keyOf(endpoint: EndpointLike, args: readonly unknown[]): string {
  try {
    return endpoint.key(...(args as never[]))
  } catch {
    return endpoint.name
  }
}

/** A mutation, as actions name it. */
function describe({ endpoint, args, start }: Running) {
  return { kind: 'mutation', endpoint, args, key: keyOf(endpoint, args), id: start } as const
}

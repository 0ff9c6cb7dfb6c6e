import type { CacheSnapshot, EndpointLike } from '../endpoint/endpoint.js'
import { toError, warn } from '../errors.js'
import { contractOf } from '../schema/contract-of.js'
import { DeleteSchema } from '../schema/delete.js'
import type { ResultNode } from '../store/results.js'
import type { Progress } from '../util/progress.js'
import { callEndpoint, nameOf } from './call.js'
import type { ControllerContext } from './context.js'
import { updateCalls, updatesOf } from './update.js'

/** A mutation under way. */
interface Running {
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  /** Where it started, in the store's sequence. */
  readonly start: number
  /** What comes first of the server's answer, one that came in another way, and a reset. */
  readonly outcome: Promise<unknown>
  readonly resolve: (response: unknown) => void
  readonly reject: (reason: unknown) => void
  /** Why nothing of an answer is stored: it was given up. */
  refusal: Error | undefined
  /**
   * Aborted when the answer is not wanted any more. The request that was sent goes on. Made for middleware, when there
   * is any.
   */
  abort: AbortController | undefined
  /** Rows that it made unreadable before it was answered: readers see what they saw. */
  held: readonly ResultNode[]
  /** Whether nobody but the transport has seen the answer. */
  isUnshared: boolean
}

/** The mutations of a Controller: each is sent, shown early where it says how, and stored when it is answered. */
export class Mutations {
  readonly #context: ControllerContext
  /** What `getOptimisticResponse` may read. */
  readonly #snapshot: CacheSnapshot
  /** Makes the row of a call. */
  readonly #row: (endpoint: EndpointLike, args: readonly unknown[]) => ResultNode
  /** By where they started. A Map keeps the order in which they were added, and starts only grow. */
  readonly #running = new Map<number, Running>()

  constructor(
    context: ControllerContext,
    snapshot: CacheSnapshot,
    row: (endpoint: EndpointLike, args: readonly unknown[]) => ResultNode,
  ) {
    this.#context = context
    this.#snapshot = snapshot
    this.#row = row
  }

  /** Makes a mutation. @returns the answer as it is read from the cache; of a delete or without schema the processed one */
  async send(endpoint: EndpointLike, args: readonly unknown[]): Promise<unknown> {
    const { store, pipeline } = this.#context
    const running = this.#begin(endpoint, args)
    const { start } = running
    const call = () => ({ kind: 'mutation', endpoint, args, key: keyOf(endpoint, args), id: start }) as const
    try {
      const onProgress = (progress: Progress) => this.#report(running, progress)
      const answered = pipeline.perform(
        () => ({ type: 'fetch', ...call() }),
        () =>
          pipeline.request(
            () => ({ ...call(), signal: (running.abort ??= new AbortController()).signal }),
            () => callEndpoint(endpoint, args, { onProgress }),
          ),
      )
      answered.then(running.resolve, running.reject)
      const response = await running.outcome
      // A reset may come between an answer and here: what it gave up is not stored (specification F5).
      if (running.refusal !== undefined) throw running.refusal
      return pipeline.perform(
        () => ({ type: 'response', ...call(), response }),
        () => this.#keep(running, response),
      )
    } catch (thrown) {
      const error = toError(thrown, endpoint.name)
      pipeline.perform(
        () => ({ type: 'error', ...call(), error }),
        () => {
          store.batch(() => this.#takeBack(running))
        },
      )
      throw error
    } finally {
      this.#running.delete(start)
      this.#noteEarliest()
      this.#endTransfer(start)
    }
  }

  /** Stores an answer to a mutation that nobody sent from here, as a push message brings it. */
  store(endpoint: EndpointLike, args: readonly unknown[], response: unknown): void {
    const start = this.#context.store.nextSequence()
    this.#write({ endpoint, args, held: [], isUnshared: false }, response, {
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
      if ('error' in outcome) running.reject(outcome.error)
      else {
        running.isUnshared = false
        running.resolve(outcome.response)
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
      running.refusal = reason(running.endpoint.name)
      running.reject(running.refusal)
      this.#running.delete(running.start)
    }
    this.#noteEarliest()
  }

  #begin(endpoint: EndpointLike, args: readonly unknown[]): Running {
    const { store } = this.#context
    const start = store.nextSequence()
    const { isTransparent: isUnshared } = this.#context.pipeline
    const { outcome, resolve, reject } = createOutcome()
    const running: Running = {
      endpoint,
      args,
      start,
      outcome,
      resolve,
      reject,
      refusal: undefined,
      abort: undefined,
      held: [],
      isUnshared,
    }
    this.#running.set(start, running)
    store.earliestMutation = Math.min(store.earliestMutation, start)
    running.held = this.#showEarly(running)
    return running
  }

  #noteEarliest(): void {
    let earliest = Infinity
    if (this.#running.size > 0) [earliest = Infinity] = this.#running.keys()
    this.#context.store.earliestMutation = earliest
  }

  /** Only a mutation that says how far it is has a row: what nobody can see is not named. */
  #report({ start, endpoint, args }: Running, progress: Progress): void {
    if (!this.#running.has(start)) return
    const { activity } = this.#context
    if (!activity.transfers.has(start)) {
      const added = this.#row(endpoint, args)
      activity.transfers.begin(start, added)
      activity.setFetching(added, true)
    }
    const row = activity.transfers.shownBy(start)
    if (row !== undefined) activity.setProgress(row, progress)
  }

  #endTransfer(start: number): void {
    const { activity, clock, collector } = this.#context
    const row = activity.transfers.end(start)
    if (row === undefined) return
    row.usedAt = clock.now()
    activity.setFetching(row, false)
    collector.schedule()
  }

  /**
   * Shows what a mutation is expected to do. One that cannot be shown early is sent all the same.
   *
   * @returns rows that it makes unreadable: their readers see what they saw until the mutation is answered
   */
  #showEarly({ endpoint, args, start }: Running): readonly ResultNode[] {
    const { getOptimisticResponse, schema, update } = endpoint
    if (getOptimisticResponse === undefined || (schema === undefined && update === undefined)) return []
    const { store } = this.#context
    const origin = { args, name: `getOptimisticResponse of ${nameOf(endpoint)}`, isOwned: false }
    try {
      const expected: unknown = getOptimisticResponse.call(endpoint, this.#snapshot, ...(args as never[]))
      if (expected === undefined) return []
      return store.batch(() => {
        store.noteUnreadable()
        store.layers.add({
          start,
          schema: schema === undefined ? undefined : contractOf(schema),
          response: expected,
          origin,
          updates: update === undefined ? undefined : (value) => updatesOf(store, endpoint, value, args),
        })
        return store.holdUnreadable()
      })
    } catch (error) {
      warn(error)
      return []
    }
  }

  /** What others are expected to remove as well stays on screen until these are answered. */
  #takeBack({ start, held }: Running): void {
    const { store } = this.#context
    store.layers.remove(start)
    store.release(held)
    const other = [...this.#running.values()].find((running) => store.layers.has(running.start))
    const watched = held.filter(({ isHeard }) => isHeard)
    if (other !== undefined) other.held = [...other.held, ...store.holdUnreadable(watched)]
  }

  #keep(running: Running, response: unknown): unknown {
    const { start } = running
    const settle = this.#context.store.nextSequence()
    return this.#write(running, response, { kind: 'mutation', start, settle })
  }

  #write(
    {
      endpoint,
      args,
      held: heldEarly,
      isUnshared,
    }: Pick<Running, 'endpoint' | 'args' | 'held' | 'isUnshared'>,
    response: unknown,
    order: { readonly kind: 'mutation'; readonly start: number; readonly settle: number },
  ): unknown {
    if (endpoint.schema === undefined && endpoint.update === undefined) return response
    const { store, clock, collector } = this.#context
    const schema = endpoint.schema === undefined ? undefined : contractOf(endpoint.schema)
    const isRead = schema !== undefined && !(schema instanceof DeleteSchema)
    let held = heldEarly
    // In one batch: readers see the expected answer and then the real one, and nothing between them.
    const result = store.batch(() => {
      store.noteUnreadable()
      const layer = store.layers.remove(order.start)
      const normalized = store.transact(
        order,
        this.#context.lengths(endpoint),
        clock.now(),
        (transaction) => {
          const isOwned = endpoint.ownsPayload === true && isRead && isUnshared
          const origin = { args, name: nameOf(endpoint), isOwned }
          const stored = schema === undefined ? undefined : transaction.ingest(schema, response, origin)
          if (endpoint.update !== undefined) {
            const value = isRead ? store.readOnce(schema, stored, args) : response
            updateCalls(store, transaction, endpoint, value, args)
          }
          const heldNow = store.holdUnreadable()
          if (heldNow.length > 0) held = [...held, ...heldNow]
          return stored
        },
      )
      if (layer !== undefined) store.layers.replaceTemporary(layer, normalized)
      return normalized
    })
    // After the promise of the call resolved and whoever awaits it went on.
    if (held.length > 0) clock.setTimeout(() => store.release(held), 0)
    collector.schedule()
    return isRead ? store.readOnce(schema, result, args) : response
  }
}

/** What names a mutation: its own name, where its arguments cannot be put into a key. */
function keyOf(endpoint: EndpointLike, args: readonly unknown[]): string {
  try {
    return endpoint.key(...(args as never[]))
  } catch {
    return endpoint.name
  }
}

function createOutcome(): Pick<Running, 'outcome' | 'resolve' | 'reject'> {
  let resolve: Running['resolve']
  let reject: Running['reject']
  const outcome = new Promise<unknown>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { outcome, resolve: (response) => resolve(response), reject: (reason) => reject(reason) }
}

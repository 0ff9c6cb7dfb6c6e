import type { EndpointLike, LoadedPages } from '../endpoint/endpoint.js'
import type { ResultNode } from '../store/results.js'

/** A promise that says how it settled, so that nobody has to wait a moment for what is already there. */
export type TaggedPromise<Value> = Promise<Value> &
  (
    | { readonly status: 'pending' }
    | { readonly status: 'fulfilled'; readonly value: Value }
    | { readonly status: 'rejected'; readonly reason: Error }
  )

/** A tagged promise and the functions that settle it. */
export interface Settleable<Value> {
  readonly promise: TaggedPromise<Value>
  resolve(value: Value): void
  reject(reason: Error): void
}

export function createSettleable<Value>(): Settleable<Value> {
  let resolve: (value: Value) => void
  let reject: (reason: Error) => void
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  const tag = (members: object) => Object.assign(promise, members)
  tag({ status: 'pending' })
  return {
    promise: promise as TaggedPromise<Value>,
    resolve(value) {
      tag({ status: 'fulfilled', value })
      resolve(value)
    },
    reject(reason) {
      tag({ status: 'rejected', reason })
      reject(reason)
    },
  }
}

/**
 * A reader that waits for an answer and is not on screen yet, so that nothing retains its call. While it holds a
 * request, that is not aborted. It holds one at a time.
 *
 * @internal
 */
export class Hold {
  #waiter: Waiter | undefined

  /** @returns the waiter that was held before, where no other reader holds it */
  take(waiter: Waiter | undefined): Waiter | undefined {
    const before = this.#waiter
    if (before === waiter) return undefined
    before?.holds.delete(this)
    waiter?.holds.add(this)
    this.#waiter = waiter
    return before?.holds.size === 0 ? before : undefined
  }
}

/** One call that waits for the answer of a request. */
export interface Waiter {
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  readonly row: ResultNode
  readonly answer: Settleable<unknown>
  /** Fulfilled when the answer is there, failed, or will not count: then a reader that waits has to look again. */
  readonly settled: Settleable<undefined>
  /** Whether a reader has nothing to show until the answer is there. */
  isWaitedFor: boolean
  /** Whether somebody who is no reader was given the promise: then the request is never aborted. */
  isPromised: boolean
  /** Whether the request was aborted because nobody waited for it. */
  isAborted: boolean
  /** Readers that wait and are not on screen yet. */
  readonly holds: Set<Hold>
}

export function createWaiter(endpoint: EndpointLike, args: readonly unknown[], row: ResultNode): Waiter {
  const call = { endpoint, args, row, isWaitedFor: false, isPromised: false, isAborted: false }
  return { ...call, answer: createSettleable(), settled: createSettleable(), holds: new Set() }
}

/** A read under way, and all calls that its answer serves. */
export interface ReadRequest {
  readonly key: string
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  /** The store's sequence when it started. */
  readonly start: number
  readonly waiters: Waiter[]
  /** The pages that its answer holds as well. */
  readonly pages: LoadedPages | undefined
  /** Aborts it, where nobody waits for it. */
  readonly abort: AbortController
}

/** The reads under way, by key. */
export class InFlight {
  readonly #requests = new Map<string, ReadRequest[]>()
  readonly #starts = new Set<number>()

  /** The request whose answer will serve a call: of the same address and processing, started after `invalidatedAt`. */
  find(key: string, endpoint: EndpointLike, invalidatedAt: number): ReadRequest | undefined {
    return this.#requests
      .get(key)
      ?.find((request) => request.start > invalidatedAt && isShared(request.endpoint, endpoint))
  }

  add(request: ReadRequest): void {
    this.#starts.add(request.start)
    const requests = this.#requests.get(request.key)
    if (requests === undefined) this.#requests.set(request.key, [request])
    else requests.push(request)
  }

  has({ start }: ReadRequest): boolean {
    return this.#starts.has(start)
  }

  remove(request: ReadRequest): void {
    this.#starts.delete(request.start)
    const left = this.#requests.get(request.key)?.filter((other) => other !== request) ?? []
    if (left.length === 0) this.#requests.delete(request.key)
    else this.#requests.set(request.key, left)
  }

  /** The calls that wait for the answer to a row, of all requests under way. */
  waitersOf(row: ResultNode): Waiter[] {
    const requests = this.#requests.get(row.key) ?? []
    return requests.flatMap(({ waiters }) => waiters.filter((waiter) => waiter.row === row))
  }

  /** The requests under way whose answer would be that of a row. */
  requestsOf(row: ResultNode): ReadRequest[] {
    const requests = this.#requests.get(row.key) ?? []
    return requests.filter(({ waiters }) => waiters.some((waiter) => waiter.row === row))
  }

  /** The requests for a key whose answer nobody waits for any more. */
  abandoned(key: string): ReadRequest[] {
    return (this.#requests.get(key) ?? []).filter(({ waiters }) => !waiters.some(isAwaited))
  }

  /** Where the earliest request started, in the store's sequence; `Infinity` when none is under way. */
  get earliest(): number {
    // A Set keeps the order in which starts were added, and they only grow.
    const [earliest = Infinity] = this.#starts
    return earliest
  }

  /** Whether a request is under way whose answer the row waits for. */
  isFetching(row: ResultNode): boolean {
    const requests = this.#requests.get(row.key) ?? []
    return requests.some(
      ({ start, waiters }) => start > row.invalidatedAt && waiters.some((waiter) => waiter.row === row),
    )
  }

  /** Forgets all requests. @returns those that were under way */
  clear(): ReadRequest[] {
    const requests = [...this.#requests.values()].flat()
    this.#requests.clear()
    this.#starts.clear()
    return requests
  }
}

function isAwaited({ isPromised, holds, row }: Waiter): boolean {
  return isPromised || holds.size > 0 || row.retainers > 0
}

function isShared(a: EndpointLike, b: EndpointLike): boolean {
  // Nobody's request is aborted by the signal of somebody else.
  return a === b || (a.signal === b.signal && (a.sharesRequestWith?.(b) ?? false))
}

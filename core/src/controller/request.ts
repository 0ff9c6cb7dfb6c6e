import type { EndpointLike, LoadedPages } from '../endpoint/endpoint.js'
import type { Attempt, Call } from '../store/call.js'
import { createSettleable } from '../util/settleable.js'
import type { Settleable } from '../util/settleable.js'

/**
 * Keeps the request alive that a reader waits for which has not mounted: until then it does not retain its call. It holds
 * one attempt at a time.
 */
export class Hold {
  #attempt: ReadAttempt | undefined

  /** @returns the attempt that was held before, where nothing else holds it */
  take(attempt: ReadAttempt | undefined): ReadAttempt | undefined {
    const before = this.#attempt
    if (before === attempt) return undefined
    before?.holders.delete(this)
    attempt?.holders.add(this)
    this.#attempt = attempt
    return before?.holders.size === 0 ? before : undefined
  }
}

/** A request under way for one call. */
export interface ReadAttempt extends Attempt {
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  readonly call: Call
  readonly answer: Settleable<unknown>
  /** What keeps it alive besides readers on screen: a reader that is not mounted yet; itself, once its promise was given away. */
  readonly holders: Set<unknown>
  /** Whether a reader has nothing to show until the answer is there. */
  isWaitedFor: boolean
  /** Whether it was aborted because it had no holder. */
  isAborted: boolean
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
    holders: new Set(),
    isWaitedFor: false,
    isAborted: false,
  }
}

/** A read under way, with an attempt for each call that its answer serves. */
export interface ReadRequest {
  readonly key: string
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  /** The store's sequence when it started. */
  readonly start: number
  readonly attempts: ReadAttempt[]
  /** The pages that its answer holds as well. */
  readonly pages: LoadedPages | undefined
  /** Aborts it, where it has no holder. */
  readonly abort: AbortController
}

/** The reads under way, by key. */
export class InFlight {
  readonly #requests = new Map<string, ReadRequest[]>()
  readonly #starts = new Set<number>()

  /** The request whose answer will serve a call: of the same address and processing, started after `invalidatedAt`. */
  find(key: string, endpoint: EndpointLike, invalidatedAt: number): ReadRequest | undefined {
    return this.of(key).find(
      (request) => request.start > invalidatedAt && isShared(request.endpoint, endpoint),
    )
  }

  /** The requests for a key. */
  of(key: string): readonly ReadRequest[] {
    return this.#requests.get(key) ?? []
  }

  add(request: ReadRequest): void {
    this.#starts.add(request.start)
    this.#requests.set(request.key, [...this.of(request.key), request])
  }

  has({ start }: ReadRequest): boolean {
    return this.#starts.has(start)
  }

  remove(request: ReadRequest): void {
    this.#starts.delete(request.start)
    const left = this.of(request.key).filter((other) => other !== request)
    if (left.length === 0) this.#requests.delete(request.key)
    else this.#requests.set(request.key, left)
  }

  /** The requests for a key that nothing holds. */
  abandoned(key: string): readonly ReadRequest[] {
    return this.of(key).filter(({ attempts }) => !attempts.some(isHeld))
  }

  /** Where the earliest request started, in the store's sequence; `Infinity` when none is under way. */
  get earliest(): number {
    // A Set keeps the order in which starts were added, and they only grow.
    const [earliest = Infinity] = this.#starts
    return earliest
  }

  /** Forgets all requests. @returns those that were under way */
  clear(): ReadRequest[] {
    const requests = [...this.#requests.values()].flat()
    this.#requests.clear()
    this.#starts.clear()
    return requests
  }
}

function isHeld({ holders, call }: ReadAttempt): boolean {
  return holders.size > 0 || call.retainers > 0
}

function isShared(a: EndpointLike, b: EndpointLike): boolean {
  // A request is aborted by its own signal only.
  return a === b || (a.signal === b.signal && (a.sharesRequestWith?.(b) ?? false))
}

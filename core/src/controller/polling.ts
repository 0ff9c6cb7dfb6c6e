import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { ResultNode } from '../store/results.js'
import type { Controller } from './controller.js'

/** One who wants a call kept fresh. */
interface Connection {
  /** The endpoint as it is now: one that closes over a token may be made anew. */
  readonly endpoint: () => EndpointLike
  readonly args: readonly unknown[]
  readonly frequencyMs: number
}

/** The calls that are kept fresh by asking again and again. All who are connected to one call share its timer. */
export class Polls {
  readonly #controller: Controller
  readonly #polls = new Map<ResultNode, Poll>()

  constructor(controller: Controller) {
    this.#controller = controller
  }

  /** @returns a function that ends it */
  connect(row: ResultNode, endpoint: () => EndpointLike, args: readonly unknown[]): () => void {
    const { name, pollFrequency } = endpoint()
    if (pollFrequency === undefined) throw errors.cannotConnect(name)
    let poll = this.#polls.get(row)
    if (poll === undefined) this.#polls.set(row, (poll = new Poll(this.#controller, row)))
    const joined = poll
    const connection = { endpoint, args, frequencyMs: pollFrequency }
    joined.add(connection)
    return () => {
      if (joined.remove(connection) > 0 || this.#polls.get(row) !== joined) return
      this.#polls.delete(row)
      joined.end()
    }
  }

  /** Ends all of them. */
  end(): void {
    for (const poll of this.#polls.values()) poll.end()
    this.#polls.clear()
  }
}

/** One call that is kept fresh. */
class Poll {
  readonly #controller: Controller
  readonly #row: ResultNode
  readonly #connections = new Set<Connection>()
  readonly #release: () => void
  /** Set while nothing is under way. */
  #timer: unknown = undefined
  /** What the wait for the next request is counted from: milliseconds since the epoch. */
  #waitsSince = -Infinity
  #wasFetching = false
  #invalidations: number
  #isEnded = false

  constructor(controller: Controller, row: ResultNode) {
    this.#controller = controller
    this.#row = row
    this.#invalidations = row.invalidations
    row.listen(this.#hear)
    this.#release = controller.retain(row)
    const isUnanswered = row.error !== undefined || row.age.fetchedAt === -Infinity
    this.#waitsSince = isUnanswered ? controller.clock.now() : row.age.fetchedAt
  }

  add(connection: Connection): void {
    this.#connections.add(connection)
    if (this.#isDue()) this.#ask()
    else this.#wait()
  }

  /** @returns how many are left */
  remove(connection: Connection): number {
    this.#connections.delete(connection)
    if (!this.#isEnded && this.#connections.size > 0) this.#wait()
    return this.#connections.size
  }

  end(): void {
    this.#isEnded = true
    this.#stopWaiting()
    this.#row.unlisten(this.#hear)
    this.#release()
  }

  /** Something became of the call, whoever asked for it. */
  readonly #hear = (): void => {
    const { fetching, invalidations } = this.#row
    const isAnswered = this.#wasFetching && !fetching
    this.#wasFetching = fetching
    if (invalidations !== this.#invalidations) {
      this.#invalidations = invalidations
      this.#ask()
    } else if (fetching) {
      this.#stopWaiting()
    } else if (isAnswered) {
      this.#waitsSince = this.#controller.clock.now()
      this.#wait()
    }
  }

  /** Whether somebody who connects now asks at once, as a reader that is mounted now does. */
  #isDue(): boolean {
    const { error, errorExpiresAt } = this.#row
    if (error !== undefined && errorExpiresAt > this.#controller.clock.now()) return false
    const { isReadable } = this.#row.snapshot(this.#controller.store.graph)
    if (isReadable && this.#controller.isUnclaimed(this.#row)) return false
    return this.#controller.status(this.#latest.endpoint(), this.#row) !== 'Valid'
  }

  #ask(): void {
    this.#stopWaiting()
    const { endpoint, args } = this.#latest
    const asked = endpoint()
    if (this.#controller.isGivenUp(asked, this.#row)) {
      this.#waitsSince = this.#controller.clock.now()
      this.#wait()
      return
    }
    const { answer } = this.#controller.join(asked, args)
    this.#wasFetching = true
    // Readers learn of a failure from the snapshot.
    answer.promise.catch(() => {})
  }

  #wait(): void {
    this.#stopWaiting()
    if (this.#row.fetching) return
    const { clock } = this.#controller
    const frequencyMs = Math.min(...[...this.#connections].map((connection) => connection.frequencyMs))
    // A clock that stepped back makes nobody wait longer.
    const leftMs = Math.min(frequencyMs, Math.max(0, this.#waitsSince + frequencyMs - clock.now()))
    this.#timer = clock.setTimeout(() => {
      this.#timer = undefined
      this.#ask()
    }, leftMs)
  }

  #stopWaiting(): void {
    if (this.#timer !== undefined) this.#controller.clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Who connected last makes the requests. */
  get #latest(): Connection {
    return [...this.#connections].at(-1) as Connection
  }
}

import type { EndpointLike } from '../endpoint/endpoint.js'
import type { Progress } from '../util/progress.js'
import type { CallsOwner } from './calls.js'

/** Why a mutation of the outbox failed. */
export type OutboxFailure =
  /** The server refused it (4xx). */
  | 'refused'
  /** The server had another state (409, 412), and `onConflict` did not decide. */
  | 'conflict'
  /** It was sent without an idempotency key, no answer came or a 5xx, and doing it twice may do harm. */
  | 'answer-lost'
  /** The mutation that creates a record which it names has failed. */
  | 'dependency'
  /** Its arguments cannot be read: they were written by another version, or damaged. */
  | 'unreadable'
  /** The session is over (401). It has not failed: it waits until the user has signed in again. */
  | 'session'

/** A mutation that was not answered yet, or that failed. Immutable. */
export interface OutboxMutation {
  /** Names it in `retry`, `edit` and `drop`: the same in all tabs, and after a reload. */
  readonly id: string
  /** The name of its endpoint. */
  readonly endpoint: string
  /** The arguments of the call, to show them. */
  readonly args: readonly unknown[]
  /** When it was made: milliseconds since the epoch. */
  readonly at: number
  /** `waiting`: for the network, its turn, or the next attempt. `sending`: this tab or another one waits for the answer. */
  readonly status: 'waiting' | 'sending' | 'failed'
  /** `true` once it outlasts a reload. */
  readonly isWritten: boolean
  /** `false` while the endpoint that it was made with is not given to the outbox, or has another prefix: then it waits. */
  readonly isKnown: boolean
  /** How often it was sent from this tab. */
  readonly attempts: number
  /** The error of the last attempt; `undefined` if there was none. */
  readonly error: Error | undefined
  /** Why it failed, or `session` while it waits for a sign-in; `undefined` otherwise. */
  readonly reason: OutboxFailure | undefined
  /** When it is sent again, in milliseconds since the epoch; `undefined` if that depends on something else. */
  readonly retryAt: number | undefined
  /** How much is transferred, from transports that report it. */
  readonly progress: Progress | undefined
}

/** What an outbox shows, and what the user can do about it: the result of `useOutbox`. Immutable. */
export interface OutboxState {
  /** The mutations in order, including the failed ones. The same array until one of them changes. */
  readonly mutations: readonly OutboxMutation[]
  /** `true` once the mutations of an earlier visit are read and shown. */
  readonly isReady: boolean
  /** Sends a failed mutation again, with those that failed because of it. Without an id: all failed ones. */
  readonly retry: (id?: string) => Promise<void>
  /**
   * Changes the arguments of a mutation that waits or failed, and sends it. The promise of one that waits rejects with
   * `outbox-dropped`.
   */
  readonly edit: (id: string, ...args: readonly unknown[]) => Promise<void>
  /**
   * Drops a mutation that waits or failed, and those that name the record that it creates. Their promises reject
   * with `outbox-dropped`. Does nothing for one that is being sent. Without an id: all of this scope.
   */
  readonly drop: (id?: string) => Promise<void>
}

/** The mutations of a Controller that the server has not answered yet, collected by the middleware `outbox()`. */
export interface Outbox extends OutboxState {
  /** The application: its option, or the prefix that its endpoints share. @internal */
  readonly name: string
  /** The user: its option. @internal */
  readonly scope?: (() => string | number | undefined) | undefined
  /** All that readers show: the same object until something in it changes. */
  readonly state: OutboxState
  /** Resolves when `isReady` becomes `true`; never rejects. */
  readonly ready: Promise<void>
  /** Calls a function after each change. @returns a function that ends it */
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Resolves when each mutation made so far outlasts a reload, or is answered.
   *
   * @throws {SelfsameError} `outbox-unwritten` if one cannot be stored: the page must stay open until it is sent
   */
  readonly written: () => Promise<void>
  /** Deletes the mutations of a user who is not signed in. */
  readonly dropScope: (scope: string | number) => Promise<void>
  /** Adds endpoints or resources, such as those of a route that loads later. Mutations that waited for them are shown and sent. */
  readonly add: (...endpoints: readonly (EndpointLike | object)[]) => void
  /**
   * Returns `true` for a request of one of its mutations that has not ended, if all tabs have it. For middleware that tells others of
   * responses: each tab settles these mutations by itself.
   *
   * @param requestId - the `id` of an action or a `RequestCall`
   */
  readonly holds: (requestId: number) => boolean
  /** Sends what waits since the session was over: call it when the user has signed in again without a `resetAll`. */
  readonly resume: () => void
  /** Reads the scope again: call it when the user changes without a `resetAll`. */
  readonly checkScope: () => void
}

/** The key of a Controller's outbox: the same in each copy of this module, as that of its calls. */
const outboxKey: unique symbol = Symbol.for('selfsame.outbox')

interface OutboxOwner {
  [outboxKey]?: Outbox
}

export function setOutbox(controller: CallsOwner, outbox: Outbox): void {
  ;(controller as OutboxOwner)[outboxKey] = outbox
}

/**
 * Returns the outbox of a Controller: what waits, is sent and failed.
 *
 * @returns one that is empty and stays so, without the middleware `outbox()` and on a server
 * @see specification 4.7
 * @example
 * const end = outboxOf(controller).subscribe(() => render(outboxOf(controller).mutations))
 */
export function outboxOf(controller: CallsOwner): Outbox {
  return (controller as OutboxOwner)[outboxKey] ?? emptyOutbox
}

const sendNothing = () => Promise.resolve()

const emptyState: OutboxState = Object.freeze({
  mutations: Object.freeze([]),
  isReady: true,
  retry: sendNothing,
  edit: sendNothing,
  drop: sendNothing,
})

/** The outbox of a Controller that has none: on a server, and without the middleware. */
export const emptyOutbox: Outbox = {
  ...emptyState,
  name: 'selfsame',
  state: emptyState,
  ready: sendNothing(),
  subscribe: () => () => {},
  written: sendNothing,
  dropScope: sendNothing,
  holds: () => false,
  add() {},
  resume() {},
  checkScope() {},
}

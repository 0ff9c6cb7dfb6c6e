import type { OutboxMutation } from '../controller/outbox-of.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import type { RowStorage } from '../storage/row-storage.js'
import type { NetworkState } from '../util/network-state.js'
import type { Tabs } from './locks.js'

/** What to do with a mutation that met another state on the server: see `onConflict`. */
export type ConflictDecision =
  /** Send it again unchanged. */
  | 'resend'
  /** Send it again with other arguments. */
  | { readonly args: readonly unknown[] }
  /** Take it back. */
  | 'drop'
  /** Keep it as failed, with the reason `conflict`. */
  | undefined

/** Options of `outbox`. */
export interface OutboxOptions extends Tabs {
  /**
   * Mutations to write down, or resources for all of their mutations. An endpoint may opt out by `outbox: false`, or in by
   * `outbox: true`. After a reload an endpoint is found again by its name, method, prefix and path. @default those with
   * `outbox: true` that are given by `add`
   */
  readonly endpoints?: readonly (EndpointLike | object)[] | undefined
  /**
   * Where they are written down. @default `indexedDbStorage()`. A page without IndexedDB, or that may not use it, keeps them in
   * memory, and development warns once. On a server the middleware does nothing
   */
  readonly storage?: RowStorage | undefined
  /**
   * Names the application: two applications on one origin share neither rows nor a lock. `persist` and `syncTabs` of the Controller use it
   * too. @default the `urlPrefix` that `endpoints` share; 'selfsame' without one
   */
  readonly name?: string | undefined
  /**
   * The prefix of today by an old one, for an API that has moved: what was to be sent to the old one is sent to the new one. Give a
   * `name` too. @default none
   * @example { 'https://old.example.com': 'https://api.example.com' }
   */
  readonly prefixAliases?: Readonly<Record<string, string>> | undefined
  /**
   * Returns the id of the user, `undefined` while none is signed in. A mutation is shown and sent only while the user that made
   * it is the user. Read at each mutation, at each request and at `resetAll`. @default there is one user
   */
  readonly scope?: (() => string | number | undefined) | undefined
  /**
   * The header with the key of a mutation, the same in each attempt, by which the server carries it out once. `false`: none.
   * @default 'Idempotency-Key'
   */
  readonly idempotencyKey?: string | false | undefined
  /** @default the network of a browser */
  readonly network?: NetworkState | undefined
  /** Returns how long to wait before the next attempt, in milliseconds. @default a random time up to 1 s, 2 s, … 30 s */
  readonly delayMs?: ((attempt: number, error: Error) => number) | undefined
  /** Returns `true` for errors after which the mutation is sent again. @default `isTransientError` */
  readonly isTransient?: ((error: Error) => boolean) | undefined
  /**
   * The statuses by which the server says that the session is over. All mutations then wait, and are shown, until `resume`, `retry`, a
   * `resetAll` with the same scope, or the next start. `[]`: they are refusals.
   *
   * @default [401]
   */
  readonly sessionStatuses?: readonly number[] | undefined
  /**
   * Names what a mutation touches beside its record: mutations that share a name are sent in order.
   * @default its record, and records that it creates
   */
  readonly touches?: ((endpoint: EndpointLike, args: readonly unknown[]) => readonly string[]) | undefined
  /**
   * Decides when the server has another state (409, 412).
   *
   * @param mutation - with its arguments
   * @param server - the body of the answer
   * @param local - the last argument: what was to be written
   * @default it is kept as failed, with the reason `conflict`
   */
  readonly onConflict?:
    | ((
        mutation: OutboxMutation,
        server: unknown,
        local: unknown,
      ) => ConflictDecision | Promise<ConflictDecision>)
    | undefined
  /**
   * Decides when the server has refused a mutation (422), while the `fetch` that made it waits. It rejects with the error in any case. `drop`:
   * the mutation is not kept, because its caller shows the error. After a reload nobody waits, so a refused mutation is kept.
   *
   * @default `keep`: as failed, with the reason `refused`
   * @example outbox({ endpoints: [todoResource], onRefused: () => 'drop' })
   */
  readonly onRefused?: ((mutation: OutboxMutation, error: Error) => 'keep' | 'drop') | undefined
  /**
   * Decides when a mutation was sent without an idempotency key, and no answer came, or a status from 500: the server may have done it.
   * `keep`: as failed, with the reason `answer-lost`. `drop`: the mutation is not kept. After both it is rolled back, its record and lists
   * are Stale, and `fetch` rejects with the error.
   *
   * @default `resend` for PUT, PATCH and DELETE, else `keep`
   */
  readonly onUnknown?:
    | ((mutation: OutboxMutation) => 'resend' | 'keep' | 'drop' | Promise<'resend' | 'keep' | 'drop'>)
    | undefined
  /**
   * Decides at `resetAll`, without a `scope`, what happens to the mutations that were not sent. @default `drop`, with a warning
   */
  readonly onReset?: ((waiting: readonly OutboxMutation[]) => 'keep' | 'drop') | undefined
}

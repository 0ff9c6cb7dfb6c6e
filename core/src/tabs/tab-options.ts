import type { EndpointLike } from '../endpoint/endpoint.js'

/** The part of a `BroadcastChannel` that it uses. */
export interface TabChannel {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  postMessage(message: unknown): void
  close(): void
}

/** The part of `navigator.locks` that it uses: pass your own where tabs are something else, such as windows of Electron, or in tests. */
export interface TabLocks {
  /**
   * Calls a function with a lock that no one else has then, until the promise of the function is settled; with `null`, if
   * `ifAvailable` is `true` and another one has it. A lock whose page is closed or crashes is free.
   *
   * @param name - the lock. all tabs that agree must use the same names of locks
   * @param options - `signal` ends the wait for the lock: the promise then rejects with its reason. It does not end `run`.
   *   `ifAvailable` waits for nothing @default no signal; `false`
   * @returns what the promise of `run` resolves with, or rejects with
   */
  request<Value>(
    name: string,
    options: { readonly signal?: AbortSignal; readonly ifAvailable?: boolean },
    run: (lock: object | null) => Promise<Value>,
  ): Promise<Value>
}

/** Options of `syncTabs`. */
export interface SyncTabsOptions {
  /**
   * Endpoints, or resources for all of theirs, whose responses this tab takes from others. Endpoints that this tab has used
   * itself are known too. They are found by their name, method, prefix and path. @default those that this tab has used
   * @throws {SelfsameError} in development `argument-invalid` for two that have these in common but send different requests
   */
  readonly endpoints?: readonly (EndpointLike | object)[] | undefined
  /** The version of your application: tabs of different versions do not communicate. @default 1 */
  readonly version?: number | string | undefined
  /** Names the application: tabs with different names do not communicate. @default that of the outbox; 'selfsame' without one */
  readonly name?: string | undefined
  /**
   * How long a read waits for the same read of another tab, in milliseconds: then it is sent. `0` shares no reads under way. Without
   * Web Locks it is as `0`.
   * @default 5000
   * @throws {SelfsameError} in development `definition-invalid` for a time that is negative, or too long for a timer
   */
  readonly waitMs?: number | undefined
  /**
   * `true`: of the tabs that are connected to a call, one opens its stream and feeds the others. If it is closed, frozen or
   * disconnects, another one opens the stream. For streams that send all tabs the same, and only with Web Locks: without them each tab
   * has its own.
   * @default false: each tab has its own
   */
  readonly sharesStreams?: boolean | undefined
  /**
   * Returns the id of the user. Tabs of different users share nothing but `resetAll`. A tab whose user has changed shares nothing until its
   * `resetAll`.
   *
   * @default that of the outbox; there is one user without one
   */
  readonly scope?: (() => string | number | undefined) | undefined
  /** `false`: a `resetAll` in one tab, such as a logout, does not reset the others. @default true */
  readonly resets?: boolean | undefined
  /**
   * Called before a `resetAll` of another tab runs here, including one at a login there: read the user again. What that tab wrote to
   * `localStorage` before its `resetAll` can be read. Cookies may be late: they have no order.
   */
  readonly onReset?: (() => void) | undefined
  /** Opens a channel to the other tabs. @default `BroadcastChannel`; on a server none */
  readonly channel?: ((name: string) => TabChannel) | null | undefined
  /**
   * Decides which tab sends a read and opens a stream. `null` for none: then each tab does.
   * @default `navigator.locks`. A page without HTTPS has none, and a sandboxed frame cannot use them: development warns once
   */
  readonly locks?: TabLocks | null | undefined
}

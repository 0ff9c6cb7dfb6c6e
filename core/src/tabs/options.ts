import type { EndpointLike } from '../endpoint/endpoint.js'

/** The part of a `BroadcastChannel` that it uses. */
export interface TabChannel {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  postMessage(message: unknown): void
  close(): void
}

/** Options of `syncTabs`. */
export interface SyncTabsOptions {
  /**
   * Endpoints, or resources for all of theirs, whose responses this tab takes from others. Endpoints that this tab has used
   * itself are known too. They are found by their names. @default those that this tab has used
   */
  readonly endpoints?: readonly (EndpointLike | object)[] | undefined
  /** The version of your application: tabs of different versions do not talk. @default 1 */
  readonly version?: number | string | undefined
  /** Names the channel: Controllers with different names do not talk. @default 'selfsame' */
  readonly name?: string | undefined
  /** `false`: a `resetAll` in one tab, such as a logout, is none in the others. @default true */
  readonly resets?: boolean | undefined
  /** Called before a `resetAll` of another tab is made here: forget the user. */
  readonly onReset?: (() => void) | undefined
  /** Opens a channel to the other tabs. @default `BroadcastChannel`; on a server none */
  readonly channel?: ((name: string) => TabChannel) | null | undefined
}

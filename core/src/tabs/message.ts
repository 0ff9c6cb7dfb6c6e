import type { PlainError } from '../store/hydration/dehydrated-state.js'
import type { Span } from './recent.js'

/** A call as the channel names it. */
export interface ToldCall {
  /** What its endpoint is known by. */
  readonly endpoint: string
  readonly args: readonly unknown[]
  readonly key: string
}

/** What was done, in a form that a channel can carry. Endpoints and classes are named. */
export type Told =
  | ({ readonly type: 'response'; readonly response: unknown } & ToldCall)
  | ({ readonly type: 'error'; readonly error: PlainError } & ToldCall)
  /** A mutation without an answer: the server may have done it. */
  | ({ readonly type: 'lost' } & ToldCall)
  | {
      readonly type: 'set'
      /** The entity key. */
      readonly entity: string
      readonly isDelete: boolean
      readonly args: readonly unknown[]
      readonly value: unknown
    }
  | {
      /** The fields that were changed of records, with primary keys in place of other records. */
      readonly type: 'records'
      readonly records: readonly ToldRecord[]
    }
  | {
      readonly type: 'invalidateAll' | 'expireAll'
      /** What the endpoint is known by; `undefined` without one. */
      readonly endpoint: string | undefined
      /** The keys of the calls in the tab that tells. */
      readonly keys: readonly string[]
    }

/** What was expired or invalidated. */
export type ToldAges = Extract<Told, { readonly keys: readonly string[] }>

export interface ToldRecord {
  /** The entity key. */
  readonly entity: string
  readonly pk: string
  readonly fields: Readonly<Record<string, unknown>>
  /** `true` if more was changed than can be told: lists. */
  readonly hasMore: boolean
}

/** What one tab tells the others. */
export type News =
  /** A tab was opened: the others answer. */
  | { readonly type: 'opened' }
  | { readonly type: 'here' }
  | { readonly type: 'reset' }
  | ({
      readonly type: 'done'
      readonly told: readonly Told[]
      /** The key of the call whose live connection has brought it. */
      readonly liveKey?: string | undefined
    } & Span)

export type DoneMessage = Extract<News, { type: 'done' }>

/** Whose data a tab has. Times are milliseconds since the epoch. */
export interface Visit {
  /** The user. */
  readonly scope: string | undefined
  /** When the last reset was that the tab knows of, in any tab; 0 without one. */
  readonly resetAt: number
  /** `true` if the tab of that reset noted it in `localStorage`: what was written there before is there too, once a tab finds the note. */
  readonly isNoted: boolean
  /** When the tab was opened, or was reset last. */
  readonly since: number
}

export type Message = News & Visit

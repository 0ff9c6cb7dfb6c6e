import type { Span } from './recent.js'

/** What was done, in a form that a channel can carry. Endpoints and classes are named. */
export type Told =
  | {
      readonly type: 'response'
      readonly name: string
      readonly args: readonly unknown[]
      readonly key: string
      readonly response: unknown
    }
  | {
      readonly type: 'set'
      /** The entity key. */
      readonly entity: string
      readonly isDelete: boolean
      readonly args: readonly unknown[]
      readonly value: unknown
    }
  | {
      readonly type: 'invalidateAll' | 'expireAll'
      /** The name of the endpoint; `undefined` without one. */
      readonly name: string | undefined
      /** The keys of the calls in the tab that tells. */
      readonly keys: readonly string[]
    }

/** What one tab tells the others. */
export type Message =
  /** A tab was opened: the others answer. */
  | { readonly type: 'opened' }
  | { readonly type: 'here' }
  | { readonly type: 'reset'; readonly at: number }
  | ({ readonly type: 'done'; readonly told: Told } & Span)

export type Done = Extract<Message, { type: 'done' }>

import type { FieldPath } from '../../schema/page-schema.js'
import type { SchemaContract } from '../../schema/schema.js'
import type { DehydratedState } from './dehydrated-state.js'
import type { Pages } from '../list-node.js'
import type { Call, StoredCallState } from '../call.js'
import type { Stamp } from '../stamp.js'

/** A hydrated result that no call has claimed yet. */
export interface WaitingResult {
  readonly key: string
  readonly stamp: Stamp
  readonly result: unknown
  readonly state: Pick<StoredCallState, 'isInvalidated' | 'failure'>
  isExpired: boolean
  readonly isInferred: boolean
  readonly path: FieldPath | undefined
  readonly pages: Pages
  /** The arguments of the calls for further pages. */
  readonly loaded: Call['loaded']
  /** When it was hydrated: milliseconds since the epoch. */
  readonly usedAt: number
  /** True if the page was rendered from it. */
  readonly isOfPage: boolean
  readonly dispose: undefined
}

/**
 * The interface of hydrated state for the store. `hydrate` creates the object, so an application that does not call
 * it does not ship the code.
 */
export interface StoreHydration {
  readonly waiting: readonly WaitingResult[]
  kept(keepSince: number): readonly unknown[]
  clear(): void
  take(state: DehydratedState, now: number, isOfPage: boolean): Call[]
  waitFor(keys: readonly string[]): void
  stopWaiting(): Call[]
  isLate(key: string): boolean
  claim(call: Call): void
  expire(matches: (key: string) => boolean, isInvalid: boolean): void
  bind(schema: SchemaContract, value: unknown, name: string): unknown
}

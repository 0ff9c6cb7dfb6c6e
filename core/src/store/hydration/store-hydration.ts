import type { FieldPath } from '../../schema/page.js'
import type { SchemaContract } from '../../schema/schema.js'
import type { DehydratedState } from './dehydrated-state.js'
import type { Pages } from '../list-node.js'
import type { Call, Failure } from '../call.js'
import type { Stamp } from '../stamp.js'

/** What a call was answered with elsewhere, while nobody has asked for the call here. */
export interface WaitingResult {
  readonly key: string
  readonly stamp: Stamp
  readonly result: unknown
  readonly isInvalidated: boolean
  readonly path: FieldPath | undefined
  readonly pages: Pages
  readonly failure: Failure | undefined
  /** When it was taken: milliseconds since the epoch. */
  readonly usedAt: number
  /** Whether it was rendered into the page. */
  readonly isOfPage: boolean
  readonly dispose: undefined
}

/** What was hydrated, as far as a store needs it. Made by `hydrate`: an application that does not call it ships none. */
export interface StoreHydration {
  readonly waiting: readonly WaitingResult[]
  kept(keepSince: number): readonly unknown[]
  clear(): void
  take(state: DehydratedState, now: number, isOfPage: boolean): Call[]
  claim(call: Call): void
  bind(schema: SchemaContract, value: unknown, name: string): unknown
}

import type {
  ArgsOf,
  DataForArgs,
  NullableArgs,
  OtherParams,
  ReadEndpoint,
  WithoutParams,
} from '../endpoint/endpoint.js'
import type { CallState } from './observer.js'
import type { ReadCall, ReadCalls } from './observer-group.js'
import type { GroupState } from './states-group.js'

/**
 * The type that several calls must have, member by member: an endpoint that reads, then its arguments or `null` as the
 * first one.
 */
export type CheckedCalls<Calls extends ReadCalls> = {
  readonly [Member in keyof Calls]: CheckedCall<Calls[Member]>
}

type CheckedCall<Call> = Call extends readonly [infer E extends ReadEndpoint, ...infer Args]
  ? [OtherParams<Args, ArgsOf<E>>] extends [never]
    ? WritableCalls<Args> extends NullableArgs<ArgsOf<E>>
      ? Call
      : readonly [endpoint: E, ...args: NullableArgs<ArgsOf<E>>]
    : readonly [endpoint: E, ...args: WithoutParams<ArgsOf<E>, OtherParams<Args, ArgsOf<E>>>]
  : ReadCall

/** The data of several calls: a list for a list, an object for an object. */
export type DataOfCalls<Calls extends ReadCalls> = {
  readonly [Member in keyof Calls]: Calls[Member] extends readonly [infer E, ...infer Args]
    ? DataForArgs<E, Args>
    : never
}

/** The state of several calls, from their data: with all of it, or with what is there. */
export type StateOfData<Data> =
  | (Settled<Data> & { readonly loading: false; readonly error: undefined })
  | (Partly<Data> & { readonly loading: boolean; readonly error: Error })
  | (Partly<Data> & { readonly loading: true; readonly error: undefined })

interface Settled<Data> extends GroupState<Data, StatesOf<Data>> {}
interface Partly<Data> extends GroupState<
  { readonly [Member in keyof Data]: Data[Member] | undefined },
  StatesOf<Data>
> {}

type StatesOf<Data> = { readonly [Member in keyof Data]: CallState<Data[Member]> }

/** The state of several calls. */
export type StateOfCalls<Calls extends ReadCalls> = StateOfData<DataOfCalls<Calls>>

/** A constant may be passed where a mutable list is expected. */
type WritableCalls<Value> = Value extends readonly unknown[] | Plain
  ? { -readonly [Name in keyof Value]: WritableCalls<Value[Name]> }
  : Value

/** A plain object, not a class instance or a function. */
interface Plain {
  readonly [name: string]: unknown
}

import type { ArgsOf, DataForArgs, NullableArgs, ReadEndpoint } from '../endpoint/endpoint.js'
import type { ReadCall, ReadCalls } from './observer-group.js'

/**
 * What several calls have to be, member by member: an endpoint that reads and what it is called with, or `null` in the
 * place of its first argument.
 */
export type CheckedCalls<Calls extends ReadCalls> = {
  readonly [Member in keyof Calls]: CheckedCall<Calls[Member]>
}

type CheckedCall<Call> = Call extends readonly [infer E extends ReadEndpoint, ...infer Args]
  ? Writable<Args> extends NullableArgs<ArgsOf<E>>
    ? Call
    : readonly [endpoint: E, ...args: NullableArgs<ArgsOf<E>>]
  : ReadCall

/** The data of several calls: a list for a list, an object for an object. */
export type DataOfCalls<Calls extends ReadCalls> = {
  readonly [Member in keyof Calls]: Calls[Member] extends readonly [infer E, ...infer Args]
    ? DataForArgs<E, Args>
    : never
}

/** What is written as a constant may be given where a list that can be changed is taken. */
type Writable<Value> = Value extends readonly unknown[] | Plain
  ? { -readonly [Name in keyof Value]: Writable<Value[Name]> }
  : Value

/** An object of fields, and no instance or function. */
interface Plain {
  readonly [name: string]: unknown
}

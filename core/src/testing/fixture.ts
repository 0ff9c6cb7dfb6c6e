import type { Controller } from '../controller/controller.js'
import type { ArgsOf, EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import type { PayloadOf } from './payload.js'

/**
 * What one call is answered with. A read is told by its key; a mutation by its key and the content of its arguments.
 *
 * @example { endpoint: todoResource.get, args: [{ id: 5 }], response: { id: 5, title: 'Write tests' } }
 * @example { endpoint: todoResource.get, args: [{ id: 6 }], error: new Error('Not found') }
 */
export type Fixture<E = EndpointLike> = FixtureCall<E> &
  (
    | {
        /** The payload: what the endpoint's function would give. It is copied whenever it is used. */
        readonly response: PayloadOf<E>
        readonly error?: undefined
      }
    | {
        /** Why the call fails. */
        readonly error: Error
        readonly response?: undefined
      }
  )

interface FixtureCall<E> extends Delayed {
  readonly endpoint: E & EndpointLike
  readonly args: Readonly<ArgsOf<E>>
  /** Whether the outcome of a read is in the cache from the beginning, as if it had just been fetched. @default false */
  readonly isCached?: boolean | undefined
}

interface Delayed {
  /**
   * How long the response takes, by the clock of the Controller: milliseconds.
   *
   * @default 0: the response comes in the next task, whatever the clock
   */
  readonly delayMs?: number | undefined
}

/**
 * Answers all calls of an endpoint: in the place of its function by `response`, or in the place of the network by
 * `fetchResponse`, which leaves building the request, reading the body and the errors to the endpoint.
 *
 * @example { endpoint: todoResource.partialUpdate, response: ({ id }, body) => ({ ...body, id: Number(id) }) }
 * @example { endpoint: todoResource.get, fetchResponse: () => new Response(null, { status: 404 }) }
 */
export type Interceptor<E = EndpointLike, State = unknown> = {
  readonly endpoint: E & EndpointLike
  readonly testKey?: undefined
} & Answering<InterceptedArgs<E>, PayloadOf<E>, State>

/**
 * Answers all calls whose key it knows, of whatever endpoints.
 *
 * @example { testKey: (key) => key.startsWith('GET /todo'), fetchResponse: () => new Response(null, { status: 503 }) }
 */
export type KeyInterceptor<State = unknown> = KeyTester &
  // The arguments are those of whatever is called.
  // eslint-disable-next-line typescript/no-explicit-any
  Answering<any[], unknown, State>

/**
 * What a call is answered for. A mutation with a body whose path has no params may be called with empty ones before its
 * body: they are left out.
 */
export type InterceptedArgs<E> =
  Exclude<ArgsOf<E>, WithEmptyParams> extends infer Args extends readonly unknown[]
    ? [Args] extends [never]
      ? ArgsOf<E>
      : Args
    : never

type WithEmptyParams = readonly [params: { readonly [name: string]: never }, body: unknown]

/** How calls are answered. */
type Answering<Args extends readonly unknown[], Payload, State> = Delayed &
  (
    | {
        /** Gives the payload, or throws. What it gives is copied. */
        readonly response: (this: InterceptorContext<State>, ...args: Args) => Payload | Promise<Payload>
        readonly fetchResponse?: undefined
      }
    | {
        /**
         * Gives the `Response`. Anything else is sent as JSON. For endpoints that have the step `fetchResponse`.
         *
         * @param init - method, headers and body of the request
         */
        readonly fetchResponse: (this: InterceptorContext<State>, url: string, init: RequestInit) => unknown
        readonly response?: undefined
      }
  )

/** What an interceptor that is a `function` finds as its `this`. */
export interface InterceptorContext<State = unknown> {
  /** What `createState` gave, the same for all interceptors of a Controller; yours to change. */
  readonly state: State
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  readonly key: string
  /** Is aborted when no reader waits for the response any more. */
  readonly signal: AbortSignal
  /** The Controller that asks. */
  readonly controller: Controller
}

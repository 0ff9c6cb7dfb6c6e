import type { Controller } from '../controller/controller.js'
import type { ArgsOf, EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import type { PayloadOf } from '../endpoint/payload-of.js'

/**
 * The outcome of one call. A read is identified by its key; a mutation by its key and the content of its arguments.
 *
 * @example { endpoint: todoResource.get, args: [{ id: 5 }], response: { id: 5, title: 'Write tests' } }
 * @example { endpoint: todoResource.get, args: [{ id: 6 }], error: new Error('Not found') }
 */
export type Fixture<E = EndpointLike> = FixtureCall<E> &
  (
    | {
        /** The payload, as the endpoint's function would return it. Each use gets a copy. */
        readonly response: PayloadOf<E>
        readonly error?: undefined
      }
    | {
        /** The error that the call fails with. */
        readonly error: Error
        readonly response?: undefined
      }
  )

interface FixtureCall<E> extends Delayed {
  readonly endpoint: E & EndpointLike
  readonly args: Readonly<ArgsOf<E>>
  /**
   * If `true`, the outcome of a read is in the cache from the start, as if it had just been fetched.
   *
   * @default false
   */
  readonly isCached?: boolean | undefined
}

interface Delayed {
  /**
   * How long the response takes, in milliseconds of the Controller's clock.
   *
   * @default 0: the response arrives in the next task, whatever the clock
   */
  readonly delayMs?: number | undefined
}

/**
 * Responds to all calls of an endpoint. `response` replaces the endpoint's function. `fetchResponse` replaces the
 * network: the endpoint still builds the request, reads the body and creates errors.
 *
 * @example { endpoint: todoResource.partialUpdate, response: ({ id }, body) => ({ ...body, id: Number(id) }) }
 * @example { endpoint: todoResource.get, fetchResponse: () => new Response(null, { status: 404 }) }
 */
export type Interceptor<E = EndpointLike, State = unknown> = {
  readonly endpoint: E & EndpointLike
  readonly testKey?: undefined
} & Answering<InterceptedArgs<E>, PayloadOf<E>, State>

/**
 * Responds to all calls whose key passes `testKey`, of any endpoint.
 *
 * @example { testKey: (key) => key.startsWith('GET /todo'), fetchResponse: () => new Response(null, { status: 503 }) }
 */
export type KeyInterceptor<State = unknown> = KeyTester &
  // The arguments are those of the call.
  // eslint-disable-next-line typescript/no-explicit-any
  Answering<any[], unknown, State>

/**
 * The arguments that an interceptor receives. A mutation with a body whose path has no params may be called with
 * empty params before its body: these are left out. Where it may have search params, `(...args) => …` tells the two ways of a call
 * apart: `const body = args.length === 2 ? args[1] : args[0]`.
 */
export type InterceptedArgs<E> =
  Exclude<ArgsOf<E>, WithEmptyParams> extends infer Args extends readonly unknown[]
    ? [Args] extends [never]
      ? ArgsOf<E>
      : Args
    : never

type WithEmptyParams = readonly [params: { readonly [name: string]: never }, body: unknown]

/** How an interceptor responds. */
type Answering<Args extends readonly unknown[], Payload, State> = Delayed &
  (
    | {
        /** Returns the payload, which is copied, or throws. */
        readonly response: (this: InterceptorContext<State>, ...args: Args) => Payload | Promise<Payload>
      }
    | {
        /**
         * Returns the `Response`. Any other value is sent as JSON. For endpoints with the step `fetchResponse`, those
         * of REST and GraphQL.
         *
         * @param init - method, headers and body of the request
         */
        readonly fetchResponse: (this: InterceptorContext<State>, url: string, init: RequestInit) => unknown
      }
  )

/** The `this` of an interceptor that is a `function`. */
export interface InterceptorContext<State = unknown> {
  /** The result of `createState`, shared by all interceptors of a Controller. You may change it. */
  readonly state: State
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  readonly key: string
  /** Aborted when the last reader stops waiting for the response. */
  readonly signal: AbortSignal
  /** The Controller that sends the request. */
  readonly controller: Controller
}

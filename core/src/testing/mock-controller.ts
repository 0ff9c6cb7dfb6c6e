import { callsOf } from '../controller/calls.js'
import { Controller } from '../controller/controller.js'
import type { ControllerOptions } from '../controller/controller.js'
import type { ArgsOf, EndpointLike } from '../endpoint/endpoint.js'
import { OpenConnections } from '../live/open-connections.js'
import { copyPlain } from '../util/plain.js'
import type { Fixture, Interceptor, KeyInterceptor } from './fixture.js'
import { checkFixture, isOf, isSameCall, MockNetwork, nameSource } from './mock-network.js'
import type { MockRequest } from './mock-network.js'
import { TestClock } from './test-clock.js'

/** Options of a mock Controller: those of every Controller, and these. */
export interface MockOptions<
  FixtureEndpoints extends readonly unknown[] = readonly EndpointLike[],
  Intercepted extends readonly unknown[] = readonly EndpointLike[],
  State = unknown,
> extends ControllerOptions {
  /** The outcomes of calls. The first match wins, also over interceptors. @default none */
  readonly fixtures?:
    { readonly [Index in keyof FixtureEndpoints]: Fixture<FixtureEndpoints[Index]> } | undefined
  /** Interceptors of the other calls. The first match wins. @default none */
  readonly interceptors?:
    { readonly [Index in keyof Intercepted]: AnInterceptor<Intercepted[Index], State> } | undefined
  /** Creates the state of the interceptors, once per Controller. They read it as `this.state`. @default none */
  readonly createState?: (() => State) | undefined
  /**
   * Calls without a fixture or interceptor: `'reject'` fails with an error that names the call, `'fetch'` sends the
   * request.
   *
   * @default 'reject'
   */
  readonly unanswered?: 'reject' | 'fetch' | undefined
}

/** An interceptor that names an endpoint is that of the endpoint alone, so that an error stands where the mistake is. */
type AnInterceptor<E, State> = [EndpointLike] extends [E]
  ? Interceptor<E, State> | KeyInterceptor<State>
  : Interceptor<E, State>

/**
 * A Controller whose network consists of fixtures and interceptors. Everything else is real. It opens no streams
 * unless `unanswered` is `'fetch'`: use `setResponse` and `set` in place of a server's messages.
 */
export class MockController extends Controller {
  readonly #network: MockNetwork
  /** The clock among the options, if it is a TestClock. @internal */
  readonly testClock: TestClock | undefined

  /** @internal */
  constructor({ fixtures = [], interceptors = [], createState, unanswered, ...options }: MockOptions) {
    const network = new MockNetwork(fixtures, interceptors, {
      isOpen: unanswered === 'fetch',
      createState: createState ?? (() => undefined),
    })
    // The innermost middleware, so that others, such as `retry` and `logger`, work as in the application.
    super({ ...options, middleware: [...(options.middleware ?? []), network.middleware] })
    this.testClock = options.clock instanceof TestClock ? options.clock : undefined
    this.#network = network
    if (unanswered !== 'fetch') callsOf(this).live = new OpenConnections(this, false)
    // Reversed, because the last response wins in the cache, but the first fixture in the list has to.
    for (const fixture of [...fixtures].reverse()) if (fixture.isCached === true) this.#cache(fixture)
  }

  /** The requests so far, in order. It is a live list: later requests are added to it. */
  get requests(): readonly MockRequest[] {
    return this.#network.requests
  }

  /**
   * Returns the requests of an endpoint.
   *
   * @param args - the arguments of one call @default the requests of all calls
   * @example expect(controller.requestsOf(todoResource.create)).toHaveLength(1)
   */
  requestsOf<E extends EndpointLike>(endpoint: E, ...args: ArgsOf<E> | readonly []): readonly MockRequest[]
  requestsOf(endpoint: EndpointLike, ...args: readonly unknown[]): readonly MockRequest[] {
    return this.requests.filter(
      (request) =>
        isOf({ endpoint }, request) && (args.length === 0 || isSameCall({ endpoint, args }, request)),
    )
  }

  /** Empties the list of requests. */
  clearRequests(): void {
    this.#network.requests.length = 0
  }

  /**
   * Adds a fixture, which wins over the existing ones: the outcome of a call from now on.
   *
   * @throws {SelfsameError} `definition-invalid` or `argument-invalid` for an invalid fixture
   */
  addFixture<E extends EndpointLike>(fixture: Fixture<E>): void
  addFixture(fixture: Fixture): void {
    checkFixture(fixture)
    this.#network.fixtures.unshift(fixture)
    if (fixture.isCached === true) this.#cache(fixture)
  }

  /** The number of responses being created, except those that wait for the clock. @internal */
  get busy(): number {
    return this.#network.busy
  }

  #cache({ endpoint, args, response, error }: Fixture): void {
    // The fixture was type-checked with its endpoint, so these are the endpoint's arguments.
    if (error !== undefined) this.setError(endpoint, ...(args as never[]), error as never)
    else {
      try {
        this.setResponse(endpoint, ...(args as never[]), copyPlain(response) as never)
      } catch (thrown) {
        nameSource(thrown, 'fixture', { endpoint, args })
        throw thrown
      }
    }
  }
}

/**
 * Creates a real Controller without a server: expiry, shared requests, errors and races work as in the application. A
 * call without a fixture or interceptor fails with an error that names it.
 *
 * @throws {SelfsameError} `definition-invalid` or `argument-invalid` for an invalid fixture or interceptor;
 *   `payload-unusable` and similar errors for a cached fixture that does not match its schema
 * @see specification 4.5, Testing
 * @example
 * const controller = createMockController({
 *   fixtures: [{ endpoint: todoResource.get, args: [{ id: 5 }], response: { id: 5, title: 'Write tests' } }],
 * })
 * await controller.fetch(todoResource.get, { id: 5 })
 * controller.requests.length // 1
 */
export function createMockController<
  const FixtureEndpoints extends readonly unknown[] = readonly [],
  const Intercepted extends readonly unknown[] = readonly [],
  State = undefined,
>(options: MockOptions<FixtureEndpoints, Intercepted, State> = {}): MockController {
  // From here on the types of single fixtures do not matter.
  return new MockController(options as MockOptions)
}

/**
 * Type-checks fixtures and interceptors that several tests share, as `createMockController` does.
 *
 * @returns its argument
 * @example
 * const mocks = defineMocks({ fixtures: [{ endpoint: todoResource.getList, args: [], response: [{ id: 5 }] }] })
 * const controller = createMockController({ ...mocks, clock: new TestClock() })
 */
export function defineMocks<
  const FixtureEndpoints extends readonly unknown[] = readonly [],
  const Intercepted extends readonly unknown[] = readonly [],
  State = undefined,
>(options: MockOptions<FixtureEndpoints, Intercepted, State>): MockOptions {
  return options as MockOptions
}

import { callsOf } from '../controller/calls-of.js'
import { Controller } from '../controller/controller.js'
import type { ControllerOptions } from '../controller/controller.js'
import type { ArgsOf, EndpointLike } from '../endpoint/endpoint.js'
import { OpenConnections } from '../live/open-connections.js'
import { copyPlain } from '../util/plain.js'
import type { Fixture, Interceptor, KeyInterceptor } from './fixture.js'
import { checkFixture, isOf, isSameCall, MockNetwork } from './mock-network.js'
import type { MockRequest } from './mock-network.js'
import { TestClock } from './test-clock.js'

/** What a mock Controller is told besides what every Controller may be. */
export interface MockOptions<
  FixtureEndpoints extends readonly unknown[] = readonly EndpointLike[],
  Intercepted extends readonly unknown[] = readonly EndpointLike[],
  State = unknown,
> extends ControllerOptions {
  /** What calls are answered with. The first that fits counts, and comes before interceptors. @default none */
  readonly fixtures?:
    { readonly [Index in keyof FixtureEndpoints]: Fixture<FixtureEndpoints[Index]> } | undefined
  /** Who answers the other calls. The first that fits counts. @default none */
  readonly interceptors?:
    | {
        readonly [Index in keyof Intercepted]: Interceptor<Intercepted[Index], State> | KeyInterceptor<State>
      }
    | undefined
  /** Makes what the interceptors of one Controller keep between calls. They find it as `this.state`. @default nothing */
  readonly createState?: (() => State) | undefined
  /** What becomes of a call that nothing answers: an error that names it, or a request. @default 'reject' */
  readonly unanswered?: 'reject' | 'fetch' | undefined
}

/**
 * A Controller whose network is made of fixtures and interceptors. Everything else of it is real. No stream is opened,
 * unless calls go to the network: `setResponse` and `set` bring what a server would have sent.
 */
export class MockController extends Controller {
  readonly #network: MockNetwork
  /** The clock that it was given, if a test advances it. @internal */
  readonly testClock: TestClock | undefined

  /** @internal */
  constructor({ fixtures = [], interceptors = [], createState, unanswered, ...options }: MockOptions) {
    const network = new MockNetwork(fixtures, interceptors, {
      isOpen: unanswered === 'fetch',
      createState: createState ?? (() => undefined),
    })
    // The innermost: what retries or logs does so here as well.
    super({ ...options, middleware: [...(options.middleware ?? []), network.middleware] })
    this.testClock = options.clock instanceof TestClock ? options.clock : undefined
    this.#network = network
    if (unanswered !== 'fetch') callsOf(this).live = new OpenConnections(this, false)
    // In the order of a network, where what comes last wins.
    for (const fixture of [...fixtures].reverse()) if (fixture.isCached === true) this.#cache(fixture)
  }

  /** The requests made until now, in their order. The same list, to which more are added. */
  get requests(): readonly MockRequest[] {
    return this.#network.requests
  }

  /**
   * The requests made for an endpoint.
   *
   * @param args - those of one call @default any
   * @example expect(controller.requestsOf(todoResource.create)).toHaveLength(1)
   */
  requestsOf<E extends EndpointLike>(endpoint: E, ...args: ArgsOf<E> | readonly []): readonly MockRequest[]
  requestsOf(endpoint: EndpointLike, ...args: readonly unknown[]): readonly MockRequest[] {
    return this.requests.filter(
      (request) =>
        isOf({ endpoint }, request) && (args.length === 0 || isSameCall({ endpoint, args }, request)),
    )
  }

  /** Forgets the requests made until now. */
  clearRequests(): void {
    this.#network.requests.length = 0
  }

  /**
   * Adds a fixture, which counts before those that are there: the response to a call from now on.
   *
   * @throws {SelfsameError} `definition-invalid` or `argument-invalid` for one that cannot answer
   */
  addFixture<E extends EndpointLike>(fixture: Fixture<E>): void
  addFixture(fixture: Fixture): void {
    checkFixture(fixture)
    this.#network.fixtures.unshift(fixture)
    if (fixture.isCached === true) this.#cache(fixture)
  }

  /** How many answers are being made, those left out that wait for the clock. @internal */
  get busy(): number {
    return this.#network.busy
  }

  #cache({ endpoint, args, response, error }: Fixture): void {
    // The arguments are those of the endpoint: the fixture was checked with it.
    if (error !== undefined) this.setError(endpoint, ...(args as never[]), error as never)
    else this.setResponse(endpoint, ...(args as never[]), copyPlain(response) as never)
  }
}

/**
 * Makes a real Controller that no server answers: expiry, sharing of requests, errors and races are those of every
 * Controller. A call that neither a fixture nor an interceptor answers is rejected by an error that names it.
 *
 * @throws {SelfsameError} `definition-invalid` or `argument-invalid` for a fixture or interceptor that cannot answer;
 *   `payload-unusable` and its kin for one in the cache that does not fit its schema
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
  // The types of the single fixtures are of no concern from here on.
  return new MockController(options as MockOptions)
}

/**
 * Checks fixtures and interceptors that several tests use, as `createMockController` does with those it is given.
 *
 * @returns what it was given
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

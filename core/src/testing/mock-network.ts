import { callEndpoint, nameOf } from '../controller/requests.js'
import type { Controller } from '../controller/controller.js'
import type { Middleware } from '../controller/controller.js'
import type { RequestCall } from '../controller/middleware.js'
import type { EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { copyPlain, isPlainObject, isSamePlain } from '../util/plain.js'
import { wait } from '../util/wait.js'
import type { Fixture, Interceptor, InterceptorContext, KeyInterceptor } from './fixture.js'
import { nextTask } from './next-task.js'

/** A request of a mock Controller. */
export interface MockRequest {
  readonly kind: 'read' | 'mutation'
  readonly endpoint: EndpointLike
  /** The arguments at the time of the request, copied. */
  readonly args: readonly unknown[]
  readonly key: string
  /** The origin of the response. `nothing`: the request was rejected, because there is no response for it. */
  readonly answeredBy: 'fixture' | 'interceptor' | 'network' | 'nothing'
}

type AnyInterceptor = Interceptor | KeyInterceptor

/** The response to a call. */
interface MockAnswer {
  readonly answeredBy: MockRequest['answeredBy']
  readonly delayMs?: number | undefined
  readonly give: () => unknown
}

/** Replaces the network: responds with fixtures and interceptors, and logs the requests. */
export class MockNetwork {
  /** The first match wins. */
  readonly fixtures: Fixture[]
  readonly interceptors: readonly AnyInterceptor[]
  readonly requests: MockRequest[] = []
  /** The number of responses being created, except those that wait for the clock. */
  busy = 0
  /** What responded to a request, by its id, until the response is stored. */
  readonly #sources = new Map<number, string>()
  readonly #isOpen: boolean
  readonly #createState: () => unknown

  /**
   * @param isOpen - if true, a call without a response goes to the network
   * @throws {SelfsameError} `definition-invalid` for an invalid fixture or interceptor
   */
  constructor(
    fixtures: readonly Fixture[],
    interceptors: readonly AnyInterceptor[],
    options: { readonly isOpen: boolean; readonly createState: () => unknown },
  ) {
    fixtures.forEach(checkFixture)
    interceptors.forEach(checkInterceptor)
    this.fixtures = [...fixtures]
    this.interceptors = [...interceptors]
    this.#isOpen = options.isOpen
    this.#createState = options.createState
  }

  readonly middleware: Middleware = (controller) => {
    const state = this.#createState()
    return {
      before: (action) => {
        if (action.type !== 'error') return
        const source = this.#sources.get(action.id)
        if (source !== undefined) nameSource(action.error, source, action)
        this.#sources.delete(action.id)
      },
      after: ({ type, ...action }) => {
        if (type === 'response' && 'id' in action) this.#sources.delete(action.id)
      },
      request: (call, next) => this.#answer(call, next, { controller, state }),
    }
  }

  async #answer(
    call: RequestCall,
    next: () => Promise<unknown>,
    owner: { readonly controller: Controller; readonly state: unknown },
  ): Promise<unknown> {
    const { kind, endpoint, key, signal } = call
    const { answeredBy, delayMs = 0, give } = this.#find(call, next, owner)
    // A copy, so that the log shows the arguments as they were sent.
    const args = copyPlain(call.args) as readonly unknown[]
    this.requests.push({ kind, endpoint, args, key, answeredBy })
    if (answeredBy === 'network') return give()
    if (delayMs > 0) await wait(delayMs, owner.controller.clock, signal)
    this.busy++
    try {
      // Like a network, never responds in the task of the request.
      await nextTask()
      signal.throwIfAborted()
      const payload = await give()
      this.#sources.set(call.id, answeredBy)
      return payload
    } finally {
      this.busy--
    }
  }

  #find(
    call: RequestCall,
    next: () => Promise<unknown>,
    owner: { readonly controller: Controller; readonly state: unknown },
  ): MockAnswer {
    const fixture = this.fixtures.find((each) => isSameCall(each, call))
    if (fixture !== undefined) {
      const { delayMs } = fixture
      return { answeredBy: 'fixture', delayMs, give: () => outcomeOf(fixture) }
    }
    const interceptor = this.interceptors.find((each) => isOf(each, call))
    if (interceptor !== undefined) {
      const { delayMs } = interceptor
      return {
        answeredBy: 'interceptor',
        delayMs,
        give: () => intercept(interceptor, call, { ...call, ...owner }),
      }
    }
    if (this.#isOpen) return { answeredBy: 'network', give: next }
    const known = this.fixtures.filter(({ endpoint }) => isOf({ endpoint }, call))
    const error = errors.requestUnanswered(
      nameOf(call.endpoint),
      call.key,
      known.map((each) => argumentsText(each)),
    )
    return {
      answeredBy: 'nothing',
      give: () => {
        throw error
      },
    }
  }
}

/** Adds to the error of a response that does not fit its schema that a fixture or an interceptor is its source. */
export function nameSource(
  error: unknown,
  source: string,
  { endpoint, args }: Pick<Fixture, 'endpoint' | 'args'>,
): void {
  if (!(error instanceof errors.SelfsameError) || !/^(payload|pk|record)-/.test(error.code)) return
  error.message += `\n  The response is that of the ${source} of ${endpoint.name}(${argumentsText({ args })}).`
}

/** The outcome of a fixture, for `setResponse` or the caller. @throws its error */
function outcomeOf({ response, error }: Fixture): unknown {
  if (error !== undefined) throw error
  return copyPlain(response)
}

async function intercept(
  interceptor: AnyInterceptor,
  { endpoint, args, signal }: RequestCall,
  context: InterceptorContext,
): Promise<unknown> {
  // A copy, because an interceptor may keep the object and change it later.
  if ('response' in interceptor)
    return copyPlain(await interceptor.response.apply(context, withoutEmptyParams(args)))
  const { fetchResponse } = interceptor
  const answering = (endpoint as unknown as DerivableMock).extend({
    fetchResponse: async (url: string, init: RequestInit) =>
      mockResponse(await fetchResponse.call(context, url, init)),
  })
  return callEndpoint(answering, args, { signal })
}

/** Removes empty params before the body of a call whose path has no params. */
function withoutEmptyParams(args: readonly unknown[]): unknown[] {
  const [params, ...rest] = args
  const isEmpty = isPlainObject(params) && Object.keys(params).length === 0
  return isEmpty && rest[0] !== undefined ? rest : [...args]
}

/** An endpoint with replaceable steps: REST and GraphQL. */
interface DerivableMock {
  extend(options: {
    readonly fetchResponse: (url: string, init: RequestInit) => Promise<Response>
  }): EndpointLike
}

function mockResponse(value: unknown): Response {
  if (value instanceof Response) return value
  return value === undefined ? new Response(null, { status: 204 }) : Response.json(value)
}

/**
 * True if two calls are the same. For mutations this compares the arguments too, which their keys may not contain.
 */
export function isSameCall(
  { endpoint, args }: { readonly endpoint: EndpointLike; readonly args: readonly unknown[] },
  call: Pick<RequestCall, 'endpoint' | 'args' | 'key'>,
): boolean {
  if ((endpoint.sideEffect === true) !== (call.endpoint.sideEffect === true)) return false
  if (endpoint.sideEffect !== true) return endpoint.key(...args) === call.key
  return isOf({ endpoint }, call) && isSamePlain(withoutEnd(args), withoutEnd(call.args))
}

/** True if a call belongs to an endpoint, or if its key passes `testKey`. */
export function isOf(
  target: { readonly endpoint: EndpointLike } | KeyTester,
  { endpoint, key }: Pick<RequestCall, 'endpoint' | 'key'>,
): boolean {
  if (!('endpoint' in target)) return target.testKey(key)
  if (target.endpoint === endpoint) return true
  if ((target.endpoint.sideEffect === true) !== (endpoint.sideEffect === true)) return false
  return target.endpoint.testKey?.(key) ?? target.endpoint.name === endpoint.name
}

function withoutEnd(args: readonly unknown[]): readonly unknown[] {
  let { length } = args
  while (length > 0 && args[length - 1] === undefined) length--
  return args.slice(0, length)
}

/** The arguments of a fixture, for error messages. */
function argumentsText({ args }: Pick<Fixture, 'args'>): string {
  const text = args.map((argument: unknown) => JSON.stringify(argument)).join(', ')
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** @throws {SelfsameError} for an invalid fixture */
export function checkFixture({ endpoint, args, isCached }: Fixture): void {
  if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('A fixture', endpoint)
  if (!Array.isArray(args)) {
    throw errors.definitionInvalid(`A fixture of ${endpoint.name}`, [
      'has no list of arguments.',
      'Write `args: [{ id: 5 }]`, or `args: []` for a call without arguments.',
    ])
  }
  if (isCached !== true || endpoint.sideEffect !== true) return
  throw errors.definitionInvalid(`A fixture of ${endpoint.name}`, [
    'has `isCached`, but the cache holds no responses of mutations.',
    'Remove `isCached`, or set it on a fixture of the endpoint that reads.',
  ])
}

function checkInterceptor(interceptor: AnyInterceptor): void {
  const endpoint = 'endpoint' in interceptor ? interceptor.endpoint : undefined
  if (endpoint === undefined && typeof interceptor.testKey === 'function') return
  if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('An interceptor', endpoint)
  if ('response' in interceptor || 'fetchResponse' in endpoint) return
  throw errors.definitionInvalid('An interceptor', [
    `has a fetchResponse() for ${endpoint.name}, which has no fetchResponse().`,
    'Use response(), which replaces the fetch function of the endpoint.',
  ])
}

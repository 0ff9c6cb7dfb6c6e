import { callEndpoint, nameOf } from '../controller/call.js'
import type { Controller } from '../controller/controller.js'
import type { Middleware } from '../controller/controller.js'
import type { RequestCall } from '../controller/middleware.js'
import type { EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { copyPlain, isPlainObject, isSamePlain } from '../util/plain.js'
import { wait } from '../util/wait.js'
import type { Fixture, Interceptor, InterceptorContext, KeyInterceptor } from './fixture.js'
import { nextTask } from './next-task.js'

/** A request that a mock Controller made. */
export interface MockRequest {
  readonly kind: 'read' | 'mutation'
  readonly endpoint: EndpointLike
  /** As they were when the request was made. */
  readonly args: readonly unknown[]
  readonly key: string
  /** What answers it. `nothing`: it is rejected, because there is no response for it. */
  readonly answeredBy: 'fixture' | 'interceptor' | 'network' | 'nothing'
}

type AnyInterceptor = Interceptor | KeyInterceptor

/** What a call is answered with. */
interface Answer {
  readonly answeredBy: MockRequest['answeredBy']
  readonly delayMs?: number | undefined
  readonly give: () => unknown
}

/** Stands in the network's place: answers with fixtures and by interceptors, and keeps a log. */
export class MockNetwork {
  /** The first that fits counts. */
  readonly fixtures: Fixture[]
  readonly interceptors: readonly AnyInterceptor[]
  readonly requests: MockRequest[] = []
  /** How many answers are being made. One that waits for the clock is none. */
  busy = 0
  readonly #isOpen: boolean
  readonly #createState: () => unknown

  /**
   * @param isOpen - whether a call without a response goes to the network
   * @throws {SelfsameError} `definition-invalid` for what cannot answer
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
    // A log that shows what was sent, not what became of it.
    const args = copyPlain(call.args) as readonly unknown[]
    this.requests.push({ kind, endpoint, args, key, answeredBy })
    if (answeredBy === 'network') return give()
    if (delayMs > 0) await wait(delayMs, owner.controller.clock, signal)
    this.busy++
    try {
      // As from a network: never in the task in which it was asked for.
      await nextTask()
      signal.throwIfAborted()
      return await give()
    } finally {
      this.busy--
    }
  }

  #find(
    call: RequestCall,
    next: () => Promise<unknown>,
    owner: { readonly controller: Controller; readonly state: unknown },
  ): Answer {
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
      known.map((each) => textOf(each)),
    )
    return {
      answeredBy: 'nothing',
      give: () => {
        throw error
      },
    }
  }
}

/** What a fixture says, for a Controller's `setResponse` or its reader. @throws its error */
function outcomeOf({ response, error }: Fixture): unknown {
  if (error !== undefined) throw error
  return copyPlain(response)
}

async function intercept(
  interceptor: AnyInterceptor,
  { endpoint, args, signal }: RequestCall,
  context: InterceptorContext,
): Promise<unknown> {
  const { response, fetchResponse } = interceptor
  // An interceptor may keep what it gives, and change it later.
  if (response !== undefined) return copyPlain(await response.apply(context, withoutEmptyParams(args)))
  const answering = (endpoint as unknown as Derivable).extend({
    fetchResponse: async (url: string, init: RequestInit) =>
      toResponse(await fetchResponse.call(context, url, init)),
  })
  return callEndpoint(answering, args, { signal })
}

/** Without the empty params that may stand before the body of a call whose path has none. */
function withoutEmptyParams(args: readonly unknown[]): unknown[] {
  const [params, ...rest] = args
  const isEmpty = isPlainObject(params) && Object.keys(params).length === 0
  return isEmpty && rest[0] !== undefined ? rest : [...args]
}

/** An endpoint whose steps can be replaced: of REST and GraphQL. */
interface Derivable {
  extend(options: {
    readonly fetchResponse: (url: string, init: RequestInit) => Promise<Response>
  }): EndpointLike
}

function toResponse(value: unknown): Response {
  if (value instanceof Response) return value
  return value === undefined ? new Response(null, { status: 204 }) : Response.json(value)
}

/** Whether two calls are the same: those of mutations by what they send as well, which their keys do not tell. */
export function isSameCall(
  { endpoint, args }: { readonly endpoint: EndpointLike; readonly args: readonly unknown[] },
  call: Pick<RequestCall, 'endpoint' | 'args' | 'key'>,
): boolean {
  if ((endpoint.sideEffect === true) !== (call.endpoint.sideEffect === true)) return false
  if (endpoint.sideEffect !== true) return endpoint.key(...args) === call.key
  return isOf({ endpoint }, call) && isSamePlain(withoutEnd(args), withoutEnd(call.args))
}

/** Whether a call is one of an endpoint, or one that a `testKey` knows. */
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

/** A fixture's arguments, as an error message lists them. */
function textOf({ args }: Fixture): string {
  const text = args.map((argument: unknown) => JSON.stringify(argument)).join(', ')
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** @throws {SelfsameError} for a fixture that cannot answer */
export function checkFixture({ endpoint, args, isCached }: Fixture): void {
  if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('A fixture', endpoint)
  if (!Array.isArray(args)) {
    throw errors.definitionInvalid(`A fixture of ${endpoint.name}`, [
      'has no list of arguments.',
      'Write `args: [{ id: 5 }]`, and `args: []` for a call without any.',
    ])
  }
  if (isCached !== true || endpoint.sideEffect !== true) return
  throw errors.definitionInvalid(`A fixture of ${endpoint.name}`, [
    'is to be in the cache, where no answers to mutations are.',
    'Leave `isCached` out, or put a fixture of the call that reads into the cache.',
  ])
}

function checkInterceptor(interceptor: AnyInterceptor): void {
  const endpoint = 'endpoint' in interceptor ? interceptor.endpoint : undefined
  if (endpoint === undefined && typeof interceptor.testKey === 'function') return
  if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint('An interceptor', endpoint)
  if (interceptor.fetchResponse === undefined || 'fetchResponse' in endpoint) return
  throw errors.definitionInvalid('An interceptor', [
    `has a fetchResponse() for ${endpoint.name}, which has no such step.`,
    'Give it a response(), which stands in the place of the function of the endpoint.',
  ])
}

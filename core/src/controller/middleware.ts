import type { CacheableEndpoint, EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import { toError } from '../errors.js'
import type { Schema } from '../schema/schema.js'
import { report } from '../util/report.js'

/** The hooks of a middleware. All are optional. */
export interface MiddlewareHooks {
  /** Called before an action changes anything. An error in it is reported and stops nothing. */
  readonly before?: ((action: Action) => void) | undefined
  /**
   * Called after an action, when readers were notified. An error in it is reported and stops nothing.
   *
   * @param error - the error of an action that failed and changed nothing; else `undefined`
   */
  readonly after?: ((action: Action, error: Error | undefined) => void) | undefined
  /**
   * Handles a request: passes it on, or responds itself. The first middleware of a Controller is the outermost.
   *
   * @param next - sends the request; may be called later, several times or not at all. Rejects when `call.signal` is
   *   aborted
   * @returns the payload, in the form that `next` resolves with
   */
  readonly request?: ((call: RequestCall, next: () => Promise<unknown>) => Promise<unknown>) | undefined
  /**
   * `true` promises that `request` returns the payload of `next` itself, and that this middleware neither keeps nor changes
   * payloads. The store then keeps the object itself instead of a copy. @default false
   */
  readonly passesOn?: boolean | undefined
  /**
   * Called when the first reader is mounted or connected, or when its error is shown by a mounted boundary. Add event
   * listeners and start timers here: an unused Controller, or one on a server, then has none.
   *
   * An error in it is reported and stops nothing.
   *
   * @returns a cleanup function, called when the last reader is unmounted, and by `dispose`
   */
  readonly activate?: (() => () => void) | undefined
}

/** A request that is about to be sent. */
export interface RequestCall {
  readonly kind: 'read' | 'mutation'
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  /** The key of the call. */
  readonly key: string
  /** The id of this request, unique in its Controller. Its actions have the same. */
  readonly id: number
  /**
   * Aborted when no reader waits for the response any more, by a reset, and by `dispose`. It does not abort a mutation that
   * was sent; a mutation that was not sent yet stays unsent.
   */
  readonly signal: AbortSignal
  /**
   * Headers that are added to the request, and replace those of the endpoint: set members before `next()`. A fetch function
   * of an `Endpoint` has them as `this.headers`.
   */
  readonly headers: Record<string, string>
}

/** The call of an action. */
interface CallAction {
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  readonly key: string
}

/** The request of an action. */
interface RequestAction extends CallAction {
  readonly kind: 'read' | 'mutation'
  /** The id of the request, equal in its actions: `fetch`, then `response` or `error`. */
  readonly id: number
}

/** An operation on a Controller, as middleware sees it. */
export type Action =
  | ({ readonly type: 'fetch' } & RequestAction)
  | ({ readonly type: 'response'; readonly response: unknown } & RequestAction)
  | ({ readonly type: 'error'; readonly error: Error } & RequestAction)
  | ({ readonly type: 'setResponse'; readonly response: unknown } & CallAction)
  | ({ readonly type: 'setError'; readonly error: Error } & Pick<CallAction, 'args' | 'key'> & {
        readonly endpoint: CacheableEndpoint
      })
  | {
      readonly type: 'invalidate'
      readonly endpoint: CacheableEndpoint
      readonly args: readonly unknown[]
      readonly key: string
    }
  | { readonly type: 'invalidateAll' | 'expireAll'; readonly endpoint: KeyTester }
  | {
      readonly type: 'set'
      readonly schema: Schema
      readonly args: readonly unknown[]
      readonly value: unknown
    }
  | ({ readonly type: 'connect' | 'disconnect' } & CallAction)
  | { readonly type: 'hydrate'; readonly state: unknown }
  | { readonly type: 'resetAll' | 'dispose' }

/** The middleware of one Controller. */
export class Pipeline {
  /** Those of a listener to changes may join and leave. */
  declare readonly hooks: MiddlewareHooks[]
  readonly #ends: (() => void)[] = []
  /** `true` if no middleware keeps or changes payloads. */
  declare readonly isTransparent: boolean

  constructor(hooks: readonly MiddlewareHooks[]) {
    this.hooks = [...hooks]
    this.isTransparent = hooks.every(
      ({ before, after, request, passesOn }) =>
        passesOn === true || (before === undefined && after === undefined && request === undefined),
    )
  }

  /** Runs an operation, with the `before` and `after` hooks around it. @throws what `run` throws */
  perform<Value>(describe: () => Action, run: () => Value): Value {
    if (this.hooks.length === 0) return run()
    const action = describe()
    for (const { before } of this.hooks) report(() => before?.(action))
    let refusal: Error | undefined
    try {
      return run()
    } catch (error) {
      refusal = toError(error, action.type)
      throw error
    } finally {
      for (const { after } of this.hooks) report(() => after?.(action, refusal))
    }
  }

  /** Sends a request through the `request` hooks. */
  request(describe: () => RequestCall, send: () => Promise<unknown>): Promise<unknown> {
    if (this.hooks.length === 0) return send()
    const call = describe()
    const pass = async (position: number): Promise<unknown> => {
      call.signal.throwIfAborted()
      const hooks = this.hooks[position]
      if (hooks === undefined) return send()
      if (hooks.request === undefined) return pass(position + 1)
      return hooks.request(call, () => pass(position + 1))
    }
    return pass(0)
  }

  /** Deactivates the middleware after the last reader, and activates it with the first. */
  setActive(isActive: boolean): void {
    for (const end of this.#ends.splice(0)) report(end)
    if (!isActive) return
    for (const { activate } of this.hooks) {
      report(() => {
        const end = activate?.()
        if (end !== undefined) this.#ends.push(end)
      })
    }
  }
}

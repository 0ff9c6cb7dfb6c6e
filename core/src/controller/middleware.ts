import type { CacheableEndpoint, EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import { toError } from '../errors.js'
import type { Schema } from '../schema/schema.js'

/** What a middleware listens to. All of it is optional. */
export interface MiddlewareHooks {
  /** Called before an action changes anything. What it throws is reported and stops nothing. */
  readonly before?: ((action: Action) => void) | undefined
  /**
   * Called when an action has changed what it changes, and readers were told. What it throws is reported and stops
   * nothing.
   *
   * @param error - why the action was refused and changed nothing; `undefined` when it was not
   */
  readonly after?: ((action: Action, error: Error | undefined) => void) | undefined
  /**
   * Makes a request, or answers in its place. The first middleware of a Controller is the outermost.
   *
   * @param next - makes the request; may be called later, several times or not at all. Rejects when `call.signal` is
   *   aborted
   * @returns the payload, as `next` gives it
   */
  readonly request?: ((call: RequestCall, next: () => Promise<unknown>) => Promise<unknown>) | undefined
  /**
   * Says that `request` returns the very payload of `next`, and that nothing of a payload is kept or changed here, so
   * that the store may keep the object itself instead of a copy. @default false
   */
  readonly passesOn?: boolean | undefined
  /**
   * Called when the first reader comes on screen, is connected, or failed into a boundary that is on screen. Listeners
   * of the page and timers begin here, so that a Controller which nobody uses holds none, and one on a server never does.
   *
   * What it throws is reported and stops nothing.
   *
   * @returns what ends it: called when the last reader left, and by `dispose`
   */
  readonly activate?: (() => () => void) | undefined
}

/** A request that is about to be made. */
export interface RequestCall {
  readonly kind: 'read' | 'mutation'
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  /** What names the call. */
  readonly key: string
  /** Tells this request from all others of the Controller; its actions have it too. */
  readonly id: number
  /**
   * Is aborted when the answer is not wanted any more: a read that nobody waits for, a reset, the Controller's end. A
   * mutation that was sent is not aborted by it; one that was not sent yet stays unsent.
   */
  readonly signal: AbortSignal
}

/** One call, as actions name it. */
interface CallAction {
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  readonly key: string
}

/** One request, as actions name it. */
interface RequestAction extends CallAction {
  readonly kind: 'read' | 'mutation'
  /** The same in all actions of one request: its `fetch`, then its `response` or `error`. */
  readonly id: number
}

/** Something that is done to a Controller. */
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
  readonly #hooks: readonly MiddlewareHooks[]
  readonly #ends: (() => void)[] = []
  #isActive = false
  /** Whether the payload of a request is seen by nobody but the store. */
  readonly isTransparent: boolean

  constructor(hooks: readonly MiddlewareHooks[]) {
    this.#hooks = hooks
    this.isTransparent = hooks.every(
      ({ before, after, request, passesOn }) =>
        passesOn === true || (before === undefined && after === undefined && request === undefined),
    )
  }

  /** Whether there is no middleware: requests are then sent at once, and not described. */
  get isEmpty(): boolean {
    return this.#hooks.length === 0
  }

  /** Does something, and lets those who listen see it before and after. @throws what `run` throws */
  perform<Value>(describe: () => Action, run: () => Value): Value {
    if (this.#hooks.length === 0) return run()
    const action = describe()
    for (const { before } of this.#hooks) report(() => before?.(action))
    let refusal: Error | undefined
    try {
      return run()
    } catch (error) {
      refusal = toError(error, action.type)
      throw error
    } finally {
      for (const { after } of this.#hooks) report(() => after?.(action, refusal))
    }
  }

  /** Makes a request through all who stand between the Controller and the network. */
  request(describe: () => RequestCall, send: () => Promise<unknown>): Promise<unknown> {
    if (this.#hooks.length === 0) return send()
    const call = describe()
    const pass = async (position: number): Promise<unknown> => {
      call.signal.throwIfAborted()
      const hooks = this.#hooks[position]
      if (hooks === undefined) return send()
      if (hooks.request === undefined) return pass(position + 1)
      return hooks.request(call, () => pass(position + 1))
    }
    return pass(0)
  }

  /** Somebody is on screen, or nobody is any more. */
  setActive(isActive: boolean): void {
    if (this.#isActive === isActive) return
    this.#isActive = isActive
    for (const end of this.#ends.splice(0)) report(end)
    if (!isActive) return
    for (const { activate } of this.#hooks) {
      report(() => {
        const end = activate?.()
        if (end !== undefined) this.#ends.push(end)
      })
    }
  }
}

/** Runs what others wrote: its failure is told to the page and keeps nobody else from going on. */
function report(run: () => void): void {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

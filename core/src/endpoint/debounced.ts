import * as errors from '../errors.js'
import { systemClock } from '../util/clock.js'
import type { Clock } from '../util/clock.js'
import { wait } from '../util/wait.js'
import { setMembers } from './endpoint.js'
import type { CallContext, ReadEndpoint } from './endpoint.js'

/** What `debounced` may be told. */
export interface DebounceOptions {
  /** How long a request waits before it is sent: milliseconds. */
  readonly delayMs: number
  /** Timers; that of the Controller, where it has one of its own. @default the platform's */
  readonly clock?: Clock | undefined
}

/** An endpoint that can be derived from, as all endpoints of this library can. */
export type Derivable = ReadEndpoint & { extend(options: object): unknown }

/**
 * Makes an endpoint whose requests wait a moment before they are sent. A call that nobody waits for by then is not
 * sent at all: of the arguments of a reader that change with each key that is pressed, only the last are asked for.
 *
 * What somebody waits for is sent, so a promise of `controller.fetch` is always answered; and readers of different
 * arguments do not get in each other's way.
 *
 * @param endpoint - an endpoint that reads; it stays as it is. Derive from it first: what `extend` makes of the
 *   debounced one does not wait
 * @returns an endpoint of the same type and the same keys, so that both read the same data
 * @throws {SelfsameError} `definition-invalid` for a delay that is negative or not a number
 * @see specification 3, Abort
 * @example
 * const search = debounced(articleResource.getList, { delayMs: 300 })
 * const found = useSuspense(search, { text })
 */
export function debounced<E extends Derivable>(endpoint: E, { delayMs, clock }: DebounceOptions): E {
  if (!(delayMs >= 0)) throw errors.expiryLengthInvalid(endpoint.name, 'delayMs', delayMs)
  // Without options it makes an endpoint of the same class and options.
  const slow = endpoint.extend({}) as E
  const callWith = async (context: CallContext, args: readonly unknown[]): Promise<unknown> => {
    await wait(delayMs, clock ?? systemClock, context.signal)
    return endpoint.callWith?.(context, args) ?? endpoint(...args)
  }
  setMembers(slow, {
    callWith,
    fetch: (...args: readonly unknown[]) => callWith({}, args),
    // One that does not wait must not be made to.
    sharesRequestWith: (other: unknown) => other === slow,
  })
  return slow
}

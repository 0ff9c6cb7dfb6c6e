import * as errors from '../errors.js'
import { systemClock } from '../util/clock.js'
import type { Clock } from '../util/clock.js'
import { wait } from '../util/wait.js'
import { setMembers } from './endpoint.js'
import type { CallContext, ReadEndpoint } from './endpoint.js'

/** Options of `debounced`. */
export interface DebounceOptions {
  /** The delay of a request, in milliseconds from 0. */
  readonly delayMs: number
  /** The clock of the delay. Pass the Controller's clock if you set one. @default the platform's timers */
  readonly clock?: Clock | undefined
}

/** An endpoint with `extend`. */
export type Derivable = ReadEndpoint & { extend(options: object): unknown }

/**
 * Makes an endpoint that waits before it sends a request. A call that has lost its readers by then is not sent. So a
 * search field whose arguments change with each key sends one request, for the last arguments.
 *
 * A promise of `controller.fetch` counts as a reader: it always settles. Readers of other arguments do not delay each
 * other.
 *
 * @param endpoint - an endpoint that reads. It does not change. Call `extend` on it first: an endpoint that `extend` makes
 *   from the debounced one has no delay
 * @returns an endpoint of the same type with the same keys, so that both read the same data
 * @throws {SelfsameError} `definition-invalid` for a delay that is negative or not a number
 * @see specification 3, Abort
 * @example
 * const search = debounced(articleResource.getList, { delayMs: 300 })
 * const found = useSuspense(search, { text })
 */
export function debounced<E extends Derivable>(endpoint: E, { delayMs, clock }: DebounceOptions): E {
  if (!(delayMs >= 0)) throw errors.expiryLengthInvalid(endpoint.name, 'delayMs', delayMs)
  // Makes a copy.
  const slow = endpoint.extend({}) as E
  const callWith = async (context: CallContext, args: readonly unknown[]): Promise<unknown> => {
    await wait(delayMs, clock ?? systemClock, context.signal)
    return endpoint.callWith?.(context, args) ?? endpoint(...args)
  }
  setMembers(slow, {
    callWith,
    fetch: (...args: readonly unknown[]) => callWith({}, args),
    // A request without a delay must not wait for this one.
    sharesRequestWith: (other: unknown) => other === slow,
  })
  return slow
}

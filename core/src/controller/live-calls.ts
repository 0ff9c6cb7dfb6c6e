import type { EndpointLike } from '../endpoint/endpoint.js'
import type { Call } from '../store/call.js'

/**
 * The calls that somebody is connected to, as far as a Controller needs them. Made by `connect`: an application that
 * does not call it ships none.
 */
export interface LiveCalls {
  /** @returns a function that ends it */
  connect(call: Call, endpoint: () => EndpointLike, args: readonly unknown[]): () => void
  /** Closes all streams at once, and opens those anew to which somebody is still connected in the next macrotask. */
  reopen(): void
  /** Ends all of them. */
  end(): void
}

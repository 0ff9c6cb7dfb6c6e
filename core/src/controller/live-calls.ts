import type { EndpointLike, StreamSink } from '../endpoint/endpoint.js'
import type { Call } from '../store/call.js'

/**
 * The connected calls of a Controller. Created by `connect`, so that an application which does not call it does not
 * bundle the code.
 */
export interface LiveCalls {
  /** @returns a function that ends the connection */
  connect(call: Call, endpoint: () => EndpointLike, args: readonly unknown[]): () => void
  /** Closes all streams immediately, and in the next macrotask reopens those that are still connected. */
  reopen(): void
  /** Ends all connections. */
  end(): void
}

/** A connection of a call, for warnings. */
export interface OpenConnection {
  readonly call: Call
  /** `false` for polling. */
  readonly hasStream: boolean
}

/** Opens the stream of a call. @returns a function that closes it */
export type OpenStream = (
  endpoint: EndpointLike,
  sink: StreamSink,
  args: readonly unknown[],
  key: string,
) => (() => void) | undefined

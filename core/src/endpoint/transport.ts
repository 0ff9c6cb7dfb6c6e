import { anySignal } from '../util/any-signal.js'

/** A function that sends a request, with the signature of `fetch`. */
export type Transport = typeof globalThis.fetch

/** The init of `fetchResponse`. Pass it on, or spread it, to keep all of its members. */
export interface TransportInit extends RequestInit {
  /** Sends the request: the option `fetch` of the Controller. @default the global `fetch` */
  readonly transport?: Transport | undefined
}

/** Adds the signals and the transport of a call to the init of its endpoint. */
export function withCall(
  own: RequestInit,
  endpointSignal: AbortSignal | undefined,
  {
    signal,
    transport,
  }: { readonly signal?: AbortSignal | undefined; readonly transport?: Transport | undefined },
): TransportInit {
  const either = anySignal(own.signal, endpointSignal, signal)
  if (either === undefined && transport === undefined) return own
  return { ...own, ...(either && { signal: either }), ...(transport && { transport }) }
}

/** Sends a request by the transport of its init, else by `fetch`. */
export function sendRequest(url: string, init: TransportInit): Promise<Response> {
  // Called without `this`: the `fetch` of a browser refuses another one.
  const { transport = fetch } = init
  return transport(url, init)
}

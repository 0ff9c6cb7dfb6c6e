import { anySignal } from '../util/any-signal.js'

/** Sends a request: `fetch`, or what takes its place. */
export type Transport = typeof globalThis.fetch

/** What `fetchResponse` is given besides the address. Handed on as it is, or spread, it keeps all of it. */
export interface TransportInit extends RequestInit {
  /** What sends the request: the option `fetch` of the Controller. @default the global `fetch` */
  readonly transport?: Transport | undefined
}

/** Adds what a call brings to what its endpoint says. */
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

/** Sends a request by the transport that it was given, else by `fetch`. */
export function sendRequest(url: string, init: TransportInit): Promise<Response> {
  // Called without an object before it: the `fetch` of a browser refuses any but its own.
  const { transport = fetch } = init
  return transport(url, init)
}

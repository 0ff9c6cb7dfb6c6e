import { anySignal } from '../util/any-signal.js'
import type { ProgressListener } from '../util/progress.js'

/** A function that sends a request, with the signature of `fetch`. */
export type Transport = typeof globalThis.fetch

/** The init of `fetchResponse`. Pass it on, or spread it, to keep all of its members. */
export interface TransportInit extends RequestInit {
  /** Sends the request: the option `fetch` of the Controller. @default the global `fetch` */
  readonly transport?: Transport | undefined
}

/** Adds the signal and the transport of a call to the init of its endpoint. A read's signal stands for the endpoint's. */
export function withCall(
  own: RequestInit,
  endpointSignal: AbortSignal | undefined,
  {
    signal,
    transport,
    headers,
  }: {
    readonly signal?: AbortSignal | undefined
    readonly transport?: Transport | undefined
    readonly headers?: Readonly<Record<string, string>> | undefined
  },
): TransportInit {
  const either = anySignal(own.signal, signal ?? endpointSignal)
  for (const name in headers) {
    const all = new Headers(own.headers)
    all.set(name, headers[name] as string)
    own = { ...own, headers: Object.fromEntries(all) }
  }
  if (either === undefined && transport === undefined) return own
  return { ...own, ...(either && { signal: either }), ...(transport && { transport }) }
}

/** Sends a request by the transport of its init, else by `fetch`. */
export function sendRequest(url: string, init: TransportInit): Promise<Response> {
  // Called without `this`: the `fetch` of a browser refuses another one.
  const { transport = fetch } = init
  return transport(url, init)
}

/** The steps of an endpoint that sends its requests over HTTP, as options. */
export interface HttpSteps<Body> {
  readonly getHeaders?:
    ((headers: Readonly<Record<string, string>>) => HeadersInit | Promise<HeadersInit>) | undefined
  readonly getRequestInit?: ((body: Body) => RequestInit | Promise<RequestInit>) | undefined
  readonly fetchResponse?:
    ((url: string, init: TransportInit, onProgress?: ProgressListener) => Promise<Response>) | undefined
  readonly parseResponse?: ((response: Response) => Promise<unknown>) | undefined
  /** Changes the parsed response before it is stored. `args` are the arguments of the call. */
  // The server decides the value; the user declares its type.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly process?: ((value: any, ...args: any) => unknown) | undefined
}

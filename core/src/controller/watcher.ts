import type { EndpointLike } from '../endpoint/endpoint.js'

/** A request in flight, for who lists requests. */
export interface RequestUnderWay {
  readonly endpoint: EndpointLike
  readonly args: readonly unknown[]
  readonly key: string
}

/** Is told of requests: brought by `useFetching` and `useMutations`. */
export interface RequestWatcher {
  /** A request began or ended. */
  changed(): void
  /** A request ended. `error`: `undefined` if it was answered. Not called for one that was given up. */
  settled(request: RequestUnderWay, error: Error | undefined): void
}

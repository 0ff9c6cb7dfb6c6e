/**
 * A request that failed: the server answered with a status that is not 2xx, or could not be reached.
 *
 * @see specification 7, E10, E11
 */
export class NetworkError extends Error {
  override name = 'NetworkError'
  /** The HTTP status; `undefined` when there was no response at all. */
  readonly status: number | undefined
  /** The response, its body still readable; `undefined` when there was none. */
  readonly response: Response | undefined
  /** The parsed body of the response where it is JSON, its text where it is text; else `undefined`. */
  readonly body: unknown

  constructor(
    message: string,
    details: {
      readonly status?: number
      readonly response?: Response
      readonly body?: unknown
      readonly cause?: unknown
    },
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.status = details.status
    this.response = details.response
    this.body = details.body
  }
}

/**
 * The error of a failed request: a response whose status is not 2xx, or no response.
 *
 * @see specification 7, E10, E11
 */
export class NetworkError extends Error {
  override name = 'NetworkError'
  /** The HTTP status; `undefined` without a response. */
  declare readonly status: number | undefined
  /** The response, with a readable body; `undefined` without a response. */
  declare readonly response: Response | undefined
  /** The body of the response: parsed JSON, or text; `undefined` without a body. */
  declare readonly body: unknown

  constructor(
    message: string,
    details: {
      readonly status?: number
      readonly response?: Response
      readonly body?: unknown
      readonly cause?: unknown
    },
  ) {
    super(message, details)
    this.status = details.status
    this.response = details.response
    this.body = details.body
  }
}

/** An error of one field of a body, or of one query parameter. */
export interface FieldError {
  /** The field's name; `''` if the error concerns the whole body. */
  readonly field: string
  readonly message: string
}

/** The JSON body of every error response. */
export interface ErrorBody {
  /** Stable, for code to branch on. */
  readonly error: ErrorName
  /** For people: what failed, where, and what to change. */
  readonly message: string
  readonly fields?: readonly FieldError[]
}

export type ErrorName = keyof typeof statuses

const statuses = {
  'bad-request': 400,
  unauthorized: 401,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'too-large': 413,
  invalid: 422,
  internal: 500,
  starting: 503,
} as const

/** Makes a request fail. Thrown anywhere below a route; `app.ts` turns it into the response. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: (typeof statuses)[ErrorName]
  readonly body: ErrorBody

  constructor(error: ErrorName, message: string, fields?: readonly FieldError[]) {
    super(message)
    this.status = statuses[error]
    this.body = fields === undefined ? { error, message } : { error, message, fields }
  }
}

/** @param noun - as in "There is no todo 5." */
export function notFound(noun: string, id: number): RequestError {
  return new RequestError('not-found', `There is no ${noun} ${id}.`)
}

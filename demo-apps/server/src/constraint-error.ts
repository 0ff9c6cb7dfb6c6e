import { messages } from '@electric-sql/pglite'
import { RequestError } from './errors.js'

const foreignKeyViolation = '23503'
const uniqueViolation = '23505'

/**
 * Turns the breach of a constraint named "<table>.<field>" into a response that a client can act on.
 *
 * @returns 409 for a value that is taken, 422 for a reference to a record that does not exist,
 *   `undefined` for every other error
 * @see https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
export function fromConstraint(error: unknown): RequestError | undefined {
  if (!(error instanceof messages.DatabaseError)) return undefined
  const field = error.constraint?.split('.')[1]
  if (field === undefined) return undefined
  const value = /=\((.*)\)/.exec(error.detail ?? '')?.[1] ?? ''
  if (error.code === uniqueViolation) {
    const message = `${field}: "${value}" is already taken`
    return new RequestError('conflict', `${message}. Choose another.`, [
      { field, message: 'is already taken' },
    ])
  }
  if (error.code === foreignKeyViolation) {
    const message = `there is no record ${value} to refer to`
    return new RequestError('invalid', `${field}: ${message}.`, [{ field, message }])
  }
  return undefined
}

import { NetworkError, SelfsameError } from '../errors.js'
import type { ErrorCode } from '../errors.js'
import type { PlainError } from '../store/hydration/dehydrated-state.js'

/** @returns an error of the same class if that is one of this package: `NetworkError`, `SelfsameError` */
export function fromPlainError({ name, message, code, status, method, path }: PlainError): Error {
  const details = { ...(status !== undefined && { status }) }
  if (name === 'SelfsameError') return new SelfsameError(code as ErrorCode, message, details)
  const error = name.endsWith('NetworkError')
    ? new NetworkError(message, { ...details, method, url: path })
    : new Error(message)
  return Object.assign(error, { name }, code !== undefined && { code }, details)
}

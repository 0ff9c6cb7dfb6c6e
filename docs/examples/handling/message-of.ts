// message-of.ts
import { NetworkError } from '@selfsame/core/rest'

/** What to tell the user: of a read, the same on the server and in the page. */
export function messageOf(error: Error): string {
  if (!(error instanceof NetworkError)) return 'Something went wrong.'
  if (error.status === undefined) return 'The server cannot be reached.'
  if (error.status === 404) return 'There is no such thing.'
  return 'Something went wrong. Please try again later.'
}

/** Of a mutation: the server's own words, if there are any. */
export function refusalOf(error: Error): string {
  // Here the server sends { "message": "This title is taken." }
  const { body } = error as { body?: { message?: string } | null }
  return body?.message ?? messageOf(error)
}

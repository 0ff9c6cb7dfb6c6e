// message-of.ts
import { NetworkError } from '@selfsame/core/rest'

/** What to tell the user. */
export function messageOf(error: Error): string {
  if (!(error instanceof NetworkError)) return 'Something went wrong.'
  if (error.status === undefined) return 'The server cannot be reached.'
  // Here the server sends { "message": "This title is taken." }
  const { message } = (error.body ?? {}) as { message?: string }
  return message ?? 'Something went wrong. Please try again later.'
}

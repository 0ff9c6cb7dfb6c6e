import { NetworkError } from '@selfsame/core/rest'

/** An explanation of an error for users: what it means, and what they can do. */
export function explain(error: unknown): string {
  const status = error instanceof NetworkError ? error.status : undefined
  if (!(error instanceof NetworkError)) return 'Something went wrong on this page. Try again.'
  if (status === undefined) return 'Cannot reach the server. Check your connection, then try again.'
  if (status === 404) return 'This no longer exists: someone deleted it.'
  if (status < 500) return 'The server rejected this. Change it, then try again.'
  const isRead = error.method === 'GET'
  return `The server has a problem at the moment. ${isRead ? '' : 'Nothing was changed. '}Try again.`
}

/** The details of an error for developers. */
export function detailsOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

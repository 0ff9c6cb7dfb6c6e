import { isNetworkError } from '@selfsame/core/policies'
import { NetworkError } from '@selfsame/core/rest'

/** The explanation of an error for users. The text for developers is `error.message`. */
export interface Problem {
  readonly title: string
  readonly advice: string
  /** True if a retry may help. */
  readonly isPassing: boolean
}

/** Explains an error of a request to users. */
export function problemOf(error: Error): Problem {
  const status = error instanceof NetworkError ? error.status : undefined
  if (status === 404) {
    return { title: 'Not found', advice: 'It may have been deleted.', isPassing: false }
  }
  if (status === 401) {
    return { title: 'You are not signed in', advice: 'Sign in and try again.', isPassing: false }
  }
  if (status === 409 || status === 422) {
    return { title: 'This cannot be saved', advice: fieldsOf(error), isPassing: false }
  }
  if (isNetworkError(error)) {
    return { title: 'No connection', advice: 'Check your network and try again.', isPassing: true }
  }
  return { title: 'The server has a problem', advice: 'Wait a moment and try again.', isPassing: true }
}

function fieldsOf(error: Error): string {
  const { fields = [] } = ((error as NetworkError).body ?? {}) as {
    readonly fields?: readonly { readonly field: string; readonly message: string }[]
  }
  if (fields.length === 0) return 'Correct what you wrote and try again.'
  return fields.map(({ field, message }) => `The ${field} ${message}.`).join(' ')
}

import { GQLNetworkError } from '@selfsame/core/graphql'
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
  const code = codeOf(error)
  if (code === 404 || code === 'not-found') {
    return { title: 'Not found', advice: 'It may have been deleted.', isPassing: false }
  }
  if (code === 401 || code === 'unauthorized') {
    return { title: 'You are not signed in', advice: 'Sign in and try again.', isPassing: false }
  }
  if (code === 409 || code === 422 || code === 'conflict' || code === 'invalid') {
    return { title: 'This cannot be saved', advice: adviceOf(fieldsOf(error)), isPassing: false }
  }
  if (error instanceof GQLNetworkError && error.status === 400) {
    return {
      title: 'This page is out of date',
      advice: 'Reload it. You will lose unsaved changes.',
      isPassing: false,
    }
  }
  if (isNetworkError(error)) {
    return { title: 'No connection', advice: 'Check your network and try again.', isPassing: true }
  }
  return { title: 'The server has a problem', advice: 'Wait a moment and try again.', isPassing: true }
}

/** The status; of a GraphQL response, which has 200 for most errors, the code that the server wrote into the first one. */
function codeOf(error: Error): unknown {
  if (error instanceof GQLNetworkError) return error.errors[0]?.extensions?.['code']
  return error instanceof NetworkError ? error.status : undefined
}

interface InvalidField {
  readonly field: string
  readonly message: string
}

function fieldsOf(error: Error): readonly InvalidField[] {
  const source: unknown =
    error instanceof GQLNetworkError ? error.errors[0]?.extensions : (error as NetworkError).body
  const { fields = [] } = (source ?? {}) as { readonly fields?: readonly InvalidField[] }
  return fields
}

function adviceOf(fields: readonly InvalidField[]): string {
  if (fields.length === 0) return 'Correct your input and try again.'
  // GraphQL names the place in the variables: `input.title`.
  return fields.map(({ field, message }) => `The ${field.split('.').at(-1)} ${message}.`).join(' ')
}

import { problemOf } from '@selfsame/demo-shared/application'
import type { ErrorFallbackProps } from '@selfsame/react'

interface ProblemProps {
  readonly error: Error
  /** Tries again, where that may help. */
  readonly reset?: (() => void) | undefined
  /** In place of the error's own. */
  readonly title?: string
  readonly children?: string
}

/** Says in a user's words what failed. */
export function Problem({ error, reset, title, children }: ProblemProps) {
  const problem = problemOf(error)
  return (
    <div role="alert" className="problem">
      <h2>{title ?? problem.title}</h2>
      <p>{problem.advice}</p>
      {children !== undefined && <p>{children}</p>}
      {reset !== undefined && problem.isPassing && (
        <button type="button" className="button" onClick={reset}>
          Try again
        </button>
      )}
      <details>
        <summary>For developers</summary>
        <pre>{error.message}</pre>
      </details>
    </div>
  )
}

/** What boundaries show. */
export function Failed({ error, reset }: ErrorFallbackProps) {
  return <Problem error={error} reset={reset} />
}

import { problemOf } from '@selfsame/demo-shared/application'
import type { ErrorFallbackProps } from '@selfsame/react'

interface ProblemProps {
  readonly error: Error
  /** Retries; given if that may help. */
  readonly reset?: (() => void) | undefined
  /** Replaces the title of the error. */
  readonly title?: string
  readonly children?: string
}

/** Explains an error to the user. */
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

/** The error fallback of boundaries. */
export function Failed({ error, reset }: ErrorFallbackProps) {
  return <Problem error={error} reset={reset} />
}

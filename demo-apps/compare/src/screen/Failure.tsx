interface FailureProps {
  readonly error: Error
  readonly onRetry: () => unknown
}

export function Failure({ error, onRetry }: FailureProps) {
  return (
    <div role="alert">
      <p>{firstLineOf(error)}</p>
      <button type="button" className="button" onClick={() => void onRetry()}>
        Try again
      </button>
    </div>
  )
}

export function firstLineOf(error: Error): string {
  return error.message.split('\n', 1).join('')
}

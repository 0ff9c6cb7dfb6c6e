import { messageOf } from '../articles.js'

interface FailureProps {
  readonly error: Error
  readonly reset: () => void
}

export function Failure({ error, reset }: FailureProps) {
  return (
    <div className="failure" role="alert">
      <h3>This did not work</h3>
      <p>{messageOf(error)}</p>
      <button type="button" className="button" onClick={reset}>
        Try again
      </button>
    </div>
  )
}

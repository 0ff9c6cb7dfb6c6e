import type { MouseEvent } from 'react'
import { keepFocusNear } from '../page/focus.js'
import { Problem } from './Problem.js'

interface FailureProps {
  readonly error: Error
  readonly reset: () => void
}

export function Failure({ error, reset }: FailureProps) {
  function tryAgain({ currentTarget }: MouseEvent) {
    keepFocusNear(currentTarget)
    reset()
  }

  return (
    <div className="failure" role="alert">
      <Problem error={error} />
      <button type="button" className="button" onClick={tryAgain}>
        Try again
      </button>
    </div>
  )
}

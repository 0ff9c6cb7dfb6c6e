import type { ErrorFallbackProps } from '@selfsame/react'

export function Failed({ error, reset }: ErrorFallbackProps) {
  return (
    <p role="alert">
      {error.message} <button onClick={reset}>Try again</button>
    </p>
  )
}

// TodoPage.tsx
import { NetworkError } from '@selfsame/core/rest'
import { AsyncBoundary, useSuspense } from '@selfsame/react'
import type { ErrorFallbackProps } from '@selfsame/react'
import { todoResource } from '../api.js'

function TodoTitle({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id })
  return <h1>{todo.title}</h1>
}

function Failed({ error, reset }: ErrorFallbackProps) {
  if (error instanceof NetworkError && error.status === 404)
    return <p>There is no such todo.</p>
  return (
    <p role="alert">
      {error.message} <button onClick={reset}>Try again</button>
    </p>
  )
}

export function TodoPage({ id }: { id: number }) {
  return (
    <AsyncBoundary fallback={<p>Loading…</p>} errorFallback={Failed}>
      <TodoTitle id={id} />
    </AsyncBoundary>
  )
}

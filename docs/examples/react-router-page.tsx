import { AsyncBoundary, useSuspense } from '@selfsame/react'
import { useParams } from 'react-router'
import { todoResource } from './api.js'
import { Failed } from './TodoFailed.js'

export function TodoPage() {
  const id = Number(useParams()['id'])
  return (
    <AsyncBoundary fallback="Loading" errorFallback={Failed}>
      <TodoTitle id={id} />
    </AsyncBoundary>
  )
}

export function TodoTitle({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id })
  return <h1>{todo.title}</h1>
}

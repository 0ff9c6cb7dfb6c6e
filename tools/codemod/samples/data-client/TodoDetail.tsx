import { useLoading } from '@data-client/hooks'
import { useController, useDLE } from '@data-client/react'
import { TodoResource } from './api'

export function TodoDetail({ id }: { id: number }) {
  const ctrl = useController()
  const { data: todo, loading, error } = useDLE(TodoResource.get, { id })
  const [finish, isFinishing] = useLoading(
    () => ctrl.fetch(TodoResource.finish, { id }, { done: true }),
    [ctrl, id],
  )
  if (loading) return 'Loading'
  if (error) return error.message
  return (
    <article>
      <h2>
        {todo.title}, {todo.author.name}
      </h2>
      <button onClick={() => finish()} disabled={isFinishing}>
        Finish
      </button>
      <button onClick={() => ctrl.resetEntireStore()}>Log out</button>
    </article>
  )
}

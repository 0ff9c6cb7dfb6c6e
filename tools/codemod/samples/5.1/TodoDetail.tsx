import { useCallback } from 'react'
import { useCache, useFetcher, useResource } from 'rest-hooks'
import { Todo, User } from './api'

export function TodoDetail({ id }: { id: number }) {
  const todo = useResource(Todo.detail(), { id })
  const author = useCache(User.detail(), { id: todo.author?.id ?? 0 })
  const update = useFetcher(Todo.partialUpdate())
  const remove = useFetcher(Todo.delete())
  const finish = useCallback(() => update({ id }, { done: true }), [id, update])
  return (
    <article>
      <h2>
        {todo.title}, {author?.name}
      </h2>
      <button onClick={finish}>Finish</button>
      <button onClick={() => remove({ id })}>Remove</button>
    </article>
  )
}

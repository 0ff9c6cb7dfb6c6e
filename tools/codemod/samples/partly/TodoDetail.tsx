import { useCache, useFetcher, useResource } from 'rest-hooks'
import { Todo, User } from './api'

export function TodoDetail({ id }: { id: number }) {
  const todo = useResource(Todo.detail(), { id })
  const author = useCache(User.detail(), { id: todo.author?.id ?? 0 })
  const finish = useFetcher(Todo.finish())
  const remove = useFetcher(Todo.delete())
  return (
    <article>
      <h2>
        {todo.title}, {author?.name}
      </h2>
      <button onClick={() => finish({ id }, { done: true })}>Finish</button>
      <button onClick={() => remove({ id })}>Remove</button>
    </article>
  )
}

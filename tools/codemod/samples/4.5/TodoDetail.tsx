import { useCallback } from 'react'
import { useCache, useFetcher, useResetter, useResource } from 'rest-hooks'
import { TodoResource, UserResource } from './resources'

export function TodoDetail({ id }: { id: number }) {
  const todo = useResource(TodoResource.detailShape(), { id })
  const author = useCache(UserResource.detailShape(), { id: todo.author })
  const update = useFetcher(TodoResource.partialUpdateShape())
  const remove = useFetcher(TodoResource.deleteShape())
  const reset = useResetter()
  const finish = useCallback(() => update({ id }, { done: true }), [id, update])
  return (
    <article>
      <h2>
        {todo.title}, {author?.name}
      </h2>
      <button onClick={finish}>Finish</button>
      <button onClick={() => remove({ id }, undefined)}>Remove</button>
      <button onClick={() => reset()}>Log out</button>
    </article>
  )
}

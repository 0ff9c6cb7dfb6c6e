// MoreTodos.tsx
import { useController, useLoading, useSuspense } from '@selfsame/react'
import { todoResource } from '../api.js'

export function MoreTodos() {
  const controller = useController()
  const todos = useSuspense(todoResource.getList)
  const cursor = todos.at(-1)?.id ?? 0
  const { run: loadMore, loading: isLoading } = useLoading(() =>
    controller.fetch(todoResource.getList.getPage, { cursor }),
  )
  return (
    <>
      <ul>
        {todos.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <button disabled={isLoading} onClick={() => void loadMore()}>
        Load more
      </button>
    </>
  )
}

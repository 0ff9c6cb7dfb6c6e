import { useCache, useDLE, useQuery, useSuspense } from '@selfsame/react'
import { Todo, todoResource } from './api.js'

export function WhichHook({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id })
  const { data, loading, error } = useDLE(todoResource.getList, { userId: 1 })
  const cached = useCache(todoResource.getList, { userId: 1 })
  const found = useQuery(Todo, { id })
  const count = loading ? 'Loading' : (error?.message ?? data?.length)
  return (
    <p>
      {todo.title}, {count}, {cached?.length}, {String(found === todo)}
    </p>
  )
}

export function ChosenList({ listId }: { listId?: number }) {
  const { data: list } = useDLE(
    todoResource.getList,
    listId === undefined ? null : { listId },
  )
  return <p>{list?.length ?? 'None'}</p>
}

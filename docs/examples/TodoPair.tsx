// TodoPair.tsx
import { useSuspenseAll } from '@selfsame/react'
import { todoResource } from './api.js'

export function TodoPair({ id }: { id: number }) {
  const [todo, todos] = useSuspenseAll([
    [todoResource.get, { id }],
    [todoResource.getList, { userId: 1 }],
  ])
  return (
    <p>
      {todo.title}, one of {todos.length}
    </p>
  )
}

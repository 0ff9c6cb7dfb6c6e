import { useController, useSuspense } from '@data-client/react'
import { TodoResource } from './api'
import type { Todo } from './api'

export function TodoList({ onOpen }: { onOpen: (todo: Todo) => void }) {
  const todos = useSuspense(TodoResource.getList)
  const done = useSuspense(TodoResource.getDone, { done: true })
  const ctrl = useController()
  return (
    <>
      <ul>
        {todos.map((todo) => (
          <li key={todo.pk()} onClick={() => onOpen(todo)}>
            {todo.label} of {todo.author.name}
          </li>
        ))}
      </ul>
      <p>{done.length} done</p>
      <button onClick={() => ctrl.fetch(TodoResource.getList.push, { title: 'New' })}>Add</button>
      <button onClick={() => ctrl.invalidate(TodoResource.getDone, { done: true })}>Count again</button>
    </>
  )
}

import { useController, useSuspense } from 'rest-hooks'
import { Todo } from './api'

export function TodoList({ onOpen }: { onOpen: (todo: Todo) => void }) {
  const todos = useSuspense(Todo.list(), {})
  const { length } = useSuspense(Todo.list(), { done: true })
  const controller = useController()
  const add = () => controller.fetch(Todo.create(), {}, { title: 'New' })
  return (
    <>
      <ul>
        {todos.map((todo) => (
          <li key={todo.pk()} onClick={() => onOpen(todo)}>
            {todo.label} of {todo.author?.name}
          </li>
        ))}
      </ul>
      <p>{length} done</p>
      <button onClick={add}>Add</button>
      <button onClick={() => controller.invalidate(Todo.list(), { done: true })}>Count again</button>
    </>
  )
}

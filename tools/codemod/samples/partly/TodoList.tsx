import { useController, useFetcher, useSuspense } from 'rest-hooks'
import { Todo } from './api'

export function TodoList({ onOpen }: { onOpen: (todo: Todo) => void }) {
  const todos = useSuspense(Todo.list(), {})
  const { length } = useSuspense(Todo.list(), { done: true })
  const controller = useController()
  const create = useFetcher(Todo.create())
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
      <Add onAdd={create} />
      <button onClick={() => controller.invalidate(Todo.list(), { done: true })}>Count again</button>
    </>
  )
}

function Add({ onAdd }: { onAdd: (params: object, body: object) => unknown }) {
  return <button onClick={() => onAdd({}, { title: 'New' })}>Add</button>
}

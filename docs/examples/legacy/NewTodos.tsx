import { useController, useSuspense } from '@selfsame/react'
import { Todo } from './todo.js'

export function NewTodos() {
  const todos = useSuspense(Todo.list())
  const controller = useController()
  const add = () => controller.fetch(Todo.create(), { title: 'Eat' })
  return (
    <button onClick={add}>
      New: {todos.map(({ title }) => title).join(' ')}
    </button>
  )
}

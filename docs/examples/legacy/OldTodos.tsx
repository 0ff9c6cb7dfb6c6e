import { useFetcher, useResource } from '@selfsame/react/legacy'
import { Todo } from './todo.js'

export function OldTodos() {
  const todos = useResource(Todo.listShape(), {})
  const create = useFetcher(Todo.createShape())
  const add = () =>
    create({}, { title: 'Sleep' }, [
      [Todo.listShape(), {}, (id, ids: string[]) => [id, ...ids]],
    ])
  return (
    <button onClick={add}>
      Old: {todos.map(({ title }) => title).join(' ')}
    </button>
  )
}

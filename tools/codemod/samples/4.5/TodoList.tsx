import { useFetcher, useInvalidator, useResource } from 'rest-hooks'
import { TodoResource, UserResource } from './resources'

export function TodoList({ onOpen }: { onOpen: (todo: TodoResource) => void }) {
  const [todos, done] = useResource(
    [TodoResource.listShape(), {}],
    [TodoResource.listShape(), { done: true }],
  )
  const user = useResource(UserResource.detailShape(), { id: 1 })
  const create = useFetcher(TodoResource.createShape())
  const refresh = useFetcher(TodoResource.listShape())
  const countAgain = useInvalidator(TodoResource.listShape())
  const add = async () => {
    await create({}, { title: 'New' })
    await refresh({})
  }
  return (
    <>
      <ul>
        {todos.map((todo) => (
          <li key={todo.pk()} onClick={() => onOpen(todo)}>
            {todo.label} of {user.name}
          </li>
        ))}
      </ul>
      <p>{done.length} done</p>
      <button onClick={add}>Add</button>
      <button onClick={() => countAgain({ done: true })}>Count again</button>
    </>
  )
}

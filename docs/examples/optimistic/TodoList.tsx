// TodoList.tsx
import { useController, useLoading, useSuspense } from '@selfsame/react'
import { todoResource } from './api.js'

export function TodoList() {
  const todos = useSuspense(todoResource.getList)
  const controller = useController()
  const { run: toggle, error } = useLoading((id: number, completed: boolean) =>
    controller.fetch(todoResource.partialUpdate, { id }, { completed }),
  )
  return (
    <>
      <p>{todos.filter(({ completed }) => !completed).length} open</p>
      <ul>
        {todos.map(({ id, title, completed }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={completed}
                onChange={() => void toggle(id, !completed)}
              />
              {title}
            </label>
          </li>
        ))}
      </ul>
      {error && <p role="alert">Taken back: {error.message}</p>}
    </>
  )
}

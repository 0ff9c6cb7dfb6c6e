import { useController, useLoading, useSuspense } from '@selfsame/react'
import { todoResource } from './api'

interface TodoListProps {
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
}

export function TodoList({ selected, onSelect }: TodoListProps) {
  const controller = useController()
  const todos = useSuspense(todoResource.getList)
  const { run: toggle, error } = useLoading((id: string, completed: boolean) =>
    controller.fetch(todoResource.partialUpdate, { id }, { completed }),
  )

  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      <ul className="list">
        {todos.map(({ id, title, completed }) => (
          <li key={id}>
            <input
              type="checkbox"
              aria-label={`${title} is done`}
              checked={completed}
              onChange={() => toggle(id, !completed)}
            />
            <button
              className={completed ? 'done' : undefined}
              aria-pressed={id === selected}
              onClick={() => onSelect(id)}
            >
              {title}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

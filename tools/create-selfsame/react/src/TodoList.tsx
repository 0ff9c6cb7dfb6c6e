import { useController, useSuspense } from '@selfsame/react'
import { todoResource } from './api'

interface TodoListProps {
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
}

export function TodoList({ selected, onSelect }: TodoListProps) {
  const controller = useController()
  const todos = useSuspense(todoResource.getList)

  return (
    <ul className="list">
      {todos.map(({ id, title, completed }) => (
        <li key={id}>
          <input
            type="checkbox"
            aria-label={`${title} is done`}
            checked={completed}
            onChange={() => controller.fetch(todoResource.partialUpdate, { id }, { completed: !completed })}
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
  )
}

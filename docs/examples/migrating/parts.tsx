import type { FormEvent } from 'react'

// What the screens of the migration guides show. It knows no data layer, and is
// the same before and after.

export interface Row {
  readonly id: number | string
  readonly title: string
  readonly done: boolean
}

export function Rows<Id extends number | string>({
  todos,
  onOpen,
}: {
  todos: readonly (Row & { readonly id: Id })[]
  onOpen: (id: Id) => void
}) {
  return (
    <ul>
      {todos.map(({ id, title, done }) => (
        <li key={id}>
          <button onClick={() => onOpen(id)}>
            {done ? `${title} ✓` : title}
          </button>
        </li>
      ))}
    </ul>
  )
}

export function Details({
  todo,
  onToggle,
}: {
  todo: Row & { readonly notes: string }
  onToggle: () => void
}) {
  return (
    <article>
      <h2>{todo.done ? `${todo.title} ✓` : todo.title}</h2>
      <p>{todo.notes}</p>
      <button onClick={onToggle}>Done</button>
    </article>
  )
}

export function AddForm({
  onAdd,
  error,
}: {
  onAdd: (title: string) => void
  error?: Error | null | undefined
}) {
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onAdd(String(new FormData(event.currentTarget).get('title')))
  }
  return (
    <form onSubmit={add}>
      <input name="title" aria-label="Title" />
      <button>Add</button>
      {error && <p role="alert">Not saved. {error.message}</p>}
    </form>
  )
}

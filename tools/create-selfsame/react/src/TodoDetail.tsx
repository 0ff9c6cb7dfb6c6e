import { useController, useSuspense } from '@selfsame/react'
import type { FormEvent } from 'react'
import { todoResource } from './api'

interface TodoDetailProps {
  readonly id: string
  readonly onDelete: () => void
}

export function TodoDetail({ id, onDelete }: TodoDetailProps) {
  const controller = useController()
  // No request: the list has fetched this record. A change here updates the list too.
  const todo = useSuspense(todoResource.get, { id })

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const change = { title: String(fields.get('title')), note: String(fields.get('note')) }
    void controller.fetch(todoResource.partialUpdate, { id }, change)
  }

  function remove() {
    void controller.fetch(todoResource.delete, { id })
    onDelete()
  }

  return (
    <form className="detail" aria-label="Detail" onSubmit={save}>
      <h2>{todo.title}</h2>
      <label>
        Title
        <input name="title" required defaultValue={todo.title} />
      </label>
      <label>
        Note
        <textarea name="note" rows={3} defaultValue={todo.note} />
      </label>
      <div className="row">
        <button>Save</button>
        <button type="button" onClick={remove}>
          Delete
        </button>
      </div>
    </form>
  )
}

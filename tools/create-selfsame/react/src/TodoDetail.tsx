import { useController, useLoading, useSuspense } from '@selfsame/react'
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

  const saving = useLoading((change: { title: string; note: string }) =>
    controller.fetch(todoResource.partialUpdate, { id }, change),
  )
  const removing = useLoading(async () => {
    await controller.fetch(todoResource.delete, { id })
    onDelete()
  })
  const error = saving.error ?? removing.error

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    void saving.run({ title: String(fields.get('title')), note: String(fields.get('note')) })
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
        <button type="button" onClick={() => void removing.run()}>
          Delete
        </button>
      </div>
      {error && <p role="alert">{error.message}</p>}
    </form>
  )
}

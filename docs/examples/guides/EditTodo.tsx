// EditTodo.tsx
import { useController, useLoading, useSuspense } from '@selfsame/react'
import { useState } from 'react'
import { todoResource } from '../api.js'

export function EditTodo({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id })
  const controller = useController()
  const [draft, setDraft] = useState<string>()
  const title = draft ?? todo.title
  const {
    run: save,
    loading: isSaving,
    error,
  } = useLoading(async () => {
    await controller.fetch(todoResource.partialUpdate, { id }, { title })
    setDraft(undefined)
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <input
        aria-label="Title"
        value={title}
        onChange={({ target }) => setDraft(target.value)}
      />
      <button disabled={isSaving || draft === undefined}>Save</button>
      {error && <p role="alert">{error.message}</p>}
    </form>
  )
}

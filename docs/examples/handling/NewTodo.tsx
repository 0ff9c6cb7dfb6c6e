// NewTodo.tsx
import { NetworkError } from '@selfsame/core/rest'
import { useController, useLoading } from '@selfsame/react'
import { useState } from 'react'
import { todoResource } from '../api.js'
import { refusalOf } from './message-of.js'

export function NewTodo() {
  const controller = useController()
  const [title, setTitle] = useState('')
  const {
    run: save,
    loading: isSaving,
    error,
  } = useLoading(() => controller.fetch(todoResource.create, { title }))
  const problem =
    error instanceof NetworkError && error.status === 422
      ? error.body
      : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <input value={title} onChange={({ target }) => setTitle(target.value)} />
      <button disabled={isSaving}>Save</button>
      {problem !== undefined && (
        <p role="alert">{(problem as { title: string }).title}</p>
      )}
      {error && problem === undefined && <p role="alert">{refusalOf(error)}</p>}
    </form>
  )
}

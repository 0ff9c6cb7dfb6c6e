// AddAndRemove.tsx
import { useController, useLoading, useSuspense } from '@selfsame/react'
import { useState } from 'react'
import { todoResource } from '../api.js'

export function AddAndRemove() {
  const todos = useSuspense(todoResource.getList)
  const controller = useController()
  const [title, setTitle] = useState('')
  const add = useLoading(async () => {
    await controller.fetch(todoResource.create, { title })
    setTitle('')
  })
  const remove = useLoading((id: number) =>
    controller.fetch(todoResource.delete, { id }),
  )
  const error = add.error ?? remove.error
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void add.run()
        }}
      >
        <input
          required
          aria-label="New todo"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <button disabled={add.loading}>Add</button>
      </form>
      <ul>
        {todos.map(({ id, title }) => (
          <li key={id}>
            {title}{' '}
            <button
              aria-label={`Remove ${title}`}
              onClick={() => void remove.run(id)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}

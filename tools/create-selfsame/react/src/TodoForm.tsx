import { useController, useLoading } from '@selfsame/react'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { todoResource } from './api'

export function TodoForm() {
  const controller = useController()
  const [title, setTitle] = useState('')

  const { run: add, error } = useLoading(async () => {
    setTitle('')
    try {
      // The list shows the new todo at once, because the resource is optimistic.
      await controller.fetch(todoResource.create, { title })
    } catch (failure) {
      // What was typed comes back, unless there is something else by now.
      setTitle((typed) => typed || title)
      throw failure
    }
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    void add()
  }

  return (
    <form className="row" onSubmit={submit}>
      <input
        aria-label="Title"
        placeholder="What needs to be done?"
        required
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <button>Add</button>
      {error && <p role="alert">{error.message}</p>}
    </form>
  )
}

import { useController } from '@selfsame/react'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { todoResource } from './api'

export function TodoForm() {
  const controller = useController()
  const [title, setTitle] = useState('')

  function add(event: FormEvent) {
    event.preventDefault()
    setTitle('')
    // The list shows the new todo at once, because the resource is optimistic.
    void controller.fetch(todoResource.create, { title })
  }

  return (
    <form className="row" onSubmit={add}>
      <input
        aria-label="Title"
        placeholder="What needs to be done?"
        required
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <button>Add</button>
    </form>
  )
}

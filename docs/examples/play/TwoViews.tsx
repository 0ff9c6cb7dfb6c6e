// TwoViews.tsx
import { useController, useLoading, useSuspense } from '@selfsame/react'
import { useState } from 'react'
import { todoResource } from '../api.js'

export function TwoViews() {
  const todos = useSuspense(todoResource.getList)
  const [id, setId] = useState(1)
  // No request: the list has brought the record.
  const todo = useSuspense(todoResource.get, { id })
  const controller = useController()
  const { run: rename, error } = useLoading((title: string) =>
    controller.fetch(todoResource.partialUpdate, { id }, { title }),
  )
  return (
    <>
      <ul>
        {todos.map((each) => (
          <li key={each.id}>
            <button aria-pressed={each === todo} onClick={() => setId(each.id)}>
              {each.title}
            </button>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const title = new FormData(event.currentTarget).get('title')
          void rename(String(title))
        }}
      >
        <input
          key={`${id} ${todo.title}`}
          name="title"
          aria-label="Title"
          defaultValue={todo.title}
        />
        <button>Rename</button>
      </form>
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}

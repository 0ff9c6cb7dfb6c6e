import { Controller, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useSuspense,
} from '@selfsame/react'
import type { ErrorFallbackProps } from '@selfsame/react'
import { createRoot } from 'react-dom/client'

class Todo extends Entity {
  id = 0
  title = ''
  completed = false
  static override key = 'Todo'
}

const todoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
})
const controller = new Controller()

function TodoItem({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id })
  const controller = useController()
  const toggle = () =>
    controller.fetch(
      todoResource.partialUpdate,
      { id },
      { completed: !todo.completed },
    )
  return <button onClick={toggle}>{todo.title}</button>
}

function Failed({ error, reset }: ErrorFallbackProps) {
  return (
    <p role="alert">
      {error.message} <button onClick={reset}>Try again</button>
    </p>
  )
}

createRoot(document.body).render(
  <DataProvider controller={controller}>
    <AsyncBoundary fallback="Loading" errorFallback={Failed}>
      <TodoItem id={5} />
    </AsyncBoundary>
  </DataProvider>,
)

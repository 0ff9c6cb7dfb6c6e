// App.tsx
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useLoading,
  useSuspense,
} from '@selfsame/react'
import type { ErrorFallbackProps } from '@selfsame/react'
import { todoResource } from './api.js'

function OpenCount() {
  const todos = useSuspense(todoResource.getList, { userId: 1 })
  return <h1>{todos.filter(({ completed }) => !completed).length} open</h1>
}

function TodoItem({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id })
  const controller = useController()
  const { run: toggle, error } = useLoading(() =>
    controller.fetch(
      todoResource.partialUpdate,
      { id },
      { completed: !todo.completed },
    ),
  )
  return (
    <label>
      <input type="checkbox" checked={todo.completed} onChange={toggle} />{' '}
      {todo.title} {error?.message}
    </label>
  )
}

function TodoList() {
  const todos = useSuspense(todoResource.getList, { userId: 1 })
  return todos.map(({ id }) => (
    <p key={id}>
      <TodoItem id={id} />
    </p>
  ))
}

function Failed({ error, reset }: ErrorFallbackProps) {
  return (
    <p role="alert">
      {error.message} <button onClick={reset}>Try again</button>
    </p>
  )
}

export function App() {
  return (
    <DataProvider>
      <AsyncBoundary fallback={<p>Loading…</p>} errorFallback={Failed}>
        <OpenCount />
        <TodoList />
      </AsyncBoundary>
    </DataProvider>
  )
}

import { AsyncBoundary, useController, useSuspense } from '@selfsame/react'
import type { ErrorFallbackProps } from '@selfsame/react'
import type { ReactNode } from 'react'
import { Todo, getMe, getReport, todoResource } from './api.js'

export function App() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Todos</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <Part>
          <MyName />
          <TodoList />
        </Part>
        <Part>
          <Report />
        </Part>
      </body>
    </html>
  )
}

/**
 * What is sent as soon as its data is there, whatever the rest of the page
 * waits for.
 */
function Part({ children }: { readonly children: ReactNode }) {
  return (
    <AsyncBoundary fallback={<p>Loading…</p>} errorFallback={Failed}>
      {children}
    </AsyncBoundary>
  )
}

function Failed({ error, reset }: ErrorFallbackProps) {
  return (
    <p role="alert">
      {error.message} <button onClick={reset}>Try again</button>
    </p>
  )
}

function MyName() {
  return <h1>{useSuspense(getMe).name}</h1>
}

function TodoList() {
  const todos = useSuspense(todoResource.getList)
  const controller = useController()
  const toggle = ({ id, done }: Todo) =>
    controller.set(Todo, { id }, { done: !done })
  return (
    <ul>
      {todos.map((todo) => (
        <li key={todo.id}>
          <label>
            <input
              type="checkbox"
              checked={todo.done}
              onChange={() => toggle(todo)}
            />
            {todo.title}
          </label>
        </li>
      ))}
    </ul>
  )
}

function Report() {
  return <footer>{useSuspense(getReport).text}</footer>
}
